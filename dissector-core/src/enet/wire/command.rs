//! The commands of a datagram, read one after another by the tables of [`super::rows`].

use super::header::{Header, HeaderVariant};
use super::rows::{carries_data, head, id, rows, Row, HEAD_ROWS, MOST_ROWS};
use crate::fields::enet::Field;
use crate::tree::Cut;

/// Bit of a command byte: the sender asks for an acknowledgement.
pub const ACKNOWLEDGE: u8 = 0x80;
/// Bit of a command byte: outside the channel's order.
pub const UNSEQUENCED: u8 = 0x40;

/// The payload of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Data {
    /// First byte, counted from the start of the datagram.
    pub offset: u32,
    /// Bytes the command states; in a command that was cut, those there are on the wire at most.
    pub len: u32,
    /// Bytes of them that were captured.
    pub captured: u32,
}

/// One command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// First byte, counted from the start of the datagram.
    pub offset: u32,
    /// Bytes on the wire with its payload; in a command that was cut, those left.
    pub size: u32,
    /// What it is, see [`id`]; 0 and 12 to 15 only in a command that was cut (12 is a command of stock
    /// variants).
    pub id: u8,
    /// The whole first byte: flags above, id below.
    pub flags: u8,
    /// Whether the sender asks for an acknowledgement.
    pub acknowledge: bool,
    /// Whether it is outside the channel's order.
    pub unsequenced: bool,
    /// Its channel; 255 for the connection's own commands.
    pub channel: u8,
    /// Its reliable sequence number, which wraps at 65536.
    pub sequence: u16,
    /// Its fields, the command header's three first.
    pub rows: &'static [Row],
    /// How many of the rows were read: all, but in a command that was cut.
    pub read: u8,
    /// The values of the rows read, in their order; the rest are 0.
    pub values: [u32; MOST_ROWS],
    /// Its payload, if it is a command that has one.
    pub data: Option<Data>,
}

/// What connect and verifyConnect state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectBody {
    /// The peer id the other side must put into its headers.
    pub outgoing_peer: u16,
    /// Largest datagram the sender takes, bytes.
    pub mtu: u32,
    /// Most unacknowledged reliable data in flight, bytes.
    pub window: u32,
    /// How many channels the connection has.
    pub channels: u32,
    /// The session id (classic and later) or connect id (stock) stated; `None` in a verifyConnect of the
    /// game.
    pub session: Option<u32>,
    /// Stock only: incoming and outgoing session ids.
    pub session_bits: Option<(u8, u8)>,
}

/// What a fragment states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// Sequence number of the first fragment of its message.
    pub start: u16,
    /// How many fragments the message has.
    pub count: u32,
    /// Which fragment this is, from 0 and below `count`.
    pub number: u32,
    /// Bytes of the whole message.
    pub total: u32,
    /// Where this one begins in it, bytes.
    pub offset: u32,
}

impl Fragment {
    /// Why a fragment of so many bytes cannot be part of any message; `None` where it can.
    pub fn fault(&self, length: u32) -> Option<String> {
        let Fragment { count, number, total, offset, .. } = *self;
        if number >= count {
            return Some(format!("enet.fragmentNumber is {number}, but there are {count} fragments"));
        }
        if count > total {
            return Some(format!("enet.fragmentCount is {count}, more than the {total} bytes there are"));
        }
        let end = u64::from(offset) + u64::from(length);
        (end > u64::from(total)).then(|| {
            format!("the fragment ends at byte {end} of a message of {total} bytes (enet.totalLength)")
        })
    }
}

/// Why the walk ended before the end of the datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// No command has this number in this variant.
    UnknownCommand(u8),
    /// The datagram ends within a command's fields.
    TooShort,
    /// The payload would reach past the end of the datagram.
    DataPastEnd,
    /// The command before this place asks for an acknowledgement, but the header has no sent time to
    /// acknowledge: a receiver takes that command and ignores what follows.
    AcknowledgeWithoutTime,
}

/// Where and why the walk ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The field and place; `short` where the capture left the bytes out.
    pub cut: Cut,
    /// What ended the walk.
    pub why: Why,
    /// The command as far as it could be read, where at least one of its fields could.
    pub partial: Option<Command>,
}

/// A [`Stop`] before it is known how much of the command was read.
#[derive(Clone, Copy, Debug)]
struct Problem {
    cut: Cut,
    why: Why,
}

impl Command {
    /// The value of a field, if the command has it and it was read.
    pub fn value(&self, field: Field) -> Option<u32> {
        let place = self.rows.iter().position(|row| row.field == field)?;
        (place < self.read as usize).then(|| self.values[place])
    }

    /// The fields that were read: row, first byte counted from the start of the datagram, value.
    pub fn fields(&self) -> impl Iterator<Item = (Row, u32, u32)> + '_ {
        let mut offset = self.offset;
        self.rows.iter().zip(self.values).take(self.read as usize).map(move |(row, value)| {
            let at = offset;
            offset += u32::from(row.width);
            (*row, at, value)
        })
    }

    fn is(&self, id: u8) -> bool {
        self.id == id
    }

    /// Sequence number and sent time that an acknowledgement names; `None` for others and where it was cut.
    pub fn acknowledged(&self) -> Option<(u16, u16)> {
        if !self.is(id::ACKNOWLEDGE) {
            return None;
        }
        let sequence = self.value(Field::ReceivedReliableSequenceNumber)?;
        Some((sequence as u16, self.value(Field::ReceivedSentTime)? as u16))
    }

    /// What a connect or verifyConnect states; `None` for other commands and where it was cut.
    pub fn connect_body(&self) -> Option<ConnectBody> {
        if !self.is(id::CONNECT) && !self.is(id::VERIFY_CONNECT) || (self.read as usize) < self.rows.len() {
            return None;
        }
        let incoming = self.value(Field::IncomingSessionId);
        Some(ConnectBody {
            outgoing_peer: self.value(Field::OutgoingPeerId)? as u16,
            mtu: self.value(Field::Mtu)?,
            window: self.value(Field::WindowSize)?,
            channels: self.value(Field::ChannelCount)?,
            session: self.value(Field::SessionId).or_else(|| self.value(Field::ConnectId)),
            session_bits: incoming.zip(self.value(Field::OutgoingSessionId)).map(|(i, o)| (i as u8, o as u8)),
        })
    }

    /// What a fragment states; `None` for other commands and where it was cut.
    pub fn fragment(&self) -> Option<Fragment> {
        Some(Fragment {
            start: self.value(Field::StartSequenceNumber)? as u16,
            count: self.value(Field::FragmentCount)?,
            number: self.value(Field::FragmentNumber)?,
            total: self.value(Field::TotalLength)?,
            offset: self.value(Field::FragmentOffset)?,
        })
    }

    /// The unreliable sequence number of a sendUnreliable; `None` for others and where it was cut.
    pub fn unreliable_sequence(&self) -> Option<u16> {
        self.value(Field::UnreliableSequenceNumber).map(|value| value as u16)
    }

    /// The group of a sendUnsequenced; `None` for others and where it was cut.
    pub fn unsequenced_group(&self) -> Option<u16> {
        self.value(Field::UnsequencedGroup).map(|value| value as u16)
    }

    /// The number that comes with a disconnect; `None` for others and where it was cut.
    pub fn disconnect_data(&self) -> Option<u32> {
        if self.is(id::DISCONNECT) {
            self.value(Field::Data)
        } else {
            None
        }
    }
}

/// Walks the commands of a datagram: each as `Ok`, then at most one `Err` that says why the walk ended early.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    captured: &'a [u8],
    reported: usize,
    variant: HeaderVariant,
    timed: bool,
    at: usize,
    pending: Option<Problem>,
    done: bool,
}

impl<'a> Commands<'a> {
    /// The commands behind a header. `captured` is the datagram from its first byte, `reported` its length on
    /// the wire. A compressed datagram yields none: its commands cannot be read.
    pub fn new(captured: &'a [u8], reported: usize, header: &Header) -> Commands<'a> {
        Commands {
            captured,
            reported: reported.max(captured.len()),
            variant: header.variant,
            timed: header.sent_time.is_some(),
            at: header.size as usize,
            pending: None,
            done: header.is_compressed(),
        }
    }

    /// Where the walk stands, counted from the start of the datagram.
    pub fn offset(&self) -> usize {
        self.at
    }

    fn problem(&self, why: Why, field: Field, at: usize, needs: usize) -> Problem {
        let short = needs > 0 && at + needs <= self.reported;
        let left = if short { self.captured.len() } else { self.reported }.saturating_sub(at);
        let cut = Cut { field: field.id(), offset: at as u32, needs: needs as u32, left: left as u32, short };
        Problem { cut, why }
    }

    /// Reads the rows from `command.read` on; answers where they end.
    fn read_rows(&self, command: &mut Command, mut at: usize) -> Result<usize, Problem> {
        for (place, row) in command.rows.iter().enumerate().skip(command.read as usize) {
            let width = row.width as usize;
            let Some(bytes) = self.captured.get(at..at + width) else {
                return Err(self.problem(Why::TooShort, row.field, at, width));
            };
            let fold = |value: u32, byte: &u8| (value << 8) | u32::from(*byte);
            command.values[place] =
                if row.raw { bytes.iter().rev().fold(0, fold) } else { bytes.iter().fold(0, fold) };
            command.read = place as u8 + 1;
            at += width;
        }
        Ok(at)
    }

    /// Reads the command at hand as far as it goes.
    fn read(&self) -> (Command, Result<(), Problem>) {
        let mut command = Command {
            offset: self.at as u32,
            size: (self.reported - self.at) as u32,
            id: 0,
            flags: 0,
            acknowledge: false,
            unsequenced: false,
            channel: 0,
            sequence: 0,
            rows: head(),
            read: 0,
            values: [0; MOST_ROWS],
            data: None,
        };
        let head_end = self.read_rows(&mut command, self.at);
        command.flags = command.values[0] as u8;
        command.id = command.flags & 0x0F;
        command.acknowledge = command.flags & ACKNOWLEDGE != 0;
        command.unsequenced = command.flags & UNSEQUENCED != 0;
        command.channel = command.values[1] as u8;
        command.sequence = command.values[2] as u16;
        let outcome = head_end.and_then(|at| self.read_body(&mut command, at));
        (command, outcome)
    }

    fn read_body(&self, command: &mut Command, at: usize) -> Result<(), Problem> {
        debug_assert_eq!(command.read as usize, HEAD_ROWS);
        let Some(rows) = rows(self.variant, command.id) else {
            return Err(self.problem(Why::UnknownCommand(command.id), Field::Command, self.at, 0));
        };
        command.rows = rows;
        let mut end = self.read_rows(command, at)?;
        if carries_data(command.id) {
            let stated = command.value(Field::DataLength).unwrap_or(0) as usize;
            let len = stated.min(self.reported - end);
            let captured = len.min(self.captured.len() - end);
            command.data = Some(Data { offset: end as u32, len: len as u32, captured: captured as u32 });
            if len < stated {
                return Err(self.problem(Why::DataPastEnd, Field::Payload, end, stated));
            }
            end += len;
        }
        command.size = (end - self.at) as u32;
        Ok(())
    }
}

impl Iterator for Commands<'_> {
    type Item = Result<Command, Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(Problem { cut, why }) = self.pending.take() {
            self.done = true;
            return Some(Err(Stop { cut, why, partial: None }));
        }
        if self.done || self.at >= self.reported {
            return None;
        }
        let (command, outcome) = self.read();
        if let Err(Problem { cut, why }) = outcome {
            self.done = true;
            return Some(Err(Stop { cut, why, partial: (command.read > 0).then_some(command) }));
        }
        self.at += command.size as usize;
        if command.acknowledge && !self.timed {
            self.pending = Some(self.problem(Why::AcknowledgeWithoutTime, Field::SentTime, self.at, 0));
        }
        Some(Ok(command))
    }
}
