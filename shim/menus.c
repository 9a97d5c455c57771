/* Tools -> Riftshark: following a session in a text window. Wireshark 4.0 has a fixed list under Follow; later ones follow
 * there, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <epan/epan_dissect.h>
#include <epan/funnel.h>
#include <epan/plugin_if.h>
#include <epan/tap.h>

/* A session that can be followed. */
typedef struct {
    shim_subject_kind subject;
    const char *title;
    const char *tap;
} followed;

static const followed lol = {SHIM_LOL_SESSION, "LoL session", "lol_follow"};
static const followed bedrock = {SHIM_BEDROCK_SESSION, "Bedrock session", "bedrock_follow"};

static tap_packet_status add_lines(void *own, packet_info *pinfo _U_, epan_dissect_t *edt _U_, const void *data,
                                   tap_flags_t flags _U_)
{
    g_string_append((GString *)own, ((const shim_lines *)data)->text);
    return TAP_PACKET_DONT_REDRAW;
}

/* What is asked of the packet that is selected. */
typedef struct {
    shim_subject_kind subject;
    bool found;
    unsigned number;
} selection;

static void *read_selection(capture_file *file, void *own)
{
    selection *selected = (selection *)own;
    if (file != NULL && file->edt != NULL && file->current_frame != NULL)
        selected->found = shim_subject(&file->edt->pi, selected->subject, &selected->number);
    return NULL;
}

/* The text of the session that a filter leaves, to be freed with g_string_free; what went wrong instead. */
static GString *text_of(const funnel_ops_t *ops, const followed *what, const char *filter)
{
    GString *text = g_string_new("");
    GString *wrong = register_tap_listener(what->tap, text, filter, TL_REQUIRES_NOTHING, NULL, add_lines, NULL, NULL);
    if (wrong != NULL) {
        g_string_append_printf(text, "The session cannot be followed: %s\n", wrong->str);
        g_string_free(wrong, TRUE);
        return text;
    }
    ops->retap_packets(ops->ops_id);
    remove_tap_listener(text);
    if (text->len == 0)
        g_string_append(text, "The session has no messages.\n");
    return text;
}

static void follow(const followed *what)
{
    const funnel_ops_t *ops = funnel_get_funnel_ops();
    selection selected = {what->subject, false, 0};
    if (ops == NULL || ops->new_text_window == NULL)
        return;
    plugin_if_get_capture_file(read_selection, &selected);
    if (!selected.found) {
        funnel_text_window_t *window = ops->new_text_window(ops->ops_id, what->title);
        ops->set_text(window, "Select a packet of the session first: one that holds a message of it.\n");
        return;
    }
    char *filter = shim_subject_filter(what->subject, selected.number);
    char *title = g_strdup_printf("%s %u", what->title, selected.number);
    GString *text = text_of(ops, what, filter);
    ops->set_text(ops->new_text_window(ops->ops_id, title), text->str);
    ops->set_filter(ops->ops_id, filter);
    ops->apply_filter(ops->ops_id);
    g_string_free(text, TRUE);
    g_free(title);
    g_free(filter);
}

static void follow_selected(ext_menubar_gui_type gui _U_, void *window _U_, void *what)
{
    follow((const followed *)what);
}

void shim_register_menus(void)
{
    ext_menu_t *menu = ext_menubar_register_menu(shim_proto_lol, "Riftshark", true);
    ext_menubar_set_parentmenu(menu, "Tools");
    ext_menubar_add_entry(menu, "Follow LoL session", "The messages of the selected packet's session as text",
                          follow_selected, (void *)&lol);
    ext_menubar_add_entry(menu, "Follow Bedrock session", "The packets of the selected packet's session as text",
                          follow_selected, (void *)&bedrock);
}
