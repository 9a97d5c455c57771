//! The fields of `lol` that no page of the book states: the message header and what is known of the match.

use crate::enet;
use crate::field::{field, Base, FieldSpec, Kind, Words};
use crate::tree::FieldId;

/// Fields of `lol`, in the order of [`FIELDS`].
#[allow(missing_docs)] // each is documented by its row in FIELDS
#[repr(u16)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    Lol,
    Match,
    Session,
    Sender,
    Channel,
    Build,
    BuildNumber,
    BuildSource,
    BuildStatedIn,
    KeyState,
    KeyNumber,
    Map,
    OriginX,
    OriginZ,
    OriginSource,
    Enciphered,
    Container,
    ContainerCount,
    ContainerIndex,
    ContainerWord,
    ContainerSameCommand,
    ContainerDelta,
    ContainerBodySize,
    ContainerSize,
    ContainerNetIdDelta,
    Escape,
    Command,
    CommandName,
    CommandNameSource,
    NetId,
    Message,
    LayoutBasis,
    Unit,
    Body,
    LeftOver,
    Registration,
    RegistrationAction,
    RegistrationPadding,
    RegistrationClientId,
    RegistrationPlayerId,
    RegistrationVersion,
    RegistrationProof,
    RegistrationTrailing,
}

impl Field {
    /// Its index in the field table.
    pub const fn id(self) -> FieldId {
        enet::FIELDS.len() as FieldId + self as FieldId
    }
}

const CHANNELS: Words = &[
    (0, "registration"),
    (1, "requests"),
    (2, "clock"),
    (3, "events"),
    (4, "transient"),
    (5, "chat"),
    (6, "roster or quick chat"),
    (7, "roster"),
];

const ACTIONS: Words = &[(0, "register")];

use Base::{Dec, Hex, HexDec};
const NONE: Base = Base::None;

/// The specifications, in the order of [`Field`].
pub static FIELDS: [FieldSpec; 43] = [
    field("lol", "League of Legends", Kind::Protocol, NONE, "One message of the game's protocol"),
    field("lol.match", "Match", Kind::Record, NONE, "What is known of the match besides the bytes of the message"),
    field("lol.session", "Session", Kind::U32, Dec, "Number of the session in this capture, from 0; a reconnect is a new one"),
    field("lol.sender", "Sender", Kind::Text, NONE, "Which end sent it: client or server"),
    FieldSpec { words: CHANNELS, ..field("lol.channel", "Channel", Kind::U8, Dec, "ENet channel it came on, which says what family of messages it is of") },
    field("lol.build", "Build", Kind::Text, NONE, "Build of the game the message is read as, such as 1.0.0.136"),
    field("lol.buildNumber", "Build number", Kind::U64, Dec, "The build as one number that sorts: 1.0.0.136 is 1000000136, 4.20.0.315 is 4200000315"),
    field("lol.build.source", "Build known from", Kind::Text, NONE, "stated (the client's version text), registration, preference or fallback"),
    field("lol.build.statedIn", "Build stated in", Kind::Frame, NONE, "The frame in which the session states its build"),
    field("lol.key.state", "Key", Kind::Text, NONE, "verified (the handshake proves it), unverified (its payloads read), wrong (no given key fits) or none"),
    field("lol.key.number", "Key number", Kind::U32, Dec, "Place of the key in the preference, from 1"),
    field("lol.map", "Map", Kind::U32, Dec, "Number of the map whose origin is in use"),
    field("lol.origin.x", "Origin X", Kind::I32, Dec, "Midpoint of the map on the first ground axis, world units"),
    field("lol.origin.z", "Origin Z", Kind::I32, Dec, "Midpoint of the map on the second ground axis, world units"),
    field("lol.origin.source", "Origin known from", Kind::Text, NONE, "preference, or orders (inferred from the client's own orders)"),
    field("lol.enciphered", "Enciphered payload", Kind::Bytes, NONE, "A payload that cannot be read without its key"),
    field("lol.container", "Container", Kind::Record, NONE, "What the container says of this message before the message itself"),
    field("lol.container.count", "Messages", Kind::U8, Dec, "How many messages the container says it holds"),
    field("lol.container.index", "Place", Kind::U32, Dec, "Place of this message in its container, from 0"),
    field("lol.container.word", "Frame", Kind::U8, Hex, "How this message is framed: two flags and a size"),
    field("lol.container.sameCommand", "Same command", Kind::Bool, NONE, "Set where the message has the command of the one before and does not carry it again"),
    field("lol.container.deltaNetId", "Net id as a step", Kind::Bool, NONE, "Set where the net id is a signed step from that of the message before"),
    field("lol.container.bodySize", "Body size", Kind::U8, Dec, "Bytes of the body; 63 says that the size follows in a byte of its own"),
    field("lol.container.size", "Size", Kind::U8, Dec, "Bytes of the message (the first of a container) or of its body (where 63 was not enough)"),
    field("lol.container.netIdDelta", "Net id step", Kind::I8, Dec, "Signed step from the net id of the message before"),
    field("lol.command.escape", "Extended command follows", Kind::U8, Dec, "254: the command number follows the net id in 16 bits"),
    field("lol.command", "Command", Kind::U16, Dec, "Number of the message in its build; 254 is replaced by the number it announces"),
    field("lol.commandName", "Command name", Kind::Text, NONE, "Name of a command that is read by no layout, from tables of command numbers"),
    field("lol.commandName.source", "Command name from", Kind::Text, NONE, "book, stated (for this very build) or carried (from a neighbouring build)"),
    field("lol.netId", "Net id", Kind::U32, HexDec, "Network object the message is about, or zero"),
    field("lol.message", "Message", Kind::Text, NONE, "Name of the message in the specification; there only where a layout was read"),
    field(
        "lol.layout.basis",
        "Layout known from",
        Kind::Text,
        NONE,
        "book (a page holds it for this build), recorded (only messages of this build bear it out), inferred (it uses the session's bodies up exactly), neighbour (the same, found by its number in the nearest build) or none",
    ),
    field("lol.unit", "Unit", Kind::U32, HexDec, "Every network id a message names, whatever the field is called there"),
    field("lol.body", "Body", Kind::Bytes, NONE, "Bytes of a message without a layout in this build"),
    field("lol.leftOver", "Left over", Kind::Bytes, NONE, "Bytes after the end of the layout"),
    field("lol.registration", "Registration", Kind::Record, NONE, "Handshake on channel 0: who plays, and the proof of the key"),
    FieldSpec { words: ACTIONS, ..field("lol.registration.action", "Action", Kind::U8, Dec, "0 registers") },
    field("lol.registration.padding", "Padding", Kind::Bytes, NONE, "Three bytes left as they were in the sender's memory"),
    field("lol.registration.clientId", "Client id", Kind::U32, Dec, "Number the server gives the player in this match"),
    field("lol.registration.playerId", "Player id", Kind::U64, Dec, "Number of the player's account"),
    field("lol.registration.version", "Version code", Kind::U32, Dec, "The client's build, digits run together: 42000315 is 4.20.0.315"),
    field("lol.registration.proof", "Proof", Kind::Bytes, NONE, "The player id enciphered with the session's key (client); arbitrary from a server"),
    field("lol.registration.trailing", "Trailing", Kind::Bytes, NONE, "Bytes after the proof, without meaning"),
];
