//! Datagrams that were captured twice: by mirror ports, or on two interfaces.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use foldhash::HashMap;

use crate::capture::{Direction, Packet};

/// Datagrams that are remembered of a connection, both directions together.
const MOST: usize = 512;
/// Nanoseconds within which the same bytes are a copy: later a sender's numbers and clock may have come round.
const LONGEST: i64 = 30_000_000_000;

/// The latest datagrams of a connection.
#[derive(Debug, Default)]
pub struct Copies {
    latest: VecDeque<u64>,
    /// Frame and time of each.
    seen: HashMap<u64, (u32, i64)>,
}

impl Copies {
    /// Takes in a datagram; answers the frame that held the same bytes before.
    ///
    /// What is sent again has a new sent time in its header, so that the same bytes were sent once and captured twice.
    pub fn take(&mut self, direction: Direction, packet: &Packet<'_>) -> Option<u32> {
        let hash = FixedState::default().hash_one((direction.index() as u8, packet.reported, packet.bytes));
        if let Some((frame, time)) = self.seen.get_mut(&hash) {
            let since = packet.time.saturating_sub(*time).saturating_abs();
            *time = packet.time;
            if since <= LONGEST {
                return Some(*frame);
            }
            *frame = packet.frame;
            return None;
        }
        if self.latest.len() >= MOST {
            if let Some(oldest) = self.latest.pop_front() {
                self.seen.remove(&oldest);
            }
        }
        self.latest.push_back(hash);
        self.seen.insert(hash, (packet.frame, packet.time));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Detail, Endpoint};

    /// Takes a datagram in that came after so many seconds in a frame; `reported` bytes of it were on the wire.
    fn take(copies: &mut Copies, (seconds, frame): (i64, u32), bytes: &[u8], reported: usize) -> Option<u32> {
        let packet = Packet {
            bytes,
            reported: reported as u32,
            time: seconds * 1_000_000_000,
            frame,
            datagram: 0,
            source: Endpoint::default(),
            destination: Endpoint::default(),
            detail: Detail::State,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        };
        copies.take(Direction::Forward, &packet)
    }

    #[test]
    fn copies_are_of_the_first_that_is_not_too_old() {
        let mut copies = Copies::default();
        let told = [(0, 1), (1, 2), (30, 3), (61, 4), (62, 5)].map(|at| take(&mut copies, at, b"order", 5));
        assert_eq!(told, [None, Some(1), Some(1), None, Some(4)]);
    }

    #[test]
    fn datagrams_that_were_cut_alike_differ_by_their_length() {
        let mut copies = Copies::default();
        let told = [(1, 8), (2, 9), (3, 8)]
            .map(|(frame, reported)| take(&mut copies, (0, frame), b"order", reported));
        assert_eq!(told, [None, None, Some(1)]);
    }

    #[test]
    fn only_the_latest_are_remembered() {
        let mut copies = Copies::default();
        let most = MOST as u32;
        for frame in 1..=3 * most {
            assert_eq!(take(&mut copies, (0, frame), &frame.to_le_bytes(), 4), None);
        }
        assert_eq!((copies.latest.len(), copies.seen.len()), (MOST, MOST));
        let oldest = 2 * most + 1;
        assert_eq!(take(&mut copies, (0, 9_999), &oldest.to_le_bytes(), 4), Some(oldest));
        assert_eq!(take(&mut copies, (0, 9_999), &(oldest - 1).to_le_bytes(), 4), None, "it is forgotten");
    }
}
