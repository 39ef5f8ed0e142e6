// SPDX-License-Identifier: GPL-2.0-or-later
/* A map with keys is a hash; one without an array of one entry, which begins with a mark that it was set: what was
 * never set is not shown. A count() without keys has no such mark, as it is 0 when nothing was counted. */
#include <linux/bpf.h>
#include <string.h>
#include "script/check_type.h"
#include "script/code/able.h"
#include "script/code/lower.h"
#include "script/code/marks.h"
#include "script/code/slots.h"

enum { TRIES = 6 };

uint32_t map_value_at(const struct decl *d)
{
	bool counts = d->type->kind == TYPE_AGGREGATE && d->type->aggregate == AGG_COUNT;
	return (d->keyed && !d->marked) || counts ? 0 : 8;
}

bool map_per_cpu(const struct decl *d)
{
	return d->type->kind == TYPE_AGGREGATE;
}

static struct ir_arg this_map(const struct script_node *n)
{
	return arg_map(LOAD_MAPS + n->decl->number);
}

struct ir_arg lower_key(struct lower *l, struct script_node *n)
{
	const struct decl *d = n->decl;
	struct script_mem m = low_room(l, d->keyed ? d->key->size : 8);
	unsigned i = 0;
	if (!d->keyed)
		low_store_k(l, m, 8, 0);
	if (n->args && !n->args->next && n->args->type->kind == TYPE_TUPLE) { /* all keys at once */
		lower_to(l, n->args, d->key, m);
		return arg_mem(m);
	}
	for (struct script_node *k = n->args; k; k = k->next, i++)
		lower_to(l, k, d->key->fields[i].type, mem_at(m, (int32_t)d->key->fields[i].at));
	return arg_mem(m);
}

/* ---- entries that were found already ---- */

static bool is_steady(const struct script_node *n)
{
	static const char *const words[] = { "tid", "pid", "uid", "gid", "comm", "cpu", "probe", "func", "curtask", "cgroup", "args" };
	for (size_t i = 0; n->kind == NODE_WORD && i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(n->name, words[i]))
			return true;
	return n->kind == NODE_INT || n->kind == NODE_STRING || (n->kind == NODE_FIELD && n->a->kind == NODE_WORD && is_steady(n->a));
}

static bool same_key(const struct script_node *a, const struct script_node *b)
{
	if (a->kind != b->kind || !is_steady(a) || !is_steady(b))
		return false;
	if (a->kind == NODE_INT)
		return a->value == b->value;
	if (a->kind == NODE_STRING)
		return a->len == b->len && !memcmp(a->name, b->name, a->len);
	return !strcmp(a->name, b->name) && (a->kind != NODE_FIELD || same_key(a->a, b->a));
}

static bool same_entry(const struct script_node *a, const struct script_node *b)
{
	if (a->decl != b->decl)
		return false;
	const struct script_node *x = a->args, *y = b->args;
	for (; x && y && same_key(x, y); x = x->next)
		y = y->next;
	return !x && !y;
}

static void keep_entry(struct lower *l, const struct script_node *n, int entry, int slot)
{
	for (const struct script_node *k = n->args; k; k = k->next)
		if (!is_steady(k))
			return;
	if (l->keeps && !l->looks_again && l->n_entries < ENTRIES_KEPT)
		l->entries[l->n_entries++] = (struct lower_entry){ n, entry, slot };
}

void lower_map_forget(struct lower *l, const struct decl *d)
{
	for (unsigned i = 0; i < l->n_entries; i++)
		if (l->entries[i].map && l->entries[i].map->decl == d)
			l->entries[i].map = NULL;
}

static struct script_mem mem_of(struct ir_arg key)
{
	return (struct script_mem){ key.reg, (int32_t)key.n };
}

static int look_up(struct lower *l, const struct script_node *n, struct ir_arg key, int *slot)
{
	*slot = IR_NO;
	return n->decl->slot ? slots_find(l, n->decl, mem_of(key), slot) : LOW_CALL(l, BPF_FUNC_map_lookup_elem, this_map(n), key);
}

int lower_map_find_key(struct lower *l, struct script_node *n, struct ir_arg *key, int *slot)
{
	key->kind = ARG_NONE;
	for (unsigned i = 0; i < l->n_entries; i++)
		if (l->entries[i].map && same_entry(l->entries[i].map, n)) {
			*slot = l->entries[i].slot;
			return l->entries[i].entry;
		}
	*key = lower_key(l, n);
	int entry = look_up(l, n, *key, slot);
	keep_entry(l, n, entry, *slot);
	return entry;
}

struct ir_arg lower_key_maybe(struct lower *l, struct script_node *n, struct ir_arg key)
{
	bool keeps = l->keeps;
	l->keeps = false;
	if (key.kind == ARG_NONE)
		key = lower_key(l, n);
	l->keeps = keeps;
	return key;
}

int lower_map_find(struct lower *l, struct script_node *n)
{
	struct ir_arg key;
	int slot;
	return lower_map_find_key(l, n, &key, &slot);
}

static void count_full(struct lower *l, const struct script_node *n)
{
	low_add_to(l, low_global(l, (uint32_t)(offsetof(struct globals, full) + 8 * n->decl->number)), low_const(l, 1));
}

int lower_map_make(struct lower *l, struct script_node *n, int none)
{
	int entry = ir_reg(l->ir), have = ir_label(l->ir), slot;
	struct ir_arg key = lower_key(l, n);
	lower_map_forget(l, n->decl);
	low_move(l, entry, look_up(l, n, key, &slot));
	if (!n->decl->keyed) {
		low_branch_k(l, IF_EQ, entry, 0, none);
		if (map_value_at(n->decl))
			low_store_k(l, (struct script_mem){ entry, 0 }, 8, 1);
		return entry;
	}
	int made = ir_label(l->ir);
	if (slot != IR_NO) {
		int hash = ir_label(l->ir);
		low_branch_k(l, IF_EQ, slot, 0, hash);
		low_branch_k(l, IF_NE, entry, 0, made);
		slots_claim(l, n->decl, mem_of(key), slot, entry, hash);
		low_jump(l, made);
		low_label(l, hash);
	}
	low_branch_k(l, IF_NE, entry, 0, have);
	struct script_mem zero = low_global(l, offsetof(struct globals, zero));
	LOW_CALL(l, BPF_FUNC_map_update_elem, this_map(n), key, arg_mem(zero), arg_k(BPF_NOEXIST));
	low_move(l, entry, LOW_CALL(l, BPF_FUNC_map_lookup_elem, this_map(n), key));
	low_branch_k(l, IF_NE, entry, 0, made);
	count_full(l, n);
	low_jump(l, none);
	if (!n->decl->marked) {
		low_label(l, have);
		low_label(l, made);
		return entry;
	}
	int end = ir_label(l->ir);
	low_label(l, made);
	low_store_k(l, (struct script_mem){ entry, 0 }, 8, 1);
	low_jump(l, end);
	low_label(l, have);
	marks_take(l, n->decl, entry);
	low_label(l, end);
	return entry;
}

int lower_map_read(struct lower *l, struct script_node *n)
{
	if (map_per_cpu(n->decl)) {
		struct ir_arg key = lower_key(l, n);
		return lower_aggregate_read(l, n->decl, (struct script_mem){ key.reg, (int32_t)key.n });
	}
	int d = low_const(l, 0), none = ir_label(l->ir), entry = lower_map_find(l, n);
	low_branch_k(l, IF_EQ, entry, 0, none);
	low_move(l, d, low_load(l, (struct script_mem){ entry, (int32_t)map_value_at(n->decl) }, 8, false));
	low_label(l, none);
	return d;
}

struct script_mem lower_map_mem(struct lower *l, struct script_node *n)
{
	uint32_t room = type_room(n->decl->type);
	struct script_mem m = low_room(l, room);
	int none = ir_label(l->ir), entry = lower_map_find(l, n);
	low_zero(l, m, room);
	low_branch_k(l, IF_EQ, entry, 0, none);
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(room), arg_mem((struct script_mem){ entry, (int32_t)map_value_at(n->decl) }));
	low_label(l, none);
	return m;
}

int lower_map_step(struct lower *l, struct script_node *n)
{
	struct script_node *map = n->a;
	int before = low_const(l, 0), none = ir_label(l->ir);
	int by = n->kind == NODE_STEP ? low_const(l, n->op == '+' ? 1 : -1) : lower_word(l, n->b);
	if (map->decl->type->kind == TYPE_POINTER)
		by = low_alu_k(l, ALU_MUL, by, type_step(map->decl->type));
	if (n->kind == NODE_ASSIGN && n->op == '-')
		by = low_alu(l, ALU_SUB, low_const(l, 0), by);
	struct script_mem value = { lower_map_make(l, map, none), (int32_t)map_value_at(map->decl) };
	if (able(l->s, ABLE_FETCH) && !n->unread) {
		low_move(l, before, low_fetch_add(l, value, by));
	} else {
		low_move(l, before, low_load(l, value, 8, false));
		low_add_to(l, value, by);
	}
	low_label(l, none);
	return before;
}

static void write_entry(struct lower *l, const struct decl *d, int entry, struct script_mem value)
{
	low_store(l, (struct script_mem){ entry, (int32_t)map_value_at(d) }, 8, low_load(l, value, 8, false));
}

/* Into the thread's slot, and on to `fine`, unless it has none. */
static void store_in_slot(struct lower *l, const struct script_node *map, struct ir_arg key, int entry, int slot, struct script_mem value, int fine)
{
	int have = ir_label(l->ir), hash = ir_label(l->ir);
	low_branch_k(l, IF_EQ, slot, 0, hash);
	low_branch_k(l, IF_NE, entry, 0, have);
	slots_claim(l, map->decl, mem_of(key), slot, entry, hash);
	low_label(l, have);
	write_entry(l, map->decl, entry, value);
	low_store_k(l, (struct script_mem){ entry, 0 }, 8, 1);
	low_jump(l, fine);
	low_label(l, hash);
}

/* A number is written into the entry that is there: to put a new one in its place costs the kernel three times as much. */
static void store_keyed(struct lower *l, struct script_node *map, struct script_mem value)
{
	int fine = ir_label(l->ir);
	struct ir_arg key = { ARG_NONE, IR_NO, 0 };
	if (type_is_word(map->decl->type)) {
		int slot, entry = lower_map_find_key(l, map, &key, &slot), none = ir_label(l->ir);
		if (slot != IR_NO) {
			key = lower_key_maybe(l, map, key);
			store_in_slot(l, map, key, entry, slot, value, fine);
		}
		low_branch_k(l, IF_EQ, entry, 0, none);
		write_entry(l, map->decl, entry, value);
		if (map->decl->marked)
			marks_take(l, map->decl, entry);
		low_jump(l, fine);
		low_label(l, none);
	}
	lower_map_forget(l, map->decl);
	if (map->decl->marked) {
		struct script_mem whole = low_stack(l, 16);
		low_store_k(l, whole, 8, 1);
		low_store(l, mem_at(whole, 8), 8, low_load(l, value, 8, false));
		value = whole;
	}
	int r = LOW_CALL(l, BPF_FUNC_map_update_elem, this_map(map), lower_key_maybe(l, map, key), arg_mem(value), arg_k(BPF_ANY));
	low_branch_k(l, IF_EQ, r, 0, fine);
	count_full(l, map);
	low_label(l, fine);
}

/* @x *= 2 and the like: computed and put in its place if that is still what it was, else once more. What others on that entry
 * are in the way of all the time is counted. Kernels without such an instruction have the short gap between read and write. */
static void change(struct lower *l, struct script_node *n)
{
	struct script_node *map = n->a;
	bool is_signed = type_is_signed(map->decl->type);
	int none = ir_label(l->ir), by = lower_word(l, n->b);
	struct script_mem value = { lower_map_make(l, map, none), (int32_t)map_value_at(map->decl) };
	for (int i = 0; i < TRIES && able(l->s, ABLE_FETCH); i++) {
		int was = low_load(l, value, 8, false);
		low_branch(l, IF_EQ, low_exchange(l, value, was, lower_operator(l, n->op, is_signed, was, by)), was, none);
	}
	if (able(l->s, ABLE_FETCH))
		low_add_to(l, low_global(l, offsetof(struct globals, contended)), low_const(l, 1));
	else
		low_store(l, value, 8, lower_operator(l, n->op, is_signed, low_load(l, value, 8, false), by));
	low_label(l, none);
}

/* The value of an aggregation is stored by its own code, which finds the map in the assignment. */
void lower_map_assign(struct lower *l, struct script_node *n)
{
	struct script_node *map = n->a;
	const struct decl *d = map->decl;
	int none = ir_label(l->ir);
	if (d->type->kind == TYPE_AGGREGATE) {
		lower_aggregate(l, map, n->b);
		return;
	}
	if (n->op == '+' || n->op == '-') {
		lower_map_step(l, n);
		return;
	}
	if (n->op) {
		change(l, n);
		return;
	}
	struct script_mem value = low_room(l, type_room(d->type));
	lower_to(l, n->b, d->type, value);
	if (d->keyed) {
		store_keyed(l, map, value);
		return;
	}
	int entry = lower_map_make(l, map, none);
	if (type_is_word(d->type))
		low_store(l, (struct script_mem){ entry, 8 }, 8, low_load(l, value, 8, false));
	else
		LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem((struct script_mem){ entry, 8 }), arg_k(type_room(d->type)), arg_mem(value));
	low_label(l, none);
}
