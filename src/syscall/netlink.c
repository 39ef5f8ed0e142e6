// SPDX-License-Identifier: GPL-2.0-or-later
/* What goes through a netlink socket: messages, each with a header. Those of NETLINK_ROUTE and NETLINK_SOCK_DIAG have
 * named types and known bodies; what follows another header is shown as bytes. All as far as it was copied. */
#include <string.h>
#include "syscall/fdstate.h"
#include "syscall/netlink.h"

enum { HEADER = 16, ERROR = 2, DONE = 3, FIRST_OWN = 16, REQUEST = 1, CAPPED = 0x100, ACK_TLVS = 0x200 };
enum proto { OTHER, ROUTE, SOCK_DIAG };

static const char *socket_of(struct dc *c)
{
	const char *name = c->d->fds && c->e->args_known ? fd_state_name(c->d->fds, c->e->pid, (int)arg(c, 0)) : NULL;
	return name && str_starts(name, "NETLINK") ? name : NULL;
}

/* What a type makes of the flags from 0x100 on. */
static enum xlat_id flags_of(uint16_t type, enum proto proto)
{
	static const enum xlat_id by_kind[] = { X_nlmsg_flags_new, X_nlmsg_flags_del, X_nlmsg_flags_get, X_nlmsg_flags };
	if (type == ERROR)
		return X_nlmsg_flags_ack;
	return proto == ROUTE && type >= FIRST_OWN ? by_kind[type & 3] : type >= FIRST_OWN ? X_nlmsg_flags_get : X_nlmsg_flags;
}

static void header(struct dc *c, const struct mem *m, enum proto proto)
{
	static const enum xlat_id types[] = { [OTHER] = X_nlmsg_none, [ROUTE] = X_rtm_types, [SOCK_DIAG] = X_sock_diag_types };
	uint16_t type = mem_u(m, 4, 2);
	v_open(c, '{');
	v_field(c, "nlmsg_len");
	v_u(c, mem_u(m, 0, 4));
	v_field(c, "nlmsg_type");
	v_enum(c, type < FIRST_OWN ? X_nlmsg_types : types[proto], type);
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
	else if (!show_body(c, body_of(m, &rest, proto), &rest, body))
		v_str(c, rest.p, rest.n < body ? rest.n : body, rest.n < body, c->d->style.string_limit);
	v_close(c, ']');
}

bool v_netlink(struct dc *c, const struct mem *m, uint64_t len)
{
	const char *name = m->n >= HEADER && len >= HEADER ? socket_of(c) : NULL;
	uint64_t first = mem_u(m, 0, 4);
	if (!name || first < HEADER || first > len)
		return false;
	enum proto proto = str_starts(name, "NETLINK_ROUTE") ? ROUTE : str_starts(name, "NETLINK_SOCK_DIAG") ? SOCK_DIAG : OTHER;
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
		if (n < HEADER || n > len - at)
			break;
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
