//! Encryption of a session: AES-256 in counter mode, one keystream for each direction, and the trailer that proves it.

use std::collections::VecDeque;
use std::fmt;
use std::net::IpAddr;

use aes::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use base64::Engine as _;
use sha2::{Digest, Sha256};

use super::unpack::Form;
use crate::capture::{ConversationKey, DatagramId, Endpoint};

/// Bytes of the trailer behind each batch.
pub const TRAILER: usize = 8;
/// Messages that are kept because one before them has not come yet.
const MOST_WAITING: usize = 64;
/// Bytes of such messages.
const MOST_WAITING_BYTES: usize = 1 << 20;
/// Messages that are remembered so as to know them again.
const MOST_RECENT: usize = 256;
/// Keys that are taken from the settings.
const MOST_KEYS: usize = 64;

type Stream = ctr::Ctr32BE<aes::Aes256>;

/// The key of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)") // a key is nobody's business
    }
}

/// A key, and the address whose sessions it is for (any, where none is told).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// An address at either end.
    pub address: Option<IpAddr>,
    /// The key.
    pub key: Key,
}

impl Key {
    /// A key from 64 hexadecimal digits or 44 characters of base64.
    pub fn parse(text: &str) -> Option<Key> {
        let bytes = match hex::decode(text) {
            Ok(bytes) if text.len() == 64 => bytes,
            _ => base64::engine::general_purpose::STANDARD.decode(text).ok()?,
        };
        bytes.try_into().ok().map(Key)
    }

    /// A key from its bytes.
    pub const fn new(bytes: [u8; 32]) -> Key {
        Key(bytes)
    }

    /// Enciphers or deciphers bytes that stand at `position` of a direction's keystream; false past its end.
    pub fn apply(&self, position: u64, bytes: &mut [u8]) -> bool {
        let mut start = [0; 16];
        start[..12].copy_from_slice(&self.0[..12]);
        start[15] = 2;
        let mut stream = Stream::new(&self.0.into(), &start.into());
        stream.try_seek(position).is_ok() && stream.try_apply_keystream(bytes).is_ok()
    }

    /// The trailer of a batch that is number `counter` of its direction.
    pub fn trailer(&self, counter: u64, batch: &[u8]) -> [u8; TRAILER] {
        let mut digest = Sha256::new();
        digest.update(counter.to_le_bytes());
        digest.update(batch);
        digest.update(self.0);
        let mut trailer = [0; TRAILER];
        trailer.copy_from_slice(&digest.finalize()[..TRAILER]);
        trailer
    }

    /// Whether deciphered bytes end in the trailer of message `counter`.
    pub fn proves(&self, counter: u64, clear: &[u8]) -> bool {
        clear.split_last_chunk().is_some_and(|(batch, trailer)| *trailer == self.trailer(counter, batch))
    }
}

/// Keys from a text: entries between commas, semicolons or white space, each a key or `address=key`. What cannot be
/// used is told.
pub fn parse_keys(text: &str, problems: &mut Vec<String>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let parts =
        text.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|part| !part.is_empty());
    for part in parts.take(MOST_KEYS) {
        // base64 may end in "=", so what stands in front must be an address
        let (address, key) = match part.split_once('=') {
            Some((front, rest)) if !rest.trim_matches('=').is_empty() => (Some(front), rest),
            _ => (None, part),
        };
        let parsed = address.map(str::parse);
        match (parsed, Key::parse(key)) {
            (Some(Err(_)), _) => problems.push(format!(
                "bedrock.key: in front of \"=\" must stand an IP address, got \"{}\"",
                address.unwrap_or_default()
            )),
            (_, None) => problems.push(format!(
                "bedrock.key: a key is 64 hex digits or 44 characters of base64 (32 bytes), got {} characters",
                key.chars().count()
            )),
            (address, Some(key)) => entries.push(Entry { address: address.and_then(Result::ok), key }),
        }
    }
    entries
}

/// The keys that may be those of a session between these ends.
pub fn keys_of(conversation: &ConversationKey, entries: &[Entry]) -> Vec<Key> {
    let here = |address: IpAddr| conversation.ends().iter().any(|end| is_at(end, address));
    entries.iter().filter(|entry| entry.address.is_none_or(here)).map(|entry| entry.key).collect()
}

fn is_at(end: &Endpoint, address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => end.address() == address.octets(),
        IpAddr::V6(address) => end.address() == address.octets(),
    }
}

/// What is known of an enciphered message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seal {
    /// It is not enciphered.
    Clear,
    /// It is deciphered by this key at this place.
    Deciphered {
        /// The key.
        key: Key,
        /// Its first byte in the keystream.
        position: u64,
        /// Its number in its direction.
        counter: u64,
        /// Whether the trailer has proved it; where the capture cut it short, only its place and its start speak for the
        /// key that others have proved.
        proved: bool,
    },
    /// The capture cut it short, and no key has been proved by others.
    Cut,
    /// There is no key.
    NoKey,
    /// No key fits.
    WrongKey,
    /// It does not follow what was seen before: a message may come later that belongs in front of it.
    Waiting,
    /// Messages in front of it never came.
    Lost,
}

/// A message that waits for another.
#[derive(Debug)]
pub struct Waiting {
    /// Which message.
    pub id: DatagramId,
    /// Its bytes behind the message id.
    pub bytes: Vec<u8>,
}

/// The keystream of one direction of an enciphered session, and the messages that wait for their place in it.
#[derive(Debug, Default)]
pub struct Keystream {
    position: u64,
    counter: u64,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    /// Nothing can be deciphered any more.
    stopped: bool,
    recent: VecDeque<(u64, DatagramId)>,
}

impl Keystream {
    /// Where the same bytes came before; remembers them otherwise.
    pub fn seen(&mut self, bytes: &[u8], id: DatagramId) -> Option<DatagramId> {
        let digest = Sha256::digest(bytes);
        let hash = digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if let Some((_, before)) = self.recent.iter().find(|(known, _)| *known == hash) {
            return Some(*before);
        }
        if self.recent.len() >= MOST_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((hash, id));
        None
    }

    /// Whether it has come to its end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Tries a message that was captured whole as the next one.
    pub fn open(&mut self, key: &Key, bytes: &[u8], scratch: &mut Vec<u8>) -> Option<Seal> {
        scratch.clear();
        scratch.extend(bytes);
        if !key.apply(self.position, scratch) || !key.proves(self.counter, scratch) {
            return None;
        }
        let seal =
            Seal::Deciphered { key: *key, position: self.position, counter: self.counter, proved: true };
        self.pass(bytes.len());
        Some(seal)
    }

    /// Takes a message of `reported` bytes that the capture cut short: nothing in it proves a key, so only the one that
    /// others have proved is used, and only where what it makes of the start is what a batch in this form begins with.
    pub fn open_cut(
        &mut self,
        key: Option<&Key>,
        bytes: &[u8],
        reported: usize,
        form: Form,
        scratch: &mut Vec<u8>,
    ) -> Seal {
        let (position, counter) = (self.position, self.counter);
        let Some(key) = key else {
            // its place in the keystream does not depend on the key
            self.pass(reported);
            return Seal::Cut;
        };
        scratch.clear();
        scratch.extend(bytes);
        if bytes.is_empty() || !key.apply(position, scratch) || form.method(scratch).is_none() {
            return Seal::Cut;
        }
        self.pass(reported);
        Seal::Deciphered { key: *key, position, counter, proved: false }
    }

    fn pass(&mut self, bytes: usize) {
        self.position += bytes as u64;
        self.counter += 1;
    }

    /// Keeps a message that is not the next one; false where too many wait, and none is waited for any more.
    pub fn wait(&mut self, id: DatagramId, bytes: &[u8]) -> bool {
        let too_many =
            self.waiting.len() >= MOST_WAITING || self.waiting_bytes + bytes.len() > MOST_WAITING_BYTES;
        if too_many {
            self.stopped = true;
            self.waiting = VecDeque::new();
            self.waiting_bytes = 0;
            return false;
        }
        self.waiting_bytes += bytes.len();
        self.waiting.push_back(Waiting { id, bytes: bytes.to_vec() });
        true
    }

    /// A message that waited and is the next one now.
    pub fn awaited(&mut self, key: &Key, scratch: &mut Vec<u8>) -> Option<(Waiting, Seal)> {
        for index in 0..self.waiting.len() {
            let bytes = std::mem::take(&mut self.waiting[index].bytes);
            let seal = self.open(key, &bytes, scratch);
            self.waiting[index].bytes = bytes;
            if let Some(seal) = seal {
                let waiting = self.waiting.remove(index)?;
                self.waiting_bytes -= waiting.bytes.len();
                return Some((waiting, seal));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(frame: u32) -> DatagramId {
        DatagramId { frame, datagram: 0 }
    }

    #[test]
    fn keys_are_read_and_errors_say_what_is_wrong() {
        let mut problems = Vec::new();
        let hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
        let text = format!("{hex}, 192.0.2.1={hex};ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=");
        let keys = parse_keys(&text, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(keys.len(), 3);
        assert_eq!(keys[0].key, keys[2].key);
        assert_eq!(keys[1].address, Some("192.0.2.1".parse().unwrap()));
        assert!(parse_keys(&format!("abc here={hex}"), &mut problems).is_empty());
        assert!(problems[0].contains("64 hex digits") && problems[0].contains("got 3"), "{problems:?}");
        assert!(problems[1].contains("IP address"), "{problems:?}");
    }

    /// The counter mode is that of GCM with the first 12 bytes of the key as its nonce: known bytes of an all-zero key.
    #[test]
    fn the_keystream_is_that_of_gcm() {
        let mut bytes = [0; 16];
        assert!(Key::new([0; 32]).apply(0, &mut bytes));
        // GCM test case 14 (AES-256, zero key, zero nonce, one block of zeros)
        assert_eq!(hex::encode(bytes), "cea7403d4d606b6e074ec5d3baf39d18");
    }

    #[test]
    fn messages_open_in_order_and_late_ones_are_fetched() {
        let key = Key::new([7; 32]);
        let mut position = 0;
        let messages: Vec<Vec<u8>> = (0..3u64)
            .map(|counter| {
                let mut bytes = vec![0xFF, 2, 0x6F, counter as u8];
                bytes.extend(key.trailer(counter, &bytes));
                assert!(key.apply(position, &mut bytes));
                position += bytes.len() as u64;
                bytes
            })
            .collect();
        let (mut stream, mut scratch) = (Keystream::default(), Vec::new());
        assert!(stream.open(&key, &messages[1], &mut scratch).is_none());
        assert!(stream.wait(at(2), &messages[1]));
        assert!(stream.open(&key, &messages[0], &mut scratch).is_some());
        let (waited, seal) = stream.awaited(&key, &mut scratch).unwrap();
        assert_eq!((waited.id, scratch[3]), (at(2), 1));
        assert!(matches!(seal, Seal::Deciphered { position: 12, counter: 1, proved: true, .. }));
        assert!(stream.awaited(&key, &mut scratch).is_none());
        assert!(stream.open(&key, &messages[0], &mut scratch).is_none());
        assert!(stream.open(&key, &messages[2], &mut scratch).is_some());
    }

    #[test]
    fn waiting_has_an_end() {
        let mut stream = Keystream::default();
        let waited = (0..1000).take_while(|frame| stream.wait(at(*frame), &[0; 20])).count();
        assert_eq!(waited, MOST_WAITING);
        assert!(stream.is_stopped());
        assert!(!Keystream::default().wait(at(1), &vec![0; MOST_WAITING_BYTES + 1]));
    }
}
