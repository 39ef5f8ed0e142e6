// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/export.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/recorded.h"
#include "base/error.h"

/* ---- events and names ---- */

static const char *unit_of(const struct perfdata_event *e)
{
	bool software = e->attr.type == PERF_TYPE_SOFTWARE;
	if (software && (e->attr.config == PERF_COUNT_SW_CPU_CLOCK || e->attr.config == PERF_COUNT_SW_TASK_CLOCK))
		return "nanoseconds";
	return !strcmp(e->name, "offcpu-time") ? "nanoseconds" : "count";
}

static bool is_wanted(const struct exporter *x, int event)
{
	const wordlist *words = x->o->events;
	for (size_t i = 0; words && i < words->n; i++)
		if (recorded_is_event(x->data, event, words->at[i]))
			return true;
	return !words || !words->n;
}

struct export_event *export_event_of(struct exporter *x, int event)
{
	while (x->event.n <= (size_t)event)
		vec_push(&x->event);
	struct export_event *e = &x->event.at[event];
	if (e->wanted == WANT_UNKNOWN) { /* a pipe tells its events as it goes */
		struct str s = STR_INIT;
		str_add_safez(&s, perfdata_event_at(x->data, event)->name);
		e->name = str_detach(&s);
		e->unit = unit_of(perfdata_event_at(x->data, event));
		e->wanted = is_wanted(x, event) ? WANT_YES : WANT_NO;
	}
	return e;
}

bool export_clock_unit(const struct export_event *e)
{
	return !strcmp(e->unit, "nanoseconds");
}

const char *export_frame_name(const struct place *at, struct str *room)
{
	if (at->sym)
		return at->sym;
	if (!at->dso || !at->dso->name)
		return "[unknown]";
	if (*at->dso->name == '[')
		return at->dso->name;
	str_clear(room);
	str_addf(room, "[%s]", at->dso->name);
	return room->buf;
}

uint64_t export_wall(const struct exporter *x, uint64_t time)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	return i->has_clock && i->clock_wall_ns ? i->clock_wall_ns + (time - i->clock_ns) : 0;
}

const char *export_command(struct exporter *x, const struct thread *t)
{
	return t->pid == t->tid ? t->comm : session_thread(x->profile->session, t->pid, t->pid)->comm;
}

/* ---- reading ---- */

static int take_sample(void *ctx, const struct perfdata_record *r, const struct thread *t, uint32_t stack)
{
	struct exporter *x = ctx;
	struct export_event *e = export_event_of(x, r->event_index);
	if (x->error || e->wanted == WANT_NO)
		return x->error;
	if (x->single < 0)
		x->single = r->event_index;
	if (x->format->one_event && x->single != r->event_index) {
		x->left_out++;
		return 0;
	}
	if (r->time < x->first)
		x->first = r->time;
	if (r->time > x->last)
		x->last = r->time;
	x->samples++;
	e->samples++;
	e->weight += r->period;
	return x->format->sample(x, &(struct export_sample){ r, t, stack });
}

static void take_record(void *ctx, const struct perfdata_record *r)
{
	struct exporter *x = ctx;
	if (x->format->record && !x->error)
		x->error = x->format->record(x, r);
}

static int read_all(struct exporter *x, struct symbols *syms)
{
	struct layout none = { 0 };
	struct profile_sink sink = { take_sample, take_record, x };
	bool chains = recorded_has_chains(x->data);
	struct profile_options po = { .sink = &sink, .max_stack = x->o->max_stack, .inlines = x->o->inlines, .chains = chains,
		.symbols = x->o->symbols && x->o->symbols->n ? x->o->symbols : NULL, .filter = x->o->filter };
	x->profile = profile_new(x->data, syms, &none, &po);
	x->profile->places.locations = x->profile->places.by_address = true;
	session_header(x->profile->session, x->data);
	int err = x->format->begin ? x->format->begin(x) : 0;
	x->begun = !err;
	if (!err)
		err = profile_read(x->profile);
	if (!err)
		err = x->error;
	x->lost = perfdata_lost(x->data);
	return err;
}

int export_run(struct exporter *x, struct symbols *syms, struct out *out, struct str *memory)
{
	x->state = xcalloc(1, x->format->state ? x->format->state : 1);
	x->first = UINT64_MAX;
	x->single = -1;
	str_init(&x->text);
	sink_init(&x->sink, out, memory, x->format->gzip || x->gzip);
	int err = read_all(x, syms);
	/* What a damaged recording holds up to there is written all the same. */
	int ended = x->format->end(x, x->begun && !(out && out->err)), last = sink_end(&x->sink);
	return err ? err : ended ? ended : last;
}

void export_say(const struct exporter *x)
{
	if (x->format->one_event && x->single >= 0) {
		const struct export_event *e = &x->event.at[x->single];
		note(0, "%s: the weight is %s, in %s", x->format->name, e->name, !strcmp(e->unit, "count") ? "events" : e->unit);
	}
	if (x->left_out) {
		warn("%llu samples of other events are left out: %s holds one weight", (unsigned long long)x->left_out, x->format->name);
		hint("--event NAME chooses which; sonde evlist shows them");
	}
	if (x->lost)
		warn("the recording lost %llu events, which are not in the export either", (unsigned long long)x->lost);
	if (!x->samples)
		warn("no sample is in the export: the recording has none that was asked for");
}

void export_release(struct exporter *x)
{
	vec_each(&x->event, e)
		free((char *)e->name);
	vec_release(&x->event);
	profile_free(x->profile);
	str_release(&x->text);
	free(x->state);
}
