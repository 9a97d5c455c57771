//! One direction's keystream: which message comes next, those that wait for it, and those that cannot prove their place.

use std::collections::VecDeque;

use sha2::{Digest, Sha256};

use super::crypt::{Key, Seal};
use crate::capture::DatagramId;

/// Messages that are kept because one before them has not come yet.
const MOST_WAITING: usize = 64;
/// Bytes of such messages.
const MOST_WAITING_BYTES: usize = 1 << 20;
/// Messages that are remembered so as to know them again.
const MOST_RECENT: usize = 256;
/// Cut messages whose place is open; of more, the first is taken to stand where it came.
const MOST_CUT: usize = 8;
/// Bytes at the start of a message that, with its length, tell it from others where the rest was not captured.
const HEAD: usize = 8;

/// A message that waits for another.
#[derive(Debug)]
pub struct Waiting {
    /// Which message.
    pub id: DatagramId,
    /// Its bytes behind the message id.
    pub bytes: Vec<u8>,
}

/// A message that came before.
#[derive(Debug)]
struct Known {
    id: DatagramId,
    reported: usize,
    head: [u8; HEAD],
    /// A digest of all of it, where all of it was captured.
    digest: Option<u64>,
}

/// The keystream of one direction of an enciphered session, and the messages that wait for their place in it.
#[derive(Debug, Default)]
pub struct Keystream {
    position: u64,
    counter: u64,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    /// Cut messages behind `position`, with their lengths: one before them may be missing, so their place is open until
    /// a whole message proves its own.
    cut: VecDeque<(DatagramId, usize)>,
    /// Nothing can be deciphered any more.
    stopped: bool,
    recent: VecDeque<Known>,
}

impl Keystream {
    /// Where the same message of `reported` bytes came before; remembers it otherwise.
    pub fn seen(&mut self, bytes: &[u8], reported: usize, id: DatagramId) -> Option<DatagramId> {
        // too few bytes are the same by chance
        if bytes.len() < HEAD.min(reported) {
            return None;
        }
        let mut head = [0; HEAD];
        head.iter_mut().zip(bytes).for_each(|(into, byte)| *into = *byte);
        let whole = bytes.len() == reported;
        let digest = Sha256::digest(bytes).first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let digest = digest.filter(|_| whole);
        let same = |known: &&mut Known| {
            let rest = known.digest.zip(digest).is_none_or(|(known, digest)| known == digest);
            (known.reported, known.head) == (reported, head) && rest
        };
        if let Some(known) = self.recent.iter_mut().find(same) {
            // What was cut and comes whole can prove a key by now.
            if let Some(index) = self.cut.iter().position(|(cut, _)| whole && *cut == known.id) {
                self.cut.remove(index);
                (known.id, known.digest) = (id, digest);
                return None;
            }
            return Some(known.id);
        }
        if self.recent.len() >= MOST_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(Known { id, reported, head, digest });
        None
    }

    /// Whether it has come to its end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Tries a message that was captured whole as the next one: behind all cut messages, or behind the first few.
    pub fn open(&mut self, key: &Key, bytes: &[u8], scratch: &mut Vec<u8>) -> Option<Seal> {
        (0..=self.cut.len()).rev().find_map(|count| self.open_behind(count, key, bytes, scratch))
    }

    fn open_behind(&mut self, count: usize, key: &Key, bytes: &[u8], scratch: &mut Vec<u8>) -> Option<Seal> {
        let (position, counter) = self.behind(count);
        scratch.clear();
        scratch.extend(bytes);
        if !key.apply(position, scratch) || !key.proves(counter, scratch) {
            return None;
        }
        self.cut.drain(..count);
        (self.position, self.counter) = (position + bytes.len() as u64, counter + 1);
        Some(Seal::Deciphered { key: *key, position, counter, proved: true })
    }

    /// The place behind so many cut messages.
    fn behind(&self, count: usize) -> (u64, u64) {
        let bytes: usize = self.cut.iter().take(count).map(|(_, reported)| reported).sum();
        (self.position + bytes as u64, self.counter + count as u64)
    }

    /// Takes a message of `reported` bytes that the capture cut short. Nothing in it proves a key, so only the one that
    /// others have proved is used: `scratch` holds then what it makes of the bytes.
    pub fn open_cut(
        &mut self,
        key: Option<&Key>,
        bytes: &[u8],
        (id, reported): (DatagramId, usize),
        scratch: &mut Vec<u8>,
    ) -> Seal {
        if self.cut.len() >= MOST_CUT {
            (self.position, self.counter) = self.behind(1);
            self.cut.pop_front();
        }
        let (position, counter) = self.behind(self.cut.len());
        self.cut.push_back((id, reported));
        let Some(key) = key else { return Seal::Cut };
        scratch.clear();
        scratch.extend(bytes);
        if !key.apply(position, scratch) {
            return Seal::Cut;
        }
        Seal::Deciphered { key: *key, position, counter, proved: false }
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

    /// So many messages as their sender enciphers them, each of 12 bytes.
    fn messages(key: &Key, count: u64) -> Vec<Vec<u8>> {
        let message = |counter: u64| {
            let mut bytes = vec![0xFF, 2, 0x6F, counter as u8];
            bytes.extend(key.trailer(counter, &bytes));
            assert!(key.apply(counter * 12, &mut bytes));
            bytes
        };
        (0..count).map(message).collect()
    }

    #[test]
    fn bytes_that_wait_have_an_end_and_are_given_back() {
        let (key, mut scratch) = (Key::new([7; 32]), Vec::new());
        let half = vec![1; MOST_WAITING_BYTES / 2];
        let mut stream = Keystream::default();
        assert!(stream.wait(at(1), &half) && stream.wait(at(2), &half), "as many as may be");
        assert!(!stream.is_stopped() && !stream.wait(at(3), &[1]));
        assert!(stream.is_stopped() && stream.waiting.is_empty() && stream.waiting_bytes == 0);
        // What was fetched leaves its room to others.
        let mut stream = Keystream::default();
        let messages = messages(&key, 3);
        assert!(stream.wait(at(2), &messages[1]) && stream.wait(at(3), &messages[2]));
        assert!(stream.open(&key, &messages[0], &mut scratch).is_some());
        let fetched = std::iter::from_fn(|| stream.awaited(&key, &mut scratch)).count();
        assert_eq!((fetched, stream.waiting_bytes, stream.position), (2, 0, 36));
        assert!(stream.wait(at(4), &half) && stream.wait(at(5), &half));
    }

    #[test]
    fn the_last_256_messages_are_known_again() {
        let mut stream = Keystream::default();
        let bytes = |number: u32| [&number.to_le_bytes()[..], &[0; 8]].concat();
        for number in 0..MOST_RECENT as u32 {
            assert_eq!(stream.seen(&bytes(number), 12, at(number)), None);
        }
        assert_eq!(stream.seen(&bytes(0), 12, at(900)), Some(at(0)));
        assert_eq!(stream.seen(&bytes(900), 12, at(900)), None);
        assert_eq!(stream.seen(&bytes(1), 12, at(901)), Some(at(1)), "only the first is forgotten");
        assert_eq!(stream.seen(&bytes(0), 12, at(902)), None);
        assert_eq!(stream.recent.len(), MOST_RECENT);
    }

    #[test]
    fn a_message_is_known_by_all_its_bytes_or_by_its_start_and_length() {
        let mut stream = Keystream::default();
        let long = [7; 20];
        let other = [&[7; 19][..], &[8]].concat();
        assert_eq!(stream.seen(&long, 20, at(1)), None);
        assert_eq!(stream.seen(&other, 20, at(2)), None, "the rest tells them apart");
        assert_eq!(stream.seen(&other, 20, at(3)), Some(at(2)));
        assert_eq!(stream.seen(&long[..8], 20, at(4)), Some(at(1)), "cut, but enough of it");
        assert_eq!(stream.seen(&long[..8], 21, at(5)), None, "of another length");
        assert_eq!(stream.seen(&long[..7], 20, at(6)), None, "too little of it");
        assert_eq!(stream.seen(&[], 20, at(7)), None);
        assert_eq!(stream.seen(&[1, 2], 2, at(8)), None);
        assert_eq!(stream.seen(&[1, 2], 2, at(9)), Some(at(8)), "short, but whole");
    }

    #[test]
    fn cut_messages_keep_their_places_until_a_whole_one_proves_its_own() {
        let (key, mut scratch) = (Key::new([7; 32]), Vec::new());
        let messages = messages(&key, 40);
        for (cut, late) in [(1, 0), (5, 3), (MOST_CUT, 0), (MOST_CUT, MOST_CUT - 1), (30, 29)] {
            let mut stream = Keystream::default();
            for number in (0..=cut).filter(|number| *number != late) {
                let seal =
                    stream.open_cut(None, &messages[number][..10], (at(number as u32), 12), &mut scratch);
                assert_eq!(seal, Seal::Cut);
            }
            let seal = stream.open(&key, &messages[late], &mut scratch);
            let (position, counter) = (late as u64 * 12, late as u64);
            assert_eq!(seal, Some(Seal::Deciphered { key, position, counter, proved: true }), "{cut} {late}");
            let seal = stream.open(&key, &messages[cut + 1], &mut scratch);
            let (position, counter) = (cut as u64 * 12 + 12, cut as u64 + 1);
            assert_eq!(seal, Some(Seal::Deciphered { key, position, counter, proved: true }), "{cut} {late}");
            assert!(stream.cut.is_empty());
        }
        // Beyond the bound the first is taken to stand where it came.
        let mut stream = Keystream::default();
        for (number, message) in (1..).zip(&messages[1..=MOST_CUT + 1]) {
            stream.open_cut(None, message, (at(number), 12), &mut scratch);
        }
        assert_eq!((stream.cut.len(), stream.position, stream.counter), (MOST_CUT, 12, 1));
        assert_eq!(stream.open(&key, &messages[0], &mut scratch), None);
        // With a key the bytes come out, unproved, behind those before.
        let mut stream = Keystream::default();
        stream.open_cut(None, &messages[0], (at(1), 12), &mut scratch);
        let seal = stream.open_cut(Some(&key), &messages[1][..3], (at(2), 12), &mut scratch);
        assert_eq!(seal, Seal::Deciphered { key, position: 12, counter: 1, proved: false });
        assert_eq!(scratch, [0xFF, 2, 0x6F]);
        stream.position = u64::MAX - 24;
        assert_eq!(stream.open_cut(Some(&key), &messages[1], (at(3), 0), &mut scratch), Seal::Cut);
    }

    #[test]
    fn a_cut_message_that_comes_whole_is_taken_anew() {
        let (key, mut scratch) = (Key::new([7; 32]), Vec::new());
        let messages = messages(&key, 3);
        let mut stream = Keystream::default();
        for (number, message) in (0..).zip(&messages[..2]) {
            assert_eq!(stream.seen(&message[..9], 12, at(number)), None);
            stream.open_cut(None, &message[..9], (at(number), 12), &mut scratch);
        }
        assert_eq!(stream.seen(&messages[0][..10], 12, at(7)), Some(at(0)), "cut again");
        assert_eq!(stream.seen(&messages[0], 12, at(8)), None);
        assert!(stream.open(&key, &messages[0], &mut scratch).is_some());
        assert_eq!(stream.seen(&messages[0], 12, at(9)), Some(at(8)));
        assert!(stream.open(&key, &messages[2], &mut scratch).is_some());
    }
}
