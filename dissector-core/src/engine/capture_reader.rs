//! The engine: takes the packets of one capture, and gives back what each shows.

use foldhash::{HashMap, HashMapExt};

use super::moves::Part;
use super::router::{Moved, NewSession, Route, Router};
use super::session::{Session, Tools};
use crate::bedrock::{Bedrock, Carrier};
use crate::capture::{ConversationKey, DatagramId, Direction, Output, Packet, Sender, Settings};
use crate::enet::wire::HeaderVariant;
use crate::enet::{self, Connection, Early, Owner, Reassemblies};
use crate::fields::lol::Expert;
use crate::lol::{self, Library};
use crate::tree::Tree;

/// Reads one capture.
#[derive(Debug)]
pub struct Engine {
    problems: Vec<String>,
    library: Library,
    router: Router,
    sessions: Vec<Session>,
    reassemblies: Reassemblies,
    /// Sessions of payloads that come without ENet.
    bare: HashMap<ConversationKey, usize>,
    /// The one of them that was used last: a file mostly holds one.
    last_bare: Option<(ConversationKey, usize)>,
    datagram: Output,
    message: Output,
    /// Whether `message` goes on with the Info line of `datagram`.
    resumed: bool,
    bedrock: Bedrock,
    bedrock_message: Output,
}

impl Engine {
    /// An engine with these settings; what could not be used is told by [`Engine::problems`].
    pub fn new(settings: &Settings) -> Engine {
        let mut problems = Vec::new();
        let library = Library::new(lol::Settings::new(settings, &mut problems));
        let router = Router::new(enet::Settings::new(settings, &mut problems));
        let bedrock = Bedrock::new(settings, &mut problems);
        Engine {
            problems,
            library,
            router,
            sessions: Vec::new(),
            reassemblies: Reassemblies::default(),
            bare: HashMap::new(),
            last_bare: None,
            datagram: Output::default(),
            message: Output::default(),
            resumed: false,
            bedrock,
            bedrock_message: Output::default(),
        }
    }

    /// What was wrong with the settings, a line each.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// How many sessions there are so far.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// How many sessions of Minecraft Bedrock there are so far.
    pub fn bedrock_sessions(&self) -> usize {
        self.bedrock.sessions()
    }

    /// Says whether somebody follows sessions: results have lines of their text from now on, or no more.
    pub fn follow(&mut self, is_wanted: bool) {
        for output in [&mut self.datagram, &mut self.message, &mut self.bedrock_message] {
            output.follow.is_wanted = is_wanted;
        }
    }

    /// Reads a UDP datagram; `None` where it belongs to no session.
    pub fn datagram(&mut self, packet: &Packet<'_>) -> Option<&mut Output> {
        // taken out while it is filled, so that the sessions stay in reach
        let mut out = std::mem::take(&mut self.datagram);
        out.clear(packet.nodes_before);
        let (key, direction) = ConversationKey::of(packet);
        let mine = match self.router.route(&mut self.sessions, key, direction, packet) {
            Route::Session(part) => {
                self.read_datagram(part.session, part.direction(direction), packet, &mut out);
                true
            }
            Route::New(new) => {
                let part = self.open_session(key, &new);
                self.read_early(part, &new.early, &mut out);
                self.read_datagram(part.session, direction, packet, &mut out);
                true
            }
            Route::Moved(Moved { part, start, early, text }) => {
                self.router.add(key, start, part);
                self.read_early(part, &early, &mut out);
                self.sessions[part.session].connection.note_move(packet.id(), text);
                self.read_datagram(part.session, part.direction(direction), packet, &mut out);
                true
            }
            Route::Provisional(settled) => {
                Connection::show_provisional(settled, direction, packet, &mut out);
                true
            }
            Route::NotMine => false,
        };
        tell_full(&mut out);
        self.datagram = out;
        self.resumed = false;
        mine.then_some(&mut self.datagram)
    }

    /// Reads a message that epan has put together from fragments: `id` is theirs, `packet` holds its bytes and tells of the
    /// datagram that completed it. Its Info line is that of the datagram, with what this message adds. `None` for an id that
    /// no fragment was given.
    pub fn reassembled(&mut self, packet: &Packet<'_>, id: u32) -> Option<&mut Output> {
        let Engine { library, sessions, reassemblies, datagram, message: out, resumed, .. } = self;
        let reassembly = reassemblies.complete(id, packet.writes())?;
        let session = sessions.get_mut(reassembly.session)?;
        out.clear_but_info(packet.nodes_before);
        // the second message of a datagram goes on behind the first
        if !std::mem::replace(resumed, true) {
            out.resume_info(datagram);
        }
        session.read_reassembled(library, reassembly, packet, out);
        tell_full(out);
        Some(out)
    }

    /// Reads a deciphered payload that came without ENet, of the ENet channel `channel`: [`crate::layout::channel::OTHER`]
    /// where that is not known.
    pub fn message(
        &mut self,
        packet: &Packet<'_>,
        channel: u8,
        sender: Option<Sender>,
    ) -> Option<&mut Output> {
        let index = self.bare_session(packet);
        let Engine { library, sessions, message: out, .. } = self;
        out.clear(packet.nodes_before);
        sessions.get_mut(index)?.read_bare(library, packet, (channel, sender), out);
        tell_full(out);
        Some(out)
    }

    /// Reads a user message of RakNet, from its first byte on; `None` where it is none of Bedrock's. `carrier` is the datagram
    /// it came in, where that is at hand.
    pub fn bedrock(&mut self, packet: &Packet<'_>, carrier: Option<Carrier<'_>>) -> Option<&mut Output> {
        let out = &mut self.bedrock_message;
        out.clear(packet.nodes_before);
        self.bedrock.read(packet, carrier, out).then_some(out)
    }

    fn read_datagram(&mut self, index: usize, direction: Direction, packet: &Packet<'_>, out: &mut Output) {
        let Engine { library, sessions, reassemblies, .. } = self;
        if let Some(session) = sessions.get_mut(index) {
            session.read_datagram(Tools { library, reassemblies }, direction, packet, out);
        }
    }

    /// Opens the session of a conversation.
    fn open_session(&mut self, key: ConversationKey, new: &NewSession) -> Part {
        let index = self.push_session(key, new.start, new.variant);
        self.sessions[index].connection.server = new.server;
        self.sessions[index].connection.name(new.names);
        let part = Part { session: index, turned: false };
        self.router.add(key, new.start, part);
        part
    }

    fn push_session(&mut self, key: ConversationKey, start: DatagramId, variant: HeaderVariant) -> usize {
        let index = self.sessions.len();
        self.sessions.push(Session::new(index as u32, key, (start, variant), &mut self.library));
        index
    }

    /// Takes in the datagrams that came before their conversation was claimed: for their state, and for their fragments,
    /// which epan has not seen and is given with the datagram at hand.
    fn read_early<'e>(&mut self, part: Part, early: impl IntoIterator<Item = &'e Early>, out: &mut Output) {
        let mut scratch = Output::default();
        for early in early {
            scratch.clear(0);
            let packet = early.packet();
            let direction = part.direction(early.direction);
            if self.sessions[part.session].connection.owner(direction, &packet) == Owner::Other {
                continue;
            }
            self.read_datagram(part.session, direction, &packet, &mut scratch);
            let source = enet::opened(&packet, &scratch.decompressed);
            for span in &scratch.fragments {
                let data = source.bytes.get(span.offset as usize..).unwrap_or(&[]);
                let offset = out.early.len() as u32;
                out.early.extend_from_slice(&data[..data.len().min(span.length as usize)]);
                let mut span = *span;
                (span.offset, span.node) = (offset, u32::MAX);
                (span.early_frame, span.early_datagram) = (early.id.frame, early.id.datagram);
                out.fragments.push(span);
            }
        }
    }

    /// The session of a payload that came without ENet: one for each pair of ends.
    fn bare_session(&mut self, packet: &Packet<'_>) -> usize {
        let (key, _) = ConversationKey::of(packet);
        if let Some((last, index)) = self.last_bare {
            if last == key {
                return index;
            }
        }
        let index = match self.bare.get(&key) {
            Some(index) => *index,
            None => {
                let index = self.push_session(key, packet.id(), HeaderVariant::Classic);
                self.bare.insert(key, index);
                index
            }
        };
        self.last_bare = Some((key, index));
        index
    }
}

/// Says so where nodes were left out.
fn tell_full(out: &mut Output) {
    if out.tree.full {
        let text = format!("Items past the first {} are left out", Tree::MOST_NODES);
        out.expert(Expert::TooMany.id(), None, &text);
    }
}
