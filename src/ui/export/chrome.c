// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace event format of chrome://tracing, in JSON. Samples are marks that say what they weigh and name their stack by
 * number; the stacks come at the end, as a tree of frames. Of context switches the CPUs have slices, as if they were
 * threads of a process that cannot be; system calls are slices of their thread, other tracepoints marks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/json.h"
#include "ui/export/formats.h"
#include "ui/export/tracks.h"

enum { CPUS_PID = 1 << 22 | 1 /* above the highest that Linux gives */, MOST_CPUS = 65536 };

struct chrome {
	struct tracks tracks;
	struct json j;
	bool some; /* an event was written */
	struct u64map threads, processes; /* to the name that was told last */
	VEC(uint8_t) running; /* by CPU: a slice is open */
	VEC(uint8_t) stack; /* it is referred to */
	struct str room;
};

static int send(struct exporter *x)
{
	return sink_str(&x->sink, &x->text);
}

static struct json *open_event(struct exporter *x, char phase, const char *name, uint64_t time, int64_t pid, int64_t tid)
{
	struct chrome *c = x->state;
	struct json *j = &c->j;
	str_add(&x->text, c->some ? ",\n" : "\n");
	c->some = true;
	json_init(j, &x->text);
	json_open(j, '{');
	json_kstr(j, "ph", (char[]){ phase, 0 });
	if (name)
		json_kstr(j, "name", name);
	json_key(j, "ts");
	str_addf(&x->text, "%" PRIu64 ".%03u", time / 1000, (unsigned)(time % 1000)); /* after the key, without a comma */
	j->after_key = false;
	json_ks64(j, "pid", pid);
	json_ks64(j, "tid", tid);
	return j;
}

static void open_args(struct json *j)
{
	json_key(j, "args");
	json_open(j, '{');
}

static void close_args(struct json *j)
{
	json_close(j, '}');
	json_close(j, '}');
}

static void name_it(struct exporter *x, const char *what, const char *name, int64_t pid, int64_t tid)
{
	struct json *j = open_event(x, 'M', what, 0, pid, tid);
	struct str s = STR_INIT;
	str_add_safez(&s, name);
	open_args(j);
	json_kstr(j, "name", s.buf);
	close_args(j);
	str_release(&s);
}

static int chrome_begin(struct exporter *x)
{
	struct chrome *c = x->state;
	str_init(&c->room);
	str_add(&x->text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return send(x);
}

static void meet(struct exporter *x, const struct thread *t)
{
	struct chrome *c = x->state;
	const char *command = export_command(x, t);
	if (u64map_get(&c->processes, (uint32_t)t->pid) != command) {
		u64map_set(&c->processes, (uint32_t)t->pid, (void *)command);
		name_it(x, "process_name", command, t->pid, t->pid);
	}
	if (u64map_get(&c->threads, (uint32_t)t->tid) != t->comm) {
		u64map_set(&c->threads, (uint32_t)t->tid, (void *)t->comm);
		name_it(x, "thread_name", t->comm, t->pid, t->tid);
	}
}

/* ---- what happens ---- */

static void add_sample(struct exporter *x, const struct export_sample *s)
{
	struct chrome *c = x->state;
	const struct export_event *e = export_event_of(x, s->r->event_index);
	const struct stacks *stacks = &x->profile->stacks;
	struct str name = STR_INIT;
	str_add_safez(&name, export_frame_name(place_at(&x->profile->places, stacks->at.at[s->stack].place), &c->room));
	struct json *j = open_event(x, 'i', name.buf, s->r->time, s->t->pid, s->t->tid);
	json_kstr(j, "s", "t");
	json_kstr(j, "cat", e->name);
	json_ku64(j, "sf", s->stack);
	open_args(j);
	json_ku64(j, e->unit, s->r->period);
	if (s->r->cpu >= 0)
		json_ks64(j, "cpu", s->r->cpu);
	close_args(j);
	str_release(&name);
	while (c->stack.n <= s->stack)
		*vec_push(&c->stack) = 0;
	for (uint32_t at = s->stack; at && !c->stack.at[at]; at = stacks->at.at[at].parent)
		c->stack.at[at] = 1;
}

static void add_fields(struct exporter *x, const struct track *k, const struct perfdata_record *r)
{
	struct chrome *c = x->state;
	struct track_value v;
	open_args(&c->j);
	for (size_t cursor = 0; track_value(k, r, &cursor, &c->room, &v);)
		if (v.text)
			json_kstr(&c->j, v.name, v.text);
		else if (v.is_signed)
			json_ks64(&c->j, v.name, v.number);
		else
			json_ku64(&c->j, v.name, v.number);
	close_args(&c->j);
}

static uint8_t *running_on(struct exporter *x, int cpu)
{
	struct chrome *c = x->state;
	char name[32];
	size_t i = cpu >= 0 && cpu < MOST_CPUS ? cpu : 0;
	while (c->running.n <= i) {
		if (!c->running.n)
			name_it(x, "process_name", "CPUs", CPUS_PID, CPUS_PID);
		snprintf(name, sizeof(name), "CPU %zu", c->running.n);
		name_it(x, "thread_name", name, CPUS_PID, CPUS_PID + (int64_t)c->running.n);
		*vec_push(&c->running) = 0;
	}
	return &c->running.at[i];
}

static void add_switch(struct exporter *x, const struct track *k, const struct perfdata_record *r)
{
	uint8_t *running = running_on(x, r->cpu);
	int64_t tid = CPUS_PID + (r->cpu > 0 ? r->cpu : 0);
	struct json *j;
	if (*running) {
		j = open_event(x, 'E', NULL, r->time, CPUS_PID, tid);
		open_args(j);
		json_ku64(j, "state", track_number(k, r, SWITCH_PREV_STATE));
		close_args(j);
	}
	*running = track_number(k, r, SWITCH_NEXT_PID) != 0;
	if (!*running)
		return;
	struct str name = STR_INIT;
	track_text(k, r, SWITCH_NEXT_COMM, &name);
	j = open_event(x, 'B', name.buf, r->time, CPUS_PID, tid);
	json_kstr(j, "cat", "sched");
	open_args(j);
	json_ks64(j, "tid", track_number(k, r, SWITCH_NEXT_PID));
	json_ks64(j, "prio", track_number(k, r, SWITCH_NEXT_PRIO));
	close_args(j);
	str_release(&name);
}

static void add_frequency(struct exporter *x, const struct track *k, const struct perfdata_record *r)
{
	char name[40];
	snprintf(name, sizeof(name), "CPU %u frequency", (unsigned)track_number(k, r, FREQ_CPU));
	struct json *j = open_event(x, 'C', name, r->time, CPUS_PID, CPUS_PID);
	open_args(j);
	json_ku64(j, "kHz", track_number(k, r, FREQ_STATE));
	close_args(j);
}

static void add_call(struct exporter *x, const struct export_sample *s)
{
	struct sysevent e;
	const char *name;
	if (!track_whole_call(s->r, &e, &name))
		return;
	uint64_t from = e.enter_time ? e.enter_time : e.time;
	struct json *j = open_event(x, 'X', name, from, s->t->pid, s->t->tid);
	json_kstr(j, "cat", "system calls");
	json_key(j, "dur");
	str_addf(&x->text, "%" PRIu64 ".%03u", (e.time - from) / 1000, (unsigned)((e.time - from) % 1000));
	j->after_key = false;
	open_args(j);
	if (!e.no_return)
		json_ks64(j, "ret", e.ret);
	close_args(j);
}

static void add_point(struct exporter *x, const struct track *k, const struct export_sample *s, char phase)
{
	const char *name = phase == 'B' ? track_call(k, s->r) : phase == 'E' ? NULL : export_event_of(x, s->r->event_index)->name;
	struct json *j = open_event(x, phase, name, s->r->time, s->t->pid, s->t->tid);
	json_kstr(j, "cat", phase == 'i' ? "tracepoints" : "system calls");
	if (phase == 'i')
		json_kstr(j, "s", "t");
	add_fields(x, k, s->r);
}

static int chrome_sample(struct exporter *x, const struct export_sample *s)
{
	struct chrome *c = x->state;
	const struct track *k = track_of(&c->tracks, x, s->r->event_index);
	meet(x, s->t);
	if (k->kind == TRACK_SWITCH)
		add_switch(x, k, s->r);
	else if (k->kind == TRACK_FREQUENCY)
		add_frequency(x, k, s->r);
	else if (k->kind == TRACK_CALL)
		add_call(x, s);
	else if (k->kind != TRACK_SAMPLE)
		add_point(x, k, s, k->kind == TRACK_ENTER ? 'B' : k->kind == TRACK_EXIT ? 'E' : 'i');
	if (k->kind == TRACK_SAMPLE || s->r->n_chain || s->r->stack_size)
		add_sample(x, s);
	return send(x);
}

/* Where events were lost, over everything. */
static int chrome_record(struct exporter *x, const struct perfdata_record *r)
{
	uint64_t time, n;
	if (!track_lost(x, r, &time, &n))
		return 0;
	struct json *j = open_event(x, 'i', "events lost", time, CPUS_PID, CPUS_PID + (r->cpu > 0 ? r->cpu : 0));
	json_kstr(j, "s", "g");
	json_kstr(j, "cat", "lost");
	open_args(j);
	json_ku64(j, "lost", n);
	close_args(j);
	return send(x);
}

/* ---- the end ---- */

static int add_frames(struct exporter *x)
{
	struct chrome *c = x->state;
	const struct stacks *stacks = &x->profile->stacks;
	char id[24];
	int err = 0;
	json_init(&c->j, &x->text);
	json_open(&c->j, '{');
	for (size_t i = 1; i < c->stack.n && !err; i++) {
		const struct stack_node *n = &stacks->at.at[i];
		const struct place *at = place_at(&x->profile->places, n->place);
		struct str name = STR_INIT;
		if (!c->stack.at[i])
			continue;
		snprintf(id, sizeof(id), "%zu", i);
		json_key(&c->j, id);
		json_open(&c->j, '{');
		str_add_safez(&name, export_frame_name(at, &c->room));
		json_kstr(&c->j, "name", name.buf);
		str_clear(&name);
		str_add_safez(&name, at->dso && at->dso->path ? at->dso->path : "");
		json_kstr(&c->j, "category", name.buf);
		if (n->parent) {
			snprintf(id, sizeof(id), "%u", n->parent);
			json_kstr(&c->j, "parent", id);
		}
		json_close(&c->j, '}');
		str_release(&name);
		err = send(x);
	}
	json_close(&c->j, '}');
	return err ? err : send(x);
}

static int chrome_end(struct exporter *x, bool write)
{
	struct chrome *c = x->state;
	int err = 0;
	if (write) {
		str_add(&x->text, "\n],\"stackFrames\":");
		err = add_frames(x);
		str_add(&x->text, "}\n");
		err = err ? err : send(x);
	}
	u64map_release(&c->threads);
	u64map_release(&c->processes);
	vec_release(&c->running);
	vec_release(&c->stack);
	tracks_release(&c->tracks);
	str_release(&c->room);
	return err;
}

const struct export_format export_chrome = { .name = "chrome", .what = "trace events in JSON, for chrome://tracing and what reads them",
	.suffix = "json", .state = sizeof(struct chrome), .begin = chrome_begin, .sample = chrome_sample,
	.record = chrome_record, .end = chrome_end };
