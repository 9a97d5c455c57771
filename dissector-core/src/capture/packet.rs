//! A packet as it reaches the engine, and the conversation it belongs to.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::id::DatagramId;

/// One end of a conversation: an address and a port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Endpoint {
    kind: u32,
    length: u8,
    address: [u8; 20],
    /// UDP port, 0 where there are no ports.
    pub port: u16,
}

impl Endpoint {
    /// An end. `kind` tells kinds of addresses apart; bytes of the address past the twentieth are ignored.
    pub fn new(kind: u32, address: &[u8], port: u16) -> Endpoint {
        let mut end = Endpoint { kind, port, ..Endpoint::default() };
        let length = address.len().min(end.address.len());
        end.address[..length].copy_from_slice(&address[..length]);
        end.length = length as u8;
        end
    }

    /// Bytes of the address, at most 20.
    pub fn address(&self) -> &[u8] {
        self.address.get(..usize::from(self.length)).unwrap_or(&[])
    }
}

/// The address as people write it, then the port.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.port;
        if let Ok(four) = <[u8; 4]>::try_from(self.address()) {
            return write!(f, "{}:{port}", Ipv4Addr::from(four));
        }
        match <[u8; 16]>::try_from(self.address()) {
            Ok(sixteen) => write!(f, "[{}]:{port}", Ipv6Addr::from(sixteen)),
            Err(_) => {
                self.address().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                write!(f, ":{port}")
            }
        }
    }
}

/// Which of the two ends of a [`ConversationKey`] sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Direction {
    /// The first end to the second.
    #[default]
    Forward,
    /// The second end to the first.
    Backward,
}

impl Direction {
    /// 0 or 1: the sending end's place in [`ConversationKey::ends`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other way round.
    pub const fn reverse(self) -> Direction {
        match self {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        }
    }
}

/// The two ends of a conversation, in the same order whoever sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConversationKey([Endpoint; 2]);

impl ConversationKey {
    /// The conversation of a packet, and which way it goes there.
    pub fn of(packet: &Packet<'_>) -> (ConversationKey, Direction) {
        ConversationKey::between(packet.source, packet.destination)
    }

    /// The conversation of two ends, and which way it goes from the first to the second.
    pub fn between(from: Endpoint, to: Endpoint) -> (ConversationKey, Direction) {
        if from <= to {
            (ConversationKey([from, to]), Direction::Forward)
        } else {
            (ConversationKey([to, from]), Direction::Backward)
        }
    }

    /// The ends: that of [`Direction::Forward`]'s sender first.
    pub fn ends(&self) -> &[Endpoint; 2] {
        &self.0
    }
}

/// How much of a packet is wanted. Each includes the ones before.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Detail {
    /// What later packets depend on, and expert items.
    State,
    /// Also the Info line.
    Columns,
    /// Also the nodes.
    Tree,
    /// Also what the headings of records say while they are closed: someone looks at the tree.
    Labels,
}

/// A packet as it was captured.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The captured bytes of the datagram or message, not of the frame.
    pub bytes: &'a [u8],
    /// Bytes there were on the wire, at least `bytes.len()`.
    pub reported: u32,
    /// Capture time, nanoseconds since 1970.
    pub time: i64,
    /// Frame number, from 1.
    pub frame: u32,
    /// Which datagram of the frame, as in [`DatagramId`].
    pub datagram: u32,
    /// The end that sends it: address and port.
    pub source: Endpoint,
    /// The end it is sent to: address and port.
    pub destination: Endpoint,
    /// How much of the result is wanted.
    pub detail: Detail,
    /// Nodes that this dissection of the frame has been given so far: together they stay below what epan takes.
    pub nodes_before: u32,
    /// Whether the frame has been read before: nothing is written then.
    pub visited: bool,
    /// Whether the packet is quoted in an error message: nothing is written then.
    pub in_error_pkt: bool,
    /// Whether the user or the conversation says that it is ENet: it is never refused then.
    pub decode_as: bool,
    /// Whether an earlier result of this datagram has begun the game's part: what is read now is shown there.
    pub league_begun: bool,
}

impl Packet<'_> {
    /// Which datagram of the capture this is.
    pub fn id(&self) -> DatagramId {
        DatagramId { frame: self.frame, datagram: self.datagram }
    }

    /// Whether state may be written from this packet.
    pub fn writes(&self) -> bool {
        !self.visited && !self.in_error_pkt
    }

    /// Whether all bytes of it were captured.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() == self.reported as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet<'a>(bytes: &'a [u8], source: Endpoint, destination: Endpoint) -> Packet<'a> {
        Packet {
            bytes,
            reported: bytes.len() as u32,
            time: 0,
            frame: 7,
            datagram: 2,
            source,
            destination,
            detail: Detail::Tree,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        }
    }

    #[test]
    fn an_address_is_kept_up_to_its_twentieth_byte() {
        let long: Vec<u8> = (1..=21).collect();
        for length in [0, 4, 16, 20] {
            assert_eq!(Endpoint::new(2, &long[..length], 5).address(), &long[..length]);
        }
        assert_eq!(Endpoint::new(2, &long, 5), Endpoint::new(2, &long[..20], 5));
        let end = Endpoint::new(2, &[192, 0, 2, 1], 5);
        for other in [(3, &[192, 0, 2, 1][..], 5), (2, &[192, 0, 2, 1, 0], 5), (2, &[192, 0, 2, 1], 6)] {
            assert_ne!(Endpoint::new(other.0, other.1, other.2), end, "kind, length and port count");
        }
    }

    #[test]
    fn an_end_is_written_as_people_write_it() {
        let text = |address: &[u8]| Endpoint::new(2, address, 9).to_string();
        let long = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
        let all = [text(&[192, 0, 2, 1]), text(&long), text(&[0xAB, 7]), text(&[])];
        assert_eq!(all, ["192.0.2.1:9", "[2001:db8::7]:9", "ab07:9", ":9"]);
    }

    #[test]
    fn a_conversation_is_one_whoever_sends() {
        let (low, high) = (Endpoint::new(2, &[10, 0, 0, 1], 9), Endpoint::new(2, &[10, 0, 0, 2], 5));
        let (there, forward) = ConversationKey::of(&packet(&[], low, high));
        let (back, backward) = ConversationKey::of(&packet(&[], high, low));
        assert_eq!((there, forward, backward), (back, Direction::Forward, Direction::Backward));
        assert_eq!(there.ends(), &[low, high]);
        let itself = ConversationKey::of(&packet(&[], low, low));
        assert_eq!((itself.0.ends(), itself.1), (&[low, low], Direction::Forward));
    }

    #[test]
    fn directions_number_the_ends_that_send() {
        assert_eq!([Direction::Forward.index(), Direction::Backward.index()], [0, 1]);
        assert_eq!(Direction::Forward.reverse(), Direction::Backward);
        assert_eq!(Direction::Backward.reverse(), Direction::Forward);
    }

    #[test]
    fn state_is_written_once_and_never_from_a_quoted_packet() {
        let end = Endpoint::default();
        for (visited, in_error_pkt, writes) in
            [(false, false, true), (true, false, false), (false, true, false), (true, true, false)]
        {
            let packet = Packet { visited, in_error_pkt, ..packet(&[], end, end) };
            assert_eq!(packet.writes(), writes, "{visited} {in_error_pkt}");
        }
    }

    #[test]
    fn a_packet_knows_where_it_stands_and_whether_it_is_whole() {
        let packet = packet(&[1, 2, 3], Endpoint::default(), Endpoint::default());
        assert_eq!(packet.id(), DatagramId { frame: 7, datagram: 2 });
        assert!(packet.is_whole() && !Packet { reported: 4, ..packet }.is_whole());
    }
}
