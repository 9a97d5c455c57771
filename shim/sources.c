/* Data sources beside the packet: commands that came compressed, deciphered bytes, and payloads in either.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

/* Where the commands of a datagram lie: in it, or where they came compressed, in a data source of their own. */
tvbuff_t *shim_commands(shim_view *view)
{
    const riftshark_result *result = view->result;
    if (result->decompressed == NULL || result->decompressed_length == 0)
        return view->tvb;
    if (view->decompressed == NULL) {
        unsigned length = (unsigned)result->decompressed_length;
        const uint8_t *copy = (const uint8_t *)wmem_memdup(view->pinfo->pool, result->decompressed, length);
        view->decompressed = tvb_new_child_real_data(view->tvb, copy, length, (int)length);
        add_new_data_source(view->pinfo, view->decompressed, "Decompressed ENet commands");
    }
    return view->decompressed;
}

/* The deciphered bytes as a data source, made once and only where something needs it. The engine's copy is reused by
 * the next packet, so the source has its own. */
tvbuff_t *shim_plain(shim_view *view)
{
    const riftshark_result *result = view->result;
    if (view->plain == NULL && result->plain != NULL && result->plain_length > 0) {
        const uint8_t *copy = (const uint8_t *)wmem_memdup(view->pinfo->pool, result->plain, result->plain_length);
        tvbuff_t *source = shim_commands(view);
        /* What was decompressed is whole; a copy of a packet that was cut short is as short. */
        bool copied = result->plain_length == tvb_captured_length(source);
        unsigned reported = copied ? tvb_reported_length(source) : (unsigned)result->plain_length;
        view->plain = tvb_new_child_real_data(source, copy, (unsigned)result->plain_length, (int)reported);
        add_new_data_source(view->pinfo, view->plain, view->plain_name);
    }
    return view->plain;
}

/* A payload as a buffer, deciphered where it had to be. One that the capture cut off says that it was longer, so that
 * a dissector reports a short capture and not a malformed packet. */
tvbuff_t *shim_payload(shim_view *view, const riftshark_payload_span *payload)
{
    tvbuff_t *plain = shim_plain(view);
    tvbuff_t *source = plain != NULL ? plain : shim_commands(view);
    unsigned captured = tvb_captured_length(source);
    unsigned offset = MIN(payload->offset, captured);
    unsigned length = MIN(payload->length, captured - offset);
    return tvb_new_subset_length_caplen(source, (int)offset, (int)length, (int)MAX(payload->reported, length));
}
