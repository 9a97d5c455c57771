//! Which session a datagram belongs to.

use std::collections::VecDeque;

use foldhash::{HashMap, HashMapExt};

use super::moves::{self, Ends, Part};
use super::session::Session;
use crate::capture::{ConversationKey, DatagramId, Direction, Packet, Sender};
use crate::enet::wire::{self, Form, HeaderVariant, Settled};
use crate::enet::{Candidate, Claim, Early, Name, Owner, Settings};

/// Conversations watched at once before any is claimed: with what each keeps, 32 MiB at the most.
const MOST_CANDIDATES: usize = 1024;

/// Where a datagram goes.
#[derive(Debug)]
pub enum Route {
    /// To this session.
    Session(Part),
    /// To a session that begins with it, or with datagrams before it.
    New(NewSession),
    /// To a session that goes on between other ends with it, or with datagrams before it.
    Moved(Moved),
    /// To a conversation that is ENet by the user's word, but whose header variant is not settled.
    Provisional(Settled),
    /// Elsewhere.
    NotMine,
}

/// A session about to begin.
#[derive(Debug)]
pub struct NewSession {
    /// Its first datagram.
    pub start: DatagramId,
    /// Its header variant.
    pub variant: HeaderVariant,
    /// Which way the server sends, where that is known.
    pub server: Option<Direction>,
    /// Datagrams that came before the one at hand, oldest first.
    pub early: VecDeque<Early>,
    /// What the datagrams of each direction name, where that is known.
    pub names: [Option<Name>; 2],
}

/// A session about to go on in another conversation.
#[derive(Debug)]
pub struct Moved {
    /// What part it has there.
    pub part: Part,
    /// Its first datagram there.
    pub start: DatagramId,
    /// Datagrams that came before the one at hand, oldest first.
    pub early: VecDeque<Early>,
    /// What is to be said of it.
    pub text: String,
}

/// Finds the sessions of datagrams.
#[derive(Debug)]
pub struct Router {
    settings: Settings,
    /// Sessions of a conversation, in the order of their first datagrams.
    conversations: HashMap<ConversationKey, Vec<(DatagramId, Part)>>,
    ends: Ends,
    candidates: HashMap<ConversationKey, Candidate>,
}

impl Router {
    /// A router that has seen nothing yet.
    pub fn new(settings: Settings) -> Router {
        let (conversations, candidates) = (HashMap::new(), HashMap::new());
        Router { settings, conversations, ends: Ends::default(), candidates }
    }

    /// Notes the latest session of a conversation, and the first datagram it has there.
    pub fn add(&mut self, key: ConversationKey, start: DatagramId, part: Part) {
        self.conversations.entry(key).or_default().push((start, part));
        self.ends.add(key, part);
    }

    /// Finds the session of a datagram; on the first pass says so where a new one begins.
    pub fn route(
        &mut self,
        sessions: &mut [Session],
        key: ConversationKey,
        direction: Direction,
        packet: &Packet<'_>,
    ) -> Route {
        if !packet.writes() {
            return self.find(sessions, key, direction, packet);
        }
        let active = self.conversations.get(&key).and_then(|all| all.last()).map(|(_, part)| part.session);
        if let Some(variant) = self.connects(packet) {
            if active.is_none_or(|active| sessions[active].connection.is_reconnect(packet)) {
                self.candidates.remove(&key);
                let (start, server) = (packet.id(), Some(direction.reverse()));
                return Route::New(NewSession {
                    start,
                    variant,
                    server,
                    early: VecDeque::new(),
                    names: [None; 2],
                });
            }
        }
        let Some(owner) = self.owner(sessions, key, direction, packet) else {
            if let Some(active) = active {
                sessions[active].connection.disown(packet);
            }
            return self.watch(sessions, (key, direction), packet, active.is_some());
        };
        Route::Session(owner)
    }

    /// The session of a conversation that a datagram is of: the latest, or the one before it, which may have an answer under
    /// way. `None` where it is of neither.
    fn owner(
        &self,
        sessions: &[Session],
        key: ConversationKey,
        direction: Direction,
        packet: &Packet<'_>,
    ) -> Option<Part> {
        let all = self.conversations.get(&key)?;
        let begun = all.partition_point(|(start, _)| *start <= packet.id());
        let latest = all[..begun].iter().rev().take(2);
        let mut otherwise = None;
        for &(_, part) in latest {
            match sessions[part.session].connection.owner(part.direction(direction), packet) {
                Owner::This => return Some(part),
                Owner::First | Owner::Stray => otherwise = otherwise.or(Some(part)),
                Owner::Other => {}
            }
        }
        otherwise
    }

    /// The header variant of a datagram that asks for a connection, where it is one that is demanded.
    fn connects(&self, packet: &Packet<'_>) -> Option<HeaderVariant> {
        wire::connect_of(self.settings.variant, packet.bytes, packet.reported as usize)
    }

    /// The session that was found on the first pass.
    fn find(
        &self,
        sessions: &[Session],
        key: ConversationKey,
        direction: Direction,
        packet: &Packet<'_>,
    ) -> Route {
        match self.owner(sessions, key, direction, packet) {
            Some(owner) => Route::Session(owner),
            None => {
                let begun = self
                    .conversations
                    .get(&key)
                    .is_some_and(|all| all.first().is_some_and(|(start, _)| *start <= packet.id()));
                self.refuse(packet, direction, begun)
            }
        }
    }

    /// The likeliest variant of a single datagram.
    fn guess(&self, packet: &Packet<'_>, direction: Direction) -> Option<Settled> {
        let mut variants = wire::Candidates::ANY;
        let found = wire::candidates(packet.bytes, packet.reported as usize);
        variants.narrow(found, direction == Direction::Forward);
        match self.settings.variant {
            // one that it does not fit all the same: the user says so
            Some(variant) => variants.only(variant).likeliest().or(Some(Settled { variant, first: None })),
            None => variants.likeliest(),
        }
    }

    /// Watches a conversation that no session claims yet, or what is of none of its sessions.
    fn watch(
        &mut self,
        sessions: &[Session],
        (key, direction): (ConversationKey, Direction),
        packet: &Packet<'_>,
        claimed: bool,
    ) -> Route {
        let is_server = |end: usize| self.settings.is_server_port(key.ends()[end].port);
        // beside a session of the same ports one datagram is never enough, nor where it may be of one between other ends
        let alone = !claimed
            && (is_server(0) || is_server(1) || packet.decode_as)
            && self.ends.may_go_on(sessions, (key, direction), packet).is_none();
        let demanded = self.settings.variant;
        let claim = match self.candidates.get_mut(&key) {
            Some(candidate) => candidate.take(packet, direction, demanded, alone),
            None => {
                let mut candidate = Candidate::default();
                let claim = candidate.take(packet, direction, demanded, alone);
                if matches!(claim, Claim::Refused) {
                    return self.refuse(packet, direction, claimed);
                }
                if self.candidates.len() >= MOST_CANDIDATES {
                    self.candidates.clear();
                }
                self.candidates.insert(key, candidate);
                claim
            }
        };
        match claim {
            Claim::Refused => {
                self.candidates.remove(&key);
                self.refuse(packet, direction, claimed)
            }
            Claim::Undecided => match self.settled_by_move(sessions, (key, direction), packet) {
                Some(variant) => self.moved(sessions, (key, variant), packet),
                None => None,
            }
            .map_or_else(|| self.refuse(packet, direction, claimed), Route::Moved),
            Claim::Settled(settled, names) => self
                .moved(sessions, (key, settled.variant), packet)
                .map_or_else(|| Route::New(self.claim(key, (settled, names), packet)), Route::Moved),
        }
    }

    /// Gives a datagram back, or shows it as its likeliest variant has it where the user says that it is ENet and no session
    /// of its conversation says otherwise.
    fn refuse(&self, packet: &Packet<'_>, direction: Direction, claimed: bool) -> Route {
        if !packet.decode_as || claimed {
            return Route::NotMine;
        }
        match self.guess(packet, direction) {
            Some(settled) if begins(settled, packet, direction) => Route::Provisional(settled),
            _ => Route::NotMine,
        }
    }

    /// The session of a conversation whose variant is settled, with what came before.
    fn claim(
        &mut self,
        key: ConversationKey,
        (settled, names): (Settled, [Option<Name>; 2]),
        packet: &Packet<'_>,
    ) -> NewSession {
        let (start, early) = self.take_early(key, packet);
        let variant = settled.variant;
        let is_server = |end: usize| self.settings.is_server_port(key.ends()[end].port);
        let server = match (settled.first, is_server(0), is_server(1)) {
            (Some(Sender::Server), ..) => Some(Direction::Forward),
            (Some(Sender::Client), ..) => Some(Direction::Backward),
            (None, true, false) => Some(Direction::Forward),
            (None, false, true) => Some(Direction::Backward),
            (None, ..) => None,
        };
        NewSession { start, variant, server, early, names }
    }

    /// What came of a conversation before the datagram at hand, and where it begins.
    fn take_early(&mut self, key: ConversationKey, packet: &Packet<'_>) -> (DatagramId, VecDeque<Early>) {
        let mut early = self.candidates.remove(&key).map(Candidate::into_kept).unwrap_or_default();
        // the datagram at hand is the last that was kept
        early.pop_back();
        (early.front().map_or(packet.id(), |first| first.id), early)
    }

    /// The header variant of a conversation that is still open, where that of a session which may go on in it settles it.
    fn settled_by_move(
        &self,
        sessions: &[Session],
        (key, direction): (ConversationKey, Direction),
        packet: &Packet<'_>,
    ) -> Option<HeaderVariant> {
        let variant = self.ends.may_go_on(sessions, (key, direction), packet)?;
        self.candidates.get(&key)?.is_settled_as(variant, packet.id(), direction).then_some(variant)
    }

    /// The session that goes on in a conversation with the datagrams that were kept of it.
    fn moved(
        &mut self,
        sessions: &[Session],
        (key, variant): (ConversationKey, HeaderVariant),
        packet: &Packet<'_>,
    ) -> Option<Moved> {
        let kept = moves::with_direction(self.candidates.get(&key)?.kept());
        let (part, text) = self.ends.carried_on(sessions, (key, variant), kept)?;
        let (start, early) = self.take_early(key, packet);
        Some(Moved { part, start, early, text })
    }
}

/// Whether a datagram begins as one of a variant.
fn begins(settled: Settled, packet: &Packet<'_>, direction: Direction) -> bool {
    let first = settled.first;
    let from = if direction == Direction::Forward { first } else { first.map(Sender::other) };
    wire::begins(settled.variant, from, packet.bytes, packet.reported as usize) != Form::Foreign
}
