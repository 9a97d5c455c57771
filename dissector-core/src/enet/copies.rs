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
