//! Payloads that could not be read when they came: kept, within a bound, until key and build are known.

use super::records::Place;
use crate::layout::Sender;

/// Most bytes kept of one session; what comes after is shown in later passes all the same, but changes no state.
const MOST_BYTES: usize = 1 << 20;
/// What keeping one payload costs besides its bytes.
const OVERHEAD: usize = 64;

/// A payload as it was carried.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub place: Place,
    pub time: i64,
    pub channel: u8,
    pub sender: Option<Sender>,
    pub reported: u32,
    pub enciphered: bool,
    pub bytes: Vec<u8>,
}

/// The payloads of a session that wait.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    kept: Vec<Kept>,
    used: usize,
}

impl Backlog {
    /// Keeps a payload if there is room.
    pub fn keep(&mut self, kept: Kept) {
        let cost = kept.bytes.len() + OVERHEAD;
        if self.used + cost <= MOST_BYTES {
            self.used += cost;
            self.kept.push(kept);
        }
    }

    /// Takes everything out, in the order it came.
    pub fn take(&mut self) -> Vec<Kept> {
        self.used = 0;
        std::mem::take(&mut self.kept)
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
