// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of sockets, and the control data of messages. Layouts: asm-generic/socket.h, linux/{in,in6,if_packet,errqueue}.h. */
#include <arpa/inet.h>
#include <string.h>
#include "syscall/table.h"

enum { L_IP = 0, L_SOCKET = 1, L_TCP = 6, L_IPV6 = 41, L_RAW = 255, L_PACKET = 263, L_NETLINK = 270 };

static const struct { uint16_t level; enum xlat_id table; } levels[] = {
	{ L_IP, X_ip_names }, { L_SOCKET, X_so_names }, { L_TCP, X_tcp_names }, { 17, X_udp_names }, { L_IPV6, X_ipv6_names },
	{ L_PACKET, X_packet_names }, { L_NETLINK, X_netlink_names }, { 279, X_alg_names }, { 282, X_tls_names }, { L_RAW, X_raw_names },
};

void a_sol(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_enum(c, X_sol, (uint32_t)arg(c, i));
}

void a_so_name(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t level = arg(c, 1);
	for (unsigned k = 0; k < sizeof(levels) / sizeof(*levels); k++) {
		if (levels[k].level == level) {
			v_enum(c, levels[k].table, (uint32_t)arg(c, i));
			return;
		}
	}
	a_uint(c, i, a);
}

/* ---- values ---- */

static void hex_string(struct dc *c, const struct mem *m)
{
	enum hex_strings *hex = &c->d->style.hex, was = *hex;
	if (c->strace)
		*hex = HEX_ALL;
	v_str(c, m->p, m->n, false, c->d->style.string_limit);
	*hex = was;
}

/* The members that the kernel wrote when there was room for a part; one of which there is a part only, as bytes. */
static void members(struct dc *c, const struct mem *m, const char *const *name, bool ids)
{
	v_open(c, '{');
	for (size_t i = 0; name[i] && 4 * i < m->n; i++) {
		struct mem one = mem_sub(m, 4 * i, 4);
		v_field(c, name[i]);
		if (one.n < 4)
			hex_string(c, &one);
		else if (ids && i)
			v_uid(c, mem_u(&one, 0, 4));
		else
			v_s(c, mem_s(&one, 0, 4));
	}
	v_close(c, '}');
}

static void address(struct dc *c, const char *name, const struct mem *m, size_t at)
{
	char text[INET_ADDRSTRLEN];
	uint32_t addr = mem_u(m, at, 4);
	v_field(c, name);
	v_fn_str(c, "inet_addr", inet_ntop(AF_INET, &addr, text, sizeof(text)));
}

static void address6(struct dc *c, const char *name, const struct mem *m, size_t at)
{
	char text[INET6_ADDRSTRLEN];
	struct mem part = mem_sub(m, at, 16);
	uint8_t raw[16] = { 0 };
	memcpy(raw, part.p, part.n);
	inet_ntop(AF_INET6, raw, text, sizeof(text));
	if (c->json || !c->strace) {
		v_field(c, name);
		v_word(c, text);
		return;
	}
	if (!c->first)
		str_add(c->out, ", ");
	c->first = false;
	str_addf(c->out, "inet_pton(AF_INET6, \"%s\", &%s)", text, name);
}

static void interface(struct dc *c, const char *name, const struct mem *m, size_t at)
{
	v_field(c, name);
	v_ifindex(c, mem_u(m, at, 4));
}

static void ip_mreq(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	address(c, "imr_multiaddr", m, 0);
	address(c, "imr_interface", m, 4);
	v_close(c, '}');
}

static void ipv6_mreq(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	address6(c, "ipv6mr_multiaddr", m, 0);
	interface(c, "ipv6mr_interface", m, 16);
	v_close(c, '}');
}

static void group_req(struct dc *c, const struct mem *m)
{
	size_t at = c->word == 8 ? 8 : 4;
	struct mem group = mem_sub(m, at, 128);
	v_open(c, '{');
	interface(c, "gr_interface", m, 0);
	v_field(c, "gr_group");
	v_sockaddr(c, &group);
	v_close(c, '}');
}

static void packet_mreq(struct dc *c, const struct mem *m)
{
	unsigned n = mem_u(m, 6, 2);
	struct mem mac = mem_sub(m, 8, n < 8 ? n : 8);
	v_open(c, '{');
	interface(c, "mr_ifindex", m, 0);
	v_field(c, "mr_type");
	v_enum(c, X_packet_mr, mem_u(m, 4, 2));
	v_field(c, "mr_alen");
	v_u(c, n);
	v_field(c, "mr_address");
	v_mac(c, &mac);
	v_close(c, '}');
}

static void number(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	v_item(c);
	v_s(c, mem_s(m, 0, 4));
	v_close(c, ']');
}

enum sockopt_kind { ANY, INT, LINGER, CREDS, TIME, NAME, FILTER, ERROR, TYPE, PROTOCOL, DOMAIN, MREQ, MREQ6, GROUP, PACKET, RING, STATS, LIST, ICMP };

/* What is not simply a number of four bytes or a string. */
static const struct sockopt_row { uint16_t level, name; uint8_t kind; } options[] = {
	{ L_SOCKET, 13, LINGER }, { L_SOCKET, 17, CREDS }, { L_SOCKET, 20, TIME }, { L_SOCKET, 21, TIME }, { L_SOCKET, 25, NAME },
	{ L_SOCKET, 26, FILTER }, { L_SOCKET, 51, FILTER }, { L_SOCKET, 31, NAME }, { L_SOCKET, 4, ERROR }, { L_SOCKET, 3, TYPE },
	{ L_SOCKET, 38, PROTOCOL }, { L_SOCKET, 39, DOMAIN }, { L_IP, 35, MREQ }, { L_IP, 36, MREQ }, { L_IP, 42, GROUP }, { L_IP, 45, GROUP },
	{ L_IPV6, 20, MREQ6 }, { L_IPV6, 21, MREQ6 }, { L_IPV6, 27, MREQ6 }, { L_IPV6, 28, MREQ6 }, { L_IPV6, 42, GROUP }, { L_IPV6, 45, GROUP },
	{ L_PACKET, 1, PACKET }, { L_PACKET, 2, PACKET }, { L_PACKET, 5, RING }, { L_PACKET, 13, RING }, { L_PACKET, 6, STATS },
	{ L_NETLINK, 9, LIST }, { L_RAW, 1, ICMP },
};

/* Options of SOL_SOCKET that are an int, however much room there is. */
static const uint8_t ints[] = { 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 19, 27, 29, 30, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 45,
	46, 49, 53, 56, 60, 63, 64, 65, 68, 69, 70, 73, 74, 75, 76 };

static enum sockopt_kind kind_of(uint32_t level, uint32_t name)
{
	for (unsigned i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].level == level && options[i].name == name)
			return options[i].kind;
	if (level == L_SOCKET && name < 256 && memchr(ints, name, sizeof(ints)))
		return INT;
	return level == L_NETLINK ? INT : ANY;
}

/* How long a value must be at least, to be what it is. */
static size_t least(const struct dc *c, enum sockopt_kind k)
{
	switch (k) {
	case INT: case ERROR: case TYPE: case PROTOCOL: case DOMAIN: case ICMP: return 4;
	case LINGER: case MREQ: return 8;
	case CREDS: return 12;
	case TIME: return 2u * c->word;
	case FILTER: return 2u * c->word;
	case MREQ6: return 20;
	case GROUP: return c->word == 8 ? 136 : 132;
	case PACKET: case RING: return 16;
	default: return 1;
	}
}

static void list(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	for (size_t at = 0; at + 4 <= m->n; at += 4) {
		v_item(c);
		v_u(c, mem_u(m, at, 4));
	}
	v_close(c, ']');
}

/* Numbers that have a name; strace shows all but errors as numbers. */
static void named(struct dc *c, enum sockopt_kind k, uint32_t v)
{
	const char *err = k == ERROR ? errno_name(v) : NULL;
	bool names = !c->strace || c->json;
	v_open(c, '[');
	v_item(c);
	if (err)
		v_word(c, err);
	else if (names && k != ERROR)
		v_enum(c, k == TYPE ? X_socket_type : k == PROTOCOL ? X_ip_proto : X_address_family, v);
	else
		v_s(c, (int32_t)v);
	v_close(c, ']');
}

/* The kinds of message that are held back; those that are not, when they are fewer. */
static void icmp_filter(struct dc *c, uint32_t set)
{
	bool invert = __builtin_popcount(set) > 16, first = true;
	if (invert && !c->json)
		str_addc(c->out, '~');
	v_open(c, '[');
	for (unsigned i = 0; i < 32; i++) {
		if ((set >> i & 1) == (invert && !c->json))
			continue;
		if (!first && !c->json)
			str_addc(c->out, ' ');
		first = c->first = false;
		v_enum(c, X_icmp_types, i);
	}
	v_close(c, ']');
}

static void show(struct dc *c, enum sockopt_kind k, const struct mem *m)
{
	static const char *const ring[] = { "tp_block_size", "tp_block_nr", "tp_frame_size", "tp_frame_nr", NULL };
	static const char *const stats[] = { "tp_packets", "tp_drops", "tp_freeze_q_cnt", NULL };
	switch (k) {
	case INT: number(c, m); break;
	case LINGER: v_struct(c, ST_linger, m); break;
	case CREDS: v_struct(c, ST_ucred, m); break;
	case TIME: v_struct(c, ST_timeval, m); break;
	case FILTER: v_struct(c, ST_fprog, m); break;
	case NAME: v_str(c, m->p, m->n, m->truncated, 0); break;
	case ERROR: case TYPE: case PROTOCOL: case DOMAIN: named(c, k, mem_u(m, 0, 4)); break;
	case MREQ: ip_mreq(c, m); break;
	case MREQ6: ipv6_mreq(c, m); break;
	case GROUP: group_req(c, m); break;
	case PACKET: packet_mreq(c, m); break;
	case RING: case STATS: {
		const char *const *name = k == RING ? ring : stats;
		v_open(c, '{');
		for (size_t i = 0; name[i] && 4 * i + 4 <= m->n; i++) {
			v_field(c, name[i]);
			v_u(c, mem_u(m, 4 * i, 4));
		}
		v_close(c, '}');
		break;
	}
	case LIST: list(c, m); break;
	case ICMP: icmp_filter(c, mem_u(m, 0, 4)); break;
	case ANY:
		if (m->n == 4)
			number(c, m);
		else
			v_str(c, m->p, m->n, m->truncated, c->d->style.string_limit);
		break;
	}
}

void a_so_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	int32_t len = arg(c, a->len);
	enum sockopt_kind k = kind_of(arg(c, 1), arg(c, 2));
	bool exact = (k == RING || k == PACKET) && len != 16;
	if (k == LIST)
		k = INT;
	else if (k == TIME && (size_t)len < least(c, k))
		k = ANY;
	else if (k == STATS || k == CREDS || k == ERROR || k == TYPE || k == PROTOCOL || k == DOMAIN)
		k = ANY;
	if (len <= 0 || (size_t)len < least(c, k) || exact || !mem_find(c, arg(c, i), MEM_IN, &m) || m.n < least(c, k)) {
		a_ptr(c, i, a);
		return;
	}
	if (k == ANY && m.n < (size_t)len && m.n < c->d->style.string_limit) { /* ends where memory does */
		a_ptr(c, i, a);
		return;
	}
	if (m.n > (size_t)len)
		m.n = len;
	show(c, k, &m);
}

/* Less than the whole, when the caller gave less room. */
static bool show_part(struct dc *c, enum sockopt_kind k, const struct mem *m)
{
	static const char *const linger[] = { "l_onoff", "l_linger", NULL };
	static const char *const creds[] = { "pid", "uid", "gid", NULL };
	if (m->n >= least(c, k))
		return false;
	if (k == LINGER || k == CREDS)
		members(c, m, k == LINGER ? linger : creds, k == CREDS);
	else if (k == INT || k == ERROR)
		hex_string(c, m);
	else
		v_str(c, m->p, m->n, m->truncated, c->d->style.string_limit);
	return true;
}

void a_so_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m, len;
	enum sockopt_kind k = kind_of(arg(c, 1), arg(c, 2));
	if (c->failed || !mem_find(c, arg(c, a->len), MEM_OUT, &len) || mem_s(&len, 0, 4) <= 0 || !mem_find(c, arg(c, i), MEM_OUT, &m)) {
		a_ptr(c, i, a);
		return;
	}
	if (m.n > mem_u(&len, 0, 4))
		m.n = mem_u(&len, 0, 4);
	if ((k == TIME && m.n < least(c, k)) || k == MREQ || k == MREQ6 || k == GROUP || k == PACKET || k == RING || k == FILTER)
		k = ANY;
	if (!show_part(c, k, &m))
		show(c, k, &m);
}

/* ---- control data ---- */

static void rights(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	for (size_t off = 0; off + 4 <= m->n; off += 4) {
		v_item(c);
		if (off >= 4 * 32 && !whole(c)) {
			v_word(c, "...");
			break;
		}
		v_fd(c, mem_s(m, off, 4));
	}
	v_close(c, ']');
}

static void packet_info(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	interface(c, "ipi_ifindex", m, 0);
	address(c, "ipi_spec_dst", m, 4);
	address(c, "ipi_addr", m, 8);
	v_close(c, '}');
}

static void packet_info6(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	address6(c, "ipi6_addr", m, 0);
	interface(c, "ipi6_ifindex", m, 16);
	v_close(c, '}');
}

static void extended_error(struct dc *c, const struct mem *m)
{
	static const struct { const char *name; uint8_t at, size; } field[] = { { "ee_errno", 0, 4 }, { "ee_origin", 4, 1 }, { "ee_type", 5, 1 },
		{ "ee_code", 6, 1 }, { "ee_info", 8, 4 }, { "ee_data", 12, 4 } };
	struct mem offender = mem_sub(m, 16, 128);
	v_open(c, '{');
	for (unsigned i = 0; i < 6; i++) {
		v_field(c, field[i].name);
		v_u(c, mem_u(m, field[i].at, field[i].size));
	}
	v_field(c, "offender");
	v_sockaddr(c, &offender);
	v_close(c, '}');
}

static void numbers(struct dc *c, const struct mem *m, size_t size, bool hex)
{
	v_open(c, '[');
	for (size_t at = 0; at + size <= m->n; at += size) {
		v_item(c);
		if (hex)
			v_hexnum(c, mem_u(m, at, size));
		else
			v_u(c, mem_u(m, at, size));
	}
	v_close(c, ']');
}

static void three_times(struct dc *c, const struct mem *m, int id)
{
	size_t size = struct_size(c, id);
	v_open(c, '[');
	for (size_t at = 0; at + size <= m->n; at += size) {
		struct mem one = mem_sub(m, at, size);
		v_item(c);
		v_struct(c, id, &one);
	}
	v_close(c, ']');
}

enum { RIGHTS = 1, CREDENTIALS = 2, SECURITY = 3, STAMP = 29, STAMP_NS = 35, STAMPING = 37, NEW_STAMP = 63, NEW_STAMP_NS = 64, NEW_STAMPING = 65 };
enum { C_TOS = 1, C_TTL = 2, C_RECVOPTS = 6, C_RETOPTS = 7, C_PKTINFO = 8, C_RECVERR = 11, C_ORIGDST = 20, C_CHECKSUM = 23,
	C6_RECVERR = 25, C6_PKTINFO = 50 };

static bool socket_data(struct dc *c, const struct mem *m, uint32_t type)
{
	int time = type == STAMP ? ST_timeval : type == STAMP_NS ? ST_timespec : type == NEW_STAMP ? ST_timeval64 : ST_timespec64;
	switch (type) {
	case RIGHTS: rights(c, m); return true;
	case CREDENTIALS:
		if (m->n >= 12)
			v_struct(c, ST_ucred, m);
		return m->n >= 12;
	case SECURITY: v_str(c, m->p, m->n, false, 0); return true;
	case STAMP: case STAMP_NS: case NEW_STAMP: case NEW_STAMP_NS:
		if (m->n >= struct_size(c, time))
			v_struct(c, time, m);
		return m->n >= struct_size(c, time);
	case STAMPING: three_times(c, m, ST_timespec); return true;
	case NEW_STAMPING: three_times(c, m, ST_timespec64); return true;
	default: return false;
	}
}

static bool ip_data(struct dc *c, const struct mem *m, uint32_t type)
{
	if (type == C_PKTINFO && m->n >= 12)
		packet_info(c, m);
	else if (type == C_RECVERR && m->n >= 32)
		extended_error(c, m);
	else if (type == C_ORIGDST && m->n >= 16)
		v_sockaddr(c, m);
	else if ((type == C_TTL || type == C_CHECKSUM) && m->n >= 4)
		numbers(c, m, 4, false);
	else if (type == C_TOS || type == C_RECVOPTS || type == C_RETOPTS)
		numbers(c, m, 1, true);
	else
		return false;
	return true;
}

/* What is too short for its type is not shown, as in strace. */
static size_t least_data(uint32_t level, uint32_t type)
{
	if (level == L_SOCKET)
		return type == RIGHTS ? 4 : type == CREDENTIALS ? 12 : 1;
	if (level == L_IP)
		return type == C_PKTINFO ? 12 : type == C_RECVERR ? 32 : type == C_ORIGDST ? 16 : type == C_TTL || type == C_CHECKSUM ? 4 : 1;
	return 1;
}

static void data_of(struct dc *c, const struct mem *m, uint32_t level, uint32_t type)
{
	if (level == L_SOCKET && socket_data(c, m, type))
		return;
	if (level == L_IP && ip_data(c, m, type))
		return;
	if (level == L_IPV6 && type == C6_PKTINFO && m->n >= 20)
		packet_info6(c, m);
	else if (level == L_IPV6 && type == C6_RECVERR && m->n >= 16)
		extended_error(c, m);
	else if (m->n == 4)
		number(c, m);
	else
		v_str(c, m->p, m->n, false, c->d->style.string_limit);
}

static void type_of(struct dc *c, uint32_t level, uint32_t type)
{
	if (level == L_SOCKET || level == L_IP) {
		v_enum(c, level ? X_scm : X_ip_cmsg, type);
		return;
	}
	for (unsigned k = 0; k < sizeof(levels) / sizeof(*levels); k++) {
		if (levels[k].level == level) {
			v_enum(c, levels[k].table, type);
			return;
		}
	}
	v_hexnum(c, type);
}

/* One header and its data; n: the bytes that are there, no more than its length says */
static void control_item(struct dc *c, const struct mem *m, uint64_t said)
{
	uint32_t level = mem_u(m, c->word, 4), type = mem_u(m, c->word + 4, 4);
	size_t head = c->word + 8;
	struct mem data = mem_sub(m, head, said > head ? said - head : 0);
	v_open(c, '{');
	v_field(c, "cmsg_len");
	v_u(c, said);
	v_field(c, "cmsg_level");
	v_enum(c, X_sol, level);
	v_field(c, "cmsg_type");
	type_of(c, level, type);
	if (data.n >= least_data(level, type)) {
		v_field(c, "cmsg_data");
		data_of(c, &data, level, type);
	}
	v_close(c, '}');
}

void v_control(struct dc *c, uint64_t addr, uint64_t len, enum mem_when when)
{
	struct mem m;
	size_t head = c->word + 8, off = 0;
	if (len < head || !mem_find_inside(c, addr, when, &m) || m.n < head) {
		v_addr(c, addr);
		return;
	}
	if (m.n > len)
		m.n = len;
	v_open(c, '[');
	while (off + head <= m.n) {
		uint64_t n = mem_u(&m, off, c->word), next = off + (n + c->word - 1) / c->word * c->word;
		struct mem one = mem_sub(&m, off, m.n);
		v_item(c);
		control_item(c, &one, n);
		if (n < head) {
			off += head;
			break;
		}
		off = n > m.n - off ? m.n : next;
	}
	if (off < m.n) {
		v_item(c);
		v_word(c, "...");
		v_unreadable(c, addr + off);
	} else if (m.n < len) {
		v_item(c);
		v_word(c, "...");
	}
	v_close(c, ']');
}
