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

/* Where bucket i of hist(n, k) begins: a power of two in 2^k parts; 1 << 10 for a letter in its place. */
static uint64_t begin_of(unsigned i, unsigned k, unsigned *power)
{
	unsigned parts = 1u << k, at = i - 1; /* the first is that of negative ones */
	if (at < parts) {
		*power = 0;
		return at;
	}
	*power = (at >> k) - 1;
	return (uint64_t)(parts + (at & (parts - 1)));
}

static void label_power(struct str *out, unsigned i, unsigned k)
{
	unsigned power;
	uint64_t v = begin_of(i, k, &power);
	str_addf(out, "%" PRIu64, v << power % 10);
	if (power >= 10)
		str_addc(out, "KMGTPE"[power / 10 - 1]);
}

static struct hist_range range_of(const struct script_type *t, unsigned i)
{
	if (t->aggregate == AGG_LHIST) {
		int64_t from = t->min + ((int64_t)i - 1) * t->step;
		return (struct hist_range){ !i ? 0 : from, !i ? t->min : from + t->step, !i, i + 1 == buckets_of(t) };
	}
	if (!i)
		return (struct hist_range){ 0, 0, true, false };
	unsigned power, next_power;
	uint64_t from = begin_of(i, (unsigned)t->step, &power), to = begin_of(i + 1, (unsigned)t->step, &next_power);
	return (struct hist_range){ (int64_t)(from << power), i + 1 == buckets_of(t) ? 0 : (int64_t)(to << next_power), false, false };
}

static void label_hist(struct str *out, unsigned i, unsigned k)
{
	if (!i) {
		str_add(out, "(..., 0)");
		return;
	}
	str_addc(out, '[');
	label_power(out, i, k);
	if (i > 2u << k) { /* below that each number has its own */
		str_add(out, ", ");
		label_power(out, i + 1, k);
		str_addc(out, ')');
	} else {
		str_addc(out, ']');
	}
}

static void label(struct str *out, const struct script_type *t, unsigned i)
{
	struct hist_range g = range_of(t, i);
	if (t->aggregate == AGG_HIST) {
		label_hist(out, i, (unsigned)t->step);
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

static bool bounds(const uint64_t *b, unsigned n, unsigned *first, unsigned *last, uint64_t *most)
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
		if (b[i] > *most)
			*most = b[i];
	}
	return any;
}

void hist_text(struct str *out, const struct script_type *t, const uint64_t *b, uint64_t div)
{
	unsigned first, last;
	uint64_t most;
	struct str name = STR_INIT;
	if (!bounds(b, buckets_of(t), &first, &last, &most))
		return;
	for (unsigned i = first; i <= last; i++) {
		uint64_t v = b[i] / div;
		str_clear(&name);
		label(&name, t, i);
		str_addf(out, "%-16s%8" PRIu64 " |", name.buf, v);
		size_t bar = most ? (size_t)((float)b[i] / (float)most * BAR) : 0, begin = out->len;
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
	bool any = bounds(b, buckets_of(t), &first, &last, &most);
	for (unsigned i = any ? first : 1; any && i <= last; i++) {
		struct hist_range g = range_of(t, i);
		str_add(out, i == first ? "{" : ", {");
		bool whole = t->aggregate == AGG_HIST && i; /* beyond all numbers with a sign */
		if (!g.no_from)
			str_addf(out, whole ? "\"min\": %" PRIu64 ", " : "\"min\": %" PRId64 ", ", g.from);
		if (!g.no_to)
			str_addf(out, whole ? "\"max\": %" PRIu64 ", " : "\"max\": %" PRId64 ", ", (uint64_t)g.to - 1);
		str_addf(out, "\"count\": %" PRIu64 "}", b[i] / div);
	}
	str_addc(out, ']');
}
