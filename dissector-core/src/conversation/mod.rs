//! What is remembered between packets, and the engine that reads a capture packet by packet.
//!
//! The first pass writes, later passes read: what a command got (links, marks, the message it completes) is kept by
//! session and datagram and never worked out again from later state.

mod about;
mod backlog;
mod builds;
mod candidate;
mod datagram;
mod exchange;
pub mod experts;
pub mod fields;
mod fragments;
mod framing;
mod inference;
pub(crate) mod info;
mod lookup;
mod message;
mod neighbours;
mod nodes;
mod origin;
pub mod output;
mod packet;
mod payload;
mod records;
mod route;
mod sequence;
mod session;
mod settings;
mod show;
#[cfg(test)]
mod tests;

pub use fields::FIELDS;
pub use packet::{Endpoint, Packet, Pair, Settings, Side};

use foldhash::{HashMap, HashMapExt};

use crate::bedrock::Bedrock;
use crate::layout::Sender;
use candidate::Candidate;
use experts::Expert;
use output::{sender_code, Output, Payload as Told};
use payload::{Payload, Shared};
use records::{Moment, Place};
use route::Route;
use session::{BuildSource, KnownBuild, Session};
use settings::Parsed;

/// Reads one capture.
#[derive(Debug)]
pub struct Engine {
    shared: Shared,
    sessions: Vec<Session>,
    /// Sessions of a pair of ends, oldest first.
    pairs: HashMap<Pair, Vec<usize>>,
    /// Sessions of payloads that come without ENet.
    entries: HashMap<Pair, usize>,
    /// The one that was used last: a file mostly holds one.
    last_entry: Option<(Pair, usize)>,
    candidates: HashMap<Pair, Candidate>,
    joins: Vec<Join>,
    datagram: Output,
    message: Output,
    bedrock: Bedrock,
    bedrock_message: Output,
}

/// A message that is put together from fragments.
#[derive(Debug, Default)]
struct Join {
    session: usize,
    side: Side,
    channel: u8,
    /// What all its fragments must state: how many, and bytes in all.
    count: u32,
    total: u32,
    /// The datagram that completed it, and the last of its fragments there.
    completed: Option<(Moment, u16)>,
    /// The last fragment given to epan.
    last: (Moment, u16),
    /// Fragments seen, for those that are sent without a number of their own.
    seen: foldhash::HashSet<u32>,
}

impl Engine {
    /// An engine with these settings; what could not be used is told by [`Engine::problems`].
    pub fn new(settings: &Settings) -> Engine {
        let mut parsed = Parsed::new(settings);
        let bedrock = Bedrock::new(settings, &mut parsed.problems);
        Engine {
            shared: Shared { settings: parsed, builds: builds::Builds::default() },
            sessions: Vec::new(),
            pairs: HashMap::new(),
            entries: HashMap::new(),
            last_entry: None,
            candidates: HashMap::new(),
            joins: Vec::new(),
            datagram: Output::default(),
            message: Output::default(),
            bedrock,
            bedrock_message: Output::default(),
        }
    }

    /// What was wrong with the settings.
    pub fn problems(&self) -> &[String] {
        &self.shared.settings.problems
    }

    /// How many sessions there are so far.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Reads a UDP datagram; `None` where it belongs to no session.
    pub fn datagram(&mut self, packet: &Packet<'_>) -> Option<&mut Output> {
        // taken out while it is filled, so that the sessions stay in reach
        let mut out = std::mem::take(&mut self.datagram);
        out.clear();
        let (pair, side) = Pair::of(packet);
        let mine = match self.route(pair, side, packet) {
            Route::Session(session) => {
                self.read_datagram(session, side, packet, &mut out);
                true
            }
            Route::Open(settled) => {
                datagram::provisional(settled, side, packet, &mut out);
                true
            }
            Route::NotMine => false,
        };
        finish(&mut out);
        self.datagram = out;
        mine.then_some(&mut self.datagram)
    }

    /// Reads a message joined from fragments under `id`, in the datagram `packet` tells of.
    ///
    /// `None` for an id that no fragment was given.
    pub fn joined(&mut self, packet: &Packet<'_>, id: u32) -> Option<&mut Output> {
        let mut out = std::mem::take(&mut self.message);
        out.clear();
        let found = self.joins.get_mut(id as usize);
        let mine = found.is_some();
        if let Some(join) = found {
            if packet.writes() && join.completed.is_none() {
                join.completed = Some(join.last);
                join.seen = Default::default();
            }
            let (index, side, channel, total) = (join.session, join.side, join.channel, join.total);
            let command = join.completed.map_or(0, |(_, command)| command);
            let session = &mut self.sessions[index];
            if packet.reported != total {
                let text = format!("The fragments make {} bytes, their headers say {total}", packet.reported);
                out.expert(Expert::EnetMalformed, None, &text);
            }
            let payload = Payload {
                source: packet.bytes,
                base: 0,
                length: packet.bytes.len() as u32,
                reported: packet.reported,
                channel,
                sender: session.sender(side),
                place: Place { frame: packet.frame, datagram: packet.datagram, command, inner: 0 },
                time: packet.time,
                writes: packet.writes(),
                counts: true,
                enciphered: true,
                again: false,
                grade: packet.grade,
            };
            if self.shared.reads(session) {
                let clear = self.shared.read(session, &payload, &mut out);
                tell(&payload, clear, true, &mut out);
            } else {
                tell(&payload, true, false, &mut out);
            }
        }
        finish(&mut out);
        self.message = out;
        mine.then_some(&mut self.message)
    }

    /// Reads a deciphered payload that came without ENet.
    pub fn message(
        &mut self,
        packet: &Packet<'_>,
        channel: u8,
        sender: Option<Sender>,
    ) -> Option<&mut Output> {
        let index = self.entry(packet);
        let payload = Payload {
            source: packet.bytes,
            base: 0,
            length: packet.bytes.len() as u32,
            reported: packet.reported,
            channel,
            sender,
            place: Place { frame: packet.frame, datagram: packet.datagram, ..Place::default() },
            time: packet.time,
            writes: packet.writes(),
            counts: true,
            enciphered: false,
            again: false,
            grade: packet.grade,
        };
        let Engine { shared, sessions, message: out, .. } = self;
        out.clear();
        shared.read(&mut sessions[index], &payload, out);
        tell(&payload, true, true, out);
        finish(out);
        Some(out)
    }

    /// Reads a user message of RakNet, from its first byte on; `None` where it is none of Bedrock's.
    pub fn bedrock(&mut self, packet: &Packet<'_>) -> Option<&mut Output> {
        let out = &mut self.bedrock_message;
        out.clear();
        self.bedrock.read(packet, out).then_some(out)
    }

    /// The session of a payload that came without ENet: one for each pair of ends.
    fn entry(&mut self, packet: &Packet<'_>) -> usize {
        let (pair, _) = Pair::of(packet);
        if let Some((last, index)) = self.last_entry {
            if last == pair {
                return index;
            }
        }
        let index = match self.entries.get(&pair) {
            Some(index) => *index,
            None => {
                let index = self.open_session(packet.moment(), crate::enet::Shape::Classic);
                self.entries.insert(pair, index);
                index
            }
        };
        self.last_entry = Some((pair, index));
        index
    }

    /// Opens a session with what the settings say of every session.
    fn open_session(&mut self, start: Moment, shape: crate::enet::Shape) -> usize {
        let index = self.sessions.len();
        let mut session = Session::new(index as u32, start, shape);
        let settings = &self.shared.settings;
        session.build =
            settings.build.map(|build| KnownBuild { build, source: BuildSource::Preference, frame: 0 });
        session.origin = origin::Origin::new(settings.origin);
        self.sessions.push(session);
        index
    }
}

/// Lists a payload for export and for other dissectors.
fn tell(payload: &Payload<'_>, clear: bool, league: bool, out: &mut Output) {
    out.payloads.push(Told {
        offset: payload.base,
        length: payload.length,
        channel: payload.channel,
        sender: sender_code(payload.sender),
        league: league.into(),
        clear: clear.into(),
    });
}

/// Says so where nodes were left out.
fn finish(out: &mut Output) {
    if out.tree.full {
        let text = format!("Items past the first {} are left out", crate::tree::Tree::MOST_NODES);
        out.expert(Expert::LolTooMany, None, &text);
    }
}
