/* ENet over UDP: finding it, showing it, joining its fragments, and handing on what it carries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/conversation.h>
#include <epan/decode_as.h>
#include <epan/exceptions.h>
#include <epan/show_exception.h>

/* Payloads of another game can be decoded by hand, for the whole capture:
 *
 *     tshark -r capture.pcap -d enet.payload,json
 *
 * (a table without selector, hence no "=="), or by heuristic dissectors of the list "enet". */
#define PAYLOAD_TABLE "enet.payload"

static dissector_handle_t enet_handle;
static dissector_table_t payload_table;
static heur_dissector_list_t payload_heuristics;
static reassembly_table reassembly;

/* Messages are told apart by the number Rust gives each, which is never used twice in a capture: not by addresses, since
 * early fragments are added from whatever datagram claims their conversation. */
static void *key_of(const packet_info *pinfo _U_, const uint32_t id, const void *data _U_)
{
    return GUINT_TO_POINTER(id + 1); /* never NULL */
}

static void free_key(void *key _U_) {}

static const reassembly_table_functions by_number = {g_direct_hash, g_direct_equal, key_of, key_of, free_key, free_key};

static void offer(tvbuff_t *payload, packet_info *pinfo, proto_tree *tree)
{
    heur_dtbl_entry_t *entry = NULL;
    /* One payload that others find malformed must not keep the next ones from being shown. */
    TRY
    {
        if (dissector_try_payload_with_data(payload_table, payload, pinfo, tree, true, NULL) == 0)
            dissector_try_heuristic(payload_heuristics, payload, pinfo, tree, &entry, NULL);
    }
    CATCH_NONFATAL_ERRORS
    {
        show_exception(payload, pinfo, tree, EXCEPT_CODE, GET_MESSAGE);
    }
    ENDTRY;
}

/* Buffers of what is for other dissectors. They are made before any is called: a call may lead back here, and the
 * engine's result is gone then. */
static void collect_offers(shim_view *view, wmem_array_t *offers)
{
    for (size_t i = 0; i < view->result->payload_count; i++) {
        const riftshark_payload_span *payload = &view->result->payloads[i];
        if (!payload->league && payload->clear && payload->length > 0) {
            tvbuff_t *buffer = shim_payload(view, payload);
            wmem_array_append_one(offers, buffer);
        }
    }
}

static void make_offers(wmem_array_t *offers, packet_info *pinfo, proto_tree *tree)
{
    for (unsigned i = 0; i < wmem_array_get_count(offers); i++)
        offer(*(tvbuff_t **)wmem_array_index(offers, i), pinfo, tree);
}

/* A message of other programs, put together: it shows nothing of itself, and its bytes are for others. */
static void read_joined(const shim_view *view, riftshark_packet *packet, const shim_joined *joined, wmem_array_t *offers)
{
    riftshark_result result;
    shim_view inner = {joined->bytes, view->pinfo, view->tree, &result, "Joined ENet message", NULL, NULL, NULL};
    shim_set_bytes(packet, joined->bytes);
    packet->nodes_before = shim_nodes_before(view->pinfo);
    int32_t answer = riftshark_reassembled(shim_engine, packet, joined->id, &result);
    if (answer == RIFTSHARK_PANIC)
        shim_show_failure(shim_proto_enet, joined->bytes, view->pinfo, view->tree);
    if (answer != RIFTSHARK_OK)
        return;
    shim_more_columns(view->pinfo, &result);
    shim_show(&inner);
    collect_offers(&inner, offers);
}

static fragment_head *add_fragment(tvbuff_t *tvb, packet_info *pinfo, const riftshark_fragment_span *fragment)
{
    return fragment_add_seq_check(&reassembly, tvb, (int)fragment->offset, pinfo, fragment->id, NULL, fragment->number,
                                  fragment->length, fragment->more != 0);
}

/* A fragment that came before its conversation was claimed: epan gets it now, as of the frame it came in, so that later
 * passes find its message there or where it is complete. A message that was complete by then is told to Rust alone. */
static void add_early_fragment(const shim_view *view, const riftshark_packet *packet, tvbuff_t *early,
                               const riftshark_fragment_span *fragment)
{
    packet_info *pinfo = view->pinfo;
    uint32_t at_hand = pinfo->num;
    riftshark_packet then = *packet;
    riftshark_result result;
    if (!tvb_bytes_exist(early, (int)fragment->offset, (int)fragment->length))
        return;
    pinfo->num = fragment->early_frame;
    fragment_head *head = add_fragment(early, pinfo, fragment);
    pinfo->num = at_hand;
    if (head == NULL || head->reassembled_in != fragment->early_frame)
        return;
    tvbuff_t *message = head->next != NULL ? tvb_new_chain(early, head->tvb_data)
                                           : tvb_new_subset_length(early, (int)fragment->offset, (int)fragment->length);
    shim_set_bytes(&then, message);
    then.frame = fragment->early_frame;
    then.datagram = fragment->early_datagram;
    then.detail = RIFTSHARK_DETAIL_STATE;
    riftshark_reassembled(shim_engine, &then, fragment->id, &result);
}

/* Which fragments epan gets is Rust's choice: first-seen ones on the first pass, and later only the one that completed
 * its message then, which epan finds again by frame and id. */
static void reassemble(shim_view *view, const riftshark_packet *packet, wmem_array_t *joined)
{
    packet_info *pinfo = view->pinfo;
    const riftshark_result *result = view->result;
    tvbuff_t *commands = shim_commands(view);
    tvbuff_t *early = NULL;
    if (result->early_length > 0) {
        const uint8_t *copy = (const uint8_t *)wmem_memdup(pinfo->pool, result->early, result->early_length);
        early = tvb_new_child_real_data(view->tvb, copy, (unsigned)result->early_length, (int)result->early_length);
    }
    for (size_t i = 0; i < result->fragment_count; i++) {
        const riftshark_fragment_span *fragment = &result->fragments[i];
        int offset = (int)fragment->offset;
        if (fragment->early_frame != 0 && early != NULL)
            add_early_fragment(view, packet, early, fragment);
        if (fragment->early_frame != 0 || !fragment->completes ||
            !tvb_bytes_exist(commands, offset, (int)fragment->length))
            continue;
        fragment_head *head = add_fragment(commands, pinfo, fragment);
        if (head == NULL || head->reassembled_in != pinfo->num)
            continue;
        proto_tree *tree = shim_subtree(view, fragment->node);
        tvbuff_t *message = process_reassembled_data(commands, offset, pinfo, "Joined ENet message", head,
                                                     shim_fragment_items, NULL, tree);
        const shim_joined one = {message, fragment->id};
        if (message != NULL)
            wmem_array_append_one(joined, one);
    }
}

static void show_datagram(shim_view *view, riftshark_packet *packet)
{
    wmem_array_t *offers = wmem_array_new(view->pinfo->pool, sizeof(tvbuff_t *));
    wmem_array_t *joined = wmem_array_new(view->pinfo->pool, sizeof(shim_joined));
    shim_columns(view->pinfo, view->result);
    shim_tell(view->pinfo, view->result, false);
    shim_show_enet(view);
    shim_export(view);
    collect_offers(view, offers);
    reassemble(view, packet, joined);
    if (view->result->league)
        shim_call_league(view, packet, joined);
    for (unsigned i = 0; !view->result->league && i < wmem_array_get_count(joined); i++)
        read_joined(view, packet, (const shim_joined *)wmem_array_index(joined, i), offers);
    make_offers(offers, view->pinfo, view->tree);
}

/* False where the datagram is not ENet; nothing has been added then, and nothing thrown. */
static bool dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool decode_as, bool claims)
{
    riftshark_packet packet;
    riftshark_result result;
    shim_view view = {tvb, pinfo, tree, &result, "Deciphered datagram", NULL, NULL, NULL};
    if (shim_engine == NULL)
        return false;
    shim_fill_packet(&packet, tvb, pinfo, tree, decode_as);
    shim_frame *frame = shim_number(&packet, pinfo, false);
    int32_t answer = riftshark_datagram(shim_engine, &packet, &result);
    if (answer != RIFTSHARK_PANIC && answer != RIFTSHARK_OK)
        return false;
    shim_taken(frame, &packet, false);
    if (answer == RIFTSHARK_PANIC) {
        shim_show_failure(shim_proto_enet, tvb, pinfo, tree);
        return true;
    }
    /* From this frame on: what was refused before it is refused again in later passes. */
    if (claims && !packet.visited && !packet.in_error_pkt)
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num, enet_handle);
    show_datagram(&view, &packet);
    return true;
}

static ws_boolean dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, false, true);
}

/* Inside DTLS: the conversation is that of the records around it, so it is left to their dissector. */
static ws_boolean dissect_inside(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, false, false);
}

static int dissect_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, true, false) ? (int)tvb_captured_length(tvb) : 0;
}

void shim_register_enet(void)
{
    enet_handle = register_dissector("enet", dissect_enet, shim_proto_enet);
    payload_table = register_decode_as_next_proto(shim_proto_enet, PAYLOAD_TABLE, "ENet payload", NULL);
    payload_heuristics = register_heur_dissector_list("enet", shim_proto_enet);
    reassembly_table_register(&reassembly, &by_number);
}

void shim_handoff_enet(void)
{
    /* What games put into ENet without a dissector of their own; others add themselves to the table. */
    static const char *const common[] = {"json", "xml", "protobuf", "msgpack", "data-text-lines"};
    heur_dissector_add("udp", dissect_heuristic, "ENet over UDP", "enet_udp", shim_proto_enet, HEURISTIC_ENABLE);
    heur_dissector_add("dtls", dissect_inside, "ENet over DTLS", "enet_dtls", shim_proto_enet, HEURISTIC_ENABLE);
    dissector_add_for_decode_as("udp.port", enet_handle);
    dissector_add_for_decode_as("dtls.port", enet_handle);
    for (size_t i = 0; i < array_length(common); i++) {
        dissector_handle_t handle = find_dissector(common[i]);
        if (handle != NULL)
            dissector_add_for_decode_as(PAYLOAD_TABLE, handle);
    }
}
