// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording as a source: what `sonde trace record` wrote (whole sysevents in bpf-output samples), or the
 * raw_syscalls records of any perf.data, `perf trace record`'s included. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include "base/error.h"
#include "engine/engines.h"
#include "engine/pairing.h"
#include "session/session.h"
#include "engine/syspack.h"
#include "engine/where.h"
#include "perfdata/reader.h"

enum { FROM_PACK = PAIR_NONE + 1 };

struct engine {
	const struct engine_options *o;
	struct perfdata *data;
	struct pairing *pairing;
	struct session *session; /* names of threads, maps */
	bool packed; /* sonde's own recording: task records tell nothing new */
	uint8_t *source; /* by event index */
	struct pairing_fields fields;
	bool ended, stopping;
	struct syspack_room room;
	struct frames frames;
	struct engine_stats stats;
};

static int source_of(const char *name)
{
	static const struct { const char *name; int from; } table[] = {
		{ "raw_syscalls:sys_enter", PAIR_ENTER }, { "raw_syscalls:sys_exit", PAIR_EXIT },
		{ "signal:signal_deliver", PAIR_SIGNAL }, { SYSPACK_EVENT, FROM_PACK },
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(name, table[i].name))
			return table[i].from;
	return str_starts(name, "probe:vfs_getname") ? PAIR_PATH : PAIR_NONE;
}

static void find_fields(struct pairing_fields *f, struct tep_event *tep)
{
	struct tep_format_field *path = tep_find_field(tep, "pathname"), *user = tep_find_field(tep, "filename");
	if (!user)
		user = tep_find_field(tep, "uptr");
	f->path = path && (path->flags & TEP_FIELD_IS_DYNAMIC) ? path->offset : 0;
	f->user = user && user->size == 8 ? user->offset : 0;
}

static int find_sources(struct engine *g)
{
	size_t n = perfdata_n_events(g->data);
	bool any = false, strings = false;
	g->source = xcalloc(n, 1);
	for (size_t i = 0; i < n; i++) {
		const struct perfdata_event *e = perfdata_event_at(g->data, i);
		g->source[i] = source_of(e->name ? e->name : "");
		g->packed |= g->source[i] == FROM_PACK;
		any |= g->source[i] != PAIR_NONE;
		strings |= g->source[i] == FROM_PACK || g->source[i] == PAIR_PATH;
		if (g->source[i] == PAIR_PATH && e->tep)
			find_fields(&g->fields, e->tep);
	}
	if (any && g->o->where_strings && !strings) {
		error_set(EINVAL, "%s has no strings in it that --where could test", g->o->input);
		return error_hint("perf trace record keeps only numbers; sonde trace record keeps what the pointers point to");
	}
	if (any)
		return 0;
	error_set(EINVAL, "%s has no system calls in it", g->o->input);
	return error_hint("record them with: sonde trace record -o FILE COMMAND; other recordings are for sonde script");
}

static void engine_close(struct engine *g)
{
	if (!g)
		return;
	pairing_free(g->pairing);
	session_free(g->session);
	perfdata_close(g->data);
	free(g->source);
	free(g);
}

static struct perfdata *open_data(const struct engine_options *o)
{
	struct perfdata *p = perfdata_open(o->input, o->force);
	if (p || error_code() != -ENOENT)
		return p;
	error_sys(ENOENT, "cannot open %s", o->input);
	error_hint("sonde trace record makes one: sonde trace record -o %s COMMAND", o->input);
	return NULL;
}

static struct engine *engine_open(const struct engine_options *o)
{
	struct engine *g = xcalloc(1, sizeof(*g));
	g->o = o;
	g->data = open_data(o);
	if (!g->data || find_sources(g)) {
		engine_close(g);
		return NULL;
	}
	g->pairing = pairing_new(o, false);
	g->session = session_new(o->symbols);
	session_header(g->session, g->data);
	return g;
}

static struct perfdata *engine_recording(struct engine *g)
{
	return g->data;
}

static bool in_list(const intlist *l, int v)
{
	return !l->n || intlist_has(l, v);
}

/* What a live engine would have left out. */
static bool chosen(const struct engine_options *o, const struct sysevent *e)
{
	bool call = e->type == SYS_CALL || e->type == SYS_UNFINISHED || e->type == SYS_RESUMED;
	if (e->type == SYS_LOST)
		return true;
	if (!in_list(&o->pids, e->pid) || !in_list(&o->tids, e->tid) || (o->cpus.n && !intlist_has(&o->cpus, e->cpu)) ||
	    (o->comm && strcmp(o->comm, e->comm) && strcmp(o->comm, e->old_comm)))
		return false;
	if (!call)
		return true;
	return !o->no_calls && engine_takes(o, e->abi, e->nr) &&
	       (!e->args_known || where_holds(o, e->abi, e->nr, e->args, e->ret, e->type != SYS_UNFINISHED && !e->no_return));
}

static bool on_lost(struct engine *g, const struct perfdata_record *r, struct sysevent *e)
{
	uint64_t lost;
	if (r->header->size < sizeof(*r->header) + 16)
		return false;
	memcpy(&lost, (const char *)(r->header + 1) + 8, 8);
	sysevent_lost(e, r->time, r->cpu, lost);
	g->stats.lost += lost;
	return true;
}

/* Any other event among the calls, with its stack. */
static bool on_other(struct engine *g, const struct perfdata_record *r, struct sysevent *e)
{
	memset(e, 0, sizeof(*e));
	e->type = SYS_TRACEPOINT;
	e->time = r->time;
	e->pid = r->pid;
	e->tid = r->tid;
	e->cpu = r->cpu;
	e->nr = -1;
	e->raw_event = r->event_index;
	e->raw = r->raw;
	e->raw_size = r->raw_size;
	e->ip = r->ip;
	e->addr = r->addr;
	e->ip_kernel = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	strncpy(e->comm, session_thread(g->session, r->pid, r->tid)->comm, sizeof(e->comm) - 1);
	sysevent_chain(e, &g->frames, r->chain, r->n_chain);
	return true;
}

static bool on_record(struct engine *g, const struct perfdata_record *r, struct sysevent *e)
{
	struct pairing_at at = { r->pid, r->tid, r->cpu, r->time, 0 };
	session_feed(g->session, r);
	if (r->header->type == PERF_RECORD_LOST)
		return on_lost(g, r, e);
	if (r->header->type != PERF_RECORD_SAMPLE)
		return !g->packed && pairing_task(g->pairing, r->header, r->time, e);
	if (!r->event || (size_t)r->event_index >= perfdata_n_events(g->data))
		return false;
	int from = g->source[r->event_index];
	if (from == FROM_PACK)
		return syspack_read(r->raw, r->raw_size, e, &g->room);
	if (from == PAIR_NONE)
		return (r->event->tep ? r->raw != NULL : r->event->attr.sample_type & PERF_SAMPLE_ADDR) && on_other(g, r, e);
	return r->raw && pairing_sample(g->pairing, from, &at, r->raw, r->raw_size, &g->fields, e);
}

static int engine_next(struct engine *g, struct sysevent *e, int timeout_ms)
{
	struct perfdata_record r;
	(void)timeout_ms;
	while (!g->ended && !g->stopping) {
		int got = perfdata_next(g->data, &r);
		if (got < 0)
			return got;
		g->ended = !got;
		if (got && on_record(g, &r, e) && chosen(g->o, e)) {
			g->stats.events++;
			return 1;
		}
	}
	while (pairing_unfinished(g->pairing, e))
		if (chosen(g->o, e))
			return 1;
	return -ENODATA;
}

static bool engine_busy(struct engine *g)
{
	return !g->ended;
}

static void engine_stop(struct engine *g)
{
	g->stopping = true;
}

static void engine_stats(struct engine *g, struct engine_stats *s)
{
	*s = g->stats;
	s->bytes = perfdata_stats(g->data)->bytes;
}

static bool usable(const struct engine_options *o, struct str *why)
{
	if (o && o->input)
		return true;
	str_add(why, "no recording was named\nname one with -i FILE");
	return false;
}

const struct engine_ops engine_file = {
	.name = "file",
	.what = "a recording (-i FILE)",
	.can = ENGINE_SEES_MEMORY,
	.usable = usable,
	.open = engine_open,
	.next = engine_next,
	.busy = engine_busy,
	.stop = engine_stop,
	.close = engine_close,
	.stats = engine_stats,
	.recording = engine_recording,
};
