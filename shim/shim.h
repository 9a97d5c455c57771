/* What the parts of the shim share. The shim knows no message and no field of the game: all of that comes from the
 * tables of riftshark.h; epan's numbers stand only here and never cross into Rust.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIFTSHARK_SHIM_H
#define RIFTSHARK_SHIM_H

#include "ws_compat.h"

#include <epan/expert.h>
#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/reassemble.h>
#include <epan/tfs.h>

#include "riftshark.h"

/* One result on its way to the screen. `items` is set by shim_show: one per node, NULL without a tree. */
typedef struct {
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *tree;
    const riftshark_result *result;
    const char *plain_name;
    tvbuff_t *plain;
    tvbuff_t *decompressed;
    proto_item **items;
} shim_view;

/* A message that a datagram's fragments complete. */
typedef struct {
    tvbuff_t *bytes;
    uint32_t id; /* of its reassembly */
} shim_joined;

/* What is kept of a frame while it is dissected. */
typedef struct shim_frame shim_frame;

/* plugin.c */
extern riftshark_engine *shim_engine; /* NULL between captures */
extern unsigned shim_user_channel;
extern int shim_user_sender;

/* fields.c */
extern int shim_proto_enet;
extern int shim_proto_lol;
extern int shim_proto_bedrock;
extern expert_field *shim_internal; /* what to show where the reader failed */
extern const fragment_items *shim_fragment_items;
const char *shim_name_taken(void);
bool shim_register_fields(void);
char *shim_disabled_families(void);
int shim_hf(size_t field);
int shim_node_hf(const riftshark_node *node);
const riftshark_mask *shim_mask(const riftshark_node *node);
int shim_ett(size_t field);
uint8_t shim_kind(size_t field);
const char *shim_unit(size_t field);
expert_field *shim_expert(size_t index);

/* types.c */
enum ftenum shim_type_of(uint8_t kind);
int shim_base_of(const riftshark_field *field);
const void *shim_strings_of(const riftshark_field *field, int *base);

/* packet.c */
void shim_fill_packet(riftshark_packet *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool decode_as);
shim_frame *shim_number(riftshark_packet *packet, packet_info *pinfo, bool bedrock);
void shim_taken(shim_frame *frame, const riftshark_packet *packet, bool bedrock);
uint32_t shim_nodes_before(packet_info *pinfo);
void shim_count_nodes(packet_info *pinfo, size_t count);
void shim_set_bytes(riftshark_packet *packet, tvbuff_t *tvb);

/* tree.c */
void shim_show(shim_view *view);
void shim_show_enet(shim_view *view);
void shim_show_league(shim_view *view);
void shim_show_below(shim_view *view);
proto_tree *shim_subtree(const shim_view *view, uint32_t node);
void shim_show_failure(int proto, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree);
void shim_tell_failure(packet_info *pinfo, proto_item *item);
void shim_columns(packet_info *pinfo, const riftshark_result *result);
void shim_more_columns(packet_info *pinfo, const riftshark_result *result);

/* sources.c */
tvbuff_t *shim_plain(shim_view *view);
tvbuff_t *shim_commands(shim_view *view);
tvbuff_t *shim_payload(shim_view *view, const riftshark_payload_span *payload);

/* enet.c */
void shim_register_enet(void);
void shim_handoff_enet(void);

/* lol.c */
void shim_register_league(void);
void shim_call_league(shim_view *view, riftshark_packet *packet, wmem_array_t *joined);

/* entry.c */
void shim_register_entry(void);
void shim_handoff_entry(void);
void shim_export(shim_view *view);

/* keys.c */
extern const char *shim_keylog_file;
riftshark_key_row *shim_key_rows(size_t *count);
void shim_register_key_preferences(module_t *module);

/* session.c */
typedef enum { SHIM_ENET_SESSION, SHIM_LOL_SESSION, SHIM_LOL_UNIT, SHIM_BEDROCK_SESSION, SHIM_SUBJECTS } shim_subject_kind;
void shim_register_subjects(void);
void shim_note_subjects(packet_info *pinfo, const riftshark_result *result);
bool shim_subject(packet_info *pinfo, shim_subject_kind subject, unsigned *number);
char *shim_subject_filter(shim_subject_kind subject, unsigned number);

/* follow.c: what the taps "lol_follow" and "bedrock_follow" are told */
typedef struct {
    const char *text; /* lines, each ended by a line end, and all by a zero byte */
    uint8_t sender;   /* 0 not known, 1 client, 2 server */
} shim_lines;
bool shim_is_followed(void);
void shim_tell(const shim_view *view, bool bedrock);
void shim_register_follow(void);

/* menus.c */
void shim_register_menus(void);

/* carrier.c */
bool shim_carrier(riftshark_carrier *carrier, tvbuff_t *tvb, packet_info *pinfo);

/* cookie.c */
void shim_replace_cookie_messages(void);

/* bedrock.c */
extern const char *shim_bedrock_protocol;
char *shim_bedrock_keys(void);
void shim_register_bedrock(void);
void shim_handoff_bedrock(void);

#endif
