// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/slots.h"
#include <linux/bpf.h>
#include <string.h>
#include "script/code/able.h"
#include "script/type.h"

/* ---- which ---- */

static void keys_are_tid(const struct script_node *n)
{
	for (; n; n = n->next) {
		if (n->kind == NODE_MAP && n->decl && n->args)
			n->decl->foreign_keys |= n->args->next || n->args->kind != NODE_WORD || strcmp(n->args->name, "tid") != 0;
		keys_are_tid(n->args);
		keys_are_tid(n->a);
		if (n->b != n->a)
			keys_are_tid(n->b);
		keys_are_tid(n->c);
		keys_are_tid(n->body);
		keys_are_tid(n->other);
	}
}

void slots_choose(struct run_script *s)
{
	if (!s->needs_remains)
		return;
	for (const struct probe *p = s->probes; p; p = p->next) {
		keys_are_tid(p->predicate);
		keys_are_tid(p->body);
	}
	for (size_t i = 0; i < s->maps.n && s->n_slots < SLOTS_MAPS; i++) {
		struct decl *d = s->maps.at[i];
		if (d->marked && !d->foreign_keys && d->key->n_fields == 1 && d->key->size == 8 && able(s, ABLE_FETCH))
			d->slot = ++s->n_slots;
	}
}

uint32_t slots_size(const struct run_script *s)
{
	return 8 + 16 * s->n_slots;
}

uint32_t slots_count(struct run_script *s)
{
	return able(s, ABLE_SLOTS) ? SLOTS : SLOTS_FEW;
}

/* ---- code ---- */

int slots_find(struct lower *l, const struct decl *d, struct script_mem key, int *slot)
{
	int entry = low_const(l, 0), end = ir_label(l->ir), hash = ir_label(l->ir), own = ir_label(l->ir);
	*slot = low_const(l, 0);
	int tid = low_load(l, key, 8, false);
	low_branch_k(l, IF_EQ, tid, 0, hash);
	struct script_mem index = low_stack(l, 8);
	low_store(l, index, 8, low_alu_k(l, ALU_AND, tid, slots_count(l->s) - 1));
	int found = LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_SLOTS), arg_mem(index));
	low_branch_k(l, IF_EQ, found, 0, hash);
	int owner = low_load(l, (struct script_mem){ found, 0 }, 8, false);
	low_branch(l, IF_EQ, owner, low_alu_k(l, ALU_ADD, tid, 1), own);
	low_branch_k(l, IF_NE, owner, 0, hash);
	low_move(l, *slot, found);
	low_jump(l, end);
	low_label(l, own);
	low_move(l, *slot, found);
	low_move(l, entry, low_alu_k(l, ALU_ADD, found, slots_entry_at(d)));
	low_jump(l, end);
	low_label(l, hash);
	low_move(l, entry, LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_MAPS + d->number), arg_mem(key)));
	low_label(l, end);
	return entry;
}

void slots_claim(struct lower *l, const struct decl *d, struct script_mem key, int slot, int entry, int none)
{
	int ours = ir_label(l->ir), own = low_alu_k(l, ALU_ADD, low_load(l, key, 8, false), 1), nobody = low_const(l, 0);
	low_branch_k(l, IF_EQ, slot, 0, none);
	int was = low_exchange(l, (struct script_mem){ slot, 0 }, nobody, own);
	low_branch_k(l, IF_EQ, was, 0, ours);
	low_branch(l, IF_NE, was, own, none);
	low_label(l, ours);
	low_move(l, entry, low_alu_k(l, ALU_ADD, slot, slots_entry_at(d)));
}
