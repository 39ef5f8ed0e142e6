// SPDX-License-Identifier: GPL-2.0-or-later
/* Go binaries carry a table of all functions for their own tracebacks, .gopclntab, which stays when the
 * symbols are stripped (go build -ldflags=-s). Layouts of Go 1.16, 1.18 and 1.20; all that is read:
 *
 *     magic u32, 0 u16, quantum u8, word u8, then words:
 *     number of functions, number of files, [1.18: text start], offsets of names, units, files, pcs, functions
 *     functions: (entry, offset) pairs, u32 each from the text start since 1.18, words before
 *     at a function's offset: entry again, then i32 offset of its name */
#include <stdlib.h>
#include <string.h>
#include "symbol/symtab.h"

enum { GO_1_16 = 0xfffffffa, GO_1_18 = 0xfffffff0, GO_1_20 = 0xfffffff1 };

struct pclntab {
	const uint8_t *p;
	size_t len;
	unsigned word, entry; /* bytes of a number in the header, in the function table */
	uint64_t text, names, functions, count;
};

static uint64_t number(const struct pclntab *t, uint64_t at, unsigned n)
{
	uint64_t v = 0;
	if (at <= t->len && n <= t->len - at)
		memcpy(&v, t->p + at, n);
	return v;
}

static bool table_open(struct pclntab *t, const struct elf_file *e)
{
	uint32_t magic = number(t, 0, 4);
	t->word = number(t, 7, 1);
	if (t->len < 80 || (t->word != 4 && t->word != 8) || (magic != GO_1_16 && magic != GO_1_18 && magic != GO_1_20))
		return false;
	bool old = magic == GO_1_16;
	unsigned w = t->word, at = old ? 2 : 3;
	t->entry = old ? w : 4;
	t->count = number(t, 8, w);
	t->text = old ? 0 : number(t, 8 + 2 * w, w);
	t->names = number(t, 8 + at * w, w);
	t->functions = number(t, 8 + (at + 4) * w, w);
	const struct elf_section *text = elf_find(e, ".text");
	if (!old && !t->text && text) /* position-independent: filled in when it is loaded */
		t->text = text->addr;
	return t->names < t->len && t->functions < t->len && t->count <= (t->len - t->functions) / (2 * t->entry);
}

static void add_function(struct symtab *st, const struct pclntab *t, uint64_t i)
{
	uint64_t at = t->functions + 2 * t->entry * i;
	uint64_t start = number(t, at, t->entry), end = number(t, at + 2 * t->entry, t->entry);
	uint64_t info = t->functions + number(t, at + t->entry, t->entry);
	uint64_t name = t->names + number(t, info + t->entry, 4);
	if (end <= start || name >= t->len || !t->p[name])
		return;
	symtab_add(st, t->text + start, end - start, (const char *)t->p + name, STB_LOCAL); /* a NUL follows the section */
}

size_t symtab_load_go(struct symtab *st, const struct elf_file *e)
{
	const struct elf_section *s = elf_find(e, ".gopclntab") ?: elf_find(e, ".data.rel.ro.gopclntab");
	struct pclntab t = { 0 };
	void *p = elf_contents(e, s, &t.len);
	t.p = p;
	if (!p || !table_open(&t, e)) {
		free(p);
		return 0;
	}
	symtab_own(st, p);
	for (uint64_t i = 0; i < t.count; i++) /* the pair behind the last is the end of the text */
		add_function(st, &t, i);
	symtab_finish(st, false);
	return st->sym.n;
}
