//! Encryption of a session: AES-256 in counter mode, one keystream for each direction, and the trailer that proves it.

use std::fmt;
use std::net::IpAddr;

use aes::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use base64::Engine as _;
use sha2::{Digest, Sha256};

use crate::capture::{ConversationKey, Endpoint};

/// Bytes of the trailer behind each batch.
pub const TRAILER: usize = 8;
/// Keys that are taken from the settings.
const MOST_KEYS: usize = 64;

type Stream = ctr::Ctr32BE<aes::Aes256>;

/// The key of a session: 32 bytes, for AES in counter mode.
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
    /// The key to try.
    pub key: Key,
}

impl Key {
    /// A key from 64 hexadecimal digits or 44 characters of base64; `None` for anything else.
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

    /// The trailer of a batch that is number `counter` of its direction: the first 8 bytes of a SHA-256.
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
        /// The key that opens it.
        key: Key,
        /// Its first byte in the keystream of its direction.
        position: u64,
        /// Its number in its direction, which its trailer is made with.
        counter: u64,
        /// Whether the trailer has proved it; where the capture cut it short, only its place and its start speak for the
        /// key that others have proved.
        proved: bool,
    },
    /// The capture cut it short, and no key has been proved by others or its start makes no sense at this place.
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

impl Seal {
    /// What is known of another copy of the message; one that is cut has no trailer.
    pub const fn of_copy(self, whole: bool) -> Seal {
        match self {
            Seal::Deciphered { key, position, counter, proved } => {
                Seal::Deciphered { key, position, counter, proved: proved && whole }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_key_is_64_digits_or_base64_and_is_not_printed() {
        assert_eq!(Key::parse(&"0a".repeat(32)), Some(Key([10; 32])));
        // 44 digits are base64 of 33 bytes, 62 digits nothing.
        assert_eq!([Key::parse(&"0a".repeat(22)), Key::parse(&"0a".repeat(31)), Key::parse("")], [None; 3]);
        assert_eq!(format!("{:?}", Key([7; 32])), "Key(…)");
        let mut problems = Vec::new();
        let many = format!("{} ", "0a".repeat(32)).repeat(MOST_KEYS + 1);
        assert_eq!((parse_keys(&many, &mut problems).len(), problems.len()), (MOST_KEYS, 0));
        assert_eq!(parse_keys(",; ,", &mut problems).len() + problems.len(), 0);
        let each = "0a".repeat(32);
        assert_eq!(parse_keys(&format!("{each},{each};{each}\t{each}"), &mut problems).len(), 4);
    }

    #[test]
    fn keys_go_with_either_end_of_either_kind() {
        let packet = |source: &[u8], destination: &[u8]| crate::capture::Packet {
            bytes: &[],
            reported: 0,
            time: 0,
            frame: 1,
            datagram: 0,
            source: Endpoint::new(2, source, 1),
            destination: Endpoint::new(2, destination, 2),
            detail: crate::capture::Detail::State,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        };
        let entry = |address: Option<&str>, byte| Entry {
            address: address.map(|address| address.parse().unwrap()),
            key: Key([byte; 32]),
        };
        let (first, sixth) = ("192.0.2.1", "2001:db8::6");
        let entries =
            [entry(None, 1), entry(Some(first), 2), entry(Some(sixth), 3), entry(Some("192.0.2.9"), 4)];
        let mut far = [0; 16];
        (far[..4]).copy_from_slice(&[0x20, 1, 0x0D, 0xB8]);
        far[15] = 6;
        let keys = |source: &[u8], destination: &[u8]| {
            let (conversation, _) = ConversationKey::of(&packet(source, destination));
            keys_of(&conversation, &entries).iter().map(|key| key.0[0]).collect::<Vec<_>>()
        };
        assert_eq!(keys(&[192, 0, 2, 1], &[192, 0, 2, 2]), [1, 2]);
        assert_eq!(keys(&[192, 0, 2, 3], &[192, 0, 2, 1]), [1, 2]);
        assert_eq!(keys(&far, &[192, 0, 2, 9]), [1, 3, 4]);
        assert_eq!(keys(&[192, 0, 2, 3], &[192, 0, 2, 2]), [1]);
    }

    #[test]
    fn a_trailer_is_of_counter_batch_and_key() {
        let key = Key([7; 32]);
        let digest = Sha256::digest([&[1, 0, 0, 0, 0, 0, 0, 0][..], b"batch", &[7; 32]].concat());
        assert_eq!(key.trailer(1, b"batch"), digest[..8]);
        let clear = [b"batch", &digest[..8]].concat();
        assert!(key.proves(1, &clear) && !key.proves(2, &clear) && !key.proves(1, &clear[..12]));
        assert!(!key.proves(0, b"short"));
        // The counter of blocks has 32 bits: past them the keystream has an end.
        let last = (1u64 << 32) * 16 - 32;
        assert!(key.apply(0, &mut []));
        assert!(!key.apply(u64::MAX, &mut [0; 40]) && !key.apply(last, &mut [0; 64]));
    }

    #[test]
    fn a_cut_copy_has_no_trailer() {
        let seal = |proved| Seal::Deciphered { key: Key([1; 32]), position: 5, counter: 6, proved };
        assert_eq!([seal(true).of_copy(true), seal(true).of_copy(false)], [seal(true), seal(false)]);
        assert_eq!([seal(false).of_copy(true), Seal::Lost.of_copy(false)], [seal(false), Seal::Lost]);
    }
}
