//! Fields and expert items of `enet`: datagrams, their commands, and what a session knows of each.

use super::expert::{expert, ExpertSpec, Group, Severity};
use super::table::table;
use crate::field::{field, flagged, measured, protocol, valued, Base, FieldSpec, Kind, Mask, ValueStrings};

/// Names of the commands, in ENet's spelling.
pub const COMMANDS: ValueStrings = &[
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

/// What is known of a checksum, in epan's numbers and words.
pub const CHECKSUM_STATUSES: ValueStrings = &[(0, "Bad"), (1, "Good"), (2, "Unverified")];

table! {
    /// A field of a datagram.
    Field: FieldSpec, FIELDS after 0;
    Enet = protocol("enet", "ENet Protocol", "ENet", "One ENet datagram");
    Variant = field("enet.shape", "Header shape", Kind::Text, Base::None, "Which of the known header shapes the datagram is read with");
    Stream = field("enet.stream", "Stream", Kind::U32, Base::Dec, "Number of the session, from connect to disconnect, counted through the capture from 0");
    Prefix = field("enet.prefix", "Prefix", Kind::Bytes, Base::None, "4 or 8 bytes of unknown meaning before the header; no receiver is known to check them");
    Checksum = field("enet.checksum", "Checksum", Kind::U32, Base::Hex, "CRC-32 of the datagram, computed with the connection's id in this place");
    ChecksumStatus = valued("enet.checksum.status", "Checksum Status", Kind::U8, Base::None, CHECKSUM_STATUSES, "Whether the checksum fits; unverified where the connection's id is not known");
    SessionId = field("enet.sessionID", "Session ID", Kind::U32, Base::Hex, "Number of the connection on this peer: 32 bits in the classic shape, 8 in later ones, 2 in stock ENet");
    PeerId = field("enet.peerID", "Peer ID", Kind::U16, Base::Dec, "The receiver's number for the sender; the highest number (0xfff, 0x7fff or 0x7f by shape) is not assigned yet");
    FlagSentTime = flagged("enet.flags.sentTime", "Sent time present", &[Mask { bit: 15, bytes: 2 }, Mask { bit: 7, bytes: 1 }], "Whether the header holds a sent time: it does when a command asks to be acknowledged");
    FlagCompressed = flagged("enet.flags.compressed", "Compressed", &[Mask { bit: 14, bytes: 2 }], "Whether the commands are compressed (stock ENet only)");
    SentTime = measured("enet.sentTime", "Sent time", Kind::U16, Base::Dec, "ms", "Low 16 bits of the sender's clock, milliseconds");
    CompressedData = field("enet.compressedData", "Compressed commands", Kind::Bytes, Base::None, "The commands as they were sent where they came compressed");
    CompressedSize = field("enet.compressedSize", "Compressed size", Kind::U32, Base::Dec, "Bytes of the compressed commands");
    DecompressedSize = field("enet.decompressedSize", "Decompressed size", Kind::U32, Base::Dec, "Bytes of the commands once they were opened, 65536 at the most");
    CommandItem = field("enet.command.item", "Command", Kind::Record, Base::None, "One command with all its fields");
    Command = valued("enet.command", "Command", Kind::U8, Base::Dec, COMMANDS, "What the command is, 1 to 12");
    Acknowledge = flagged("enet.command.acknowledge", "Acknowledge", &[Mask { bit: 7, bytes: 1 }], "Whether the sender asks for this command to be acknowledged");
    Unsequenced = flagged("enet.command.unsequenced", "Unsequenced", &[Mask { bit: 6, bytes: 1 }], "Whether the command is outside the channel's order");
    ChannelId = field("enet.channelID", "Channel", Kind::U8, Base::Dec, "Channel of the command, 0 to 254; 255 carries the connection's own commands");
    ReliableSequenceNumber = field("enet.reliableSequenceNumber", "Reliable sequence number", Kind::U16, Base::Dec, "Number of the command on its channel, counted from 1 and wrapping; of the last reliable one for an unreliable command; meaningless in an acknowledgement of a sender older than ENet 1.3.8");
    ReceivedReliableSequenceNumber = field("enet.receivedReliableSequenceNumber", "Acknowledged sequence number", Kind::U16, Base::Dec, "Reliable sequence number of the command that is acknowledged");
    ReceivedSentTime = measured("enet.receivedSentTime", "Acknowledged sent time", Kind::U16, Base::Dec, "ms", "Sent time of the datagram whose command is acknowledged, milliseconds");
    OutgoingPeerId = field("enet.outgoingPeerID", "Outgoing peer ID", Kind::U16, Base::Dec, "The peer id that the other side must put into its headers");
    IncomingSessionId = field("enet.incomingSessionID", "Incoming session ID", Kind::U8, Base::Hex, "Session id the sender expects in headers, 0 to 3; 255 before the first connection");
    OutgoingSessionId = field("enet.outgoingSessionID", "Outgoing session ID", Kind::U8, Base::Hex, "Session id the sender puts into headers, 0 to 3; 255 before the first connection");
    Mtu = field("enet.mtu", "MTU", Kind::U32, Base::Dec, "Largest datagram, bytes, 576 to 4096");
    WindowSize = field("enet.windowSize", "Window size", Kind::U32, Base::Dec, "Most unacknowledged reliable data in flight, bytes, 4096 to 65536");
    ChannelCount = field("enet.channelCount", "Channel count", Kind::U32, Base::Dec, "How many channels, 1 to 255");
    IncomingBandwidth = field("enet.incomingBandwidth", "Incoming bandwidth", Kind::U32, Base::Dec, "What the sender can receive, bytes per second; 0 is without limit");
    OutgoingBandwidth = field("enet.outgoingBandwidth", "Outgoing bandwidth", Kind::U32, Base::Dec, "What the sender can send, bytes per second; 0 is without limit");
    PacketThrottleInterval = measured("enet.packetThrottleInterval", "Throttle interval", Kind::U32, Base::Dec, "ms", "How often the share of unreliable data is adjusted, milliseconds");
    PacketThrottleAcceleration = field("enet.packetThrottleAcceleration", "Throttle acceleration", Kind::U32, Base::Dec, "How much the share of unreliable data grows at a time, in 32nds");
    PacketThrottleDeceleration = field("enet.packetThrottleDeceleration", "Throttle deceleration", Kind::U32, Base::Dec, "How much the share of unreliable data shrinks at a time, in 32nds");
    ConnectId = field("enet.connectID", "Connect ID", Kind::U32, Base::Hex, "Random number that names the connection, in the sender's byte order");
    Data = field("enet.data", "Data", Kind::U32, Base::Dec, "A number the application gives when it connects or disconnects");
    DataLength = field("enet.dataLength", "Data length", Kind::U16, Base::Dec, "Length of the payload, bytes");
    UnreliableSequenceNumber = field("enet.unreliableSequenceNumber", "Unreliable sequence number", Kind::U16, Base::Dec, "Number of the unreliable command since the last reliable one on its channel, from 1");
    UnsequencedGroup = field("enet.unsequencedGroup", "Unsequenced group", Kind::U16, Base::Dec, "Number by which a receiver drops a second copy of an unsequenced command, wrapping");
    StartSequenceNumber = field("enet.startSequenceNumber", "Start sequence number", Kind::U16, Base::Dec, "Sequence number of the first fragment");
    FragmentCount = field("enet.fragmentCount", "Fragment count", Kind::U32, Base::Dec, "How many fragments the payload has");
    FragmentNumber = field("enet.fragmentNumber", "Fragment number", Kind::U32, Base::Dec, "Which fragment this is, counted from 0");
    TotalLength = field("enet.totalLength", "Total length", Kind::U32, Base::Dec, "Length of the whole payload, bytes");
    FragmentOffset = field("enet.fragmentOffset", "Fragment offset", Kind::U32, Base::Dec, "Where this fragment begins in the payload, bytes");
    Unused = field("enet.unused", "Unused", Kind::Bytes, Base::None, "Bytes that hold nothing in this header shape");
    Payload = field("enet.payload", "Payload", Kind::Bytes, Base::None, "What the command carries, as it stands in the datagram: enciphered where the game enciphers it");
    AckedIn = field("enet.ackedIn", "Acknowledged in", Kind::Frame, Base::None, "Frame that holds the first acknowledgement of this command");
    AckTo = field("enet.ackTo", "Acknowledges", Kind::Frame, Base::None, "Frame that holds the acknowledged command");
    Rtt = field("enet.rtt", "Round trip", Kind::Duration, Base::None, "Time from the acknowledged command, last sent, to this acknowledgement; not there where time runs back in the capture");
    Retransmission = field("enet.retransmission", "Retransmission", Kind::Bool, Base::None, "Set where the same reliable command was sent before");
    RetransmissionOf = field("enet.retransmissionOf", "Retransmission of", Kind::Frame, Base::None, "Frame in which the command was first seen");
    OutOfOrder = field("enet.outOfOrder", "Out of order", Kind::Bool, Base::None, "Set where a later command of the channel was seen before this one");
    Gap = field("enet.gap", "Missing before", Kind::U16, Base::Dec, "How many sequence numbers of the channel are missing right before this one");
    Duplicate = field("enet.duplicate", "Duplicate", Kind::Bool, Base::None, "Set where the same datagram was captured before (same bytes, same sent time), or the same unreliable command, fragment or unsequenced group came before: it changes nothing");
    DuplicateOf = field("enet.duplicateOf", "Duplicate of", Kind::Frame, Base::None, "Frame in which the datagram was first captured");
    ReassembledIn = field("enet.reassembledIn", "Payload complete in", Kind::Frame, Base::None, "Frame that completes the payload this fragment belongs to");
    Fragments = field("enet.fragments", "Fragments", Kind::Record, Base::None, "The fragments of a payload");
    Fragment = field("enet.fragment", "Fragment", Kind::Frame, Base::None, "Frame of a fragment");
    FragmentOverlap = field("enet.fragment.overlap", "Overlap", Kind::Bool, Base::None, "Whether fragments overlap");
    FragmentOverlapConflicts = field("enet.fragment.overlap.conflicts", "Conflicting overlap", Kind::Bool, Base::None, "Whether fragments overlap and differ there");
    FragmentMultipleTails = field("enet.fragment.multipleTails", "Several last fragments", Kind::Bool, Base::None, "Whether more than one fragment is the last");
    FragmentTooLong = field("enet.fragment.tooLong", "Fragment too long", Kind::Bool, Base::None, "Whether a fragment reaches past the end of the payload");
    FragmentError = field("enet.fragment.error", "Reassembly error", Kind::Frame, Base::None, "Frame of a fragment that could not be put together with the others");
    FragmentFrames = field("enet.fragment.frames", "Fragments in all", Kind::U32, Base::Dec, "How many fragments the payload was put together from");
    FragmentReassembledIn = field("enet.fragment.reassembledIn", "Reassembled in", Kind::Frame, Base::None, "Frame in which the fragments were put together");
    FragmentReassembledLength = field("enet.fragment.reassembledLength", "Reassembled length", Kind::U32, Base::Dec, "Length of the payload put together, bytes");
    FragmentReassembledData = field("enet.fragment.reassembledData", "Reassembled data", Kind::Bytes, Base::None, "The payload put together");
}

table! {
    /// An expert item about a datagram or a command.
    Expert: ExpertSpec, EXPERTS after 0;
    Malformed = expert("enet.malformed", Group::Malformed, Severity::Error, "The datagram does not fit the ENet format");
    Short = expert("enet.short", Group::Undecoded, Severity::Note, "The capture cut the datagram short");
    Surplus = expert("enet.surplus", Group::Malformed, Severity::Warn, "Bytes after the last command");
    Retransmitted = expert("enet.retransmitted", Group::Sequence, Severity::Note, "A command that was sent before");
    Missing = expert("enet.missing", Group::Sequence, Severity::Warn, "Commands before this one are missing from the capture");
    Compressed = expert("enet.compressed", Group::Undecoded, Severity::Note, "The commands are compressed and shown as bytes");
    Moved = expert("enet.moved", Group::Assumption, Severity::Note, "The session goes on with another address or port at one end");
    Refused = expert("enet.refused", Group::Protocol, Severity::Warn, "The server answers with another session than the client asked for: a client refuses it");
    TimeBack = expert("enet.timeBack", Group::Sequence, Severity::Note, "Captured before what it acknowledges: time runs back in this capture");
    ChecksumBad = expert("enet.checksum.bad", Group::Checksum, Severity::Error, "Bad checksum");
    Undecided = expert("enet.undecided", Group::Assumption, Severity::Note, "The header shape of this session is not settled yet");
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
            assert!(!spec.title.is_empty() && !spec.blurb.is_empty() && spec.blurb != spec.title, "{name}");
            // a number without a base is shown by its names alone
            let is_number = spec.kind.is_integer() && spec.value_strings.is_empty();
            assert!(spec.base == Base::None || spec.kind.is_integer(), "{name}");
            assert!(spec.base != Base::None || !is_number, "{name}");
            assert!(spec.value_strings.is_empty() || spec.kind.is_integer(), "{name}");
        }
    }

    #[test]
    fn numbers_are_places() {
        assert_eq!(Field::Enet.id(), 0);
        assert_eq!(Field::FragmentReassembledData.id() as usize, FIELDS.len() - 1);
        assert_eq!(Field::FragmentReassembledData.id() - Field::Fragments.id(), 10);
        assert_eq!(Field::SentTime.spec().name, "enet.sentTime");
        assert_eq!(command_name(8), Some("sendFragment"));
        assert_eq!((command_name(0), command_name(13)), (None, None));
        for (index, (id, _)) in COMMANDS.iter().enumerate() {
            assert_eq!(*id, index as i64 + 1);
        }
    }
}
