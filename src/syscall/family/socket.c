// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets: addresses, options, messages with their control data. */
#include <arpa/inet.h>
#include <string.h>
#include "syscall/table.h"

void v_iov(struct dc *c, const struct mem *m, uint64_t count, enum mem_when when, uint64_t data, bool buffers);
void v_control(struct dc *c, uint64_t addr, uint64_t len, enum mem_when when);

enum { FAMILY_UNIX = 1, FAMILY_INET = 2, FAMILY_INET6 = 10, FAMILY_NETLINK = 16, FAMILY_PACKET = 17, FAMILY_BLUETOOTH = 31,
	FAMILY_VSOCK = 40, FAMILY_ALG = 38, FAMILY_XDP = 44 };
enum { STORAGE_SIZE = 128 };

void a_family(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_enum(c, X_address_family, (uint32_t)arg(c, i));
}

void a_sock_type(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t type = arg(c, i);
	v_parts_begin(c);
	bool known = xlat_name(X_socket_type, type & 0xf);
	if (known)
		v_part_enum(c, X_socket_type, type & 0xf);
	if (!known || type & ~0xfu)
		v_part_flags(c, X_socket_flags, known ? type & ~0xfu : type);
	v_parts_end(c);
}

void a_sock_proto(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t family = arg(c, 0), proto = arg(c, i);
	if (family == FAMILY_INET || family == FAMILY_INET6)
		v_enum(c, X_ip_proto, proto);
	else if (family == FAMILY_NETLINK)
		v_enum(c, X_netlink_proto, proto);
	else if (family == FAMILY_BLUETOOTH)
		v_enum(c, X_bt_proto, proto);
	else if (family == FAMILY_PACKET && xlat_name(X_eth_proto, ntohs(proto))) {
		v_fn_str(c, "htons", xlat_name(X_eth_proto, ntohs(proto)));
	} else
		a_ulong(c, i, a);
}

/* ---- addresses ---- */

static void sa_unix(struct dc *c, const struct mem *m)
{
	v_field(c, "sun_path");
	if (m->n > 2 && !m->p[2]) { /* an abstract name: all bytes count */
		if (!c->json && c->strace)
			str_addc(c->out, '@');
		v_str(c, m->p + 3, m->n - 3, false, 0);
		return;
	}
	struct mem path = mem_sub(m, 2, m->n);
	v_cstr(c, &path, 0);
}

static void sa_inet(struct dc *c, const struct mem *m)
{
	char text[INET6_ADDRSTRLEN];
	v_field(c, "sin_port");
	v_fn_u(c, "htons", ntohs(mem_u(m, 2, 2)));
	v_field(c, "sin_addr");
	uint32_t addr = mem_u(m, 4, 4);
	v_fn_str(c, "inet_addr", inet_ntop(AF_INET, &addr, text, sizeof(text)));
}

static void sa_inet6(struct dc *c, const struct mem *m)
{
	char text[INET6_ADDRSTRLEN];
	uint8_t raw[16] = { 0 };
	memcpy(raw, m->p + 8, m->n >= 24 ? 16 : m->n > 8 ? m->n - 8 : 0);
	inet_ntop(AF_INET6, raw, text, sizeof(text));
	v_field(c, "sin6_port");
	v_fn_u(c, "htons", ntohs(mem_u(m, 2, 2)));
	v_field(c, "sin6_flowinfo");
	v_fn_u(c, "htonl", ntohl(mem_u(m, 4, 4)));
	if (!c->json && c->strace) { /* strace writes the call that would fill it */
		str_add(c->out, ", inet_pton(AF_INET6, ");
		str_add_quoted(c->out, text, strlen(text));
		str_add(c->out, ", &sin6_addr)");
	} else {
		v_field(c, "sin6_addr");
		v_word(c, text);
	}
	v_field(c, "sin6_scope_id");
	v_u(c, mem_u(m, 24, 4));
}

static void sa_netlink(struct dc *c, const struct mem *m)
{
	v_field(c, "nl_pid");
	v_s(c, mem_s(m, 4, 4));
	v_field(c, "nl_groups");
	if (c->json)
		v_hexnum(c, mem_u(m, 8, 4));
	else
		str_addf(c->out, "%#08x", (unsigned)mem_u(m, 8, 4));
}

static void sa_packet(struct dc *c, const struct mem *m)
{
	uint16_t proto = ntohs(mem_u(m, 2, 2));
	const char *name = xlat_name(X_eth_proto, proto);
	v_field(c, "sll_protocol");
	if (name && !c->json && c->strace) {
		str_add(c->out, "htons(");
		str_add(c->out, name);
		str_addc(c->out, ')');
	} else if (name)
		v_word(c, name);
	else
		v_fn_u(c, "htons", proto);
	v_field(c, "sll_ifindex");
	v_s(c, mem_s(m, 4, 4));
	v_field(c, "sll_hatype");
	v_hexnum(c, mem_u(m, 8, 2));
	v_field(c, "sll_pkttype");
	v_u(c, mem_u(m, 10, 1));
	v_field(c, "sll_halen");
	v_u(c, mem_u(m, 11, 1));
	unsigned n = mem_u(m, 11, 1);
	if (n) {
		struct mem hw = mem_sub(m, 12, n < 8 ? n : 8);
		v_field(c, "sll_addr");
		v_open(c, '[');
		for (size_t i = 0; i < hw.n; i++) {
			v_item(c);
			if (c->json)
				json_u64(c->json, hw.p[i]);
			else
				str_addf(c->out, "0x%02x", hw.p[i]);
		}
		v_close(c, ']');
	}
}

static void sa_vsock(struct dc *c, const struct mem *m)
{
	v_field(c, "svm_cid");
	v_hexnum(c, mem_u(m, 8, 4));
	v_field(c, "svm_port");
	v_hexnum(c, mem_u(m, 4, 4));
	v_field(c, "svm_flags");
	v_hexnum(c, mem_u(m, 12, 1));
}

static void sa_alg(struct dc *c, const struct mem *m)
{
	struct mem type = mem_sub(m, 2, 14), name = mem_sub(m, 24, 64);
	v_field(c, "salg_type");
	v_cstr(c, &type, 0);
	v_field(c, "salg_feat");
	v_hexnum(c, mem_u(m, 16, 4));
	v_field(c, "salg_mask");
	v_hexnum(c, mem_u(m, 20, 4));
	v_field(c, "salg_name");
	v_cstr(c, &name, 0);
}

static const struct { uint8_t family, min; void (*print)(struct dc *, const struct mem *); } families[] = {
	{ FAMILY_UNIX, 3, sa_unix }, { FAMILY_INET, 8, sa_inet }, { FAMILY_INET6, 24, sa_inet6 },
	{ FAMILY_NETLINK, 12, sa_netlink }, { FAMILY_PACKET, 12, sa_packet }, { FAMILY_VSOCK, 12, sa_vsock },
	{ FAMILY_ALG, 24, sa_alg },
};

void v_sockaddr(struct dc *c, const struct mem *m)
{
	if (m->n < 2) {
		v_addr(c, m->addr);
		return;
	}
	unsigned family = mem_u(m, 0, 2);
	v_open(c, '{');
	v_field(c, "sa_family");
	v_enum(c, X_address_family, family);
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		if (families[i].family == family && m->n >= families[i].min) {
			families[i].print(c, m);
			v_close(c, '}');
			return;
		}
	}
	if (m->n > 2) {
		v_field(c, "sa_data");
		v_str(c, m->p + 2, m->n - 2, false, 0);
	}
	v_close(c, '}');
}

static void sockaddr_at(struct dc *c, uint64_t addr, uint64_t len, enum mem_when when)
{
	struct mem m;
	if (!mem_find_inside(c, addr, when, &m) || len < 2) {
		v_addr(c, c->word == 4 ? (uint32_t)addr : addr);
		return;
	}
	if (len > STORAGE_SIZE)
		len = STORAGE_SIZE;
	if (m.n > len)
		m.n = len;
	v_sockaddr(c, &m);
}

void a_sockaddr_in(struct dc *c, int i, const struct arg_def *a)
{
	sockaddr_at(c, arg(c, i), (uint32_t)arg(c, a->len), MEM_IN);
}

/* What accept and the like filled, as long as the kernel said. */
void a_sockaddr_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem len;
	if (c->failed || !mem_find(c, arg(c, a->len), MEM_OUT, &len) || len.n < 4)
		a_ptr(c, i, a);
	else
		sockaddr_at(c, arg(c, i), mem_u(&len, 0, 4), MEM_OUT);
}

/* A length in and out: [16], or [128 => 16] where the kernel changed it. */
void a_socklen(struct dc *c, int i, const struct arg_def *a)
{
	struct mem in, out;
	bool before = mem_find(c, arg(c, i), MEM_IN, &in) && in.n >= 4;
	bool after = !c->failed && mem_find(c, arg(c, i), MEM_OUT, &out) && out.n >= 4;
	if (!before && !after) {
		a_ptr(c, i, a);
		return;
	}
	if (c->json) {
		json_u64(c->json, mem_u(after ? &out : &in, 0, 4));
		return;
	}
	str_addc(c->out, '[');
	if (before && after && mem_u(&in, 0, 4) != mem_u(&out, 0, 4)) {
		str_add_s64(c->out, mem_s(&in, 0, 4));
		str_add(c->out, " => ");
	}
	str_add_s64(c->out, mem_s(after ? &out : &in, 0, 4));
	str_addc(c->out, ']');
}

/* ---- messages ---- */

/* The length of the name, and before it the one the caller gave where the kernel changed it. */
static void name_length(struct dc *c, const struct mem *m, enum mem_when when)
{
	struct mem in;
	int64_t n = mem_s(m, c->word, 4);
	if (when == MEM_OUT && !c->json && mem_find(c, m->addr, MEM_IN, &in) && in.n >= c->word + 4u &&
	    mem_s(&in, c->word, 4) != n) {
		str_add_s64(c->out, mem_s(&in, c->word, 4));
		str_add(c->out, " => ");
	}
	v_s(c, n);
}

/* struct msghdr: name, namelen, iov, iovlen, control, controllen, flags; words of the abi. */
static void msghdr(struct dc *c, const struct mem *m, enum mem_when when, uint64_t data)
{
	size_t w = c->word;
	uint64_t name = mem_u(m, 0, w), iov = mem_u(m, 2 * w, w), count = mem_u(m, 3 * w, w);
	uint64_t control_at = mem_u(m, 4 * w, w), control_len = mem_u(m, 5 * w, w);
	struct mem vec;
	v_open(c, '{');
	v_field(c, "msg_name");
	sockaddr_at(c, name, mem_u(m, w, 4), when);
	v_field(c, "msg_namelen");
	name_length(c, m, when);
	v_field(c, "msg_iov");
	if (mem_find_inside(c, iov, when, &vec) || mem_find_inside(c, iov, MEM_ANY, &vec))
		v_iov(c, &vec, count, when, data, true);
	else
		v_addr(c, iov);
	v_field(c, "msg_iovlen");
	v_u(c, count);
	if (control_at && control_len) {
		v_field(c, "msg_control");
		v_control(c, control_at, control_len, when);
	}
	v_field(c, "msg_controllen");
	v_u(c, control_len);
	v_field(c, "msg_flags");
	v_flags(c, X_msg_flags, mem_u(m, 6 * w, 4));
	v_close(c, '}');
}

void a_msg_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 6u * c->word + 4)
		a_ptr(c, i, a);
	else
		msghdr(c, &m, MEM_IN, UINT64_MAX);
}

void a_msg_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m) && m.n >= 6u * c->word + 4) {
		msghdr(c, &m, MEM_OUT, c->e->ret);
	} else if (mem_find(c, arg(c, i), MEM_IN, &m) && m.n >= c->word + 4u) { /* nothing came */
		v_open(c, '{');
		v_field(c, "msg_namelen");
		v_s(c, mem_s(&m, c->word, 4));
		v_close(c, '}');
	} else {
		a_ptr(c, i, a);
	}
}

/* Each message may have been copied apart from the others: headers go by address. */
static void mmsg(struct dc *c, int i, const struct arg_def *a, enum mem_when when, uint64_t count)
{
	size_t size = c->word == 8 ? 64 : 32, len_at = 7 * c->word, least = 6u * c->word + 4;
	uint64_t addr = arg(c, i);
	struct mem m;
	if (!mem_find(c, addr, when, &m) || m.n < least) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '[');
	for (uint64_t k = 0; k < count; k++, addr += size) {
		struct mem len;
		bool known = (when == MEM_OUT || (!c->failed && k < (uint64_t)c->e->ret)) &&
			mem_find_inside(c, addr + len_at, MEM_OUT, &len) && len.n >= 4;
		v_item(c);
		if (!mem_find_inside(c, addr, when, &m) || m.n < least) {
			v_word(c, "...");
			break;
		}
		uint64_t n = known ? mem_u(&len, 0, 4) : UINT64_MAX;
		v_open(c, '{');
		v_field(c, "msg_hdr");
		msghdr(c, &m, when, when == MEM_OUT ? n : UINT64_MAX);
		if (known) {
			v_field(c, "msg_len");
			v_u(c, n);
		}
		v_close(c, '}');
	}
	v_close(c, ']');
}

void a_mmsg_in(struct dc *c, int i, const struct arg_def *a)
{
	mmsg(c, i, a, MEM_IN, (uint32_t)arg(c, a->len));
}

void a_mmsg_out(struct dc *c, int i, const struct arg_def *a)
{
	if (c->failed)
		a_ptr(c, i, a);
	else
		mmsg(c, i, a, MEM_OUT, c->e->ret);
}

/* i386's socketcall: the real arguments are words in memory. */
void a_socketcall_args(struct dc *c, int i, const struct arg_def *a)
{
	static const uint8_t count[] = { 0, 3, 3, 3, 2, 3, 3, 3, 4, 4, 4, 6, 6, 2, 5, 5, 3, 3, 4, 5, 4 };
	uint32_t call = arg(c, 0);
	struct mem m;
	if (call >= sizeof(count) || !mem_find(c, arg(c, i), MEM_IN, &m)) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '[');
	for (unsigned k = 0; k < count[call]; k++) {
		v_item(c);
		v_hexnum(c, mem_u(&m, k * 4, 4));
	}
	v_close(c, ']');
}
