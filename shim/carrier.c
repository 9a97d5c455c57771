/* The RakNet datagram around a message. epan's RakNet dissector hands on messages without their numbers, but the bytes in
 * front of a message are still there, in the data source that it is a part of.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#define UDP_HEADER 8U
/* Bytes of a data source in which its UDP header is looked for. */
#define MOST_IN_FRONT 512U

static unsigned big16(const uint8_t *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

/* Finds in a data source the datagram of this packet, by its UDP header; it holds the byte at `at` unless that is
 * RIFTSHARK_JOINED. */
static bool find_in(riftshark_carrier *carrier, tvbuff_t *source, uint32_t at, const packet_info *pinfo)
{
    unsigned length = tvb_captured_length(source);
    if (length <= UDP_HEADER)
        return false;
    const uint8_t *bytes = tvb_get_ptr(source, 0, (int)length);
    for (unsigned from = UDP_HEADER; from < MIN(length, MOST_IN_FRONT); from++) {
        const uint8_t *header = bytes + from - UDP_HEADER;
        unsigned total = big16(header + 4);
        if (big16(header) != pinfo->srcport || big16(header + 2) != pinfo->destport || total <= UDP_HEADER ||
            (bytes[from] & 0x80) == 0)
            continue;
        total -= UDP_HEADER;
        if (at != RIFTSHARK_JOINED && (at < from || at - from >= total))
            continue;
        *carrier = (riftshark_carrier){bytes + from, MIN(total, length - from), at == RIFTSHARK_JOINED ? at : at - from};
        return true;
    }
    return false;
}

/* Finds the datagram that a message came in; false where it is not at hand, as in a file of exported messages. */
bool shim_carrier(riftshark_carrier *carrier, tvbuff_t *tvb, packet_info *pinfo)
{
    tvbuff_t *own = tvb_get_ds_tvb(tvb);
    int at = tvb_raw_offset(tvb);
    if (own != NULL && at > 0 && find_in(carrier, own, (uint32_t)at, pinfo))
        return true;
    for (GSList *source = pinfo->data_src; source != NULL; source = source->next) {
        tvbuff_t *other = get_data_source_tvb((const struct data_source *)source->data);
        if (other != NULL && other != own && find_in(carrier, other, RIFTSHARK_JOINED, pinfo))
            return true;
    }
    return false;
}
