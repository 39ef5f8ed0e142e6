// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording as a fold: the buckets that `report` makes its lines of. Places are the frames, under the same numbers, so
 * that the profile's stacks are the fold's. */
#include <errno.h>
#include "analysis/flame/stackfold.h"
#include "analysis/recorded.h"
#include "base/error.h"

struct slots { int comm, tid, cpu, time; };

/* ---- what the weights count ---- */

static bool is_time(const struct perfdata_event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE &&
	       (e->attr.config == PERF_COUNT_SW_CPU_CLOCK || e->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

static void name_event(struct stackfold *f, const struct perfdata_event *e)
{
	struct str unit = STR_INIT;
	double scale = 1;
	if (str_starts(e->name, "offcpu-time")) {
		str_add(&unit, "ms blocked");
		scale = 1e-6;
	} else if (is_time(e)) {
		str_add(&unit, "ms of CPU");
		scale = 1e-6;
	} else if (e->attr.type == PERF_TYPE_TRACEPOINT) {
		str_add(&unit, "events");
	} else {
		str_add(&unit, e->name);
		char *modifier = strrchr(unit.buf, ':');
		if (modifier && modifier > unit.buf && !strchr(modifier, '/'))
			str_clear(&unit), str_addn(&unit, e->name, modifier - unit.buf);
	}
	stackfold_add_event(f, e->name, unit.buf, scale);
	str_release(&unit);
}

/* ---- places as frames ---- */

static enum frame_kind kind_of(const struct place *p)
{
	if (p->level == 'k')
		return FRAME_KERNEL;
	if (p->inlined)
		return FRAME_INLINED;
	if (p->dso && p->dso->jit)
		return FRAME_JIT;
	return p->dso || p->level == '.' ? FRAME_USER : FRAME_OTHER;
}

static const char *name_of(struct places *all, const struct place *p)
{
	if (p->sym)
		return p->sym;
	if (!p->dso)
		return "[unknown]";
	if (*p->dso->name == '[')
		return p->dso->name;
	char *z = xasprintf("[%s]", p->dso->name);
	const char *name = places_intern(all, z, strlen(z));
	free(z);
	return name;
}

static void make_frames(struct stackfold *f)
{
	struct places *all = &f->profile->places;
	f->frame.n = 0;
	for (size_t i = 0; i < all->at.n; i++) {
		const struct place *p = &all->at.at[i];
		*vec_push(&f->frame) = (struct fold_frame){ name_of(all, p), p, kind_of(p) };
	}
}

/* ---- contexts as keys ---- */

static struct slots slots_of(const struct layout *l)
{
	struct slots s = { -1, -1, -1, -1 };
	vec_each(&l->col, c) {
		int *at = c->kind != COLUMN_KEY ? NULL : c->row->key == KEY_COMM ? &s.comm : c->row->key == KEY_TID ? &s.tid :
			  c->row->key == KEY_CPU ? &s.cpu : c->row->key == KEY_TIME ? &s.time : NULL;
		if (at)
			*at = c->slot;
	}
	return s;
}

static struct fold_key key_of(const struct stackfold *f, const struct slots *s, const struct bucket *b, int event)
{
	const struct fold *from = &f->profile->fold;
	const struct hist_value *v = &from->value.at[(size_t)(b->context - 1) * from->layout->n_slot];
	const struct thread *t = b->thread;
	return (struct fold_key){ .event = event, .pid = t ? t->pid : -1, .tid = (int)v[s->tid].v, .cpu = (int)(int64_t)v[s->cpu].v,
				  .comm = v[s->comm].text ? v[s->comm].text : "", .time = s->time >= 0 ? v[s->time].v : 0 };
}

/* Of an event without periods each sample counts. */
static bool counts_samples(const struct hist *h)
{
	vec_each(&h->bucket, b)
		if (b->period)
			return false;
	return true;
}

static void take_buckets(struct stackfold *f, const struct slots *s, int event)
{
	struct hist *h = profile_hist(f->profile, event);
	bool samples = h->bucket.n && counts_samples(h);
	if (samples) {
		f->event.at[event].unit = "samples";
		f->event.at[event].scale = 1;
	}
	vec_each(&h->bucket, b) {
		uint32_t stack = b->stack;
		if (b->filtered)
			continue;
		if (!stack)
			stack = stacks_push(&f->profile->stacks, 0, b->place);
		struct fold_key k = key_of(f, s, b, event);
		stackfold_add(f, stack, stackfold_key(f, &k), samples ? b->n : b->period, b->n);
	}
}

/* ---- reading ---- */

struct gap_finder { struct stackfold *f; VEC(uint64_t) last; /* by CPU: when its last record was */ };

/* Where it ends is known, where it began is behind what was there before it. */
static void note_gap(struct gap_finder *rd, const struct perfdata_record *r, uint64_t before)
{
	struct stackfold *f = rd->f;
	const struct fold_gap *g = f->gap.n ? vec_last(&f->gap) : NULL;
	if (!r->time || (g && r->time / f->quantum == g->to / f->quantum) || !filter_time(f->profile->o.filter, r->time))
		return;
	*vec_push(&f->gap) = (struct fold_gap){ before ? before : r->time, r->time };
}

static void look(struct gap_finder *rd, const struct perfdata_record *r)
{
	enum { MOST_CPUS = 65536 };
	size_t cpu = r->cpu >= 0 && r->cpu < MOST_CPUS ? (size_t)r->cpu : 0;
	while (rd->last.n <= cpu)
		*vec_push(&rd->last) = 0;
	if (r->header->type == PERF_RECORD_LOST)
		note_gap(rd, r, rd->last.at[cpu]);
	if (r->time)
		rd->last.at[cpu] = r->time;
}

static int read_all(struct stackfold *f, struct perfdata *p)
{
	struct gap_finder rd = { .f = f };
	struct perfdata_record r;
	bool spans = f->quantum != QUANTUM_NONE && f->quantum != QUANTUM_EXACT;
	int err, fed = 0;
	while (!fed && (err = perfdata_next(p, &r)) > 0) {
		if (spans)
			look(&rd, &r);
		fed = profile_feed(f->profile, &r);
	}
	vec_release(&rd.last);
	return fed ? fed : err;
}

/* ---- all of it ---- */

uint64_t stackfold_quantum(const struct perfdata *p, unsigned n)
{
	const struct perfdata_info *i = perfdata_info(p);
	if (!i || i->last_sample <= i->first_sample)
		return QUANTUM_NONE;
	uint64_t q = (i->last_sample - i->first_sample) / n;
	return q ? q : 1;
}

static struct profile *make_profile(struct stackfold *f, struct perfdata *p, struct symbols *syms, const struct stackfold_options *o)
{
	struct profile_options po = { .max_stack = o->max_stack, .inlines = o->inlines, .filter = o->filter,
		.chains = recorded_has_chains(p), .symbols = o->symbols && o->symbols->n ? o->symbols : NULL, .time_quantum = o->quantum };
	struct layout_options lo = { .sort = o->quantum == QUANTUM_NONE ? "comm,tid,cpu" : "comm,tid,cpu,time", .def = "comm" };
	if (layout_make(&f->layout, &lo))
		return NULL;
	struct profile *pr = profile_new(p, syms, &f->layout, &po);
	pr->places.by_line |= o->by_line;
	pr->places.by_address = o->by_address;
	session_header(pr->session, p);
	return pr;
}

struct stackfold *stackfold_of_recording(struct perfdata *p, struct symbols *syms, const struct stackfold_options *o)
{
	struct stackfold *f = stackfold_new();
	f->profile = make_profile(f, p, syms, o);
	f->quantum = o->quantum;
	if (!f->profile || read_all(f, p)) {
		stackfold_free(f);
		return NULL;
	}
	struct slots s = slots_of(&f->layout);
	f->stacks = &f->profile->stacks;
	f->keyed = true;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		name_event(f, perfdata_event_at(p, i));
		take_buckets(f, &s, i);
	}
	make_frames(f);
	f->lost = perfdata_lost(p);
	f->truncated = f->profile->truncated_stacks;
	return f;
}
