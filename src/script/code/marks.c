// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/marks.h"
#include <linux/bpf.h>
#include <string.h>
#include "script/type.h"

/* ---- which ---- */

static bool is_call(const struct script_node *n, const char *name)
{
	return n->kind == NODE_CALL && !strcmp(n->name, name);
}

/* A map as a whole is printed, cleared, deleted from; all else that may be done with it goes through its entries. */
static bool is_plain(const struct script_node *n)
{
	return is_call(n, "print") || is_call(n, "clear") || is_call(n, "zero");
}

static void look(const struct script_node *n, const struct script_node *above)
{
	for (; n; n = n->next) {
		struct decl *d = n->kind == NODE_MAP ? n->decl : NULL;
		bool address = above && above->kind == NODE_UNARY && above->op == '&';
		if (d && d->keyed && (address || (!n->n_args && !(above && is_plain(above)))))
			d->marked = false;
		look(n->args, n);
		look(n->a, n);
		if (n->b != n->a)
			look(n->b, n);
		look(n->c, n);
		look(n->body, n);
		look(n->other, n);
	}
}

static void find_deletes(const struct script_node *n)
{
	for (; n; n = n->next) {
		if (is_call(n, "delete") && n->args->kind == NODE_MAP && n->args->decl) {
			struct decl *d = n->args->decl;
			d->marked = d->keyed && d->type && type_is_word(d->type) && !d->lru && !d->entries;
		}
		find_deletes(n->args);
		find_deletes(n->a);
		if (n->b != n->a)
			find_deletes(n->b);
		find_deletes(n->c);
		find_deletes(n->body);
		find_deletes(n->other);
	}
}

void marks_choose(struct run_script *s)
{
	if (s->max_keys < MARKS_LEAST)
		return;
	for (const struct probe *p = s->probes; p; p = p->next) {
		find_deletes(p->predicate);
		find_deletes(p->body);
	}
	for (const struct probe *p = s->probes; p; p = p->next) {
		look(p->predicate, NULL);
		look(p->body, NULL);
	}
	for (size_t i = 0; i < s->maps.n; i++)
		s->needs_remains |= s->maps.at[i]->marked;
}

uint32_t marks_room(const struct run_script *s, const struct decl *d)
{
	uint32_t n = map_entries(s, d);
	return d->marked ? n + n / 2 : n;
}

/* ---- code ---- */

/* This CPU's count of the map's remains. */
static int count_of(struct lower *l, const struct decl *d, int none)
{
	struct script_mem key = low_stack(l, 8);
	low_store_k(l, key, 4, d->number);
	int count = LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_REMAINS), arg_mem(key));
	low_branch_k(l, IF_EQ, count, 0, none);
	return count;
}

void marks_take(struct lower *l, const struct decl *d, int entry)
{
	int done = ir_label(l->ir);
	struct script_mem mark = { entry, 0 };
	low_branch_k(l, IF_NE, low_load(l, mark, 8, false), 0, done);
	low_store_k(l, mark, 8, 1);
	struct script_mem count = { count_of(l, d, done), 0 };
	low_store(l, count, 8, low_alu_k(l, ALU_SUB, low_load(l, count, 8, false), 1));
	low_label(l, done);
}

int marks_present(struct lower *l, const struct decl *d, int entry)
{
	int found = low_const(l, 0), none = ir_label(l->ir);
	low_branch_k(l, IF_EQ, entry, 0, none);
	if (d->marked)
		low_branch_k(l, IF_EQ, low_load(l, (struct script_mem){ entry, 0 }, 8, false), 0, none);
	low_move(l, found, low_const(l, 1));
	low_label(l, none);
	return found;
}

int marks_delete(struct lower *l, struct script_node *map)
{
	int share = (int)(l->s->max_keys / 2 / l->s->n_cpus);
	int found = low_const(l, 0), end = ir_label(l->ir), earnest = ir_label(l->ir), slot;
	struct ir_arg key;
	int entry = lower_map_find_key(l, map, &key, &slot);
	low_branch_k(l, IF_EQ, entry, 0, end);
	low_branch_k(l, IF_EQ, low_load(l, (struct script_mem){ entry, 0 }, 8, false), 0, end);
	low_move(l, found, low_const(l, 1));
	low_store_k(l, (struct script_mem){ entry, 8 }, 8, 0); /* first: who takes it up again finds 0 */
	low_store_k(l, (struct script_mem){ entry, 0 }, 8, 0);
	if (slot != IR_NO)
		low_branch_k(l, IF_NE, slot, 0, end);
	struct script_mem count = { count_of(l, map->decl, end), 0 };
	int remains = low_load(l, count, 8, false);
	low_branch_k(l, IF_SGE, remains, share, earnest);
	low_store(l, count, 8, low_alu_k(l, ALU_ADD, remains, 1));
	low_jump(l, end);
	low_label(l, earnest);
	LOW_CALL(l, BPF_FUNC_map_delete_elem, arg_map(LOAD_MAPS + map->decl->number), lower_key_maybe(l, map, key));
	low_label(l, end);
	return found;
}
