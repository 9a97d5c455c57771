//! The first pass: how a message is taken, and what it says for later ones.

use super::arrivals::{Arrival, Stamp};
use super::batch::packet;
use super::crypt::{Key, Seal, TRAILER};
use super::layouts::{id, input, layout, states_differences, GAME_PACKET};
use super::raknet::Numbers;
use super::records::{Record, Records};
use super::session::{Crypt, Session};
use super::unpack::{Form, Method};
use super::workbench::{content, Workbench};
use crate::capture::{DatagramId, Direction, Packet};
use crate::decode::{self, Facts};
use crate::tree::Tree;

/// Messages before the server's handshake that may come again after it.
const EARLY: u32 = 64;
/// How often in a session those that wait are tried with keys that nothing has proved: each try may decipher a megabyte.
const MOST_RETRIES: u32 = 64;

/// Where what a batch says comes from, and what becomes of it.
#[derive(Clone, Copy)]
struct Source {
    id: DatagramId,
    /// Bytes that it was captured in.
    captured: usize,
    direction: Direction,
    /// Its place in the order; `None` where it changes nothing and only shows what is known by now.
    stamp: Option<Stamp>,
}

/// Takes messages in: what they teach goes to their session and to the records.
pub struct Learner<'b> {
    /// Where the record of each message goes.
    pub records: &'b mut Records,
    /// Where messages are deciphered and decompressed, and kept for showing.
    pub bench: &'b mut Workbench,
}

impl Learner<'_> {
    /// Takes a message of a session in; `None` where it is none of Bedrock's. `opens` is the protocol of a message that
    /// opens a session, `known` says that the session was there before; `keys` are those that may be its own.
    pub fn take(
        &mut self,
        session: &mut Session,
        packet: &Packet<'_>,
        direction: Direction,
        (opens, known, numbers): (Option<u16>, bool, Option<Numbers>),
        keys: &dyn Fn() -> Vec<Key>,
    ) -> Option<Record> {
        let mut arrival = session.arrivals[direction.index()].take(direction.index(), numbers, packet);
        if let Some(before) = arrival.before() {
            match self.records.get(before) {
                // handed over once more, not sent once more
                Some(known) if before == packet.id() => return Some(known),
                Some(known) => return Some(self.take_resent(session, packet, direction, (before, known))),
                // the first could not be read for a fault of ours
                None => arrival = Arrival::New(Stamp::default()),
            }
        }
        let mut contradicted = None;
        if let (Some(protocol), None) = (opens, session.opened) {
            session.opened = Some((packet.time, protocol));
            session.client = Some(direction);
            contradicted = session.state(protocol, packet.frame).then_some(protocol);
        }
        if session.crypt.is_some() && opens.is_none() {
            return Some(self.take_sealed(session, packet, direction));
        }
        let (mut record, starts_encryption) =
            self.take_clear(session, packet, (direction, arrival), (opens.is_some(), known))?;
        if session.crypt.is_none() && starts_encryption {
            session.crypt = Some(Crypt { keys: keys(), key: None, told: false, retries: 0 });
        }
        record.contradicted = record.contradicted.or(contradicted);
        Some(record)
    }

    /// Takes a message in that came before, there, and was read like this: it changes nothing.
    fn take_resent(
        &mut self,
        session: &mut Session,
        packet: &Packet<'_>,
        direction: Direction,
        (before, known): (DatagramId, Record),
    ) -> Record {
        let whole = packet.is_whole();
        let seal = known.seal.of_copy(whole);
        let mut record = Record {
            resent: Some(before),
            telling: false,
            inferring: false,
            contradicted: None,
            seal,
            ..known
        };
        if whole && matches!(seal, Seal::Clear | Seal::Deciphered { .. }) {
            let source = Source { id: packet.id(), captured: packet.bytes.len(), direction, stamp: None };
            self.learn_sealed(session, packet.bytes, source, &mut record);
            self.bench.opened = None; // the method is found anew, as the record says
        }
        record
    }

    /// Takes a message in clear; answers also whether what follows it is enciphered.
    fn take_clear(
        &mut self,
        session: &mut Session,
        packet: &Packet<'_>,
        (direction, arrival): (Direction, Arrival),
        (opens, known): (bool, bool),
    ) -> Option<(Record, bool)> {
        let bytes = packet.bytes.get(1..).unwrap_or(&[]);
        let expected = if opens { Some(Form::Whole(Method::None)) } else { session.expected() };
        let form = match self.bench.fit(expected, known || opens, bytes, packet.id()) {
            Some(form) => {
                let says = form != Form::Whole(Method::None) || expected == Some(form);
                if says && !opens && arrival != Arrival::Outdated {
                    session.fitted = Some(form);
                }
                form
            }
            None if known => expected.unwrap_or(Form::Byte),
            None => return None,
        };
        // What comes again once the session is enciphered is known by this; encryption begins early or never.
        if session.remembered < EARLY {
            session.remembered += 1;
            session.streams[direction.index()].seen(
                bytes,
                (packet.reported as usize).saturating_sub(1),
                packet.id(),
            );
        }
        let mut record = record(session, form, Seal::Clear, direction);
        self.bench.open(packet, &record);
        let batch = self.bench.take_batch(bytes);
        let stamp = match arrival {
            Arrival::New(stamp) => Some(stamp),
            Arrival::Resent(_) | Arrival::Outdated => None,
        };
        record.outdated = arrival == Arrival::Outdated;
        let source = Source { id: packet.id(), captured: bytes.len(), direction, stamp };
        self.learn(session, &batch, source, &mut record);
        let starts = starts_encryption(&batch);
        self.bench.batch = batch;
        Some((record, starts))
    }

    fn take_sealed(&mut self, session: &mut Session, packet: &Packet<'_>, direction: Direction) -> Record {
        let bytes = packet.bytes.get(1..).unwrap_or(&[]);
        let form = session.expected().unwrap_or(Form::Byte);
        let mut record = record(session, form, Seal::NoKey, direction);
        let Some(crypt) = session.crypt.as_mut() else { return record };
        if crypt.keys.is_empty() {
            record.telling = !std::mem::replace(&mut crypt.told, true);
            return record;
        }
        let reported = (packet.reported as usize).saturating_sub(1);
        let stream = &mut session.streams[direction.index()];
        if let Some(before) = stream.seen(bytes, reported, packet.id()) {
            let known = self.records.get(before).unwrap_or(record);
            return self.take_resent(session, packet, direction, (before, known));
        }
        if stream.is_stopped() {
            record.seal = if crypt.key.is_some() { Seal::Lost } else { Seal::WrongKey };
            return record;
        }
        if !packet.is_whole() {
            let opened =
                stream.open_cut(crypt.key.as_ref(), bytes, (packet.id(), reported), &mut self.bench.clear);
            let content = reported.saturating_sub(TRAILER).min(bytes.len());
            let reads = matches!(opened, Seal::Deciphered { .. }) && content > 0;
            let clear = std::mem::take(&mut self.bench.clear);
            record.seal =
                if reads && self.bench.begins(form, &clear[..content]) { opened } else { Seal::Cut };
            self.bench.clear = clear;
        } else {
            let keys = crypt.key.map_or_else(|| crypt.keys.clone(), |key| vec![key]);
            let opened = keys.iter().find_map(|key| stream.open(key, bytes, &mut self.bench.clear));
            let Some(seal) = opened else {
                let waits = stream.wait(packet.id(), bytes);
                crypt.refuse(waits, &mut record);
                return record;
            };
            if let Seal::Deciphered { key, .. } = seal {
                crypt.key = Some(key);
            }
            record.seal = seal;
            // What a cut message says is shown, but nothing proves it: no state comes of it.
            let stamp = Some(Stamp::default()); // the keystream has put them in order
            let source = Source { id: packet.id(), captured: packet.bytes.len(), direction, stamp };
            self.learn_sealed(session, packet.bytes, source, &mut record);
        }
        // A cut message may be what others wait for.
        self.fetch_waiting(session, direction);
        self.bench.opened = None; // the buffers hold another message by now
        record
    }

    /// Takes in the messages that waited for the one just deciphered.
    fn fetch_waiting(&mut self, session: &mut Session, direction: Direction) {
        let Some(crypt) = session.crypt.as_mut() else { return };
        if crypt.key.is_none() {
            crypt.retries += 1;
            if crypt.retries > MOST_RETRIES {
                return;
            }
        }
        let mut keys = crypt.key.map_or_else(|| crypt.keys.clone(), |key| vec![key]);
        // A key proved by one end opens what waits at the other.
        for direction in [direction, direction.reverse()] {
            while let Some((waiting, seal)) = keys
                .iter()
                .find_map(|key| session.streams[direction.index()].awaited(key, &mut self.bench.clear))
            {
                if let (Seal::Deciphered { key, .. }, Some(crypt)) = (seal, session.crypt.as_mut()) {
                    crypt.key = Some(key);
                    keys = vec![key];
                }
                let form = session.expected().unwrap_or(Form::Byte);
                let mut record = record(session, form, seal, direction);
                let bytes = [&[GAME_PACKET][..], &waiting.bytes].concat();
                let stamp = Some(Stamp::default());
                let source = Source { id: waiting.id, captured: bytes.len(), direction, stamp };
                self.learn_sealed(session, &bytes, source, &mut record);
                self.records.set(waiting.id, record);
            }
        }
    }

    /// Takes in what a deciphered message, or one that came before, says; its bytes are as it came, and all of it.
    fn learn_sealed(&mut self, session: &mut Session, bytes: &[u8], source: Source, record: &mut Record) {
        self.bench.decipher(bytes, record.seal);
        let clear = std::mem::take(&mut self.bench.clear);
        let content = content(bytes, &clear, record.seal, bytes.len());
        if let Some(form) = self.bench.fit(Some(record.form), true, content, source.id) {
            if source.stamp.is_some() {
                record.form = form;
                session.fitted = Some(form);
            }
            let batch = self.bench.take_batch(content);
            self.learn(session, &batch, source, record);
            self.bench.batch = batch;
        }
        self.bench.clear = clear;
    }

    /// Takes in what the packets of a batch say of the session and of actors.
    fn learn(&mut self, session: &mut Session, batch: &[u8], source: Source, record: &mut Record) {
        let Source { id, captured, direction, stamp } = source;
        (record.positions, record.position_count) = (self.records.next_position(), 0);
        session.captured += if stamp.is_some() { captured as u64 } else { 0 };
        // A batch may be a thousand times its bytes: what is kept of it must not be.
        let most = (16 + captured / 2) as u32;
        let mut at = 0;
        while let Some(Ok(packet)) = packet(batch, at) {
            at = packet.end;
            let body = &batch[packet.body..packet.end];
            match packet.id() {
                id::MOVE_ACTOR_DELTA => {
                    if stamp.is_some() {
                        session.client.get_or_insert(direction.reverse());
                    }
                    self.learn_position(session, (packet.target(), stamp), body, most, record);
                }
                _ if stamp.is_none() => {}
                id::REQUEST_NETWORK_SETTINGS | id::LOGIN => {
                    if let Some(protocol) = stated(body) {
                        session.client = Some(direction);
                        if session.state(protocol, id.frame) {
                            record.contradicted = Some(protocol);
                        }
                    }
                }
                id::NETWORK_SETTINGS => {
                    if let Some([_, _, low, high]) = body.first_chunk() {
                        session.algorithm = Some(u16::from_le_bytes([*low, *high]));
                        session.client = Some(direction.reverse());
                    }
                }
                _ => {}
            }
        }
        if stamp.is_some() {
            record.protocol = session.protocol;
            record.sender = session.sender(direction);
        }
    }

    /// Takes in where an actor is after a packet for the player `target` of a message of this place in the order; at most
    /// `most` positions of one message are kept.
    fn learn_position(
        &mut self,
        session: &mut Session,
        (target, stamp): (u8, Option<Stamp>),
        body: &[u8],
        most: u32,
        record: &mut Record,
    ) {
        let protocol = if stamp.is_some() { session.protocol } else { record.protocol };
        let known = (protocol, record.form);
        let found = layout(id::MOVE_ACTOR_DELTA, known, body);
        let notable = found.map_or(states_differences(known), |(_, fitted)| fitted);
        record.inferring |= stamp.is_some() && notable && !std::mem::replace(&mut session.inferred, true);
        let Some((program, _)) = found else { return };
        let (mut scratch, mut facts) = (Tree::default(), Facts::default());
        let end = decode::read::<false>(program, &input(body, 0, 0, 0), &mut scratch, &mut facts);
        if let (Some(actor), None, true) = (facts.actor, end.cut, record.position_count < most) {
            let position = match stamp {
                Some(stamp) => session.moved(target, actor, facts.position, stamp),
                None => session.whereabouts(target, actor),
            };
            self.records.add_position(position);
            record.position_count += 1;
        }
    }
}

fn record(session: &Session, form: Form, seal: Seal, direction: Direction) -> Record {
    Record {
        session: session.number,
        protocol: session.protocol,
        form,
        seal,
        resent: None,
        outdated: false,
        telling: false,
        inferring: false,
        contradicted: None,
        sender: session.sender(direction),
        positions: 0,
        position_count: 0,
    }
}

/// The protocol that a client states at the start of a body; `None` where it is cut or no protocol.
pub fn stated(body: &[u8]) -> Option<u16> {
    let stated = i32::from_be_bytes(*body.first_chunk()?);
    u16::try_from(stated).ok().filter(|protocol| *protocol > 0)
}

/// Whether the server's handshake is in a batch: what follows it is enciphered.
fn starts_encryption(batch: &[u8]) -> bool {
    let mut at = 0;
    while let Some(Ok(packet)) = packet(batch, at) {
        if packet.id() == id::SERVER_TO_CLIENT_HANDSHAKE {
            return true;
        }
        at = packet.end;
    }
    false
}
