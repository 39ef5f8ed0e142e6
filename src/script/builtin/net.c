// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses of the net: ntop, pton, macaddr. They are bytes in the order of the net, as they are in packets and sockets. */
#include <arpa/inet.h>
#include <linux/bpf.h>
#include <string.h>
#include "base/str.h"
#include "script/builtin/builtin.h"

struct inet_bytes { uint64_t family; uint8_t address[16]; };
enum { MAC_SIZE = 6 };

static void inet_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	struct inet_bytes a;
	char text[INET6_ADDRSTRLEN];
	(void)nm, (void)t;
	memcpy(&a, value, sizeof(a));
	if (!inet_ntop((int)a.family, a.address, text, sizeof(text)))
		str_addf(out, "(address family %llu)", (unsigned long long)a.family);
	else
		str_add(out, text);
}

static void mac_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	(void)nm, (void)t;
	for (int i = 0; i < MAC_SIZE; i++)
		str_addf(out, "%s%02X", i ? ":" : "", value[i]);
}

static const struct shown shown_inet = { "inet", inet_text }, shown_mac = { "macaddr", mac_text };

/* ---- ntop ---- */

/* Bytes of the address at a pointer; 0: it is no pointer to one. */
static uint32_t pointed(const struct script_type *t)
{
	return t->kind == TYPE_STRING || t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT ? t->size : t->kind == TYPE_POINTER && t->to ? t->to->size : 0;
}

static struct script_type *check_ntop(struct checker *c, struct script_node *n)
{
	struct script_node *family = n->args->next ? n->args : NULL, *address = family ? family->next : n->args;
	if (family && !check_number(c, family, "an address family"))
		return &type_none;
	struct script_type *t = check_expr(c, address);
	if (t->kind == TYPE_SHOWN && t->shown == &shown_inet)
		return t;
	if (!check_address(c, address, "an address"))
		return &type_none;
	if (address->kind == NODE_STRING)
		return check_fail(c, address->at, "ntop() makes text of an address; pton() is the other way");
	return type_shown(&c->s->source->memory, &shown_inet, sizeof(struct inet_bytes));
}

static void bytes_ntop(struct lower *l, struct script_node *n, struct script_mem dst)
{
	struct script_node *family = n->args->next ? n->args : NULL, *address = family ? family->next : n->args;
	struct script_mem at = mem_at(dst, 8);
	if (address->type->kind == TYPE_SHOWN) {
		lower_to(l, address, address->type, dst);
		return;
	}
	low_zero(l, dst, sizeof(struct inet_bytes));
	bool whole = pointed(address->type) >= 16; /* all of an IPv6 address is there */
	if (family)
		low_store(l, dst, 8, lower_word(l, family));
	else
		low_store_k(l, dst, 8, whole ? AF_INET6 : AF_INET);
	enum script_space space;
	int v = lower_address(l, address, &space);
	if (address->type->kind == TYPE_INT) {
		low_store(l, at, 4, v);
		return;
	}
	bool small = pointed(address->type) && pointed(address->type) < 16;
	LOW_CALL(l, lower_reader_of(space, false), arg_mem(at), arg_k(whole || (family && !small) ? 16 : 4), arg_reg(v));
	if (family && !small) { /* what is behind an IPv4 address is not part of it */
		int long_one = ir_label(l->ir);
		low_branch_k(l, IF_NE, low_load(l, dst, 8, false), AF_INET, long_one);
		low_store_k(l, mem_at(at, 4), 4, 0);
		low_store_k(l, mem_at(at, 8), 8, 0);
		low_label(l, long_one);
	}
}

/* Bytes that are compared with an address are one. */
void inet_adopt(struct checker *c, struct script_node **side, const struct script_node *other)
{
	struct script_node *n = *side;
	if (n->type->kind != TYPE_ARRAY || (n->type->size != 4 && n->type->size != 16) || other->type->kind != TYPE_SHOWN || other->type->shown != &shown_inet)
		return;
	struct script_node *call = node_new(c->s->source, NODE_CALL, n->at);
	call->name = "ntop";
	call->args = n;
	call->n_args = 1;
	check_expr(c, call);
	*side = call;
}

/* ---- pton: at once, since it is a constant ---- */

static bool parse_address(const char *text, struct inet_bytes *a)
{
	*a = (struct inet_bytes){ strchr(text, ':') ? AF_INET6 : AF_INET, { 0 } };
	return inet_pton((int)a->family, text, a->address) == 1;
}

static struct script_type *check_pton(struct checker *c, struct script_node *n)
{
	struct inet_bytes a;
	if (n->args->kind != NODE_STRING || !parse_address(n->args->name, &a))
		return check_fail(c, n->args->at, "pton() takes an address as text: \"127.0.0.1\", \"::1\"");
	return type_shown(&c->s->source->memory, &shown_inet, sizeof(struct inet_bytes));
}

bool inet_number(const struct script_node *n, uint64_t *v)
{
	struct inet_bytes a;
	uint32_t word;
	if (n->kind != NODE_CALL || strcmp(n->name, "pton") || !n->args || n->args->kind != NODE_STRING || !parse_address(n->args->name, &a) || a.family != AF_INET)
		return false;
	memcpy(&word, a.address, sizeof(word));
	*v = word;
	return true;
}

static void bytes_pton(struct lower *l, struct script_node *n, struct script_mem dst)
{
	struct inet_bytes a;
	int64_t word[sizeof(a) / 8];
	(void)parse_address(n->args->name, &a);
	memcpy(word, &a, sizeof(a));
	for (unsigned i = 0; i < sizeof(a) / 8; i++)
		low_store_k(l, mem_at(dst, (int32_t)(8 * i)), 8, word[i]);
}

/* ---- macaddr ---- */

static struct script_type *check_macaddr(struct checker *c, struct script_node *n)
{
	if (!check_address(c, n->args, "where a hardware address is"))
		return &type_none;
	return type_shown(&c->s->source->memory, &shown_mac, MAC_SIZE);
}

static int lower_macaddr(struct lower *l, struct script_node *n)
{
	struct script_mem m = low_stack(l, 8);
	low_store_k(l, m, 8, 0);
	enum script_space space;
	int at = lower_address(l, n->args, &space);
	LOW_CALL(l, lower_reader_of(space, false), arg_mem(m), arg_k(MAC_SIZE), arg_reg(at));
	return low_load(l, m, 8, false);
}

const struct builtin builtins_net[] = {
	{ "ntop", true, 1, 2, .check = check_ntop, .bytes = bytes_ntop },
	{ "pton", true, 1, 1, .check = check_pton, .bytes = bytes_pton },
	{ "macaddr", true, 1, 1, .check = check_macaddr, .lower = lower_macaddr },
	{ 0 },
};
