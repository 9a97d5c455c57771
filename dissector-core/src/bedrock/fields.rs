//! The fields of `bedrock` that no layout states: framing, encryption, packet headers, the path of an actor.

use crate::book::bedrock_names::PACKETS;
use crate::field::{field, Base, FieldSpec, Kind, Words};
use crate::tree::FieldId;
use crate::{conversation, enet};

/// Fields of `bedrock`, in the order of [`FIELDS`].
#[allow(missing_docs)] // each is documented by its row in FIELDS
#[repr(u16)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    Bedrock,
    Session,
    Protocol,
    ProtocolSource,
    ProtocolStatedIn,
    Sender,
    MessageId,
    Enciphered,
    KeyState,
    Counter,
    Trailer,
    Resent,
    Compression,
    CompressionMethod,
    Compressed,
    DecompressedLength,
    PacketCount,
    Packet,
    PacketLength,
    PacketHeader,
    PacketId,
    PacketName,
    SenderSubClient,
    TargetSubClient,
    PacketBody,
    LeftOver,
    Actor,
    ActorId,
    ActorX,
    ActorY,
    ActorZ,
}

impl Field {
    /// Its index in the field table.
    pub const fn id(self) -> FieldId {
        (enet::FIELDS.len() + conversation::FIELDS.len()) as FieldId + self as FieldId
    }
}

const COMPRESSIONS: Words = &[(0, "deflate"), (1, "Snappy"), (255, "none")];
const MESSAGES: Words = &[(0xFE, "Game packet")];

use Base::{Dec, Hex};
const NONE: Base = Base::None;

/// The specifications, in the order of [`Field`].
#[rustfmt::skip]
pub static FIELDS: [FieldSpec; 31] = [
    field("bedrock", "Minecraft Bedrock", Kind::Protocol, NONE, "One message of Minecraft Bedrock: a batch of packets"),
    field("bedrock.session", "Session", Kind::U32, Dec, "Number of the session in this capture, from 0; a reconnect is a new one"),
    field("bedrock.protocol", "Protocol", Kind::U16, Dec, "Protocol version the packets are read as, such as 2208"),
    field("bedrock.protocol.source", "Protocol known from", Kind::Text, NONE, "stated (by the client) or preference"),
    field("bedrock.protocol.statedIn", "Protocol stated in", Kind::Frame, NONE, "The frame in which the client states its protocol"),
    field("bedrock.sender", "Sender", Kind::Text, NONE, "Which end sent it: client or server"),
    FieldSpec { words: MESSAGES, ..field("bedrock.messageId", "Message", Kind::U8, Hex, "254 marks a game packet among the messages of RakNet") },
    field("bedrock.enciphered", "Enciphered", Kind::Bytes, NONE, "A batch that cannot be deciphered"),
    field("bedrock.key.state", "Key", Kind::Text, NONE, "verified (the trailer proves it), unverified (cut short), wrong (no given key fits), waiting (for an earlier message), lost (an earlier message is missing) or none"),
    field("bedrock.counter", "Counter", Kind::U64, Dec, "How many enciphered messages this end sent before this one"),
    field("bedrock.trailer", "Trailer", Kind::U64, Hex, "First 8 bytes of the digest over counter, batch and key, in the order they come"),
    field("bedrock.resentFrom", "Sent before in", Kind::Frame, NONE, "The frame in which the same enciphered message came first"),
    FieldSpec { words: COMPRESSIONS, ..field("bedrock.compression", "Compression", Kind::U8, Dec, "How this batch is compressed, as it says itself") },
    field("bedrock.compression.method", "Compressed as", Kind::Text, NONE, "How the batch was read: none, deflate, zlib or Snappy"),
    field("bedrock.compressed", "Compressed batch", Kind::Bytes, NONE, "The batch as it was sent"),
    field("bedrock.decompressedLength", "Decompressed length", Kind::U32, Dec, "Bytes of the batch after decompression"),
    field("bedrock.packetCount", "Packets", Kind::U32, Dec, "How many packets the batch holds"),
    field("bedrock.packet", "Packet", Kind::Record, NONE, "One packet of the batch"),
    field("bedrock.packet.length", "Length", Kind::U32, Dec, "Bytes of the packet, its header included"),
    field("bedrock.packet.header", "Header", Kind::U32, Hex, "Number of the packet (10 bits) and the two sub-clients (2 bits each)"),
    FieldSpec { words: PACKETS, ..field("bedrock.packet.id", "Number", Kind::U16, Dec, "Number of the packet, which says what it is") },
    field("bedrock.packet.name", "Name", Kind::Text, NONE, "Name of the packet, where its number is known"),
    field("bedrock.packet.senderSubClient", "Sender sub-client", Kind::U8, Dec, "Which player of a split screen sent it"),
    field("bedrock.packet.targetSubClient", "Target sub-client", Kind::U8, Dec, "Which player of a split screen it is for"),
    field("bedrock.packet.body", "Body", Kind::Bytes, NONE, "Bytes of a packet without a layout"),
    field("bedrock.packet.leftOver", "Left over", Kind::Bytes, NONE, "Bytes after the end of the layout"),
    field("bedrock.actor", "Actor", Kind::Record, NONE, "Where the actor is now, put together from this packet and those before"),
    field("bedrock.actor.id", "Runtime id", Kind::U64, Dec, "Runtime id of the actor"),
    field("bedrock.actor.x", "X", Kind::Double, NONE, "Its X coordinate as stated last, blocks"),
    field("bedrock.actor.y", "Y", Kind::Double, NONE, "Its Y coordinate (height) as stated last, blocks"),
    field("bedrock.actor.z", "Z", Kind::Double, NONE, "Its Z coordinate as stated last, blocks"),
];
