//! The fields of a datagram, in the order the registry keeps them: a [`Field`]'s number is its place in
//! [`FIELDS`].

use crate::field::{Base, FieldSpec, Kind, Words};
use crate::tree::FieldId;

/// Names of the commands, in ENet's spelling.
pub const COMMANDS: Words = &[
    (1, "acknowledge"),
    (2, "connect"),
    (3, "verifyConnect"),
    (4, "disconnect"),
    (5, "ping"),
    (6, "sendReliable"),
    (7, "sendUnreliable"),
    (8, "sendFragment"),
    (9, "sendUnsequenced"),
    (10, "bandwidthLimit"),
    (11, "throttleConfigure"),
    (12, "sendUnreliableFragment"),
];

macro_rules! fields {
    ($($variant:ident = $name:literal, $title:literal, $kind:ident, $base:ident, $words:expr, $about:literal;)*) => {
        /// A field of a datagram.
        #[repr(u16)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Field {
            $(#[doc = concat!("`", $name, "`: ", $about)] $variant,)*
        }

        /// All fields of a datagram; [`Field::id`] is the index.
        pub static FIELDS: [FieldSpec; COUNT] = [
            $(FieldSpec {
                name: $name,
                title: $title,
                kind: Kind::$kind,
                base: Base::$base,
                words: $words,
                about: $about,
            },)*
        ];

        /// How many fields a datagram has.
        pub const COUNT: usize = [$(Field::$variant),*].len();
    };
}

fields! {
    Enet = "enet", "ENet Protocol", Protocol, None, &[], "One ENet datagram";
    Shape = "enet.shape", "Header shape", Text, None, &[],
        "Which of the known header shapes the datagram is read with";
    Stream = "enet.stream", "Stream", U32, Dec, &[],
        "Number of the session, from connect to disconnect, counted through the capture from 0";

    Prefix = "enet.prefix", "Prefix", Bytes, None, &[],
        "4 or 8 bytes of unknown meaning before the header; no receiver is known to check them";
    Checksum = "enet.checksum", "Checksum", U32, Hex, &[],
        "CRC-32 of the datagram, computed with the connection's id in this place";
    ChecksumStatus = "enet.checksum.status", "Checksum status", Text, None, &[],
        "Whether the checksum fits: good, bad or unverified";
    SessionId = "enet.sessionID", "Session ID", U32, Hex, &[],
        "Number of the connection on this peer: 32 bits in the classic shape, 8 in later ones, 2 in stock \
         ENet";
    PeerId = "enet.peerID", "Peer ID", U16, Dec, &[],
        "The receiver's number for the sender; the highest number (0xfff, 0x7fff or 0x7f by shape) is not \
         assigned yet";
    FlagSentTime = "enet.flags.sentTime", "Sent time present", Bool, None, &[],
        "Whether the header holds a sent time: it does when a command asks to be acknowledged";
    FlagCompressed = "enet.flags.compressed", "Compressed", Bool, None, &[],
        "Whether the commands are compressed (stock ENet only)";
    SentTime = "enet.sentTime", "Sent time", U16, Dec, &[],
        "Low 16 bits of the sender's clock, milliseconds";
    CompressedData = "enet.compressedData", "Compressed commands", Bytes, None, &[],
        "Commands in a compressed form, not read";

    CommandItem = "enet.command.item", "Command", Record, None, &[], "One command with all its fields";
    Command = "enet.command", "Command", U8, Dec, COMMANDS, "What the command is, 1 to 12";
    Acknowledge = "enet.command.acknowledge", "Acknowledge", Bool, None, &[],
        "Whether the sender asks for this command to be acknowledged";
    Unsequenced = "enet.command.unsequenced", "Unsequenced", Bool, None, &[],
        "Whether the command is outside the channel's order";
    ChannelId = "enet.channelID", "Channel", U8, Dec, &[],
        "Channel of the command, 0 to 254; 255 carries the connection's own commands";
    ReliableSequenceNumber = "enet.reliableSequenceNumber", "Reliable sequence number", U16, Dec, &[],
        "Number of the command on its channel, counted from 1 and wrapping; of the last reliable one for an unreliable \
         command; meaningless in an acknowledgement of a sender older than ENet 1.3.8";

    ReceivedReliableSequenceNumber = "enet.receivedReliableSequenceNumber", "Acknowledged sequence number", U16, Dec,
        &[], "Reliable sequence number of the command that is acknowledged";
    ReceivedSentTime = "enet.receivedSentTime", "Acknowledged sent time", U16, Dec, &[],
        "Sent time of the datagram whose command is acknowledged, milliseconds";
    OutgoingPeerId = "enet.outgoingPeerID", "Outgoing peer ID", U16, Dec, &[],
        "The peer id that the other side must put into its headers";
    IncomingSessionId = "enet.incomingSessionID", "Incoming session ID", U8, Hex, &[],
        "Session id the sender expects in headers, 0 to 3; 255 before the first connection";
    OutgoingSessionId = "enet.outgoingSessionID", "Outgoing session ID", U8, Hex, &[],
        "Session id the sender puts into headers, 0 to 3; 255 before the first connection";
    Mtu = "enet.mtu", "MTU", U32, Dec, &[], "Largest datagram, bytes, 576 to 4096";
    WindowSize = "enet.windowSize", "Window size", U32, Dec, &[],
        "Most unacknowledged reliable data in flight, bytes, 4096 to 65536";
    ChannelCount = "enet.channelCount", "Channel count", U32, Dec, &[], "How many channels, 1 to 255";
    IncomingBandwidth = "enet.incomingBandwidth", "Incoming bandwidth", U32, Dec, &[],
        "What the sender can receive, bytes per second; 0 is without limit";
    OutgoingBandwidth = "enet.outgoingBandwidth", "Outgoing bandwidth", U32, Dec, &[],
        "What the sender can send, bytes per second; 0 is without limit";
    PacketThrottleInterval = "enet.packetThrottleInterval", "Throttle interval", U32, Dec, &[],
        "How often the share of unreliable data is adjusted, milliseconds";
    PacketThrottleAcceleration = "enet.packetThrottleAcceleration", "Throttle acceleration", U32, Dec, &[],
        "How much the share of unreliable data grows at a time, in 32nds";
    PacketThrottleDeceleration = "enet.packetThrottleDeceleration", "Throttle deceleration", U32, Dec, &[],
        "How much the share of unreliable data shrinks at a time, in 32nds";
    ConnectId = "enet.connectID", "Connect ID", U32, Hex, &[],
        "Random number that names the connection, in the sender's byte order";
    Data = "enet.data", "Data", U32, Dec, &[], "A number the application gives when it connects or disconnects";
    DataLength = "enet.dataLength", "Data length", U16, Dec, &[], "Length of the payload, bytes";
    UnreliableSequenceNumber = "enet.unreliableSequenceNumber", "Unreliable sequence number", U16, Dec, &[],
        "Number of the unreliable command since the last reliable one on its channel, from 1";
    UnsequencedGroup = "enet.unsequencedGroup", "Unsequenced group", U16, Dec, &[],
        "Number by which a receiver drops a second copy of an unsequenced command, wrapping";
    StartSequenceNumber = "enet.startSequenceNumber", "Start sequence number", U16, Dec, &[],
        "Sequence number of the first fragment";
    FragmentCount = "enet.fragmentCount", "Fragment count", U32, Dec, &[], "How many fragments the payload has";
    FragmentNumber = "enet.fragmentNumber", "Fragment number", U32, Dec, &[],
        "Which fragment this is, counted from 0";
    TotalLength = "enet.totalLength", "Total length", U32, Dec, &[], "Length of the whole payload, bytes";
    FragmentOffset = "enet.fragmentOffset", "Fragment offset", U32, Dec, &[],
        "Where this fragment begins in the payload, bytes";
    Unused = "enet.unused", "Unused", Bytes, None, &[], "Bytes that hold nothing in this header shape";
    Payload = "enet.payload", "Payload", Bytes, None, &[],
        "What the command carries, as it stands in the datagram: enciphered where the game enciphers it";

    AckedIn = "enet.ackedIn", "Acknowledged in", Frame, None, &[],
        "Frame that holds the first acknowledgement of this command";
    AckTo = "enet.ackTo", "Acknowledges", Frame, None, &[], "Frame that holds the acknowledged command";
    Rtt = "enet.rtt", "Round trip", Duration, None, &[],
        "Time from the acknowledged command, last sent, to this acknowledgement";
    Retransmission = "enet.retransmission", "Retransmission", Bool, None, &[],
        "Set where the same reliable command was sent before";
    RetransmissionOf = "enet.retransmissionOf", "Retransmission of", Frame, None, &[],
        "Frame in which the command was first seen";
    OutOfOrder = "enet.outOfOrder", "Out of order", Bool, None, &[],
        "Set where a later command of the channel was seen before this one";
    Gap = "enet.gap", "Missing before", U16, Dec, &[],
        "How many sequence numbers of the channel are missing right before this one";
    Duplicate = "enet.duplicate", "Duplicate", Bool, None, &[],
        "Set where an unreliable or unsequenced command with the same number was seen before";
    ReassembledIn = "enet.reassembledIn", "Payload complete in", Frame, None, &[],
        "Frame that completes the payload this fragment belongs to";

    Fragments = "enet.fragments", "Fragments", Record, None, &[], "The fragments of a payload";
    Fragment = "enet.fragment", "Fragment", Frame, None, &[], "Frame of a fragment";
    FragmentOverlap = "enet.fragment.overlap", "Overlap", Bool, None, &[], "Whether fragments overlap";
    FragmentOverlapConflicts = "enet.fragment.overlap.conflicts", "Conflicting overlap", Bool, None, &[],
        "Whether fragments overlap and differ there";
    FragmentMultipleTails = "enet.fragment.multipleTails", "Several last fragments", Bool, None, &[],
        "Whether more than one fragment is the last";
    FragmentTooLong = "enet.fragment.tooLong", "Fragment too long", Bool, None, &[],
        "Whether a fragment reaches past the end of the payload";
    FragmentError = "enet.fragment.error", "Reassembly error", Frame, None, &[],
        "Frame of a fragment that could not be put together with the others";
    FragmentFrames = "enet.fragment.frames", "Fragments in all", U32, Dec, &[],
        "How many fragments the payload was put together from";
    FragmentReassembledIn = "enet.fragment.reassembledIn", "Reassembled in", Frame, None, &[],
        "Frame in which the fragments were put together";
    FragmentReassembledLength = "enet.fragment.reassembledLength", "Reassembled length", U32, Dec, &[],
        "Length of the payload put together, bytes";
    FragmentReassembledData = "enet.fragment.reassembledData", "Reassembled data", Bytes, None, &[],
        "The payload put together";
}

impl Field {
    /// Its number in the registry.
    pub const fn id(self) -> FieldId {
        self as FieldId
    }

    /// What it is.
    pub fn spec(self) -> &'static FieldSpec {
        &FIELDS[self as usize]
    }
}

/// The name of a command, such as `sendReliable`; `None` outside 1 to 12.
pub fn command_name(id: u8) -> Option<&'static str> {
    COMMANDS.get((id as usize).checked_sub(1)?).map(|word| word.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_obey_what_epan_demands() {
        let mut seen = HashSet::new();
        for spec in &FIELDS {
            let name = spec.name;
            assert!(name == "enet" || name.starts_with("enet."), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.'), "{name}");
            assert!(!name.contains("..") && !name.ends_with('.'), "{name}");
            assert!(seen.insert(name.to_ascii_lowercase().replace('.', "_")), "{name} twice");
            assert!(!spec.title.is_empty() && !spec.about.is_empty() && spec.about != spec.title, "{name}");
            assert_eq!(spec.kind.is_integer(), spec.base != Base::None, "{name}");
            assert!(spec.words.is_empty() || spec.kind.is_integer(), "{name}");
        }
    }

    #[test]
    fn numbers_are_places() {
        assert_eq!(Field::Enet.id(), 0);
        assert_eq!(Field::FragmentReassembledData.id() as usize, COUNT - 1);
        assert_eq!(Field::FragmentReassembledData.id() - Field::Fragments.id(), 10);
        assert_eq!(Field::SentTime.spec().name, "enet.sentTime");
        assert_eq!(command_name(8), Some("sendFragment"));
        assert_eq!((command_name(0), command_name(13)), (None, None));
        for (index, (id, _)) in COMMANDS.iter().enumerate() {
            assert_eq!(*id, index as i64 + 1);
        }
    }
}
