// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine 2: the raw_syscalls tracepoints through perf rings, where BPF is not to be had.
 *
 * One ring per CPU carries entries, exits, signals, forks and names of all targets. The rings are read
 * in rounds: everything up to a moment T is taken, sorted by time, and given out as far as the moment
 * of the round before, so that no CPU can still owe an older record; then entry and exit are paired per
 * thread. The kernel copies no memory here: strings come only from a probe:vfs_getname, if one is set. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/signals.h"
#include "base/file.h"
#include "base/map.h"
#include "engine/engines.h"
#include "engine/pairing.h"
#include "engine/taskfilter.h"
#include "attach/rings.h"
#include "attach/sampling.h"
#include "kernel/clock.h"
#include "kernel/perf.h"
#include "kernel/root.h"
#include "kernel/settings.h"
#include "kernel/tracefs.h"

/* Registers that unwinding needs, by perf's numbers: ax bx cx dx si di bp sp ip, then r8 to r15. */
#define SAMPLE_REGS (0x1ff | 0xffull << 16)
enum { N_REGS = 17, STACK_COPY = 16384 };
/* Sources beyond those of pairing.h. */
enum { FROM_TASK = PAIR_NONE };
enum { ROUND_MS_MIN = 2, ROUND_MS_MAX = 40, STILL_NS = 100000000 /* without a round: we stood still */, MANY_FILES = 1 << 16, FILES_BESIDES = 64, ANNOUNCE_NS = 100000000 /* a call that takes longer is told before its end */ };

struct record { /* one ring record of the round, in the arena */
	uint64_t time;
	uint32_t seq, at; /* order of arrival; where in the arena */
};

struct engine {
	const struct engine_options *o;
	struct target target, everywhere; /* everywhere: of too many threads, see watch_all */
	event_list events; /* each one's tag is its source */
	struct opened opened;
	struct rings rings;
	struct u64map source_of; /* event id -> source + 1 */
	struct pairing_fields fields; /* of the path probe's record */
	struct pairing *pairing;
	struct str arena, next_arena;
	VEC(struct record) round, held; /* held: newer than the last moment, kept for the next round */
	size_t given;
	uint64_t moment;
	int round_ms;
	bool strangers; /* others are in the rings, too */
	bool stopping, drained, lost_told;
	struct frames frames; /* of the call given last */
	uint64_t regs[N_REGS];
	struct engine_stats stats;
};

/* ---- opening ---- */

static void common_attr(struct perf_event_attr *a)
{
	a->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW;
	a->read_format = PERF_FORMAT_ID | (sampling_has_lost() ? PERF_FORMAT_LOST : 0);
	a->sample_id_all = 1;
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	a->freq = 0;
	a->sample_period = a->type == PERF_TYPE_TRACEPOINT;
	a->watermark = 1;
	a->wakeup_watermark = RINGS_BYTES / 2;
	a->disabled = 1;
}

/* --call-graph: at a call's exit, as the other engines do. */
static void stack_attr(const struct engine_options *o, struct perf_event_attr *a)
{
	if (o->user_graph == GRAPH_FP || o->kernel_graph) {
		a->sample_type |= PERF_SAMPLE_CALLCHAIN;
		a->exclude_callchain_user = o->user_graph != GRAPH_FP;
		a->exclude_callchain_kernel = !o->kernel_graph;
	}
	if (o->user_graph == GRAPH_DWARF) {
		a->sample_type |= PERF_SAMPLE_STACK_USER;
		a->sample_regs_user = SAMPLE_REGS;
		a->sample_stack_user = STACK_COPY;
	}
}

static int add_event(struct engine *g, int from, const char *name, const char *filter)
{
	int err = events_parse(&g->events, name);
	if (err)
		return err;
	struct event *e = vec_last(&g->events);
	common_attr(&e->attr);
	e->tag = from;
	e->cgroup = g->target.cgroups.n; /* the first one, or none */
	if (filter)
		e->filter = xstrdup(filter);
	if (from == PAIR_ENTER || from == PAIR_EXIT) { /* one register, for the word that comes with it: 32 or 64 bits */
		e->attr.sample_type |= PERF_SAMPLE_REGS_USER;
		e->attr.sample_regs_user = 1;
	}
	if (from == PAIR_EXIT)
		stack_attr(g->o, &e->attr);
	if (from == FROM_TASK)
		e->attr.task = e->attr.comm = e->attr.comm_exec = 1;
	return 0;
}

static bool takes_execveat(const struct engine_options *o)
{
	int wide = -1, compat = -1;
	syscall_named(ABI_NATIVE, "execveat", &wide);
	syscall_named(ABI_32, "execveat", &compat);
	return engine_takes(o, ABI_NATIVE, wide) || engine_takes(o, ABI_32, compat);
}

/* exit and exit_group alone tell a thread's exit code, others who is of the user of -u, and as the end of an execve comes
 * that of an execveat; pairing drops them when they were not chosen. */
static bool is_needed(const struct engine_options *o, enum sys_abi abi, int nr)
{
	const struct syscall_row *r = syscall_find(abi, nr);
	if (r && o->has_uid && task_filter_changes_user(syscall_name(r)))
		return true;
	if (r && !strcmp(syscall_name(r), "execve") && takes_execveat(o))
		return true;
	return abi == ABI_NATIVE && r && (!strcmp(syscall_name(r), "exit") || !strcmp(syscall_name(r), "exit_group"));
}

/* "id==0||id==1||(id>=40&&id<=44)": the chosen numbers of both abis, and the needed ones; NULL when every call is wanted. */
static char *call_filter(const struct engine_options *o)
{
	struct str s = STR_INIT;
	uint64_t set[16];
	if (!o->calls)
		return NULL;
	for (int i = 0; i < 16; i++)
		set[i] = o->calls->native[i] | o->calls->compat[i];
	for (int nr = 0; nr < 1024; nr++)
		if (is_needed(o, ABI_NATIVE, nr) || is_needed(o, ABI_32, nr))
			set[nr / 64] |= 1ULL << (nr % 64);
	for (int lo = 0; lo < 1024; lo++) {
		int hi = lo;
		if (!(set[lo / 64] >> (lo % 64) & 1))
			continue;
		while (hi + 1 < 1024 && (set[(hi + 1) / 64] >> ((hi + 1) % 64) & 1))
			hi++;
		if (s.len)
			str_add(&s, "||");
		if (hi == lo)
			str_addf(&s, "id==%d", lo);
		else
			str_addf(&s, "(id>=%d&&id<=%d)", lo, hi);
		lo = hi;
	}
	str_add(&s, s.len ? "||id==-1" : "id==-1"); /* as what sigreturn's exit comes */
	if (s.len > 3500) { /* the kernel takes a page: the rest is filtered here */
		str_release(&s);
		return NULL;
	}
	return str_detach(&s);
}

/* "field:__data_loc char[] pathname;	offset:16;	size:4;..." */
static unsigned field_offset(const char *format, const char *name, unsigned want_size)
{
	char *key = xasprintf(" %s;\toffset:", name);
	const char *f = strstr(format, key);
	char *end;
	unsigned long at = f ? strtoul(f + strlen(key), &end, 10) : 0;
	bool fits = f && str_starts(end, ";\tsize:") && strtoul(end + 7, NULL, 10) == want_size;
	free(key);
	return fits ? at : 0;
}

/* A pathname that is no string (its type was forgotten) is no help. */
static bool find_fields(struct pairing_fields *f, const char *format)
{
	f->path = strstr(format, "__data_loc char[] pathname;") ? field_offset(format, "pathname", 4) : 0;
	f->user = field_offset(format, "filename", 8);
	if (!f->user)
		f->user = field_offset(format, "uptr", 8);
	return f->path;
}

/* A probe that perf's users know how to set: any name that starts so counts. NULL: none. */
static const char *find_path_probe(struct pairing_fields *fields)
{
	struct str format = STR_INIT;
	struct pairing_fields ignored;
	const char *found = NULL;
	vec_each(tracefs_all(), name) {
		if (!str_starts(*name, "probe:vfs_getname"))
			continue;
		str_clear(&format);
		if (tracefs_event_format("probe", *name + 6, &format) || !find_fields(fields ? fields : &ignored, format.buf))
			continue;
		found = *name;
		break;
	}
	str_release(&format);
	return found;
}

static int add_path_probe(struct engine *g)
{
	const char *name = find_path_probe(&g->fields);
	return name ? add_event(g, PAIR_PATH, name, NULL) : 0;
}

static int add_events(struct engine *g)
{
	char *filter = call_filter(g->o);
	int err = tracefs_ready();
	if (!err)
		err = add_event(g, FROM_TASK, "dummy:u", NULL);
	if (!err && !g->o->no_calls)
		err = add_event(g, PAIR_ENTER, "raw_syscalls:sys_enter", filter);
	if (!err && !g->o->no_calls)
		err = add_event(g, PAIR_EXIT, "raw_syscalls:sys_exit", filter);
	if (!err && tracefs_event_id("signal", "signal_deliver") >= 0)
		err = add_event(g, PAIR_SIGNAL, "signal:signal_deliver", NULL);
	if (!err && tracefs_event_id("signal", "signal_generate") >= 0)
		err = add_event(g, PAIR_GENERATED, "signal:signal_generate", "result==1 || (result==0 && sig!=17)"); /* ignored; sent, SIGCHLD apart */
	if (!err && !g->o->no_calls)
		err = add_path_probe(g);
	free(filter);
	return err;
}

static int choose_target(struct engine *g)
{
	const struct engine_options *o = g->o;
	vec_each(&o->pids, p)
		*vec_push(&g->target.pids) = *p;
	vec_each(&o->tids, t)
		*vec_push(&g->target.tids) = *t;
	vec_each(&o->cpus, c)
		if (o->all) /* else these tasks alone, and what they do elsewhere is left out below */
			*vec_push(&g->target.cpus) = *c;
	g->target.system_wide = o->all;
	if (o->all && o->cgroup)
		*vec_push(&g->target.cgroups) = (struct target_cgroup){ xstrdup(o->cgroup), -1 };
	return target_resolve(&g->target, o->all && o->workload ? o->workload->pid : engine_command(o) ? engine_command(o)->pid : 0);
}

static int try_open(bool all)
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(a) };
	a.config = tracefs_event_id("raw_syscalls", "sys_enter");
	common_attr(&a);
	int fd = (int64_t)a.config < 0 ? -ENOENT : perf_open(&a, all ? -1 : 0, all ? 0 : -1, -1, 0);
	if (fd < 0)
		return perf_explain(fd, &a, "raw_syscalls:sys_enter", all ? -1 : 0, all ? 0 : -1);
	close(fd);
	return 0;
}

/* A descriptor per event, thread and CPU is more than there are where threads go into the thousands, or than can be
 * closed in a while: then every CPU is watched instead, and the others' calls are dropped here. */
static bool watch_all(struct engine *g)
{
	struct rlimit files = { .rlim_cur = MANY_FILES };
	getrlimit(RLIMIT_NOFILE, &files);
	size_t most = files.rlim_cur < MANY_FILES ? files.rlim_cur : MANY_FILES;
	if (g->target.threads.n < 2 || g->target.threads.n * g->target.online.n * g->events.n + FILES_BESIDES <= most)
		return false;
	g->everywhere.system_wide = true;
	g->strangers = !try_open(true) && !target_resolve(&g->everywhere, 0);
	error_clear();
	if (g->strangers)
		pairing_ignore_strangers(g->pairing);
	return g->strangers;
}

/* What is there before its events are. */
static void know_threads(struct engine *g)
{
	const struct workload *w = g->o->workload;
	vec_each(&g->target.threads, t)
		if (!w || t->tid != w->pid)
			pairing_know(g->pairing, t->pid, t->tid);
}

/* Threads that were born since we looked belong to nobody known. */
static void look_again(struct engine *g)
{
	target_unresolve(&g->target);
	if (target_resolve(&g->target, 0))
		error_clear(); /* gone */
	know_threads(g);
}

static int open_all(struct engine *g)
{
	struct open_options how = { .inherit = !g->o->no_follow, .per_cpu = true };
	struct target *target = &g->target;
	int err = choose_target(g);
	files_limit_raise();
	if (!err)
		err = add_events(g);
	if (!err && watch_all(g))
		target = &g->everywhere;
	if (!err)
		err = events_open(&g->opened, &g->events, target, &how);
	if (!err)
		err = rings_map(&g->rings, &g->opened, RINGS_BYTES, false, true);
	if (err)
		return err;
	vec_each(&g->opened.fds, f) {
		uint64_t id;
		if (!ioctl(f->fd, PERF_EVENT_IOC_ID, &id))
			u64map_set(&g->source_of, id, (void *)(g->events.at[f->event].tag + 1));
	}
	know_threads(g);
	if (g->o->workload && g->o->workload->pid)
		pairing_know_command(g->pairing, g->o->workload->pid);
	opened_enable(&g->opened);
	if (g->strangers)
		look_again(g);
	know_threads(g);
	return 0;
}

static void engine_close(struct engine *g);

static struct engine *engine_open(const struct engine_options *o)
{
	struct engine *g = xcalloc(1, sizeof(*g));
	g->o = o;
	str_init(&g->arena);
	str_init(&g->next_arena);
	g->round_ms = ROUND_MS_MIN;
	g->pairing = pairing_new(o, true);
	if (open_all(g)) {
		engine_close(g);
		return NULL;
	}
	return g;
}

/* ---- rounds ---- */

static int by_time(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The time of a record: behind the ids of a sample, before the CPU in the trailer of the others. */
static uint64_t time_of(const struct perf_event_header *h)
{
	uint64_t t;
	size_t at = h->type == PERF_RECORD_SAMPLE ? 24 : h->size - 24;
	if (h->size < at + 8 || h->size < 32)
		return 0;
	memcpy(&t, (const char *)h + at, 8);
	return t;
}

static void keep(struct engine *g, const struct perf_event_header *h)
{
	struct record *r = vec_push(&g->held);
	r->time = time_of(h);
	r->seq = g->held.n;
	r->at = g->next_arena.len;
	str_addn(&g->next_arena, h, h->size);
	g->stats.bytes += h->size;
}

/* What the last round held back, and what the rings have now, up to this moment. */
static void take_round(struct engine *g)
{
	uint64_t moment = clock_ns(), before = g->moment;
	size_t n = 0;
	if (before && moment - before > STILL_NS)
		g->stats.still_ns += moment - before;
	str_clear(&g->next_arena);
	VEC(struct record) late = { 0 };
	vec_each(&g->held, r) { /* move what is left over into the new arena */
		struct record *k = vec_push(&late);
		*k = *r;
		k->at = g->next_arena.len;
		struct perf_event_header h;
		memcpy(&h, g->arena.buf + r->at, sizeof(h));
		str_addn(&g->next_arena, g->arena.buf + r->at, h.size);
	}
	vec_clear(&g->held);
	vec_each(&late, r) {
		*vec_push(&g->held) = *r;
		vec_last(&g->held)->seq = g->held.n;
	}
	vec_release(&late);
	for (size_t i = 0; i < g->rings.at.n; i++) {
		struct perf_ring *ring = &g->rings.at.at[i];
		struct perf_event_header *h;
		perf_ring_begin(ring);
		while ((h = perf_ring_next(ring))) {
			keep(g, h);
			n++;
		}
		perf_ring_end(ring);
	}
	struct str swap = g->arena;
	g->arena = g->next_arena;
	g->next_arena = swap;
	if (g->held.n)
		qsort(g->held.at, g->held.n, sizeof(struct record), by_time);
	vec_clear(&g->round);
	g->given = 0;
	size_t k = 0;
	while (k < g->held.n && (g->stopping || g->held.at[k].time <= before))
		*vec_push(&g->round) = g->held.at[k++];
	memmove(g->held.at, g->held.at + k, (g->held.n - k) * sizeof(struct record));
	g->held.n -= k;
	g->moment = moment;
	g->drained = g->stopping && !n && !g->held.n;
	g->round_ms = n ? ROUND_MS_MIN : g->round_ms * 2 < ROUND_MS_MAX ? g->round_ms * 2 : ROUND_MS_MAX;
	g->stats.polls++;
}

/* ---- records to events ---- */

struct sample {
	uint64_t id, time;
	uint32_t pid, tid, cpu, raw_size;
	const uint8_t *raw;
	uint64_t bits; /* PERF_SAMPLE_REGS_ABI_*, of calls; 0 not told */
	uint64_t n_chain;
	const uint8_t *chain, *regs, *stack; /* may not be aligned */
	uint64_t stack_len;
};

struct bytes { const uint8_t *p, *end; };

static const uint8_t *take(struct bytes *b, uint64_t n)
{
	const uint8_t *p = b->p;
	if (n > (uint64_t)(b->end - p))
		return NULL;
	b->p += n;
	return p;
}

static uint64_t take_word(struct bytes *b)
{
	const uint8_t *p = take(b, 8);
	uint64_t v = 0;
	if (p)
		memcpy(&v, p, 8);
	return v;
}

static void parse_stack(const struct engine *g, struct bytes *b, struct sample *s)
{
	s->bits = take_word(b);
	if (g->o->user_graph != GRAPH_DWARF || !s->bits)
		return;
	s->regs = take(b, N_REGS * 8);
	uint64_t room = take_word(b);
	s->stack = room ? take(b, room) : NULL;
	s->stack_len = s->stack ? take_word(b) : 0;
	if (s->stack_len > room)
		s->stack_len = 0;
}

/* The fields that common_attr, add_event and stack_attr ask for, in the kernel's order. */
static bool parse_sample(const struct engine *g, const struct perf_event_header *h, struct sample *s, intptr_t *from)
{
	struct bytes b = { (const uint8_t *)(h + 1), (const uint8_t *)h + h->size };
	memset(s, 0, sizeof(*s));
	if (h->size < 44)
		return false;
	s->id = take_word(&b);
	uint64_t ids = take_word(&b);
	s->pid = ids;
	s->tid = ids >> 32;
	s->time = take_word(&b);
	s->cpu = take_word(&b);
	*from = (intptr_t)u64map_get(&g->source_of, s->id) - 1;
	if (*from == PAIR_EXIT && (g->o->user_graph == GRAPH_FP || g->o->kernel_graph)) {
		s->n_chain = take_word(&b);
		if (s->n_chain > h->size / 8 || !(s->chain = take(&b, s->n_chain * 8)))
			return false;
	}
	const uint8_t *size = take(&b, 4);
	if (!size)
		return false;
	memcpy(&s->raw_size, size, 4);
	s->raw = take(&b, s->raw_size);
	if (s->raw && (*from == PAIR_EXIT || *from == PAIR_ENTER)) {
		if (*from == PAIR_EXIT)
			parse_stack(g, &b, s);
		else
			s->bits = take_word(&b);
	}
	return s->raw && *from >= 0;
}

/* In the order of sysevent.h. */
static void fill_state(struct engine *g, const struct sample *s, struct sysevent *e)
{
	static const uint8_t from[N_REGS] = { 16, 15, 14, 13, 6, 1, 12, 11, 10, 9, 0, 2, 3, 4, 5, 8, 7 };
	for (int i = 0; i < N_REGS; i++)
		memcpy(&g->regs[i], s->regs + from[i] * 8, 8);
	e->uregs = g->regs;
	e->ustack_data = s->stack;
	e->ustack_len = s->stack_len;
}

static bool on_sample(struct engine *g, const struct perf_event_header *h, struct sysevent *e)
{
	struct sample s;
	intptr_t from;
	if (!parse_sample(g, h, &s, &from) || (g->o->all && (int)s.pid == getpid()))
		return false;
	struct pairing_at at = { s.pid, s.tid, s.cpu, s.time, s.bits };
	if (!pairing_sample(g->pairing, from, &at, s.raw, s.raw_size, &g->fields, e))
		return false;
	if (s.chain)
		sysevent_chain(e, &g->frames, s.chain, s.n_chain);
	if (s.regs)
		fill_state(g, &s, e);
	return !g->o->cpus.n || intlist_has(&g->o->cpus, s.cpu);
}

static bool on_lost(struct engine *g, const uint8_t *p, uint64_t time, struct sysevent *e)
{
	uint64_t lost;
	memcpy(&lost, p + 8, 8);
	sysevent_lost(e, time, -1, lost);
	g->stats.lost += lost;
	return true;
}

/* A loss is told with the next record that finds room. After the last one the events themselves know. */
static bool on_last_losses(struct engine *g, struct sysevent *e)
{
	uint64_t lost = 0, v[3]; /* value, id, lost */
	if (g->lost_told || !sampling_has_lost())
		return false;
	g->lost_told = true;
	vec_each(&g->opened.fds, f)
		lost += read(f->fd, v, sizeof(v)) == sizeof(v) ? v[2] : 0;
	if (lost <= g->stats.lost)
		return false;
	sysevent_lost(e, clock_ns(), -1, lost - g->stats.lost);
	g->stats.lost = lost;
	return true;
}

static bool on_record(struct engine *g, const struct record *r, struct sysevent *e)
{
	const struct perf_event_header *h = (const void *)(g->arena.buf + r->at);
	size_t body = h->size - sizeof(*h);
	if (h->type == PERF_RECORD_SAMPLE)
		return on_sample(g, h, e);
	if (h->type == PERF_RECORD_LOST)
		return body >= 16 && on_lost(g, (const uint8_t *)(h + 1), r->time, e);
	return pairing_task(g->pairing, h, r->time, e);
}

/* ---- the interface ---- */

static bool engine_busy(struct engine *g)
{
	if (g->strangers)
		return pairing_busy(g->pairing); /* others always have something for us */
	return g->held.n || g->given < g->round.n || pairing_busy(g->pairing);
}

static int sleep_a_round(struct engine *g, int timeout_ms)
{
	struct pollfd p = { signals_fd(), POLLIN, 0 };
	int ms = timeout_ms >= 0 && timeout_ms < g->round_ms ? timeout_ms : g->round_ms;
	g->stats.sleeps++;
	int got = poll(&p, p.fd >= 0, ms);
	if (got > 0)
		signals_drain();
	return got > 0;
}

static int engine_next(struct engine *g, struct sysevent *e, int timeout_ms)
{
	for (int slept = 0;;) {
		while (g->given < g->round.n) {
			struct record r = g->round.at[g->given++];
			if (on_record(g, &r, e)) {
				g->stats.events++;
				return 1;
			}
		}
		if (g->drained)
			return on_last_losses(g, e) || pairing_unfinished(g->pairing, e) ? 1 : -ENODATA;
		if (!g->o->quiet_switch && !g->stopping && pairing_waiting(g->pairing, clock_ns() - ANNOUNCE_NS, e))
			return 1;
		if (slept && (timeout_ms >= 0 || signals_stop()))
			return 0;
		if (!g->stopping)
			slept = sleep_a_round(g, timeout_ms) || timeout_ms >= 0;
		take_round(g);
	}
}

static void engine_stop(struct engine *g)
{
	opened_disable(&g->opened);
	g->stopping = true;
}

static void engine_close(struct engine *g)
{
	if (!g)
		return;
	rings_release(&g->rings);
	opened_close(&g->opened);
	events_release(&g->events);
	target_release(&g->target);
	target_release(&g->everywhere);
	pairing_free(g->pairing);
	u64map_release(&g->source_of);
	str_release(&g->arena);
	str_release(&g->next_arena);
	vec_release(&g->round);
	vec_release(&g->held);
	free(g);
}

static void engine_stats(struct engine *g, struct engine_stats *s)
{
	*s = g->stats;
}

static bool usable(const struct engine_options *o, struct str *why)
{
	if (o && o->where_strings && !find_path_probe(NULL)) {
		str_add(why, "perf events carry no strings that --where could test\n"
			     "tests on numbers and results work, and with a probe:vfs_getname on paths; --engine=bpf and ptrace see all");
		return false;
	}
	if (!tracefs_ready() && !try_open(!o || o->all))
		return true;
	str_addf(why, "%s%s%s", error_message(), *error_hints() ? "\n" : "", error_hints());
	error_clear();
	return false;
}

const struct engine_ops engine_perf = {
	.name = "perf",
	.what = "perf events on raw_syscalls: no BPF needed, paths only with a probe:vfs_getname",
	.can = 0,
	.usable = usable,
	.open = engine_open,
	.next = engine_next,
	.busy = engine_busy,
	.stop = engine_stop,
	.close = engine_close,
	.stats = engine_stats,
};
