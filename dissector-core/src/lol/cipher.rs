//! Blowfish over the whole 8-byte blocks of a payload, keys in the forms people have them, and the handshake
//! that proves a key.

use std::fmt;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::Engine;
use blowfish::cipher::{array::Array, consts::U8, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use blowfish::Blowfish;
use hex::FromHex;

use crate::container::{Messages, CONTAINER, EXTENDED};
use crate::layout::channel;

/// Bytes of a block; a payload's last `len % 8` bytes are clear.
pub const BLOCK: usize = 8;

/// Base64 as clients take it: the unused bits of the last character may be anything.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Bytes a key text may stand for: at most 16.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    bytes: [u8; 16],
    len: u8,
}

impl Reading {
    fn new(from: &[u8]) -> Option<Reading> {
        let mut bytes = [0; 16];
        bytes.get_mut(..from.len())?.copy_from_slice(from);
        Some(Reading { bytes, len: from.len() as u8 })
    }

    /// The bytes of the key.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reading({} bytes)", self.len)
    }
}

/// A key as given. A text of 16 characters may be the key itself or base64 of 12 bytes: both readings are
/// kept, and the handshake tells which is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    first: Reading,
    second: Option<Reading>,
}

/// What is wrong with a key text; says nothing of the key but its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{} must be 32 hex digits, 24 base64 characters or 16 characters of text, got {got} characters{why}",
    Numbered(*.number)
)]
pub struct NotAKey {
    /// Which key of a list, from 1; `None` where there is only one.
    pub number: Option<usize>,
    /// How many characters were given, white space around them left out.
    pub got: usize,
    why: &'static str,
}

/// How a message calls a key: by its number, where there are several.
struct Numbered(Option<usize>);

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(f, "key {number}"),
            None => f.write_str("key"),
        }
    }
}

impl Key {
    /// A key from 16 bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Key {
        Key { first: Reading { bytes, len: 16 }, second: None }
    }

    /// Reads a key text: 32 hex digits, 24 base64 characters (ending in `==`), or the 16 characters that old
    /// clients take as the key itself. White space around it does not matter.
    pub fn parse(text: &str) -> Result<Key, NotAKey> {
        let text = text.trim();
        let got = text.chars().count();
        let wrong = |why| NotAKey { number: None, got, why };
        match got {
            32 => match <[u8; 16]>::from_hex(text) {
                Ok(bytes) => Ok(Key::from_bytes(bytes)),
                Err(_) => Err(wrong(" that are not all hex digits")),
            },
            24 => base64(text)
                .filter(|key| key.len == 16)
                .map(|first| Key { first, second: None })
                .ok_or(wrong(" that are not base64 of 16 bytes")),
            16 if text.bytes().all(|b| b.is_ascii_graphic()) => {
                let first = Reading::new(text.as_bytes()).ok_or(wrong(""))?;
                Ok(Key { first, second: base64(text) })
            }
            16 => Err(wrong(" that are not all plain ASCII")),
            _ => Err(wrong("")),
        }
    }

    /// The bytes the key may stand for, the likelier first.
    pub fn readings(&self) -> impl Iterator<Item = Reading> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// A schedule for each reading.
    pub fn schedules(&self) -> impl Iterator<Item = Schedule> {
        self.readings().filter_map(|reading| Schedule::new(reading.bytes()))
    }
}

/// Reads a list of keys separated by commas, semicolons or white space. What is not a key is told apart from
/// the rest by its number in the list, from 1.
pub fn parse_list(text: &str) -> (Vec<Key>, Vec<NotAKey>) {
    let separator = |c: char| c == ',' || c == ';' || c.is_whitespace();
    let (mut keys, mut wrong) = (Vec::new(), Vec::new());
    for (index, part) in text.split(separator).filter(|part| !part.is_empty()).enumerate() {
        match Key::parse(part) {
            Ok(key) => keys.push(key),
            Err(error) => wrong.push(NotAKey { number: Some(index + 1), ..error }),
        }
    }
    (keys, wrong)
}

fn base64(text: &str) -> Option<Reading> {
    let mut buffer = [0; 24];
    let len = BASE64.decode_slice(text, &mut buffer).ok()?;
    Reading::new(buffer.get(..len)?)
}

/// A key ready for use: about 4 KiB, made once for a key, not for a conversation.
#[derive(Clone)]
pub struct Schedule(Blowfish);

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schedule(..)")
    }
}

impl Schedule {
    /// The schedule of a key of 4 to 56 bytes; `None` for other lengths.
    pub fn new(key: &[u8]) -> Option<Schedule> {
        Blowfish::new_from_slice(key).ok().map(Schedule)
    }

    /// Enciphers every whole block in place; the last `len % 8` bytes stay as they are.
    pub fn encipher(&self, payload: &mut [u8]) {
        self.0.encrypt_blocks(Array::<u8, U8>::slice_as_chunks_mut(payload).0);
    }

    /// Deciphers every whole block in place; the last `len % 8` bytes stay as they are.
    pub fn decipher(&self, payload: &mut [u8]) {
        self.0.decrypt_blocks(Array::<u8, U8>::slice_as_chunks_mut(payload).0);
    }

    /// Whether a client's registration was made with this key.
    pub fn proves(&self, registration: &Registration) -> bool {
        let mut block = registration.player_id;
        self.encipher(&mut block);
        block == registration.proof
    }
}

/// What a client sends first, on channel 0 and in the clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registration {
    /// What it asks; 0 is to be registered.
    pub action: u8,
    /// Its number among the players; assigned by the answer.
    pub client_id: u32,
    /// The player's account number, little-endian as on the wire.
    pub player_id: [u8; 8],
    /// The build as a decimal code, see [`crate::version::Build::from_code`]; from 1.0.0.142 on.
    pub version: Option<u32>,
    /// The player's number enciphered with the key.
    pub proof: [u8; 8],
}

impl Registration {
    /// Reads a registration, or its answer once deciphered: 24 bytes, or 28 or 32 with a version. `None` for
    /// other lengths.
    pub fn read(payload: &[u8]) -> Option<Registration> {
        fn take<const N: usize>(payload: &[u8], at: usize) -> Option<[u8; N]> {
            payload.get(at..)?.first_chunk().copied()
        }
        let (version, proof) = match payload.len() {
            24 => (None, take(payload, 16)?),
            28 | 32 => (Some(u32::from_le_bytes(take(payload, 16)?)), take(payload, 20)?),
            _ => return None,
        };
        Some(Registration {
            action: *payload.first()?,
            client_id: u32::from_le_bytes(take(payload, 4)?),
            player_id: take(payload, 8)?,
            version,
            proof,
        })
    }

    /// Whether an answer, still enciphered, is about the same player: its second block is then the proof.
    /// Tells without a key that both ends share one.
    pub fn is_answered_by(&self, enciphered: &[u8]) -> bool {
        enciphered.get(8..16) == Some(&self.proof)
    }
}

/// A part of a registration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegistrationPart {
    /// What it asks, 1 byte; 0 is to be registered.
    Action,
    /// Three bytes without meaning.
    Padding,
    /// The client's number, 4 bytes.
    ClientId,
    /// The player's account number, 8 bytes.
    PlayerId,
    /// The build as a decimal code, 4 bytes; from 1.0.0.142 on.
    Version,
    /// The player's number enciphered with the key, 8 bytes.
    Proof,
    /// What follows.
    Trailing,
}

impl Registration {
    /// The parts of a registration of `length` bytes in their order: part, first byte and bytes.
    pub fn parts(&self, length: u32) -> impl Iterator<Item = (RegistrationPart, u32, u32)> {
        use RegistrationPart::*;
        let version = if self.version.is_some() { 4 } else { 0 };
        let widths =
            [(Action, 1), (Padding, 3), (ClientId, 4), (PlayerId, 8), (Version, version), (Proof, 8)];
        let mut at = 0;
        let fixed = widths.into_iter().map(move |(part, width)| {
            at += width;
            (part, at - width, width)
        });
        let end = 24 + version;
        fixed.chain([(Trailing, end, length.saturating_sub(end))]).filter(|(_, _, width)| *width > 0)
    }
}

/// Whether a deciphered payload looks like a message of the game, which a wrong key seldom makes of it.
///
/// `None` where it says nothing about the key: on channels other than 1 to 4, or shorter than one block. A
/// single message passes under a wrong key about once in 15, a container practically never. Payloads that
/// begin alike pass or fail together, so do not add verdicts up: that is what [`KeyTrial`] is for.
pub fn plausible(message: &[u8], on: u8) -> Option<bool> {
    if !(channel::REQUESTS..=channel::TRANSIENT).contains(&on) || message.len() < BLOCK {
        return None;
    }
    if message[0] == CONTAINER {
        return Some(plausible_container(message));
    }
    let net_id = u32::from_le_bytes([message[1], message[2], message[3], message[4]]);
    Some(message[0] != 0 && plausible_net_id(net_id) && (message[0] != EXTENDED || message[6] < 4))
}

fn plausible_container(payload: &[u8]) -> bool {
    let Some(mut messages) = Messages::new(payload, payload.len()) else { return false };
    let sound = messages
        .by_ref()
        .all(|inner| inner.is_ok_and(|inner| inner.command != CONTAINER && plausible_net_id(inner.net_id)));
    sound && messages.read() > 0 && messages.left_over().len == 0
}

/// No unit, or one of the ranges network ids are drawn from.
fn plausible_net_id(id: u32) -> bool {
    id == 0 || id >> 24 == 0x40 || id >> 24 == 0xFF
}

/// Whether a plausible payload is one that a wrong key makes of another less than once in 4,000: a container, or a
/// message about no unit or one of the first million.
pub fn convincing(message: &[u8]) -> bool {
    match message.first_chunk::<5>() {
        Some(&[CONTAINER, ..]) => true,
        Some(&[_, a, b, c, d]) => {
            let id = u32::from_le_bytes([a, b, c, d]);
            id == 0 || id >> 20 == 0x400
        }
        None => false,
    }
}

/// Tries a key on payloads, for a conversation whose handshake was not seen.
#[derive(Clone, Debug, Default)]
pub struct KeyTrial {
    first_blocks: [[u8; BLOCK]; KeyTrial::ENOUGH + KeyTrial::FAILURES],
    passed: usize,
    failed: usize,
}

impl KeyTrial {
    /// So many different payloads have to look like messages: a wrong key gets there once in some ten million
    /// trials.
    const ENOUGH: usize = 7;
    /// So many that do not refuse a key: one may be of a kind not met yet.
    const FAILURES: usize = 2;

    /// Takes a payload as it came and as the key deciphers it. One that begins like another taken before is
    /// left out.
    pub fn take(&mut self, enciphered: &[u8], deciphered: &[u8], channel: u8) {
        let (Some(first), Some(passes)) = (enciphered.first_chunk(), plausible(deciphered, channel)) else {
            return;
        };
        let taken = self.passed + self.failed;
        if self.verdict().is_some() || self.first_blocks[..taken].contains(first) {
            return;
        }
        self.first_blocks[taken] = *first;
        if passes {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    /// How many different payloads looked like messages, and how many did not.
    pub fn standing(&self) -> (usize, usize) {
        (self.passed, self.failed)
    }

    /// Whether the key is the right one; `None` while too few payloads were seen.
    pub fn verdict(&self) -> Option<bool> {
        if self.failed >= KeyTrial::FAILURES {
            Some(false)
        } else {
            (self.passed >= KeyTrial::ENOUGH).then_some(true)
        }
    }
}

#[cfg(test)]
mod tests;
