// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages of NETLINK_ROUTE. A new attribute is a row here; its name is in tables/constants.def. */
#include <linux/if_addr.h>
#include <linux/fib_rules.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include "syscall/netlink/netlink.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ATTRS(names_, rows_) { .names = X_##names_, .at = rows_, .n = COUNT(rows_) }
#define STRUCT(rows_, size_) { .field = rows_, .n = COUNT(rows_), .size = size_ }

static const char *const counters[] = {
	"rx_packets", "tx_packets", "rx_bytes", "tx_bytes", "rx_errors", "tx_errors", "rx_dropped", "tx_dropped", "multicast", "collisions",
	"rx_length_errors", "rx_over_errors", "rx_crc_errors", "rx_frame_errors", "rx_fifo_errors", "rx_missed_errors",
	"tx_aborted_errors", "tx_carrier_errors", "tx_fifo_errors", "tx_heartbeat_errors", "tx_window_errors", "rx_compressed",
	"tx_compressed", "rx_nohandler", "rx_otherhost_dropped", NULL };
static const char *const inet6_times[] = { "max_reasm_len", "tstamp", "reachable_time", "retrans_time", NULL };
static const char *const address_times[] = { "ifa_prefered", "ifa_valid", "cstamp", "tstamp", NULL };
static const char *const route_times[] = { "rta_clntref", "rta_lastuse", "rta_expires", "rta_error", "rta_used", "rta_id", "rta_ts",
					   "rta_tsage", NULL };
static const char *const neighbour_times[] = { "ndm_confirmed", "ndm_used", "ndm_updated", "ndm_refcnt", NULL };

/* ---- links ---- */

static const struct nl_field map_fields[] = {
	{ "mem_start", 0, NL_U64, 0 }, { "mem_end", 8, NL_U64, 0 }, { "base_addr", 16, NL_U64, 0 }, { "irq", 24, NL_U16, 0 },
	{ "dma", 26, NL_U8, 0 }, { "port", 27, NL_U8, 0 } };
static const struct nl_struct map = STRUCT(map_fields, 28);
static const struct nl_attr info_rows[] = { { IFLA_INFO_KIND, NL_STR, 0, NULL }, { IFLA_INFO_SLAVE_KIND, NL_STR, 0, NULL } };
static const struct nl_attrs info = ATTRS(nla_ifla_info, info_rows);
static const struct nl_attr xdp_rows[] = {
	{ IFLA_XDP_FD, NL_S32, 0, NULL }, { IFLA_XDP_ATTACHED, NL_U8, 0, NULL }, { IFLA_XDP_PROG_ID, NL_U32, 0, NULL } };
static const struct nl_attrs xdp = ATTRS(nla_ifla_xdp, xdp_rows);
static const struct nl_attr inet6_rows[] = {
	{ IFLA_INET6_FLAGS, NL_FLAGS32, X_if_inet6_flags, NULL }, { IFLA_INET6_CACHEINFO, NL_COUNTS32, 0, inet6_times },
	{ IFLA_INET6_CONF, NL_PLACES32, X_ipv6_conf, NULL }, { IFLA_INET6_STATS, NL_PLACES64, X_ipstats_mib, NULL },
	{ IFLA_INET6_ICMP6STATS, NL_PLACES64, X_icmp6_mib, NULL }, { 9 /* RA_MTU */, NL_U32, 0, NULL },
	{ IFLA_INET6_TOKEN, NL_ADDR, 0, NULL }, { IFLA_INET6_ADDR_GEN_MODE, NL_ENUM8, X_in6_gen_mode, NULL } };
static const struct nl_attrs inet6 = ATTRS(nla_ifla_inet6, inet6_rows);
static const struct nl_attr inet_rows[] = { { IFLA_INET_CONF, NL_PLACES32, X_ipv4_conf, NULL } };
static const struct nl_attrs inet = ATTRS(nla_ifla_inet, inet_rows);
static const struct nl_attr family_rows[] = { { AF_INET, NL_NEST, 0, &inet }, { AF_INET6, NL_NEST, 0, &inet6 } };
static const struct nl_attrs families = ATTRS(address_family, family_rows);
static const struct nl_attr link_rows[] = {
	{ IFLA_ADDRESS, NL_MAC, 0, NULL }, { IFLA_BROADCAST, NL_MAC, 0, NULL }, { IFLA_IFNAME, NL_STR, 0, NULL },
	{ IFLA_MTU, NL_U32, 0, NULL }, { IFLA_LINK, NL_IFINDEX, 0, NULL }, { IFLA_QDISC, NL_STR, 0, NULL },
	{ IFLA_STATS, NL_COUNTS32, 0, counters }, { IFLA_MASTER, NL_IFINDEX, 0, NULL }, { IFLA_TXQLEN, NL_U32, 0, NULL },
	{ IFLA_MAP, NL_STRUCT, 0, &map }, { IFLA_WEIGHT, NL_U32, 0, NULL }, { IFLA_OPERSTATE, NL_U8, 0, NULL },
	{ IFLA_LINKMODE, NL_U8, 0, NULL }, { IFLA_LINKINFO, NL_NEST, 0, &info }, { IFLA_NET_NS_PID, NL_U32, 0, NULL },
	{ IFLA_IFALIAS, NL_STR, 0, NULL }, { IFLA_NUM_VF, NL_U32, 0, NULL }, { IFLA_STATS64, NL_COUNTS64, 0, counters },
	{ IFLA_AF_SPEC, NL_NEST, 0, &families }, { IFLA_GROUP, NL_U32, 0, NULL }, { IFLA_NET_NS_FD, NL_S32, 0, NULL },
	{ IFLA_EXT_MASK, NL_FLAGS32, X_rtext_filter, NULL }, { IFLA_PROMISCUITY, NL_U32, 0, NULL }, { IFLA_NUM_TX_QUEUES, NL_U32, 0, NULL },
	{ IFLA_NUM_RX_QUEUES, NL_U32, 0, NULL }, { IFLA_CARRIER, NL_U8, 0, NULL }, { IFLA_CARRIER_CHANGES, NL_U32, 0, NULL },
	{ IFLA_LINK_NETNSID, NL_S32, 0, NULL }, { IFLA_PROTO_DOWN, NL_U8, 0, NULL }, { IFLA_GSO_MAX_SEGS, NL_U32, 0, NULL },
	{ IFLA_GSO_MAX_SIZE, NL_U32, 0, NULL }, { IFLA_XDP, NL_NEST, 0, &xdp }, { IFLA_CARRIER_UP_COUNT, NL_U32, 0, NULL },
	{ IFLA_CARRIER_DOWN_COUNT, NL_U32, 0, NULL }, { IFLA_MIN_MTU, NL_U32, 0, NULL }, { IFLA_MAX_MTU, NL_U32, 0, NULL },
	{ IFLA_ALT_IFNAME, NL_STR, 0, NULL }, { IFLA_PERM_ADDRESS, NL_MAC, 0, NULL }, { IFLA_PARENT_DEV_NAME, NL_STR, 0, NULL },
	{ IFLA_PARENT_DEV_BUS_NAME, NL_STR, 0, NULL }, { 58 /* GRO_MAX_SIZE */, NL_U32, 0, NULL }, { 59 /* TSO_MAX_SIZE */, NL_U32, 0, NULL },
	{ 60 /* TSO_MAX_SEGS */, NL_U32, 0, NULL }, { 61 /* ALLMULTI */, NL_U32, 0, NULL }, { 63 /* GSO_IPV4_MAX_SIZE */, NL_U32, 0, NULL },
	{ 64 /* GRO_IPV4_MAX_SIZE */, NL_U32, 0, NULL }, { 67 /* NETNS_IMMUTABLE */, NL_U8, 0, NULL }, { 68 /* HEADROOM */, NL_U16, 0, NULL }, { 69 /* TAILROOM */, NL_U16, 0, NULL } };
static const struct nl_attrs link_attrs = ATTRS(nla_ifla, link_rows);
static const struct nl_field link_fields[] = {
	{ "ifi_family", 0, NL_FAMILY, 0 }, { "ifi_type", 2, NL_ENUM16, X_arphrd }, { "ifi_index", 4, NL_IFINDEX, 0 },
	{ "ifi_flags", 8, NL_FLAGS32, X_netdev_flags }, { "ifi_change", 12, NL_HEX32, 0 } };

/* ---- addresses ---- */

static const struct nl_attr address_rows[] = {
	{ IFA_ADDRESS, NL_ADDR, 0, NULL }, { IFA_LOCAL, NL_ADDR, 0, NULL }, { IFA_LABEL, NL_STR, 0, NULL }, { IFA_BROADCAST, NL_ADDR, 0, NULL },
	{ IFA_ANYCAST, NL_ADDR, 0, NULL }, { IFA_CACHEINFO, NL_COUNTS32, 0, address_times }, { IFA_MULTICAST, NL_ADDR, 0, NULL },
	{ IFA_FLAGS, NL_FLAGS32, X_ifa_flags, NULL }, { IFA_RT_PRIORITY, NL_U32, 0, NULL }, { IFA_TARGET_NETNSID, NL_S32, 0, NULL } };
static const struct nl_attrs address_attrs = ATTRS(nla_ifa, address_rows);
static const struct nl_field address_fields[] = {
	{ "ifa_family", 0, NL_FAMILY, 0 }, { "ifa_prefixlen", 1, NL_U8, 0 }, { "ifa_flags", 2, NL_FLAGS8, X_ifa_flags },
	{ "ifa_scope", 3, NL_ENUM8, X_rt_scope }, { "ifa_index", 4, NL_IFINDEX, 0 } };

/* ---- routes ---- */

static const struct nl_attr route_rows[] = {
	{ RTA_DST, NL_ADDR, 0, NULL }, { RTA_SRC, NL_ADDR, 0, NULL }, { RTA_IIF, NL_IFINDEX, 0, NULL }, { RTA_OIF, NL_IFINDEX, 0, NULL },
	{ RTA_GATEWAY, NL_ADDR, 0, NULL }, { RTA_PRIORITY, NL_U32, 0, NULL }, { RTA_PREFSRC, NL_ADDR, 0, NULL },
	{ RTA_FLOW, NL_U32, 0, NULL }, { RTA_CACHEINFO, NL_COUNTS32, 0, route_times }, { RTA_TABLE, NL_ENUM32, X_rt_table, NULL },
	{ RTA_MARK, NL_U32, 0, NULL }, { RTA_PREF, NL_U8, 0, NULL }, { RTA_EXPIRES, NL_U32, 0, NULL }, { RTA_UID, NL_U32, 0, NULL } };
static const struct nl_attrs route_attrs = ATTRS(nla_rta, route_rows);
static const struct nl_field route_fields[] = {
	{ "rtm_family", 0, NL_FAMILY, 0 }, { "rtm_dst_len", 1, NL_U8, 0 }, { "rtm_src_len", 2, NL_U8, 0 }, { "rtm_tos", 3, NL_U8, 0 },
	{ "rtm_table", 4, NL_ENUM8, X_rt_table }, { "rtm_protocol", 5, NL_ENUM8, X_rt_proto }, { "rtm_scope", 6, NL_ENUM8, X_rt_scope },
	{ "rtm_type", 7, NL_ENUM8, X_rt_type }, { "rtm_flags", 8, NL_FLAGS32, X_rtm_flags } };

/* ---- neighbours, rules, queues ---- */

static const struct nl_attr neighbour_rows[] = {
	{ NDA_DST, NL_ADDR, 0, NULL }, { NDA_LLADDR, NL_MAC, 0, NULL }, { NDA_CACHEINFO, NL_COUNTS32, 0, neighbour_times },
	{ NDA_PROBES, NL_U32, 0, NULL }, { NDA_VLAN, NL_U16, 0, NULL }, { NDA_VNI, NL_U32, 0, NULL }, { NDA_IFINDEX, NL_IFINDEX, 0, NULL },
	{ NDA_MASTER, NL_IFINDEX, 0, NULL } };
static const struct nl_attrs neighbour_attrs = ATTRS(nla_nda, neighbour_rows);
static const struct nl_field neighbour_fields[] = {
	{ "ndm_family", 0, NL_FAMILY, 0 }, { "ndm_ifindex", 4, NL_IFINDEX, 0 }, { "ndm_state", 8, NL_FLAGS16, X_nud_state },
	{ "ndm_flags", 10, NL_FLAGS8, X_ntf_flags }, { "ndm_type", 11, NL_ENUM8, X_rt_type } };
static const struct nl_attr rule_rows[] = {
	{ FRA_DST, NL_ADDR, 0, NULL }, { FRA_SRC, NL_ADDR, 0, NULL }, { FRA_IIFNAME, NL_STR, 0, NULL }, { FRA_GOTO, NL_U32, 0, NULL },
	{ FRA_PRIORITY, NL_U32, 0, NULL }, { FRA_FWMARK, NL_U32, 0, NULL }, { FRA_TABLE, NL_ENUM32, X_rt_table, NULL },
	{ FRA_FWMASK, NL_U32, 0, NULL }, { FRA_OIFNAME, NL_STR, 0, NULL }, { FRA_SUPPRESS_PREFIXLEN, NL_U32, 0, NULL },
	{ FRA_PROTOCOL, NL_ENUM8, X_rt_proto, NULL } };
static const struct nl_attrs rule_attrs = ATTRS(nla_fra, rule_rows);
static const struct nl_field rule_fields[] = {
	{ "family", 0, NL_FAMILY, 0 }, { "dst_len", 1, NL_U8, 0 }, { "src_len", 2, NL_U8, 0 }, { "tos", 3, NL_U8, 0 },
	{ "table", 4, NL_ENUM8, X_rt_table }, { "action", 7, NL_ENUM8, X_fr_act }, { "flags", 8, NL_HEX32, 0 } };
static const struct nl_attr queue_rows[] = { { TCA_KIND, NL_STR, 0, NULL }, { TCA_HW_OFFLOAD, NL_U8, 0, NULL }, { TCA_CHAIN, NL_U32, 0, NULL } };
static const struct nl_attrs queue_attrs = ATTRS(nla_tca, queue_rows);
static const struct nl_field queue_fields[] = {
	{ "tcm_family", 0, NL_FAMILY, 0 }, { "tcm_ifindex", 4, NL_IFINDEX, 0 }, { "tcm_handle", 8, NL_U32, 0 },
	{ "tcm_parent", 12, NL_U32, 0 }, { "tcm_info", 16, NL_U32, 0 } };

static const struct nl_attr error_rows[] = { { NLMSGERR_ATTR_MSG, NL_STR, 0, NULL }, { NLMSGERR_ATTR_OFFS, NL_U32, 0, NULL } };
const struct nl_attrs nl_error_attrs = ATTRS(nla_msgerr, error_rows);

/* New, del, get and set of each thing have numbers one behind the other, from 16 on. */
static const struct nl_body bodies[] = {
	{ STRUCT(link_fields, 16), &link_attrs }, { STRUCT(address_fields, 8), &address_attrs }, { STRUCT(route_fields, 12), &route_attrs },
	{ STRUCT(neighbour_fields, 12), &neighbour_attrs }, { STRUCT(rule_fields, 12), &rule_attrs },
	{ STRUCT(queue_fields, 20), &queue_attrs }, { STRUCT(queue_fields, 20), &queue_attrs }, { STRUCT(queue_fields, 20), &queue_attrs } };

const struct nl_body *nl_route_body(uint16_t type)
{
	unsigned i = type >= RTM_BASE ? (type - RTM_BASE) / 4u : COUNT(bodies);
	return i < COUNT(bodies) ? &bodies[i] : NULL;
}
