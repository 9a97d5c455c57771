//! Fields and expert items of `bedrock` that no layout states: framing, encryption, packet headers, the path of an actor.

use super::expert::{expert, ExpertSpec, Group, Severity};
use super::table::table;
use super::{enet, lol};
use crate::book::bedrock_names::PACKETS;
use crate::field::{field, protocol, valued, Base, FieldSpec, Kind, ValueStrings};

const COMPRESSIONS: ValueStrings = &[(0, "deflate"), (1, "Snappy"), (255, "none")];
const MESSAGES: ValueStrings = &[(0xFE, "Game packet")];

table! {
    /// A field of a Bedrock message around its packets' bodies.
    Field: FieldSpec, FIELDS after enet::FIELDS.len() + lol::FIELDS.len();
    Bedrock = protocol("bedrock", "Minecraft Bedrock", "Bedrock", "One message of Minecraft Bedrock: a batch of packets");
    Session = field("bedrock.session", "Session", Kind::U32, Base::Dec, "Number of the session in this capture, from 0; a reconnect is a new one");
    Protocol = field("bedrock.protocol", "Protocol", Kind::U16, Base::Dec, "Protocol version the packets are read as, such as 2208");
    ProtocolSource = field("bedrock.protocol.source", "Protocol known from", Kind::Text, Base::None, "stated (by the client) or preference");
    ProtocolStatedIn = field("bedrock.protocol.statedIn", "Protocol stated in", Kind::Frame, Base::None, "The frame in which the client states its protocol");
    Sender = field("bedrock.sender", "Sender", Kind::Text, Base::None, "Which end sent it: client or server");
    MessageId = valued("bedrock.messageId", "Message", Kind::U8, Base::Hex, MESSAGES, "254 marks a game packet among the messages of RakNet");
    Enciphered = field("bedrock.enciphered", "Enciphered", Kind::Bytes, Base::None, "A batch that cannot be deciphered");
    KeyState = field("bedrock.key.state", "Key", Kind::Text, Base::None, "verified (the trailer proves it), unverified (cut short), wrong (no given key fits), waiting (for an earlier message), lost (an earlier message is missing) or none");
    Counter = field("bedrock.counter", "Counter", Kind::U64, Base::Dec, "How many enciphered messages this end sent before this one");
    Trailer = field("bedrock.trailer", "Trailer", Kind::U64, Base::Hex, "First 8 bytes of the digest over counter, batch and key, in the order they come");
    Resent = field("bedrock.resentFrom", "Sent before in", Kind::Frame, Base::None, "The frame in which the same message came first");
    Compression = valued("bedrock.compression", "Compression", Kind::U8, Base::Dec, COMPRESSIONS, "How this batch is compressed, as it says itself");
    CompressionMethod = field("bedrock.compression.method", "Compressed as", Kind::Text, Base::None, "How the batch was read: none, deflate, zlib or Snappy");
    Compressed = field("bedrock.compressed", "Compressed batch", Kind::Bytes, Base::None, "The batch as it was sent");
    DecompressedLength = field("bedrock.decompressedLength", "Decompressed length", Kind::U32, Base::Dec, "Bytes of the batch after decompression");
    PacketCount = field("bedrock.packetCount", "Packets", Kind::U32, Base::Dec, "How many packets the batch holds");
    Packet = field("bedrock.packet", "Packet", Kind::Record, Base::None, "One packet of the batch");
    PacketLength = field("bedrock.packet.length", "Length", Kind::U32, Base::Dec, "Bytes of the packet, its header included");
    PacketHeader = field("bedrock.packet.header", "Header", Kind::U32, Base::Hex, "Number of the packet (10 bits) and the two sub-clients (2 bits each)");
    PacketId = valued("bedrock.packet.id", "Number", Kind::U16, Base::Dec, PACKETS, "Number of the packet, which says what it is");
    PacketName = field("bedrock.packet.name", "Name", Kind::Text, Base::None, "Name of the packet, where its number is known");
    SenderSubClient = field("bedrock.packet.senderSubClient", "Sender sub-client", Kind::U8, Base::Dec, "Which player of a split screen sent it");
    TargetSubClient = field("bedrock.packet.targetSubClient", "Target sub-client", Kind::U8, Base::Dec, "Which player of a split screen it is for");
    PacketBody = field("bedrock.packet.body", "Body", Kind::Bytes, Base::None, "Bytes of a packet without a layout");
    LeftOver = field("bedrock.packet.leftOver", "Left over", Kind::Bytes, Base::None, "Bytes after the end of the layout");
    Actor = field("bedrock.actor", "Actor", Kind::Record, Base::None, "Where the actor is now, put together from this packet and those before");
    ActorId = field("bedrock.actor.id", "Runtime id", Kind::U64, Base::Dec, "Runtime id of the actor");
    ActorX = field("bedrock.actor.x", "X", Kind::Double, Base::None, "Its X coordinate as stated last, blocks");
    ActorY = field("bedrock.actor.y", "Y", Kind::Double, Base::None, "Its Y coordinate (height) as stated last, blocks");
    ActorZ = field("bedrock.actor.z", "Z", Kind::Double, Base::None, "Its Z coordinate as stated last, blocks");
}

table! {
    /// An expert item about a Bedrock message.
    Expert: ExpertSpec, EXPERTS after enet::EXPERTS.len() + lol::EXPERTS.len();
    Malformed = expert("bedrock.malformed", Group::Malformed, Severity::Error, "The message ends before its layout does");
    Short = expert("bedrock.short", Group::Undecoded, Severity::Note, "The capture cut the message short");
    Surplus = expert("bedrock.surplus", Group::Malformed, Severity::Warn, "Bytes after the end of the packet's layout");
    Unusual = expert("bedrock.unusual", Group::Protocol, Severity::Warn, "A value that no known writer writes");
    TooLarge = expert("bedrock.tooLarge", Group::Undecoded, Severity::Warn, "The batch grows beyond what is decompressed");
    Unread = expert("bedrock.unread", Group::Undecoded, Severity::Note, "The packet fits no layout");
    Inferred = expert("bedrock.inferred", Group::Assumption, Severity::Note, "Worked out from the capture, not stated in it");
    ProtocolContradicted = expert("bedrock.protocolContradicted", Group::Assumption, Severity::Warn, "The client states another protocol than the preference bedrock.protocol");
    KeyNeeded = expert("bedrock.keyNeeded", Group::Security, Severity::Note, "The session is enciphered and no key was given");
    KeyWrong = expert("bedrock.keyWrong", Group::Security, Severity::Warn, "No given key fits this session");
    Lost = expert("bedrock.lost", Group::Sequence, Severity::Warn, "Messages before this one are missing, so it cannot be deciphered");
    Resent = expert("bedrock.resent", Group::Sequence, Severity::Note, "A message that was sent before");
    Outdated = expert("bedrock.outdated", Group::Sequence, Severity::Note, "A message that a receiver drops, as a later one of its sequence came before");
    TooMany = expert("bedrock.tooMany", Group::Undecoded, Severity::Warn, "More items than one packet may show; the rest is left out");
}
