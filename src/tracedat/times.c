// SPDX-License-Identifier: GPL-2.0-or-later
/* What the times of a trace.dat mean: its clock, and what the file and the reader add to them. */
#include "tracedat/inner.h"

static bool clock_in_ns(const char *clock)
{
	static const char *const ns[] = { "local", "global", "perf", "mono", "mono_raw", "boot", "tai", "tsc2nsec" };
	for (size_t i = 0; i < sizeof(ns) / sizeof(*ns); i++)
		if (!strcmp(clock, ns[i]))
			return true;
	return false;
}

/* The offsets as they are in the file: --ts-offset and --date count in the clock's own units. */
uint64_t times_of(const struct tracedat *t, uint64_t raw, bool tsc)
{
	if (t->plain)
		return raw;
	if (t->times.raw)
		return raw + (uint64_t)t->shift;
	uint64_t v = raw;
	if (t->times.hz > 0)
		v = (uint64_t)((double)(raw + (uint64_t)t->times.offset) * (1e9 / t->times.hz));
	else if (tsc)
		v = (uint64_t)(((unsigned __int128)raw * t->tsc_mult) >> t->tsc_shift) + (uint64_t)t->times.offset - t->tsc_offset;
	else
		v = raw + (uint64_t)t->times.offset;
	v += (uint64_t)t->file_offset;
	if (!t->times.no_date)
		v += (uint64_t)t->date;
	return v + (uint64_t)t->shift;
}

void times_settle(struct tracedat *t)
{
	const char *clock = t->buffer.n ? t->buffer.at[0].clock : "local";
	bool tsc = t->buffer.n && t->inner.at[0].tsc;
	t->ns = !t->times.raw && (t->times.hz > 0 || tsc || clock_in_ns(clock));
	t->plain = !tsc && !t->times.raw && !t->times.offset && t->times.hz <= 0 && !t->file_offset && (t->times.no_date || !t->date) && !t->shift;
}

void tracedat_set_times(struct tracedat *t, const struct tracedat_times *how)
{
	t->times = *how;
	times_settle(t);
}

void tracedat_shift(struct tracedat *t, int64_t by)
{
	t->shift += by;
	times_settle(t);
}

bool tracedat_in_ns(const struct tracedat *t)
{
	return t->ns;
}
