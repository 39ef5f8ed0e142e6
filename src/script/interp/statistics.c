// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>
#include "script/interp/value.h"

enum { WIDTH = 50, AROUND = 2 /* empty buckets that are shown on either side */, STEPS_MOST = 4096 };

static unsigned log_bucket(int64_t v)
{
	if (!v)
		return LOG_ZERO;
	uint64_t m = v < 0 ? -(uint64_t)v : (uint64_t)v;
	unsigned power = 63 - (unsigned)__builtin_clzll(m);
	return v < 0 ? LOG_ZERO - 1 - power : LOG_ZERO + 1 + power;
}

static int64_t bucket_value(unsigned i)
{
	if (i == LOG_ZERO)
		return 0;
	return i > LOG_ZERO ? (int64_t)(1ull << (i - LOG_ZERO - 1)) : (int64_t)-(1ull << (LOG_ZERO - 1 - i));
}

static size_t steps_of(const struct statistics_form *f)
{
	if (f->width < 1 || f->high < f->low)
		return 0;
	uint64_t n = ((uint64_t)f->high - (uint64_t)f->low) / (uint64_t)f->width + 1;
	return n > STEPS_MOST ? STEPS_MOST : n;
}

static void add_linear(struct statistics *s, const struct statistics_form *f, int64_t v)
{
	size_t n = steps_of(f);
	if (!s->linear)
		s->linear = xcalloc(n + 2, sizeof(*s->linear));
	uint64_t at = v < f->low ? 0 : ((uint64_t)v - (uint64_t)f->low) / (uint64_t)(f->width > 0 ? f->width : 1) + 1;
	s->linear[v < f->low ? 0 : at > n ? n + 1 : at]++;
}

void statistics_add(struct statistics *s, const struct statistics_form *f, int64_t v)
{
	s->min = !s->count || v < s->min ? v : s->min;
	s->max = !s->count || v > s->max ? v : s->max;
	s->count++;
	s->sum = (int64_t)((uint64_t)s->sum + (uint64_t)v);
	double off = (double)v - s->mean;
	s->mean += off / (double)s->count;
	s->squares += off * ((double)v - s->mean);
	if (f && f->log) {
		if (!s->log)
			s->log = xcalloc(LOG_BUCKETS, sizeof(*s->log));
		s->log[log_bucket(v)]++;
	}
	if (f && f->linear)
		add_linear(s, f, v);
}

void statistics_release(struct statistics *s)
{
	free(s->log);
	free(s->linear);
	*s = (struct statistics){ 0 };
}

bool statistics_get(const struct statistics *s, const char *name, int64_t *v)
{
	int64_t n = s ? s->count : 0;
	*v = 0;
	if (!strcmp(name, "count")) {
		*v = n;
		return true;
	}
	if (!n)
		return !strcmp(name, "sum");
	if (!strcmp(name, "sum"))
		*v = s->sum;
	else if (!strcmp(name, "avg"))
		*v = s->sum == INT64_MIN && n == -1 ? 0 : s->sum / n;
	else if (!strcmp(name, "min"))
		*v = s->min;
	else if (!strcmp(name, "max"))
		*v = s->max;
	else if (!strcmp(name, "variance"))
		*v = n > 1 ? (int64_t)(s->squares / (double)(n - 1)) : 0;
	return true;
}

/* ---- histograms ---- */

static unsigned digits(uint64_t v)
{
	unsigned n = 1;
	for (; v > 9; v /= 10)
		n++;
	return n;
}

struct rows { const uint64_t *count; size_t first, last; char **label; unsigned widest; };

static void row(struct str *out, const struct rows *r, size_t i, uint64_t scale, unsigned room)
{
	uint64_t n = r->count[i], bar = n / scale;
	str_addf(out, "%*s |", (int)r->widest, r->label[i]);
	str_pad(out, out->len + bar, '@');
	str_pad(out, out->len + WIDTH - bar + 1 + room - digits(n), ' ');
	str_addf(out, "%llu\n", (unsigned long long)n);
}

/* Long runs of empty ones are left out, two of them on each side apart. */
static void show(struct str *out, struct rows *r)
{
	uint64_t most = 0;
	unsigned widest = 5;
	for (size_t i = r->first; i <= r->last; i++) {
		most = r->count[i] > most ? r->count[i] : most;
		widest = strlen(r->label[i]) > widest ? (unsigned)strlen(r->label[i]) : widest;
	}
	uint64_t scale = most <= WIDTH ? 1 : (most + WIDTH - 1) / WIDTH;
	r->widest = widest;
	str_addf(out, "%*s |", (int)widest, "value");
	str_pad(out, out->len + WIDTH, '-');
	str_add(out, " count\n");
	for (size_t i = r->first; i <= r->last;) {
		size_t run = i;
		while (run <= r->last && !r->count[run])
			run++;
		if (run - i > 2 * AROUND && i > r->first && run <= r->last) {
			for (size_t k = 0; k < AROUND; k++)
				row(out, r, i + k, scale, digits(most));
			str_addf(out, "%*s ~\n", (int)widest, "");
			for (i = run - AROUND; i < run; i++)
				row(out, r, i, scale, digits(most));
			continue;
		}
		row(out, r, i++, scale, digits(most));
	}
	str_addc(out, '\n');
}

/* From the first to the last that is not empty, and some around them. */
static bool bounds(struct rows *r, size_t n, size_t least)
{
	size_t first = n, last = 0;
	for (size_t i = 0; i < n; i++)
		if (r->count[i]) {
			first = first == n ? i : first;
			last = i;
		}
	if (first == n)
		return false;
	r->first = first > least + AROUND ? first - AROUND : first < least ? (first > AROUND ? first - AROUND : 0) : least;
	r->last = last + AROUND < n ? last + AROUND : n - 1;
	return true;
}

void statistics_show_log(const struct statistics *s, struct str *out)
{
	char *label[LOG_BUCKETS];
	struct rows r = { .count = s ? s->log : NULL, .label = label };
	if (!r.count || !bounds(&r, LOG_BUCKETS - 1, LOG_ZERO))
		return;
	for (size_t i = r.first; i <= r.last; i++)
		label[i] = xasprintf("%lld", (long long)bucket_value((unsigned)i));
	show(out, &r);
	for (size_t i = r.first; i <= r.last; i++)
		free(label[i]);
}

void statistics_show_linear(const struct statistics *s, const struct statistics_form *f, struct str *out)
{
	struct rows r = { .count = s ? s->linear : NULL };
	size_t n = steps_of(f);
	if (!r.count)
		return;
	r.label = xcalloc(n + 2, sizeof(*r.label));
	if (bounds(&r, n + 2, 0)) {
		/* what lies outside is only shown when there is any */
		r.first += !r.first && !r.count[0];
		r.last -= r.last == n + 1 && !r.count[n + 1];
		for (size_t i = 0; i < n + 2; i++)
			r.label[i] = !i ? xasprintf("<%lld", (long long)f->low) : i == n + 1 ? xasprintf(">%lld", (long long)f->high) :
				     xasprintf("%lld", (long long)((uint64_t)f->low + (i - 1) * (uint64_t)f->width));
		show(out, &r);
	}
	for (size_t i = 0; i < n + 2; i++)
		free(r.label[i]);
	free(r.label);
}
