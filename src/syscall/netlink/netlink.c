// SPDX-License-Identifier: GPL-2.0-or-later
/* What goes through a netlink socket: messages, each with a header. The types of most protocols have names; those of
 * NETLINK_ROUTE and NETLINK_SOCK_DIAG have known bodies, what follows another header is shown as bytes. All as far as it
 * was copied. */
#include <arpa/inet.h>
#include <string.h>
#include "kernel/net/genl.h"
#include "syscall/fdstate.h"
#include "syscall/netlink/netlink.h"

enum { HEADER = 16, ERROR = 2, DONE = 3, FIRST_OWN = 16, REQUEST = 1, CAPPED = 0x100, ACK_TLVS = 0x200 };
enum proto { OTHER, ROUTE, SOCK_DIAG, AUDIT, SELINUX, XFRM, CRYPTO, NETFILTER, GENERIC, PROTOS };

static const struct { const char *name; enum xlat_id types; } protos[PROTOS] = {
	[OTHER] = { "NETLINK_?", X_nlmsg_none }, [ROUTE] = { "NETLINK_ROUTE", X_rtm_types }, [SOCK_DIAG] = { "NETLINK_SOCK_DIAG", X_sock_diag_types },
	[AUDIT] = { "NETLINK_AUDIT", X_nl_audit_types }, [SELINUX] = { "NETLINK_SELINUX", X_nl_selinux_types },
	[XFRM] = { "NETLINK_XFRM", X_nl_xfrm_types }, [CRYPTO] = { "NETLINK_CRYPTO", X_nl_crypto_types },
	[NETFILTER] = { "NETLINK_NETFILTER", X_nf_subsys }, [GENERIC] = { "NETLINK_GENERIC", X_nlmsg_none } };

static const char *socket_of(struct dc *c)
{
	const char *name = c->d->fds && c->e->args_known ? fd_state_name(c->d->fds, c->e->pid, (int)arg(c, 0)) : NULL;
	return name && str_starts(name, "NETLINK") ? name : NULL;
}

static enum proto proto_of(const char *name)
{
	for (int i = OTHER + 1; i < PROTOS; i++)
		if (str_starts(name, protos[i].name))
			return i;
	return OTHER;
}

/* The types of a subsystem of netfilter. */
static enum xlat_id netfilter_types(uint8_t subsystem)
{
	static const uint16_t types[] = { [1] = X_nf_ct, [2] = X_nf_exp, [3] = X_nf_queue, [4] = X_nf_ulog, [5] = X_nf_osf, [6] = X_nf_ipset,
		[7] = X_nf_acct, [8] = X_nf_cttimeout, [9] = X_nf_cthelper, [10] = X_nf_nftables, [11] = X_nf_compat, [12] = X_nf_hook };
	return subsystem < sizeof(types) / sizeof(*types) ? types[subsystem] : X_none;
}

/* What a type makes of the flags from 0x100 on; where no rule tells, its name does. */
static enum xlat_id flags_of(uint16_t type, enum proto proto)
{
	static const enum xlat_id by_kind[] = { X_nlmsg_flags_new, X_nlmsg_flags_del, X_nlmsg_flags_get, X_nlmsg_flags };
	const char *name = NULL;
	if (type == ERROR)
		return X_nlmsg_flags_ack;
	if (type < FIRST_OWN)
		return X_nlmsg_flags;
	if (proto == ROUTE)
		return by_kind[type & 3];
	if (proto == NETFILTER)
		name = xlat_name(netfilter_types(type >> 8), type & 0xff);
	else if (proto == XFRM || proto == CRYPTO)
		name = xlat_name(protos[proto].types, type);
	else
		return proto == SOCK_DIAG ? X_nlmsg_flags_get : X_nlmsg_flags;
	if (!name)
		return X_nlmsg_flags;
	return strstr(name, "GET") ? X_nlmsg_flags_get : strstr(name, "NEW") ? X_nlmsg_flags_new : strstr(name, "DEL") ? X_nlmsg_flags_del :
		X_nlmsg_flags;
}

/* NFNL_SUBSYS_NFTABLES<<8|NFT_MSG_GETTABLE */
static void netfilter_type(struct dc *c, uint16_t type)
{
	enum xlat_id types = netfilter_types(type >> 8);
	struct str *s = c->json ? &c->d->scratch : c->out;
	if (xlat_name(X_nf_batch, type)) {
		v_enum(c, X_nf_batch, type);
		return;
	}
	if (v_number(c, type, 16))
		return;
	v_parts_begin(c);
	v_part_enum(c, X_nf_subsys, type >> 8);
	str_add(s, "<<8");
	if (types)
		v_part_enum(c, types, type & 0xff);
	else
		v_part_hex(c, type & 0xff);
	v_parts_end(c);
	v_named(c);
}

static void type_of(struct dc *c, uint16_t type, enum proto proto)
{
	const char *family = proto == GENERIC && type >= FIRST_OWN ? genl_family(type) : NULL;
	if (type < FIRST_OWN)
		v_enum(c, X_nlmsg_types, type);
	else if (proto == NETFILTER)
		netfilter_type(c, type);
	else if (family)
		v_const(c, type, family);
	else
		v_enum(c, protos[proto].types, type);
}

static void header(struct dc *c, const struct mem *m, enum proto proto)
{
	uint16_t type = mem_u(m, 4, 2);
	v_open(c, '{');
	v_field(c, "nlmsg_len");
	v_u(c, mem_u(m, 0, 4));
	v_field(c, "nlmsg_type");
	type_of(c, type, proto);
	v_field(c, "nlmsg_flags");
	v_flags(c, flags_of(type, proto), mem_u(m, 6, 2));
	v_field(c, "nlmsg_seq");
	v_u(c, mem_u(m, 8, 4));
	v_field(c, "nlmsg_pid");
	v_s(c, mem_s(m, 12, 4));
	v_close(c, '}');
}

static void message(struct dc *c, const struct mem *m, uint64_t len, enum proto proto);

static const struct nl_body *body_of(const struct mem *m, const struct mem *rest, enum proto proto)
{
	uint16_t type = mem_u(m, 4, 2);
	if (proto == ROUTE)
		return nl_route_body(type);
	return proto == SOCK_DIAG && type >= FIRST_OWN ? nl_diag_body(mem_u(rest, 0, 1), mem_u(m, 6, 2) & REQUEST) : NULL;
}

/* m: what was copied of len bytes behind the header. False: not known, or not enough of it. */
static bool show_body(struct dc *c, const struct nl_body *b, const struct mem *m, uint64_t len)
{
	uint8_t family = mem_u(m, 0, 1);
	if (b && len && len < b->head.size && m->n && b->head.field[0].kind == NL_FAMILY) { /* a family is enough to ask for all */
		v_open(c, '{');
		v_field(c, b->head.field[0].name);
		v_enum(c, X_address_family, family);
		v_more(c);
		v_close(c, '}');
		return true;
	}
	if (!b || len < b->head.size || m->n < b->head.size)
		return false;
	nl_struct_show(c, &b->head, m, family);
	uint64_t at = (b->head.size + 3) & ~3ull;
	if (len < at + 4)
		return true;
	struct mem attrs = mem_sub(m, at, m->n > at ? m->n - at : 0);
	v_item(c);
	nl_attrs_show(c, b->attrs, &attrs, len - at, family);
	return true;
}

/* An answer: 0, or an error, and the message that it answers or, when that is capped, its header. */
static void answer(struct dc *c, const struct mem *m, uint64_t len, uint16_t flags, enum proto proto)
{
	struct mem of = mem_sub(m, 4, m->n - 4);
	uint64_t n = mem_u(&of, 0, 4), at = 4 + (flags & CAPPED ? HEADER : (n + 3) & ~3ull);
	bool tells = flags & ACK_TLVS && at + 4 <= len && at + 4 <= m->n;
	if (tells) {
		v_open(c, '[');
		v_item(c);
	}
	int32_t err = mem_s(m, 0, 4);
	const char *name = err < 0 ? errno_name(-err) : NULL;
	v_open(c, '{');
	v_field(c, "error");
	if (name) {
		char text[32] = "-";
		strncat(text, name, sizeof(text) - 2);
		v_word(c, text);
	} else {
		v_s(c, err);
	}
	if (m->n >= 4 + HEADER) {
		v_field(c, "msg");
		if (flags & CAPPED || n <= HEADER || n > len - 4 || mem_u(&of, 4, 2) == ERROR)
			header(c, &of, proto);
		else
			message(c, &of, n, proto);
	}
	v_close(c, '}');
	if (tells) {
		struct mem rest = mem_sub(m, at, m->n - at);
		v_item(c);
		nl_attrs_show(c, &nl_error_attrs, &rest, len - at, 0);
		v_close(c, ']');
	}
}

/* Behind the header of netfilter's messages: a struct, then attributes that only the subsystem could name. */
static bool netfilter_body(struct dc *c, uint16_t type, const struct mem *m, uint64_t len)
{
	enum { NFGEN = 4, NFTABLES = 10 };
	static const struct nl_attrs unnamed = { .names = X_none };
	uint16_t id = mem_u(m, 2, 2), own = ntohs(id);
	if (len < NFGEN || m->n < NFGEN)
		return false;
	v_open(c, '{');
	v_field(c, "nfgen_family");
	v_enum(c, X_address_family, mem_u(m, 0, 1));
	v_field(c, "version");
	v_enum(c, X_nf_version, mem_u(m, 1, 1));
	v_field(c, "res_id");
	if (type >> 8 == NFTABLES && (own == NFTABLES || id == NFTABLES) && c->strace && !c->json)
		v_const(c, id, own == NFTABLES ? "htons(NFNL_SUBSYS_NFTABLES)" : "NFNL_SUBSYS_NFTABLES");
	else
		v_fn_u(c, "htons", own);
	v_close(c, '}');
	if (len <= NFGEN)
		return true;
	struct mem rest = mem_sub(m, NFGEN, m->n);
	v_item(c);
	if (xlat_name(X_nf_batch, type))
		nl_bytes_show(c, &rest, len - NFGEN);
	else
		nl_attrs_show(c, &unnamed, &rest, len - NFGEN, 0);
	return true;
}

static void message(struct dc *c, const struct mem *m, uint64_t len, enum proto proto)
{
	uint16_t type = mem_u(m, 4, 2);
	uint64_t body = len > HEADER ? len - HEADER : 0;
	struct mem rest = mem_sub(m, HEADER, m->n - HEADER);
	if (!body) {
		header(c, m, proto);
		return;
	}
	v_open(c, '[');
	v_item(c);
	header(c, m, proto);
	v_item(c);
	if (type == ERROR && rest.n >= 4)
		answer(c, &rest, body, mem_u(m, 6, 2), proto);
	else if (type == DONE && rest.n >= 4)
		v_s(c, mem_s(&rest, 0, 4));
	else if (proto == NETFILTER ? !netfilter_body(c, type, &rest, body) : !show_body(c, body_of(m, &rest, proto), &rest, body))
		nl_bytes_show(c, &rest, body);
	v_close(c, ']');
}

bool v_netlink(struct dc *c, const struct mem *m, uint64_t len)
{
	const char *name = m->n >= HEADER && len >= HEADER ? socket_of(c) : NULL;
	uint64_t first = mem_u(m, 0, 4);
	if (!name || first < HEADER)
		return false;
	enum proto proto = proto_of(name);
	uint64_t at = 0, next = (first + 3) & ~3ull;
	bool many = next + HEADER <= len;
	if (many)
		v_open(c, '[');
	for (unsigned i = 0; at + HEADER <= m->n && at + HEADER <= len && i < nl_shown(c); i++) {
		uint64_t n = mem_u(m, at, 4), room = m->n - at;
		if (n < HEADER && many) { /* no message: strace shows what would be its header */
			struct mem none = mem_sub(m, at, HEADER);
			v_item(c);
			header(c, &none, proto);
			at = len;
		}
		if (n < HEADER)
			break;
		if (n > len - at) /* it goes on in the next buffer */
			n = len - at;
		struct mem one = mem_sub(m, at, n < room ? n : room);
		if (many)
			v_item(c);
		message(c, &one, n, proto);
		at += (n + 3) & ~3ull;
	}
	if (many && at < len)
		v_more(c);
	if (many)
		v_close(c, ']');
	return true;
}
