//! What the first pass writes down of each command, for later passes to read.

use foldhash::HashMap;

use crate::capture::DatagramId;

/// What is known of one command besides its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Frame of the first acknowledgement; 0 for none.
    pub acked_in: u32,
    /// Frame of the command this one acknowledges; 0 for none.
    pub ack_to: u32,
    /// Nanoseconds from that command to this acknowledgement.
    pub rtt: i64,
    /// Frame in which a command that was seen before was first seen; 0 for none, or one so long ago that it is forgotten.
    pub original: u32,
    /// One more than the number of the reassembly a fragment belongs to; 0 for none.
    pub reassembly: u32,
    /// How many sequence numbers are missing right before it.
    pub gap: u16,
    /// Flags, such as [`Record::RETRANSMISSION`].
    pub flags: u8,
}

impl Record {
    /// A command that was sent before.
    pub const RETRANSMISSION: u8 = 1;
    /// A later one was seen before it.
    pub const OUT_OF_ORDER: u8 = 2;
    /// One that was captured before although it was sent once, or an unreliable one that came twice.
    pub const DUPLICATE: u8 = 4;
    /// A receiver drops it: a newer unreliable one came before.
    pub const LATE: u8 = 8;
    /// A fragment that is given to epan.
    pub const REASSEMBLED: u8 = 16;
    /// Its whole datagram was captured before: it was sent once.
    pub const COPY: u8 = 32;
    /// A client refuses it: it names another session than the client asked for.
    pub const REFUSED: u8 = 64;

    /// Whether a flag is set.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether it was sent before, so that it says nothing new.
    pub fn is_copy(&self) -> bool {
        self.flags & (Self::RETRANSMISSION | Self::DUPLICATE) != 0
    }

    /// Whether a receiver hands it on: not for a second time, not behind a newer one.
    pub fn is_delivered(&self) -> bool {
        self.flags & (Self::RETRANSMISSION | Self::DUPLICATE | Self::LATE) == 0
    }
}

/// The records of a session.
#[derive(Debug, Default)]
pub struct Records {
    all: Vec<Record>,
    /// Of each datagram: the number of its first record, and how many it has.
    of: HashMap<DatagramId, (u32, u16)>,
}

impl Records {
    /// The number the next record will have.
    pub fn next(&self) -> u32 {
        self.all.len() as u32
    }

    /// Begins the records of a datagram.
    pub fn begin(&mut self, datagram: DatagramId) {
        self.of.insert(datagram, (self.next(), 0));
    }

    /// Whether a datagram has records: whether the first pass took it in.
    pub fn has(&self, datagram: DatagramId) -> bool {
        self.of.contains_key(&datagram)
    }

    /// Forgets that a datagram has records.
    pub fn forget(&mut self, datagram: DatagramId) {
        self.of.remove(&datagram);
    }

    /// Adds the record of the next command of a datagram that is a copy of the one in this frame; answers it.
    pub fn copy(&mut self, datagram: DatagramId, frame: u32) -> Record {
        let flags = Record::DUPLICATE | Record::COPY;
        let record = Record { flags, original: frame, ..Record::default() };
        self.push(datagram, record);
        record
    }

    /// Adds the record of the next command of a datagram that was begun last.
    pub fn push(&mut self, datagram: DatagramId, record: Record) {
        if let Some((_, count)) = self.of.get_mut(&datagram) {
            *count = count.saturating_add(1);
            self.all.push(record);
        }
    }

    /// A record by its number; `None` where none has it.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Record> {
        self.all.get_mut(number as usize)
    }

    /// Writes the record of a command anew.
    pub fn set(&mut self, datagram: DatagramId, command: u16, record: Record) {
        if let Some(&(first, count)) = self.of.get(&datagram) {
            if command < count {
                self.all[first as usize + command as usize] = record;
            }
        }
    }

    /// The record of a command; an empty one where the first pass did not see it.
    pub fn of(&self, datagram: DatagramId, command: u16) -> Record {
        match self.of.get(&datagram) {
            Some(&(first, count)) if command < count => self.all[first as usize + command as usize],
            _ => Record::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datagram(frame: u32) -> DatagramId {
        DatagramId { frame, datagram: 0 }
    }

    #[test]
    fn records_are_found_by_datagram_and_command() {
        let mut records = Records::default();
        for frame in [1, 2] {
            records.begin(datagram(frame));
            for gap in [10 * frame as u16, 10 * frame as u16 + 1] {
                records.push(datagram(frame), Record { gap, ..Record::default() });
            }
        }
        assert_eq!(records.next(), 4);
        assert_eq!([1, 2].map(|frame| records.of(datagram(frame), 1).gap), [11, 21]);
        records.set(datagram(2), 1, Record { gap: 7, ..Record::default() });
        records.set(datagram(2), 2, Record { gap: 9, ..Record::default() });
        records.set(datagram(1), 2, Record { gap: 9, ..Record::default() });
        assert_eq!((records.of(datagram(2), 1).gap, records.of(datagram(2), 0).gap), (7, 20));
        // the next datagram's are not those of this one
        assert_eq!(records.of(datagram(1), 2), Record::default());
        assert_eq!(records.of(datagram(3), 0), Record::default());
        records.push(datagram(9), Record::default());
        assert_eq!(records.next(), 4, "a datagram that was not begun has no records");
        records.get_mut(0).unwrap().gap = 1;
        assert_eq!(records.of(datagram(1), 0).gap, 1);
    }

    #[test]
    fn what_a_receiver_hands_on() {
        let with = |flags| Record { flags, ..Record::default() }.is_delivered();
        assert!(with(0) && with(Record::OUT_OF_ORDER) && with(Record::REASSEMBLED));
        assert!(!with(Record::RETRANSMISSION) && !with(Record::DUPLICATE) && !with(Record::LATE));
        assert!(Record { flags: 3, ..Record::default() }.has(Record::OUT_OF_ORDER));
        assert!(!Record { flags: 1, ..Record::default() }.has(Record::OUT_OF_ORDER));
    }
}
