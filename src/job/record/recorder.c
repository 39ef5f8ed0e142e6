// SPDX-License-Identifier: GPL-2.0-or-later
/* The order is what makes a recording whole:
 *   1. events are opened, off; their rings are mapped;
 *   2. the tracker goes on: from now every new map, name and thread is in a ring;
 *   3. what was there before is read from /proc;
 *   4. sampling goes on, and the command starts.
 * So no sample can come from a process whose maps nobody wrote down. A command's own events (nothing
 * existed before) start with its exec and need no tracker.
 *
 * The loop sleeps until a ring has filled to its watermark; bytes go from the ring to the file as they
 * are, in one large write for each ring and pass. */
#include "job/record/recorder.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "job/record/inner.h"
#include "kernel/rights/caps.h"
#include "kernel/perf.h"
#include "kernel/clock.h"

enum { SIDE_MAX = 64 << 20, TICK_MS = 1000, TICK_PIPE_MS = 100 };
enum { POLLED_OUT = 2 }; /* of what is polled besides rings: see list_polled */

static int snapshot_fd = -1; /* SIGUSR2; a signal handler has no other way to its recorder */

/* ---- set-up ---- */

static void on_usr2(int sig)
{
	int keep = errno;
	uint64_t one = 1;
	(void)sig;
	if (write(snapshot_fd, &one, sizeof(one)) < 0) { /* already asked for */
	}
	errno = keep;
}

static void arm_usr2(const struct recorder *r)
{
	struct sigaction sa = { .sa_handler = on_usr2, .sa_flags = SA_RESTART };
	if (!r->o->switch_output && !r->o->sampling.overwrite)
		return;
	snapshot_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigaction(SIGUSR2, &sa, NULL);
}

static bool needs_tracker(const struct recorder *r)
{
	return target_given(r->t) || r->o->delayed || r->o->sampling.overwrite || r->sys_enter >= 0 || r->sys_exit >= 0;
}

/* --exclude-perf: tracepoints that sonde itself makes. */
static int exclude_self(event_list *l)
{
	bool some = false;
	vec_each(l, e) {
		if (e->kind != EVENT_TRACEPOINT)
			continue;
		char *f = e->filter ? xasprintf("(%s) && (common_pid != %d)", e->filter, getpid()) :
				      xasprintf("common_pid != %d", getpid());
		free(e->filter);
		e->filter = f;
		some = true;
	}
	if (some)
		return 0;
	error_set(EINVAL, "--exclude-perf is for tracepoints, and there is none");
	return error_hint("other events can be limited to processes with -p, or to user space with :u");
}

static size_t ring_bytes(const struct recorder *r)
{
	return r->o->ring_bytes ? r->o->ring_bytes : RINGS_BYTES;
}

/* The tracker sees all CPUs even when -C samples only some: programs move. */
static int track_other_cpus(struct recorder *r)
{
	if (!r->own_tracker || target_by_task(r->t))
		return 0;
	vec_each(&r->t->online, cpu) {
		if (intlist_has(&r->t->cpus, *cpu))
			continue;
		struct perf_event_attr a = r->l->at[r->tracker].attr;
		a.disabled = 1;
		int fd = perf_open(&a, -1, *cpu, -1, 0);
		if (fd < 0)
			return perf_explain(fd, &a, "dummy", -1, *cpu);
		*vec_push(&r->opened.fds) = (struct opened_fd){ fd, r->tracker, *cpu, -1 };
	}
	return 0;
}

/* Overwrite mode: the tracker's records must not be overwritten; it gets rings of its own. */
static void part_tracker(struct recorder *r)
{
	size_t n = 0;
	vec_each(&r->opened.fds, f) {
		if (f->event == r->tracker)
			*vec_push(&r->tracking.fds) = *f;
		else
			r->opened.fds.at[n++] = *f;
	}
	r->opened.fds.n = n;
}

/* Clocks that cannot be read in a non-maskable interrupt: the kernel gives them to timers alone. */
static bool refused_clock(const struct recorder *r)
{
	int clock = r->o->sampling.clockid;
	if (error_code() != -EINVAL || (clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME && clock != CLOCK_TAI))
		return false;
	vec_each(r->l, e)
		if (!event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK) && !event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) && !e->tag)
			return true;
	return false;
}

static int explain_open(const struct recorder *r)
{
	int err = error_code();
	if (refused_clock(r)) {
		error_set(EINVAL, "-k: the kernel has this clock for cpu-clock and task-clock only");
		return error_hint("-k mono and -k raw go with every event; the file says what the wall clock was then");
	}
	bool lbr = r->o->sampling.call_graph == CALL_GRAPH_LBR;
	if ((!r->o->sampling.branch && !lbr) || (err != -EOPNOTSUPP && err != -ENOENT && err != -EINVAL))
		return err;
	error_set(-err, "%s needs a CPU that records branches, and this machine has none to offer",
		  lbr ? "--call-graph lbr" : "branch sampling (-b, -j)");
	return error_hint(lbr ? "use --call-graph dwarf, or fp" :
				"virtual machines rarely pass the branch records on; AMD has them from Zen 3, Intel as LBR");
}

/* System calls without a filter and the like go by way of a BPF program, which is much cheaper. The attrs are finished. */
static void plan_sysrecord(struct recorder *r)
{
	const struct recorder_options *o = r->o;
	if (o->ring_bytes || o->per_thread || o->delayed || o->control || !sysrecord_possible())
		return;
	for (size_t i = 0; i < r->l->n; i++) {
		if (!sysrecord_takes(r->l, i))
			continue;
		r->l->at[i].elsewhere = true;
		if (!strcmp(r->l->at[i].tracepoint, "sys_enter"))
			r->sys_enter = (int)i;
		else
			r->sys_exit = (int)i;
	}
}

/* Ids that no event of this file has. */
static void choose_ids(struct recorder *r)
{
	uint64_t id, last = 0;
	vec_each(&r->opened.fds, f)
		if (!ioctl(f->fd, PERF_EVENT_IOC_ID, &id) && id > last)
			last = id;
	r->sys_ids[0] = last + 1;
	r->sys_ids[1] = last + 2;
	r->off_id = last + 3;
}

static bool open_sysrecord(struct recorder *r)
{
	struct sysrecord_options o = { .target = r->t, .inherit = !r->o->no_inherit, .at_exec = r->t->workload,
				       .enter = r->sys_enter, .exit = r->sys_exit, .events = r->l };
	o.enter_id = r->sys_ids[0];
	o.exit_id = r->sys_ids[1];
	r->sys = sysrecord_open(&o);
	if (r->sys)
		return true;
	vec_each(r->l, e)
		e->elsewhere = false;
	r->sys_enter = r->sys_exit = -1;
	return false;
}

static int open_events(struct recorder *r)
{
	const struct recorder_options *o = r->o;
	struct open_options how = { .inherit = !o->no_inherit && !o->per_thread, .enable_on_exec = r->t->workload && !o->delayed,
				    .per_cpu = !o->per_thread, .user_only = true };
	if (events_open(&r->opened, r->l, r->t, &how))
		return explain_open(r);
	choose_ids(r);
	if ((r->sys_enter >= 0 || r->sys_exit >= 0) && !open_sysrecord(r)) {
		opened_close(&r->opened); /* all of them by perf, then */
		if (events_open(&r->opened, r->l, r->t, &how))
			return explain_open(r);
	}
	int err = track_other_cpus(r);
	if (!err)
		err = filters_open(r);
	if (!err)
		err = trigger_open(r, &how);
	if (!err)
		err = recorder_offcpu_open(r);
	if (err)
		return err;
	if (o->sampling.overwrite) {
		part_tracker(r);
		err = rings_map(&r->tracking_rings, &r->tracking, 1 << 20, false, true);
	}
	return err ? err : rings_map(&r->rings, &r->opened, ring_bytes(r), o->sampling.overwrite, !o->ring_bytes);
}

static void name_user_only(const struct recorder *r)
{
	vec_each(r->l, e)
		if (str_ends(e->name, "u") && !e->exclude_user_given && e->attr.exclude_kernel && !e->tag &&
		    !r->o->sampling.all_user && !r->o->quiet)
			warn("no permission to see the kernel: recording %s", e->name);
}

/* Samples in a kernel whose addresses are hidden will have no names. */
static void say_hidden(const struct recorder *r)
{
	bool kernel = false;
	vec_each(r->l, e)
		kernel |= !e->attr.exclude_kernel && !e->elsewhere && e->kind != EVENT_TRACEPOINT;
	const char *why = kernel && !r->o->quiet ? synth_kernel_hidden() : NULL;
	if (!why)
		return;
	warn("the kernel's addresses are hidden: its functions will have no names");
	hint("%s", why);
}

/* PMUs that write a trace beside the ring. */
static int refuse_aux(const event_list *l)
{
	static const char *const names[] = { "intel_pt", "intel_bts", "arm_spe", "cs_etm", "hisi_ptt" };
	vec_each(l, e)
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (e->pmu && str_starts(e->pmu, names[i])) {
				error_set(ENOTSUP, "%s is traced into an AUX area, which sonde does not do", e->name);
				return error_hint("perf record -e %s records it", e->name);
			}
	return 0;
}

static int set_up(struct recorder *r)
{
	int err = refuse_aux(r->l);
	if (err || (err = target_resolve(r->t, r->life.command.pid)))
		return err;
	if (r->o->exclude_self && (err = exclude_self(r->l)))
		return err;
	if (sampling_without_pmu(r->l) && !r->o->quiet)
		warn("this machine has no hardware PMU: sampling cpu-clock instead of cycles");
	struct sampling s = r->o->sampling;
	if (!s.watermark && !geteuid()) /* the rings will be as large as asked for */
		s.watermark = ring_bytes(r) / 4;
	if (r->o->max_size && s.watermark > r->o->max_size / 8)
		s.watermark = r->o->max_size / 8 + 1;
	if ((err = sampling_apply(&s, r->l, r->t)))
		return err;
	plan_sysrecord(r);
	if (r->o->off_cpu)
		r->off_event = sampling_offcpu(&s, r->l, r->t);
	r->own_tracker = needs_tracker(r);
	r->tracker = sampling_track(&s, r->l, r->t, r->own_tracker);
	if ((err = open_events(r)))
		return err;
	name_user_only(r);
	say_hidden(r);
	if (!r->o->ring_bytes)
		say_rings(r, RINGS_BYTES);
	return 0;
}

/* A reader that comes late loses events: it goes first where it may. */
static void hurry(const struct recorder *r)
{
	struct sched_param p = { .sched_priority = r->o->realtime };
	if (r->o->realtime && sched_setscheduler(0, SCHED_FIFO, &p))
		warn("cannot get the real-time priority %d: %s", r->o->realtime, strerror(errno));
	else if (!r->o->realtime)
		setpriority(PRIO_PROCESS, 0, -20);
}

static void add_poll(struct recorder *r, int fd)
{
	*vec_push(&r->polled) = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void list_polled(struct recorder *r)
{
	if (!r->o->sampling.overwrite)
		vec_each(&r->rings.place, p)
			add_poll(r, p->fd);
	vec_each(&r->tracking_rings.place, p)
		add_poll(r, p->fd);
	vec_each(&r->trigger_rings.place, p)
		add_poll(r, p->fd);
	r->poll_rings = r->polled.n;
	r->polls_rings = r->poll_rings;
	add_poll(r, r->sys ? sysrecord_fd(r->sys) : -1);
	add_poll(r, signals_fd());
	add_poll(r, strcmp(r->o->output, "-") ? -1 : 1);
	vec_last(&r->polled)->events = 0; /* only to know that nobody reads it any more */
	add_poll(r, snapshot_fd);
	add_poll(r, r->o->control ? r->o->control->fd : -1); /* the last: see when_told */
}

/* What is left to do: reading binaries and maps of whoever was sampled, new files. */
static void give_up_rights(const struct recorder *r)
{
	uint64_t keep = CAP_BIT(CAP_DAC_READ_SEARCH) | CAP_BIT(CAP_SYS_PTRACE) | CAP_BIT(CAP_SYSLOG);
	if (r->o->switch_output || r->o->sampling.overwrite)
		keep |= CAP_BIT(CAP_DAC_OVERRIDE);
	if (r->offcpu) /* its maps are read at the end */
		keep |= CAP_BIT(CAP_BPF);
	life_give_up_rights(&r->life, keep);
}

/* Steps 2 to 4. */
static int arm(struct recorder *r)
{
	int err = r->o->sampling.overwrite ? 0 : files_open(r);
	if (err)
		return err;
	if (r->own_tracker)
		when_track(r);
	if ((err = files_synth(r)))
		return err;
	list_polled(r);
	hurry(r);
	if (!r->t->workload && !r->o->delayed)
		when_on(r);
	r->started = clock_ns();
	r->progress_at = r->started + 1000000000;
	give_up_rights(r);
	if (r->t->workload && !r->o->delayed)
		recorder_offcpu_turn(r, true);
	return life_start(&r->life);
}

/* ---- the data ---- */

static void look_map(struct recorder *r, const struct perf_event_header *h)
{
	const uint8_t *b = (const uint8_t *)(h + 1);
	const char *path = (const char *)b + 64;
	struct build_id id = { .n = 0 };
	uint32_t pid, dev[2];
	uint64_t ino;
	if (!r->w || r->o->no_build_ids || h->size < 8 + 72 || path[0] != '/' || !memchr(path, 0, h->size - 72))
		return;
	if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && r->o->sampling.build_id_maps) {
		id.n = b[32] <= sizeof(id.id) ? b[32] : 0;
		memcpy(id.id, b + 36, id.n);
		perfdata_saw_build_id(r->w, path, &id, false);
		return;
	}
	memcpy(&pid, b, 4);
	memcpy(dev, b + 32, 8);
	memcpy(&ino, b + 40, 8);
	const struct build_id *of = ino ? synth_file_build_id(&r->synth, (int)pid, path, makedev(dev[0], dev[1]), ino) : NULL;
	if (of)
		perfdata_saw_build_id(r->w, path, of, false);
}

void recorder_look(struct recorder *r, const struct perf_event_header *h)
{
	const uint64_t *w = (const uint64_t *)(h + 1);
	if (h->type == PERF_RECORD_SAMPLE) {
		r->samples++;
		if (r->time_pos >= 0 && h->size >= 16 + 8 * r->time_pos) {
			r->last_time = w[r->time_pos];
			perfdata_saw_time(r->w, r->last_time, r->last_time);
		}
	} else if (h->type == PERF_RECORD_LOST && h->size >= 24) {
		r->lost += w[1];
	} else if (h->type == PERF_RECORD_THROTTLE) {
		r->throttled++;
	} else {
		r->awry |= mend_is_due(r, h);
		if (h->type == PERF_RECORD_MMAP2)
			look_map(r, h);
	}
}

/* --max-size: how many more bytes may be written. */
static uint64_t size_left(const struct recorder *r)
{
	uint64_t written = r->bytes + (r->w ? perfdata_written(r->w) + perfdata_tail(r->w) : 0);
	return !r->o->max_size ? UINT64_MAX : written < r->o->max_size ? r->o->max_size - written : 0;
}

static uint64_t disk_left(const struct recorder *r)
{
	uint64_t written = r->w ? perfdata_written(r->w) : 0;
	return r->disk_end > written ? r->disk_end - written : 0;
}

/* The end of both. */
uint64_t recorder_room(const struct recorder *r)
{
	uint64_t size = size_left(r), disk = disk_left(r);
	return size < disk ? size : disk;
}

static void meet_limit(struct recorder *r)
{
	r->limit_met = true;
	r->disk_full = disk_left(r) < size_left(r);
}

static void look_at_disk(struct recorder *r)
{
	uint64_t room = r->w && !r->o->no_disk_guard ? perfdata_room(r->w) : UINT64_MAX;
	r->disk_end = room == UINT64_MAX ? room : perfdata_written(r->w) + room;
}

/* A ring's bytes to the file (or, in overwrite mode, the tracker's to memory). 1 when there were some. */
static int drain(struct recorder *r, struct perf_ring *ring, struct rings_place *place)
{
	const void *piece[2];
	size_t len[2];
	uint64_t lost = r->lost;
	perf_ring_begin(ring);
	r->awry = false;
	uint64_t tail = ring->tail;
	if (ring->head == tail)
		return 0;
	uint64_t room = recorder_room(r), n = 0;
	for (struct perf_event_header *h; (h = perf_ring_next(ring)) && n + h->size <= room; n += h->size)
		recorder_look(r, h);
	place->lost += r->lost - lost;
	place->last = r->last_time > place->last ? r->last_time : place->last;
	if (room != UINT64_MAX && n < ring->head - tail)
		meet_limit(r);
	ring->tail = tail;
	if (!n)
		return 0;
	perf_ring_pieces(ring, piece, len);
	len[0] = len[0] < n ? len[0] : n;
	len[1] = n - len[0];
	struct iovec v[2] = { { (void *)piece[0], len[0] }, { (void *)piece[1], len[1] } };
	int err = 0;
	struct str mended = STR_INIT;
	if (r->awry) {
		mend_copy(r, &mended, v);
		v[0] = (struct iovec){ mended.buf, mended.len };
		v[1].iov_len = 0;
	}
	if (r->w) {
		err = perfdata_put_ring(r->w, v, v[1].iov_len ? 2 : 1);
	} else {
		str_addn(&r->side_ring, v[0].iov_base, v[0].iov_len);
		str_addn(&r->side_ring, v[1].iov_base, v[1].iov_len);
	}
	str_release(&mended);
	perf_ring_consume(ring, n);
	return err ? err : 1;
}

static int take_calls(void *ctx, const void *data, size_t n)
{
	struct recorder *r = ctx;
	struct iovec v = { (void *)data, n };
	if (n > recorder_room(r)) {
		meet_limit(r);
		r->samples = r->samples_kept;
		return 0;
	}
	r->samples_kept = r->samples;
	return perfdata_put_ring(r->w, &v, 1);
}

static void look_call(void *ctx, const struct perf_event_header *h)
{
	recorder_look(ctx, h);
}

/* One pass over all rings. */
static int pass(struct recorder *r)
{
	struct rings *sets[] = { &r->rings, &r->tracking_rings };
	look_at_disk(r);
	int calls = r->sys ? sysrecord_drain(r->sys, take_calls, look_call, r) : 0;
	if (calls < 0)
		return calls;
	bool some = calls;
	for (int i = r->o->sampling.overwrite; i < 2; i++)
		vec_each(&sets[i]->at, ring) {
			int n = drain(r, ring, &sets[i]->place.at[ring - sets[i]->at.at]);
			if (n < 0)
				return n;
			some |= n;
		}
	if (r->w) {
		int ends = recorder_offcpu_round(r);
		return ends < 0 ? ends : ends && (some || r->offcpu) ? perfdata_put_round(r->w) : 0;
	}
	if (r->side_ring.len > SIDE_MAX) { /* too much history: start again from what is there now */
		str_clear(&r->side_ring);
		str_clear(&r->side_made);
		return files_synth(r);
	}
	return 0;
}

/* Rings whose events have all ended are not polled any more. False when no event is alive. */
static bool forget_dead(struct recorder *r)
{
	for (size_t i = r->poll_rings; i-- > 0;)
		if (r->polled.at[i].revents & (POLLHUP | POLLERR | POLLNVAL)) {
			memmove(&r->polled.at[i], &r->polled.at[i + 1], (r->polled.n - i - 1) * sizeof(struct pollfd));
			r->polled.n--;
			r->poll_rings--;
		}
	if (r->poll_rings || !r->polls_rings)
		return true;
	vec_each(&r->opened.fds, f) { /* a ring's own event may be gone while others write to it */
		struct pollfd p = { .fd = f->fd, .events = POLLIN };
		if (poll(&p, 1, 0) < 0 || !(p.revents & POLLHUP))
			return true;
	}
	return false;
}

static int snapshot_wanted(struct recorder *r)
{
	uint64_t n;
	bool told = snapshot_fd >= 0 && read(snapshot_fd, &n, sizeof(n)) == sizeof(n);
	if (!trigger_hit(r) && !told)
		return 0;
	return r->o->sampling.overwrite ? files_snapshot(r, false) : files_switch(r);
}

/* What the clock and the size of the file ask for. */
static int due(struct recorder *r)
{
	const struct recorder_options *o = r->o;
	uint64_t now = clock_ns(), size = r->w ? perfdata_written(r->w) : 0;
	when_due(r, now);
	if (!recorder_room(r))
		meet_limit(r);
	say_pace(r, now);
	if (o->switch_output && ((o->switch_bytes && size >= o->switch_bytes) ||
				 (o->switch_ns && now >= r->file_started + o->switch_ns)))
		return files_switch(r);
	say_progress(r);
	return 0;
}

static int sleep_ms(const struct recorder *r)
{
	int ms = strcmp(r->o->output, "-") ? TICK_MS : TICK_PIPE_MS;
	uint64_t now = clock_ns();
	if (r->o->switch_ns) {
		int64_t left = (int64_t)(r->file_started + r->o->switch_ns - now) / 1000000 + 1;
		ms = left < ms ? (left > 0 ? left : 0) : ms;
	}
	return when_sleep(r, now, ms);
}

/* A command says how long; without one it is as long as there is something to record. */
static int loop(struct recorder *r)
{
	bool alive = true;
	int begun = strcmp(r->o->output, "-") ? 0 : perfdata_put_round(r->w); /* who reads it knows the events at once */
	if (begun)
		return begun;
	while ((alive || r->o->command) && !life_over(&r->life) && !life_ended(&r->life)) {
		int err = pass(r);
		if (err || (err = due(r)) || (err = snapshot_wanted(r)) || (err = when_told(r)))
			return err;
		if (r->disk_full) /* the command goes on */
			return 0;
		if (r->limit_met || r->stopped) {
			life_enough(&r->life);
			return 0;
		}
		if (poll(r->polled.at, r->polled.n, life_sleep(&r->life, sleep_ms(r))) < 0 && errno != EINTR)
			return error_sys(errno, "cannot wait for events");
		if (r->polled.at[r->poll_rings + POLLED_OUT].revents & (POLLERR | POLLHUP))
			return -EPIPE;
		alive = forget_dead(r);
		signals_drain();
	}
	return 0;
}

/* ---- the end ---- */

/* The kernel tells of a loss with the next record that fits into the ring, and behind the last one there is none: what
 * its counters have beyond the losses told was lost there. untold: of each ring, by its counters. */
static int put_last_losses(struct recorder *r, const uint64_t *untold, const uint64_t *ids)
{
	int err = 0;
	uint64_t end = 0; /* on other CPUs more came meanwhile; what is written last must not be older than what was shown */
	vec_each(&r->rings.place, p)
		end = p->last > end ? p->last : end;
	for (size_t i = 0; i < r->rings.place.n && r->w && !err; i++) {
		const struct rings_place *p = &r->rings.place.at[i];
		struct { struct perf_event_header h; uint64_t id, lost; } rec = { { PERF_RECORD_LOST, 0, sizeof(rec) }, ids[i], 0 };
		if (untold[i] <= p->lost)
			continue;
		rec.lost = untold[i] - p->lost;
		r->lost += rec.lost;
		err = perfdata_put_at(r->w, &rec.h, ids[i], end, p->cpu);
	}
	return err;
}

/* How many samples each event lost, as the kernel counted; also put into the file. */
static int put_lost(struct recorder *r)
{
	uint64_t v[5], *by_ring = xcalloc(2 * r->rings.place.n + 1, sizeof(*by_ring)), *ids = by_ring + r->rings.place.n;
	int err = 0;
	vec_each(&r->opened.fds, f) {
		int ring = rings_find(&r->rings, f);
		uint64_t format = r->l->at[f->event].attr.read_format;
		size_t n = 2 + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
		if (format & PERF_FORMAT_GROUP || read(f->fd, v, sizeof(v)) < (ssize_t)(8 * (n + 1)) || !v[n])
			continue;
		struct { struct perf_event_header h; uint64_t lost; } rec = { { PERF_RECORD_LOST_SAMPLES, 0, sizeof(rec) }, v[n] };
		r->lost_by_event += v[n];
		if (ring >= 0) {
			by_ring[ring] += v[n];
			ids[ring] = v[n - 1];
		}
		if (r->w && !err)
			err = perfdata_put_of(r->w, &rec.h, v[n - 1]);
	}
	if (!err && !r->o->sampling.overwrite && !r->limit_met)
		err = put_last_losses(r, by_ring, ids);
	free(by_ring);
	return err;
}

static int put_rest(struct recorder *r)
{
	int err = recorder_offcpu_finish(r);
	if (!err && !r->limit_met)
		err = pass(r);
	if (!err && sampling_has_lost())
		err = put_lost(r);
	if (!err)
		err = filters_put(r);
	if (!err && r->o->sampling.overwrite)
		err = files_snapshot(r, true);
	return err;
}

static int finish(struct recorder *r, int err)
{
	if (err)
		life_enough(&r->life);
	opened_disable(&r->opened);
	opened_disable(&r->tracking);
	if (r->sys)
		sysrecord_disable(r->sys);
	if (!err)
		err = put_rest(r);
	int last = r->o->sampling.overwrite ? 0 : files_close(r);
	if (err || last)
		err = life_failed(&r->life, err ? err : last);
	if (err)
		error_print();
	else
		say_end(r);
	life_finish(&r->life);
	return err ? EXIT_SONDE : life_code(&r->life);
}

static void release(struct recorder *r)
{
	perfdata_writer_free(r->w);
	rings_release(&r->rings);
	rings_release(&r->tracking_rings);
	opened_close(&r->opened);
	opened_close(&r->tracking);
	rings_release(&r->trigger_rings);
	opened_close(&r->trigger);
	life_release(&r->life);
	sysrecord_close(r->sys);
	offcpu_close(r->offcpu);
	vec_each(&r->filtered, f)
		sample_gate_close(f->gate);
	vec_release(&r->filtered);
	synth_release(&r->synth);
	vec_release(&r->polled);
	vec_each(&r->files, f)
		free(*f);
	vec_release(&r->files);
	str_release(&r->side_made);
	str_release(&r->side_ring);
	free(r->path);
	if (snapshot_fd >= 0)
		close(snapshot_fd);
	snapshot_fd = -1;
}

int recorder_run(const struct recorder_options *o, event_list *l, struct target *t)
{
	struct recorder r = { .o = o, .l = l, .t = t, .time_pos = -1, .sys_enter = -1, .sys_exit = -1, .off_event = -1 };
	struct workload_options wo = { .user = o->command_user };
	int code = EXIT_SONDE, err = life_fork(&r.life, o->command, &wo);
	arm_usr2(&r);
	if (!err)
		err = set_up(&r);
	if (!err)
		err = arm(&r);
	if (err == -EPIPE) { /* the reader went with the first bytes: the command has not begun, and never does */
		error_clear();
		code = 0;
	} else if (err)
		error_print();
	else
		code = finish(&r, loop(&r));
	release(&r);
	return code;
}
