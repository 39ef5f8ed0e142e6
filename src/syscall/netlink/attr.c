// SPDX-License-Identifier: GPL-2.0-or-later
/* Structs and attributes of netlink messages, as the tables of route.c and diag.c describe them. Lengths
 * come from the traced program: each is bounded by what was copied and by what contains it. */
#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include "syscall/fdstate.h"
#include "syscall/netlink/netlink.h"

enum { ATTR_HEAD = 4, NESTED = 0x8000, BIG_ENDIAN_FLAG = 0x4000, DEPTH = 6 };

/* Names of interfaces are those of our own network namespace. */
void v_ifindex(struct dc *c, uint32_t index)
{
	char name[IF_NAMESIZE];
	if (index && c->strace && !c->json && c->d->fds && fd_state_same_net(c->d->fds, c->e->pid) && if_indextoname(index, name))
		v_fn_str(c, "if_nametoindex", name);
	else
		v_u(c, index);
}

void nl_bytes_show(struct dc *c, const struct mem *m, uint64_t len)
{
	size_t limit = c->d->style.string_limit, n = m->n < len ? m->n : len;
	bool more = n < len || (limit && n > limit);
	n = limit && n > limit ? limit : n;
	if (c->json) {
		v_str(c, m->p, n, more, 0);
		return;
	}
	str_addc(c->out, '"');
	for (size_t i = 0; i < n; i++)
		str_addf(c->out, "\\x%02x", m->p[i]);
	str_add(c->out, more ? "\"..." : "\"");
}

void v_mac(struct dc *c, const struct mem *m)
{
	char text[3 * 32 + 1] = "";
	for (size_t i = 0; i < m->n && i < 32; i++)
		snprintf(text + (i ? 3 * i - 1 : 0), 4, i ? ":%02x" : "%02x", m->p[i]);
	v_word(c, text);
}

/* An address of its family. False: its length is another. */
static bool show_address(struct dc *c, const struct mem *m, uint8_t family)
{
	char text[INET6_ADDRSTRLEN];
	if (m->n == 4 && family == AF_INET) {
		v_fn_str(c, "inet_addr", inet_ntop(AF_INET, m->p, text, sizeof(text)));
		return true;
	}
	if (m->n != 16 || family != AF_INET6)
		return false;
	inet_ntop(AF_INET6, m->p, text, sizeof(text));
	if (c->json || !c->strace) {
		v_word(c, text);
	} else {
		str_add(c->out, "inet_pton(AF_INET6, ");
		str_add_quoted(c->out, text, strlen(text));
		str_addc(c->out, ')');
	}
	return true;
}

static size_t width_of(enum nl_kind kind)
{
	switch (kind) {
	case NL_U8: case NL_ENUM8: case NL_FLAGS8: case NL_FAMILY: return 1;
	case NL_U16: case NL_ENUM16: case NL_FLAGS16: case NL_PORT: return 2;
	case NL_U32: case NL_S32: case NL_HEX32: case NL_IFINDEX: case NL_ENUM32: case NL_FLAGS32: return 4;
	case NL_U64: return 8;
	default: return 0;
	}
}

/* A number of the kind's width at the start of m. */
static void show_number(struct dc *c, enum nl_kind kind, enum xlat_id id, const struct mem *m)
{
	uint64_t v = mem_u(m, 0, width_of(kind));
	switch (kind) {
	case NL_S32: v_s(c, (int32_t)v); break;
	case NL_HEX32: v_hexnum(c, v); break;
	case NL_PORT: v_fn_u(c, "htons", ntohs(v)); break;
	case NL_IFINDEX: v_ifindex(c, v); break;
	case NL_FAMILY: v_enum(c, X_address_family, v); break;
	case NL_ENUM8: case NL_ENUM16: v_enum(c, id, v); break;
	case NL_ENUM32:
		if (xlat_name(id, v))
			v_enum(c, id, v);
		else
			v_u(c, v);
		break;
	case NL_FLAGS8: case NL_FLAGS16: case NL_FLAGS32: v_flags(c, id, v); break;
	default: v_u(c, v); break;
	}
}

static void show_cookie(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	for (int i = 0; i < 2; i++) {
		v_item(c);
		v_u(c, mem_u(m, 4 * i, 4));
	}
	v_close(c, ']');
}

/* A member that is an address; of IPv6 strace writes the call that would fill it. */
static void address_field(struct dc *c, const char *name, const struct mem *m, uint8_t family)
{
	char text[INET6_ADDRSTRLEN];
	struct mem part = mem_sub(m, 0, family == AF_INET6 ? 16 : 4);
	if (family != AF_INET6 || c->json || !c->strace) {
		v_field(c, name);
		if (!show_address(c, &part, family))
			nl_bytes_show(c, &part, part.n);
		return;
	}
	inet_ntop(AF_INET6, part.p, text, sizeof(text));
	str_addf(c->out, ", inet_pton(AF_INET6, \"%s\", &%s)", text, name);
}

/* struct inet_diag_sockid */
static void show_sockid(struct dc *c, const struct mem *m, uint8_t family)
{
	struct mem src = mem_sub(m, 4, 16), dst = mem_sub(m, 20, 16), cookie = mem_sub(m, 40, 8);
	v_open(c, '{');
	v_field(c, "idiag_sport");
	v_fn_u(c, "htons", ntohs(mem_u(m, 0, 2)));
	v_field(c, "idiag_dport");
	v_fn_u(c, "htons", ntohs(mem_u(m, 2, 2)));
	address_field(c, "idiag_src", &src, family);
	address_field(c, "idiag_dst", &dst, family);
	v_field(c, "idiag_if");
	v_ifindex(c, mem_u(m, 36, 4));
	v_field(c, "idiag_cookie");
	show_cookie(c, &cookie);
	v_close(c, '}');
}

void nl_struct_show(struct dc *c, const struct nl_struct *s, const struct mem *m, uint8_t family)
{
	v_open(c, '{');
	for (unsigned i = 0; i < s->n; i++) {
		const struct nl_field *f = &s->field[i];
		size_t width = f->kind == NL_SOCKID ? 48 : f->kind == NL_COOKIE ? 8 : width_of(f->kind);
		struct mem part = mem_sub(m, f->off, width);
		if (part.n < width) {
			v_more(c);
			break;
		}
		v_field(c, f->name);
		if (f->kind == NL_SOCKID)
			show_sockid(c, &part, family);
		else if (f->kind == NL_COOKIE)
			show_cookie(c, &part);
		else
			show_number(c, f->kind, f->id, &part);
	}
	v_close(c, '}');
}

/* Counters one behind the other, as many as there are. */
static void show_counts(struct dc *c, const char *const *names, const struct mem *m, size_t width)
{
	v_open(c, '{');
	for (size_t i = 0; names[i] && (i + 1) * width <= m->n; i++) {
		v_field(c, names[i]);
		v_u(c, mem_u(m, i * width, width));
	}
	v_close(c, '}');
}

/* Bit-fields of one bit: those that are set. */
static void show_bits(struct dc *c, const char *const *names, const struct mem *m)
{
	v_open(c, '{');
	for (size_t i = 0; names[i] && i / 8 < m->n; i++) {
		if (!(m->p[i / 8] >> i % 8 & 1))
			continue;
		v_field(c, names[i]);
		v_u(c, 1);
	}
	v_close(c, '}');
}

/* [[DEVCONF_FORWARDING]=0, ...]: numbers, each after the name of its place. */
static void show_places(struct dc *c, enum nl_kind kind, enum xlat_id names, const struct mem *m, uint64_t len)
{
	size_t width = kind == NL_PLACES64 ? 8 : 4, count = len / width;
	if (names == X_ipstats_mib && mem_u(m, 0, 8) <= 37) /* newer kernels have another order, and more */
		names = X_ipstats_mib_old;
	v_open(c, '[');
	for (size_t i = 0; i < count && (i + 1) * width <= m->n; i++) {
		const char *name = xlat_name(names, i);
		v_item(c);
		if (i >= nl_shown(c)) {
			v_word(c, "...");
			break;
		}
		if (!c->json && name && c->strace)
			str_addf(c->out, "[%s]=", name);
		else if (!c->json && c->strace && *xlat(names)->unknown)
			str_addf(c->out, "[%zu /* %s */]=", i, xlat(names)->unknown);
		else if (!c->json && c->strace)
			str_addf(c->out, "[%zu]=", i);
		if (kind == NL_PLACES64)
			v_u(c, mem_u(m, i * width, width));
		else
			v_s(c, mem_s(m, i * width, width));
	}
	v_close(c, ']');
}

static void show_value(struct dc *c, const struct nl_attr *a, const struct mem *m, uint64_t len, uint8_t family)
{
	enum nl_kind kind = a ? a->kind : NL_BYTES;
	size_t width = width_of(kind);
	if (kind == NL_NEST && c->depth < DEPTH && len >= ATTR_HEAD)
		nl_attrs_show(c, a->more, m, len, family);
	else if (kind == NL_STRUCT && m->n >= ((const struct nl_struct *)a->more)->size)
		nl_struct_show(c, a->more, m, family);
	else if (kind == NL_STR && m->n == len)
		v_str(c, m->p, strnlen((const char *)m->p, len), c->strace && strnlen((const char *)m->p, len) == len,
		      c->strace && !c->json ? c->d->style.string_limit : c->d->style.path_limit);
	else if (kind == NL_MAC && m->n == len && len)
		v_mac(c, m);
	else if ((kind == NL_COUNTS32 || kind == NL_COUNTS64) && m->n == len)
		show_counts(c, a->more, m, kind == NL_COUNTS32 ? 4 : 8);
	else if ((kind == NL_PLACES32 && len >= 4) || (kind == NL_PLACES64 && len >= 8))
		show_places(c, kind, a->id, m, len);
	else if (kind == NL_BITS && m->n == len)
		show_bits(c, a->more, m);
	else if (width && m->n >= width)
		show_number(c, kind, a->id, m);
	else if (kind != NL_ADDR || m->n != len || !show_address(c, m, family))
		nl_bytes_show(c, m, len);
}

static const struct nl_attr *find_attr(const struct nl_attrs *t, uint16_t type)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->at[i].type == type)
			return &t->at[i];
	return NULL;
}

static void show_type(struct dc *c, const struct nl_attrs *t, uint16_t type)
{
	uint16_t plain = type & ~(NESTED | BIG_ENDIAN_FLAG);
	if (plain == type) {
		v_enum(c, t->names, type);
		return;
	}
	v_parts_begin(c);
	if (type & NESTED)
		v_part(c, "NLA_F_NESTED");
	if (type & BIG_ENDIAN_FLAG)
		v_part(c, "NLA_F_NET_BYTEORDER");
	v_part_enum(c, t->names, plain);
	v_parts_end(c);
}

static void show_attr(struct dc *c, const struct nl_attrs *t, const struct mem *m, uint16_t len, uint8_t family)
{
	uint16_t type = mem_u(m, 2, 2);
	const struct nl_attr *a = find_attr(t, type & ~(NESTED | BIG_ENDIAN_FLAG));
	if (len > ATTR_HEAD) {
		v_open(c, '[');
		v_item(c);
	}
	v_open(c, '{');
	v_field(c, "nla_len");
	v_u(c, len);
	v_field(c, "nla_type");
	show_type(c, t, type);
	v_close(c, '}');
	if (len > ATTR_HEAD) {
		struct mem value = mem_sub(m, ATTR_HEAD, len - ATTR_HEAD);
		v_item(c);
		show_value(c, a, &value, len - ATTR_HEAD, family);
		v_close(c, ']');
	}
}

unsigned nl_shown(const struct dc *c)
{
	return whole(c) ? 512 : 32;
}

void nl_attrs_show(struct dc *c, const struct nl_attrs *t, const struct mem *m, uint64_t len, uint8_t family)
{
	uint64_t at = 0, first = mem_u(m, 0, 2);
	bool many = ((first + 3) & ~3ull) + ATTR_HEAD <= len;
	if (m->n < ATTR_HEAD || first < ATTR_HEAD || first > len) {
		nl_bytes_show(c, m, len);
		return;
	}
	if (many)
		v_open(c, '[');
	for (unsigned i = 0; i < nl_shown(c) && at + ATTR_HEAD <= m->n && at + ATTR_HEAD <= len; i++) {
		uint64_t n = mem_u(m, at, 2);
		if (n < ATTR_HEAD || n > len - at)
			break;
		struct mem one = mem_sub(m, at, n);
		if (many)
			v_item(c);
		show_attr(c, t, &one, n, family);
		at += (n + 3) & ~3ull;
	}
	if (!many)
		return;
	if (at < len)
		v_more(c);
	v_close(c, ']');
}
