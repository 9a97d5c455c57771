//! Fields and expert items of `lol` that no page of the book states: the message header and what is known of the match.

use super::enet;
use super::expert::{expert, ExpertSpec, Group, Severity};
use super::table::table;
use crate::field::{field, flagged, protocol, valued, Base, FieldSpec, Kind, Mask, ValueStrings};

const CHANNELS: ValueStrings = &[
    (0, "registration"),
    (1, "requests"),
    (2, "clock"),
    (3, "events"),
    (4, "transient"),
    (5, "chat"),
    (6, "roster or quick chat"),
    (7, "roster"),
];

const ACTIONS: ValueStrings = &[(0, "register")];

table! {
    /// A field of the message header, or of what is known of the match.
    Field: FieldSpec, FIELDS after enet::FIELDS.len();
    Lol = protocol("lol", "League of Legends", "LoL", "The messages of the game that one datagram holds");
    Match = field("lol.match", "Match", Kind::Record, Base::None, "What is known of the match besides the bytes of its messages");
    MessageItem = field("lol.message.item", "Message", Kind::Record, Base::None, "One message with its header and its body, or a payload that stays bytes");
    Session = field("lol.session", "Session", Kind::U32, Base::Dec, "Number of the session in this capture, from 0; a reconnect is a new one");
    Sender = field("lol.sender", "Sender", Kind::Text, Base::None, "Which end sent it: client or server");
    Channel = valued("lol.channel", "Channel", Kind::U8, Base::Dec, CHANNELS, "ENet channel it came on, which says what family of messages it is of");
    Build = field("lol.build", "Build", Kind::Text, Base::None, "Build of the game the message is read as, such as 1.0.0.136");
    BuildNumber = field("lol.buildNumber", "Build number", Kind::U64, Base::Dec, "The build as one number that sorts: 1.0.0.136 is 1000000136, 4.20.0.315 is 4200000315");
    BuildSource = field("lol.build.source", "Build known from", Kind::Text, Base::None, "stated (the client's version text), registration, preference, keys (the row of lol.keys or line of the key file) or fallback");
    BuildStatedIn = field("lol.build.statedIn", "Build stated in", Kind::Frame, Base::None, "The frame in which the session states its build");
    KeyState = field("lol.key.state", "Key", Kind::Text, Base::None, "verified (the handshake proves it), unverified (its payloads read), wrong (no given key fits) or none");
    KeyNumber = field("lol.key.number", "Key number", Kind::U32, Base::Dec, "Place of the key in the list lol.key, of its row in the table lol.keys or of its line in the key file, from 1");
    KeySource = field("lol.key.source", "Key from", Kind::Text, Base::None, "preference (lol.key), table (lol.keys) or file (lol.keylog_file)");
    Map = field("lol.map", "Map", Kind::U32, Base::Dec, "Number of the map whose origin is in use");
    OriginX = field("lol.origin.x", "Origin X", Kind::I32, Base::Dec, "Midpoint of the map on the first ground axis, world units");
    OriginZ = field("lol.origin.z", "Origin Z", Kind::I32, Base::Dec, "Midpoint of the map on the second ground axis, world units");
    OriginSource = field("lol.origin.source", "Origin known from", Kind::Text, Base::None, "preference, keys (the row of lol.keys or line of the key file), or orders (inferred from the client's own orders)");
    Enciphered = field("lol.enciphered", "Enciphered payload", Kind::Bytes, Base::None, "A payload that cannot be read without its key");
    Container = field("lol.container", "Container", Kind::Record, Base::None, "What the container says of this message before the message itself");
    ContainerCount = field("lol.container.count", "Messages", Kind::U8, Base::Dec, "How many messages the container says it holds");
    ContainerIndex = field("lol.container.index", "Place", Kind::U32, Base::Dec, "Place of this message in its container, from 0");
    ContainerWord = field("lol.container.word", "Frame", Kind::U8, Base::Hex, "How this message is framed: two flags and a size");
    ContainerSameCommand = flagged("lol.container.sameCommand", "Same command", &[Mask { bit: 0, bytes: 1 }], "Set where the message has the command of the one before and does not carry it again");
    ContainerDelta = flagged("lol.container.deltaNetId", "Net id as a step", &[Mask { bit: 1, bytes: 1 }], "Set where the net id is a signed step from that of the message before");
    ContainerBodySize = field("lol.container.bodySize", "Body size", Kind::U8, Base::Dec, "Bytes of the body; 63 says that the size follows in a byte of its own");
    ContainerSize = field("lol.container.size", "Size", Kind::U8, Base::Dec, "Bytes of the message (the first of a container) or of its body (where 63 was not enough)");
    ContainerNetIdDelta = field("lol.container.netIdDelta", "Net id step", Kind::I8, Base::Dec, "Signed step from the net id of the message before");
    Escape = field("lol.command.escape", "Extended command follows", Kind::U8, Base::Dec, "254: the command number follows the net id in 16 bits");
    Command = field("lol.command", "Command", Kind::U16, Base::Dec, "Number of the message in its build; 254 is replaced by the number it announces");
    CommandName = field("lol.commandName", "Command name", Kind::Text, Base::None, "Name of the command: of its message where a layout is known, else from tables of command numbers");
    CommandNameSource = field("lol.commandName.source", "Command name from", Kind::Text, Base::None, "book, stated (for this very build) or carried (from a neighbouring build)");
    NetId = field("lol.netId", "Net id", Kind::U32, Base::HexDec, "Network object the message is about, or zero");
    Message = field("lol.message", "Message", Kind::Text, Base::None, "Name of the message in the specification; there only where a layout of it is known");
    LayoutBasis = field("lol.layout.basis", "Layout known from", Kind::Text, Base::None, "book (a page holds it for this build), recorded (only messages of this build bear it out), inferred (it uses the session's bodies up exactly), neighbour (the same, found by its number in the nearest build) or none");
    Unit = field("lol.unit", "Unit", Kind::U32, Base::HexDec, "Every network id a message names, whatever the field is called there");
    Body = field("lol.body", "Body", Kind::Bytes, Base::None, "Bytes of a message without a layout in this build, or whose family is switched off");
    LeftOver = field("lol.leftOver", "Left over", Kind::Bytes, Base::None, "Bytes after the end of the layout");
    Registration = field("lol.registration", "Registration", Kind::Record, Base::None, "Handshake on channel 0: who plays, and the proof of the key");
    RegistrationAction = valued("lol.registration.action", "Action", Kind::U8, Base::Dec, ACTIONS, "0 registers");
    RegistrationPadding = field("lol.registration.padding", "Padding", Kind::Bytes, Base::None, "Three bytes left as they were in the sender's memory");
    RegistrationClientId = field("lol.registration.clientId", "Client id", Kind::U32, Base::Dec, "Number the server gives the player in this match");
    RegistrationPlayerId = field("lol.registration.playerId", "Player id", Kind::U64, Base::Dec, "Number of the player's account");
    RegistrationVersion = field("lol.registration.version", "Version code", Kind::U32, Base::Dec, "The client's build, digits run together: 42000315 is 4.20.0.315");
    RegistrationProof = field("lol.registration.proof", "Proof", Kind::Bytes, Base::None, "The player id enciphered with the session's key (client); arbitrary from a server");
    RegistrationTrailing = field("lol.registration.trailing", "Trailing", Kind::Bytes, Base::None, "Bytes after the proof, without meaning");
}

table! {
    /// An expert item about a message or its match.
    Expert: ExpertSpec, EXPERTS after enet::EXPERTS.len();
    Malformed = expert("lol.malformed", Group::Malformed, Severity::Error, "The message ends before its layout does");
    Short = expert("lol.short", Group::Undecoded, Severity::Note, "The capture cut the message short");
    Surplus = expert("lol.surplus", Group::Malformed, Severity::Warn, "Bytes after the end of the message's layout");
    Unknown = expert("lol.unknown", Group::Undecoded, Severity::Note, "Messages that are not read, noted once in a session: how many, and of which commands");
    Inferred = expert("lol.inferred", Group::Assumption, Severity::Note, "Worked out from the capture, not stated in it");
    KeyNeeded = expert("lol.keyNeeded", Group::Security, Severity::Note, "The session is enciphered and no key was given");
    KeyWrong = expert("lol.keyWrong", Group::Security, Severity::Warn, "No given key fits this session");
    BuildUnknown = expert("lol.buildUnknown", Group::Undecoded, Severity::Note, "The build of the game is not known here");
    BuildContradicted = expert("lol.buildContradicted", Group::Assumption, Severity::Warn, "The session states another build than the preference lol.build");
    TimeBack = expert("lol.timeBack", Group::Sequence, Severity::Note, "Captured before what it answers: time runs back in this capture");
    TooMany = expert("lol.tooMany", Group::Undecoded, Severity::Warn, "More items than one packet may show; the rest is left out");
    Internal = expert("lol.internal", Group::Protocol, Severity::Error, "The reader failed; please report the capture");
}
