/* Minecraft Bedrock over RakNet: claiming its messages from the dissectors that are there, showing them, its keys, and
 * its statistics.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/dissectors/packet-raknet.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>
#include <epan/uat.h>

#define BEDROCK_PORT 19132

typedef struct {
    char *address;
    char *key;
} key_row;

/* What the tap "bedrock" tells of each packet. */
typedef struct {
    const char *name;
    int length;
} packet_record;

const char *shim_bedrock_protocol = "auto";
static const char *key_text = "";
static key_row *key_rows;
static unsigned key_row_count;

static dissector_handle_t bedrock_handle;
static dissector_handle_t session_handle;
static dissector_handle_t port_handle;
static dissector_handle_t old_handle; /* the built-in dissector of Pocket Edition; NULL without it */
static unsigned old_port;
static int packet_tap = -1;
static int length_field = -1;
static int id_field = -1;
static int resent_field = -1;

UAT_CSTRING_CB_DEF(key_rows, address, key_row)
UAT_CSTRING_CB_DEF(key_rows, key, key_row)

static void *copy_row(void *to, const void *from, size_t size _U_)
{
    const key_row *row = (const key_row *)from;
    *(key_row *)to = (key_row){g_strdup(row->address), g_strdup(row->key)};
    return to;
}

static void free_row(void *row)
{
    g_free(((key_row *)row)->address);
    g_free(((key_row *)row)->key);
}

/* All keys as one text, to be freed with g_free. */
char *shim_bedrock_keys(void)
{
    GString *text = g_string_new(key_text);
    for (unsigned i = 0; i < key_row_count; i++) {
        const char *address = key_rows[i].address != NULL ? key_rows[i].address : "";
        g_string_append_printf(text, " %s%s%s", address, address[0] != '\0' ? "=" : "",
                               key_rows[i].key != NULL ? key_rows[i].key : "");
    }
    return g_string_free(text, FALSE);
}

static const char *name_of(const riftshark_node *node)
{
    const header_field_info *info = proto_registrar_get_nth((unsigned)shim_hf(node->field));
    const char *name = info->strings != NULL ? try_val_to_str((uint32_t)node->value, (const value_string *)info->strings)
                                             : NULL;
    return name != NULL ? name : "Not named here";
}

/* What came before is not counted again. */
static bool is_resent(const riftshark_result *result)
{
    for (size_t i = 0; i < result->node_count; i++)
        if (result->nodes[i].field == resent_field)
            return true;
    return false;
}

static void tell_packets(packet_info *pinfo, const riftshark_result *result)
{
    int length = 0;
    for (size_t i = 0; i < result->node_count; i++) {
        const riftshark_node *node = &result->nodes[i];
        if (node->field == length_field)
            length = (int)MIN(node->value, (uint64_t)INT32_MAX);
        if (node->field != id_field)
            continue;
        packet_record *record = wmem_new(pinfo->pool, packet_record);
        *record = (packet_record){name_of(node), length};
        tap_queue_packet(packet_tap, pinfo, record);
    }
}

static int dissect_bedrock(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    riftshark_packet packet;
    riftshark_result result;
    shim_view view = {tvb, pinfo, tree, &result, "Bedrock batch", NULL, NULL, NULL};
    bool listened = have_tap_listener(packet_tap);
    if (shim_engine == NULL)
        return 0;
    shim_fill_packet(&packet, tvb, pinfo, tree, false);
    shim_frame *frame = shim_number(&packet, pinfo, true);
    if (listened) /* a tap may come without a tree */
        packet.detail = MAX(packet.detail, RIFTSHARK_DETAIL_TREE);
    riftshark_carrier carrier;
    bool carried = !packet.visited && shim_carrier(&carrier, tvb, pinfo);
    int32_t answer = riftshark_bedrock(shim_engine, &packet, carried ? &carrier : NULL, &result);
    if (answer == RIFTSHARK_PANIC)
        shim_show_failure(shim_proto_bedrock, tvb, pinfo, tree);
    else if (answer != RIFTSHARK_OK)
        return 0;
    shim_taken(frame, &packet, true);
    if (answer == RIFTSHARK_OK) {
        /* From here on nobody else is asked: the old dissector takes any message with a 1, 3 or 6 in the right place. */
        if (!packet.visited && !packet.in_error_pkt)
            raknet_conversation_set_dissector(pinfo, session_handle);
        col_set_str(pinfo->cinfo, COL_PROTOCOL, "Bedrock");
        col_clear(pinfo->cinfo, COL_INFO);
        col_add_str(pinfo->cinfo, COL_INFO, result.info);
        shim_tell(&view, true);
        shim_show(&view);
        if (listened && !is_resent(&result))
            tell_packets(pinfo, &result);
    }
    return (int)tvb_captured_length(tvb);
}

static ws_boolean dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return dissect_bedrock(tvb, pinfo, tree, data) > 0;
}

/* This one and the next belong to no protocol, so that the layers of a packet are those of whoever takes it. epan gives a
 * packet of 500 layers up, and a datagram may hold more messages: those past the first hundred add none. */
static int dissect_session(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (wmem_list_count(pinfo->layers) > 100)
        return dissect_bedrock(tvb, pinfo, tree, data);
    return call_dissector_only(bedrock_handle, tvb, pinfo, tree, data);
}

/* On the port there can be one only: what is not Bedrock's goes to the old dissector as it did before. */
static int dissect_port(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    int used = dissect_session(tvb, pinfo, tree, data);
    if (used == 0 && old_handle != NULL)
        used = call_dissector_only(old_handle, tvb, pinfo, tree, data);
    return used;
}

static void note_old_port(const char *table _U_, ftenum_t type _U_, void *key, void *value, void *data _U_)
{
    if (dtbl_entry_get_handle((dtbl_entry_t *)value) == old_handle)
        old_port = GPOINTER_TO_UINT(key);
}

/* What a user has chosen for the port (Decode As) stays: to claim it takes that out. */
static void claim_port(unsigned port)
{
    dissector_handle_t usual = dissector_get_default_uint_handle("udp.port", port);
    dissector_handle_t chosen = dissector_get_uint_handle(find_dissector_table("udp.port"), port);
    raknet_add_udp_dissector(port, port_handle);
    if (chosen != usual)
        dissector_change_uint("udp.port", port, chosen);
}

/* Before every dissection: the preference mcpe.udp.port, when changed, takes the entry of its port out of the table and
 * puts the old dissector in at another. */
static void claim_ports(void)
{
    old_port = 0;
    if (old_handle != NULL)
        dissector_table_foreach("raknet.port", note_old_port, NULL);
    claim_port(BEDROCK_PORT);
    if (old_port != 0)
        claim_port(old_port);
}

static void start_statistics(stats_tree *tree) { stats_tree_create_node(tree, "Packets", 0, STAT_DT_INT, TRUE); }

static tap_packet_status count_packet(stats_tree *tree, packet_info *pinfo _U_, epan_dissect_t *edt _U_,
                                      const void *data, tap_flags_t flags _U_)
{
    const packet_record *record = (const packet_record *)data;
    int packets = avg_stat_node_add_value_int(tree, "Packets", 0, TRUE, record->length);
    avg_stat_node_add_value_int(tree, record->name, packets, FALSE, record->length);
    return TAP_PACKET_REDRAW;
}

static void register_preferences(void)
{
    static uat_field_t columns[] = {
        UAT_FLD_CSTRING(key_rows, address, "Address", "IP address of either end; empty for all sessions"),
        UAT_FLD_CSTRING(key_rows, key, "Key", "64 hexadecimal digits, or 44 characters of base64"),
        UAT_END_FIELDS,
    };
    module_t *module = prefs_register_protocol(shim_proto_bedrock, NULL);
    uat_t *table = uat_new("Bedrock keys", sizeof(key_row), "bedrock_keys", true, &key_rows, &key_row_count,
                           UAT_AFFECTS_DISSECTION, NULL, copy_row, NULL, free_row, NULL, NULL, columns);
    prefs_register_string_preference(module, "protocol", "Protocol",
                                     "Protocol version of all sessions, such as 2208. \"auto\" takes what clients state.",
                                     &shim_bedrock_protocol);
    prefs_register_string_preference(module, "key", "Keys",
                                     "Keys of enciphered sessions, separated by commas or spaces; each as 64 hexadecimal "
                                     "digits or 44 characters of base64. Every session takes the key that fits.",
                                     &key_text);
    prefs_register_uat_preference(module, "keys", "Keys by address", "Keys of enciphered sessions by IP address.", table);
}

void shim_register_bedrock(void)
{
    bedrock_handle = register_dissector("bedrock", dissect_bedrock, shim_proto_bedrock);
    packet_tap = register_tap("bedrock");
    length_field = riftshark_field_index("bedrock.packet.length");
    id_field = riftshark_field_index("bedrock.packet.id");
    resent_field = riftshark_field_index("bedrock.resentFrom");
    register_preferences();
    register_init_routine(claim_ports);
}

void shim_handoff_bedrock(void)
{
    old_handle = find_dissector("mcpe");
    session_handle = create_dissector_handle(dissect_session, -1);
    port_handle = create_dissector_handle(dissect_port, -1);
    heur_dissector_add("raknet", dissect_heuristic, "Minecraft Bedrock over RakNet", "bedrock_raknet",
                       shim_proto_bedrock, HEURISTIC_ENABLE);
    shim_replace_cookie_messages();
    stats_tree_register_plugin("bedrock", "bedrock", "Minecraft Bedrock packets", 0, count_packet, start_statistics,
                               NULL);
}
