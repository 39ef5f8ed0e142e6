// SPDX-License-Identifier: GPL-2.0-or-later
/* pprof's profile.proto: sums by stack, with thread, command and CPU as labels. Each event has two values: how many
 * samples, and what they weigh. Addresses are those of the files, each of which is mapped from 0 on: so that pprof finds
 * the code of a function in the file itself, whatever process it was sampled in. */
#include <stdio.h>
#include <stdlib.h>
#include "ui/export/formats.h"
#include "ui/export/pb.h"
#include "ui/export/sums.h"
#include "ui/export/tables.h"

/* Field numbers as profile.proto (github.com/google/pprof) publishes them. */
enum { P_SAMPLE_TYPE = 1, P_SAMPLE, P_MAPPING, P_LOCATION, P_FUNCTION, P_STRING, P_TIME = 9, P_DURATION, P_PERIOD_TYPE, P_PERIOD,
       P_COMMENT, P_DEFAULT_TYPE };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR };
enum { MAP_ID = 1, MAP_START, MAP_LIMIT, MAP_OFFSET, MAP_FILE, MAP_BUILD_ID, MAP_FUNCTIONS, MAP_FILES, MAP_LINES, MAP_INLINES };
enum { LOC_ID = 1, LOC_MAP, LOC_ADDRESS, LOC_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNC_ID = 1, FUNC_NAME, FUNC_SYSTEM_NAME, FUNC_FILE };

struct pprof {
	struct export_sums sums;
	struct export_tables t;
	VEC(int) events; /* those with samples; each has two values */
};

static int pprof_sample(struct exporter *x, const struct export_sample *s)
{
	struct pprof *p = x->state;
	sums_add(&p->sums, x, s);
	return 0;
}

static void add_type(struct str *s, unsigned field, uint32_t name, uint32_t unit)
{
	size_t at = pb_open(s, field);
	pb_num(s, TYPE_NAME, name);
	pb_num(s, TYPE_UNIT, unit);
	pb_close(s, at);
}

static void find_events(struct exporter *x)
{
	struct pprof *p = x->state;
	for (size_t i = 0; i < x->event.n; i++)
		if (x->event.at[i].samples)
			*vec_push(&p->events) = i;
}

static uint32_t sample_type_name(struct exporter *x, int event)
{
	struct pprof *p = x->state;
	struct str s = STR_INIT;
	str_addf(&s, p->events.n > 1 ? "%s_samples" : "samples", x->event.at[event].name);
	uint32_t id = tables_text(&p->t, s.buf);
	str_release(&s);
	return id;
}

static void add_head(struct exporter *x, struct str *s)
{
	struct pprof *p = x->state;
	const struct perfdata_info *info = perfdata_info(x->data);
	vec_each(&p->events, e) {
		const struct export_event *ev = &x->event.at[*e];
		add_type(s, P_SAMPLE_TYPE, sample_type_name(x, *e), tables_text(&p->t, "count"));
		add_type(s, P_SAMPLE_TYPE, tables_text(&p->t, ev->name), tables_text(&p->t, ev->unit));
	}
	if (!p->events.n)
		add_type(s, P_SAMPLE_TYPE, tables_text(&p->t, "samples"), tables_text(&p->t, "count"));
	if (p->events.n) {
		const struct export_event *ev = &x->event.at[p->events.at[0]];
		const struct perf_event_attr *a = &perfdata_event_at(x->data, p->events.at[0])->attr;
		pb_num(s, P_DEFAULT_TYPE, tables_text(&p->t, ev->name));
		add_type(s, P_PERIOD_TYPE, tables_text(&p->t, ev->name), tables_text(&p->t, ev->unit));
		pb_num(s, P_PERIOD, !a->freq ? a->sample_period : a->sample_freq && export_clock_unit(ev) ? 1000000000 / a->sample_freq : 1);
		pb_num(s, P_TIME, export_wall(x, x->first) ? export_wall(x, x->first) : info->captured_at * 1000000000);
		pb_num(s, P_DURATION, x->last - x->first);
	}
	if (info->hostname) {
		struct str where = STR_INIT;
		str_addf(&where, "recorded on %s", info->hostname);
		pb_num(s, P_COMMENT, tables_text(&p->t, where.buf));
		str_release(&where);
	}
	if (x->lost) {
		struct str lost = STR_INIT;
		str_addf(&lost, "%llu events were lost while recording", (unsigned long long)x->lost);
		pb_num(s, P_COMMENT, tables_text(&p->t, lost.buf));
		str_release(&lost);
	}
}

static void add_label(struct export_tables *t, struct str *s, const char *key, uint32_t text)
{
	size_t at = pb_open(s, SAMPLE_LABEL);
	pb_num(s, LABEL_KEY, tables_text(t, key));
	pb_num(s, LABEL_STR, text);
	pb_close(s, at);
}

/* As text: a label that is the number 0 is none to pprof. */
static void add_number(struct export_tables *t, struct str *s, const char *key, int number)
{
	char buf[16];
	snprintf(buf, sizeof(buf), "%d", number);
	add_label(t, s, key, tables_text(t, buf));
}

/* "name (tid)": several threads of a program are hardly told apart by their names. */
static uint32_t thread_text(struct export_tables *t, const struct export_who *w)
{
	struct str s = STR_INIT;
	str_addf(&s, "%s (%d)", w->comm, w->tid);
	uint32_t id = tables_text(t, s.buf);
	str_release(&s);
	return id;
}

static void add_labels(struct export_tables *t, struct str *s, const struct export_who *w)
{
	add_label(t, s, "command", tables_string(t, w->command));
	add_label(t, s, "thread", thread_text(t, w));
	add_number(t, s, "pid", w->pid);
	add_number(t, s, "tid", w->tid);
	if (w->cpu >= 0)
		add_number(t, s, "cpu", w->cpu);
}

/* The sums from at on that are of one stack and one who; how many they are. */
static size_t add_sample(struct pprof *p, struct str *s, const struct export_sum *at, const struct export_sum *end, const struct str *labels)
{
	uint32_t room[256], depth = stack_depth(p->t.stacks, at->stack);
	uint32_t *loc = depth > 256 ? xmalloc(depth * sizeof(*loc)) : room;
	size_t n = 0, sample = pb_open(s, P_SAMPLE), list = pb_open(s, SAMPLE_LOCATION);
	depth = tables_stack(&p->t, at->stack, loc);
	for (uint32_t i = 0; i < depth; i++)
		pb_varint(s, loc[i]);
	pb_close(s, list);
	list = pb_open(s, SAMPLE_VALUE);
	vec_each(&p->events, e) {
		bool has = at + n < end && at[n].stack == at->stack && at[n].who == at->who && at[n].event == *e;
		pb_varint(s, has ? at[n].samples : 0);
		pb_varint(s, has ? at[n].weight : 0);
		n += has;
	}
	pb_close(s, list);
	str_add_bytes(s, labels[at->who].buf, labels[at->who].len);
	pb_close(s, sample);
	if (loc != room)
		free(loc);
	return n;
}

static int add_samples(struct exporter *x)
{
	struct pprof *p = x->state;
	struct str *labels = xcalloc(p->sums.who.n + 1, sizeof(*labels));
	const struct export_sum *end = p->sums.sum.at + p->sums.sum.n;
	int err = 0;
	for (size_t i = 0; i < p->sums.who.n; i++) {
		str_init(&labels[i]);
		add_labels(&p->t, &labels[i], &p->sums.who.at[i]);
	}
	for (const struct export_sum *at = p->sums.sum.at; at < end && !err;) {
		at += add_sample(p, &x->text, at, end, labels);
		err = sink_str(&x->sink, &x->text);
	}
	for (size_t i = 0; i < p->sums.who.n; i++)
		str_release(&labels[i]);
	free(labels);
	return err;
}

static void add_mapping(const struct table_mapping *m, struct str *s, size_t id)
{
	size_t at = pb_open(s, P_MAPPING);
	pb_u64(s, MAP_ID, id);
	pb_u64(s, MAP_LIMIT, m->limit);
	pb_num(s, MAP_FILE, m->path);
	pb_num(s, MAP_BUILD_ID, m->build_id);
	pb_num(s, MAP_FUNCTIONS, m->functions);
	pb_num(s, MAP_FILES, m->files);
	pb_num(s, MAP_LINES, m->files);
	pb_num(s, MAP_INLINES, m->inlines);
	pb_close(s, at);
}

/* The program: the file called as the command with most of the samples; 0: there is none. */
static size_t main_mapping(const struct pprof *p)
{
	uint64_t *samples = xcalloc(p->sums.who.n + 1, sizeof(*samples)), most = 0;
	const char *command = "";
	vec_each(&p->sums.sum, s)
		if ((samples[s->who] += s->samples) > most) {
			most = samples[s->who];
			command = p->sums.who.at[s->who].command;
		}
	free(samples);
	for (size_t i = 1; *command && i < p->t.mapping.n; i++) {
		const struct dso *d = p->t.mapping.at[i].dso;
		if (!d->kernel && d->name && str_starts(d->name, command))
			return i;
	}
	return 0;
}

/* The first one gives the profile its name. */
static void add_mappings(const struct pprof *p, struct str *s)
{
	size_t first = main_mapping(p);
	if (first)
		add_mapping(&p->t.mapping.at[first], s, first);
	for (size_t i = 1; i < p->t.mapping.n; i++)
		if (i != first)
			add_mapping(&p->t.mapping.at[i], s, i);
}

static void add_location(struct export_tables *t, struct str *s, uint32_t id)
{
	const struct table_location *l = &t->location.at[id];
	size_t at = pb_open(s, P_LOCATION);
	pb_u64(s, LOC_ID, id);
	pb_num(s, LOC_MAP, l->mapping);
	pb_num(s, LOC_ADDRESS, l->address);
	for (uint32_t i = 0; i < l->n_lines; i++) {
		size_t line = pb_open(s, LOC_LINE);
		pb_u64(s, LINE_FUNCTION, t->line.at[l->line + i].function);
		pb_num(s, LINE_LINE, t->line.at[l->line + i].line);
		pb_close(s, line);
	}
	pb_close(s, at);
}

static void add_function(struct export_tables *t, struct str *s, uint32_t id)
{
	const struct table_function *f = &t->function.at[id];
	size_t at = pb_open(s, P_FUNCTION);
	pb_u64(s, FUNC_ID, id);
	pb_num(s, FUNC_NAME, f->name);
	pb_num(s, FUNC_SYSTEM_NAME, f->name);
	pb_num(s, FUNC_FILE, f->file);
	pb_close(s, at);
}

static int add_tables(struct exporter *x)
{
	struct export_tables *t = &((struct pprof *)x->state)->t;
	struct str *s = &x->text;
	int err = 0;
	add_mappings(x->state, s);
	for (size_t i = 1; i < t->location.n && !err; i++) {
		add_location(t, s, i);
		err = sink_str(&x->sink, s);
	}
	for (size_t i = 1; i < t->function.n && !err; i++) {
		add_function(t, s, i);
		err = sink_str(&x->sink, s);
	}
	for (size_t i = 0; i < t->string.n && !err; i++) {
		pb_bytes(s, P_STRING, t->string.at[i], strlen(t->string.at[i]));
		err = sink_str(&x->sink, s);
	}
	return err;
}

static int pprof_write(struct exporter *x)
{
	struct pprof *p = x->state;
	sums_sort(&p->sums);
	find_events(x);
	add_head(x, &x->text);
	return sink_str(&x->sink, &x->text) ?: add_samples(x) ?: add_tables(x);
}

static int pprof_end(struct exporter *x, bool write)
{
	struct pprof *p = x->state;
	tables_init(&p->t, &x->profile->places, &x->profile->stacks);
	int err = write ? pprof_write(x) : 0;
	tables_release(&p->t);
	sums_release(&p->sums);
	vec_release(&p->events);
	return err;
}

const struct export_format export_pprof = { .name = "pprof", .what = "pprof's profile.proto, packed, for go tool pprof, Pyroscope, Parca",
	.suffix = "pb.gz", .binary = true, .pushed = true, .gzip = true, .state = sizeof(struct pprof), .sample = pprof_sample, .end = pprof_end };
