// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as the file that a JIT left, jitdump and perf map: every record, line and name of it. */
#include <string.h>
#include "base/str.h"
#include "symbol/jitdump.h"

static uint64_t sum;

static char *copy(const uint8_t *data, size_t n)
{
	char *p = xmalloc(n + 1);
	memcpy(p, data, n);
	return p;
}

static void touch(const void *p, size_t n)
{
	for (size_t i = 0; p && i < n; i++)
		sum += ((const uint8_t *)p)[i];
}

static void every_record(const uint8_t *data, size_t n)
{
	struct jitdump d;
	struct jit_record r;
	struct jit_line l;
	bool good = !jitdump_take(&d, copy(data, n), n);
	while (good && jitdump_next(&d, &r)) {
		touch(r.name, r.name ? strlen(r.name) + 1 : 0);
		touch(r.code, r.size);
		touch(r.unwind, r.unwind_size);
		while (jit_lines_next(&r.lines, &l))
			touch(l.file, l.file ? strlen(l.file) + 1 : 0);
	}
	jitdump_close(&d);
}

static void every_name(struct symtab *t)
{
	for (size_t i = 0; i < t->sym.n; i++) {
		uint64_t a = t->sym.at[i].start;
		struct sym *s = t->time.n ? symtab_find_at(t, a, i) : symtab_find(t, a);
		if (s)
			touch(symtab_name(t, s), 1);
	}
	symtab_release(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct symtab dump = { 0 }, map = { 0 };
	struct jitdump d;
	every_record(data, n);
	if (!jitdump_take(&d, copy(data, n), n))
		symtab_take_jitdump(&dump, &d);
	jitdump_close(&d);
	every_name(&dump);
	symtab_load_perf_map(&map, copy(data, n), n);
	every_name(&map);
	return 0;
}
