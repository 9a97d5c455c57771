/* Showing a result: nodes, expert information and columns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <string.h>

#define MAX_DEPTH 64

/* A text of the arena, which is not ended by a zero byte; NULL for none. */
static const char *text_of(const riftshark_result *result, uint32_t reference, int *length)
{
    if (reference == 0 || reference > result->text_count)
        return NULL;
    const riftshark_text *text = &result->texts[reference - 1];
    *length = (int)(text->end - text->start);
    return result->arena + text->start;
}

/* ".... ..11 " and the like: which bits of a little-endian word a value is, in epan's own notation. */
static void prepend_bits(proto_item *item, const riftshark_node *node)
{
    char pattern[64 + 16 + 1];
    unsigned bits = MIN(node->word_bytes, 8U) * 8U;
    size_t at = 0;
    for (unsigned i = bits; i-- > 0;) {
        bool inside = i >= node->bit_first && i - node->bit_first < node->bit_count;
        pattern[at++] = !inside ? '.' : (char)('0' + ((node->value >> (i - node->bit_first)) & 1));
        if (i % 4 == 0 && i > 0)
            pattern[at++] = ' ';
    }
    pattern[at] = '\0';
    proto_item_prepend_text(item, "%s = ", pattern);
}

static proto_item *add_text(proto_tree *tree, const shim_view *view, const riftshark_node *node, tvbuff_t *tvb,
                            int offset, int length)
{
    int size = 0;
    const char *text = node->flags & RIFTSHARK_NODE_LABELLED ? NULL : text_of(view->result, node->text, &size);
    text = text != NULL ? wmem_strndup(view->pinfo->pool, text, (size_t)size) : "";
    return proto_tree_add_string(tree, shim_hf(node->field), tvb, offset, length, text);
}

/* What epan is given of a yes or no: the word that it takes the bit out of, where the bit has a mask. */
static uint32_t yes_or_no(const riftshark_node *node)
{
    const riftshark_mask *mask = shim_mask(node);
    uint32_t set = node->value != 0;
    return mask != NULL ? set << mask->bit : set;
}

static proto_item *add_value(proto_tree *tree, const shim_view *view, const riftshark_node *node, tvbuff_t *tvb,
                             int offset, int length)
{
    int hf = shim_node_hf(node);
    int64_t value = (int64_t)node->value;
    switch (shim_kind(node->field)) {
    case RIFTSHARK_KIND_U8:
    case RIFTSHARK_KIND_U16:
    case RIFTSHARK_KIND_U32:
    case RIFTSHARK_KIND_FRAME:
        return proto_tree_add_uint(tree, hf, tvb, offset, length, (uint32_t)node->value);
    case RIFTSHARK_KIND_U64:
        return proto_tree_add_uint64(tree, hf, tvb, offset, length, node->value);
    case RIFTSHARK_KIND_I8:
    case RIFTSHARK_KIND_I16:
    case RIFTSHARK_KIND_I32:
        return proto_tree_add_int(tree, hf, tvb, offset, length, (int32_t)value);
    case RIFTSHARK_KIND_I64:
        return proto_tree_add_int64(tree, hf, tvb, offset, length, value);
    case RIFTSHARK_KIND_BOOL:
        return proto_tree_add_boolean(tree, hf, tvb, offset, length, yes_or_no(node));
    case RIFTSHARK_KIND_DOUBLE: {
        double number;
        memcpy(&number, &node->value, sizeof number);
        return proto_tree_add_double(tree, hf, tvb, offset, length, number);
    }
    case RIFTSHARK_KIND_DURATION: {
        nstime_t span = {(time_t)(value / 1000000000), (int)(value % 1000000000)};
        return proto_tree_add_time(tree, hf, tvb, offset, length, &span);
    }
    case RIFTSHARK_KIND_TEXT:
        return add_text(tree, view, node, tvb, offset, length);
    default: /* protocols, families, records and bytes are what they span */
        return proto_tree_add_item(tree, hf, tvb, offset, length, ENC_NA);
    }
}

/* Flags and label of an item. Labels cost time and are seen only in a visible tree. */
static void decorate(proto_item *item, const shim_view *view, const riftshark_node *node)
{
    int length = 0;
    if (node->flags & RIFTSHARK_NODE_GENERATED)
        proto_item_set_generated(item);
    if (node->flags & RIFTSHARK_NODE_HIDDEN)
        proto_item_set_hidden(item);
    if (item == NULL || !PTREE_DATA(item)->visible)
        return;
    if (node->flags & RIFTSHARK_NODE_BITS && shim_mask(node) == NULL) /* epan shows those of a mask */
        prepend_bits(item, node);
    const char *unit = shim_unit(node->field);
    if (unit[0] != '\0')
        proto_item_append_text(item, " %s", unit);
    if (node->flags & RIFTSHARK_NODE_INDEXED)
        proto_item_append_text(item, " [%u]", node->index);
    if (node->flags & RIFTSHARK_NODE_LABELLED) {
        const char *text = text_of(view->result, node->text, &length);
        if (text != NULL)
            proto_item_append_text(item, "%.*s", length, text);
    }
}

static proto_item *add_node(proto_tree *tree, shim_view *view, const riftshark_node *node)
{
    uint8_t kind = shim_kind(node->field);
    bool wrapper = kind == RIFTSHARK_KIND_PROTOCOL || kind == RIFTSHARK_KIND_FAMILY;
    /* Nobody asked for it: its parent stands in for it, which is what epan would answer. Protocols are always added,
     * since epan takes a heuristic dissector that added nothing for one that saw nothing. */
    if (!wrapper && !proto_field_is_referenced(tree, shim_node_hf(node)))
        return tree;
    tvbuff_t *tvb = node->flags & RIFTSHARK_NODE_DECIPHERED ? shim_plain(view) : NULL;
    if (tvb == NULL)
        tvb = node->flags & RIFTSHARK_NODE_DECOMPRESSED ? shim_commands(view) : view->tvb;
    unsigned captured = tvb_captured_length(tvb);
    unsigned offset = MIN(node->offset, captured);
    unsigned length = MIN(node->length, captured - offset);
    proto_item *item = add_value(tree, view, node, tvb, (int)offset, (int)length);
    if (item != tree) /* a faked item is its parent */
        decorate(item, view, node);
    return item;
}

/* The part of a result that is shown at once. */
typedef struct {
    size_t first, end; /* its nodes */
    unsigned depth;    /* of its first node, which stands directly under the view's tree */
    bool enet, others; /* whose expert items are told */
} result_part;

static void add_nodes(shim_view *view, const result_part *part)
{
    const riftshark_result *result = view->result;
    proto_tree *parents[MAX_DEPTH + 1] = {NULL};
    unsigned reach = part->depth; /* the deepest level that has a parent now */
    parents[reach] = view->tree;
    if (view->items == NULL)
        view->items = wmem_alloc0_array(view->pinfo->pool, proto_item *, result->node_count);
    for (size_t i = part->first; i < part->end; i++) {
        const riftshark_node *node = &result->nodes[i];
        unsigned depth = CLAMP((unsigned)node->depth, part->depth, reach);
        view->items[i] = parents[depth];
        if (shim_hf(node->field) == -1)
            continue;
        proto_item *item = add_node(parents[depth], view, node);
        view->items[i] = item;
        reach = depth;
        if (i + 1 < part->end && node[1].depth > node->depth && depth < MAX_DEPTH) {
            bool skipped = item == parents[depth];
            parents[depth + 1] = skipped ? item : proto_item_add_subtree(item, shim_ett(node->field));
            reach = depth + 1;
        }
    }
}

/* The item of a node, else the part's first; NULL without a tree. */
static proto_item *item_of(const shim_view *view, const result_part *part, uint32_t node)
{
    if (view->items == NULL || part->first >= part->end)
        return view->tree;
    return view->items[node < part->end ? node : part->first];
}

/* What hangs under the item of a node, else under that of the protocol. */
proto_tree *shim_subtree(const shim_view *view, uint32_t node)
{
    if (view->items == NULL || view->result->node_count == 0)
        return view->tree;
    size_t at = node < view->result->node_count ? node : 0;
    return proto_item_add_subtree(view->items[at], shim_ett(view->result->nodes[at].field));
}

/* Expert information is told with and without a tree: the expert dialogue and taps have none. The dialogue files it
 * under the protocol at hand, which must be the one whose finding it is. */
static void add_experts(const shim_view *view, const result_part *part)
{
    const char *at_hand = view->pinfo->current_proto;
    for (size_t i = 0; i < view->result->expert_count; i++) {
        const riftshark_expert_item *found = &view->result->experts[i];
        expert_field *expert = shim_expert(found->expert);
        int length = 0;
        const char *text = text_of(view->result, found->text, &length);
        if (expert == NULL)
            continue;
        int owner = proto_registrar_get_parent(expert->hf);
        if (owner == shim_proto_enet ? !part->enet : !part->others)
            continue;
        view->pinfo->current_proto = proto_get_protocol_short_name(find_protocol_by_id(owner));
        if (text != NULL && length > 0)
            expert_add_info_format(view->pinfo, item_of(view, part, found->node), expert, "%.*s", length, text);
        else
            expert_add_info(view->pinfo, item_of(view, part, found->node), expert);
    }
    view->pinfo->current_proto = at_hand;
}

static void show_part(shim_view *view, const result_part *part)
{
    if (view->tree != NULL) {
        add_nodes(view, part);
        shim_count_nodes(view->pinfo, part->end - part->first);
    }
    add_experts(view, part);
}

/* Shows all of a result. */
void shim_show(shim_view *view)
{
    const result_part whole = {0, view->result->node_count, 0, true, true};
    show_part(view, &whole);
}

static size_t league_nodes(const riftshark_result *result) { return MIN(result->league_nodes, result->node_count); }

/* Shows what of a result is not the game's. */
void shim_show_enet(shim_view *view)
{
    const result_part part = {0, league_nodes(view->result), 0, true, view->result->league_nodes == RIFTSHARK_NO_NODE};
    show_part(view, &part);
}

/* Shows what of a result is the game's. */
void shim_show_league(shim_view *view)
{
    const result_part part = {league_nodes(view->result), view->result->node_count, 0, false, true};
    show_part(view, &part);
}

/* Shows a result that goes on under an item of another: its nodes begin at depth 1. */
void shim_show_below(shim_view *view)
{
    const result_part part = {0, view->result->node_count, 1, true, true};
    show_part(view, &part);
}

/* Says on an item that the reader failed. */
void shim_tell_failure(packet_info *pinfo, proto_item *item)
{
    col_append_sep_str(pinfo->cinfo, COL_INFO, ", ", "[Reader failed]");
    expert_add_info(pinfo, item, shim_internal);
}

void shim_show_failure(int proto, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    proto_item *item = proto_tree_add_item(tree, proto, tvb, 0, -1, ENC_NA);
    col_set_str(pinfo->cinfo, COL_PROTOCOL, proto_get_protocol_short_name(find_protocol_by_id(proto)));
    shim_tell_failure(pinfo, item);
}

void shim_columns(packet_info *pinfo, const riftshark_result *result)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, result->league ? "LoL" : "ENet");
    col_add_str(pinfo->cinfo, COL_INFO, result->info);
}

/* For a second result of the same packet, whose Info line goes on from the first one's. */
void shim_more_columns(packet_info *pinfo, const riftshark_result *result)
{
    if (result->league)
        col_set_str(pinfo->cinfo, COL_PROTOCOL, "LoL");
    if (result->info[0] != '\0')
        col_add_str(pinfo->cinfo, COL_INFO, result->info);
}
