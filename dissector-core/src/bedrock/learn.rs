//! The first pass: how a message is taken, and what it says for later ones.

use super::batch::packet;
use super::crypt::{Key, Seal, TRAILER};
use super::layouts::{id, input, layout, GAME_PACKET};
use super::records::{Record, Records};
use super::session::{Crypt, Session};
use super::unpack::{Form, Method};
use super::workbench::{content, Workbench};
use crate::capture::{DatagramId, Direction, Packet};
use crate::decode::{self, Facts};
use crate::tree::Tree;

/// Messages before the server's handshake that may come again after it.
const EARLY: u32 = 64;

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
        (opens, known): (Option<u16>, bool),
        keys: &dyn Fn() -> Vec<Key>,
    ) -> Option<Record> {
        if let (Some(protocol), None) = (opens, session.opened) {
            session.opened = Some((packet.time, protocol));
            session.client = Some(direction);
            session.state(protocol, packet.frame);
        }
        if session.crypt.is_some() && opens.is_none() {
            return Some(self.take_sealed(session, packet, direction));
        }
        let (record, starts_encryption) =
            self.take_clear(session, packet, direction, (opens.is_some(), known))?;
        if session.crypt.is_none() && starts_encryption {
            session.crypt = Some(Crypt { keys: keys(), key: None, told: false });
        }
        Some(record)
    }

    /// Takes a message in clear; answers also whether what follows it is enciphered.
    fn take_clear(
        &mut self,
        session: &mut Session,
        packet: &Packet<'_>,
        direction: Direction,
        (opens, known): (bool, bool),
    ) -> Option<(Record, bool)> {
        let bytes = packet.bytes.get(1..).unwrap_or(&[]);
        let expected = if opens { Some(Form::Whole(Method::None)) } else { session.expected() };
        let form = match self.bench.fit(expected, known || opens, bytes, packet.id()) {
            Some(form) => {
                let says = form != Form::Whole(Method::None) || expected == Some(form);
                if says && !opens {
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
        self.learn(session, &batch, (packet.frame, bytes.len()), direction, &mut record);
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
            // What nobody can read is no news, however often it comes.
            let resent = crypt.key.map(|_| before);
            return Record { resent, telling: false, seal: known.seal.of_copy(packet.is_whole()), ..known };
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
            self.learn_sealed(session, packet.bytes, packet.id(), direction, &mut record);
        }
        // A cut message may be what others wait for.
        self.fetch_waiting(session, direction);
        self.bench.opened = None; // the buffers hold another message by now
        record
    }

    /// Takes in the messages that waited for the one just deciphered.
    fn fetch_waiting(&mut self, session: &mut Session, direction: Direction) {
        let Some(key) = session.crypt.as_ref().and_then(|crypt| crypt.key) else { return };
        // A key proved by one end opens what waits at the other.
        for direction in [direction, direction.reverse()] {
            while let Some((waiting, seal)) =
                session.streams[direction.index()].awaited(&key, &mut self.bench.clear)
            {
                let form = session.expected().unwrap_or(Form::Byte);
                let mut record = record(session, form, seal, direction);
                let bytes = [&[GAME_PACKET][..], &waiting.bytes].concat();
                self.learn_sealed(session, &bytes, waiting.id, direction, &mut record);
                self.records.set(waiting.id, record);
            }
        }
    }

    /// Takes in what a deciphered message says; its bytes are as it came, and all of it.
    fn learn_sealed(
        &mut self,
        session: &mut Session,
        bytes: &[u8],
        id: DatagramId,
        direction: Direction,
        record: &mut Record,
    ) {
        self.bench.decipher(bytes, record.seal);
        let clear = std::mem::take(&mut self.bench.clear);
        let content = content(bytes, &clear, record.seal, bytes.len());
        if let Some(form) = self.bench.fit(Some(record.form), true, content, id) {
            record.form = form;
            session.fitted = Some(form);
            let batch = self.bench.take_batch(content);
            self.learn(session, &batch, (id.frame, bytes.len()), direction, record);
            self.bench.batch = batch;
        }
        self.bench.clear = clear;
    }

    /// Takes in what the packets of a batch, captured in so many bytes, say of the session and of actors.
    fn learn(
        &mut self,
        session: &mut Session,
        batch: &[u8],
        (frame, captured): (u32, usize),
        direction: Direction,
        record: &mut Record,
    ) {
        record.positions = self.records.next_position();
        session.captured += captured as u64;
        // A batch may be a thousand times its bytes: what is kept of it must not be.
        let most = (16 + captured / 2) as u32;
        let mut at = 0;
        while let Some(Ok(packet)) = packet(batch, at) {
            at = packet.end;
            let body = &batch[packet.body..packet.end];
            match packet.id() {
                id::REQUEST_NETWORK_SETTINGS | id::LOGIN => {
                    if let Some(protocol) = stated(body) {
                        session.client = Some(direction);
                        session.state(protocol, frame);
                    }
                }
                id::NETWORK_SETTINGS => {
                    if let Some([_, _, low, high]) = body.first_chunk() {
                        session.algorithm = Some(u16::from_le_bytes([*low, *high]));
                        session.client = Some(direction.reverse());
                    }
                }
                id::MOVE_ACTOR_DELTA => {
                    session.client.get_or_insert(direction.reverse());
                    self.learn_position(session, packet.target(), body, most, record);
                }
                _ => {}
            }
        }
        record.protocol = session.protocol;
        record.sender = session.sender(direction);
    }

    /// Takes in where an actor is after a packet for the player `target`; at most `most` positions of one message are kept.
    fn learn_position(
        &mut self,
        session: &mut Session,
        target: u8,
        body: &[u8],
        most: u32,
        record: &mut Record,
    ) {
        let Some((program, fitted)) = layout(id::MOVE_ACTOR_DELTA, session.protocol, body) else { return };
        record.inferring |= fitted && !std::mem::replace(&mut session.inferred, true);
        let (mut scratch, mut facts) = (Tree::default(), Facts::default());
        let end = decode::read::<false>(program, &input(body, 0, 0, 0), &mut scratch, &mut facts);
        if let (Some(actor), None, true) = (facts.actor, end.cut, record.position_count < most) {
            let position = session.moved(target, actor, facts.position);
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
        telling: false,
        inferring: false,
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
