//! The structures that cross the ABI. Enumerations are plain numbers with named constants: C never sees a Rust
//! enum, and epan's own numbers never stand here.

use std::ptr::null;

use libc::c_char;

/// Version of this ABI; the shim refuses to work with another.
pub const RIFTSHARK_ABI_VERSION: u32 = 4;

/// `riftshark_carrier.at` of a message that was joined from pieces.
pub const RIFTSHARK_JOINED: u32 = u32::MAX;

/// The call did what it was asked.
pub const RIFTSHARK_OK: i32 = 0;
/// The datagram belongs to no session: leave it to other dissectors.
pub const RIFTSHARK_NOT_MINE: i32 = 1;
/// A pointer that must not be null was null.
pub const RIFTSHARK_NULL_ARGUMENT: i32 = 2;
/// An index past the end of a table.
pub const RIFTSHARK_NO_SUCH_INDEX: i32 = 3;
/// The reader failed; its state is kept, the packet's result is empty.
pub const RIFTSHARK_PANIC: i32 = 4;

/// Detail: only what later packets depend on, and expert items.
pub const RIFTSHARK_DETAIL_STATE: u8 = 0;
/// Detail: also the Info line.
pub const RIFTSHARK_DETAIL_COLUMNS: u8 = 1;
/// Detail: also the nodes.
pub const RIFTSHARK_DETAIL_TREE: u8 = 2;
/// Detail: also what the headings of records say while they are closed, for a tree that someone looks at.
pub const RIFTSHARK_DETAIL_LABELS: u8 = 3;

/// Field kind: a protocol with fields of its own.
pub const RIFTSHARK_KIND_PROTOCOL: u8 = 0;
/// Field kind: a family of messages, a protocol with fields of its own inside the game's: no layer of the packet.
pub const RIFTSHARK_KIND_FAMILY: u8 = 1;
/// Field kind: a node without a value.
pub const RIFTSHARK_KIND_RECORD: u8 = 2;
/// Field kind: unsigned, 8 bits.
pub const RIFTSHARK_KIND_U8: u8 = 3;
/// Field kind: unsigned, 16 bits.
pub const RIFTSHARK_KIND_U16: u8 = 4;
/// Field kind: unsigned, 32 bits.
pub const RIFTSHARK_KIND_U32: u8 = 5;
/// Field kind: unsigned, 64 bits.
pub const RIFTSHARK_KIND_U64: u8 = 6;
/// Field kind: signed, 8 bits.
pub const RIFTSHARK_KIND_I8: u8 = 7;
/// Field kind: signed, 16 bits.
pub const RIFTSHARK_KIND_I16: u8 = 8;
/// Field kind: signed, 32 bits.
pub const RIFTSHARK_KIND_I32: u8 = 9;
/// Field kind: signed, 64 bits.
pub const RIFTSHARK_KIND_I64: u8 = 10;
/// Field kind: a float; the value holds the bits of a double.
pub const RIFTSHARK_KIND_DOUBLE: u8 = 11;
/// Field kind: yes or no.
pub const RIFTSHARK_KIND_BOOL: u8 = 12;
/// Field kind: text.
pub const RIFTSHARK_KIND_TEXT: u8 = 13;
/// Field kind: the bytes the node spans.
pub const RIFTSHARK_KIND_BYTES: u8 = 14;
/// Field kind: the number of a frame.
pub const RIFTSHARK_KIND_FRAME: u8 = 15;
/// Field kind: a span of time in nanoseconds, signed.
pub const RIFTSHARK_KIND_DURATION: u8 = 16;

/// Link: a frame that is something else to the packet.
pub const RIFTSHARK_LINK_OTHER: u8 = 0;
/// Link: the frame of the statement that the packet answers.
pub const RIFTSHARK_LINK_STATEMENT: u8 = 1;
/// Link: the frame of the answer to the packet.
pub const RIFTSHARK_LINK_ANSWER: u8 = 2;
/// Link: the frame of the packet's acknowledgement, or of what it acknowledges.
pub const RIFTSHARK_LINK_ACKNOWLEDGEMENT: u8 = 3;
/// Link: the frame in which the same was sent before.
pub const RIFTSHARK_LINK_ORIGINAL: u8 = 4;

/// Base: not a number.
pub const RIFTSHARK_BASE_NONE: u8 = 0;
/// Base: decimal.
pub const RIFTSHARK_BASE_DEC: u8 = 1;
/// Base: hexadecimal.
pub const RIFTSHARK_BASE_HEX: u8 = 2;
/// Base: hexadecimal, then decimal in parentheses.
pub const RIFTSHARK_BASE_HEX_DEC: u8 = 3;

/// Node flag: offsets count in the deciphered bytes (`riftshark_result.plain`).
pub const RIFTSHARK_NODE_DECIPHERED: u16 = 1;
/// Node flag: worked out, not carried by the bytes.
pub const RIFTSHARK_NODE_GENERATED: u16 = 2;
/// Node flag: found by filters, not shown.
pub const RIFTSHARK_NODE_HIDDEN: u16 = 4;
/// Node flag: `index` is its place in its list.
pub const RIFTSHARK_NODE_INDEXED: u16 = 8;
/// Node flag: `bit_first`, `bit_count` and `word_bytes` are set.
pub const RIFTSHARK_NODE_BITS: u16 = 16;
/// Node flag: `text` is appended to the label.
pub const RIFTSHARK_NODE_LABELLED: u16 = 32;
/// Node flag: offsets count in commands that came compressed (`riftshark_result.decompressed`), unless they count in
/// the deciphered bytes.
pub const RIFTSHARK_NODE_DECOMPRESSED: u16 = 64;

/// Column of the table of keys: address of one end.
pub const RIFTSHARK_COLUMN_ADDRESS: u8 = 0;
/// Column of the table of keys: UDP port of that end.
pub const RIFTSHARK_COLUMN_PORT: u8 = 1;
/// Column of the table of keys: the key.
pub const RIFTSHARK_COLUMN_KEY: u8 = 2;
/// Column of the table of keys: the build.
pub const RIFTSHARK_COLUMN_BUILD: u8 = 3;
/// Column of the table of keys: number of the map.
pub const RIFTSHARK_COLUMN_MAP: u8 = 4;
/// Column of the table of keys: origin of the map.
pub const RIFTSHARK_COLUMN_ORIGIN: u8 = 5;

/// In place of the index of a node: there is none.
pub const RIFTSHARK_NO_NODE: u32 = 0xFFFF_FFFF;

/// Expert group: bytes that do not fit their layout (Wireshark: Malformed).
pub const RIFTSHARK_GROUP_MALFORMED: u8 = 0;
/// Expert group: the order of packets (Sequence).
pub const RIFTSHARK_GROUP_SEQUENCE: u8 = 1;
/// Expert group: bytes that could not be read (Undecoded).
pub const RIFTSHARK_GROUP_UNDECODED: u8 = 2;
/// Expert group: what the protocol says (Protocol).
pub const RIFTSHARK_GROUP_PROTOCOL: u8 = 3;
/// Expert group: what the reader assumed (Assumption).
pub const RIFTSHARK_GROUP_ASSUMPTION: u8 = 4;
/// Expert group: key and cipher (Security).
pub const RIFTSHARK_GROUP_SECURITY: u8 = 5;
/// Expert group: checksums (Checksum).
pub const RIFTSHARK_GROUP_CHECKSUM: u8 = 6;

/// Expert severity: a note.
pub const RIFTSHARK_SEVERITY_NOTE: u8 = 0;
/// Expert severity: a warning.
pub const RIFTSHARK_SEVERITY_WARN: u8 = 1;
/// Expert severity: an error.
pub const RIFTSHARK_SEVERITY_ERROR: u8 = 2;

/// A name for a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_value_string {
    /// The value, as the field's kind reads it.
    pub value: i64,
    /// Its name, UTF-8 ended by a zero byte.
    pub name: *const c_char,
}

/// One bit of a word that holds it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_mask {
    /// Which bit, from the lowest, below `8 * bytes`.
    pub bit: u8,
    /// Bytes of the word, 1 to 4.
    pub bytes: u8,
}

/// One field, as it is to be registered. All texts are UTF-8, ended by a zero byte, and live as long as the
/// program.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_field {
    /// Filter name, such as `enet.sentTime`.
    pub name: *const c_char,
    /// Title in the tree, such as `Sent time`.
    pub title: *const c_char,
    /// What a protocol or family is called in lists of protocols; empty for other fields.
    pub short_name: *const c_char,
    /// What it is, in one line; no full stop.
    pub blurb: *const c_char,
    /// Unit shown behind its value, such as `ms`; may be empty. A field with a unit has no names for its values.
    pub unit: *const c_char,
    /// Names for its values; null where `value_string_count` is 0.
    pub value_strings: *const riftshark_value_string,
    /// How many names there are at `value_strings`.
    pub value_string_count: usize,
    /// Bits that a yes or no is carried by, one of them at a time: a node with `RIFTSHARK_NODE_BITS` says which. Null where
    /// `mask_count` is 0.
    pub masks: *const riftshark_mask,
    /// How many there are at `masks`.
    pub mask_count: usize,
    /// Index of the protocol or family it belongs to; its own for a protocol or family.
    pub owner: u16,
    /// Type of its value, a `RIFTSHARK_KIND_…`.
    pub kind: u8,
    /// How a whole number is written, a `RIFTSHARK_BASE_…`.
    pub base: u8,
}

/// One kind of expert information. Texts as in [`riftshark_field`].
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_expert {
    /// Filter name, such as `lol.malformed`.
    pub name: *const c_char,
    /// What it says where nothing more exact is said.
    pub text: *const c_char,
    /// Index into the field table of the protocol it belongs to.
    pub owner: u16,
    /// Where Wireshark lists it, a `RIFTSHARK_GROUP_…`.
    pub group: u8,
    /// How much it matters, a `RIFTSHARK_SEVERITY_…`.
    pub severity: u8,
}

/// A range of UDP ports, both ends included.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_ports {
    /// First port of the range.
    pub first: u16,
    /// Last port of the range, which belongs to it.
    pub last: u16,
}

/// A row of the table of keys, as text; null and empty texts say nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_key_row {
    /// IP address of one end of the sessions it is for.
    pub address: *const c_char,
    /// UDP port of that end; 0 is any.
    pub port: *const c_char,
    /// Their key, in a form that `riftshark_settings.keys` takes.
    pub key: *const c_char,
    /// The build they are read as.
    pub build: *const c_char,
    /// Number of their map.
    pub map: *const c_char,
    /// The map's origin as `x,z` in world units.
    pub origin: *const c_char,
}

impl Default for riftshark_settings {
    /// Nothing set.
    fn default() -> riftshark_settings {
        riftshark_settings {
            keys: null(),
            key_rows: null(),
            key_row_count: 0,
            keylog_file: null(),
            names: null(),
            build: null(),
            fallback_build: null(),
            variant: null(),
            origin: null(),
            ports: null(),
            port_count: 0,
            bedrock_protocol: null(),
            bedrock_keys: null(),
            disabled: null(),
            user_channel: 0,
            without_league: 0,
        }
    }
}

impl Default for riftshark_packet {
    /// The first frame, empty, between no ends, with all there is to show; it is known to be ENet.
    fn default() -> riftshark_packet {
        let nobody = riftshark_endpoint { address: null(), length: 0, kind: 0, port: 0 };
        riftshark_packet {
            bytes: null(),
            captured: 0,
            reported: 0,
            time: 0,
            frame: 1,
            datagram: 0,
            source: nobody,
            destination: nobody,
            nodes_before: 0,
            detail: RIFTSHARK_DETAIL_TREE,
            visited: 0,
            in_error_pkt: 0,
            decode_as: 1,
            league_begun: 0,
        }
    }
}

/// What a user has set. Null texts are empty ones. Nothing is kept after the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_settings {
    /// Keys, separated by commas, semicolons or white space.
    pub keys: *const c_char,
    /// Keys for some sessions; null where `key_row_count` is 0.
    pub key_rows: *const riftshark_key_row,
    /// How many rows there are at `key_rows`.
    pub key_row_count: usize,
    /// Path of a file that keys are appended to, a line a match; empty for none.
    pub keylog_file: *const c_char,
    /// Path of a file of names, one a line, in UTF-8; empty for none.
    pub names: *const c_char,
    /// `auto`, empty, or the build of every session such as `1.0.0.136`.
    pub build: *const c_char,
    /// The build to fall back on; may be empty.
    pub fallback_build: *const c_char,
    /// `auto`, `stock`, `classic`, `compact`, `prefixed` or `season8`.
    pub variant: *const c_char,
    /// `auto` or the map's origin as `x,z` in world units.
    pub origin: *const c_char,
    /// Port ranges in which one datagram is enough to claim a conversation; null where `port_count` is 0.
    pub ports: *const riftshark_ports,
    /// How many ranges there are at `ports`.
    pub port_count: usize,
    /// `auto` or the protocol of every Minecraft Bedrock session.
    pub bedrock_protocol: *const c_char,
    /// Keys of Minecraft Bedrock sessions as `key` or `address=key`, separated as `keys` are.
    pub bedrock_keys: *const c_char,
    /// Filter names of the families that are switched off, separated by white space: their bodies are left as bytes.
    pub disabled: *const c_char,
    /// Channel of messages that come without ENet: told as a problem where it is above 255.
    pub user_channel: u32,
    /// Not 0 where payloads of the game in ENet are left to other dissectors.
    pub without_league: u8,
}

/// One end of a conversation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_endpoint {
    /// Bytes of the address; null where `length` is 0. Bytes past the twentieth are ignored.
    pub address: *const u8,
    /// How many bytes there are at `address`.
    pub length: usize,
    /// Any number that tells kinds of addresses apart.
    pub kind: u32,
    /// UDP port; 0 where there are no ports.
    pub port: u16,
}

/// A packet as it was captured. Nothing is kept after the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_packet {
    /// The captured bytes; null where `captured` is 0.
    pub bytes: *const u8,
    /// How many bytes there are at `bytes`, at most `reported`.
    pub captured: usize,
    /// How many bytes there were on the wire, at least `captured`.
    pub reported: usize,
    /// Capture time, nanoseconds since 1970.
    pub time: i64,
    /// Frame number, from 1.
    pub frame: u32,
    /// Which datagram of the frame: grows with every datagram that is taken, and is the same in every pass.
    pub datagram: u32,
    /// The end that sends it.
    pub source: riftshark_endpoint,
    /// The end it is sent to.
    pub destination: riftshark_endpoint,
    /// Nodes of the results that this dissection of the frame was given before, so that a frame has no more than epan
    /// takes.
    pub nodes_before: u32,
    /// How much of the result is wanted, a `RIFTSHARK_DETAIL_…`.
    pub detail: u8,
    /// 1 where the frame has been dissected before: nothing is written then.
    pub visited: u8,
    /// 1 where the packet is quoted in an error message: nothing is written then.
    pub in_error_pkt: u8,
    /// 1 where the user or the conversation says that it is ENet: it is never refused then.
    pub decode_as: u8,
    /// 1 where an earlier result of this datagram has begun the game's part (`riftshark_result.league_nodes`): what is read
    /// now is shown there, and its nodes begin at depth 1.
    pub league_begun: u8,
}

/// The RakNet datagram that a message of Bedrock came in: its numbers stand there. Nothing is kept after the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_carrier {
    /// The captured bytes of the datagram, from RakNet's byte of flags on; null where `length` is 0.
    pub datagram: *const u8,
    /// How many bytes there are at `datagram`.
    pub length: usize,
    /// Where the message begins in it; `RIFTSHARK_JOINED` where it was joined from pieces, of which the last is in it.
    pub at: u32,
}

/// One node of the tree. A node's children follow it with a greater depth.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_node {
    /// Index into the field table, below `riftshark_field_count()`.
    pub field: u16,
    /// `RIFTSHARK_NODE_…` flags, any number of them.
    pub flags: u16,
    /// Depth in the tree; 0 is a protocol's own item.
    pub depth: u8,
    /// First bit of the value in its little-endian word, from the lowest.
    pub bit_first: u8,
    /// How many bits the value has, where `RIFTSHARK_NODE_BITS` is set.
    pub bit_count: u8,
    /// Bytes of that word, 1 to 8.
    pub word_bytes: u8,
    /// First byte, from the start of its data source.
    pub offset: u32,
    /// Bytes spanned; never past the captured bytes.
    pub length: u32,
    /// Its place in its list, from 0, where `RIFTSHARK_NODE_INDEXED` is set.
    pub index: u32,
    /// 0, or one more than an index into the texts.
    pub text: u32,
    /// The value; signed ones sign-extended, floats as the bits of a double.
    pub value: u64,
}

/// Where a text lies in the arena.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_text {
    /// First byte, from the start of the arena.
    pub start: u32,
    /// One past the last byte, at least `start`.
    pub end: u32,
}

/// An expert item.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_expert_item {
    /// Index into the expert table.
    pub expert: u16,
    /// Index of the node it belongs to, or `RIFTSHARK_NO_NODE`.
    pub node: u32,
    /// 0, or one more than an index into the texts.
    pub text: u32,
}

/// A fragment for epan to join with the others.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_fragment_span {
    /// First byte of its data: in the packet (in `decompressed` where that is not null), or in `early` where `early_frame`
    /// is not 0.
    pub offset: u32,
    /// Bytes of its data, all of them captured.
    pub length: u32,
    /// Number of its reassembly; never used twice in a capture.
    pub id: u32,
    /// Which fragment of its message it is, from 0.
    pub number: u32,
    /// Node under which the reassembled message is described, or `RIFTSHARK_NO_NODE`.
    pub node: u32,
    /// 0, or the earlier frame it came in, before the conversation was claimed: epan has not seen it there.
    pub early_frame: u32,
    /// Which datagram of `early_frame`, as `riftshark_packet.datagram` counts.
    pub early_datagram: u32,
    /// 1 where more fragments follow it.
    pub more: u8,
    /// 1 where it is to be given to epan now: on the first pass when seen first, later only where it completed
    /// its message.
    pub completes: u8,
}

/// A payload, for export and for other dissectors.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_payload_span {
    /// First byte, in the packet (in `decompressed` where that is not null) and in `plain` alike.
    pub offset: u32,
    /// Bytes of it that were captured.
    pub length: u32,
    /// Bytes it had on the wire, at least `length`.
    pub reported: u32,
    /// ENet channel, 0 to 255.
    pub channel: u8,
    /// Who sent it: 0 not known, 1 client, 2 server.
    pub sender: u8,
    /// 1 where it was read as a message of the game; 0 where it is for other dissectors.
    pub league: u8,
    /// 1 where its bytes are readable.
    pub clear: u8,
}

/// What a call found. Everything belongs to the engine and is good until the next call of the same function on
/// it; arrays of no elements may be null.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct riftshark_result {
    /// Nodes, parents before children.
    pub nodes: *const riftshark_node,
    /// How many nodes.
    pub node_count: usize,
    /// Where each text lies in the arena.
    pub texts: *const riftshark_text,
    /// How many texts.
    pub text_count: usize,
    /// The bytes of all texts: UTF-8 without zero bytes, not ended by one.
    pub arena: *const c_char,
    /// Expert items, in the order of their nodes.
    pub experts: *const riftshark_expert_item,
    /// How many expert items.
    pub expert_count: usize,
    /// Fragments that the datagram carries, for epan to join.
    pub fragments: *const riftshark_fragment_span,
    /// How many fragments.
    pub fragment_count: usize,
    /// Payloads of the datagram or message, in order.
    pub payloads: *const riftshark_payload_span,
    /// How many payloads.
    pub payload_count: usize,
    /// The commands of a datagram that came compressed: fragments and payloads count in them then. Null where they did not.
    pub decompressed: *const u8,
    /// How many bytes there are at `decompressed`.
    pub decompressed_length: usize,
    /// A copy of the packet, or of `decompressed`, with its payloads deciphered; of a Bedrock message that came compressed, what it
    /// decompresses to instead. Null where nothing was.
    pub plain: *const u8,
    /// Its length: 0, that of the packet, or that of what came out.
    pub plain_length: usize,
    /// Data of the fragments that came before the conversation was claimed; null where there are none.
    pub early: *const u8,
    /// How many bytes there are at `early`.
    pub early_length: usize,
    /// The Info line: UTF-8, at most 220 characters, ended by a zero byte; never null. That of a message put together from
    /// fragments goes on from the line of its datagram and stands in its place.
    pub info: *const c_char,
    /// The packet's part of its session's text, a line a message, where `riftshark_engine_follow` asked for it: UTF-8,
    /// ended by a zero byte; never null.
    pub follow: *const c_char,
    /// Who sent what that tells: 0 not known, 1 client, 2 server.
    pub follow_sender: u8,
    /// The first node of the game's part, which goes on to the last node and is shown as a layer of its own; 0 as well where
    /// there is such a part but no nodes were asked for. `RIFTSHARK_NO_NODE` where there is no such part.
    pub league_nodes: u32,
    /// 1 where the packet holds messages of League of Legends.
    pub league: u8,
}
