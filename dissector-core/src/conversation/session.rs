//! One session: a conversation's life from connect to disconnect, and what is known of it.

use foldhash::HashMap;

use super::exchange::Exchanges;
use super::experts::Expert;
use super::inference::Inference;
use super::origin::Origin;
use super::packet::{Packet, Side};
use super::records::{Moment, Place, Record, Records};
use super::sequence::{Reliable, Sending, Unreliable};
use crate::cipher::Trial;
use crate::enet::{id, Command, Header, Shape};
use crate::layout::{channel, Sender};
use crate::version::Build;

/// Bytes of a client's answer to the path of one unit.
const PATH_ANSWER: u32 = 10;

/// What is known of a session's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyState {
    /// Not decided: no handshake and no payload to try keys on yet.
    Open,
    /// The handshake proves this schedule.
    Verified(usize),
    /// Payloads read with this schedule.
    Unverified(usize),
    /// No given key fits.
    Wrong,
    /// No key was given.
    None,
}

impl KeyState {
    pub fn schedule(self) -> Option<usize> {
        match self {
            KeyState::Verified(schedule) | KeyState::Unverified(schedule) => Some(schedule),
            _ => None,
        }
    }

    /// What is to be said, once in a session, of a key that is missing or does not fit.
    pub fn note(self) -> Option<(Expert, &'static str)> {
        match self {
            KeyState::None => Some((
                Expert::LolKeyNeeded,
                "This session is enciphered: give its key in the preference lol.key (32 hex digits, 24 base64 characters or 16 characters of text) to read it",
            )),
            KeyState::Wrong => Some((
                Expert::LolKeyWrong,
                "None of the keys in the preference lol.key fits this session: its handshake does not prove them, or they make no sense of its payloads",
            )),
            _ => None,
        }
    }

    pub fn name(self) -> Option<&'static str> {
        match self {
            KeyState::Open => None,
            KeyState::Verified(_) => Some("verified"),
            KeyState::Unverified(_) => Some("unverified"),
            KeyState::Wrong => Some("wrong"),
            KeyState::None => Some("none"),
        }
    }
}

/// How long a client asks for a connection at the most before it gives up, nanoseconds: ENet's longest timeout.
const LONGEST_CONNECT: i64 = 30_000_000_000;

/// Where a session's build comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BuildSource {
    /// The user says so.
    Preference,
    /// The client's version text.
    Stated,
    /// The number in the client's registration.
    Registration,
    /// The user's build for sessions that state none.
    Fallback,
}

impl BuildSource {
    pub fn name(self) -> &'static str {
        match self {
            BuildSource::Preference => "preference",
            BuildSource::Stated => "stated",
            BuildSource::Registration => "registration",
            BuildSource::Fallback => "fallback",
        }
    }
}

/// A session's build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KnownBuild {
    pub build: Build,
    pub source: BuildSource,
    /// Frame that states it; 0 where none does.
    pub frame: u32,
}

/// One direction of a session.
#[derive(Debug, Default)]
struct Way {
    reliable: HashMap<u8, Reliable>,
    unreliable: HashMap<u8, Unreliable>,
    groups: Unreliable,
    /// Joined messages by channel, kind and first number.
    joins: HashMap<(u8, u8, u64), u32>,
}

/// A session.
#[derive(Debug)]
pub(super) struct Session {
    pub number: u32,
    pub start: Moment,
    pub shape: Shape,
    pub server: Option<Side>,
    pub key: KeyState,
    /// Each key's trial, while no handshake and not enough payloads have decided.
    pub trials: Vec<Trial>,
    pub build: Option<KnownBuild>,
    pub origin: Origin,
    /// Layouts found by trying, for builds without a page.
    pub inference: Inference,
    /// The payload at hand holds a message whose layout is still being tried.
    pub waits: bool,
    /// What waited can be read now.
    pub ready: bool,
    pub exchanges: Exchanges,
    pub records: Records,
    /// The first payload that could not be read for want of a key: it carries the note.
    pub note: Option<Place>,
    /// The first message that could not be read for want of a build: it carries the note.
    pub build_note: Option<Place>,
    /// Where the session states another build than the user does, and which.
    pub contradicted: Option<(Place, Build)>,
    /// The datagram that was taken in last.
    last: (Moment, i64, Vec<u8>),
    /// The player of the registration, as on the wire.
    pub player: Option<[u8; 8]>,
    /// Payloads that cannot be read yet, for when they can.
    pub backlog: super::backlog::Backlog,
    connect: Vec<u8>,
    connect_time: i64,
    connect_id: u32,
    established: bool,
    ended: bool,
    ways: [Way; 2],
}

impl Session {
    pub fn new(number: u32, start: Moment, shape: Shape) -> Session {
        Session {
            number,
            start,
            shape,
            server: None,
            key: KeyState::Open,
            trials: Vec::new(),
            build: None,
            origin: Origin::default(),
            inference: Inference::default(),
            waits: false,
            ready: false,
            exchanges: Exchanges::default(),
            records: Records::default(),
            note: None,
            build_note: None,
            contradicted: None,
            last: Default::default(),
            player: None,
            backlog: super::backlog::Backlog::default(),
            connect: Vec::new(),
            connect_time: 0,
            connect_id: 0,
            established: false,
            ended: false,
            ways: Default::default(),
        }
    }

    /// Whether the very datagram that was taken in last is dissected once more; notes the one at hand.
    ///
    /// The place alone does not tell: while a read filter drops frames, all of them have the number of the next one
    /// that it lets pass, and what that one writes is what counts.
    pub fn is_last(&mut self, packet: &Packet<'_>) -> bool {
        let (moment, time, bytes) = &mut self.last;
        if (*moment, *time) == (packet.moment(), packet.time) && bytes.as_slice() == packet.bytes {
            return true;
        }
        (*moment, *time) = (packet.moment(), packet.time);
        bytes.clear();
        bytes.extend_from_slice(packet.bytes);
        false
    }

    /// Who sends from a side.
    pub fn sender(&self, side: Side) -> Option<Sender> {
        self.server.map(|server| if server == side { Sender::Server } else { Sender::Client })
    }

    /// Whether a datagram that asks for a connection begins another session on the same ports.
    ///
    /// The same bytes again are a duplicate while the connection they asked for may be coming about; later they are
    /// another game of a client that counts its time and its sessions the same way. A connect is repeated (with another
    /// sent time) only until it is answered.
    pub fn is_reconnect(&self, packet: &Packet<'_>) -> bool {
        if self.connect == packet.bytes && !self.ended {
            return packet.time.saturating_sub(self.connect_time) > LONGEST_CONNECT;
        }
        self.ended || self.established || self.connect.is_empty()
    }

    /// Who serves, from what a datagram holds: the receiver of a connect, else the sender on a server's channels.
    pub fn learn_sides(&mut self, side: Side, header: &Header, command: &Command) {
        if command.id == id::CONNECT && header.is_unassigned() {
            self.server = Some(1 - side);
        }
        let Some(data) = command.data.filter(|_| self.server.is_none() && self.shape.is_league()) else {
            return;
        };
        match command.channel {
            channel::EVENTS => self.server = Some(side),
            // a client acknowledges single paths on the transient channel too, but in ten bytes
            channel::TRANSIENT if data.len > PATH_ANSWER => self.server = Some(side),
            channel::REQUESTS => self.server = Some(1 - side),
            _ => {}
        }
    }

    /// Takes in one command on the first pass and answers its record.
    pub fn take(&mut self, side: Side, packet: &Packet<'_>, header: &Header, command: &Command) -> Record {
        let sending = Sending {
            frame: packet.frame,
            time: packet.time,
            sent_time: header.sent_time.map(|(time, _)| time),
            record: self.records.next(),
        };
        let mut record = Record::default();
        match command.id {
            id::CONNECT if header.is_unassigned() => {
                self.connect.clear();
                self.connect.extend_from_slice(packet.bytes);
                self.connect_time = packet.time;
                self.connect_id = command.connection().and_then(|c| c.session).unwrap_or(0);
            }
            id::CONNECT => {}
            id::VERIFY_CONNECT => {
                self.connect_id = command.connection().and_then(|c| c.session).unwrap_or(self.connect_id)
            }
            id::DISCONNECT => self.ended = true,
            _ => self.established |= self.server != Some(side),
        }
        if let Some((number, sent_time)) = command.acknowledged() {
            self.acknowledge(side, command.channel, number, sent_time, packet, &mut record);
        } else if command.acknowledge {
            self.take_reliable(side, command, sending, &mut record);
        } else if let Some(group) = command.unsequenced_group() {
            if self.ways[side].groups.group(group) {
                record.flags |= Record::DUPLICATE;
            }
        } else if let Some(number) = command.unreliable_sequence() {
            self.take_unreliable(side, command, number, &mut record);
        }
        record
    }

    fn take_reliable(&mut self, side: Side, command: &Command, sending: Sending, record: &mut Record) {
        let arrival =
            self.ways[side].reliable.entry(command.channel).or_default().arrive(command.sequence, sending);
        record.gap = arrival.gap;
        if let Some(frame) = arrival.first_seen {
            record.flags |= Record::RETRANSMISSION;
            record.original = frame;
        }
        if arrival.out_of_order {
            record.flags |= Record::OUT_OF_ORDER;
        }
        if let Some(gap) = arrival.fills.and_then(|number| self.records.get_mut(number)) {
            gap.gap = gap.gap.saturating_sub(1);
        }
    }

    fn take_unreliable(&mut self, side: Side, command: &Command, number: u16, record: &mut Record) {
        let way = &mut self.ways[side];
        // the header of an unreliable command names the reliable one it follows
        let reliable = way.reliable.entry(command.channel).or_default().unwrapped(command.sequence);
        let (late, duplicate) = way.unreliable.entry(command.channel).or_default().arrive(reliable, number);
        if late {
            record.flags |= Record::LATE | Record::OUT_OF_ORDER;
        }
        if duplicate {
            record.flags |= Record::DUPLICATE;
        }
    }

    fn acknowledge(
        &mut self,
        side: Side,
        channel: u8,
        number: u16,
        sent_time: u16,
        packet: &Packet<'_>,
        record: &mut Record,
    ) {
        let Some(reliable) = self.ways[1 - side].reliable.get(&channel) else { return };
        let Some((meant, all)) = reliable.acknowledged(number, sent_time) else { return };
        record.ack_to = meant.frame;
        record.rtt = packet.time.saturating_sub(meant.time);
        for sending in all {
            if let Some(acked) = self.records.get_mut(sending.record) {
                if acked.acked_in == 0 {
                    acked.acked_in = packet.frame;
                }
            }
        }
    }

    /// The number of the joined message that a fragment belongs to, or `fresh` where it is its first.
    pub fn join_number(&mut self, side: Side, command: &Command, start: u16, fresh: u32) -> u32 {
        let way = &mut self.ways[side];
        let reliable = way.reliable.entry(command.channel).or_default();
        let first = reliable.unwrapped(start);
        *way.joins.entry((command.channel, command.id, first)).or_insert(fresh)
    }

    /// Whether the connection's start was seen, so that its checksums can be judged.
    pub fn knows_connection(&self) -> bool {
        !self.connect.is_empty()
    }

    /// The number that stands in for the checksum of a datagram from this side.
    pub fn checksum_seed(&self, header: &Header) -> u32 {
        if header.is_unassigned() {
            0
        } else {
            self.connect_id
        }
    }
}
