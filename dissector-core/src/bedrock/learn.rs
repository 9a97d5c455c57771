//! The first pass: which session a message belongs to, how it is taken, and what it says about later ones.

use super::batch::{self, packet};
use super::crypt::Seal;
use super::records::{At, Record, Sender};
use super::session::{Crypt, Session};
use super::unpack::{Fault, Form, Method};
use super::{id, layout, Bedrock, Opened};
use crate::conversation::{Packet, Pair, Side};
use crate::decode::{self, Facts};
use crate::tree::Tree;

/// A client that asks for the network settings again so soon, nanoseconds, sends the same message again.
const SAME_OPENING: i64 = 10_000_000_000;

/// Messages before the server's handshake that may come again after it.
const EARLY: u32 = 64;

impl Bedrock {
    /// Settles a message that is seen for the first time; `None` where it is none of Bedrock's.
    pub(super) fn take(&mut self, packet: &Packet<'_>, at: At) -> Option<Record> {
        let (pair, side) = Pair::of(packet);
        let bytes = &packet.bytes[1..];
        let opens = opening(bytes);
        let known = self.pairs.get(&pair).copied();
        let known = match (opens, known) {
            (Some(protocol), Some(index)) => {
                let before = self.sessions[index].opened;
                let same =
                    |(time, stated)| stated == protocol && packet.time.abs_diff(time) < SAME_OPENING as u64;
                Some(index).filter(|_| before.is_some_and(same))
            }
            (_, known) => known,
        };
        let index = known.unwrap_or(self.sessions.len());
        let mut session = match known {
            Some(index) => std::mem::take(&mut self.sessions[index]),
            None => Session::new(index as u32, self.forced),
        };
        if let (Some(protocol), None) = (opens, session.opened) {
            session.opened = Some((packet.time, protocol));
            session.client = Some(side);
            session.state(protocol, packet.frame);
        }
        let record = if session.crypt.is_some() && opens.is_none() {
            Some(self.take_sealed(&mut session, packet, at, side))
        } else {
            self.take_clear(&mut session, packet, at, (pair, side), opens.is_some(), known.is_some())
        };
        match known {
            Some(index) => self.sessions[index] = session,
            None if record.is_some() => {
                self.pairs.insert(pair, index);
                self.sessions.push(session);
            }
            None => {}
        }
        if let Some(record) = record {
            self.records.set(at, record);
        }
        record
    }

    fn take_clear(
        &mut self,
        session: &mut Session,
        packet: &Packet<'_>,
        at: At,
        (pair, side): (Pair, Side),
        opens: bool,
        known: bool,
    ) -> Option<Record> {
        let bytes = &packet.bytes[1..];
        let expected = if opens { Some(Form::Whole(Method::None)) } else { session.expected() };
        let form = match self.fit(expected, known || opens, bytes, at) {
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
            session.directions[side].seen(bytes, at);
        }
        let mut record = record(session, form, Seal::Clear, side);
        if self.opened.is_none() {
            self.opened = Some(self.open(packet, at, &record));
        }
        let batch = match self.opened {
            Some(Opened { method: Some((Method::None, head)), .. }) => {
                bytes.get(head..).unwrap_or(&[]).to_vec()
            }
            Some(Opened { method: Some(_), .. }) => std::mem::take(&mut self.batch),
            _ => Vec::new(),
        };
        self.learn(session, &batch, (packet.frame, bytes.len()), side, &mut record);
        if session.crypt.is_none() && starts_encryption(&batch) {
            session.crypt = Some(Crypt { keys: pair.keys(&self.keys), key: None, told: false });
        }
        self.batch = batch;
        Some(record)
    }

    /// The form in which the bytes are exactly one batch; `expected` first. It is left opened.
    ///
    /// Where the session is not known to be Bedrock's, chance must be ruled out too.
    fn fit(&mut self, expected: Option<Form>, known: bool, bytes: &[u8], at: At) -> Option<Form> {
        let others = Form::ALL.into_iter().filter(|form| Some(*form) != expected);
        for form in expected.into_iter().chain(others) {
            let Some((method, head)) = form.method(bytes) else { continue };
            let fault = self.unpacker.unpack(method, &bytes[head..], &mut self.batch);
            let opened = Opened { at, method: Some((method, head)), fault };
            if matches!(fault, Some(Fault::Grows(_))) && Some(form) == expected {
                self.opened = Some(opened);
                return None;
            }
            let batch = if method == Method::None { &bytes[head..] } else { &self.batch };
            // A writer may leave its stream open; random bytes are such a stream too often.
            let ends = fault.is_none() || known && fault == Some(Fault::Ends);
            let bare = form == Form::Whole(Method::None) && Some(form) != expected;
            let likely = if bare { is_handshake(batch) } else { known || convinces(method, batch) };
            if ends && batch::count(batch).is_some() && likely {
                self.opened = Some(opened);
                return Some(form);
            }
        }
        None
    }

    fn take_sealed(&mut self, session: &mut Session, packet: &Packet<'_>, at: At, side: Side) -> Record {
        let bytes = &packet.bytes[1..];
        let form = session.expected().unwrap_or(Form::Byte);
        let mut record = record(session, form, Seal::NoKey, side);
        let Some(crypt) = session.crypt.as_mut() else { return record };
        if crypt.keys.is_empty() {
            record.telling = !std::mem::replace(&mut crypt.told, true);
            return record;
        }
        let direction = &mut session.directions[side];
        if let Some(before) = direction.seen(bytes, at) {
            let known = self.records.get(before).unwrap_or(record);
            // What nobody can read is no news, however often it comes.
            let resent = crypt.key.map(|_| before);
            return Record { resent, telling: false, ..known };
        }
        if direction.is_stopped() {
            record.seal = if crypt.key.is_some() { Seal::Lost } else { Seal::WrongKey };
            return record;
        }
        let reported = (packet.reported as usize).saturating_sub(1).max(bytes.len());
        let keys = crypt.key.map_or_else(|| crypt.keys.clone(), |key| vec![key]);
        let opened = keys.iter().find_map(|key| direction.open(key, bytes, reported, &mut self.clear));
        let Some(seal) = opened else {
            let waits = direction.wait(at, bytes);
            record.seal = match (crypt.key, waits) {
                (None, _) => Seal::WrongKey,
                (Some(_), true) => Seal::Waiting,
                (Some(_), false) => Seal::Lost,
            };
            record.telling = match record.seal {
                Seal::WrongKey => !std::mem::replace(&mut crypt.told, true),
                seal => seal == Seal::Lost,
            };
            return record;
        };
        if let Seal::Open { key, proved: true, .. } = seal {
            crypt.key = Some(key);
        }
        record.seal = seal;
        self.learn_sealed(session, packet.bytes, packet.reported as usize, at, side, &mut record);
        self.fetch_waiting(session, side);
        self.opened = None; // the buffers hold another message by now
        record
    }

    /// Takes in the messages that waited for the one just deciphered.
    fn fetch_waiting(&mut self, session: &mut Session, side: Side) {
        let Some(key) = session.crypt.as_ref().and_then(|crypt| crypt.key) else { return };
        // A key proved by one end opens what waits at the other.
        for side in [side, 1 - side] {
            while let Some((waiting, seal)) = session.directions[side].awaited(&key, &mut self.clear) {
                let form = session.expected().unwrap_or(Form::Byte);
                let mut record = record(session, form, seal, side);
                let bytes = [&[super::GAME_PACKET][..], &waiting.bytes].concat();
                self.learn_sealed(session, &bytes, bytes.len(), waiting.at, side, &mut record);
                self.records.set(waiting.at, record);
            }
        }
    }

    /// Takes in what a deciphered message says. `bytes` are those of the message as it came.
    fn learn_sealed(
        &mut self,
        session: &mut Session,
        bytes: &[u8],
        reported: usize,
        at: At,
        side: Side,
        record: &mut Record,
    ) {
        self.decipher(bytes, record.seal);
        let clear = std::mem::take(&mut self.clear);
        let content = super::content(bytes, &clear, record.seal, reported == bytes.len());
        if let Some(form) = self.fit(Some(record.form), true, content, at) {
            record.form = form;
            session.fitted = Some(form);
            let batch = match self.opened {
                Some(Opened { method: Some((Method::None, head)), .. }) => content[head..].to_vec(),
                _ => std::mem::take(&mut self.batch),
            };
            self.learn(session, &batch, (at.0, bytes.len()), side, record);
            self.batch = batch;
        }
        self.clear = clear;
    }

    /// Takes in what the packets of a batch, captured in so many bytes, say about the session and about actors.
    fn learn(
        &mut self,
        session: &mut Session,
        batch: &[u8],
        (frame, captured): (u32, usize),
        side: Side,
        record: &mut Record,
    ) {
        record.places = self.records.next_place();
        session.captured += captured as u64;
        // A batch may be a thousand times its bytes: what is kept of it must not be.
        let most = (16 + captured / 2) as u32;
        let (mut at, mut scratch) = (0, Tree::default());
        while let Some(Ok(packet)) = packet(batch, at) {
            at = packet.end;
            let body = &batch[packet.body..packet.end];
            match packet.id() {
                id::REQUEST_NETWORK_SETTINGS | id::LOGIN => {
                    if let Some(protocol) = stated(body) {
                        session.client = Some(side);
                        session.state(protocol, frame);
                    }
                }
                id::NETWORK_SETTINGS => {
                    if let Some([_, _, low, high]) = body.first_chunk() {
                        session.algorithm = Some(u16::from_le_bytes([*low, *high]));
                        session.client = Some(1 - side);
                    }
                }
                id::MOVE_ACTOR_DELTA => {
                    if session.client.is_none() {
                        session.client = Some(1 - side);
                    }
                    let Some((program, fitted)) = layout(packet.id(), session.protocol, body) else {
                        continue;
                    };
                    record.inferring |= fitted && !std::mem::replace(&mut session.inferred, true);
                    let mut facts = Facts::default();
                    let input = super::input(body, 0, 0, 0);
                    let end = decode::read::<false>(program, &input, &mut scratch, &mut facts);
                    if let (Some(actor), None, true) = (facts.actor, end.cut, record.place_count < most) {
                        let place = session.moved(packet.target(), actor, facts.place);
                        self.records.add_place(place);
                        record.place_count += 1;
                    }
                }
                _ => {}
            }
        }
        record.protocol = session.protocol;
        record.sender = session.sender(side);
    }
}

fn record(session: &Session, form: Form, seal: Seal, side: Side) -> Record {
    Record {
        session: session.number,
        protocol: session.protocol,
        form,
        seal,
        resent: None,
        telling: false,
        inferring: false,
        sender: match session.client {
            Some(_) => session.sender(side),
            None => Sender::Unknown,
        },
        places: 0,
        place_count: 0,
    }
}

/// The protocol that a client states at the start of a body.
fn stated(body: &[u8]) -> Option<u16> {
    let stated = i32::from_be_bytes(*body.first_chunk()?);
    u16::try_from(stated).ok().filter(|protocol| *protocol > 0)
}

/// The protocol of a bare batch that holds nothing but the request for network settings.
fn opening(bytes: &[u8]) -> Option<u16> {
    let first = packet(bytes, 0)?.ok()?;
    let whole = first.missing() == 0 && first.end == bytes.len();
    let opens = whole && first.id() == id::REQUEST_NETWORK_SETTINGS && first.end - first.body == 4;
    stated(&bytes[first.body..first.end]).filter(|_| opens)
}

/// Whether a batch is one of those that are sent bare before anything is agreed on.
fn is_handshake(batch: &[u8]) -> bool {
    let Some(Ok(first)) = packet(batch, 0) else { return false };
    let size = first.end - first.body;
    first.end == batch.len()
        && match first.id() {
            id::REQUEST_NETWORK_SETTINGS => size == 4,
            id::NETWORK_SETTINGS => (10..=12).contains(&size),
            _ => false,
        }
}

/// Whether a batch that came out whole is more than chance: random bytes do so once in some thousand times.
fn convinces(method: Method, batch: &[u8]) -> bool {
    if method != Method::None && batch.len() >= 8 {
        return true;
    }
    let mut at = 0;
    while let Some(Ok(packet)) = packet(batch, at) {
        let body = &batch[packet.body..packet.end];
        if packet.id() == id::MOVE_ACTOR_DELTA && layout(packet.id(), None, body).is_some() {
            return true;
        }
        at = packet.end;
    }
    false
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
