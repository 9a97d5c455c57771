/* RakNet's cookie: two offline messages that its dissector did not know before Wireshark 4.4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#if !WS_AT_LEAST(4, 4)
#include <epan/to_str.h>

/* Before 4.4 RakNet's dissector takes a server's cookie for encryption, and gives up on all that follows. The two
 * messages that carry a cookie without a key are shown here, with RakNet's own fields; all others go where they went. */
typedef struct {
    const char *name;
    int length; /* 0: an address, which takes the rest of `total` */
} offline_part;

static dissector_handle_t offline_handles[2];

static bool has_cookie(tvbuff_t *tvb, unsigned id, unsigned length)
{
    if (tvb_captured_length(tvb) != length)
        return false;
    return id == 6 ? length == 32 && tvb_get_guint8(tvb, 25) == 1 : length == 39 || length == 61;
}

/* The address bytes of IPv4 travel inverted; those of IPv6 follow a family and a flow. */
static void add_address(proto_tree *tree, int hf, tvbuff_t *tvb, packet_info *pinfo, int offset, int length)
{
    bool v6 = length == 29;
    uint32_t v4 = ~tvb_get_ipv4(tvb, offset + 1);
    address end = {.type = AT_IPv4, .len = 4, .data = &v4};
    char *text = v6 ? tvb_ip6_to_str(pinfo->pool, tvb, offset + 9) : address_to_str(pinfo->pool, &end);
    uint16_t port = tvb_get_ntohs(tvb, offset + (v6 ? 3 : 5));
    proto_tree_add_string(tree, hf, tvb, offset, length, wmem_strdup_printf(pinfo->pool, "%s:%u", text, port));
}

static int dissect_offline(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    static const offline_part reply[] = {{"offline.message.id", 1}, {"offline_message.data_id", 16}, {"server_id", 8},
                                         {"use_encryption", 1},     {"cookie", 4},                   {"MTU", 2}};
    static const offline_part request[] = {{"offline.message.id", 1}, {"offline_message.data_id", 16}, {"cookie", 4},
                                           {"client.wrote_challenge", 1}, {"server.address", 0}, {"MTU", 2},
                                           {"client.guid", 8}};
    unsigned id = tvb_get_guint8(tvb, 0), length = tvb_reported_length(tvb);
    if (!has_cookie(tvb, id, length))
        return call_dissector_only(offline_handles[id - 6], tvb, pinfo, tree, data);
    col_set_str(pinfo->cinfo, COL_INFO, id == 6 ? "Open Connection Reply 1" : "Open Connection Request 2");
    proto_item *item = proto_tree_add_item(tree, proto_get_id_by_filter_name("raknet"), tvb, 0, -1, ENC_NA);
    proto_item_append_text(item, ", Offline message ID %#x", id);
    proto_tree *subtree = proto_item_add_subtree(item, shim_ett((size_t)riftshark_field_index("bedrock.messageId")));
    size_t count = id == 6 ? array_length(reply) : array_length(request);
    for (size_t i = 0, offset = 0; i < count; i++) {
        const offline_part *part = id == 6 ? &reply[i] : &request[i];
        int hf = proto_registrar_get_id_byname(wmem_strdup_printf(pinfo->pool, "raknet.%s", part->name));
        int size = part->length != 0 ? part->length : (int)length - 32;
        if (hf > 0 && part->length == 0)
            add_address(subtree, hf, tvb, pinfo, (int)offset, size);
        else if (hf > 0)
            proto_tree_add_item(subtree, hf, tvb, (int)offset, size, size <= 4 ? ENC_BIG_ENDIAN : ENC_NA);
        offset += (size_t)size;
    }
    return (int)length;
}

void shim_replace_cookie_messages(void)
{
    dissector_table_t table = find_dissector_table("raknet.offline.message.id");
    for (unsigned id = 6; table != NULL && id <= 7; id++) {
        offline_handles[id - 6] = dissector_get_uint_handle(table, id);
        if (offline_handles[id - 6] != NULL)
            dissector_add_uint("raknet.offline.message.id", id, create_dissector_handle(dissect_offline, -1));
    }
}
#else
void shim_replace_cookie_messages(void) {}
#endif
