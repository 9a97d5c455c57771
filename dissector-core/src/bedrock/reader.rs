//! The reader of a capture's Bedrock messages: which session each belongs to, and what it shows.

use foldhash::HashMap;

use super::batch::packet;
use super::crypt::{self, Entry};
use super::layouts::{id, GAME_PACKET};
use super::learn::{self, Learner};
use super::records::{Record, Records};
use super::session::Session;
use super::show;
use super::workbench::Workbench;
use crate::capture::{is_auto, ConversationKey, Output, Packet, Settings};

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
        }
    }

    /// Reads a user message of RakNet, from its first byte on; false where it is none of Bedrock's.
    pub fn read(&mut self, packet: &Packet<'_>, out: &mut Output) -> bool {
        if packet.bytes.first() != Some(&GAME_PACKET) {
            return false;
        }
        self.bench.opened = None;
        let record = if packet.writes() { self.take(packet) } else { self.records.get(packet.id()) };
        let Some(record) = record else { return false };
        let opened = self.bench.open(packet, &record);
        show::message(&self.bench, &self.records, packet, &record, opened, out);
        self.bench.tidy();
        true
    }

    /// Settles a message that is seen for the first time; `None` where it is none of Bedrock's.
    fn take(&mut self, packet: &Packet<'_>) -> Option<Record> {
        let (key, direction) = ConversationKey::of(packet);
        let opens = opening(packet.bytes.get(1..).unwrap_or(&[]));
        let known = self.conversations.get(&key).copied().filter(|index| self.goes_on(*index, opens, packet));
        let Bedrock { sessions, records, bench, keys, .. } = self;
        let mut learner = Learner { records, bench };
        let keys = || crypt::keys_of(&key, keys);
        let record = match known.and_then(|index| sessions.get_mut(index)) {
            // a session is never taken out of its place: what it knows outlives a failure to read one message
            Some(session) => learner.take(session, packet, direction, (opens, true), &keys),
            None => {
                let mut session = Session::new(sessions.len() as u32, self.forced);
                let record = learner.take(&mut session, packet, direction, (opens, false), &keys);
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
