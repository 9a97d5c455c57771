/* Following a session: its messages as text. The lines are Rust's; here they are handed to whoever follows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "shim.h"

#include <string.h>

#include <epan/addr_resolv.h>
#include <epan/follow.h>
#include <epan/tap.h>
#include <epan/to_str.h>

static int lol_tap = -1;
static int bedrock_tap = -1;

bool shim_is_followed(void) { return have_tap_listener(lol_tap) || have_tap_listener(bedrock_tap); }

/* Hands on the lines of a result; works without a tree. */
static void tell(int tap, packet_info *pinfo, const riftshark_result *result)
{
    if (result->follow[0] == '\0' || !have_tap_listener(tap))
        return;
    shim_lines *told = wmem_new(pinfo->pool, shim_lines);
    *told = (shim_lines){wmem_strdup(pinfo->pool, result->follow), result->follow_sender};
    tap_queue_packet(tap, pinfo, told);
}

/* What is to be told of a result besides showing it: which session it is of, which is asked of a packet that somebody
 * looks at, and its lines. */
void shim_tell(const shim_view *view, bool bedrock)
{
    if (view->tree != NULL && PTREE_DATA(view->tree)->visible)
        shim_note_subjects(view->pinfo, view->result);
    tell(bedrock ? bedrock_tap : lol_tap, view->pinfo, view->result);
}

/* epan calls the one end the client, and keeps its address with the first line. */
static bool from_server(follow_info_t *info, const packet_info *pinfo, uint8_t sender)
{
    bool server = sender == 2;
    if (info->client_ip.type == AT_NONE) {
        copy_address(&info->client_ip, server ? &pinfo->dst : &pinfo->src);
        copy_address(&info->server_ip, server ? &pinfo->src : &pinfo->dst);
        info->client_port = server ? pinfo->destport : pinfo->srcport;
        info->server_port = server ? pinfo->srcport : pinfo->destport;
    }
    if (sender != 0)
        return server;
    return !addresses_equal(&info->client_ip, &pinfo->src) || info->client_port != pinfo->srcport;
}

static tap_packet_status take_lines(void *own, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                    tap_flags_t flags _U_)
{
    follow_info_t *info = (follow_info_t *)own;
    const shim_lines *told = (const shim_lines *)data;
    unsigned length = (unsigned)strlen(told->text);
    follow_record_t *record = g_new0(follow_record_t, 1);
    record->is_server = from_server(info, pinfo, told->sender);
    record->packet_num = pinfo->num;
    record->abs_ts = pinfo->abs_ts;
    record->data = g_byte_array_append(g_byte_array_sized_new(length), (const uint8_t *)told->text, length);
    info->bytes_written[record->is_server ? 1 : 0] += length;
    info->payload = g_list_prepend(info->payload, record);
    return TAP_PACKET_DONT_REDRAW;
}

static char *follow_of(packet_info *pinfo, shim_subject_kind subject, unsigned *stream)
{
    return shim_subject(pinfo, subject, stream) ? shim_subject_filter(subject, *stream) : NULL;
}

static char *lol_of_packet(epan_dissect_t *edt _U_, packet_info *pinfo, unsigned *stream, unsigned *sub_stream _U_)
{
    return follow_of(pinfo, SHIM_LOL_SESSION, stream);
}

static char *bedrock_of_packet(epan_dissect_t *edt _U_, packet_info *pinfo, unsigned *stream, unsigned *sub_stream _U_)
{
    return follow_of(pinfo, SHIM_BEDROCK_SESSION, stream);
}

static char *lol_of_number(unsigned stream, unsigned sub_stream _U_)
{
    return shim_subject_filter(SHIM_LOL_SESSION, stream);
}

static char *bedrock_of_number(unsigned stream, unsigned sub_stream _U_)
{
    return shim_subject_filter(SHIM_BEDROCK_SESSION, stream);
}

/* The sessions between two ends, as "-z follow,lol,ascii,192.0.2.10:50000,198.51.100.20:5119" asks for them. */
static char *between(const char *protocol, const address *one, const address *other, int port, int other_port)
{
    const char *ip = one->type == AT_IPv6 ? "ipv6" : "ip";
    char *from = address_to_str(NULL, one), *to = address_to_str(NULL, other);
    char *filter = g_strdup_printf("%s && ((%s.src == %s && udp.srcport == %d && %s.dst == %s && udp.dstport == %d) || "
                                   "(%s.src == %s && udp.srcport == %d && %s.dst == %s && udp.dstport == %d))",
                                   protocol, ip, from, port, ip, to, other_port, ip, to, other_port, ip, from, port);
    wmem_free(NULL, from);
    wmem_free(NULL, to);
    return filter;
}

static char *lol_between(address *one, address *other, int port, int other_port)
{
    return between("lol", one, other, port, other_port);
}

static char *bedrock_between(address *one, address *other, int port, int other_port)
{
    return between("bedrock", one, other, port, other_port);
}

#if WS_AT_LEAST(4, 2)
static uint32_t lol_count(void) { return riftshark_session_count(shim_engine, 0); }

static uint32_t bedrock_count(void) { return riftshark_session_count(shim_engine, 1); }

#define COUNT(count) , count, NULL
#else
#define COUNT(count)
#endif

void shim_register_follow(void)
{
    lol_tap = register_tap("lol_follow");
    bedrock_tap = register_tap("bedrock_follow");
    register_follow_stream(shim_proto_lol, "lol_follow", lol_of_packet, lol_of_number, lol_between, udp_port_to_display,
                           take_lines COUNT(lol_count));
    register_follow_stream(shim_proto_bedrock, "bedrock_follow", bedrock_of_packet, bedrock_of_number, bedrock_between,
                           udp_port_to_display, take_lines COUNT(bedrock_count));
}
