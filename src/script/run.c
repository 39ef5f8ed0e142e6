// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/run.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "kernel/bpf_programs.h"
#include "base/json.h"
#include "script/builtin/builtin.h"
#include "script/code/marks.h"
#include "script/provider/provider.h"
#include "script/show/map.h"

enum { BUSY_MS = 1, IDLE_ROUNDS = 20, DRAIN_NS = 100000000, ROUND_NS = 20000000 };

static uint64_t clock_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static uint64_t boot_ns(void)
{
	return clock_now(CLOCK_BOOTTIME);
}

/* A new round of an interval begins at the top of the screen: its record is not of a later place than the last, some time ago. */
static void refresh(struct runner *r, const struct site *s)
{
	uint64_t now = boot_ns();
	if (!s->unit || s->unit->provider != &provider_interval)
		return;
	if (!r->refreshed || (s->number <= r->refreshed->number && now - r->refreshed_at > ROUND_NS))
		out_puts(r->out, "\033[H\033[J");
	r->refreshed = s;
	r->refreshed_at = now;
}

/* A record that is not as its site says is none of ours: a fault, and told. */
static int on_record(void *ctx, void *data, size_t size)
{
	struct runner *r = ctx;
	const struct script_record *rec = data;
	if (size > offsetof(struct stack_record, key) && rec->site == SITE_STACK) {
		stack_names_take(&r->stacks, data, size);
		return 0;
	}
	if (size < sizeof(*rec) || rec->size > size || rec->size < sizeof(*rec) || rec->site >= r->s->sites.n)
		return r->err = error_set(EIO, "a program's record is damaged");
	const struct site *s = r->s->sites.at[rec->site];
	r->records++;
	if (r->refresh)
		refresh(r, s);
	r->err = s->builtin->show ? s->builtin->show(r, s, (const uint8_t *)(rec + 1), rec->size - sizeof(*rec)) : 0;
	if (r->unbuffered)
		out_flush(r->out);
	if (r->err || r->out->err)
		return r->err ? r->err : r->out->err;
	return r->drain_until && boot_ns() >= r->drain_until ? -EAGAIN : 0; /* this one is taken, the others stay */
}

int run_open(struct runner *r, struct run_script *s, struct out *out, bool json, unsigned ring_bytes)
{
	*r = (struct runner){ .s = s, .out = out, .json = json, .namer = { s, out->tty, &r->stacks }, .stacks.map = -1 };
	int err = load_script(&r->load, s, ring_bytes);
	r->stacks.map = r->load.stacks;
	if (err || r->load.ring < 0)
		return err;
	if (s->needs_user_names)
		stack_names_follow(&r->stacks);
	r->ring = ring_buffer__new(r->load.ring, on_record, r, NULL);
	return r->ring ? 0 : error_sys(errno, "cannot map the ring of the programs' records");
}

static int run_units(struct runner *r, const struct provider *p)
{
	int err = 0;
	for (size_t i = 0; i < r->s->units.n && !err; i++)
		if (r->s->units.at[i].provider == p)
			err = load_run(&r->s->units.at[i]);
	return err;
}

/* BEGIN first: what it sets is there when the others come. */
int run_begin(struct runner *r)
{
	r->load.shared->started = boot_ns();
	int err = run_units(r, &provider_begin);
	return err || run_over(r) ? err : load_attach(&r->load);
}

static void tell_losses(struct runner *r)
{
	uint64_t lost = __atomic_load_n(&r->load.shared->lost, __ATOMIC_RELAXED);
	uint64_t missed = __atomic_load_n(&r->load.shared->missed, __ATOMIC_RELAXED);
	if (lost > r->told_lost && r->json)
		out_printf(r->out, "{\"type\": \"lost_events\", \"data\": {\"events\": %llu}}\n", (unsigned long long)(lost - r->told_lost));
	if (lost > r->told_lost || missed > r->told_missed)
		out_flush(r->out);
	if (lost > r->told_lost) {
		warn("lost %llu events: they came faster than they could be shown", (unsigned long long)(lost - r->told_lost));
		if (!r->told_lost)
			hint("count or filter in the script, write to a file (-o), or take a larger ring (--ring-size)");
	}
	if (missed > r->told_missed)
		warn("missed %llu runs of blocks: %d others were under way on their CPU", (unsigned long long)(missed - r->told_missed), FRAMES);
	r->told_lost = lost;
	r->told_missed = missed;
}

int run_drain(struct runner *r)
{
	uint64_t before = r->records;
	r->drain_until = r->detached ? 0 : boot_ns() + DRAIN_NS;
	uint64_t now = clock_now(CLOCK_MONOTONIC);
	__atomic_store_n(&r->load.shared->reader_seen, now, __ATOMIC_RELAXED);
	bool all = !r->ring || ring_buffer__consume(r->ring) >= 0;
	stack_names_pass(&r->stacks, all ? now : 0);
	if (r->err)
		return r->err;
	if (r->out->err)
		return r->out->err;
	tell_losses(r);
	r->idle = r->records > before ? 0 : r->idle + 1;
	out_flush(r->out);
	return (int)(r->records - before);
}

bool run_over(const struct runner *r)
{
	return __atomic_load_n(&r->load.shared->exiting, __ATOMIC_ACQUIRE);
}

int run_fd(const struct runner *r)
{
	return r->ring ? ring_buffer__epoll_fd(r->ring) : -1;
}

/* While records come nobody is woken by each; in a silence the next one does wake us. */
int run_wait(struct runner *r)
{
	bool asleep = r->idle > IDLE_ROUNDS;
	__atomic_store_n(&r->load.shared->wake, asleep ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP, __ATOMIC_SEQ_CST);
	return asleep ? 100 : BUSY_MS;
}

static void tell_cut(const struct runner *r)
{
	for (size_t i = 0; i < r->s->loops.n && i < LOOPS_MAX; i++) {
		uint64_t n = r->load.shared->cut[i];
		if (n)
			source_warn(r->s->source, r->s->loops.at[i].at, "this loop was cut after %u rounds, %llu time%s: a program may not run for longer",
				    r->s->loops.at[i].rounds, (unsigned long long)n, n == 1 ? "" : "s");
	}
}

static void tell_no_room(const struct runner *r)
{
	vec_each(&r->s->units, u) {
		if (!u->left_out)
			continue;
		warn("the kernel has left out %llu hits of %s", (unsigned long long)u->left_out, r->s->points.at[u->points.at[0]].name);
		if (u->provider == &provider_kretprobe)
			hint("a kretprobe waits for some returns at a time only; fexit:%s misses none", r->s->points.at[u->points.at[0]].func);
	}
}

static void tell_full(const struct runner *r)
{
	tell_no_room(r);
	if (r->load.shared->contended)
		warn("%llu changes of maps were not made: other CPUs changed the same entry all the time", (unsigned long long)r->load.shared->contended);
	uint64_t no_stack = r->load.shared->no_stack;
	if (no_stack) {
		warn("%llu stacks are missing: there was room for %u different ones", (unsigned long long)no_stack, r->s->max_keys);
		hint(r->s->stap ? "-DMAXMAPENTRIES=%u has more" : "config = { max_map_keys = %u } has more", r->s->max_keys * 4);
	}
	for (size_t i = 0; i < r->s->maps.n && i < MAPS_MAX; i++) {
		uint64_t n = r->load.shared->full[i];
		if (!n)
			continue;
		const struct decl *d = r->s->maps.at[i];
		unsigned most = marks_room(r->s, d);
		warn("@%s was full: %llu entries beyond %u were not stored", d->name, (unsigned long long)n, most);
		if (d->entries)
			hint("let @%s = hash(%u) has more room", d->name, most * 4);
		else
			hint("config = { max_map_keys = %u } before the script's probes gives every map more room, and so does BPFTRACE_MAX_MAP_KEYS=%u",
			     most * 4, most * 4);
	}
}

/* A program is not run while it is under way on that CPU: an interrupt's, or, where they are preempted, another thread's. */
static void tell_left_out(const struct runner *r)
{
	uint64_t n = 0;
	vec_each(&r->s->units, u)
		n += bpf_program_left_out(u->fd);
	if (!n)
		return;
	warn("the kernel left out %llu runs of the script's programs: what they would have counted or printed is missing", (unsigned long long)n);
	if (bpf_programs_preempted())
		hint("on this kernel programs on raw tracepoints are preempted, and others' are left out then; on tracepoint:SYSTEM:EVENT none is");
}

void run_tell(const struct runner *r)
{
	tell_cut(r);
	tell_full(r);
	tell_left_out(r);
}

int run_stop(struct runner *r)
{
	load_detach(&r->load);
	r->detached = true;
	int err = run_drain(r);
	return err < 0 ? err : 0;
}

int run_end(struct runner *r)
{
	int err = run_stop(r);
	if (!err)
		err = run_units(r, &provider_end);
	if (!err)
		err = run_drain(r);
	if (err >= 0)
		err = show_all_maps(r);
	out_flush(r->out);
	run_tell(r);
	return err < 0 ? err : 0;
}

int run_code(const struct runner *r)
{
	return (int)r->load.shared->exit_code & 255;
}

void run_close(struct runner *r)
{
	if (r->ring)
		ring_buffer__free(r->ring);
	r->ring = NULL;
	stack_names_release(&r->stacks);
	load_release(&r->load);
}

/* ---- output ---- */

void run_text(struct runner *r, const char *type, struct str *text)
{
	if (r->json) {
		struct str line = STR_INIT;
		struct json j;
		str_addf(&line, "{\"type\": \"%s\", \"data\": ", type);
		json_init(&j, &line);
		json_str(&j, text->buf, text->len);
		str_add(&line, "}\n");
		out_str(r->out, &line);
		str_release(&line);
		str_clear(text);
		return;
	}
	out_str(r->out, text);
}

void run_value(struct runner *r, struct str *value)
{
	if (r->json)
		out_puts(r->out, "{\"type\": \"value\", \"data\": ");
	out_str(r->out, value);
	out_puts(r->out, r->json ? "}\n" : "\n");
}
