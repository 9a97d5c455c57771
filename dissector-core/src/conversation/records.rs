//! What the first pass writes down of each command, for later passes to read.

use foldhash::HashMap;

/// A datagram: frame, and which datagram of the frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Moment {
    pub frame: u32,
    pub datagram: u32,
}

/// A message: its datagram, the command that carries or completes it, and its place in a container.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Place {
    pub frame: u32,
    pub datagram: u32,
    pub command: u16,
    pub inner: u16,
}

/// What is known of one command besides its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Record {
    /// Frame of the first acknowledgement; 0 for none.
    pub acked_in: u32,
    /// Frame of the command this one acknowledges; 0 for none.
    pub ack_to: u32,
    /// Nanoseconds since then.
    pub rtt: i64,
    /// Frame in which the command was first seen.
    pub original: u32,
    /// One more than the number of the joined message a fragment belongs to; 0 for none.
    pub join: u32,
    /// Numbers that are missing before it.
    pub gap: u16,
    /// Flags, below.
    pub flags: u8,
}

impl Record {
    /// Sent before.
    pub const RETRANSMISSION: u8 = 1;
    /// A later one was seen before.
    pub const OUT_OF_ORDER: u8 = 2;
    /// An unreliable one that was seen before.
    pub const DUPLICATE: u8 = 4;
    /// A receiver drops it: a newer unreliable one came before.
    pub const LATE: u8 = 8;
    /// A fragment that is given to epan.
    pub const JOINED: u8 = 16;

    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the command changes what a receiver knows.
    pub fn counts(&self) -> bool {
        self.flags & (Self::RETRANSMISSION | Self::DUPLICATE | Self::LATE) == 0
    }
}

/// The records of a session.
#[derive(Debug, Default)]
pub(super) struct Records {
    all: Vec<Record>,
    of: HashMap<Moment, (u32, u16)>,
}

impl Records {
    /// The number the next record will have.
    pub fn next(&self) -> u32 {
        self.all.len() as u32
    }

    /// Opens the records of a datagram.
    pub fn open(&mut self, moment: Moment) {
        self.of.insert(moment, (self.next(), 0));
    }

    /// Adds the record of the next command of a datagram that was opened last.
    pub fn push(&mut self, moment: Moment, record: Record) {
        if let Some((_, count)) = self.of.get_mut(&moment) {
            *count = count.saturating_add(1);
            self.all.push(record);
        }
    }

    /// A record by its number.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Record> {
        self.all.get_mut(number as usize)
    }

    /// Writes the record of a command anew.
    pub fn set(&mut self, moment: Moment, command: u16, record: Record) {
        if let Some(&(first, count)) = self.of.get(&moment) {
            if command < count {
                self.all[first as usize + command as usize] = record;
            }
        }
    }

    /// The record of a command; an empty one where the first pass did not see it.
    pub fn of(&self, moment: Moment, command: u16) -> Record {
        match self.of.get(&moment) {
            Some(&(first, count)) if command < count => self.all[first as usize + command as usize],
            _ => Record::default(),
        }
    }
}
