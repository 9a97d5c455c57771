//! Sequence numbers of one channel in one direction: what is new, what was sent before, what is missing.

use std::collections::{BTreeMap, VecDeque};

use foldhash::HashSet;

/// How many commands of a channel are remembered for acknowledgements and retransmissions.
const REMEMBERED: usize = 4096;
/// How many missing numbers are remembered; a jump further than this is a gap that nothing fills.
const MOST_MISSING: u64 = 1024;
/// How many unsequenced groups are remembered, as stock ENet remembers about a window of them.
const GROUPS: usize = 256;
/// Of how many messages in unreliable fragments the pieces are remembered.
const PIECED: usize = 64;
/// How many transmissions of one command are remembered.
const TRANSMISSIONS: usize = 8;

/// One transmission of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transmission {
    /// Frame that holds it, from 1.
    pub frame: u32,
    /// Capture time, nanoseconds.
    pub time: i64,
    /// Sent time of its datagram, if it has one.
    pub sent_time: Option<u16>,
    /// Number of its record in [`super::records::Records`].
    pub record: u32,
    /// A number of the bytes of its command, which tells others apart; 0 where they are not all there.
    pub content: u32,
}

impl Transmission {
    /// Whether another is the same, captured twice: sent at the same time, with the same bytes.
    fn is_same(&self, other: &Transmission) -> bool {
        let is_unlike = self.content != other.content && self.content != 0 && other.content != 0;
        self.sent_time.is_some() && self.sent_time == other.sent_time && !is_unlike
    }
}

/// What a number means on its channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arrival {
    /// How many numbers are missing right before it.
    pub gap: u16,
    /// Whether a later one was seen before.
    pub out_of_order: bool,
    /// The frame in which it was first seen, where it was (0: so long ago that the frame is forgotten).
    pub first_seen: Option<u32>,
    /// Whether it is no transmission of its own: its sent time is that of one before.
    pub is_copy: bool,
    /// The record that reported it missing.
    pub fills: Option<u32>,
}

/// One channel in one direction.
#[derive(Debug, Default)]
pub struct ChannelState {
    /// Its reliable numbers.
    pub reliable: Reliable,
    /// Its unreliable numbers.
    pub unreliable: Unreliable,
    /// The unreliable fragments that came.
    pub pieces: Pieces,
    /// The unreliable message in fragments that was met last: the reliable number it follows, and its own.
    fragmented: Option<(u64, u64)>,
}

impl ChannelState {
    /// What names a message in fragments on this channel: the reliable number it follows (0 where it is reliable itself)
    /// and its first number, both without wrapping. `sequence` and `start` are those of one of its fragments.
    pub fn message_of_fragment(&mut self, is_reliable: bool, sequence: u16, start: u16) -> (u64, u64) {
        if is_reliable {
            return (0, self.reliable.unwrapped(start));
        }
        let follows = self.reliable.unwrapped(sequence);
        let last = self.fragmented.filter(|(before, _)| *before == follows).map(|(_, own)| own);
        let named = (follows, unwrap(last, start));
        self.fragmented = self.fragmented.max(Some(named));
        named
    }
}

/// The reliable numbers of one channel in one direction.
#[derive(Debug, Default)]
pub struct Reliable {
    last: Option<u64>,
    sent: BTreeMap<u64, Vec<Transmission>>,
    missing: BTreeMap<u64, u32>,
}

/// Numbers begin here once unwrapped, so that none that is reordered at the start falls below zero.
const START: u64 = 1 << 16;

fn unwrap(last: Option<u64>, number: u16) -> u64 {
    match last {
        None => START + u64::from(number),
        Some(last) => {
            let step = number.wrapping_sub(last as u16) as i16;
            last.saturating_add_signed(step.into())
        }
    }
}

impl Reliable {
    /// Takes in a number that was sent.
    pub fn arrive(&mut self, number: u16, transmission: Transmission) -> Arrival {
        let number = unwrap(self.last, number);
        let mut arrival = Arrival::default();
        let last = self.last.unwrap_or(number.saturating_sub(1));
        if number > last {
            let gap = number - last - 1;
            arrival.gap = gap.min(u16::MAX.into()) as u16;
            if gap <= MOST_MISSING {
                self.missing.extend((last + 1..number).map(|missing| (missing, transmission.record)));
            }
            self.last = Some(number);
        } else if let Some(transmissions) = self.sent.get(&number) {
            arrival.first_seen = Some(transmissions.first().map_or(0, |first| first.frame));
            let same = |sent: &&Transmission| sent.is_same(&transmission);
            if let Some(copied) =
                transmissions.iter().find(same).filter(|sent| sent.frame != transmission.frame)
            {
                (arrival.is_copy, arrival.first_seen) = (true, Some(copied.frame));
                return arrival;
            }
        } else if let Some(record) = self.missing.remove(&number) {
            arrival.out_of_order = true;
            arrival.fills = Some(record);
        } else if self.sent.len() >= REMEMBERED {
            arrival.first_seen = Some(0);
        } else {
            arrival.out_of_order = true;
        }
        let transmissions = self.sent.entry(number).or_default();
        if transmissions.len() < TRANSMISSIONS {
            transmissions.push(transmission);
        }
        while self.sent.len() > REMEMBERED {
            self.sent.pop_first();
        }
        while self.missing.len() > MOST_MISSING as usize {
            self.missing.pop_first();
        }
        arrival
    }

    /// The highest number so far, as it stood in its command.
    pub fn last(&self) -> Option<u16> {
        self.last.map(|last| last as u16)
    }

    /// The number a fragment's start has without wrapping.
    pub fn unwrapped(&self, number: u16) -> u64 {
        unwrap(self.last, number)
    }

    /// The transmissions an acknowledgement is about, the one with this sent time first.
    pub fn acknowledged(&self, number: u16, sent_time: u16) -> Option<(Transmission, &[Transmission])> {
        let transmissions = self.sent.get(&unwrap(self.last, number))?;
        let meant =
            transmissions.iter().rev().find(|s| s.sent_time == Some(sent_time)).or(transmissions.last())?;
        Some((*meant, transmissions))
    }
}

/// The unreliable numbers of one channel in one direction.
#[derive(Debug, Default)]
pub struct Unreliable {
    last: Option<(u64, u64)>,
}

/// What names a message in unreliable fragments: its own name, and how many fragments and bytes they say it has.
type Pieced = ((u64, u64), u32, u32);

/// The unreliable fragments of one channel in one direction: of the latest messages, which pieces came.
#[derive(Debug, Default)]
pub struct Pieces(VecDeque<(Pieced, HashSet<u32>)>);

/// The unsequenced groups of one direction.
#[derive(Debug, Default)]
pub struct Groups(VecDeque<u16>);

impl Unreliable {
    /// Takes in an unreliable command: the reliable number it follows and its own. Answers (late, duplicate).
    ///
    /// A receiver drops what comes after a newer one.
    pub fn arrive(&mut self, reliable: u64, number: u16) -> (bool, bool) {
        let own = match self.last {
            Some((before, last)) if before == reliable => unwrap(Some(last), number),
            _ => unwrap(None, number),
        };
        let at = (reliable, own);
        match self.last {
            Some(last) if at == last => (false, true),
            Some(last) if at < last => (true, false),
            _ => {
                self.last = Some(at);
                (false, false)
            }
        }
    }
}

impl Pieces {
    /// Takes in a fragment of a message; answers whether it is new.
    pub fn arrive(&mut self, message: Pieced, number: u32) -> bool {
        if let Some((_, numbers)) = self.0.iter_mut().rev().find(|(known, _)| *known == message) {
            return numbers.insert(number);
        }
        if self.0.len() == PIECED {
            self.0.pop_front();
        }
        self.0.push_back((message, HashSet::from_iter([number])));
        true
    }
}

impl Groups {
    /// Takes in an unsequenced group; answers whether it was seen before.
    pub fn arrive(&mut self, group: u16) -> bool {
        if self.0.contains(&group) {
            return true;
        }
        if self.0.len() == GROUPS {
            self.0.pop_front();
        }
        self.0.push_back(group);
        false
    }
}

#[cfg(test)]
mod tests;
