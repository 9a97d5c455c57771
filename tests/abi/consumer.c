/* A C11 consumer of the ABI: reads one packet through it, as the shim does, and reports what it saw. */
#include "riftshark.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(riftshark_node) == 32, "a node is 32 bytes");

/* What a message must show: its number of nodes, and the value of the field `name`. */
int consumer_c_read(const char *name, const uint8_t *bytes, size_t length, uint64_t *value, size_t *nodes)
{
    riftshark_settings settings;
    riftshark_packet packet;
    riftshark_result result;
    memset(&settings, 0, sizeof settings);
    memset(&packet, 0, sizeof packet);
    settings.build = "1.0.0.136";
    packet.bytes = bytes;
    packet.captured = packet.reported = length;
    packet.frame = 1;
    packet.detail = RIFTSHARK_DETAIL_TREE;

    int field = riftshark_field_index(name);
    riftshark_engine *engine = riftshark_engine_new(&settings);
    if (engine == NULL || field < 0)
        return -1;
    int status = riftshark_message(engine, &packet, 4, 2, &result);
    *nodes = result.node_count;
    if (status == RIFTSHARK_OK) {
        status = RIFTSHARK_NO_SUCH_INDEX;
        for (size_t i = 0; i < result.node_count; i++) {
            if (result.nodes[i].field == field) {
                *value = result.nodes[i].value;
                status = RIFTSHARK_OK;
            }
        }
    }
    riftshark_engine_free(engine);
    return status;
}
