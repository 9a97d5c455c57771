/* Messages of the game without ENet: files of a user link type, and exported PDUs, which are written here too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/exported_pdu.h>
#include <epan/tap.h>

/* An exported PDU names this table, and in it sender * 256 + channel: all that ENet would have told. The game has the
 * channels 0 to 7: what came on another has no row there, and names the dissector for its sender instead. */
#define ENTRY_TABLE "lol.entry"
#define ENTRY_CHANNELS 8
#define OTHER_CHANNEL 255

static const char *const other_names[] = {"lol.other", "lol.other.client", "lol.other.server"};

static dissector_handle_t message_handle;
static int export_tap = -1;

static int dissect_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, uint8_t channel, uint8_t sender)
{
    riftshark_packet packet;
    riftshark_result result;
    shim_view view = {tvb, pinfo, tree, &result, "Deciphered message", NULL, NULL, NULL};
    if (shim_engine == NULL)
        return 0;
    shim_fill_packet(&packet, tvb, pinfo, tree, true);
    if (tree != NULL)
        packet.nodes_before = shim_nodes_before(pinfo);
    int32_t answer = riftshark_message(shim_engine, &packet, channel, sender, &result);
    if (answer == RIFTSHARK_PANIC)
        shim_show_failure(shim_proto_lol, tvb, pinfo, tree);
    else if (answer != RIFTSHARK_OK)
        return 0;
    if (answer == RIFTSHARK_OK) {
        result.league = 1; /* whoever calls this dissector says so */
        shim_columns(pinfo, &result);
        shim_tell(pinfo, &result, false);
        shim_show(&view);
        shim_export(&view);
    }
    return (int)tvb_captured_length(tvb);
}

static int dissect_user(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(tvb, pinfo, tree, (uint8_t)MIN(shim_user_channel, 255U), (uint8_t)shim_user_sender);
}

static int dissect_exported(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    uint32_t key = pinfo->match_uint;
    return dissect_message(tvb, pinfo, tree, (uint8_t)(key & 0xff), (uint8_t)((key >> 8) & 0xff));
}

/* Before 4.4 epan's dissector of exported PDUs adds no layer for what it finds in a table; then it is added here. */
static int dissect_entry(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    wmem_list_frame_t *last = wmem_list_tail(pinfo->layers);
    if (last != NULL && GPOINTER_TO_INT(wmem_list_frame_data(last)) == shim_proto_lol)
        return dissect_exported(tvb, pinfo, tree, data);
    return call_dissector_only(message_handle, tvb, pinfo, tree, data);
}

static int dissect_other(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(tvb, pinfo, tree, OTHER_CHANNEL, 0);
}

static int dissect_other_client(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(tvb, pinfo, tree, OTHER_CHANNEL, 1);
}

static int dissect_other_server(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(tvb, pinfo, tree, OTHER_CHANNEL, 2);
}

static void export_payload(shim_view *view, const riftshark_payload_span *payload)
{
    bool other = payload->channel >= ENTRY_CHANNELS;
    uint32_t key = payload->sender * 256U + payload->channel;
    /* The key must follow the table's name, which stands first; beside the name of a dissector it is shown, no more. */
    const exp_pdu_data_item_t key_item = {exp_pdu_data_dissector_table_num_value_size,
                                          exp_pdu_data_dissector_table_num_value_populate_data, GUINT_TO_POINTER(key)};
    const exp_pdu_data_item_t *items[] = {
        &key_item,
        &exp_pdu_data_src_ip,
        &exp_pdu_data_dst_ip,
        &exp_pdu_data_port_type,
        &exp_pdu_data_src_port,
        &exp_pdu_data_dst_port,
        &exp_pdu_data_orig_frame_num,
        NULL,
    };
    const char *name = other ? other_names[MIN(payload->sender, 2)] : ENTRY_TABLE;
    uint16_t tag = other ? EXP_PDU_TAG_DISSECTOR_NAME : EXP_PDU_TAG_DISSECTOR_TABLE_NAME;
    exp_pdu_data_t *pdu = export_pdu_create_tags(view->pinfo, name, tag, items);
    pdu->pdu_tvb = shim_payload(view, payload);
    pdu->tvb_captured_length = tvb_captured_length(pdu->pdu_tvb);
    pdu->tvb_reported_length = tvb_reported_length(pdu->pdu_tvb);
    tap_queue_packet(export_tap, view->pinfo, pdu);
}

/* Hands the messages of a result to whoever exports them; works without a tree. */
void shim_export(shim_view *view)
{
    if (!have_tap_listener(export_tap))
        return;
    for (size_t i = 0; i < view->result->payload_count; i++) {
        const riftshark_payload_span *payload = &view->result->payloads[i];
        if (payload->league && payload->clear && payload->length > 0)
            export_payload(view, payload);
    }
}

void shim_register_entry(void)
{
    static const dissector_t others[] = {dissect_other, dissect_other_client, dissect_other_server};
    register_dissector("lol", dissect_user, shim_proto_lol);
    for (size_t i = 0; i < array_length(others); i++)
        register_dissector(other_names[i], others[i], shim_proto_lol);
    register_dissector_table(ENTRY_TABLE, "League of Legends payload", shim_proto_lol, FT_UINT32, BASE_DEC);
}

void shim_handoff_entry(void)
{
    dissector_handle_t entry = create_dissector_handle_with_name_and_description(
        dissect_entry, shim_proto_lol, ENTRY_TABLE, "League of Legends (exported)");
    message_handle = create_dissector_handle(dissect_exported, shim_proto_lol);
    for (uint32_t sender = 0; sender < array_length(other_names); sender++)
        for (uint32_t channel = 0; channel < ENTRY_CHANNELS; channel++)
            dissector_add_uint(ENTRY_TABLE, sender * 256 + channel, entry);
    export_tap = register_export_pdu_tap("League of Legends");
}
