/* Registering protocols, fields and expert information from the tables of the ABI.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <string.h>

int shim_proto_enet = -1;
int shim_proto_lol = -1;
int shim_proto_bedrock = -1;
expert_field *shim_internal;
const fragment_items *shim_fragment_items;

/* All of these live as long as the program: epan keeps pointers into them. */
static size_t field_count;
static riftshark_field *fields;
static int *hfs;
static int **mask_hfs; /* of a field that is one bit of a word: one for each of its masks */
static int *etts;
static size_t expert_count;
static expert_field *experts;

int shim_hf(size_t field) { return field < field_count ? hfs[field] : -1; }

/* Which of its field's masks a node's bit has. One that the table lacks would be shown as the first: the value is right. */
static size_t mask_of(const riftshark_node *node)
{
    const riftshark_field *field = &fields[node->field];
    for (size_t i = 0; i < field->mask_count; i++)
        if (field->masks[i].bit == node->bit_first && field->masks[i].bytes == node->word_bytes)
            return i;
    return 0;
}

/* NULL where the node's field is no bit of a word that epan masks. */
const riftshark_mask *shim_mask(const riftshark_node *node)
{
    if (node->field >= field_count || mask_hfs[node->field] == NULL)
        return NULL;
    return &fields[node->field].masks[mask_of(node)];
}

/* The registration that a node is added under: of a field with masks the one with the node's. */
int shim_node_hf(const riftshark_node *node)
{
    if (node->field >= field_count || mask_hfs[node->field] == NULL)
        return shim_hf(node->field);
    return mask_hfs[node->field][mask_of(node)];
}

int shim_ett(size_t field) { return etts[field]; }

/* The unit that epan does not show behind a value of a field; empty where there is none. */
const char *shim_unit(size_t field)
{
    bool is_left_out = fields[field].kind == RIFTSHARK_KIND_DOUBLE && !WS_FLOATS_HAVE_UNITS;
    return is_left_out ? fields[field].unit : "";
}

uint8_t shim_kind(size_t field) { return fields[field].kind; }

expert_field *shim_expert(size_t index) { return index < expert_count ? &experts[index] : NULL; }

/* Whether a field is a protocol of epan's. A family is one that stands inside another: no layer of the packet. */
static bool is_protocol(const riftshark_field *field)
{
    return field->kind == RIFTSHARK_KIND_PROTOCOL || field->kind == RIFTSHARK_KIND_FAMILY;
}

/* The name of a protocol that somebody else has registered; epan ends the program over a second one. */
const char *shim_name_taken(void)
{
    riftshark_field field;
    for (size_t i = 0; riftshark_field_at(i, &field) == RIFTSHARK_OK; i++) {
        if (!is_protocol(&field))
            continue;
        if (proto_get_id_by_filter_name(field.name) != -1)
            return field.name;
        if (proto_get_id_by_short_name(field.short_name) != -1)
            return field.short_name;
        if (proto_name_already_registered(field.title))
            return field.title;
    }
    return NULL;
}

/* The mark that the packet list gives to the frame a number leads to. */
static const void *link_of(size_t field)
{
    static const enum ft_framenum_type marks[] = {
        [RIFTSHARK_LINK_OTHER] = FT_FRAMENUM_NONE,         [RIFTSHARK_LINK_STATEMENT] = FT_FRAMENUM_REQUEST,
        [RIFTSHARK_LINK_ANSWER] = FT_FRAMENUM_RESPONSE,    [RIFTSHARK_LINK_ACKNOWLEDGEMENT] = FT_FRAMENUM_ACK,
        [RIFTSHARK_LINK_ORIGINAL] = FT_FRAMENUM_RETRANS_PREV,
    };
    uint8_t link = riftshark_field_link(field);
    return FRAMENUM_TYPE(link < array_length(marks) ? marks[link] : FT_FRAMENUM_NONE);
}

static void add_registration(GArray *list, int *hf, size_t field, int base, uint64_t mask)
{
    const riftshark_field *f = &fields[field];
    const void *strings = mask != 0                          ? TFS(&tfs_set_notset)
                          : f->kind == RIFTSHARK_KIND_FRAME ? link_of(field)
                                                            : shim_strings_of(f, &base);
    const char *blurb = f->blurb[0] != '\0' ? f->blurb : NULL;
    header_field_info info = {f->title, f->name, shim_type_of(f->kind), base, strings, mask, blurb, HFILL};
    hf_register_info registration = {hf, info};
    g_array_append_val(list, registration);
}

/* epan keeps pointers into the list, so it is not freed. */
static void register_owned_fields(size_t owner)
{
    GArray *list = g_array_new(false, true, sizeof(hf_register_info));
    for (size_t i = 0; i < field_count; i++) {
        const riftshark_field *f = &fields[i];
        if (is_protocol(f) || f->owner != owner)
            continue;
        if (f->mask_count == 0) {
            add_registration(list, &hfs[i], i, shim_base_of(f), 0);
            continue;
        }
        mask_hfs[i] = g_new(int, f->mask_count);
        for (size_t m = 0; m < f->mask_count; m++) {
            mask_hfs[i][m] = -1;
            add_registration(list, &mask_hfs[i][m], i, 8 * f->masks[m].bytes, UINT64_C(1) << f->masks[m].bit);
        }
    }
    int count = (int)list->len;
    proto_register_field_array(hfs[owner], (hf_register_info *)(void *)g_array_free(list, false), count);
    for (size_t i = 0; i < field_count; i++)
        if (mask_hfs[i] != NULL)
            hfs[i] = mask_hfs[i][0];
}

/* One per field, so that what a user has opened stays open for that kind of node alone. */
static void register_subtrees(void)
{
    int **list = g_new0(int *, field_count);
    for (size_t i = 0; i < field_count; i++)
        list[i] = &etts[i];
    proto_register_subtree_array(list, (int)field_count);
    g_free(list);
}

static void register_experts(size_t owner)
{
    static const int groups[] = {PI_MALFORMED, PI_SEQUENCE, PI_UNDECODED, PI_PROTOCOL, PI_ASSUMPTION, PI_SECURITY, PI_CHECKSUM};
    static const int severities[] = {PI_NOTE, PI_WARN, PI_ERROR};
    ei_register_info *list = g_new0(ei_register_info, expert_count);
    int count = 0;
    riftshark_expert e;
    for (size_t i = 0; i < expert_count && riftshark_expert_at(i, &e) == RIFTSHARK_OK; i++) {
        if (e.owner != owner)
            continue;
        int group = e.group < array_length(groups) ? groups[e.group] : PI_PROTOCOL;
        int severity = e.severity < array_length(severities) ? severities[e.severity] : PI_WARN;
        list[count++] = (ei_register_info){&experts[i], {e.name, group, severity, e.text, EXPFILL}};
        if (strcmp(e.name, "lol.internal") == 0)
            shim_internal = &experts[i];
    }
    if (count > 0)
        expert_register_field_array(expert_register_protocol(hfs[owner]), list, count);
    else
        g_free(list);
}

/* A protocol, then its fields, then its expert items, before the next one: an index mapping that epan writes would name it
 * twice otherwise. */
static void register_protocol(size_t index)
{
    const riftshark_field *f = &fields[index];
    hfs[index] = proto_register_protocol(f->title, f->short_name, f->name);
    register_owned_fields(index);
    register_experts(index);
}

/* The families that the user has switched off, for the reader's settings. */
char *shim_disabled_families(void)
{
    GString *names = g_string_new(NULL);
    for (size_t i = 0; i < field_count; i++)
        if (fields[i].kind == RIFTSHARK_KIND_FAMILY && !proto_is_protocol_enabled(find_protocol_by_id(hfs[i])))
            g_string_append_printf(names, "%s ", fields[i].name);
    return g_string_free(names, false);
}

/* The fields that epan itself fills in when it joins fragments. */
static bool find_fragment_fields(void)
{
    static const char *const names[] = {
        "enet.fragments", "enet.fragment", "enet.fragment.overlap", "enet.fragment.overlap.conflicts",
        "enet.fragment.multipleTails", "enet.fragment.tooLong", "enet.fragment.error", "enet.fragment.frames",
        "enet.fragment.reassembledIn", "enet.fragment.reassembledLength", "enet.fragment.reassembledData",
    };
    static fragment_items items;
    int index[array_length(names)];
    for (size_t i = 0; i < array_length(names); i++) {
        index[i] = riftshark_field_index(names[i]);
        if (index[i] < 0 || (size_t)index[i] >= field_count)
            return false;
    }
    items = (fragment_items){&etts[index[1]], &etts[index[0]], &hfs[index[0]], &hfs[index[1]], &hfs[index[2]],
                             &hfs[index[3]],  &hfs[index[4]],  &hfs[index[5]], &hfs[index[6]], &hfs[index[7]],
                             &hfs[index[8]],  &hfs[index[9]],  &hfs[index[10]], "fragments"};
    shim_fragment_items = &items;
    return true;
}

/* False where the tables cannot be used; nothing more may be registered then. */
bool shim_register_fields(void)
{
    field_count = riftshark_field_count();
    expert_count = riftshark_expert_count();
    fields = g_new0(riftshark_field, field_count);
    hfs = g_new(int, field_count);
    mask_hfs = g_new0(int *, field_count);
    etts = g_new(int, field_count);
    experts = g_new(expert_field, expert_count);
    for (size_t i = 0; i < field_count; i++) {
        hfs[i] = etts[i] = -1;
        if (riftshark_field_at(i, &fields[i]) != RIFTSHARK_OK)
            return false;
    }
    for (size_t i = 0; i < expert_count; i++)
        experts[i] = (expert_field)EI_INIT;
    for (size_t i = 0; i < field_count; i++)
        if (is_protocol(&fields[i]))
            register_protocol(i);
    shim_proto_enet = proto_get_id_by_filter_name("enet");
    shim_proto_lol = proto_get_id_by_filter_name("lol");
    shim_proto_bedrock = proto_get_id_by_filter_name("bedrock");
    if (shim_proto_enet == -1 || shim_proto_lol == -1 || shim_proto_bedrock == -1)
        return false;
    register_subtrees();
    return find_fragment_fields() && shim_internal != NULL;
}
