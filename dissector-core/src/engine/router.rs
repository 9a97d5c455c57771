//! Which session a datagram belongs to.

use std::collections::VecDeque;

use foldhash::{HashMap, HashMapExt};

use super::session::Session;
use crate::capture::{ConversationKey, DatagramId, Direction, Packet, Sender};
use crate::enet::wire::{self, HeaderVariant, Settled};
use crate::enet::{Candidate, Claim, Early, Settings};

/// Conversations watched at once before any is claimed: with what each keeps, 32 MiB at the most.
const MOST_CANDIDATES: usize = 1024;

/// Where a datagram goes.
#[derive(Debug)]
pub enum Route {
    /// To this session.
    Session(usize),
    /// To a session that begins with it, or with datagrams before it.
    New(NewSession),
    /// To a conversation that is ENet by the user's word, but whose header variant is not settled.
    Provisional(Option<Settled>),
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
}

/// Finds the sessions of datagrams.
#[derive(Debug)]
pub struct Router {
    settings: Settings,
    /// Sessions of a conversation, in the order of their first datagrams.
    conversations: HashMap<ConversationKey, Vec<usize>>,
    candidates: HashMap<ConversationKey, Candidate>,
}

impl Router {
    /// A router that has seen nothing yet.
    pub fn new(settings: Settings) -> Router {
        Router { settings, conversations: HashMap::new(), candidates: HashMap::new() }
    }

    /// Notes the session of a conversation that was opened last.
    pub fn add(&mut self, key: ConversationKey, session: usize) {
        self.conversations.entry(key).or_default().push(session);
    }

    /// Finds the session of a datagram; on the first pass says so where a new one begins.
    pub fn route(
        &mut self,
        sessions: &[Session],
        key: ConversationKey,
        direction: Direction,
        packet: &Packet<'_>,
    ) -> Route {
        if !packet.writes() {
            return self.find(sessions, key, direction, packet);
        }
        let active = self.conversations.get(&key).and_then(|all| all.last().copied());
        if let Some(variant) = self.connects(packet) {
            if active.is_none_or(|active| sessions[active].connection.is_reconnect(packet)) {
                self.candidates.remove(&key);
                let (start, server) = (packet.id(), Some(direction.reverse()));
                return Route::New(NewSession { start, variant, server, early: VecDeque::new() });
            }
        }
        match active {
            Some(active) => Route::Session(active),
            None => self.watch(key, direction, packet),
        }
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
        let Some(all) = self.conversations.get(&key) else {
            return match packet.decode_as {
                true => Route::Provisional(self.guess(packet, direction)),
                false => Route::NotMine,
            };
        };
        let at = packet.id();
        let begun = all.partition_point(|index| sessions[*index].connection.start <= at);
        begun.checked_sub(1).map_or(Route::NotMine, |last| Route::Session(all[last]))
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

    /// Watches a conversation that no session claims yet.
    fn watch(&mut self, key: ConversationKey, direction: Direction, packet: &Packet<'_>) -> Route {
        let is_server = |end: usize| self.settings.is_server_port(key.ends()[end].port);
        let alone = is_server(0) || is_server(1) || packet.decode_as;
        let demanded = self.settings.variant;
        let claim = match self.candidates.get_mut(&key) {
            Some(candidate) => candidate.take(packet, direction, demanded, alone),
            None => {
                let mut candidate = Candidate::default();
                let claim = candidate.take(packet, direction, demanded, alone);
                if matches!(claim, Claim::Refused) {
                    return self.refuse(packet, direction);
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
                self.refuse(packet, direction)
            }
            Claim::Undecided => self.refuse(packet, direction),
            Claim::Settled(settled) => Route::New(self.claim(key, settled, packet)),
        }
    }

    fn refuse(&self, packet: &Packet<'_>, direction: Direction) -> Route {
        match packet.decode_as {
            true => Route::Provisional(self.guess(packet, direction)),
            false => Route::NotMine,
        }
    }

    /// The session of a conversation whose variant is settled, with what came before.
    fn claim(&mut self, key: ConversationKey, settled: Settled, packet: &Packet<'_>) -> NewSession {
        let mut early = self.candidates.remove(&key).map(Candidate::into_kept).unwrap_or_default();
        // the datagram at hand is the last that was kept
        early.pop_back();
        let is_server = |end: usize| self.settings.is_server_port(key.ends()[end].port);
        let server = match (settled.first, is_server(0), is_server(1)) {
            (Some(Sender::Server), ..) => Some(Direction::Forward),
            (Some(Sender::Client), ..) => Some(Direction::Backward),
            (None, true, false) => Some(Direction::Forward),
            (None, false, true) => Some(Direction::Backward),
            (None, ..) => None,
        };
        let start = early.front().map_or(packet.id(), |first| first.id);
        NewSession { start, variant: settled.variant, server, early }
    }
}
