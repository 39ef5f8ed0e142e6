// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/openmetrics.h"
#include <string.h>

static void add_label(struct str *s, const char *name, const char *value)
{
	str_addf(s, "%s%s=\"", s->buf[s->len - 1] == '{' ? "" : ",", name);
	str_add_slashed(s, value);
	str_addc(s, '"');
}

static void add_labels(struct str *s, const struct stat_table *t, size_t event, size_t bucket, const char *unit)
{
	const struct stat_bucket *b = &t->buckets.at[bucket];
	str_addc(s, '{');
	add_label(s, "event", t->events->at[event].name);
	if (unit && *unit)
		add_label(s, "unit", unit);
	if (t->aggr == STAT_CPU) {
		str_addf(s, ",cpu=\"%d\"", b->cpu);
	} else if (b->label && *b->label) {
		add_label(s, t->aggr == STAT_THREAD ? "thread" : "place", b->label);
	}
	str_add(s, "} ");
}

static void add_counts(struct str *s, const struct stat_table *t)
{
	str_add(s, "# TYPE sonde_events counter\n# HELP sonde_events Events counted since the start, scaled up where counters took turns.\n");
	for (size_t e = 0; e < t->events->n; e++)
		for (size_t b = 0; b < t->buckets.n; b++) {
			const struct stat_cell *c = stat_cell(t, e, b);
			const char *unit = NULL;
			bool fraction = false;
			if (!c || !stat_counted(c))
				continue;
			double v = stat_display(&t->events->at[e], c->value.mean, &unit, &fraction);
			str_add(s, "sonde_events_total");
			add_labels(s, t, e, b, unit);
			str_addf(s, fraction ? "%.6f\n" : "%.0f\n", v);
		}
}

static void add_shares(struct str *s, const struct stat_table *t)
{
	str_add(s, "# TYPE sonde_event_running_ratio gauge\n"
		   "# HELP sonde_event_running_ratio How much of the time the event was really counted.\n");
	for (size_t e = 0; e < t->events->n; e++)
		for (size_t b = 0; b < t->buckets.n; b++) {
			const struct stat_cell *c = stat_cell(t, e, b);
			if (!c)
				continue;
			str_add(s, "sonde_event_running_ratio");
			add_labels(s, t, e, b, NULL);
			str_addf(s, "%.4f\n", stat_counted(c) ? stat_running_percent(c) / 100 : 0.0);
		}
}

void openmetrics_add(struct str *s, const struct stat_table *total, double elapsed)
{
	add_counts(s, total);
	add_shares(s, total);
	str_addf(s, "# TYPE sonde_elapsed_seconds counter\n# UNIT sonde_elapsed_seconds seconds\n"
		    "# HELP sonde_elapsed_seconds How long it has been counting.\nsonde_elapsed_seconds_total %.3f\n# EOF\n", elapsed);
}
