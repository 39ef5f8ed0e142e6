// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/hist.h"
#include <inttypes.h>

enum { BAR = 52 };

struct hist_range { int64_t from, to; bool no_from, no_to; }; /* to: not in it any more */

static unsigned buckets_of(const struct script_type *t)
{
	return type_room(t) / 8;
}

/* bpftrace marks 1024s, where they come out even. */
static void label_linear(struct str *out, int64_t v)
{
	if (v && !(v % (1 << 20)))
		str_addf(out, "%" PRId64 "M", v >> 20);
	else if (v && !(v % 1024))
		str_addf(out, "%" PRId64 "K", v / 1024);
	else
		str_addf(out, "%" PRId64, v);
}

static void label_power(struct str *out, unsigned power)
{
	str_addf(out, "%u", 1u << power % 10);
	if (power >= 10)
		str_addc(out, "KMGTPE"[power / 10 - 1]);
}

static struct hist_range range_of(const struct script_type *t, unsigned i)
{
	if (t->aggregate == AGG_LHIST) {
		int64_t from = t->min + ((int64_t)i - 1) * t->step;
		return (struct hist_range){ !i ? 0 : from, !i ? t->min : from + t->step, !i, i + 1 == buckets_of(t) };
	}
	if (i < 2)
		return (struct hist_range){ 0, i, !i, false };
	return (struct hist_range){ (int64_t)(1ull << (i - 2)), i == 65 ? 0 : (int64_t)(1ull << (i - 1)), false, false };
}

static void label_hist(struct str *out, unsigned i)
{
	if (i < 3) {
		str_add(out, i == 0 ? "(..., 0)" : i == 1 ? "[0]" : "[1]");
		return;
	}
	str_addc(out, '[');
	label_power(out, i - 2);
	str_add(out, ", ");
	label_power(out, i - 1);
	str_addc(out, ')');
}

static void label(struct str *out, const struct script_type *t, unsigned i)
{
	struct hist_range g = range_of(t, i);
	if (t->aggregate == AGG_HIST) {
		label_hist(out, i);
		return;
	}
	str_add(out, g.no_from ? "(..." : "[");
	if (!g.no_from)
		label_linear(out, g.from);
	str_add(out, ", ");
	if (g.no_to)
		str_add(out, "...");
	else
		label_linear(out, g.to);
	str_addc(out, ')');
}

static bool bounds(const uint64_t *b, unsigned n, uint64_t div, unsigned *first, unsigned *last, uint64_t *most)
{
	bool any = false;
	*most = 0;
	for (unsigned i = 0; i < n; i++) {
		if (!b[i])
			continue;
		if (!any)
			*first = i;
		*last = i;
		any = true;
		if (b[i] / div > *most)
			*most = b[i] / div;
	}
	return any;
}

void hist_text(struct str *out, const struct script_type *t, const uint64_t *b, uint64_t div)
{
	unsigned first, last;
	uint64_t most;
	struct str name = STR_INIT;
	if (!bounds(b, buckets_of(t), div, &first, &last, &most))
		return;
	for (unsigned i = first; i <= last; i++) {
		uint64_t v = b[i] / div;
		str_clear(&name);
		label(&name, t, i);
		str_addf(out, "%-16s%8" PRIu64 " |", name.buf, v);
		size_t bar = most ? (size_t)((double)v / (double)most * BAR) : 0, begin = out->len;
		str_pad(out, begin + bar, '@');
		str_pad(out, begin + BAR, ' ');
		str_add(out, "|\n");
	}
	str_release(&name);
}

void hist_json(struct str *out, const struct script_type *t, const uint64_t *b, uint64_t div)
{
	unsigned first, last;
	uint64_t most;
	str_addc(out, '[');
	bool any = bounds(b, buckets_of(t), div, &first, &last, &most);
	for (unsigned i = any ? first : 1; any && i <= last; i++) {
		struct hist_range g = range_of(t, i);
		str_add(out, i == first ? "{" : ", {");
		if (!g.no_from)
			str_addf(out, "\"min\": %" PRId64 ", ", g.from);
		if (!g.no_to)
			str_addf(out, "\"max\": %" PRId64 ", ", (int64_t)((uint64_t)g.to - 1));
		str_addf(out, "\"count\": %" PRIu64 "}", b[i] / div);
	}
	str_addc(out, ']');
}
