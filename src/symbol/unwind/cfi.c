// SPDX-License-Identifier: GPL-2.0-or-later
/* The index: one entry for each FDE of a section. See cfi_run.c for what an FDE's program does. */
#include "symbol/unwind/cfi.h"
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "symbol/unwind/cfi_inner.h"

/* DW_EH_PE_*: how a pointer in .eh_frame is written. */
enum { PE_ABSPTR = 0, PE_ULEB = 1, PE_U2 = 2, PE_U4 = 3, PE_U8 = 4, PE_SLEB = 9, PE_S2 = 10, PE_S4 = 11, PE_S8 = 12,
	PE_PCREL = 0x10, PE_DATAREL = 0x30, PE_INDIRECT = 0x80, PE_OMIT = 0xff };

uint64_t cursor_fixed(struct cfi_cursor *c, size_t n)
{
	uint64_t v = 0;
	if (n > (size_t)(c->end - c->at)) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	memcpy(&v, c->at, n); /* little-endian machines only: elf_open refuses the others */
	c->at += n;
	return v;
}

uint64_t cursor_uleb(struct cfi_cursor *c)
{
	uint64_t v = 0;
	for (unsigned shift = 0;; shift += 7) {
		if (c->at >= c->end) {
			c->bad = true;
			return 0;
		}
		uint8_t b = *c->at++;
		if (shift < 64)
			v |= (uint64_t)(b & 127) << shift;
		if (!(b & 128))
			return v;
	}
}

int64_t cursor_sleb(struct cfi_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b = 0;
	do {
		if (c->at >= c->end) {
			c->bad = true;
			return 0;
		}
		b = *c->at++;
		if (shift < 64)
			v |= (uint64_t)(b & 127) << shift;
		shift += 7;
	} while (b & 128);
	if (shift < 64 && (b & 64))
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

uint64_t cursor_pointer(struct cfi_cursor *c, const struct cfi_section *s, uint8_t enc)
{
	uint64_t at = s->addr + (c->at - s->data), v;
	switch (enc & 15) {
	case PE_ABSPTR: v = cursor_fixed(c, s->word); break;
	case PE_ULEB: v = cursor_uleb(c); break;
	case PE_U2: v = cursor_fixed(c, 2); break;
	case PE_U4: v = cursor_fixed(c, 4); break;
	case PE_U8: case PE_S8: v = cursor_fixed(c, 8); break;
	case PE_SLEB: v = cursor_sleb(c); break;
	case PE_S2: v = (int16_t)cursor_fixed(c, 2); break;
	case PE_S4: v = (int32_t)cursor_fixed(c, 4); break;
	default: c->bad = true; return 0;
	}
	if ((enc & 0x70) == PE_PCREL)
		v += at;
	else if (enc & 0xf0)
		c->bad = true; /* data-relative and indirect are not used for code addresses here */
	return s->word == 4 ? (uint32_t)v : v;
}

static bool section_open(struct cfi_section *s, const struct elf_file *e, const char *name, bool eh)
{
	const struct elf_section *sec = elf_find(e, name);
	*s = (struct cfi_section){ .eh = eh, .word = e->is64 ? 8 : 4 };
	if (!sec || !(s->data = elf_contents(e, sec, &s->len)))
		return false;
	s->addr = sec->addr;
	return true;
}

/* One entry: its extent, whether it is a CIE, and where its CIE is. False at the end or when damaged. */
struct cfi_entry { struct cfi_cursor body; bool is_cie; uint64_t cie, next; };

static bool entry_at(const struct cfi_section *s, uint64_t off, struct cfi_entry *e)
{
	if (off >= s->len || s->len - off < 8)
		return false;
	struct cfi_cursor c = { .at = s->data + off, .end = s->data + s->len };
	uint64_t len = cursor_fixed(&c, 4);
	bool wide = len == 0xffffffff;
	if (wide)
		len = cursor_fixed(&c, 8);
	if (!len || c.bad || len > (uint64_t)(c.end - c.at))
		return false;
	uint64_t id_at = c.at - s->data;
	e->next = id_at + len;
	c.end = c.at + len;
	uint64_t id = cursor_fixed(&c, wide && !s->eh ? 8 : 4);
	if (s->eh) {
		e->is_cie = !id;
		e->cie = id_at - id; /* counts back from its own place */
	} else {
		e->is_cie = id == (wide ? UINT64_MAX : 0xffffffff);
		e->cie = id;
	}
	e->body = c;
	return !c.bad;
}

static void augmentation(struct cie *cie, struct cfi_cursor *c, const struct cfi_section *s, const char *aug)
{
	uint64_t len = cursor_uleb(c);
	if (len > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return;
	}
	const uint8_t *end = c->at + len;
	cie->has_data = true;
	for (aug++; *aug; aug++) {
		if (*aug == 'R') {
			cie->fde_enc = cursor_fixed(c, 1);
		} else if (*aug == 'P') {
			uint8_t enc = cursor_fixed(c, 1);
			struct cfi_cursor skip = *c;
			cursor_pointer(&skip, s, enc & 15);
			c->at = skip.at;
		} else if (*aug == 'L') {
			cursor_fixed(c, 1);
		} else if (*aug == 'S') {
			cie->signal = true;
		}
	}
	c->at = end;
}

static bool cie_parse(struct cie *cie, const struct cfi_section *s, uint64_t off)
{
	struct cfi_entry e;
	*cie = (struct cie){ .fde_enc = PE_ABSPTR };
	if (!entry_at(s, off, &e) || !e.is_cie)
		return false;
	struct cfi_cursor c = e.body;
	uint8_t version = cursor_fixed(&c, 1);
	const char *aug = (const char *)c.at;
	const uint8_t *nul = memchr(c.at, 0, c.end - c.at);
	if (!nul || (version != 1 && version != 3 && version != 4))
		return false;
	c.at = nul + 1;
	if (version == 4)
		cursor_fixed(&c, 2); /* address and segment size */
	cie->code_align = cursor_uleb(&c);
	cie->data_align = cursor_sleb(&c);
	cie->ra = version == 1 ? cursor_fixed(&c, 1) : cursor_uleb(&c);
	if (*aug == 'z')
		augmentation(cie, &c, s, aug);
	else if (*aug && strcmp(aug, "eh"))
		return false;
	cie->program = c;
	return !c.bad && cie->ra < UNWIND_REGS;
}

static int by_start(const void *a, const void *b)
{
	const struct fde *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Scans a section into c->fde. CIEs are few and come before their FDEs: the last one is remembered. */
static void index_section(struct cfi *c, struct cfi_section *s)
{
	struct cfi_entry e;
	struct cie cie;
	uint64_t cie_at = UINT64_MAX;
	bool cie_ok = false;
	for (uint64_t off = 0; entry_at(s, off, &e); off = e.next) {
		if (e.is_cie)
			continue;
		if (e.cie != cie_at) {
			cie_at = e.cie;
			cie_ok = cie_parse(&cie, s, e.cie);
		}
		if (!cie_ok)
			continue;
		uint64_t start = cursor_pointer(&e.body, s, cie.fde_enc);
		uint64_t len = cursor_pointer(&e.body, s, cie.fde_enc & 15);
		if (e.body.bad || !len || !start || start + len < start || len > UINT32_MAX)
			continue;
		*vec_push(&c->fde) = (struct fde){ .start = start, .len = len, .off = off, .section = s - c->section, .state = FDE_RAW };
	}
	if (c->fde.n)
		qsort(c->fde.at, c->fde.n, sizeof(*c->fde.at), by_start);
}

struct cfi *cfi_open(const struct elf_file *runtime, const char *debug)
{
	struct cfi *c = xcalloc(1, sizeof(*c));
	if (section_open(&c->section[0], runtime, ".eh_frame", true))
		index_section(c, &c->section[0]);
	if (!section_open(&c->section[1], runtime, ".debug_frame", false) &&
	    !section_open(&c->section[1], runtime, ".zdebug_frame", false) && debug)
		c->debug = xstrdup(debug);
	return c;
}

void cfi_free(struct cfi *c)
{
	if (!c)
		return;
	for (int i = 0; i < 2; i++)
		free(c->section[i].data);
	vec_each(&c->rules, r)
		free(*r);
	vec_release(&c->rules);
	vec_release(&c->row);
	vec_release(&c->fde);
	u64map_release(&c->by_hash);
	free(c->debug);
	free(c);
}

/* .debug_frame is read only once something was not found in .eh_frame. */
static bool index_more(struct cfi *c)
{
	struct elf_file e;
	if (c->all_indexed)
		return false;
	c->all_indexed = true;
	if (!c->section[1].data && c->debug && !elf_open(&e, c->debug)) {
		if (!section_open(&c->section[1], &e, ".debug_frame", false))
			section_open(&c->section[1], &e, ".zdebug_frame", false);
		elf_close(&e);
	}
	if (!c->section[1].data)
		return false;
	index_section(c, &c->section[1]);
	return true;
}

static struct fde *find_fde(struct cfi *c, uint64_t addr)
{
	size_t lo = 0, hi = c->fde.n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->fde.at[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (int back = 0; lo && back < 3; back++, lo--) { /* both sections may describe a function */
		struct fde *f = &c->fde.at[lo - 1];
		if (addr - f->start < f->len)
			return f;
	}
	return NULL;
}

const struct cfi_rules *cfi_find(struct cfi *c, uint64_t addr)
{
	struct fde *f = find_fde(c, addr);
	if (!f && index_more(c))
		f = find_fde(c, addr);
	if (!f)
		return NULL;
	if (f->state == FDE_RAW)
		fde_compile(c, f);
	if (f->state == FDE_BAD)
		return NULL;
	uint32_t pc = addr - f->start;
	size_t lo = f->row, hi = f->row + f->n_rows;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->row.at[mid].pc <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > f->row ? c->rules.at[c->row.at[lo - 1].rules] : NULL;
}

bool cfi_bounds(struct cfi *c, uint64_t addr, uint64_t *start, uint64_t *size)
{
	struct fde *f = find_fde(c, addr);
	if (!f && index_more(c))
		f = find_fde(c, addr);
	if (!f)
		return false;
	*start = f->start;
	*size = f->len;
	return true;
}

bool fde_open(const struct cfi *c, const struct fde *f, struct cie *cie, struct cfi_cursor *program)
{
	const struct cfi_section *s = &c->section[f->section];
	struct cfi_entry e;
	if (!entry_at(s, f->off, &e) || !cie_parse(cie, s, e.cie))
		return false;
	cursor_pointer(&e.body, s, cie->fde_enc);
	cursor_pointer(&e.body, s, cie->fde_enc & 15);
	if (cie->has_data) {
		uint64_t skip = cursor_uleb(&e.body);
		if (skip > (uint64_t)(e.body.end - e.body.at))
			return false;
		e.body.at += skip;
	}
	*program = e.body;
	return !e.body.bad;
}
