/* Describing to the engine what epan knows of a packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/proto_data.h>

/* What is kept for one dissection of a frame, so that every pass counts alike: under a protocol and a layer the datagrams
 * taken there, under the protocol of the game and NODES the nodes shown so far. */
typedef struct {
    const uint8_t *last; /* the bytes that were taken last */
    uint32_t count;
} frame_counter;

#define NODES UINT32_MAX

static frame_counter *counter_of(packet_info *pinfo, int proto, uint32_t key, bool make)
{
    frame_counter *counter = (frame_counter *)p_get_proto_data(pinfo->pool, pinfo, proto, key);
    if (counter == NULL && make) {
        counter = wmem_new0(pinfo->pool, frame_counter);
        p_add_proto_data(pinfo->pool, pinfo, proto, key, counter);
    }
    return counter;
}

/* How many UDP datagrams are around each other here: a tunnel has one inside another. */
static uint32_t udp_layer(packet_info *pinfo)
{
    static int udp = -1;
    uint32_t count = 0;
    if (udp == -1)
        udp = proto_get_id_by_filter_name("udp");
    for (wmem_list_frame_t *at = wmem_list_head(pinfo->layers); at != NULL; at = wmem_list_frame_next(at))
        count += GPOINTER_TO_INT(wmem_list_frame_data(at)) == udp;
    return count;
}

/* Which datagram of the frame a packet is for a protocol: the UDP layer it lies in, and how many were taken there before.
 * Those that were offered and left to others do not count, since who is offered what differs from pass to pass. */
void shim_number(riftshark_packet *packet, packet_info *pinfo, int proto)
{
    uint32_t layer = udp_layer(pinfo);
    const frame_counter *counter = counter_of(pinfo, proto, layer, false);
    uint32_t taken = counter != NULL ? counter->count : 0;
    if (counter != NULL && counter->last == packet->bytes)
        taken--; /* the same bytes once more */
    packet->datagram = (layer << 16) + taken;
}

/* Notes that a packet that was numbered was taken. */
void shim_taken(const riftshark_packet *packet, packet_info *pinfo, int proto)
{
    frame_counter *counter = counter_of(pinfo, proto, packet->datagram >> 16, true);
    if (counter->last != packet->bytes && counter->count < UINT16_MAX)
        counter->count++;
    counter->last = packet->bytes;
}

uint32_t shim_nodes_before(packet_info *pinfo)
{
    const frame_counter *counter = counter_of(pinfo, shim_proto_lol, NODES, false);
    return counter != NULL ? counter->count : 0;
}

void shim_count_nodes(packet_info *pinfo, size_t count)
{
    counter_of(pinfo, shim_proto_lol, NODES, true)->count += (uint32_t)count;
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
        return RIFTSHARK_DETAIL_TREE;
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

void shim_fill_packet(riftshark_packet *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool decode_as)
{
    shim_set_bytes(packet, tvb);
    /* Unsigned, so that an absurd capture time wraps instead of overflowing. */
    packet->time = (int64_t)((uint64_t)pinfo->abs_ts.secs * 1000000000U + (uint64_t)(int64_t)pinfo->abs_ts.nsecs);
    packet->frame = pinfo->num;
    /* The layer tells messages without ENet apart, and costs nothing: files hold millions of them. */
    packet->datagram = pinfo->curr_layer_num;
    packet->source = endpoint_of(&pinfo->src, pinfo->srcport);
    packet->destination = endpoint_of(&pinfo->dst, pinfo->destport);
    packet->detail = detail_of(pinfo, tree);
    packet->nodes_before = tree != NULL ? shim_nodes_before(pinfo) : 0;
    packet->visited = PINFO_FD_VISITED(pinfo) ? 1 : 0;
    packet->in_error_pkt = pinfo->flags.in_error_pkt ? 1 : 0;
    packet->decode_as = decode_as ? 1 : 0;
}
