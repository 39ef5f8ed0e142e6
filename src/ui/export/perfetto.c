// SPDX-License-Identifier: GPL-2.0-or-later
/* Perfetto's trace: packets, one after the other, so that a recording of any length needs no more memory than its
 * different stacks. What is a scheduler's event goes as ftrace's, of which Perfetto makes its own slices by CPU and
 * thread; system calls are slices of the thread, other tracepoints marks with their fields; samples have stacks, and
 * their weights add up to a counter for each CPU. Each event is a sequence of packets of its own, since that is what has
 * an event's name ("timebase"), and what names and stacks are numbered in. Times are the recording's. */
#include <stdlib.h>
#include "ui/export/formats.h"
#include "ui/export/pb.h"
#include "ui/export/perfetto.h"
#include "ui/export/tables.h"

struct perfetto_known { uint8_t *at; size_t n, cap; };
struct perfetto_event { /* which of the numbers its sequence knows by now */
	bool begun;
	struct perfetto_known string, mapping, place, stack;
	VEC(uint64_t) counter; /* by CPU */
};
struct perfetto {
	struct tracks tracks;
	struct export_tables t;
	VEC(struct perfetto_event) event;
	struct u64map threads; /* tid to the name that was told last */
	VEC(uint32_t) path;
	struct str room;
};

static int send(struct exporter *x)
{
	return sink_str(&x->sink, &x->text);
}

size_t perfetto_packet(struct str *s, uint64_t time, int event)
{
	size_t at = pb_open(s, TRACE_PACKET);
	pb_u64(s, PACKET_TIME, time);
	pb_u64(s, PACKET_SEQUENCE, event + 1);
	return at;
}

/* ---- what comes once ---- */

static void add_system(struct exporter *x)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	struct str *s = &x->text;
	size_t at = pb_open(s, TRACE_PACKET), info = pb_open(s, PACKET_SYSTEM), name = pb_open(s, SYSTEM_UTSNAME);
	pb_text(s, UTSNAME_SYSNAME, "Linux");
	pb_text(s, UTSNAME_RELEASE, i->osrelease);
	pb_text(s, UTSNAME_MACHINE, i->arch);
	pb_close(s, name);
	pb_close(s, info);
	pb_u64(s, PACKET_SEQUENCE, 1);
	pb_close(s, at);
}

/* The same moment on the recording's clock and by time of day. */
static void add_clocks(struct exporter *x)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	struct str *s = &x->text;
	struct { unsigned id; uint64_t time; } clock[] = { { CLOCK_ID_BOOT, i->clock_ns }, { CLOCK_ID_REAL, i->clock_wall_ns } };
	if (!i->has_clock || !i->clock_wall_ns)
		return;
	size_t packet = perfetto_packet(s, i->clock_ns, 0), snapshot = pb_open(s, PACKET_CLOCKS);
	for (int k = 0; k < 2; k++) {
		size_t at = pb_open(s, SNAPSHOT_CLOCK);
		pb_u64(s, CLOCK_ID, clock[k].id);
		pb_u64(s, CLOCK_TIME, clock[k].time);
		pb_close(s, at);
	}
	pb_close(s, snapshot);
	pb_close(s, packet);
}

static int perfetto_begin(struct exporter *x)
{
	struct perfetto *p = x->state;
	tables_init(&p->t, &x->profile->places, &x->profile->stacks);
	str_init(&p->room);
	add_system(x);
	add_clocks(x);
	return send(x);
}

static struct perfetto_event *event_of(struct exporter *x, const struct perfdata_record *r)
{
	struct perfetto *p = x->state;
	while (p->event.n <= (size_t)r->event_index)
		vec_push(&p->event);
	struct perfetto_event *e = &p->event.at[r->event_index];
	if (e->begun)
		return e;
	e->begun = true;
	struct str *s = &x->text;
	size_t packet = perfetto_packet(s, r->time, r->event_index), defaults, of, base;
	pb_u64(s, PACKET_FLAGS, SEQUENCE_BEGINS);
	defaults = pb_open(s, PACKET_DEFAULTS);
	of = pb_open(s, DEFAULTS_SAMPLE);
	base = pb_open(s, SAMPLE_TIMEBASE);
	pb_text(s, TIMEBASE_NAME, r->event->name);
	pb_close(s, base);
	pb_close(s, of);
	pb_close(s, defaults);
	pb_close(s, packet);
	return e;
}

/* ---- threads ---- */

static void add_thread(struct exporter *x, const struct thread *t, uint64_t time)
{
	struct str *s = &x->text;
	size_t packet = perfetto_packet(s, time, 0), tree = pb_open(s, PACKET_TREE), at;
	at = pb_open(s, TREE_PROCESS); /* without its parent: one that is learnt later makes another process of it there */
	pb_u64(s, PROCESS_PID, t->pid);
	pb_text(s, PROCESS_CMDLINE, export_command(x, t));
	pb_close(s, at);
	at = pb_open(s, TREE_THREAD);
	pb_u64(s, THREAD_TID, t->tid);
	pb_text(s, THREAD_NAME, t->comm);
	pb_u64(s, THREAD_TGID, t->pid);
	pb_close(s, at);
	pb_close(s, tree);
	pb_close(s, packet);
	perfetto_thread_track(s, t, time);
}

/* A thread is told when it is met first, and when its name has changed. */
static void meet(struct exporter *x, const struct thread *t, uint64_t time)
{
	struct perfetto *p = x->state;
	if (t->pid < 0 || t->tid < 0 || u64map_get(&p->threads, (uint32_t)t->tid) == t->comm)
		return;
	u64map_set(&p->threads, (uint32_t)t->tid, (void *)t->comm);
	add_thread(x, t, time);
}

/* ---- names and stacks ---- */

static bool is_new(struct perfetto_known *v, uint32_t i)
{
	while (v->n <= i)
		*vec_push(v) = 0;
	bool new = !v->at[i];
	v->at[i] = 1;
	return new;
}

static void add_string(struct str *s, unsigned field, uint32_t id, const char *z)
{
	size_t at = pb_open(s, field);
	pb_u64(s, STRING_ID, id);
	pb_bytes(s, STRING_TEXT, z, strlen(z));
	pb_close(s, at);
}

/* String numbers start at 0, theirs at 1; a string may be a function's name and a file's. */
static uint64_t add_name(struct perfetto *p, struct perfetto_event *e, struct str *s, unsigned field, const char *z)
{
	uint32_t id = tables_text(&p->t, z);
	if (is_new(&e->string, id * STRING_KINDS + perfetto_kind(field)))
		add_string(s, field, id + 1, p->t.string.at[id]);
	return id + 1;
}

static uint32_t add_mapping(struct perfetto *p, struct perfetto_event *e, struct str *s, const struct dso *d)
{
	uint32_t id = tables_mapping(&p->t, d);
	if (!is_new(&e->mapping, id))
		return id + 1;
	uint64_t path = add_name(p, e, s, INTERNED_MAPPING_PATH, d && d->path ? d->path : "[unknown]");
	uint64_t build_id = add_name(p, e, s, INTERNED_BUILD_ID, p->t.string.at[p->t.mapping.at[id].build_id]);
	size_t at = pb_open(s, INTERNED_MAPPING);
	pb_u64(s, MAPPING_ID, id + 1);
	pb_u64(s, MAPPING_BUILD_ID, build_id);
	pb_u64(s, MAPPING_END, INT64_MAX);
	pb_u64(s, MAPPING_PATH, path);
	pb_close(s, at);
	return id + 1;
}

static void add_frame(struct perfetto *p, struct perfetto_event *e, struct str *s, uint32_t place)
{
	const struct place *f = place_at(p->t.places, place);
	if (!is_new(&e->place, place))
		return;
	uint64_t name = add_name(p, e, s, INTERNED_FUNCTION, export_frame_name(f, &p->room));
	uint64_t file = f->source ? add_name(p, e, s, INTERNED_SOURCE, f->source) : 0;
	uint32_t mapping = add_mapping(p, e, s, f->dso);
	size_t at = pb_open(s, INTERNED_FRAME);
	pb_u64(s, FRAME_ID, place);
	pb_u64(s, FRAME_FUNCTION, name);
	pb_u64(s, FRAME_MAPPING, mapping);
	pb_u64(s, FRAME_PC, f->addr);
	pb_num(s, FRAME_SOURCE, file);
	pb_num(s, FRAME_LINE, f->lineno);
	pb_close(s, at);
}

static void add_stack(struct perfetto *p, struct perfetto_event *e, struct str *s, uint32_t stack)
{
	if (!is_new(&e->stack, stack))
		return;
	uint32_t n = stack_depth(p->t.stacks, stack);
	while (p->path.n < n)
		vec_push(&p->path);
	stacks_path(p->t.stacks, stack, p->path.at);
	size_t interned = pb_open(s, PACKET_INTERNED);
	for (uint32_t i = 0; i < n; i++)
		add_frame(p, e, s, p->path.at[i]);
	size_t at = pb_open(s, INTERNED_STACK);
	pb_u64(s, STACK_ID, stack);
	for (uint32_t i = 0; i < n; i++)
		pb_u64(s, STACK_FRAME, p->path.at[i]);
	pb_close(s, at);
	pb_close(s, interned);
}

/* ---- samples ---- */

static uint64_t count_on(struct perfetto_event *e, int cpu, uint64_t weight)
{
	size_t i = cpu >= 0 && cpu < MOST_CPUS ? cpu : 0;
	while (e->counter.n <= i)
		*vec_push(&e->counter) = 0;
	return e->counter.at[i] += weight;
}

static void add_sample(struct exporter *x, const struct export_sample *sample, struct perfetto_event *e)
{
	const struct perfdata_record *r = sample->r;
	struct str *s = &x->text;
	size_t packet = perfetto_packet(s, r->time, r->event_index);
	pb_u64(s, PACKET_FLAGS, SEQUENCE_NEEDED);
	add_stack(x->state, e, s, sample->stack);
	size_t at = pb_open(s, PACKET_SAMPLE);
	if (r->cpu >= 0)
		pb_u64(s, SAMPLE_CPU, r->cpu);
	pb_u64(s, SAMPLE_PID, r->pid);
	pb_u64(s, SAMPLE_TID, r->tid);
	pb_u64(s, SAMPLE_STACK, sample->stack);
	pb_u64(s, SAMPLE_MODE, sample_mode(r->misc) == SYM_KERNEL ? MODE_KERNEL : MODE_USER);
	pb_u64(s, SAMPLE_COUNT, count_on(e, r->cpu, r->period));
	pb_close(s, at);
	pb_close(s, packet);
}

static int perfetto_sample(struct exporter *x, const struct export_sample *sample)
{
	struct perfetto *p = x->state;
	const struct track *k = track_of(&p->tracks, x, sample->r->event_index);
	struct perfetto_event *e = event_of(x, sample->r);
	meet(x, sample->t, sample->r->time);
	if (!perfetto_track(x, k, sample) || sample->r->n_chain || sample->r->stack_size)
		add_sample(x, sample, e);
	return send(x);
}

static int perfetto_end(struct exporter *x, bool write)
{
	struct perfetto *p = x->state;
	(void)write; /* all is there */
	vec_each(&p->event, e) {
		vec_release(&e->string);
		vec_release(&e->mapping);
		vec_release(&e->place);
		vec_release(&e->stack);
		vec_release(&e->counter);
	}
	vec_release(&p->event);
	vec_release(&p->path);
	u64map_release(&p->threads);
	tracks_release(&p->tracks);
	tables_release(&p->t);
	str_release(&p->room);
	return 0;
}

const struct export_format export_perfetto = { .name = "perfetto", .what = "Perfetto's trace, for ui.perfetto.dev and trace_processor",
	.suffix = "pftrace", .binary = true, .state = sizeof(struct perfetto), .begin = perfetto_begin, .sample = perfetto_sample,
	.record = perfetto_lost, .end = perfetto_end };
