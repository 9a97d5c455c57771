//! Payloads that could not be read when they came: kept, within a bound, until key and build are known.

use super::payload::Payload;
use crate::capture::{Detail, MessageId, Sender};

/// Most bytes kept of one session; what comes after is shown in later passes all the same, but changes no state.
const MOST_BYTES: usize = 1 << 20;
/// What keeping one payload costs besides its bytes.
const OVERHEAD: usize = 64;

/// A payload as it was carried.
#[derive(Clone, Debug)]
pub struct Kept {
    id: MessageId,
    time: i64,
    channel: u8,
    sender: Option<Sender>,
    reported: u32,
    enciphered: bool,
    bytes: Vec<u8>,
}

impl Kept {
    fn new(payload: &Payload<'_>) -> Kept {
        Kept {
            id: payload.id,
            time: payload.time,
            channel: payload.channel,
            sender: payload.sender,
            reported: payload.reported,
            enciphered: payload.enciphered,
            bytes: payload.wire().to_vec(),
        }
    }

    /// The payload again, for its state only.
    pub fn payload(&self) -> Payload<'_> {
        Payload {
            source: &self.bytes,
            base: 0,
            length: self.bytes.len() as u32,
            reported: self.reported,
            channel: self.channel,
            sender: self.sender,
            id: self.id,
            time: self.time,
            writes: true,
            is_delivered: true,
            enciphered: self.enciphered,
            is_continued: false,
            detail: Detail::State,
        }
    }
}

/// The payloads of a session that wait.
#[derive(Debug, Default)]
pub struct Backlog {
    kept: Vec<Kept>,
    used: usize,
}

impl Backlog {
    /// Keeps a payload that a receiver hands on, if there is room.
    pub fn keep(&mut self, payload: &Payload<'_>) {
        let cost = payload.wire().len() + OVERHEAD;
        if payload.is_delivered && self.used + cost <= MOST_BYTES {
            self.used += cost;
            self.kept.push(Kept::new(payload));
        }
    }

    /// Takes everything out, in the order it came.
    pub fn take(&mut self) -> Vec<Kept> {
        self.used = 0;
        std::mem::take(&mut self.kept)
    }

    /// Whether no payload waits.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(bytes: &[u8], frame: u32) -> Payload<'_> {
        Payload {
            source: bytes,
            base: 0,
            length: bytes.len() as u32,
            reported: bytes.len() as u32,
            channel: 3,
            sender: Some(Sender::Server),
            id: MessageId { frame, ..MessageId::default() },
            time: 5,
            writes: true,
            is_delivered: true,
            enciphered: true,
            is_continued: false,
            detail: Detail::Tree,
        }
    }

    #[test]
    fn what_waits_comes_out_once_and_in_order() {
        let mut backlog = Backlog::default();
        assert!(backlog.is_empty());
        backlog.keep(&payload(b"one", 1));
        backlog.keep(&Payload { is_delivered: false, ..payload(b"again", 2) });
        backlog.keep(&payload(b"two", 3));
        assert!(!backlog.is_empty());
        let kept = backlog.take();
        assert_eq!(kept.iter().map(|kept| kept.payload().id.frame).collect::<Vec<_>>(), [1, 3]);
        let first = kept[0].payload();
        assert_eq!(
            (first.wire(), first.channel, first.time, first.detail),
            (&b"one"[..], 3, 5, Detail::State)
        );
        assert!(first.writes && first.is_delivered && first.enciphered);
        assert!(backlog.is_empty() && backlog.take().is_empty());
    }

    #[test]
    fn the_bound_counts_what_keeping_costs_and_is_given_back() {
        let mut backlog = Backlog::default();
        let bytes = vec![0; MOST_BYTES / 4 - OVERHEAD];
        (0..5).for_each(|frame| backlog.keep(&payload(&bytes, frame)));
        assert_eq!(backlog.take().len(), 4);
        (0..5).for_each(|frame| backlog.keep(&payload(&bytes, frame)));
        assert_eq!(backlog.take().len(), 4);
        let most = MOST_BYTES / OVERHEAD;
        (0..most as u32 + 9).for_each(|frame| backlog.keep(&payload(&[], frame)));
        assert_eq!(backlog.take().len(), most);
    }
}
