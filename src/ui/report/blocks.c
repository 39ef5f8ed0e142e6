// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/blocks.h"
#include <inttypes.h>
#include <stdio.h>

static const struct { const char *name; int width; } columns[] = {
	{ "Sampled Cycles%", 15 }, { "Sampled Cycles", 14 }, { "Avg Cycles%", 11 }, { "Avg Cycles", 10 }, { "[Program Block Range]", 70 },
	{ "Shared Object", 20 },
};
enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void print_headers(struct out *out)
{
	struct str s = STR_INIT;
	for (int i = 0; i < N_COLUMNS; i++)
		str_addf(&s, "%s%*s", i ? "  " : "# ", columns[i].width, columns[i].name);
	for (int i = 0; i < N_COLUMNS; i++) {
		str_add(&s, i ? "  " : "\n# ");
		str_pad(&s, s.len + columns[i].width, '.');
	}
	str_add(&s, "\n#\n");
	out_str(out, &s);
	str_release(&s);
}

static const char *count_text(uint64_t v, char *buf, size_t n)
{
	if (v >= 1000000)
		snprintf(buf, n, "%.1fM", v / 1e6);
	else if (v >= 1000)
		snprintf(buf, n, "%.1fK", v / 1e3);
	else
		snprintf(buf, n, "%" PRIu64, v);
	return buf;
}

static bool add_line(struct str *s, struct symbols *syms, struct frame f, uint64_t addr, bool full_path)
{
	f.ip += addr - f.addr;
	f.offset += addr - f.addr;
	f.addr = addr;
	f.file = NULL;
	if (!symbols_source(syms, &f) || !f.file)
		return false;
	const char *base = full_path ? NULL : strrchr(f.file, '/');
	str_add_safez(s, base ? base + 1 : f.file);
	str_addf(s, ":%d", f.line);
	return true;
}

/* "[file.c:1 -> file.c:4]", or offsets in the function when no line is known. */
static void add_range(struct str *s, struct symbols *syms, const struct block *b, bool full_path)
{
	uint64_t start = b->end.sym_addr + b->start;
	size_t at = s->len;
	str_addc(s, '[');
	bool known = add_line(s, syms, b->end, start, full_path);
	str_add(s, " -> ");
	if (known && add_line(s, syms, b->end, b->end.addr, full_path)) {
		str_addc(s, ']');
		return;
	}
	s->len = at;
	s->buf[at] = 0;
	str_add_safez(s, b->end.sym);
	str_addf(s, " [%7" PRIx64 " -> %7" PRIx64 "]", b->start, b->end.addr - b->end.sym_addr);
}

void blocks_print(struct out *out, struct blocks *b, struct symbols *syms, double min_percent, bool headers, bool full_path)
{
	struct str s = STR_INIT, range = STR_INIT;
	uint64_t averages = 0;
	char sum[24], mean[24];
	blocks_sort(b);
	if (headers)
		print_headers(out);
	vec_each(&b->at, k)
		averages += k->cycles / k->n;
	vec_each(&b->at, k) {
		double share = 100.0 * k->cycles / b->cycles;
		if (share < min_percent)
			continue;
		str_clear(&range);
		add_range(&range, syms, k, full_path);
		str_addf(&s, "  %14.2f%%  %14s  %10.2f%%  %10s  %70s  %20s\n", share, count_text(k->cycles, sum, sizeof(sum)),
			 averages ? 100.0 * (k->cycles / k->n) / averages : 0.0, count_text(k->cycles / k->n, mean, sizeof(mean)), range.buf,
			 k->end.dso && k->end.dso->name ? k->end.dso->name : "[unknown]");
		out_str(out, &s);
	}
	str_release(&s);
	str_release(&range);
}
