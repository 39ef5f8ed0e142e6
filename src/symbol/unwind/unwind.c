// SPDX-License-Identifier: GPL-2.0-or-later
/* From the registers and the copied stack of a sample to its callers.
 *
 * A frame's rules say where the caller's stack began (the CFA) and where its registers were saved; the
 * return address among them is the next frame. Finding the rules (map, image, function, row) is cached
 * by (version of the maps, pc), so a step is a look-up and a few loads from the copy. A caller's pc is
 * the return address less one, which lies in the call: that is what is looked up and what perf shows. */
#include <stdlib.h>
#include <string.h>
#include "arch/unwind.h"
#include "symbol/unwind/cfi.h"
#include "symbol/file/debugfile.h"
#include "symbol/unwind/expr.h"
#include "symbol/inner.h"

enum { UNWIND_SLOTS = 1 << 13, FP_STEP_MAX = 0x4000 };

struct unwind_slot {
	uint64_t version, pc;
	const struct cfi_rules *rules;
	bool known;
};
struct unwind_cache { struct unwind_slot slot[UNWIND_SLOTS]; };

struct unwind_walk {
	const struct unwind_arch *arch;
	uint64_t reg[UNWIND_REGS];
	const uint8_t *stack;
	uint64_t base; /* address of stack[0] */
	size_t len;
	bool truncated;
};

static bool read_stack(void *arg, uint64_t addr, unsigned n, uint64_t *v)
{
	struct unwind_walk *w = arg;
	if (addr < w->base)
		return false;
	/* perf does not use the last word of the copy; the same here, so that chains are equal. */
	if (addr - w->base >= w->len || n >= w->len - (addr - w->base)) {
		w->truncated = true;
		return false;
	}
	*v = 0;
	memcpy(v, w->stack + (addr - w->base), n);
	return true;
}

static struct cfi *image_cfi(struct image *im)
{
	struct elf_file e;
	if (im->cfi_tried)
		return im->cfi;
	im->cfi_tried = true;
	image_load(im);
	if (image_open_runtime(im, &e))
		return NULL;
	im->cfi = cfi_open(&e, im->symbol_path);
	elf_close(&e);
	return im->cfi;
}

bool unwind_bounds(struct image *im, uint64_t addr, uint64_t *start, uint64_t *size)
{
	struct cfi *cfi = im->kind == IMAGE_FILE || im->kind == IMAGE_VDSO ? image_cfi(im) : NULL;
	return cfi && cfi_bounds(cfi, addr, start, size);
}

bool unwind_is_trampoline(struct image *im, uint64_t addr)
{
	struct cfi *cfi = im->kind == IMAGE_FILE || im->kind == IMAGE_VDSO ? image_cfi(im) : NULL;
	const struct cfi_rules *r = cfi ? cfi_find(cfi, addr) : NULL;
	return r && r->signal;
}

static struct unwind_slot *find_rules(struct symbols *s, const struct maps *maps, uint64_t pc)
{
	struct unwind_cache **cache = symbols_unwind_cache(s);
	if (!*cache)
		*cache = xcalloc(1, sizeof(**cache));
	uint64_t h = (pc ^ maps->version * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
	struct unwind_slot *u = &(*cache)->slot[h >> 51];
	if (u->known && u->pc == pc && u->version == maps->version)
		return u;
	*u = (struct unwind_slot){ .version = maps->version, .pc = pc, .known = true };
	const struct map *m = maps_find(maps, pc);
	struct cfi *cfi = m && (m->image->kind == IMAGE_FILE || m->image->kind == IMAGE_VDSO) ? image_cfi(m->image) : NULL;
	if (cfi)
		u->rules = cfi_find(cfi, image_address(m->image, pc, m->start, m->pgoff));
	return u;
}

static bool find_cfa(struct unwind_walk *w, const struct cfi_rule *r, uint64_t *cfa)
{
	if (r->kind == CFI_OFFSET && r->reg < w->arch->n) {
		*cfa = w->reg[r->reg] + (int64_t)r->off;
		return true;
	}
	struct expr_context x = { .reg = w->reg, .n_regs = w->arch->n, .word = w->arch->word, .read = read_stack, .arg = w };
	return r->kind == CFI_EXPR && expr_run(&x, r->expr, r->len, false, 0, cfa);
}

static bool restore_reg(struct unwind_walk *w, const struct cfi_rule *r, uint64_t cfa, const struct expr_context *x, uint64_t *v)
{
	uint64_t addr;
	switch (r->kind) {
	case CFI_OFFSET: return read_stack(w, cfa + (int64_t)r->off, w->arch->word, v);
	case CFI_VAL_OFFSET: *v = cfa + (int64_t)r->off; return true;
	case CFI_REGISTER: *v = (unsigned)r->off < w->arch->n ? x->reg[r->off] : 0; return (unsigned)r->off < w->arch->n;
	case CFI_EXPR: return expr_run(x, r->expr, r->len, true, cfa, &addr) && read_stack(w, addr, w->arch->word, v);
	case CFI_VAL_EXPR: return expr_run(x, r->expr, r->len, true, cfa, v);
	}
	return false;
}

/* One frame up by CFI. False: the outermost frame, or its memory is not in the copy. */
static bool step_cfi(struct unwind_walk *w, const struct cfi_rules *r)
{
	uint64_t cfa, old[UNWIND_REGS];
	bool have_ra = false;
	if (!find_cfa(w, &r->cfa, &cfa))
		return false;
	memcpy(old, w->reg, sizeof(old));
	struct expr_context x = { .reg = old, .n_regs = w->arch->n, .word = w->arch->word, .read = read_stack, .arg = w };
	if (w->arch->word == 4)
		cfa = (uint32_t)cfa;
	w->reg[w->arch->sp] = cfa;
	for (int i = 0; i < r->n; i++) {
		const struct cfi_rule *rule = &r->save[i];
		uint64_t v;
		if (rule->reg >= w->arch->n)
			continue;
		if (rule->kind == CFI_UNDEFINED || !restore_reg(w, rule, cfa, &x, &v)) {
			if (rule->reg == r->ra)
				return false;
			continue;
		}
		w->reg[rule->reg] = v;
		have_ra |= rule->reg == r->ra;
	}
	/* A stack that does not shrink would go round for ever; only a signal may come from elsewhere, and
	 * vfork keeps its return address in a register: the same stack, but another pc. */
	if (!have_ra || r->signal || w->reg[w->arch->sp] > old[w->arch->sp])
		return have_ra;
	return w->reg[w->arch->sp] == old[w->arch->sp] && w->reg[w->arch->ra] != old[w->arch->ra];
}

/* Without CFI (JIT code, hand-written assembly, crtbegin.o): by the frame pointer, as long as it points
 * a little above the stack pointer. What it saved is the caller's register and may be anything, since
 * the caller may have CFI and no frame pointer. */
static bool step_fp(struct unwind_walk *w)
{
	uint64_t fp = w->reg[w->arch->fp], sp = w->reg[w->arch->sp], next, ra;
	if (fp < sp || fp - sp > FP_STEP_MAX)
		return false;
	if (!read_stack(w, fp, w->arch->word, &next) || !read_stack(w, fp + w->arch->word, w->arch->word, &ra))
		return false;
	w->reg[w->arch->sp] = fp + 2 * w->arch->word;
	w->reg[w->arch->fp] = next;
	w->reg[w->arch->ra] = ra;
	return true;
}

static bool take_registers(struct unwind_walk *w, uint64_t mask, const uint64_t *regs)
{
	int n = 0;
	uint64_t by_bit[64];
	for (int bit = 0; bit < 64; bit++)
		by_bit[bit] = mask >> bit & 1 ? regs[n++] : 0;
	for (int i = 0; i < w->arch->n; i++)
		w->reg[i] = by_bit[w->arch->perf[i]];
	return mask >> w->arch->perf[w->arch->sp] & 1 && mask >> w->arch->perf[w->arch->ra] & 1;
}

int symbols_unwind(struct symbols *s, int pid, uint64_t abi, uint64_t mask, const uint64_t *regs,
		   const void *stack, size_t stack_len, uint64_t *ips, int max, bool *truncated)
{
	struct unwind_walk w = { .arch = unwind_arch(abi), .stack = stack, .len = stack_len };
	const struct maps *maps = symbols_maps(s, pid);
	int n = 0;
	if (truncated)
		*truncated = false;
	if (!w.arch || !stack_len || max < 1 || !take_registers(&w, mask, regs))
		return 0;
	w.base = w.reg[w.arch->sp];
	uint64_t pc = w.reg[w.arch->ra];
	ips[n++] = pc;
	while (maps && n < max) {
		const struct unwind_slot *u = find_rules(s, maps, pc);
		if (n > 1 && u->rules && u->rules->signal && ips[n - 1] + 1 == w.reg[w.arch->ra])
			ips[n - 1]++; /* nobody called the trampoline: the handler returns to its first instruction */
		if (!(u->rules ? step_cfi(&w, u->rules) : step_fp(&w))) {
			if (w.truncated) /* perf's mark of a caller beyond the copy */
				ips[n++] = UINT64_MAX;
			break;
		}
		pc = w.reg[w.arch->ra];
		if (!pc)
			break;
		if (!u->rules || !u->rules->signal)
			pc--;
		ips[n++] = pc;
	}
	if (truncated)
		*truncated = w.truncated;
	return n;
}

void unwind_cache_free(struct unwind_cache *c)
{
	free(c);
}
