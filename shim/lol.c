/* The game's part of a datagram, as a layer of its own below ENet: one a datagram, whatever number of messages it has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

/* epan gives a packet of 500 layers up, and a frame may hold many datagrams: past these they are shown without a layer. */
#define MOST_LAYERS 200

static dissector_handle_t league_handle;

/* What the layer is called with. */
typedef struct {
    shim_view *view; /* of the datagram, whose part of ENet is shown already */
    riftshark_packet *packet;
    wmem_array_t *joined; /* of shim_joined: messages that the datagram completes */
} league_part;

/* Appends to the heading of a datagram's item what a message says that is shown below it: the last item there. */
static void append_label(proto_item *item, const riftshark_result *result)
{
    for (size_t i = result->node_count; i-- > 0;) {
        const riftshark_node *node = &result->nodes[i];
        if (node->depth != 1 || node->text == 0 || node->text > result->text_count)
            continue;
        const riftshark_text *text = &result->texts[node->text - 1];
        if (text->end >= text->start + 2) /* without the colon that stands behind a title */
            proto_item_append_text(item, "; %.*s", (int)(text->end - text->start - 2), result->arena + text->start + 2);
        return;
    }
}

/* A message that came in fragments, in the datagram's item; where there is none yet, it opens that. Answers the item's
 * subtree. */
static proto_tree *show_joined(const league_part *part, const shim_joined *joined, proto_tree *lol)
{
    packet_info *pinfo = part->view->pinfo;
    bool begun = part->packet->league_begun != 0;
    riftshark_result result;
    shim_view inner = {joined->bytes, pinfo, begun ? lol : part->view->tree, &result, "Deciphered message", NULL, NULL, NULL};
    shim_set_bytes(part->packet, joined->bytes);
    part->packet->nodes_before = shim_nodes_before(pinfo);
    int32_t answer = riftshark_reassembled(shim_engine, part->packet, joined->id, &result);
    if (answer == RIFTSHARK_PANIC && begun)
        shim_tell_failure(pinfo, proto_tree_get_parent(lol));
    else if (answer == RIFTSHARK_PANIC)
        shim_show_failure(shim_proto_lol, joined->bytes, pinfo, part->view->tree);
    if (answer != RIFTSHARK_OK)
        return lol;
    shim_more_columns(pinfo, &result);
    shim_tell(pinfo, &result, false);
    if (begun) {
        shim_show_below(&inner);
        if (lol != NULL)
            append_label(proto_tree_get_parent(lol), &result);
    } else {
        shim_show(&inner);
        part->packet->league_begun = 1;
        lol = shim_subtree(&inner, 0);
    }
    shim_export(&inner);
    return lol;
}

static int dissect_league(tvbuff_t *tvb, packet_info *pinfo _U_, proto_tree *tree _U_, void *data)
{
    const league_part *part = (const league_part *)data;
    proto_tree *lol = NULL;
    if (part == NULL)
        return 0;
    const riftshark_result *result = part->view->result;
    if (result->league_nodes != RIFTSHARK_NO_NODE) {
        shim_show_league(part->view);
        part->packet->league_begun = 1;
        lol = shim_subtree(part->view, result->league_nodes);
    }
    for (unsigned i = 0; i < wmem_array_get_count(part->joined); i++)
        lol = show_joined(part, (const shim_joined *)wmem_array_index(part->joined, i), lol);
    return (int)tvb_captured_length(tvb);
}

/* Shows the game's part of a datagram, if it has one. */
void shim_call_league(shim_view *view, riftshark_packet *packet, wmem_array_t *joined)
{
    league_part part = {view, packet, joined};
    if (view->result->league_nodes == RIFTSHARK_NO_NODE && wmem_array_get_count(joined) == 0)
        return;
    if (wmem_list_count(view->pinfo->layers) > MOST_LAYERS)
        dissect_league(view->tvb, view->pinfo, view->tree, &part);
    else
        call_dissector_only(league_handle, view->tvb, view->pinfo, view->tree, &part);
}

void shim_register_league(void) { league_handle = create_dissector_handle(dissect_league, shim_proto_lol); }
