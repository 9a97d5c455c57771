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
static int *etts;
static size_t expert_count;
static expert_field *experts;

int shim_hf(size_t field) { return field < field_count ? hfs[field] : -1; }

int shim_ett(size_t field) { return etts[field]; }

uint8_t shim_kind(size_t field) { return fields[field].kind; }

expert_field *shim_expert(size_t index) { return index < expert_count ? &experts[index] : NULL; }

static const char *short_name_of(const char *protocol)
{
    static const char *const names[][2] = {{"enet", "ENet"}, {"lol", "LoL"}, {"bedrock", "Bedrock"}};
    for (size_t i = 0; i < array_length(names); i++)
        if (strcmp(protocol, names[i][0]) == 0)
            return names[i][1];
    return protocol;
}

/* Everything that is neither ENet's nor Bedrock's is the game's. */
static int owner_of(const char *name)
{
    if (g_str_has_prefix(name, "bedrock."))
        return shim_proto_bedrock;
    return g_str_has_prefix(name, "enet.") ? shim_proto_enet : shim_proto_lol;
}

/* The name of a protocol that somebody else has registered; epan ends the program over a second one. */
const char *shim_name_taken(void)
{
    riftshark_field field;
    for (size_t i = 0; riftshark_field_at(i, &field) == RIFTSHARK_OK; i++) {
        if (field.kind != RIFTSHARK_KIND_PROTOCOL)
            continue;
        if (proto_get_id_by_filter_name(field.name) != -1)
            return field.name;
        if (proto_get_id_by_short_name(short_name_of(field.name)) != -1)
            return short_name_of(field.name);
        if (proto_name_already_registered(field.title))
            return field.title;
    }
    return NULL;
}

static enum ftenum type_of(uint8_t kind)
{
    switch (kind) {
    case RIFTSHARK_KIND_U8: return FT_UINT8;
    case RIFTSHARK_KIND_U16: return FT_UINT16;
    case RIFTSHARK_KIND_U32: return FT_UINT32;
    case RIFTSHARK_KIND_U64: return FT_UINT64;
    case RIFTSHARK_KIND_I8: return FT_INT8;
    case RIFTSHARK_KIND_I16: return FT_INT16;
    case RIFTSHARK_KIND_I32: return FT_INT32;
    case RIFTSHARK_KIND_I64: return FT_INT64;
    case RIFTSHARK_KIND_DOUBLE: return FT_DOUBLE;
    case RIFTSHARK_KIND_BOOL: return FT_BOOLEAN;
    case RIFTSHARK_KIND_TEXT: return FT_STRING;
    case RIFTSHARK_KIND_BYTES: return FT_BYTES;
    case RIFTSHARK_KIND_FRAME: return FT_FRAMENUM;
    case RIFTSHARK_KIND_DURATION: return FT_RELATIVE_TIME;
    default: return FT_NONE;
    }
}

static int base_of(const riftshark_field *field)
{
    bool is_signed = field->kind >= RIFTSHARK_KIND_I8 && field->kind <= RIFTSHARK_KIND_I64;
    if (field->kind < RIFTSHARK_KIND_U8 || field->kind > RIFTSHARK_KIND_I64)
        return BASE_NONE;
    /* Shown by the names of its values alone, as epan's own states are. */
    if (field->base == RIFTSHARK_BASE_NONE && field->value_string_count > 0)
        return BASE_NONE;
    if (is_signed) /* epan takes no other for signed numbers */
        return BASE_DEC;
    if (field->base == RIFTSHARK_BASE_HEX)
        return BASE_HEX;
    return field->base == RIFTSHARK_BASE_HEX_DEC ? BASE_HEX_DEC : BASE_DEC;
}

/* The names for a field's values in the form its width demands: 64-bit types have a table type of their own. A value
 * without a name is shown as a number, not as "Unknown". */
static const void *value_strings_of(const riftshark_field *field, int *base)
{
    bool is_integer = field->kind >= RIFTSHARK_KIND_U8 && field->kind <= RIFTSHARK_KIND_I64;
    if (field->value_string_count == 0 || !is_integer)
        return NULL;
    if (field->kind == RIFTSHARK_KIND_U64 || field->kind == RIFTSHARK_KIND_I64) {
        val64_string *names = g_new0(val64_string, field->value_string_count + 1);
        for (size_t i = 0; i < field->value_string_count; i++) {
            names[i].value = (uint64_t)field->value_strings[i].value;
            names[i].strptr = field->value_strings[i].name;
        }
        *base |= BASE_VAL64_STRING | BASE_SPECIAL_VALS;
        return names;
    }
    if (*base != BASE_NONE)
        *base |= BASE_SPECIAL_VALS;
    value_string *names = g_new0(value_string, field->value_string_count + 1);
    for (size_t i = 0; i < field->value_string_count; i++) {
        names[i].value = (uint32_t)field->value_strings[i].value;
        names[i].strptr = field->value_strings[i].name;
    }
    return names;
}

static void register_protocols(void)
{
    for (size_t i = 0; i < field_count; i++) {
        const riftshark_field *f = &fields[i];
        if (f->kind == RIFTSHARK_KIND_PROTOCOL)
            hfs[i] = proto_register_protocol(f->title, short_name_of(f->name), f->name);
    }
    shim_proto_enet = proto_get_id_by_filter_name("enet");
    shim_proto_lol = proto_get_id_by_filter_name("lol");
    shim_proto_bedrock = proto_get_id_by_filter_name("bedrock");
    if (shim_proto_enet == -1 || shim_proto_lol == -1)
        return;
    /* A protocol in name only must have no fields of its own: epan aborts at exit over them. */
    for (size_t i = 0; i < field_count; i++) {
        const riftshark_field *f = &fields[i];
        if (f->kind == RIFTSHARK_KIND_FAMILY)
            hfs[i] = proto_register_protocol_in_name_only(f->title, f->title, f->name, shim_proto_lol, FT_PROTOCOL);
    }
}

static void register_owned_fields(int owner)
{
    hf_register_info *list = g_new0(hf_register_info, field_count);
    int count = 0;
    for (size_t i = 0; i < field_count; i++) {
        const riftshark_field *f = &fields[i];
        if (f->kind == RIFTSHARK_KIND_PROTOCOL || f->kind == RIFTSHARK_KIND_FAMILY || owner_of(f->name) != owner)
            continue;
        int base = base_of(f);
        const void *names = value_strings_of(f, &base);
        const char *blurb = f->blurb[0] != '\0' ? f->blurb : NULL;
        header_field_info info = {f->title, f->name, type_of(f->kind), base, names, 0, blurb, HFILL};
        list[count++] = (hf_register_info){&hfs[i], info};
    }
    proto_register_field_array(owner, list, count);
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

static void register_experts(int owner)
{
    static const int groups[] = {PI_MALFORMED, PI_SEQUENCE, PI_UNDECODED, PI_PROTOCOL, PI_ASSUMPTION, PI_SECURITY, PI_CHECKSUM};
    static const int severities[] = {PI_NOTE, PI_WARN, PI_ERROR};
    ei_register_info *list = g_new0(ei_register_info, expert_count);
    int count = 0;
    riftshark_expert e;
    for (size_t i = 0; i < expert_count && riftshark_expert_at(i, &e) == RIFTSHARK_OK; i++) {
        if (owner_of(e.name) != owner)
            continue;
        int group = e.group < array_length(groups) ? groups[e.group] : PI_PROTOCOL;
        int severity = e.severity < array_length(severities) ? severities[e.severity] : PI_WARN;
        list[count++] = (ei_register_info){&experts[i], {e.name, group, severity, e.text, EXPFILL}};
        if (strcmp(e.name, "lol.internal") == 0)
            shim_internal = &experts[i];
    }
    expert_register_field_array(expert_register_protocol(owner), list, count);
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
    etts = g_new(int, field_count);
    experts = g_new(expert_field, expert_count);
    for (size_t i = 0; i < field_count; i++) {
        hfs[i] = etts[i] = -1;
        if (riftshark_field_at(i, &fields[i]) != RIFTSHARK_OK)
            return false;
    }
    for (size_t i = 0; i < expert_count; i++)
        experts[i] = (expert_field)EI_INIT;
    register_protocols();
    const int owners[] = {shim_proto_enet, shim_proto_lol, shim_proto_bedrock};
    for (size_t i = 0; i < array_length(owners); i++) {
        if (owners[i] == -1)
            return false;
        register_owned_fields(owners[i]);
        register_experts(owners[i]);
    }
    register_subtrees();
    return find_fragment_fields() && shim_internal != NULL;
}
