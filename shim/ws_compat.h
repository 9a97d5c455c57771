/* Every source difference between Wireshark 4.0 and 4.6 that the shim meets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIFTSHARK_WS_COMPAT_H
#define RIFTSHARK_WS_COMPAT_H

/* Makes WS_DLL_PUBLIC mean "export", which the plugin's five symbols need on Windows. */
#define WS_BUILD_DLL

#include <wireshark.h>
#include <ws_version.h> /* not config.h, which Debian's 4.0 lacks */

#define WS_AT_LEAST(major, minor)          \
    (WIRESHARK_VERSION_MAJOR > (major) ||  \
     (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

#if !WS_AT_LEAST(4, 0)
#error "Wireshark 4.0 or newer is needed"
#endif

/* epan's gboolean (4 bytes) became bool (1 byte): in the tables of a user in 4.2, elsewhere in 4.4. */
#if WS_AT_LEAST(4, 2)
typedef bool ws_uat_boolean;
typedef bool ws_filter_boolean; /* of conversation filters */
#else
typedef gboolean ws_uat_boolean;
typedef gboolean ws_filter_boolean;
#endif

#if WS_AT_LEAST(4, 4)
#include <wsutil/plugins.h> /* not shipped by Debian's 4.0 */
typedef bool ws_boolean;
#define PLUGIN_KIND WS_PLUGIN_DESC_DISSECTOR
#else
typedef gboolean ws_boolean;
#define PLUGIN_KIND 1U
#endif

/* Older releases show no unit behind a float. */
#define WS_FLOATS_HAVE_UNITS WS_AT_LEAST(4, 4)

#if !WS_AT_LEAST(4, 6)
#define dissector_try_payload_with_data dissector_try_payload_new
#endif

#endif
