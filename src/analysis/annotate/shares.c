// SPDX-License-Identifier: GPL-2.0-or-later
/* What a line of a listing has of the samples. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/annotate/listing.h"
#include "base/error.h"

static const char *const type_names[] = { "local period", "local hits", "global period", "global hits" };

const char *percent_type_name(enum percent_type t)
{
	return type_names[t];
}

int percent_type_parse(const char *word, enum percent_type *out)
{
	for (int i = 0; i < 4; i++) { /* "period-local" is good as well */
		char *z = xstrdup(type_names[i]), *blank = strchr(z, ' ');
		*blank = 0;
		char *one = xasprintf("%s-%s", z, blank + 1), *other = xasprintf("%s-%s", blank + 1, z);
		bool same = !strcmp(word, one) || !strcmp(word, other);
		free(z);
		free(one);
		free(other);
		if (same) {
			*out = i;
			return 0;
		}
	}
	error_set(EINVAL, "'%s' is nothing that a percentage can be of", word);
	return error_hint("--percent-type is local-period, local-hits, global-period or global-hits");
}

struct hit listing_hit(const struct code_listing *l, const struct listing_line *line, int event)
{
	return line->code ? l->hit.at[line->hit + event] : (struct hit){ 0, 0 };
}

double listing_percent(const struct code_listing *l, const struct listing_line *line, int event, enum percent_type type)
{
	struct hit h = listing_hit(l, line, event);
	bool local = type == PERCENT_LOCAL_PERIOD || type == PERCENT_LOCAL_HITS, hits = type == PERCENT_LOCAL_HITS || type == PERCENT_GLOBAL_HITS;
	struct hit all = local ? l->fn->sum.at[event] : l->hits->total.at[event];
	uint64_t part = hits ? h.n : h.period, whole = hits ? all.n : all.period;
	return whole ? 100.0 * part / whole : 0;
}

char *listing_place(const struct code_listing *l, const struct listing_line *line, bool full_path)
{
	(void)l;
	if (!line->source)
		return xstrdup("??:0");
	const char *base = full_path ? NULL : strrchr(line->source, '/');
	struct str s = STR_INIT;
	str_add_safez(&s, base ? base + 1 : line->source);
	str_addf(&s, ":%d", line->source_line);
	return str_detach(&s);
}

static double max_percent(const struct code_listing *l, const struct listing_line *line, const int *events, int n, enum percent_type type)
{
	double max = 0;
	for (int i = 0; i < n; i++) {
		double p = listing_percent(l, line, events[i], type);
		max = p > max ? p : max;
	}
	return max;
}

static int by_place(const void *a, const void *b) /* from the last on, which is how equal ones stay */
{
	return strcmp((*(struct source_share *const *)b)->place, (*(struct source_share *const *)a)->place);
}

static int by_percent(const void *a, const void *b, void *n)
{
	const struct source_share *x = *(struct source_share *const *)a, *y = *(struct source_share *const *)b;
	for (int i = 0; i < *(int *)n; i++)
		if (x->percent[i] != y->percent[i])
			return x->percent[i] > y->percent[i] ? -1 : 1;
	return by_place(a, b);
}

static void add_share(source_shares *out, char *place, const struct code_listing *l, const struct listing_line *line, const int *events, int n,
		      enum percent_type type)
{
	struct source_share *s = NULL;
	vec_each(out, at)
		if (!strcmp((*at)->place, place))
			s = *at;
	if (s) {
		free(place);
	} else {
		s = *vec_push(out) = xcalloc(1, sizeof(*s) + n * sizeof(double));
		s->place = place;
	}
	for (int i = 0; i < n; i++)
		s->percent[i] += listing_percent(l, line, events[i], type);
}

void listing_shares(const struct code_listing *l, const int *events, int n, enum percent_type type, bool full_path, source_shares *out)
{
	vec_each(&l->line, line)
		if (line->code && max_percent(l, line, events, n, type) > 0.5)
			add_share(out, listing_place(l, line, full_path), l, line, events, n, type);
	if (out->n)
		qsort_r(out->at, out->n, sizeof(*out->at), by_percent, &n);
}

void source_shares_release(source_shares *s)
{
	vec_each(s, at) {
		free((*at)->place);
		free(*at);
	}
	vec_release(s);
}
