// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the little programs of CIE and FDE into rows. Each instruction takes at least a byte, so the
 * work is bounded by the size of the section; what cannot be understood makes the function BAD. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "symbol/unwind/cfi_inner.h"

enum { REMEMBER_MAX = 16, ROWS_MAX = 1 << 20 };

struct state { struct cfi_rule cfa, reg[UNWIND_REGS]; };
struct cfi_machine {
	struct cfi *cfi;
	const struct cfi_section *section;
	const struct cie *cie;
	struct state now, initial, kept[REMEMBER_MAX];
	unsigned n_kept;
	uint64_t start, pc; /* pc counts from start */
	bool bad;
};

/* Factored offsets of a hostile file may overflow: wrapped here, refused by set_rule and set_cfa. */
static int64_t scaled(const struct cfi_machine *r, uint64_t v)
{
	return (int64_t)(v * (uint64_t)r->cie->data_align);
}

static void set_rule(struct cfi_machine *r, uint64_t reg, uint8_t kind, int64_t off)
{
	if (off < INT32_MIN || off > INT32_MAX) {
		r->bad = true;
		return;
	}
	if (reg < UNWIND_REGS) /* others (SSE) never lead to the caller */
		r->now.reg[reg] = (struct cfi_rule){ .reg = reg, .kind = kind, .off = off };
}

static struct cfi_rule expression(struct cfi_machine *r, struct cfi_cursor *c, uint8_t kind)
{
	uint64_t len = cursor_uleb(c);
	struct cfi_rule rule = { .kind = kind, .len = len, .expr = c->at };
	if (len > UINT16_MAX || len > (uint64_t)(c->end - c->at)) {
		r->bad = true;
		return rule;
	}
	c->at += len;
	return rule;
}

static void set_expression(struct cfi_machine *r, struct cfi_cursor *c, uint8_t kind)
{
	uint64_t reg = cursor_uleb(c);
	struct cfi_rule rule = expression(r, c, kind);
	rule.reg = reg;
	if (reg < UNWIND_REGS)
		r->now.reg[reg] = rule;
}

static void set_cfa(struct cfi_machine *r, uint64_t reg, int64_t off)
{
	if (reg >= UNWIND_REGS || off < INT32_MIN || off > INT32_MAX)
		r->bad = true;
	else
		r->now.cfa = (struct cfi_rule){ .reg = reg, .kind = CFI_OFFSET, .off = off };
}

/* Same rules are stored once: a library has some ten thousand rows but only hundreds of rules. */
static uint32_t intern(struct cfi *c, const struct cfi_rules *r)
{
	uint64_t h = hash_bytes(r, sizeof(*r), 1);
	uintptr_t known = (uintptr_t)u64map_get(&c->by_hash, h);
	if (known && !memcmp(c->rules.at[known - 1], r, sizeof(*r)))
		return known - 1;
	struct cfi_rules *own = xmalloc(sizeof(*own));
	*own = *r;
	*vec_push(&c->rules) = own;
	u64map_set(&c->by_hash, h, (void *)(uintptr_t)c->rules.n);
	return c->rules.n - 1;
}

static void emit(struct cfi_machine *r, struct fde *f)
{
	struct cfi_rules rules;
	memset(&rules, 0, sizeof(rules)); /* padding is hashed too */
	rules.cfa = r->now.cfa;
	rules.ra = r->cie->ra;
	rules.signal = r->cie->signal;
	for (int i = 0; i < UNWIND_REGS; i++)
		if (r->now.reg[i].kind != CFI_NONE && r->now.reg[i].kind != CFI_SAME)
			rules.save[rules.n++] = r->now.reg[i];
	uint32_t index = intern(r->cfi, &rules);
	struct cfi_row *last = f->n_rows ? vec_last(&r->cfi->row) : NULL;
	if (last && last->pc == r->pc) {
		last->rules = index;
		return;
	}
	if (last && last->rules == index)
		return;
	*vec_push(&r->cfi->row) = (struct cfi_row){ .pc = r->pc, .rules = index };
	if (++f->n_rows > ROWS_MAX)
		r->bad = true;
}

static void advance(struct cfi_machine *r, struct fde *f, uint64_t delta)
{
	emit(r, f);
	r->pc += delta * r->cie->code_align;
	if (r->pc > UINT32_MAX)
		r->bad = true;
}

static void restore(struct cfi_machine *r, uint64_t reg)
{
	if (reg < UNWIND_REGS)
		r->now.reg[reg] = r->initial.reg[reg];
}

/* The instructions that have an opcode of their own; false: not known. */
static bool step_cfa(struct cfi_machine *r, struct cfi_cursor *c, uint8_t op)
{
	uint64_t reg;
	switch (op) {
	case DW_CFA_def_cfa: reg = cursor_uleb(c); set_cfa(r, reg, cursor_uleb(c)); return true;
	case DW_CFA_def_cfa_sf: reg = cursor_uleb(c); set_cfa(r, reg, scaled(r, cursor_sleb(c))); return true;
	case DW_CFA_def_cfa_register: set_cfa(r, cursor_uleb(c), r->now.cfa.off); return true;
	case DW_CFA_def_cfa_offset: set_cfa(r, r->now.cfa.reg, cursor_uleb(c)); return true;
	case DW_CFA_def_cfa_offset_sf: set_cfa(r, r->now.cfa.reg, scaled(r, cursor_sleb(c))); return true;
	case DW_CFA_def_cfa_expression: r->now.cfa = expression(r, c, CFI_EXPR); return true;
	case DW_CFA_remember_state:
		if (r->n_kept == REMEMBER_MAX)
			r->bad = true;
		else
			r->kept[r->n_kept++] = r->now;
		return true;
	case DW_CFA_restore_state:
		if (!r->n_kept)
			r->bad = true;
		else
			r->now = r->kept[--r->n_kept];
		return true;
	case DW_CFA_GNU_args_size: cursor_uleb(c); return true;
	case DW_CFA_GNU_window_save:
	case DW_CFA_nop: return true;
	}
	return false;
}

static bool step_register(struct cfi_machine *r, struct cfi_cursor *c, uint8_t op)
{
	uint64_t reg;
	switch (op) {
	case DW_CFA_offset_extended: reg = cursor_uleb(c); set_rule(r, reg, CFI_OFFSET, scaled(r, cursor_uleb(c))); return true;
	case DW_CFA_offset_extended_sf: reg = cursor_uleb(c); set_rule(r, reg, CFI_OFFSET, scaled(r, cursor_sleb(c))); return true;
	case DW_CFA_GNU_negative_offset_extended: reg = cursor_uleb(c); set_rule(r, reg, CFI_OFFSET, (int64_t)(0 - cursor_uleb(c))); return true;
	case DW_CFA_val_offset: reg = cursor_uleb(c); set_rule(r, reg, CFI_VAL_OFFSET, scaled(r, cursor_uleb(c))); return true;
	case DW_CFA_val_offset_sf: reg = cursor_uleb(c); set_rule(r, reg, CFI_VAL_OFFSET, scaled(r, cursor_sleb(c))); return true;
	case DW_CFA_register: reg = cursor_uleb(c); set_rule(r, reg, CFI_REGISTER, cursor_uleb(c) & 0xff); return true;
	case DW_CFA_undefined: set_rule(r, cursor_uleb(c), CFI_UNDEFINED, 0); return true;
	case DW_CFA_same_value: set_rule(r, cursor_uleb(c), CFI_SAME, 0); return true;
	case DW_CFA_restore_extended: restore(r, cursor_uleb(c)); return true;
	case DW_CFA_expression: set_expression(r, c, CFI_EXPR); return true;
	case DW_CFA_val_expression: set_expression(r, c, CFI_VAL_EXPR); return true;
	}
	return false;
}

static bool step_advance(struct cfi_machine *r, struct fde *f, struct cfi_cursor *c, uint8_t op)
{
	switch (op) {
	case DW_CFA_advance_loc1: advance(r, f, cursor_fixed(c, 1)); return true;
	case DW_CFA_advance_loc2: advance(r, f, cursor_fixed(c, 2)); return true;
	case DW_CFA_advance_loc4: advance(r, f, cursor_fixed(c, 4)); return true;
	case DW_CFA_set_loc: {
		uint64_t to = cursor_pointer(c, r->section, r->cie->fde_enc);
		emit(r, f);
		if (to < r->start + r->pc || to - r->start > UINT32_MAX)
			r->bad = true;
		else
			r->pc = to - r->start;
		return true;
	}
	}
	return false;
}

static void execute(struct cfi_machine *r, struct fde *f, struct cfi_cursor c)
{
	while (c.at < c.end && !r->bad && !c.bad) {
		uint8_t op = cursor_fixed(&c, 1), low = op & 63;
		switch (op & 0xc0) {
		case DW_CFA_advance_loc: advance(r, f, low); break;
		case DW_CFA_offset: set_rule(r, low, CFI_OFFSET, scaled(r, cursor_uleb(&c))); break;
		case DW_CFA_restore: restore(r, low); break;
		default:
			if (!step_cfa(r, &c, op) && !step_register(r, &c, op) && !step_advance(r, f, &c, op))
				r->bad = true;
		}
	}
	if (c.bad)
		r->bad = true;
}

void fde_compile(struct cfi *c, struct fde *f)
{
	struct cie cie;
	struct cfi_cursor program;
	f->state = FDE_BAD;
	if (!fde_open(c, f, &cie, &program))
		return;
	struct cfi_machine *r = xcalloc(1, sizeof(*r));
	r->cfi = c;
	r->section = &c->section[f->section];
	r->cie = &cie;
	r->start = f->start;
	f->row = c->row.n;
	execute(r, f, cie.program);
	r->initial = r->now;
	execute(r, f, program);
	emit(r, f);
	if (!r->bad)
		f->state = FDE_READY;
	free(r);
}
