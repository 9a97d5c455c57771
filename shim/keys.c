/* Keys of some sessions, in a table of the user's profile, and the file that keys are appended to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/uat.h>

/* A row. What may stand in a column is Rust's to say. */
typedef struct {
    char *address;
    char *port;
    char *key;
    char *build;
    char *map;
    char *origin;
} key_row;

const char *shim_keylog_file = "";
static key_row *rows;
static unsigned row_count;

UAT_CSTRING_CB_DEF(rows, address, key_row)
UAT_CSTRING_CB_DEF(rows, port, key_row)
UAT_CSTRING_CB_DEF(rows, key, key_row)
UAT_CSTRING_CB_DEF(rows, build, key_row)
UAT_CSTRING_CB_DEF(rows, map, key_row)
UAT_CSTRING_CB_DEF(rows, origin, key_row)

static ws_uat_boolean check(uint8_t column, const char *given, unsigned length, char **error)
{
    char said[512];
    char *text = g_strndup(given != NULL ? given : "", given != NULL ? length : 0);
    size_t wrong = riftshark_check_key_column(column, text, said, sizeof said);
    g_free(text);
    *error = wrong != 0 ? g_strdup(said) : NULL;
    return wrong == 0;
}

#define CHECK(name, column)                                                                                       \
    static ws_uat_boolean check_##name(void *row _U_, const char *given, unsigned length, const void *own _U_,    \
                                       const void *field _U_, char **error)                                      \
    {                                                                                                             \
        return check(column, given, length, error);                                                              \
    }
CHECK(address, RIFTSHARK_COLUMN_ADDRESS)
CHECK(port, RIFTSHARK_COLUMN_PORT)
CHECK(key, RIFTSHARK_COLUMN_KEY)
CHECK(build, RIFTSHARK_COLUMN_BUILD)
CHECK(map, RIFTSHARK_COLUMN_MAP)
CHECK(origin, RIFTSHARK_COLUMN_ORIGIN)

static void *copy_row(void *to, const void *from, size_t size _U_)
{
    const key_row *row = (const key_row *)from;
    *(key_row *)to = (key_row){g_strdup(row->address), g_strdup(row->port), g_strdup(row->key),
                               g_strdup(row->build),   g_strdup(row->map),  g_strdup(row->origin)};
    return to;
}

static void free_row(void *given)
{
    key_row *row = (key_row *)given;
    g_free(row->address);
    g_free(row->port);
    g_free(row->key);
    g_free(row->build);
    g_free(row->map);
    g_free(row->origin);
}

/* The rows for the engine, to be freed with g_free; their texts stay the table's. */
riftshark_key_row *shim_key_rows(size_t *count)
{
    riftshark_key_row *list = g_new0(riftshark_key_row, row_count);
    for (unsigned i = 0; i < row_count; i++)
        list[i] = (riftshark_key_row){rows[i].address, rows[i].port, rows[i].key,
                                      rows[i].build,   rows[i].map,  rows[i].origin};
    *count = row_count;
    return list;
}

void shim_register_key_preferences(module_t *module)
{
    static uat_field_t columns[] = {
        UAT_FLD_CSTRING_OTHER(rows, address, "Address", check_address,
                              "IP address of one end of the sessions the row is for; empty for any"),
        UAT_FLD_CSTRING_OTHER(rows, port, "Port", check_port, "UDP port of that end; 0 or empty for any"),
        UAT_FLD_CSTRING_OTHER(rows, key, "Key", check_key,
                              "32 hexadecimal digits, 24 characters of base64 or 16 characters of text; empty for none"),
        UAT_FLD_CSTRING_OTHER(rows, build, "Build", check_build,
                              "Build these sessions are read as, such as 1.0.0.136; empty: as they state"),
        UAT_FLD_CSTRING_OTHER(rows, map, "Map", check_map, "Number of their map, such as 1 or 11; empty: found out"),
        UAT_FLD_CSTRING_OTHER(rows, origin, "Origin", check_origin,
                              "Midpoint of the map in world units, as x,z; empty: that of the map"),
        UAT_END_FIELDS,
    };
    uat_t *table = uat_new("LoL keys", sizeof(key_row), "lol_keys", true, &rows, &row_count, UAT_AFFECTS_DISSECTION,
                           NULL, copy_row, NULL, free_row, NULL, NULL, columns);
    prefs_register_uat_preference(module, "keys", "Keys by session",
                                  "Keys of the sessions of one address or port, with their build and map. They are tried "
                                  "before the keys for all sessions.",
                                  table);
    prefs_register_filename_preference(module, "keylog_file", "Key file",
                                       "A text file with a line for each match, \"KEY\" and the key, and behind it where "
                                       "known end, build, map and origin. It may grow while a capture runs: a key that comes "
                                       "late opens what follows, reloading the rest.",
                                       &shim_keylog_file, false);
}
