//! Minecraft Bedrock above RakNet: game packet → encryption → compression → batch → packets → MoveActorDelta.
//!
//! As elsewhere, the first pass writes and later passes read: how a message is taken is kept under its frame.

mod batch;
mod crypt;
pub mod experts;
pub mod fields;
mod learn;
mod records;
mod session;
mod show;
mod unpack;

pub use crypt::Key;
pub use fields::FIELDS;

use foldhash::HashMap;

use crate::book::bedrock::protocol;
use crate::conversation::output::Output;
use crate::conversation::{Packet, Pair, Settings};
use crate::decode::{self, Facts, Input};
use crate::registry::{Program, REGISTRY};
use crate::tree::Tree;
use crypt::{Entry, Seal, TRAILER};
use records::{At, Record, Records, Source};
use session::Session;
use unpack::{Fault, Method, Unpacker};

/// The byte that marks a game packet among the messages of RakNet.
pub const GAME_PACKET: u8 = 0xFE;

/// Packets that the reader takes part in.
mod id {
    pub const LOGIN: u16 = 1;
    pub const SERVER_TO_CLIENT_HANDSHAKE: u16 = 3;
    pub const MOVE_ACTOR_DELTA: u16 = 111;
    pub const NETWORK_SETTINGS: u16 = 143;
    pub const REQUEST_NETWORK_SETTINGS: u16 = 193;
}

/// Reads the Bedrock messages of one capture.
#[derive(Debug)]
pub struct Bedrock {
    forced: Option<u16>,
    keys: Vec<Entry>,
    sessions: Vec<Session>,
    /// The session that a pair of ends is in.
    pairs: HashMap<Pair, usize>,
    records: Records,
    unpacker: Unpacker,
    /// The message at hand, deciphered, and its batch, decompressed.
    clear: Vec<u8>,
    batch: Vec<u8>,
    /// What `clear` and `batch` hold.
    opened: Option<Opened>,
    /// Nodes that the frame at hand has had so far.
    spent: Spent,
}

#[derive(Debug, Default)]
struct Spent {
    at: At,
    nodes: usize,
}

/// How a message's batch came out.
#[derive(Clone, Copy, Debug)]
struct Opened {
    at: At,
    /// The method and the bytes that say so; `None` where the byte means nothing.
    method: Option<(Method, usize)>,
    fault: Option<Fault>,
}

impl Bedrock {
    /// A reader with these settings; what cannot be used is told.
    pub fn new(settings: &Settings, problems: &mut Vec<String>) -> Bedrock {
        Bedrock {
            forced: forced(&settings.bedrock_protocol, problems),
            keys: crypt::parse_keys(&settings.bedrock_keys, problems),
            sessions: Vec::new(),
            pairs: HashMap::default(),
            records: Records::default(),
            unpacker: Unpacker::default(),
            clear: Vec::new(),
            batch: Vec::new(),
            opened: None,
            spent: Spent::default(),
        }
    }

    /// Reads a user message of RakNet, from its first byte on; false where it is none of Bedrock's.
    pub fn read(&mut self, packet: &Packet<'_>, out: &mut Output) -> bool {
        let at = (packet.frame, packet.datagram);
        if packet.bytes.first() != Some(&GAME_PACKET) {
            return false;
        }
        self.opened = None;
        let record = if packet.writes() { self.take(packet, at) } else { self.records.get(at) };
        let Some(record) = record else { return false };
        let opened = match self.opened.filter(|opened| opened.at == at) {
            Some(opened) => opened,
            None => self.open(packet, at, &record),
        };
        self.show(packet, &record, opened, out);
        // A batch of megabytes is rare: its room is given back.
        for buffer in [&mut self.clear, &mut self.batch] {
            buffer.shrink_to(1 << 20);
        }
        true
    }

    /// Deciphers and decompresses a message as its record says.
    fn open(&mut self, packet: &Packet<'_>, at: At, record: &Record) -> Opened {
        self.decipher(packet.bytes, record.seal);
        let whole = packet.reported as usize == packet.bytes.len();
        let content = content(packet.bytes, &self.clear, record.seal, whole);
        let method = record.form.method(content);
        let fault =
            method.and_then(|(method, head)| self.unpacker.unpack(method, &content[head..], &mut self.batch));
        Opened { at, method, fault }
    }

    /// Fills `clear` with a message of which all that follows the message id is deciphered.
    fn decipher(&mut self, bytes: &[u8], seal: Seal) {
        self.clear.clear();
        if let Seal::Open { key, position, .. } = seal {
            self.clear.extend(bytes);
            if let Some(rest) = self.clear.get_mut(1..) {
                key.apply(position, rest);
            }
        }
    }
}

/// What follows the message id, in clear and without the trailer.
fn content<'a>(bytes: &'a [u8], clear: &'a [u8], seal: Seal, whole: bool) -> &'a [u8] {
    match seal {
        Seal::Open { .. } => {
            let end = if whole { clear.len().saturating_sub(TRAILER) } else { clear.len() };
            clear.get(1..end).unwrap_or(&[])
        }
        _ => bytes.get(1..).unwrap_or(&[]),
    }
}

fn forced(text: &str, problems: &mut Vec<String>) -> Option<u16> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("auto") {
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

/// The layout of a packet, and whether it was found by fit.
fn layout(id: u16, known: Option<(u16, Source)>, body: &[u8]) -> Option<(&'static Program, bool)> {
    if !matches!(id, id::LOGIN | id::MOVE_ACTOR_DELTA | id::NETWORK_SETTINGS | id::REQUEST_NETWORK_SETTINGS) {
        return None;
    }
    let of = |program: &&Program| program.layout.commands.iter().any(|command| command.number == id);
    let mut all = REGISTRY.bedrock.iter().filter(of);
    if let Some((number, _)) = known {
        if let Some(program) = all.clone().find(|program| program.layout.builds.holds(protocol(number))) {
            return Some((program, false));
        }
    }
    if id != id::MOVE_ACTOR_DELTA {
        return all.next_back().map(|program| (program, false));
    }
    all.rev().find(|program| fits(program, body)).map(|program| (program, true))
}

/// Whether a body is exactly used up by a layout, and every yes or no is one.
fn fits(program: &Program, body: &[u8]) -> bool {
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = decode::read::<false>(program, &input(body, 0, 0, 0), &mut tree, &mut facts);
    end.cut.is_none() && end.used as usize == body.len() && !facts.odd
}

fn input(bytes: &[u8], base: u32, flags: u16, depth: u8) -> Input<'_> {
    Input { bytes, reported: bytes.len() as u32, base, flags, depth, ..Input::default() }
}
