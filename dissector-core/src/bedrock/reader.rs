//! The reader of a capture's Bedrock messages: which session each belongs to, and what it shows.

use foldhash::HashMap;

use super::batch::packet;
use super::crypt::{self, Entry, Seal};
use super::layouts::{id, GAME_PACKET};
use super::learn::{self, Learner};
use super::raknet::{Carrier, Walk};
use super::records::{Record, Records};
use super::session::Session;
use super::show;
use super::workbench::Workbench;
use crate::capture::{is_auto, ConversationKey, FollowHead, Output, Packet, Settings};

/// A client that asks for the network settings again so soon, nanoseconds, sends the same message again.
const SAME_OPENING: u64 = 10_000_000_000;

/// Reads the Bedrock messages of one capture.
#[derive(Debug)]
pub struct Bedrock {
    forced: Option<u16>,
    keys: Vec<Entry>,
    sessions: Vec<Session>,
    /// The session that a conversation is in.
    conversations: HashMap<ConversationKey, usize>,
    records: Records,
    bench: Workbench,
    walk: Walk,
}

impl Bedrock {
    /// A reader with these settings; what cannot be used is told.
    pub fn new(settings: &Settings, problems: &mut Vec<String>) -> Bedrock {
        Bedrock {
            forced: forced(settings.bedrock_protocol.trim(), problems),
            keys: crypt::parse_keys(&settings.bedrock_keys, problems),
            sessions: Vec::new(),
            conversations: HashMap::default(),
            records: Records::default(),
            bench: Workbench::default(),
            walk: Walk::default(),
        }
    }

    /// Reads a user message of RakNet, from its first byte on; false where it is none of Bedrock's. `carrier` is the
    /// datagram it came in, where that is at hand.
    pub fn read(&mut self, packet: &Packet<'_>, carrier: Option<Carrier<'_>>, out: &mut Output) -> bool {
        if packet.bytes.first() != Some(&GAME_PACKET) {
            return false;
        }
        self.bench.opened = None;
        let record = if packet.writes() { self.take(packet, carrier) } else { self.kept(packet) };
        let Some(record) = record else { return false };
        let opened = self.bench.open(packet, &record);
        out.follow.open();
        show::message(&self.bench, &self.records, packet, &record, opened, out);
        if record.resent.is_some() {
            // what was sent before is no further message
            out.follow.open();
        }
        out.follow.close(&self.follow_head(packet, &record));
        self.bench.tidy();
        true
    }

    /// How many sessions there are so far.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// What stands in front of the lines of a message.
    fn follow_head(&self, packet: &Packet<'_>, record: &Record) -> FollowHead {
        let session = self.sessions.get(record.session as usize);
        let began = session.map_or(packet.time, |session| session.began);
        let time = packet.time.saturating_sub(began);
        FollowHead { time, frame: packet.frame, sender: record.sender, tag: "" }
    }

    /// What the first pass has found out of a message. One that came again before the first could be read was opened with it.
    fn kept(&self, packet: &Packet<'_>) -> Option<Record> {
        let record = self.records.get(packet.id())?;
        let unread = !matches!(record.seal, Seal::Clear | Seal::Deciphered { .. });
        let first = record.resent.filter(|_| unread).and_then(|first| self.records.get(first));
        let Some(first) = first else { return Some(record) };
        let seal = first.seal.of_copy(packet.is_whole());
        Some(Record {
            resent: record.resent,
            telling: false,
            inferring: false,
            contradicted: None,
            seal,
            ..first
        })
    }

    /// Settles a message that is seen for the first time; `None` where it is none of Bedrock's.
    fn take(&mut self, packet: &Packet<'_>, carrier: Option<Carrier<'_>>) -> Option<Record> {
        let of = (packet.frame, packet.datagram >> 16);
        let numbers = carrier.and_then(|carrier| self.walk.numbers(&carrier, of, packet.bytes));
        let (key, direction) = ConversationKey::of(packet);
        let opens = opening(packet.bytes.get(1..).unwrap_or(&[]));
        let known = self.conversations.get(&key).copied().filter(|index| self.goes_on(*index, opens, packet));
        let Bedrock { sessions, records, bench, keys, .. } = self;
        let mut learner = Learner { records, bench };
        let keys = || crypt::keys_of(&key, keys);
        let record = match known.and_then(|index| sessions.get_mut(index)) {
            // a session is never taken out of its place: what it knows outlives a failure to read one message
            Some(session) => learner.take(session, packet, direction, (opens, true, numbers), &keys),
            None => {
                let mut session = Session::new(sessions.len() as u32, self.forced);
                session.began = packet.time;
                let record = learner.take(&mut session, packet, direction, (opens, false, numbers), &keys);
                if record.is_some() {
                    self.conversations.insert(key, sessions.len());
                    sessions.push(session);
                }
                record
            }
        };
        if let Some(record) = record {
            self.records.set(packet.id(), record);
        }
        record
    }

    /// Whether a message belongs to a session on its ports: one that opens a session as another protocol, or much later,
    /// begins the next.
    fn goes_on(&self, index: usize, opens: Option<u16>, packet: &Packet<'_>) -> bool {
        let Some(protocol) = opens else { return true };
        let opened = self.sessions.get(index).and_then(|session| session.opened);
        opened.is_some_and(|(time, stated)| stated == protocol && packet.time.abs_diff(time) < SAME_OPENING)
    }
}

/// The protocol of a bare batch that holds nothing but the request for network settings.
fn opening(bytes: &[u8]) -> Option<u16> {
    let first = packet(bytes, 0)?.ok()?;
    let whole = first.missing() == 0 && first.end == bytes.len();
    let opens = whole && first.id() == id::REQUEST_NETWORK_SETTINGS && first.end - first.body == 4;
    learn::stated(&bytes[first.body..first.end]).filter(|_| opens)
}

fn forced(text: &str, problems: &mut Vec<String>) -> Option<u16> {
    if is_auto(text) {
        return None;
    }
    let number = text.parse().ok().filter(|number| *number > 0);
    if number.is_none() {
        problems.push(format!(
            "bedrock.protocol: must be auto or a protocol version from 1 to 65535 (such as 2208), got \"{text}\""
        ));
    }
    number
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, AssertUnwindSafe};

    use super::*;
    use crate::bedrock::Key;
    use crate::capture::{Detail, Endpoint};

    /// The server's `frame`th message.
    fn packet(frame: u32, bytes: &[u8]) -> Packet<'_> {
        Packet {
            bytes,
            reported: bytes.len() as u32,
            time: 0,
            frame,
            datagram: 0,
            source: Endpoint::new(2, &[192, 0, 2, 1], 19_132),
            destination: Endpoint::new(2, &[192, 0, 2, 2], 50_000),
            detail: Detail::Tree,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        }
    }

    #[test]
    fn a_failure_in_one_message_leaves_the_session_what_it_knew() {
        let key = Key::new([0x11; 32]);
        let settings = Settings { bedrock_keys: "11".repeat(32), ..Settings::default() };
        let mut bedrock = Bedrock::new(&settings, &mut Vec::new());
        let mut out = Output::default();
        let (mut position, mut counter) = (0, 0);
        let mut seal = |content: &[u8]| {
            let mut bytes = [content, &key.trailer(counter, content)].concat();
            assert!(key.apply(position, &mut bytes));
            (position, counter) = (position + bytes.len() as u64, counter + 1);
            [&[GAME_PACKET][..], &bytes].concat()
        };
        // As protocol 1001: actor 2 at x 1.
        let moved = [0xFF, 8, 0x6F, 2, 1, 0, 0, 0, 0x80, 0x3F];
        let still = [0xFF, 4, 0x6F, 2, 0, 0];
        let messages = [
            [GAME_PACKET, 6, 0xC1, 1, 0, 0, 3, 0xE9].to_vec(),
            [GAME_PACKET, 6, 0x8F, 1, 0, 0, 0, 0].to_vec(),
            [GAME_PACKET, 0xFF, 1, 3].to_vec(),
            seal(&moved),
            seal(&still),
            seal(&still),
        ];
        for (frame, bytes) in (1..).zip(&messages) {
            out.clear(0);
            bedrock.bench.panics = frame == 5;
            let read = catch_unwind(AssertUnwindSafe(|| bedrock.read(&packet(frame, bytes), None, &mut out)));
            assert_eq!(read.is_err(), frame == 5, "{frame}");
        }
        assert_eq!(bedrock.sessions.len(), 1);
        let session = &bedrock.sessions[0];
        assert_eq!(session.protocol.map(|(protocol, _)| protocol), Some(1001));
        assert_eq!(session.crypt.as_ref().and_then(|crypt| crypt.key), Some(key));
        let record = bedrock.records.get(packet(6, &[]).id()).unwrap();
        assert!(matches!(record.seal, Seal::Deciphered { counter: 2, proved: true, .. }), "{record:?}");
        assert_eq!(bedrock.records.position(record.positions), Some(&[Some(1.0), None, None]));
        assert!(!bedrock.read(&Packet { visited: true, ..packet(5, &messages[4]) }, None, &mut out));
    }

    #[test]
    fn what_is_handed_over_once_more_was_not_sent_once_more() {
        let mut bedrock = Bedrock::new(&Settings::default(), &mut Vec::new());
        let message = [GAME_PACKET, 0xFF, 8, 0x6F, 2, 1, 0, 0, 0, 0x80, 0x3F];
        let datagram = [&[0x84, 0, 0, 0, 0x40, 0, 88, 7, 0, 0][..], &message].concat();
        let mut read = |frame: u32, panics: bool| {
            let carrier = Carrier { datagram: &datagram, at: Some(10) };
            bedrock.bench.panics = panics;
            let at = packet(frame, &message);
            let mut out = Output::default();
            let read = catch_unwind(AssertUnwindSafe(|| bedrock.read(&at, Some(carrier), &mut out)));
            let record = bedrock.records.get(at.id());
            (read.ok(), record.map(|record| (record.resent.map(|first| first.frame), record.position_count)))
        };
        assert_eq!(read(1, false), (Some(true), Some((None, 1))));
        assert_eq!(read(1, false), (Some(true), Some((None, 1))));
        assert_eq!(read(2, false), (Some(true), Some((Some(1), 1))));
    }

    #[test]
    fn what_could_not_be_read_is_news_when_it_comes_again() {
        let mut bedrock = Bedrock::new(&Settings::default(), &mut Vec::new());
        let mut out = Output::default();
        let first = [GAME_PACKET, 0xFF, 8, 0x6F, 2, 1, 0, 0, 0, 0x80, 0x3F];
        assert!(bedrock.read(&packet(1, &first), None, &mut out));
        let second = [GAME_PACKET, 0xFF, 8, 0x6F, 2, 1, 0, 0, 0, 0, 0x40];
        let datagram = [&[0x84, 0, 0, 0, 0x40, 0, 88, 7, 0, 0][..], &second].concat();
        for frame in [2, 3] {
            let carrier = Carrier { datagram: &datagram, at: Some(10) };
            bedrock.bench.panics = frame == 2;
            let at = packet(frame, &second);
            let read = catch_unwind(AssertUnwindSafe(|| bedrock.read(&at, Some(carrier), &mut out)));
            assert_eq!(read.is_err(), frame == 2);
        }
        let record = bedrock.records.get(packet(3, &[]).id()).unwrap();
        assert_eq!(
            (record.resent, bedrock.records.position(record.positions)),
            (None, Some(&[Some(2.0), None, None]))
        );
    }

    #[test]
    fn a_protocol_is_forced_by_a_number_only() {
        let mut problems = Vec::new();
        for (text, protocol) in [("auto", None), ("", None), ("1", Some(1)), ("65535", Some(65_535))] {
            assert_eq!(forced(text, &mut problems), protocol);
        }
        assert!(problems.is_empty());
        for (text, number) in [("0", 1), ("65536", 2), ("latest", 3)] {
            assert_eq!((forced(text, &mut problems), problems.len()), (None, number));
            assert!(problems[number - 1].starts_with("bedrock.protocol: must be auto or a protocol version"));
            assert!(problems[number - 1].ends_with(&format!("got \"{text}\"")));
        }
    }

    #[test]
    fn only_a_lone_request_opens_a_session() {
        let request = [6, 0xC1, 1, 0, 0, 8, 0xA0];
        assert_eq!(opening(&request), Some(2208));
        for bytes in [
            &[][..],
            &[6, 0xC2, 1, 0, 0, 8, 0xA0],
            &[7, 0xC1, 1, 0, 0, 8, 0xA0, 0],
            &[7, 0xC1, 1, 0, 0, 8, 0xA0],
            &[5, 0xC1, 1, 0, 0, 8],
            &[6, 0xC1, 1, 0, 0, 8, 0xA0, 1, 9],
            &[6, 0xC1, 1, 0xFF, 0xFF, 0xFF, 0xFF],
            &[6, 0xC1, 1, 0, 1, 0, 0],
            &[6, 0xC1, 1, 0, 0, 0, 0],
        ] {
            assert_eq!(opening(bytes), None, "{bytes:02x?}");
        }
        assert_eq!(learn::stated(&[0, 0, 0, 1, 9]), Some(1));
        assert_eq!(learn::stated(&[0, 0, 0xFF, 0xFF]), Some(65_535));
    }
}
