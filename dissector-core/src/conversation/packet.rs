//! A packet as it reaches the engine, and what a user has set.

use super::output::Grade;
use super::records::Moment;

/// One end of a conversation: an address and a port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Endpoint {
    kind: u32,
    length: u8,
    address: [u8; 20],
    /// Port.
    pub port: u16,
}

impl Endpoint {
    /// An end; bytes of the address past the twentieth are ignored.
    pub fn new(kind: u32, address: &[u8], port: u16) -> Endpoint {
        let mut end = Endpoint { kind, port, ..Endpoint::default() };
        let length = address.len().min(end.address.len());
        end.address[..length].copy_from_slice(&address[..length]);
        end.length = length as u8;
        end
    }

    /// Bytes of the address.
    pub fn address(&self) -> &[u8] {
        self.address.get(..usize::from(self.length)).unwrap_or(&[])
    }
}

/// Which of the two ends of a [`Pair`] sends: 0 or 1.
pub type Side = usize;

/// The two ends of a conversation, in the same order whoever sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pair([Endpoint; 2]);

impl Pair {
    /// The pair of a packet, and which of them sends it.
    pub fn of(packet: &Packet<'_>) -> (Pair, Side) {
        let (a, b) = (packet.source, packet.destination);
        if a <= b {
            (Pair([a, b]), 0)
        } else {
            (Pair([b, a]), 1)
        }
    }

    /// The ends.
    pub fn ends(&self) -> &[Endpoint; 2] {
        &self.0
    }
}

/// A packet as it was captured.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The captured bytes.
    pub bytes: &'a [u8],
    /// Bytes there were on the wire, at least `bytes.len()`.
    pub reported: u32,
    /// Capture time, nanoseconds.
    pub time: i64,
    /// Frame number, from 1.
    pub frame: u32,
    /// Which datagram of the frame, from 0.
    pub datagram: u32,
    /// Sender.
    pub source: Endpoint,
    /// Receiver.
    pub destination: Endpoint,
    /// How much is wanted.
    pub grade: Grade,
    /// Whether the frame has been read before: nothing is written then.
    pub visited: bool,
    /// Whether the packet is quoted in an error message: nothing is written then.
    pub quoted: bool,
    /// Whether it is known to be ENet: it is never refused then.
    pub forced: bool,
}

impl Packet<'_> {
    /// Which datagram of the capture this is.
    pub(super) fn moment(&self) -> Moment {
        Moment { frame: self.frame, datagram: self.datagram }
    }

    /// Whether state may be written from this packet.
    pub fn writes(&self) -> bool {
        !self.visited && !self.quoted
    }
}

/// What a user has set, as text.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Keys, separated by commas, semicolons or white space.
    pub keys: String,
    /// Path of a file of names, one a line; empty for none.
    pub names: String,
    /// Channel of messages that come without ENet; one above 255 is told as a problem.
    pub user_channel: u32,
    /// Whether payloads of the game in ENet are left to other dissectors.
    pub without_league: bool,
    /// `auto`, empty, or a build.
    pub build: String,
    /// The build to fall back on; may be empty.
    pub fallback_build: String,
    /// `auto`, empty, or a header shape.
    pub shape: String,
    /// `auto`, empty, or the map's origin as `x,z`.
    pub origin: String,
    /// Port ranges in which one datagram is enough to claim a conversation.
    pub ports: Vec<(u16, u16)>,
    /// `auto`, empty, or the protocol of every Bedrock session.
    pub bedrock_protocol: String,
    /// Keys of Bedrock sessions as `key` or `address=key`, separated by commas, semicolons or white space.
    pub bedrock_keys: String,
}
