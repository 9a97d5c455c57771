/* The C ABI of Riftshark's reader. Written by cbindgen from wireshark-ffi; a test keeps it fresh. */

#ifndef RIFTSHARK_H
#define RIFTSHARK_H

#include <stddef.h>
#include <stdint.h>

// Version of this ABI; the shim refuses to work with another.
#define RIFTSHARK_ABI_VERSION 4

// `riftshark_carrier.at` of a message that was joined from pieces.
#define RIFTSHARK_JOINED UINT32_MAX

// The call did what it was asked.
#define RIFTSHARK_OK 0

// The datagram belongs to no session: leave it to other dissectors.
#define RIFTSHARK_NOT_MINE 1

// A pointer that must not be null was null.
#define RIFTSHARK_NULL_ARGUMENT 2

// An index past the end of a table.
#define RIFTSHARK_NO_SUCH_INDEX 3

// The reader failed; its state is kept, the packet's result is empty.
#define RIFTSHARK_PANIC 4

// Detail: only what later packets depend on, and expert items.
#define RIFTSHARK_DETAIL_STATE 0

// Detail: also the Info line.
#define RIFTSHARK_DETAIL_COLUMNS 1

// Detail: also the nodes.
#define RIFTSHARK_DETAIL_TREE 2

// Detail: also what the headings of records say while they are closed, for a tree that someone looks at.
#define RIFTSHARK_DETAIL_LABELS 3

// Field kind: a protocol with fields of its own.
#define RIFTSHARK_KIND_PROTOCOL 0

// Field kind: a family of messages, a protocol with fields of its own inside the game's: no layer of the packet.
#define RIFTSHARK_KIND_FAMILY 1

// Field kind: a node without a value.
#define RIFTSHARK_KIND_RECORD 2

// Field kind: unsigned, 8 bits.
#define RIFTSHARK_KIND_U8 3

// Field kind: unsigned, 16 bits.
#define RIFTSHARK_KIND_U16 4

// Field kind: unsigned, 32 bits.
#define RIFTSHARK_KIND_U32 5

// Field kind: unsigned, 64 bits.
#define RIFTSHARK_KIND_U64 6

// Field kind: signed, 8 bits.
#define RIFTSHARK_KIND_I8 7

// Field kind: signed, 16 bits.
#define RIFTSHARK_KIND_I16 8

// Field kind: signed, 32 bits.
#define RIFTSHARK_KIND_I32 9

// Field kind: signed, 64 bits.
#define RIFTSHARK_KIND_I64 10

// Field kind: a float; the value holds the bits of a double.
#define RIFTSHARK_KIND_DOUBLE 11

// Field kind: yes or no.
#define RIFTSHARK_KIND_BOOL 12

// Field kind: text.
#define RIFTSHARK_KIND_TEXT 13

// Field kind: the bytes the node spans.
#define RIFTSHARK_KIND_BYTES 14

// Field kind: the number of a frame.
#define RIFTSHARK_KIND_FRAME 15

// Field kind: a span of time in nanoseconds, signed.
#define RIFTSHARK_KIND_DURATION 16

// Link: a frame that is something else to the packet.
#define RIFTSHARK_LINK_OTHER 0

// Link: the frame of the statement that the packet answers.
#define RIFTSHARK_LINK_STATEMENT 1

// Link: the frame of the answer to the packet.
#define RIFTSHARK_LINK_ANSWER 2

// Link: the frame of the packet's acknowledgement, or of what it acknowledges.
#define RIFTSHARK_LINK_ACKNOWLEDGEMENT 3

// Link: the frame in which the same was sent before.
#define RIFTSHARK_LINK_ORIGINAL 4

// Base: not a number.
#define RIFTSHARK_BASE_NONE 0

// Base: decimal.
#define RIFTSHARK_BASE_DEC 1

// Base: hexadecimal.
#define RIFTSHARK_BASE_HEX 2

// Base: hexadecimal, then decimal in parentheses.
#define RIFTSHARK_BASE_HEX_DEC 3

// Node flag: offsets count in the deciphered bytes (`riftshark_result.plain`).
#define RIFTSHARK_NODE_DECIPHERED 1

// Node flag: worked out, not carried by the bytes.
#define RIFTSHARK_NODE_GENERATED 2

// Node flag: found by filters, not shown.
#define RIFTSHARK_NODE_HIDDEN 4

// Node flag: `index` is its place in its list.
#define RIFTSHARK_NODE_INDEXED 8

// Node flag: `bit_first`, `bit_count` and `word_bytes` are set.
#define RIFTSHARK_NODE_BITS 16

// Node flag: `text` is appended to the label.
#define RIFTSHARK_NODE_LABELLED 32

// Node flag: offsets count in commands that came compressed (`riftshark_result.decompressed`), unless they count in
// the deciphered bytes.
#define RIFTSHARK_NODE_DECOMPRESSED 64

// Column of the table of keys: address of one end.
#define RIFTSHARK_COLUMN_ADDRESS 0

// Column of the table of keys: UDP port of that end.
#define RIFTSHARK_COLUMN_PORT 1

// Column of the table of keys: the key.
#define RIFTSHARK_COLUMN_KEY 2

// Column of the table of keys: the build.
#define RIFTSHARK_COLUMN_BUILD 3

// Column of the table of keys: number of the map.
#define RIFTSHARK_COLUMN_MAP 4

// Column of the table of keys: origin of the map.
#define RIFTSHARK_COLUMN_ORIGIN 5

// In place of the index of a node: there is none.
#define RIFTSHARK_NO_NODE 4294967295

// Expert group: bytes that do not fit their layout (Wireshark: Malformed).
#define RIFTSHARK_GROUP_MALFORMED 0

// Expert group: the order of packets (Sequence).
#define RIFTSHARK_GROUP_SEQUENCE 1

// Expert group: bytes that could not be read (Undecoded).
#define RIFTSHARK_GROUP_UNDECODED 2

// Expert group: what the protocol says (Protocol).
#define RIFTSHARK_GROUP_PROTOCOL 3

// Expert group: what the reader assumed (Assumption).
#define RIFTSHARK_GROUP_ASSUMPTION 4

// Expert group: key and cipher (Security).
#define RIFTSHARK_GROUP_SECURITY 5

// Expert group: checksums (Checksum).
#define RIFTSHARK_GROUP_CHECKSUM 6

// Expert severity: a note.
#define RIFTSHARK_SEVERITY_NOTE 0

// Expert severity: a warning.
#define RIFTSHARK_SEVERITY_WARN 1

// Expert severity: an error.
#define RIFTSHARK_SEVERITY_ERROR 2

// An engine. Made by [`riftshark_engine_new`], freed by [`riftshark_engine_free`].
typedef struct riftshark_engine riftshark_engine;

// A row of the table of keys, as text; null and empty texts say nothing.
typedef struct riftshark_key_row {
  // IP address of one end of the sessions it is for.
  const char *address;
  // UDP port of that end; 0 is any.
  const char *port;
  // Their key, in a form that `riftshark_settings.keys` takes.
  const char *key;
  // The build they are read as.
  const char *build;
  // Number of their map.
  const char *map;
  // The map's origin as `x,z` in world units.
  const char *origin;
} riftshark_key_row;

// A range of UDP ports, both ends included.
typedef struct riftshark_ports {
  // First port of the range.
  uint16_t first;
  // Last port of the range, which belongs to it.
  uint16_t last;
} riftshark_ports;

// What a user has set. Null texts are empty ones. Nothing is kept after the call.
typedef struct riftshark_settings {
  // Keys, separated by commas, semicolons or white space.
  const char *keys;
  // Keys for some sessions; null where `key_row_count` is 0.
  const struct riftshark_key_row *key_rows;
  // How many rows there are at `key_rows`.
  size_t key_row_count;
  // Path of a file that keys are appended to, a line a match; empty for none.
  const char *keylog_file;
  // Path of a file of names, one a line, in UTF-8; empty for none.
  const char *names;
  // `auto`, empty, or the build of every session such as `1.0.0.136`.
  const char *build;
  // The build to fall back on; may be empty.
  const char *fallback_build;
  // `auto`, `stock`, `classic`, `compact`, `prefixed` or `season8`.
  const char *variant;
  // `auto` or the map's origin as `x,z` in world units.
  const char *origin;
  // Port ranges in which one datagram is enough to claim a conversation; null where `port_count` is 0.
  const struct riftshark_ports *ports;
  // How many ranges there are at `ports`.
  size_t port_count;
  // `auto` or the protocol of every Minecraft Bedrock session.
  const char *bedrock_protocol;
  // Keys of Minecraft Bedrock sessions as `key` or `address=key`, separated as `keys` are.
  const char *bedrock_keys;
  // Filter names of the families that are switched off, separated by white space: their bodies are left as bytes.
  const char *disabled;
  // Channel of messages that come without ENet: told as a problem where it is above 255.
  uint32_t user_channel;
  // Not 0 where payloads of the game in ENet are left to other dissectors.
  uint8_t without_league;
} riftshark_settings;

// One end of a conversation.
typedef struct riftshark_endpoint {
  // Bytes of the address; null where `length` is 0. Bytes past the twentieth are ignored.
  const uint8_t *address;
  // How many bytes there are at `address`.
  size_t length;
  // Any number that tells kinds of addresses apart.
  uint32_t kind;
  // UDP port; 0 where there are no ports.
  uint16_t port;
} riftshark_endpoint;

// A packet as it was captured. Nothing is kept after the call.
typedef struct riftshark_packet {
  // The captured bytes; null where `captured` is 0.
  const uint8_t *bytes;
  // How many bytes there are at `bytes`, at most `reported`.
  size_t captured;
  // How many bytes there were on the wire, at least `captured`.
  size_t reported;
  // Capture time, nanoseconds since 1970.
  int64_t time;
  // Frame number, from 1.
  uint32_t frame;
  // Which datagram of the frame: grows with every datagram that is taken, and is the same in every pass.
  uint32_t datagram;
  // The end that sends it.
  struct riftshark_endpoint source;
  // The end it is sent to.
  struct riftshark_endpoint destination;
  // Nodes of the results that this dissection of the frame was given before, so that a frame has no more than epan
  // takes.
  uint32_t nodes_before;
  // How much of the result is wanted, a `RIFTSHARK_DETAIL_…`.
  uint8_t detail;
  // 1 where the frame has been dissected before: nothing is written then.
  uint8_t visited;
  // 1 where the packet is quoted in an error message: nothing is written then.
  uint8_t in_error_pkt;
  // 1 where the user or the conversation says that it is ENet: it is never refused then.
  uint8_t decode_as;
  // 1 where an earlier result of this datagram has begun the game's part (`riftshark_result.league_nodes`): what is read
  // now is shown there, and its nodes begin at depth 1.
  uint8_t league_begun;
} riftshark_packet;

// One node of the tree. A node's children follow it with a greater depth.
typedef struct riftshark_node {
  // Index into the field table, below `riftshark_field_count()`.
  uint16_t field;
  // `RIFTSHARK_NODE_…` flags, any number of them.
  uint16_t flags;
  // Depth in the tree; 0 is a protocol's own item.
  uint8_t depth;
  // First bit of the value in its little-endian word, from the lowest.
  uint8_t bit_first;
  // How many bits the value has, where `RIFTSHARK_NODE_BITS` is set.
  uint8_t bit_count;
  // Bytes of that word, 1 to 8.
  uint8_t word_bytes;
  // First byte, from the start of its data source.
  uint32_t offset;
  // Bytes spanned; never past the captured bytes.
  uint32_t length;
  // Its place in its list, from 0, where `RIFTSHARK_NODE_INDEXED` is set.
  uint32_t index;
  // 0, or one more than an index into the texts.
  uint32_t text;
  // The value; signed ones sign-extended, floats as the bits of a double.
  uint64_t value;
} riftshark_node;

// Where a text lies in the arena.
typedef struct riftshark_text {
  // First byte, from the start of the arena.
  uint32_t start;
  // One past the last byte, at least `start`.
  uint32_t end;
} riftshark_text;

// An expert item.
typedef struct riftshark_expert_item {
  // Index into the expert table.
  uint16_t expert;
  // Index of the node it belongs to, or `RIFTSHARK_NO_NODE`.
  uint32_t node;
  // 0, or one more than an index into the texts.
  uint32_t text;
} riftshark_expert_item;

// A fragment for epan to join with the others.
typedef struct riftshark_fragment_span {
  // First byte of its data: in the packet (in `decompressed` where that is not null), or in `early` where `early_frame`
  // is not 0.
  uint32_t offset;
  // Bytes of its data, all of them captured.
  uint32_t length;
  // Number of its reassembly; never used twice in a capture.
  uint32_t id;
  // Which fragment of its message it is, from 0.
  uint32_t number;
  // Node under which the reassembled message is described, or `RIFTSHARK_NO_NODE`.
  uint32_t node;
  // 0, or the earlier frame it came in, before the conversation was claimed: epan has not seen it there.
  uint32_t early_frame;
  // Which datagram of `early_frame`, as `riftshark_packet.datagram` counts.
  uint32_t early_datagram;
  // 1 where more fragments follow it.
  uint8_t more;
  // 1 where it is to be given to epan now: on the first pass when seen first, later only where it completed
  // its message.
  uint8_t completes;
} riftshark_fragment_span;

// A payload, for export and for other dissectors.
typedef struct riftshark_payload_span {
  // First byte, in the packet (in `decompressed` where that is not null) and in `plain` alike.
  uint32_t offset;
  // Bytes of it that were captured.
  uint32_t length;
  // Bytes it had on the wire, at least `length`.
  uint32_t reported;
  // ENet channel, 0 to 255.
  uint8_t channel;
  // Who sent it: 0 not known, 1 client, 2 server.
  uint8_t sender;
  // 1 where it was read as a message of the game; 0 where it is for other dissectors.
  uint8_t league;
  // 1 where its bytes are readable.
  uint8_t clear;
} riftshark_payload_span;

// What a call found. Everything belongs to the engine and is good until the next call of the same function on
// it; arrays of no elements may be null.
typedef struct riftshark_result {
  // Nodes, parents before children.
  const struct riftshark_node *nodes;
  // How many nodes.
  size_t node_count;
  // Where each text lies in the arena.
  const struct riftshark_text *texts;
  // How many texts.
  size_t text_count;
  // The bytes of all texts: UTF-8 without zero bytes, not ended by one.
  const char *arena;
  // Expert items, in the order of their nodes.
  const struct riftshark_expert_item *experts;
  // How many expert items.
  size_t expert_count;
  // Fragments that the datagram carries, for epan to join.
  const struct riftshark_fragment_span *fragments;
  // How many fragments.
  size_t fragment_count;
  // Payloads of the datagram or message, in order.
  const struct riftshark_payload_span *payloads;
  // How many payloads.
  size_t payload_count;
  // The commands of a datagram that came compressed: fragments and payloads count in them then. Null where they did not.
  const uint8_t *decompressed;
  // How many bytes there are at `decompressed`.
  size_t decompressed_length;
  // A copy of the packet, or of `decompressed`, with its payloads deciphered; of a Bedrock message that came compressed, what it
  // decompresses to instead. Null where nothing was.
  const uint8_t *plain;
  // Its length: 0, that of the packet, or that of what came out.
  size_t plain_length;
  // Data of the fragments that came before the conversation was claimed; null where there are none.
  const uint8_t *early;
  // How many bytes there are at `early`.
  size_t early_length;
  // The Info line: UTF-8, at most 220 characters, ended by a zero byte; never null. That of a message put together from
  // fragments goes on from the line of its datagram and stands in its place.
  const char *info;
  // The packet's part of its session's text, a line a message, where `riftshark_engine_follow` asked for it: UTF-8,
  // ended by a zero byte; never null.
  const char *follow;
  // Who sent what that tells: 0 not known, 1 client, 2 server.
  uint8_t follow_sender;
  // The first node of the game's part, which goes on to the last node and is shown as a layer of its own; 0 as well where
  // there is such a part but no nodes were asked for. `RIFTSHARK_NO_NODE` where there is no such part.
  uint32_t league_nodes;
  // 1 where the packet holds messages of League of Legends.
  uint8_t league;
} riftshark_result;

// The RakNet datagram that a message of Bedrock came in: its numbers stand there. Nothing is kept after the call.
typedef struct riftshark_carrier {
  // The captured bytes of the datagram, from RakNet's byte of flags on; null where `length` is 0.
  const uint8_t *datagram;
  // How many bytes there are at `datagram`.
  size_t length;
  // Where the message begins in it; `RIFTSHARK_JOINED` where it was joined from pieces, of which the last is in it.
  uint32_t at;
} riftshark_carrier;

// A name for a value.
typedef struct riftshark_value_string {
  // The value, as the field's kind reads it.
  int64_t value;
  // Its name, UTF-8 ended by a zero byte.
  const char *name;
} riftshark_value_string;

// One bit of a word that holds it.
typedef struct riftshark_mask {
  // Which bit, from the lowest, below `8 * bytes`.
  uint8_t bit;
  // Bytes of the word, 1 to 4.
  uint8_t bytes;
} riftshark_mask;

// One field, as it is to be registered. All texts are UTF-8, ended by a zero byte, and live as long as the
// program.
typedef struct riftshark_field {
  // Filter name, such as `enet.sentTime`.
  const char *name;
  // Title in the tree, such as `Sent time`.
  const char *title;
  // What a protocol or family is called in lists of protocols; empty for other fields.
  const char *short_name;
  // What it is, in one line; no full stop.
  const char *blurb;
  // Unit shown behind its value, such as `ms`; may be empty. A field with a unit has no names for its values.
  const char *unit;
  // Names for its values; null where `value_string_count` is 0.
  const struct riftshark_value_string *value_strings;
  // How many names there are at `value_strings`.
  size_t value_string_count;
  // Bits that a yes or no is carried by, one of them at a time: a node with `RIFTSHARK_NODE_BITS` says which. Null where
  // `mask_count` is 0.
  const struct riftshark_mask *masks;
  // How many there are at `masks`.
  size_t mask_count;
  // Index of the protocol or family it belongs to; its own for a protocol or family.
  uint16_t owner;
  // Type of its value, a `RIFTSHARK_KIND_…`.
  uint8_t kind;
  // How a whole number is written, a `RIFTSHARK_BASE_…`.
  uint8_t base;
} riftshark_field;

// One kind of expert information. Texts as in [`riftshark_field`].
typedef struct riftshark_expert {
  // Filter name, such as `lol.malformed`.
  const char *name;
  // What it says where nothing more exact is said.
  const char *text;
  // Index into the field table of the protocol it belongs to.
  uint16_t owner;
  // Where Wireshark lists it, a `RIFTSHARK_GROUP_…`.
  uint8_t group;
  // How much it matters, a `RIFTSHARK_SEVERITY_…`.
  uint8_t severity;
} riftshark_expert;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes an engine from settings (null for the defaults).
//
// The engine belongs to the caller, who frees it with [`riftshark_engine_free`]. Null where it cannot be made.
// Settings that cannot be used are left out and told by [`riftshark_engine_problems`].
//
// # Safety
// `settings` is null or points to settings whose pointers are as documented there.
struct riftshark_engine *riftshark_engine_new(const struct riftshark_settings *settings);

// Frees an engine; null is allowed.
//
// # Safety
// `engine` is null or was made by [`riftshark_engine_new`] and not freed since.
void riftshark_engine_free(struct riftshark_engine *engine);

// What was wrong with the settings, a line each; empty where nothing was. The text belongs to the engine.
//
// # Safety
// `engine` is null or a live engine.
const char *riftshark_engine_problems(const struct riftshark_engine *engine);

// How many sessions there are so far: those of `lol.session` and `enet.stream`, or where `bedrock` is not 0 those of
// `bedrock.session`. 0 for null.
//
// # Safety
// `engine` is null or a live engine.
uint32_t riftshark_session_count(const struct riftshark_engine *engine,
                                 uint8_t bedrock);

// Says whether somebody follows sessions: results have lines of their text from now on where `wanted` is not 0.
//
// # Safety
// `engine` is null or a live engine.
void riftshark_engine_follow(struct riftshark_engine *engine,
                             uint8_t wanted);

// Reads a UDP datagram. Answers `RIFTSHARK_NOT_MINE` where it belongs to no session of the protocol.
//
// `out` is filled in with pointers that are good until the next call of this function on the engine.
//
// # Safety
// `engine` is null or live, `packet` null or as documented, `out` null or room for one result.
int32_t riftshark_datagram(struct riftshark_engine *engine,
                           const struct riftshark_packet *packet,
                           struct riftshark_result *out);

// Reads a message that epan has put together from fragments: `packet.bytes` are its bytes, everything else as for the
// datagram that completed it, `id` the fragments' `id`. Answers `RIFTSHARK_NOT_MINE` for an id it never gave.
//
// `out` is filled in with pointers that are good until the next call of this function or of
// [`riftshark_message`] on the engine.
//
// # Safety
// As for [`riftshark_datagram`].
int32_t riftshark_reassembled(struct riftshark_engine *engine,
                              const struct riftshark_packet *packet,
                              uint32_t id,
                              struct riftshark_result *out);

// Reads one deciphered payload that came without ENet (a DLT_USER file, an exported PDU): `channel` 0 to 254, or 255
// where it is not known; `sender` 0 not known, 1 client, 2 server.
//
// `out` is filled in with pointers that are good until the next call of this function or of [`riftshark_reassembled`]
// on the engine.
//
// # Safety
// As for [`riftshark_datagram`].
int32_t riftshark_message(struct riftshark_engine *engine,
                          const struct riftshark_packet *packet,
                          uint8_t channel,
                          uint8_t sender,
                          struct riftshark_result *out);

// Reads one user message of RakNet, from its message id on, as Minecraft Bedrock. `packet.datagram` counts the messages
// of the frame, `carrier` may be null. Answers `RIFTSHARK_NOT_MINE` where it is none of Bedrock's, which the first pass
// decides once.
//
// `out` is filled in with pointers that are good until the next call of this function on the engine.
//
// # Safety
// As for [`riftshark_datagram`].
int32_t riftshark_bedrock(struct riftshark_engine *engine,
                          const struct riftshark_packet *packet,
                          const struct riftshark_carrier *carrier,
                          struct riftshark_result *out);

// Says whether a text may stand in a column of the table of keys, a `RIFTSHARK_COLUMN_…`.
//
// Answers 0 where it may, else how many bytes the sentence has that says what may stand there. Of that sentence, as much
// as there is room for is written to `out` as UTF-8 and ended by a zero byte; `out` may be null where `capacity` is 0.
// A sentence about a key does not repeat it.
//
// # Safety
// `given` is null or ended by a zero byte; `out` has room for `capacity` bytes.
size_t riftshark_check_key_column(uint8_t column,
                                  const char *given,
                                  char *out,
                                  size_t capacity);

// Version of the ABI: [`RIFTSHARK_ABI_VERSION`] of the library that is linked.
uint32_t riftshark_abi_version(void);

// How many fields there are; 0 where the table cannot be built.
size_t riftshark_field_count(void);

// Writes field `index` to `out`.
//
// Answers `RIFTSHARK_OK`, `RIFTSHARK_NULL_ARGUMENT`, `RIFTSHARK_NO_SUCH_INDEX` or `RIFTSHARK_PANIC`.
//
// # Safety
// `out` is null or points to room for one field.
int32_t riftshark_field_at(size_t index,
                           struct riftshark_field *out);

// What the frame number of field `index` leads to, a `RIFTSHARK_LINK_…`; `RIFTSHARK_LINK_OTHER` for other fields.
uint8_t riftshark_field_link(size_t index);

// Index of the field with this name, or -1.
//
// # Safety
// `name` is null or a text ended by a zero byte.
int32_t riftshark_field_index(const char *name);

// How many kinds of expert information there are.
size_t riftshark_expert_count(void);

// Writes kind `index` of expert information to `out`; answers as [`riftshark_field_at`].
//
// # Safety
// `out` is null or points to room for one.
int32_t riftshark_expert_at(size_t index, struct riftshark_expert *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RIFTSHARK_H */
