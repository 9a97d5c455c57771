/* What a field of the ABI's table is to epan: its type, its base, and what is shown beside its values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/unit_strings.h>

enum ftenum shim_type_of(uint8_t kind)
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

int shim_base_of(const riftshark_field *field)
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

static const unit_name_string *unit_of(const riftshark_field *field)
{
    unit_name_string *unit = g_new0(unit_name_string, 1);
    unit->singular = unit->plural = g_strconcat(" ", field->unit, NULL);
    return unit;
}

/* What epan shows beside a field's values, in the form its type demands: a unit, or names, for which 64-bit types have a
 * table type of their own. A value without a name is shown as a number, not as "Unknown". */
const void *shim_strings_of(const riftshark_field *field, int *base)
{
    bool is_float = field->kind == RIFTSHARK_KIND_DOUBLE;
    if (field->unit[0] != '\0' && (!is_float || WS_FLOATS_HAVE_UNITS)) {
        *base |= BASE_UNIT_STRING;
        return unit_of(field);
    }
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
