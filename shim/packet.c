/* Describing to the engine what epan knows of a packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/proto_data.h>

/* Layers of UDP that are told apart: a tunnel has one datagram inside another. Deeper ones share the last. */
#define MOST_LAYERS 8
/* Results with fewer nodes than this are counted only where something else of the frame is. */
#define FEW_NODES 256
#define UDP_HEADER 8

/* What is kept for one dissection of a frame, so that every pass counts alike. */
struct shim_frame {
    uint32_t nodes;      /* shown so far */
    uint32_t layer;      /* of the packet at hand */
    struct {
        const uint8_t *last; /* the bytes that were taken last */
        uint32_t count;      /* how many were taken */
    } taken[2][MOST_LAYERS]; /* by ENet, by Bedrock */
};

static shim_frame *frame_of(packet_info *pinfo, bool make)
{
    shim_frame *frame = (shim_frame *)p_get_proto_data(pinfo->pool, pinfo, shim_proto_lol, 0);
    if (frame == NULL && make) {
        frame = wmem_new0(pinfo->pool, shim_frame);
        p_add_proto_data(pinfo->pool, pinfo, shim_proto_lol, 0, frame);
    }
    return frame;
}

static uint32_t udp_layer(packet_info *pinfo)
{
    static int udp = -1;
    uint32_t count = 0;
    if (udp == -1)
        udp = proto_get_id_by_filter_name("udp");
    for (wmem_list_frame_t *at = wmem_list_head(pinfo->layers); at != NULL; at = wmem_list_frame_next(at))
        count += GPOINTER_TO_INT(wmem_list_frame_data(at)) == udp;
    return MIN(count, MOST_LAYERS - 1U);
}

/* Which datagram of the frame a packet is: the UDP layer it lies in, and how many were taken there before. Those that
 * were offered and left to others do not count, since who is offered what differs from pass to pass. */
shim_frame *shim_number(riftshark_packet *packet, packet_info *pinfo, bool bedrock)
{
    shim_frame *frame = frame_of(pinfo, true);
    frame->layer = udp_layer(pinfo);
    uint32_t taken = frame->taken[bedrock][frame->layer].count;
    if (taken > 0 && frame->taken[bedrock][frame->layer].last == packet->bytes)
        taken--; /* the same bytes once more */
    packet->datagram = (frame->layer << 16) + taken;
    packet->nodes_before = frame->nodes;
    return frame;
}

/* Notes that the packet that was numbered last was taken. */
void shim_taken(shim_frame *frame, const riftshark_packet *packet, bool bedrock)
{
    uint32_t layer = packet->datagram >> 16;
    if (frame->taken[bedrock][layer].last != packet->bytes && frame->taken[bedrock][layer].count < UINT16_MAX)
        frame->taken[bedrock][layer].count++;
    frame->taken[bedrock][layer].last = packet->bytes;
}

uint32_t shim_nodes_before(packet_info *pinfo)
{
    const shim_frame *frame = frame_of(pinfo, false);
    return frame != NULL ? frame->nodes : 0;
}

/* Counts the nodes of a result. A frame of a user link type or an exported message holds one, and files hold millions of
 * them: where nothing is kept of the frame, only a large one is worth it. */
void shim_count_nodes(packet_info *pinfo, size_t count)
{
    shim_frame *frame = frame_of(pinfo, count >= FEW_NODES);
    if (frame != NULL)
        frame->nodes += (uint32_t)count;
}

static riftshark_endpoint endpoint_of(const address *end, uint32_t port)
{
    riftshark_endpoint out = {NULL, 0, (uint32_t)end->type, (uint16_t)port};
    if (end->data != NULL && end->len > 0) {
        out.address = (const uint8_t *)end->data;
        out.length = (size_t)end->len;
    }
    return out;
}

static uint8_t detail_of(packet_info *pinfo, proto_tree *tree)
{
    if (tree != NULL)
        return PTREE_DATA(tree)->visible ? RIFTSHARK_DETAIL_LABELS : RIFTSHARK_DETAIL_TREE;
    bool columns = pinfo->cinfo != NULL && col_get_writable(pinfo->cinfo, COL_INFO);
    return columns ? RIFTSHARK_DETAIL_COLUMNS : RIFTSHARK_DETAIL_STATE;
}

/* Gives a packet the bytes of another buffer. They are taken here, before Rust is entered: epan's accessors leave by
 * longjmp, which must never cross a Rust frame. All captured bytes are asked for, so this one does not throw. */
void shim_set_bytes(riftshark_packet *packet, tvbuff_t *tvb)
{
    packet->captured = tvb_captured_length(tvb);
    packet->reported = MAX(tvb_reported_length(tvb), packet->captured);
    packet->bytes = packet->captured > 0 ? tvb_get_ptr(tvb, 0, (int)packet->captured) : NULL;
}

/* How long the payload of UDP was before IP fragmented it: epan hands over the first fragment where it does not join them,
 * as long as that one is. The UDP header stands right before it. */
static size_t unfragmented_length(tvbuff_t *tvb, const packet_info *pinfo, size_t reported)
{
    tvbuff_t *frame = tvb_get_ds_tvb(tvb);
    int at = tvb_raw_offset(tvb) - UDP_HEADER;
    if (!pinfo->fragmented || pinfo->ptype != PT_UDP || at < 0 || !tvb_bytes_exist(frame, at, UDP_HEADER) ||
        tvb_get_ntohs(frame, at) != pinfo->srcport || tvb_get_ntohs(frame, at + 2) != pinfo->destport)
        return reported;
    size_t stated = tvb_get_ntohs(frame, at + 4);
    return MAX(stated, reported + UDP_HEADER) - UDP_HEADER;
}

void shim_fill_packet(riftshark_packet *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool decode_as)
{
    shim_set_bytes(packet, tvb);
    packet->reported = unfragmented_length(tvb, pinfo, packet->reported);
    /* Unsigned, so that an absurd capture time wraps instead of overflowing. */
    packet->time = (int64_t)((uint64_t)pinfo->abs_ts.secs * 1000000000U + (uint64_t)(int64_t)pinfo->abs_ts.nsecs);
    packet->frame = pinfo->num;
    /* The layer tells messages without ENet apart, and costs nothing: files hold millions of them. */
    packet->datagram = pinfo->curr_layer_num;
    packet->source = endpoint_of(&pinfo->src, pinfo->srcport);
    packet->destination = endpoint_of(&pinfo->dst, pinfo->destport);
    packet->detail = detail_of(pinfo, tree);
    /* A line says what the Info line says. */
    bool followed = shim_is_followed();
    riftshark_engine_follow(shim_engine, followed);
    if (followed)
        packet->detail = MAX(packet->detail, RIFTSHARK_DETAIL_COLUMNS);
    packet->nodes_before = 0;
    packet->visited = PINFO_FD_VISITED(pinfo) ? 1 : 0;
    packet->in_error_pkt = pinfo->flags.in_error_pkt ? 1 : 0;
    packet->decode_as = decode_as ? 1 : 0;
    packet->league_begun = 0;
}
