// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages of NETLINK_SOCK_DIAG that ss makes and gets: of internet and UNIX sockets. */
#include <linux/inet_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include "syscall/netlink/netlink.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define STRUCT(rows_, size_) { .field = rows_, .n = COUNT(rows_), .size = size_ }

static const char *const socket_bits[] = { "recverr", "is_icsk", "freebind", "hdrincl", "mc_loop", "transparent", "mc_all", "nodefrag",
					   "bind_address_no_port", "recverr_rfc4884", "defer_connect", NULL };
static const struct nl_attr inet_rows[] = {
	{ INET_DIAG_SHUTDOWN, NL_U8, 0, NULL }, { INET_DIAG_TOS, NL_U8, 0, NULL }, { INET_DIAG_TCLASS, NL_U8, 0, NULL },
	{ INET_DIAG_CONG, NL_STR, 0, NULL }, { INET_DIAG_PROTOCOL, NL_ENUM8, X_ip_proto, NULL }, { INET_DIAG_SKV6ONLY, NL_U8, 0, NULL },
	{ INET_DIAG_MARK, NL_U32, 0, NULL }, { INET_DIAG_CLASS_ID, NL_U32, 0, NULL }, { INET_DIAG_CGROUP_ID, NL_U64, 0, NULL },
	{ INET_DIAG_SOCKOPT, NL_BITS, 0, socket_bits } };
static const struct nl_attrs inet_attrs = { .names = X_nla_inet_diag, .at = inet_rows, .n = COUNT(inet_rows) };
static const char *const queue_lengths[] = { "udiag_rqueue", "udiag_wqueue", NULL };
static const struct nl_attr unix_rows[] = {
	{ UNIX_DIAG_NAME, NL_STR, 0, NULL }, { UNIX_DIAG_PEER, NL_U32, 0, NULL }, { UNIX_DIAG_RQLEN, NL_COUNTS32, 0, queue_lengths },
	{ UNIX_DIAG_SHUTDOWN, NL_U8, 0, NULL }, { UNIX_DIAG_UID, NL_U32, 0, NULL } };
static const struct nl_attrs unix_attrs = { .names = X_nla_unix_diag, .at = unix_rows, .n = COUNT(unix_rows) };

static const struct nl_field inet_request[] = {
	{ "sdiag_family", 0, NL_FAMILY, 0 }, { "sdiag_protocol", 1, NL_ENUM8, X_ip_proto }, { "idiag_ext", 2, NL_FLAGS8, X_inet_diag_ext },
	{ "idiag_states", 4, NL_FLAGS32, X_tcp_state_bits }, { "id", 8, NL_SOCKID, 0 } };
static const struct nl_field inet_answer[] = {
	{ "idiag_family", 0, NL_FAMILY, 0 }, { "idiag_state", 1, NL_ENUM8, X_tcp_states }, { "idiag_timer", 2, NL_U8, 0 },
	{ "idiag_retrans", 3, NL_U8, 0 }, { "id", 4, NL_SOCKID, 0 }, { "idiag_expires", 52, NL_U32, 0 },
	{ "idiag_rqueue", 56, NL_U32, 0 }, { "idiag_wqueue", 60, NL_U32, 0 }, { "idiag_uid", 64, NL_U32, 0 }, { "idiag_inode", 68, NL_U32, 0 } };
static const struct nl_field unix_request[] = {
	{ "sdiag_family", 0, NL_FAMILY, 0 }, { "sdiag_protocol", 1, NL_U8, 0 }, { "udiag_states", 4, NL_FLAGS32, X_tcp_state_bits },
	{ "udiag_ino", 8, NL_U32, 0 }, { "udiag_show", 12, NL_FLAGS32, X_unix_diag_show }, { "udiag_cookie", 16, NL_COOKIE, 0 } };
static const struct nl_field unix_answer[] = {
	{ "udiag_family", 0, NL_FAMILY, 0 }, { "udiag_type", 1, NL_ENUM8, X_socket_type }, { "udiag_state", 2, NL_ENUM8, X_tcp_states },
	{ "udiag_ino", 4, NL_U32, 0 }, { "udiag_cookie", 8, NL_COOKIE, 0 } };

static const struct nl_body inet_bodies[] = { { STRUCT(inet_answer, 72), &inet_attrs }, { STRUCT(inet_request, 56), &inet_attrs } };
static const struct nl_body unix_bodies[] = { { STRUCT(unix_answer, 16), &unix_attrs }, { STRUCT(unix_request, 24), &unix_attrs } };

const struct nl_body *nl_diag_body(uint8_t family, bool request)
{
	if (family == AF_INET || family == AF_INET6)
		return &inet_bodies[request];
	return family == AF_UNIX ? &unix_bodies[request] : NULL;
}
