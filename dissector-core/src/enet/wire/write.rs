//! Writes datagrams of any variant, by the same tables they are read with: for sample captures and tests.

use super::command::{ACKNOWLEDGE, UNSEQUENCED};
use super::compressed::compress;
use super::header::HeaderVariant;
use super::rows::{id, rows};
use crate::capture::Sender;
use crate::fields::enet::Field;

/// Bytes of a fragment before its data.
const FRAGMENT_HEADER: u32 = 24;

/// A command to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outgoing<'a> {
    /// The first byte: flags and [`id`].
    pub flags: u8,
    /// Its channel; 255 for the connection's own commands.
    pub channel: u8,
    /// Its reliable sequence number, which wraps at 65536.
    pub sequence: u16,
    /// Values of its other fields; those left out are 0, the data length is always worked out.
    pub fields: Vec<(Field, u32)>,
    /// Its payload: at most 65,535 bytes, what is longer is left out.
    pub data: &'a [u8],
}

/// What a connect or verifyConnect states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The peer id the other side must put into its headers.
    pub peer: u16,
    /// The session id, in stock variants the connect id.
    pub session: u32,
    /// Largest datagram the sender takes, bytes.
    pub mtu: u16,
    /// Most unacknowledged data in flight, bytes.
    pub window: u32,
    /// How many channels the connection has.
    pub channels: u32,
}

/// A datagram to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datagram<'a> {
    /// The header variant it is written in.
    pub variant: HeaderVariant,
    /// Who sends it: [`HeaderVariant::Season8`] has a prefix where the client does.
    pub from: Option<Sender>,
    /// The bytes in front of the header, as many of them as the variant has.
    pub prefix: [u8; 8],
    /// Number of the connection, as many bits of it as the variant has.
    pub session: u32,
    /// The receiver's number for the sender, as many bits of it as the variant has.
    pub peer: u16,
    /// Low 16 bits of the clock, milliseconds; needed where a command asks for an acknowledgement.
    pub sent_time: Option<u16>,
    /// What stands in the checksum's place while the sum is made: 0 towards a peer that is not assigned yet.
    pub connect_id: u32,
    /// Its commands, in the order they are written.
    pub commands: Vec<Outgoing<'a>>,
}

impl<'a> Outgoing<'a> {
    fn control(flags: u8, sequence: u16, fields: Vec<(Field, u32)>) -> Outgoing<'a> {
        Outgoing { flags, channel: 0xFF, sequence, fields, data: &[] }
    }

    /// Acknowledges the command `sequence` of a channel, sent at `time` (milliseconds, low 16 bits).
    pub fn acknowledge(channel: u8, sequence: u16, time: u16) -> Outgoing<'a> {
        let fields = vec![
            (Field::ReceivedReliableSequenceNumber, sequence.into()),
            (Field::ReceivedSentTime, time.into()),
        ];
        Outgoing { flags: id::ACKNOWLEDGE, channel, sequence, fields, data: &[] }
    }

    /// Asks for a connection.
    pub fn connect(opening: Opening) -> Outgoing<'a> {
        Self::control(id::CONNECT | ACKNOWLEDGE, 1, opening.fields())
    }

    /// Grants a connection.
    pub fn verify_connect(opening: Opening) -> Outgoing<'a> {
        Self::control(id::VERIFY_CONNECT | ACKNOWLEDGE, 1, opening.fields())
    }

    /// Ends a connection and asks for that to be acknowledged.
    pub fn disconnect(sequence: u16, data: u32) -> Outgoing<'a> {
        Self::control(id::DISCONNECT | ACKNOWLEDGE, sequence, vec![(Field::Data, data)])
    }

    /// Ends a connection at once.
    pub fn disconnect_now(data: u32) -> Outgoing<'a> {
        Self::control(id::DISCONNECT | UNSEQUENCED, 0, vec![(Field::Data, data)])
    }

    /// Keeps a connection alive.
    pub fn ping(sequence: u16) -> Outgoing<'a> {
        Self::control(id::PING | ACKNOWLEDGE, sequence, vec![])
    }

    /// States bandwidths, bytes per second.
    pub fn bandwidth_limit(sequence: u16, incoming: u32, outgoing: u32) -> Outgoing<'a> {
        let fields = vec![(Field::IncomingBandwidth, incoming), (Field::OutgoingBandwidth, outgoing)];
        Self::control(id::BANDWIDTH_LIMIT | ACKNOWLEDGE, sequence, fields)
    }

    /// States the throttle: milliseconds, then 32nds.
    pub fn throttle_configure(sequence: u16, interval: u32, up: u32, down: u32) -> Outgoing<'a> {
        let fields = vec![
            (Field::PacketThrottleInterval, interval),
            (Field::PacketThrottleAcceleration, up),
            (Field::PacketThrottleDeceleration, down),
        ];
        Self::control(id::THROTTLE_CONFIGURE | ACKNOWLEDGE, sequence, fields)
    }

    /// A payload that is sent again until acknowledged.
    pub fn reliable(channel: u8, sequence: u16, data: &'a [u8]) -> Outgoing<'a> {
        Outgoing { flags: id::SEND_RELIABLE | ACKNOWLEDGE, channel, sequence, fields: vec![], data }
    }

    /// A payload that may be lost: number `unreliable` since the reliable command `sequence`.
    pub fn unreliable(channel: u8, sequence: u16, unreliable: u16, data: &'a [u8]) -> Outgoing<'a> {
        let fields = vec![(Field::UnreliableSequenceNumber, unreliable.into())];
        Outgoing { flags: id::SEND_UNRELIABLE, channel, sequence, fields, data }
    }

    /// A payload that may be lost, in any order.
    pub fn unsequenced(channel: u8, group: u16, data: &'a [u8]) -> Outgoing<'a> {
        let fields = vec![(Field::UnsequencedGroup, group.into())];
        Outgoing { flags: id::SEND_UNSEQUENCED | UNSEQUENCED, channel, sequence: 0, fields, data }
    }

    /// Whether it asks for an acknowledgement.
    pub fn asks(&self) -> bool {
        self.flags & ACKNOWLEDGE != 0
    }

    fn write(&self, variant: HeaderVariant, out: &mut Vec<u8>) {
        let Some(rows) = rows(variant, self.flags & 0x0F) else { return };
        let data = &self.data[..self.data.len().min(usize::from(u16::MAX))];
        for row in rows {
            let given =
                |field| self.fields.iter().find(|(name, _)| *name == field).map_or(0, |found| found.1);
            let value = match row.field {
                Field::Command => self.flags.into(),
                Field::ChannelId => self.channel.into(),
                Field::ReliableSequenceNumber => self.sequence.into(),
                Field::DataLength => data.len() as u32,
                field => given(field),
            };
            let width = usize::from(row.width);
            if row.raw {
                out.extend(&value.to_le_bytes()[..width]);
            } else {
                out.extend(&value.to_be_bytes()[4 - width..]);
            }
        }
        out.extend(data);
    }
}

impl Opening {
    fn fields(self) -> Vec<(Field, u32)> {
        vec![
            (Field::OutgoingPeerId, self.peer.into()),
            (Field::IncomingSessionId, 0xFF),
            (Field::OutgoingSessionId, 0xFF),
            (Field::Mtu, self.mtu.into()),
            (Field::WindowSize, self.window),
            (Field::ChannelCount, self.channels),
            (Field::PacketThrottleInterval, 5000),
            (Field::PacketThrottleAcceleration, 2),
            (Field::PacketThrottleDeceleration, 2),
            (Field::SessionId, self.session),
            (Field::ConnectId, self.session),
        ]
    }
}

/// The reliable commands a payload is sent with: one, or fragments where it is longer than a datagram of
/// `mtu` bytes takes. Their sequence numbers follow `sequence`.
pub fn reliable<'a>(
    (variant, from): (HeaderVariant, Option<Sender>),
    mtu: u32,
    channel: u8,
    sequence: u16,
    payload: &'a [u8],
) -> Vec<Outgoing<'a>> {
    let room = mtu.saturating_sub(variant.largest_header(from) + FRAGMENT_HEADER).max(1) as usize;
    if payload.len() <= room {
        return vec![Outgoing::reliable(channel, sequence, payload)];
    }
    let count = payload.len().div_ceil(room);
    let fragment = |(number, data): (usize, &'a [u8])| Outgoing {
        flags: id::SEND_FRAGMENT | ACKNOWLEDGE,
        channel,
        sequence: sequence.wrapping_add(number as u16),
        fields: vec![
            (Field::StartSequenceNumber, sequence.into()),
            (Field::FragmentCount, count as u32),
            (Field::FragmentNumber, number as u32),
            (Field::TotalLength, payload.len() as u32),
            (Field::FragmentOffset, (number * room) as u32),
        ],
        data,
    };
    payload.chunks(room).enumerate().map(fragment).collect()
}

impl Datagram<'_> {
    /// Its bytes. Commands that the variant does not have are left out.
    pub fn bytes(&self) -> Vec<u8> {
        self.write(None)
    }

    /// Its bytes as a host with ENet's range coder sends it: compressed where that makes the commands smaller and the
    /// variant can say so.
    pub fn compressed(&self) -> Vec<u8> {
        let can = !self.variant.is_league();
        self.write(compress(&self.commands()).filter(|_| can))
    }

    fn commands(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for command in &self.commands {
            command.write(self.variant, &mut out);
        }
        out
    }

    /// Header, checksum of the plain commands, and these or what they were compressed to.
    fn write(&self, packed: Option<Vec<u8>>) -> Vec<u8> {
        let mut out = Vec::new();
        let timed = u16::from(self.sent_time.is_some());
        let prefix = usize::from(self.variant.prefix_size(self.from));
        out.extend(&self.prefix[..prefix]);
        match self.variant {
            HeaderVariant::Stock | HeaderVariant::StockChecksum => {
                let session = (self.session as u16 & 3) << 12 | u16::from(packed.is_some()) << 14;
                out.extend((timed << 15 | session | self.peer & 0x0FFF).to_be_bytes());
            }
            HeaderVariant::Classic => {
                out.extend(self.session.to_le_bytes());
                out.extend((timed << 15 | self.peer & 0x7FFF).to_be_bytes());
            }
            HeaderVariant::Compact | HeaderVariant::Prefixed | HeaderVariant::Season8 => {
                out.extend([self.session as u8, (timed as u8) << 7 | self.peer as u8 & 0x7F]);
            }
        }
        out.extend(self.sent_time.into_iter().flat_map(u16::to_be_bytes));
        let commands = self.commands();
        if self.variant == HeaderVariant::StockChecksum {
            let summed = [&out[..], &self.connect_id.to_le_bytes(), &commands].concat();
            out.extend(crc32fast::hash(&summed).to_be_bytes());
        }
        out.extend(packed.unwrap_or(commands));
        out
    }
}
