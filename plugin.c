/* The plugin's face: what Wireshark's loader looks for, preferences, and the engine's life.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <string.h>

#include <wsutil/report_message.h>
#include <wsutil/wslog.h>

WS_DLL_PUBLIC_DEF const char plugin_version[] = RIFTSHARK_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void);

riftshark_engine *shim_engine;
unsigned shim_user_channel = 3;
int shim_user_sender = 0;

static bool registered;

/* Preferences. epan replaces the texts when they are set. */
static const char *keys = "";
static const char *names = "";
static const char *build = "auto";
static const char *fallback_build = "";
static const char *origin = "auto";
static int variant = 0;
static range_t *ports;

static const enum_val_t variants[] = {
    {"auto", "Find out", 0},
    {"stock", "Stock ENet 1.3", 1},
    {"classic", "Classic (League up to 2012)", 2},
    {"compact", "Compact (League about 3.11 to 4.19)", 3},
    {"prefixed", "Prefixed (League 4.20)", 4},
    {"season8", "Season 8 (League 5 to 8)", 5},
    {NULL, NULL, -1},
};

static const enum_val_t senders[] = {
    {"unknown", "Not known", 0},
    {"client", "The client", 1},
    {"server", "The server", 2},
    {NULL, NULL, -1},
};

static riftshark_ports *port_ranges(size_t *count)
{
    *count = ports != NULL ? ports->nranges : 0;
    riftshark_ports *list = g_new0(riftshark_ports, *count);
    for (size_t i = 0; i < *count; i++) {
        list[i].first = (uint16_t)ports->ranges[i].low;
        list[i].last = (uint16_t)MIN(ports->ranges[i].high, 65535U);
    }
    return list;
}

/* Tells what was wrong with the preferences, once: epan makes a new engine at every redissection. */
static void report_problems(void)
{
    static char *last;
    const char *problems = riftshark_engine_problems(shim_engine);
    if (g_strcmp0(problems, last) == 0)
        return;
    g_free(last);
    last = g_strdup(problems);
    if (problems[0] != '\0') /* a dialogue in Wireshark, a line on stderr in tshark */
        report_failure("Riftshark: %s", problems);
}

static void drop_engine(void)
{
    riftshark_engine_free(shim_engine);
    shim_engine = NULL;
}

/* Called for every capture, and again whenever a preference changes: epan dissects anew then. */
static void make_engine(void)
{
    riftshark_settings settings = {
        .keys = keys,
        .names = names,
        .build = build,
        .fallback_build = fallback_build,
        .variant = variants[variant].name,
        .origin = origin,
        .bedrock_protocol = shim_bedrock_protocol,
        .user_channel = shim_user_channel,
    };
    char *bedrock_keys = shim_bedrock_keys();
    riftshark_key_row *rows = shim_key_rows(&settings.key_row_count);
    settings.key_rows = rows;
    settings.keylog_file = shim_keylog_file;
    char *disabled = shim_disabled_families();
    riftshark_ports *ranges = port_ranges(&settings.port_count);
    settings.ports = ranges;
    settings.bedrock_keys = bedrock_keys;
    settings.disabled = disabled;
    settings.without_league = !proto_is_protocol_enabled(find_protocol_by_id(shim_proto_lol));
    drop_engine();
    shim_engine = riftshark_engine_new(&settings);
    g_free(ranges);
    g_free(bedrock_keys);
    g_free(rows);
    g_free(disabled);
    if (shim_engine == NULL)
        ws_warning("Riftshark: the reader could not be started; nothing will be dissected.");
    else
        report_problems();
}

static void register_enet_preferences(void)
{
    module_t *module = prefs_register_protocol(shim_proto_enet, NULL);
    prefs_register_enum_preference(
        module, "shape", "Header shape",
        "Which header the datagrams carry. Found out from the datagrams themselves unless set here.",
        &variant, variants, false);
    prefs_register_range_preference(
        module, "ports", "Server ports",
        "UDP ports of servers, such as 5000-5500. On these a single datagram is enough to recognise ENet; elsewhere a "
        "connection must be seen to begin, or several datagrams must fit.",
        &ports, 65535);
}

static void register_lol_preferences(void)
{
    module_t *module = prefs_register_protocol(shim_proto_lol, NULL);
    prefs_register_string_preference(
        module, "key", "Keys",
        "Keys of the matches, separated by commas or spaces; each as 32 hexadecimal digits, 24 characters of base64 or "
        "16 characters of text. Every session takes the key that fits.",
        &keys);
    shim_register_key_preferences(module);
    prefs_register_string_preference(
        module, "build", "Build",
        "Build of the game, such as 1.0.0.136 or 4.20.0.315, for all sessions. \"auto\" reads it from each session.",
        &build);
    prefs_register_string_preference(module, "fallback_build", "Fallback build",
                                     "Build to assume where a session does not say which it is. Empty: none.",
                                     &fallback_build);
    prefs_register_string_preference(
        module, "origin", "Map origin",
        "Midpoint of the map in world units, as \"x,z\", from which packed positions are counted. \"auto\" works it "
        "out from the client's own orders.",
        &origin);
    prefs_register_filename_preference(
        module, "names", "List of names",
        "A text file with one name a line. Effects, particles, bones, packages and spells are numbers on the wire; those "
        "whose names the file holds are shown by name.",
        &names, false);
    prefs_register_uint_preference(
        module, "user_channel", "Channel of messages without ENet",
        "ENet channel, 0 to 255, to assume for messages in files of a user link type (DLT_USER).", 10,
        &shim_user_channel);
    prefs_register_enum_preference(module, "user_sender", "Sender of messages without ENet",
                                   "Who sent the messages in files of a user link type (DLT_USER).", &shim_user_sender,
                                   senders, false);
}

static bool may_register(void)
{
    if (riftshark_abi_version() != RIFTSHARK_ABI_VERSION) {
        ws_warning("Riftshark: the plugin was linked with another version of its reader (%u, not %u) and stays out. "
                   "Build it anew from one checkout.",
                   (unsigned)riftshark_abi_version(), (unsigned)RIFTSHARK_ABI_VERSION);
        return false;
    }
    const char *taken = shim_name_taken();
    if (taken != NULL) {
        ws_warning("Riftshark: another plugin has registered the protocol \"%s\" already, so this one stays out. "
                   "Remove one of the two files; \"tshark -G plugins\" and \"tshark -G folders\" tell where they are.",
                   taken);
        return false;
    }
    return true;
}

static void register_protoinfo(void)
{
    if (!may_register())
        return;
    if (!shim_register_fields()) {
        ws_warning("Riftshark: the reader's table of fields cannot be used; nothing will be dissected.");
        return;
    }
    registered = true;
    register_enet_preferences();
    register_lol_preferences();
    shim_register_enet();
    shim_register_league();
    shim_register_entry();
    shim_register_bedrock();
    shim_register_subjects();
    shim_register_follow();
    shim_register_menus();
    register_init_routine(make_engine);
    register_cleanup_routine(drop_engine);
}

static void register_handoff(void)
{
    if (!registered)
        return;
    shim_handoff_enet();
    shim_handoff_entry();
    shim_handoff_bedrock();
}

void plugin_register(void)
{
    static proto_plugin plugin;
    plugin.register_protoinfo = register_protoinfo;
    plugin.register_handoff = register_handoff;
    proto_register_plugin(&plugin);
}

uint32_t plugin_describe(void) { return PLUGIN_KIND; }
