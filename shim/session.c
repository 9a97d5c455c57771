/* Which session and unit a frame is about: for conversation filters, and for those who follow a session.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/conversation_filter.h>
#include <epan/proto_data.h>

/* Beside what packet.c keeps of a frame. */
#define KEEP_KEY 1

/* What of a frame can be asked for, by the field that says so. */
static struct {
    const char *field;
    const char *protocol;
    const char *title; /* in the menu of conversation filters */
    int index;         /* of the field */
} subjects[SHIM_SUBJECTS] = {
    [SHIM_ENET_SESSION] = {"enet.stream", "enet", "ENet session", -1},
    [SHIM_LOL_SESSION] = {"lol.session", "lol", "LoL session", -1},
    [SHIM_LOL_UNIT] = {"lol.unit", "lol", "LoL unit", -1},
    [SHIM_BEDROCK_SESSION] = {"bedrock.session", "bedrock", "Bedrock session", -1},
};

/* Kept for one dissection of a frame. */
typedef struct {
    bool has[SHIM_SUBJECTS];
    uint32_t number[SHIM_SUBJECTS];
} frame_subjects;

/* Notes what a result is about; of a frame with several, the first counts. */
void shim_note_subjects(packet_info *pinfo, const riftshark_result *result)
{
    frame_subjects *known = (frame_subjects *)p_get_proto_data(pinfo->pool, pinfo, shim_proto_lol, KEEP_KEY);
    if (result->node_count == 0)
        return;
    if (known == NULL) {
        known = wmem_new0(pinfo->pool, frame_subjects);
        p_add_proto_data(pinfo->pool, pinfo, shim_proto_lol, KEEP_KEY, known);
    }
    for (size_t i = 0; i < result->node_count; i++) {
        const riftshark_node *node = &result->nodes[i];
        for (unsigned subject = 0; subject < SHIM_SUBJECTS; subject++) {
            if (node->field != subjects[subject].index || known->has[subject])
                continue;
            known->has[subject] = true;
            known->number[subject] = (uint32_t)node->value;
        }
    }
}

/* False where the frame is not about one. */
bool shim_subject(packet_info *pinfo, shim_subject_kind subject, unsigned *number)
{
    const frame_subjects *known = (const frame_subjects *)p_get_proto_data(pinfo->pool, pinfo, shim_proto_lol, KEEP_KEY);
    if (known == NULL || !known->has[subject])
        return false;
    *number = known->number[subject];
    return true;
}

/* A display filter, to be freed with g_free. */
char *shim_subject_filter(shim_subject_kind subject, unsigned number)
{
    switch (subject) {
    case SHIM_ENET_SESSION: return g_strdup_printf("enet.stream == %u", number);
    case SHIM_LOL_SESSION: return g_strdup_printf("lol.session == %u", number);
    case SHIM_LOL_UNIT: return g_strdup_printf("lol.unit == 0x%08x", number);
    default: return g_strdup_printf("bedrock.session == %u", number);
    }
}

static char *filter_of(packet_info *pinfo, shim_subject_kind subject)
{
    unsigned number = 0;
    return shim_subject(pinfo, subject, &number) ? shim_subject_filter(subject, number) : NULL;
}

/* From 4.2 on a filter is handed what it was registered with. */
#if WS_AT_LEAST(4, 2)
#define OWN_DATA , void *own _U_
#define NO_DATA , NULL
#else
#define OWN_DATA
#define NO_DATA
#endif

#define FILTER(name, subject)                                                                                     \
    static ws_filter_boolean is_##name(packet_info *pinfo OWN_DATA)                                               \
    {                                                                                                             \
        unsigned number;                                                                                          \
        return shim_subject(pinfo, subject, &number);                                                             \
    }                                                                                                             \
    static char *filter_##name(packet_info *pinfo OWN_DATA) { return filter_of(pinfo, subject); }
FILTER(enet_session, SHIM_ENET_SESSION)
FILTER(lol_session, SHIM_LOL_SESSION)
FILTER(lol_unit, SHIM_LOL_UNIT)
FILTER(bedrock_session, SHIM_BEDROCK_SESSION)

void shim_register_subjects(void)
{
    static const struct {
        is_filter_valid_func is_valid;
        build_filter_string_func build;
    } filters[SHIM_SUBJECTS] = {
        [SHIM_ENET_SESSION] = {is_enet_session, filter_enet_session},
        [SHIM_LOL_SESSION] = {is_lol_session, filter_lol_session},
        [SHIM_LOL_UNIT] = {is_lol_unit, filter_lol_unit},
        [SHIM_BEDROCK_SESSION] = {is_bedrock_session, filter_bedrock_session},
    };
    for (unsigned i = 0; i < SHIM_SUBJECTS; i++) {
        subjects[i].index = riftshark_field_index(subjects[i].field);
        register_conversation_filter(subjects[i].protocol, subjects[i].title, filters[i].is_valid,
                                     filters[i].build NO_DATA);
    }
    /* What colours a conversation takes the session before the ports, which a reconnect uses again. */
    add_conversation_filter_protocol("bedrock");
    add_conversation_filter_protocol("enet");
}
