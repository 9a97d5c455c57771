/* Describing to the engine what epan knows of a packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/proto_data.h>

typedef struct {
    const uint8_t *last; /* the bytes the number below was given to */
    uint32_t number;
} datagram_counter;

/* Which datagram of the frame this is for a protocol: a frame of a tunnel may carry several. The count is kept for one dissection of
 * the frame only, so that every pass counts alike; the same bytes offered twice keep their number. */
uint32_t shim_number(packet_info *pinfo, int proto, const uint8_t *bytes)
{
    datagram_counter *counter = (datagram_counter *)p_get_proto_data(pinfo->pool, pinfo, proto, 0);
    if (counter == NULL) {
        counter = wmem_new0(pinfo->pool, datagram_counter);
        counter->last = bytes;
        p_add_proto_data(pinfo->pool, pinfo, proto, 0, counter);
    } else if (counter->last != bytes) {
        counter->last = bytes;
        counter->number++;
    }
    return counter->number;
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

static uint8_t grade_of(packet_info *pinfo, proto_tree *tree)
{
    if (tree != NULL)
        return RIFTSHARK_GRADE_NODES;
    bool columns = pinfo->cinfo != NULL && col_get_writable(pinfo->cinfo, COL_INFO);
    return columns ? RIFTSHARK_GRADE_COLUMNS : RIFTSHARK_GRADE_STATE;
}

/* Gives a packet the bytes of another buffer. They are taken here, before Rust is entered: epan's accessors leave by
 * longjmp, which must never cross a Rust frame. All captured bytes are asked for, so this one does not throw. */
void shim_quote_bytes(riftshark_packet *packet, tvbuff_t *tvb)
{
    packet->captured = tvb_captured_length(tvb);
    packet->reported = MAX(tvb_reported_length(tvb), packet->captured);
    packet->bytes = packet->captured > 0 ? tvb_get_ptr(tvb, 0, (int)packet->captured) : NULL;
}

void shim_fill_packet(riftshark_packet *packet, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool datagram,
                      bool forced)
{
    shim_quote_bytes(packet, tvb);
    /* Unsigned, so that an absurd capture time wraps instead of overflowing. */
    packet->time = (int64_t)((uint64_t)pinfo->abs_ts.secs * 1000000000U + (uint64_t)(int64_t)pinfo->abs_ts.nsecs);
    packet->frame = pinfo->num;
    /* A message without ENet is told apart by its layer, which costs nothing: files hold millions of them. */
    packet->datagram = datagram ? shim_number(pinfo, shim_proto_enet, packet->bytes) : pinfo->curr_layer_num;
    packet->source = endpoint_of(&pinfo->src, pinfo->srcport);
    packet->destination = endpoint_of(&pinfo->dst, pinfo->destport);
    packet->grade = grade_of(pinfo, tree);
    packet->visited = PINFO_FD_VISITED(pinfo) ? 1 : 0;
    packet->quoted = pinfo->flags.in_error_pkt ? 1 : 0;
    packet->forced = forced ? 1 : 0;
}
