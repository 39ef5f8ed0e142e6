// SPDX-License-Identifier: GPL-2.0-or-later
/* clear, zero, delete. The first two go to the reader, so that they come in order with what is printed. */
#include <linux/bpf.h>
#include "script/builtin/builtin.h"
#include "script/code/lower_loop.h"
#include "script/code/marks.h"
#include "script/run.h"
#include "script/show/map.h"

static struct script_type *check_whole(struct checker *c, struct script_node *n)
{
	if (n->args->kind != NODE_MAP || n->args->n_args)
		return check_fail(c, n->args->at, "%s() takes a whole map, @name", n->name);
	if (check_map(c, n->args))
		check_site(c, n, NULL);
	return &type_none;
}

static int lower_whole(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, NULL);
	return IR_NO;
}

static int show_clear(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	(void)payload, (void)n;
	return map_clear(r, s->call->args->decl, false);
}

static int show_zero(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	(void)payload, (void)n;
	return map_clear(r, s->call->args->decl, true);
}

/* f(@m, k) becomes f(@m[k]): false if there are two keys in it. */
static bool key_inside(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args;
	if (!a->next || a->kind != NODE_MAP)
		return true;
	if (a->n_args) {
		check_fail(c, a->next->at, "%s() takes one key, and @%s has its own already", n->name, a->name);
		return false;
	}
	a->args = a->next;
	a->n_args = 1;
	a->next = NULL;
	return true;
}

/* delete(@m[k]), delete(@m, k), delete(@x). An aggregation without keys is on each CPU: the reader clears it. */
static struct script_type *check_delete(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args;
	struct decl *d = key_inside(c, n) ? check_map(c, a) : NULL;
	if (d && d->keyed && !a->n_args)
		return check_fail(c, a->at, "delete() takes a key; clear(@%s) empties the map", d->name);
	if (d && d->type && !d->keyed && map_per_cpu(d))
		check_site(c, n, NULL);
	return &type_s64;
}

static int lower_delete(struct lower *l, struct script_node *n)
{
	struct script_node *map = n->args;
	if (map->decl->marked) {
		int found = marks_delete(l, map);
		lower_map_forget(l, map->decl);
		return found;
	}
	lower_map_forget(l, map->decl);
	if (map->decl->keyed) {
		int found = low_const(l, 0), end = ir_label(l->ir);
		low_branch_k(l, IF_NE, LOW_CALL(l, BPF_FUNC_map_delete_elem, arg_map(LOAD_MAPS + map->decl->number), lower_key(l, map)), 0, end);
		low_move(l, found, low_const(l, 1));
		low_label(l, end);
		return found;
	}
	if (map_per_cpu(map->decl)) {
		lower_record(l, n->site, NULL);
		return low_const(l, 0);
	}
	int none = ir_label(l->ir), entry = lower_map_find(l, map);
	uint32_t at = map_value_at(map->decl);
	low_branch_k(l, IF_EQ, entry, 0, none);
	low_zero(l, (struct script_mem){ entry, 0 }, at + type_room(map->decl->type));
	low_label(l, none);
	return low_const(l, 0);
}

static struct script_type *check_has_key(struct checker *c, struct script_node *n)
{
	if (key_inside(c, n))
		check_map(c, n->args);
	return &type_bool;
}

static int lower_has_key(struct lower *l, struct script_node *n)
{
	return marks_present(l, n->args->decl, lower_map_find(l, n->args));
}

/* find(@m, k, $v): is it there? Then $v is what it has. Becomes an assignment below the call, and its map the only argument. */
static struct script_type *check_find(struct checker *c, struct script_node *n)
{
	struct script_node *map = n->args;
	if (!n->b) {
		struct script_node *key = map->next, *to = key->next;
		if (map->kind != NODE_MAP || map->n_args || to->kind != NODE_VAR)
			return check_fail(c, n->at, "find() takes a map, a key and a variable");
		map->args = key;
		map->n_args = 1;
		map->next = key->next = NULL;
		n->b = node_new(c->s->source, NODE_ASSIGN, n->at);
		n->b->a = to;
		n->b->b = map;
	}
	check_assign(c, n->b);
	return &type_bool;
}

static int lower_find(struct lower *l, struct script_node *n)
{
	int d = low_const(l, 0), none = ir_label(l->ir);
	low_branch_k(l, IF_EQ, marks_present(l, n->args->decl, lower_map_find(l, n->args)), 0, none);
	lower_assign(l, n->b);
	low_move(l, d, low_const(l, 1));
	low_label(l, none);
	return d;
}

/* len(@m), len(kstack) */
static struct script_type *check_len(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args;
	if (a->kind == NODE_MAP && !a->n_args) {
		struct decl *d = check_map(c, a);
		if (d && c->strict && !d->keyed)
			return check_fail(c, a->at, "@%s has no keys, and so no length", d->name);
		return &type_s64;
	}
	struct script_type *t = check_expr(c, a);
	bool direct = (a->kind == NODE_CALL || a->kind == NODE_WORD) && (t->kind == TYPE_KSTACK || t->kind == TYPE_USTACK);
	return direct ? &type_s64 : check_fail(c, a->at, "len() takes a map, or kstack or ustack themselves");
}

static int lower_len(struct lower *l, struct script_node *n)
{
	if (n->args->kind == NODE_MAP)
		return lower_map_len(l, n->args);
	int len = ir_reg(l->ir), fine = ir_label(l->ir);
	low_move(l, len, lower_read_stack(l, n->args->type, low_frame(l, n->args->type->depth * 8), true));
	low_branch_k(l, IF_SGE, len, 0, fine);
	low_move(l, len, low_const(l, 0));
	low_label(l, fine);
	return low_alu_k(l, ALU_SHR, len, 3);
}

const struct builtin builtins_map[] = {
	{ "clear", true, 1, 1, .check = check_whole, .lower = lower_whole, .show = show_clear },
	{ "zero", true, 1, 1, .check = check_whole, .lower = lower_whole, .show = show_zero },
	{ "delete", true, 1, 2, .check = check_delete, .lower = lower_delete, .show = show_clear },
	{ "has_key", true, 2, 2, .check = check_has_key, .lower = lower_has_key },
	{ "len", true, 1, 1, .check = check_len, .lower = lower_len },
	{ "find", true, 3, 3, .maybe = true, .check = check_find, .lower = lower_find },
	{ 0 },
};
