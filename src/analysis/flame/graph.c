// SPDX-License-Identifier: GPL-2.0-or-later
/* function_graph of a trace.dat as a fold. Each task has a stack of functions that were entered and not left yet; when one is
 * left, its time less that of what it called is the weight of the stack as it stood. Of a chart
 * the time between what it called is a weight each, at the time when that began. The depth that each record tells puts right what
 * lost records leave behind. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include "analysis/flame/stackfold.h"
#include "base/error.h"
#include "base/file.h"
#include "tracedat/reader.h"

enum { DEPTH_MAX = 512 };
/* first, since: when the first of what it called began and the last one ended; since 0: it called nothing yet */
struct graph_level { uint64_t func, entered, callees, first, since; uint32_t stack; };
struct graph_task { int depth; VEC(struct graph_level) level; /* as deep as it has been */ };

struct graph_event { int type; struct tep_format_field *func, *depth, *from, *to; };
struct graph_reading {
	struct tracedat *t;
	struct stackfold *f;
	const struct stackfold_options *o;
	struct graph_event entry, exit;
	struct u64map tasks;
	struct idmap frames; /* address to 1 + frame */
	struct idmap types; /* of records that were met */
	int event;
};

static struct graph_event describe(struct tep_event *e)
{
	struct graph_event g = { .type = e->id, .func = tep_find_any_field(e, "func"), .depth = tep_find_any_field(e, "depth"),
				 .from = tep_find_any_field(e, "calltime"), .to = tep_find_any_field(e, "rettime") };
	if (!g.func || !g.depth)
		g.type = -1;
	return g;
}

/* Formats are read when a record first asks for one. */
static void meet(struct graph_reading *g, int type)
{
	uint32_t *met = idmap_at(&g->types, (uint32_t)type + 1ull);
	struct tep_event *e = *met ? NULL : tracedat_event(g->t, type);
	*met = 1;
	if (e && !strcmp(e->name, "funcgraph_entry"))
		g->entry = describe(e);
	else if (e && !strcmp(e->name, "funcgraph_exit"))
		g->exit = describe(e);
}

static bool number(const struct tep_format_field *fd, const struct tracedat_record *r, uint64_t *out)
{
	unsigned long long v;
	if (!fd || fd->offset < 0 || fd->size < 1 || (uint64_t)fd->offset + fd->size > r->size ||
	    tep_read_number_field((struct tep_format_field *)(uintptr_t)fd, r->data, &v))
		return false;
	*out = v;
	return true;
}

/* The idle tasks of all CPUs have one number. */
static struct graph_task *task_of(struct graph_reading *g, const struct tracedat_record *r)
{
	uint64_t key = r->pid ? (uint64_t)(uint32_t)r->pid : 1ull << 32 | (uint32_t)r->cpu;
	struct graph_task *t = u64map_get(&g->tasks, key);
	if (!t) {
		t = xcalloc(1, sizeof(*t));
		u64map_set(&g->tasks, key, t);
	}
	return t;
}

static uint32_t frame_of(struct graph_reading *g, uint64_t func)
{
	uint32_t *id = idmap_at(&g->frames, func ? func : 1);
	char number[24];
	if (*id)
		return *id - 1;
	const char *name = tracedat_function(g->t, func, NULL);
	if (!name) {
		snprintf(number, sizeof(number), "0x%llx", (unsigned long long)func);
		name = number;
	}
	uint32_t frame = stackfold_frame(g->f, name, strlen(name), FRAME_KERNEL);
	*id = frame + 1;
	return frame;
}

static bool is_chart(const struct graph_reading *g)
{
	return g->o->quantum == QUANTUM_EXACT;
}

/* time: when it began, of a chart. */
static void take(struct graph_reading *g, const struct tracedat_record *r, const struct graph_level *l, uint64_t time, uint64_t ns)
{
	const struct stackfold_options *o = g->o;
	const char *comm = tracedat_comm(g->t, r->pid);
	struct thread who = { .pid = r->pid, .tid = r->pid, .comm = comm };
	struct fold_key k = { .event = g->event, .pid = r->pid, .tid = r->pid, .cpu = r->cpu, .comm = comm, .time = is_chart(g) ? time : 0 };
	if (!filter_thread(o->filter, &who) || !filter_cpu(o->filter, r->cpu) || !filter_time(o->filter, r->time))
		return;
	if (o->symbols && o->symbols->n && !wordlist_has(o->symbols, g->f->frame.at[frame_of(g, l->func)].name))
		return;
	stackfold_add(g->f, l->stack, stackfold_key(g->f, &k), ns, 1);
}

struct graph_span { uint64_t from, to; };

static void take_span(struct graph_reading *g, const struct tracedat_record *r, const struct graph_level *l, struct graph_span s)
{
	if (s.to > s.from)
		take(g, r, l, s.from, s.to - s.from);
}

/* Of a chart: the caller between its last call and this one, and the begin and the end of this one. When calls begin is known when
 * they end, and by a clock that need not be that of the records. */
static void take_end(struct graph_reading *g, const struct tracedat_record *r, struct graph_level *l, struct graph_level *caller, struct graph_span call)
{
	if (caller && caller->since)
		take_span(g, r, caller, (struct graph_span){ caller->since, call.from });
	else if (caller)
		caller->first = call.from;
	if (caller)
		caller->since = call.to;
	if (l->since)
		take_span(g, r, l, (struct graph_span){ call.from, l->first });
	take_span(g, r, l, (struct graph_span){ l->since ? l->since : call.from, call.to });
}

static void enter(struct graph_reading *g, const struct tracedat_record *r)
{
	struct graph_task *t = task_of(g, r);
	uint64_t func, depth;
	if (!number(g->entry.func, r, &func) || !number(g->entry.depth, r, &depth) || depth >= DEPTH_MAX)
		return;
	if ((int)depth < t->depth)
		t->depth = depth; /* how the others ended is lost */
	else if ((int)depth > t->depth && t->depth)
		return; /* a caller is missing */
	uint32_t below = t->depth ? t->level.at[t->depth - 1].stack : 0;
	while (t->level.n <= (size_t)t->depth)
		vec_push(&t->level);
	t->level.at[t->depth++] = (struct graph_level){ func, r->time, 0, 0, 0, stackfold_push(g->f, below, frame_of(g, func)) };
}

static void leave(struct graph_reading *g, const struct tracedat_record *r)
{
	struct graph_task *t = task_of(g, r);
	uint64_t func, from, to;
	if (!number(g->exit.func, r, &func))
		return;
	int at = t->depth;
	while (at > 0 && t->level.at[at - 1].func != func)
		at--;
	if (!at)
		return; /* it was entered before the trace began */
	struct graph_level l = t->level.at[at - 1], *caller = at > 1 ? &t->level.at[at - 2] : NULL;
	t->depth = at - 1;
	struct graph_span call = { l.entered, r->time };
	if (number(g->exit.from, r, &from) && number(g->exit.to, r, &to))
		call = (struct graph_span){ from, to };
	uint64_t ns = call.to > call.from ? call.to - call.from : 0;
	if (caller)
		caller->callees += ns;
	if (is_chart(g))
		take_end(g, r, &l, caller, call);
	else
		take(g, r, &l, 0, ns > l.callees ? ns - l.callees : 0);
}

static int read_records(struct graph_reading *g)
{
	struct tracedat_record r;
	int err;
	while ((err = tracedat_next(g->t, &r)) > 0) {
		g->f->lost += r.lost > 0 ? (uint64_t)r.lost : r.lost < 0;
		meet(g, r.type);
		if (r.type == g->entry.type)
			enter(g, &r);
		else if (r.type == g->exit.type)
			leave(g, &r);
	}
	return err;
}

static int read_all(struct graph_reading *g, const char *name)
{
	g->entry.type = g->exit.type = -1;
	int err = read_records(g);
	if (!err && !g->f->row.n) {
		err = error_set(ENODATA, "%s has no calls of function_graph", name);
		error_hint("sonde ftrace record -p function_graph, or trace-cmd record -p function_graph, make one");
	}
	return err;
}

struct stackfold *stackfold_of_tracedat(const char *path, bool force, const struct stackfold_options *o)
{
	struct graph_reading g = { .t = tracedat_open(path), .o = o };
	size_t cursor = 0;
	void *task;
	if (!g.t)
		return NULL;
	if (!force && file_check_owner(path, tracedat_info(g.t)->owner, "use -f to read it nevertheless")) {
		tracedat_close(g.t);
		return NULL;
	}
	g.f = stackfold_new();
	g.f->quantum = o->quantum;
	g.f->keyed = true;
	g.event = stackfold_add_event(g.f, "function_graph", tracedat_in_ns(g.t) ? "ms in the kernel" : "ticks", tracedat_in_ns(g.t) ? 1e-6 : 1);
	int err = read_all(&g, path);
	while (u64map_next(&g.tasks, &cursor, NULL, &task)) {
		vec_release(&((struct graph_task *)task)->level);
		free(task);
	}
	u64map_release(&g.tasks);
	idmap_release(&g.frames);
	idmap_release(&g.types);
	tracedat_close(g.t);
	if (!err)
		return g.f;
	stackfold_free(g.f);
	return NULL;
}
