/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To find an entry of a hash takes the kernel longer than most blocks take for all the rest. What a thread keeps for itself,
 * in maps whose only key is `tid` everywhere, is in its slot of an array instead: a slot is the thread's that took it first,
 * for good. A thread whose slot is another's has its entries in the map, as if there were no slots.
 *
 * Only the thread itself looks there, so that nothing can come between but an interrupt. A slot: its owner's tid + 1 or 0,
 * then an entry (a mark and a value, code/marks.h) for each such map. tid 0 is many: it has no slot. */
#ifndef SCRIPT_CODE_SLOTS_H
#define SCRIPT_CODE_SLOTS_H
#include "script/code/lower.h"

enum { SLOTS = 1 << 15, SLOTS_FEW = 2, SLOTS_MAPS = 2 /* each doubles what the verifier has to follow */ };
void slots_choose(struct run_script *s); /* which maps, of those that are marked */
uint32_t slots_size(const struct run_script *s); /* of one */
uint32_t slots_count(struct run_script *s);
static inline uint32_t slots_entry_at(const struct decl *d) { return 8 + 16 * (d->slot - 1); }

/* For a map with d->slot: its entry, or 0. slot: the register with the thread's slot, where its entry is or, when it has
 * none yet, may be; 0 where that is the map's own matter. */
int slots_find(struct lower *l, const struct decl *d, struct script_mem key, int *slot);
/* Behind that, where the entry is 0: the entry in a slot that is ours now; to `none` when there is none for us. */
void slots_claim(struct lower *l, const struct decl *d, struct script_mem key, int slot, int entry, int none);
#endif
