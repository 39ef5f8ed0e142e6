// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/record.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "ftrace/undo.h"
#include "job/disk.h"
#include "job/ftrace/date.h"
#include "job/life.h"
#include "kernel/clock.h"
#include "kernel/rights/caps.h"
#include "kernel/tracefs.h"

enum { LOOK_MS = 100 };

struct record_lane { struct ftrace_instance at; struct spools *c; bool placed, text; };
struct record_work {
	struct ftrace_recording *r;
	struct record_lane *lane; size_t n_lanes;
	struct life life;
	bool full; /* the disk was */
	uint64_t lost;
	char date[32];
};

/* ---- before ---- */

static int set_up_lane(struct record_work *w, size_t k)
{
	struct record_buffer *b = &w->r->buffers.at[k];
	struct record_lane *l = &w->lane[k];
	int err = ftrace_setup_place(&b->setup, &l->at);
	if (err)
		return err;
	l->placed = true;
	l->text = ftrace_is_latency(b->setup.tracer);
	if (b->setup.clock && (err = ftrace_set(&l->at, "trace_clock", b->setup.clock)))
		return error_hint("sonde ftrace list -C lists the clocks");
	if (w->r->date && !k && (err = ftrace_date(&l->at, w->date, sizeof(w->date))))
		return err;
	if (w->life.command.pid && w->r->only_command && (err = ftrace_setup_pid(&b->setup, &l->at, w->life.command.pid)))
		return err;
	err = ftrace_setup_apply(&b->setup, &l->at);
	if (err || l->text)
		return err;
	if (file_exists(ftrace_path(&l->at, "buffer_percent")) && (err = ftrace_set(&l->at, "buffer_percent", "25")))
		return err;
	return collect_open(&l->c, &l->at, &w->r->collect); /* now: the tracer cannot be set while somebody reads */
}

static int each(struct record_work *w, int (*does)(struct record_work *w, struct record_lane *l))
{
	int err = 0;
	for (size_t k = 0; k < w->n_lanes && !err; k++)
		err = does(w, &w->lane[k]);
	return err;
}

static int start_lane(struct record_work *w, struct record_lane *l)
{
	int err = l->c ? collect_start(l->c, !w->r->see_readers) : 0;
	return err ? err : ftrace_set(&l->at, "tracing_on", "1");
}

static int stop_lane(struct record_work *w, struct record_lane *l)
{
	(void)w;
	return l->placed ? ftrace_set(&l->at, "tracing_on", "0") : 0;
}

static int end_lane(struct record_work *w, struct record_lane *l)
{
	int err = l->c ? collect_end(l->c) : 0;
	w->lost += l->c ? collect_lost(l->c) : 0;
	return err;
}

/* ---- meanwhile ---- */

static bool disk_is_full(struct record_work *w)
{
	uint64_t room = UINT64_MAX;
	if (w->r->no_disk_guard)
		return false;
	for (size_t k = 0; k < w->n_lanes; k++)
		if (w->lane[k].c && file_room(collect_file(w->lane[k].c)) < room)
			room = file_room(collect_file(w->lane[k].c));
	return room < 64 << 20;
}

static int loop(struct record_work *w)
{
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	uint64_t look = clock_ns();
	while (!life_over(&w->life) && !life_ended(&w->life)) {
		if (!w->full && clock_ns() >= look) {
			look = clock_ns() + (uint64_t)LOOK_MS * 1000000;
			w->full = disk_is_full(w);
			int err = w->full ? each(w, stop_lane) : 0;
			if (err)
				return life_failed(&w->life, err);
			if (w->full && !w->life.command.pid)
				life_enough(&w->life);
		}
		(void)poll(&p, 1, life_sleep(&w->life, LOOK_MS));
		signals_drain();
	}
	return 0;
}

/* ---- the file ---- */

/* The events whose formats are needed: those that were asked for, or all. */
static void formats_needed(const struct ftrace_recording *r, wordlist *out)
{
	if (r->all_formats) {
		vec_each(tracefs_all(), e)
			wordlist_add(out, *e);
		return;
	}
	vec_each(&r->buffers, b)
		vec_each(&b->setup.events, e)
			if (!e->off && ftrace_events_named(e->pattern, out))
				error_clear();
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_unique(wordlist *w)
{
	size_t n = 0;
	if (w->n)
		qsort(w->at, w->n, sizeof(*w->at), by_text);
	for (size_t i = 0; i < w->n; i++) {
		if (n && !strcmp(w->at[n - 1], w->at[i]))
			free(w->at[i]);
		else
			w->at[n++] = w->at[i];
	}
	w->n = n;
}

static int write_file(struct record_work *w, uint64_t *bytes)
{
	struct tracedat_new n;
	wordlist events = { 0 };
	tracedat_new_init(&n);
	formats_needed(w->r, &events);
	sort_unique(&events);
	int err = tracedat_new_from_kernel(&n, &events);
	wordlist_release(&events);
	if (*w->date)
		tracedat_new_option(&n, OPTION_DATE, w->date, strlen(w->date) + 1);
	if (w->r->ts_offset)
		tracedat_new_option(&n, OPTION_OFFSET, w->r->ts_offset, strlen(w->r->ts_offset) + 1);
	tracedat_new_usual(&n);
	for (size_t k = 0; k < w->n_lanes && !err; k++) {
		struct record_lane *l = &w->lane[k];
		const char *name = w->r->buffers.at[k].name;
		err = l->text ? ftrace_take_text(&n, &l->at, name) : ftrace_take_buffer(&n, l->c, &l->at, name);
	}
	if (!err)
		err = tracedat_write(&n, &w->r->write, bytes);
	tracedat_new_release(&n);
	return err;
}

static void tell(const struct record_work *w, uint64_t bytes)
{
	if (w->full)
		disk_say_full(w->r->write.path, "-m KB, fewer events with -e or -f");
	if (w->lost) {
		warn("%llu events were lost: the buffer of a CPU was full", (unsigned long long)w->lost);
		hint("-b KB makes them larger; fewer functions or events fill them more slowly");
	}
	if (!w->r->quiet)
		note(0, "[ ftrace record: wrote %.1f MB to %s ]", (double)bytes / 1e6, w->r->write.path);
}

/* ---- all of it ---- */

static int work(struct record_work *w)
{
	int err = 0;
	uint64_t bytes = 0;
	for (size_t k = 0; k < w->n_lanes && !err; k++)
		err = set_up_lane(w, k);
	if (err)
		return err;
	life_give_up_rights(&w->life, CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_DAC_READ_SEARCH) | CAP_BIT(CAP_SYS_NICE) | CAP_BIT(CAP_SYSLOG));
	err = each(w, start_lane);
	if (!err)
		err = life_start(&w->life);
	if (!err)
		err = loop(w);
	if (err)
		return err;
	err = each(w, stop_lane);
	int kept = each(w, end_lane);
	if (err || kept)
		return err ? err : kept;
	err = write_file(w, &bytes);
	if (!err)
		tell(w, bytes);
	return err;
}

static void release(struct record_work *w)
{
	for (size_t k = 0; k < w->n_lanes; k++) {
		collect_free(w->lane[k].c);
		if (w->lane[k].placed)
			ftrace_instance_release(&w->lane[k].at);
	}
	free(w->lane);
}

int ftrace_record_run(struct ftrace_recording *r, char **command)
{
	struct record_work w = { .r = r, .n_lanes = r->buffers.n };
	struct workload_options how = { .user = r->user };
	int err = tracefs_ready();
	if (!err)
		err = undo_start();
	w.lane = xcalloc(w.n_lanes, sizeof(*w.lane));
	if (!err)
		err = life_fork(&w.life, command, &how);
	if (!err)
		err = work(&w);
	if (err)
		error_print();
	for (size_t k = 0; k < w.n_lanes; k++) { /* who reads keeps the guardian from taking it away */
		collect_free(w.lane[k].c);
		w.lane[k].c = NULL;
	}
	life_finish(&w.life);
	int code = err ? EXIT_SONDE : life_code(&w.life);
	life_release(&w.life); /* a command that never started holds the guardian's pipe, too */
	if (undo_run())
		code = error_print();
	release(&w);
	return code;
}
