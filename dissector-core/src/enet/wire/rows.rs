//! What each command holds, as tables: the command header, then the body of each command in each family of
//! variants.

use super::header::HeaderVariant;
use crate::fields::enet::Field;

/// One field of a command; rows stand in the order of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The field it is shown and filtered as.
    pub field: Field,
    /// Bytes it takes, 1 to 4, the highest first.
    pub width: u8,
    /// The sender copies it from memory without swapping bytes, so it is read as a little-endian host wrote
    /// it; all other rows are big-endian.
    pub raw: bool,
}

/// Numbers of the commands.
pub mod id {
    /// Acknowledges one reliable command.
    pub const ACKNOWLEDGE: u8 = 1;
    /// Opens a connection; a verifyConnect answers it.
    pub const CONNECT: u8 = 2;
    /// Answers a connect: the connection is there.
    pub const VERIFY_CONNECT: u8 = 3;
    /// Ends a connection; either end may.
    pub const DISCONNECT: u8 = 4;
    /// Keeps a connection alive.
    pub const PING: u8 = 5;
    /// A payload that is sent again until acknowledged.
    pub const SEND_RELIABLE: u8 = 6;
    /// A payload in order that may be lost.
    pub const SEND_UNRELIABLE: u8 = 7;
    /// Part of a reliable payload.
    pub const SEND_FRAGMENT: u8 = 8;
    /// A payload in any order that may be lost.
    pub const SEND_UNSEQUENCED: u8 = 9;
    /// States bandwidths anew, bytes per second each way.
    pub const BANDWIDTH_LIMIT: u8 = 10;
    /// States the throttle anew: interval (milliseconds), acceleration and deceleration.
    pub const THROTTLE_CONFIGURE: u8 = 11;
    /// Part of an unreliable payload; stock ENet only.
    pub const SEND_UNRELIABLE_FRAGMENT: u8 = 12;
}

/// Most rows of a command.
pub const MOST_ROWS: usize = 16;
/// Rows of the command header, with which every command begins.
pub const HEAD_ROWS: usize = 3;

const fn row(field: Field, width: u8) -> Row {
    Row { field, width, raw: false }
}

const fn raw(field: Field, width: u8) -> Row {
    Row { field, width, raw: true }
}

/// A table of the command header and then the rows given.
macro_rules! command {
    ($name:ident: $($row:expr),*) => {
        static $name: &[Row] = &[
            row(Field::Command, 1),
            row(Field::ChannelId, 1),
            row(Field::ReliableSequenceNumber, 2),
            $($row),*
        ];
    };
}

/// As [`command!`], for connect and verifyConnect: window to throttle stand in the middle of all of them.
macro_rules! connection {
    ($name:ident: [$($front:expr),*] [$($back:expr),*]) => {
        command!($name:
            $($front,)*
            row(Field::WindowSize, 4),
            row(Field::ChannelCount, 4),
            row(Field::IncomingBandwidth, 4),
            row(Field::OutgoingBandwidth, 4),
            row(Field::PacketThrottleInterval, 4),
            row(Field::PacketThrottleAcceleration, 4),
            row(Field::PacketThrottleDeceleration, 4)
            $(, $back)*);
    };
}

command!(HEAD:);
command!(ACKNOWLEDGE: row(Field::ReceivedReliableSequenceNumber, 2), row(Field::ReceivedSentTime, 2));
command!(DISCONNECT: row(Field::Data, 4));
command!(SEND_RELIABLE: row(Field::DataLength, 2));
command!(SEND_UNRELIABLE: row(Field::UnreliableSequenceNumber, 2), row(Field::DataLength, 2));
command!(SEND_UNSEQUENCED: row(Field::UnsequencedGroup, 2), row(Field::DataLength, 2));
command!(SEND_FRAGMENT:
    row(Field::StartSequenceNumber, 2),
    row(Field::DataLength, 2),
    row(Field::FragmentCount, 4),
    row(Field::FragmentNumber, 4),
    row(Field::TotalLength, 4),
    row(Field::FragmentOffset, 4));
command!(BANDWIDTH_LIMIT: row(Field::IncomingBandwidth, 4), row(Field::OutgoingBandwidth, 4));
command!(THROTTLE_CONFIGURE:
    row(Field::PacketThrottleInterval, 4),
    row(Field::PacketThrottleAcceleration, 4),
    row(Field::PacketThrottleDeceleration, 4));

connection!(CLASSIC_CONNECT:
    [row(Field::OutgoingPeerId, 2), row(Field::Mtu, 2)]
    [raw(Field::SessionId, 4)]);
connection!(CLASSIC_VERIFY: [row(Field::OutgoingPeerId, 2), row(Field::Mtu, 2)] []);
connection!(COMPACT_CONNECT:
    [row(Field::OutgoingPeerId, 1), raw(Field::Unused, 1), row(Field::Mtu, 2)]
    [row(Field::SessionId, 1), raw(Field::Unused, 3)]);
connection!(COMPACT_VERIFY: [row(Field::OutgoingPeerId, 1), raw(Field::Unused, 1), row(Field::Mtu, 2)] []);
connection!(STOCK_CONNECT:
    [row(Field::OutgoingPeerId, 2), row(Field::IncomingSessionId, 1), row(Field::OutgoingSessionId, 1),
     row(Field::Mtu, 4)]
    [raw(Field::ConnectId, 4), row(Field::Data, 4)]);
connection!(STOCK_VERIFY:
    [row(Field::OutgoingPeerId, 2), row(Field::IncomingSessionId, 1), row(Field::OutgoingSessionId, 1),
     row(Field::Mtu, 4)]
    [raw(Field::ConnectId, 4)]);

/// The rows of a command in a variant; `None` where the variant has no such command.
pub fn rows(variant: HeaderVariant, id: u8) -> Option<&'static [Row]> {
    let (connect, verify) = match variant {
        HeaderVariant::Stock | HeaderVariant::StockChecksum => (STOCK_CONNECT, STOCK_VERIFY),
        HeaderVariant::Classic => (CLASSIC_CONNECT, CLASSIC_VERIFY),
        HeaderVariant::Compact | HeaderVariant::Prefixed | HeaderVariant::Season8 => {
            (COMPACT_CONNECT, COMPACT_VERIFY)
        }
    };
    Some(match id {
        id::ACKNOWLEDGE => ACKNOWLEDGE,
        id::CONNECT => connect,
        id::VERIFY_CONNECT => verify,
        id::DISCONNECT => DISCONNECT,
        id::PING => HEAD,
        id::SEND_RELIABLE => SEND_RELIABLE,
        id::SEND_UNRELIABLE => SEND_UNRELIABLE,
        id::SEND_FRAGMENT => SEND_FRAGMENT,
        id::SEND_UNSEQUENCED => SEND_UNSEQUENCED,
        id::BANDWIDTH_LIMIT => BANDWIDTH_LIMIT,
        id::THROTTLE_CONFIGURE => THROTTLE_CONFIGURE,
        id::SEND_UNRELIABLE_FRAGMENT if !variant.is_league() => SEND_FRAGMENT,
        _ => return None,
    })
}

/// The rows every command begins with.
pub fn head() -> &'static [Row] {
    HEAD
}

/// Whether a payload follows the rows.
pub const fn carries_data(id: u8) -> bool {
    matches!(
        id,
        id::SEND_RELIABLE
            | id::SEND_UNRELIABLE
            | id::SEND_FRAGMENT
            | id::SEND_UNSEQUENCED
            | id::SEND_UNRELIABLE_FRAGMENT
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(variant: HeaderVariant) -> Vec<usize> {
        let size = |id| rows(variant, id).map(|rows| rows.iter().map(|row| row.width as usize).sum());
        (0..16).filter_map(size).collect()
    }

    #[test]
    fn sizes_are_those_of_the_wire() {
        for variant in HeaderVariant::ALL {
            if variant.is_league() {
                assert_eq!(sizes(variant), [8, 40, 36, 8, 4, 6, 8, 24, 8, 12, 16], "{variant:?}");
            } else {
                assert_eq!(sizes(variant), [8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24], "{variant:?}");
            }
        }
    }

    #[test]
    fn rows_fit_the_values() {
        for variant in HeaderVariant::ALL {
            for id in 0..16 {
                let Some(rows) = rows(variant, id) else { continue };
                assert!(rows.len() <= MOST_ROWS);
                assert_eq!(&rows[..HEAD_ROWS], head());
                assert_eq!(carries_data(id), rows.iter().any(|row| row.field == Field::DataLength));
            }
        }
    }
}
