// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/live.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "ftrace/undo.h"
#include "job/disk.h"
#include "job/ftrace/line.h"
#include "job/life.h"
#include "kernel/clock.h"
#include "kernel/rights/caps.h"
#include "kernel/task/process.h"

enum { READ_MAX = 1 << 16, LINE_MAX_BYTES = 1 << 20, WAIT_MS = 1000, BUSY_MS = 10, IDLE_MS = 100 };

struct live_work {
	struct ftrace_live *j;
	struct ftrace_instance at;
	struct life life;
	struct out out;
	struct ftrace_lines lines;
	struct str part; /* a line whose end has not come */
	int pipe;
	bool started, skipping;
	uint64_t end; /* by clock_ns(); 0: none */
};

/* ---- reading ---- */

static void take_silently(struct live_work *w)
{
	w->lines.lost += ftrace_line_lost(w->part.buf);
	w->j->take(w->j->ctx, w->part.buf);
}

/* "            bash-1234    (   1200) [001] ...": the kernel follows forks, of processes as well, and has the process in a column, which
 * is taken out. Lines without one belong to the line before. Is it to be shown? */
static bool of_process(struct live_work *w)
{
	enum { PID_AT = 16 }; /* names have 15 bytes at most, of any kind */
	char *line = w->part.buf, *end;
	if (w->part.len <= PID_AT || line[PID_AT] != '-')
		return !w->skipping;
	int tid = (int)strtol(line + PID_AT + 1, &end, 10), process;
	char *open = end + strspn(end, " "), *close = strchr(open, ')');
	if (*open != '(' || !close)
		return !w->skipping;
	if (sscanf(open + 1, " %d", &process) != 1)
		process = process_of(tid);
	w->skipping = process > 0 && process != w->j->process;
	size_t cut = (size_t)(close + 2 - open); /* and the blank behind it */
	if ((size_t)(open - line) + cut <= w->part.len) {
		memmove(open, open + cut, w->part.len - (size_t)(open - line) - cut + 1);
		w->part.len -= cut;
	}
	return !w->skipping;
}

static void take_line(struct live_work *w)
{
	if (w->j->process && !ftrace_line_lost(w->part.buf) && !of_process(w))
		return;
	if (w->j->take)
		take_silently(w);
	else
		ftrace_line_put(&w->lines, w->part.buf, w->part.len, &w->out);
}

static void take(struct live_work *w, const char *p, size_t n)
{
	while (n) {
		const char *nl = memchr(p, '\n', n);
		size_t k = nl ? (size_t)(nl - p) : n;
		str_addn(&w->part, p, k);
		if (nl || w->part.len > LINE_MAX_BYTES) {
			take_line(w);
			str_clear(&w->part);
		}
		k += nl != NULL;
		p += k;
		n -= k;
	}
}

enum drained { NOTHING, SOME, NOT_ALL };

/* All that is there now, but not for ever. -errno with a pending error. */
static int drain(struct live_work *w, int rounds, enum drained *got)
{
	static char buf[READ_MAX];
	*got = NOTHING;
	while (rounds-- > 0) {
		ssize_t n = read(w->pipe, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return error_sys(errno, "cannot read %s", ftrace_path(&w->at, "trace_pipe"));
		if (n <= 0)
			break;
		take(w, buf, (size_t)n);
		*got = rounds ? SOME : NOT_ALL;
		if (w->out.err)
			return w->out.err;
	}
	return out_flush(&w->out);
}

static int wait_ms(const struct live_work *w)
{
	uint64_t now = clock_ns();
	if (!w->end)
		return -1;
	return now >= w->end ? 0 : (int)((w->end - now) / 1000000) + 1;
}

/* Nobody waits on the ring: the kernel would wake us at every event, by an interrupt in the midst of what is measured, which
 * then stands in the graph. It is looked at now and then. */
static int loop(struct live_work *w)
{
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	int err = 0, pause = BUSY_MS;
	while (!life_over(&w->life) && !life_ended(&w->life)) {
		enum drained got = NOTHING;
		if (!w->j->buffered && (err = drain(w, 64, &got)) < 0)
			return w->out.full ? 0 : life_failed(&w->life, err);
		int left = wait_ms(w);
		if (!left || out_unread(&w->out)) {
			life_enough(&w->life);
			break;
		}
		pause = w->j->buffered ? WAIT_MS : got == NOT_ALL ? 0 : got == SOME ? BUSY_MS : pause * 2 + 1 < IDLE_MS ? pause * 2 + 1 : IDLE_MS;
		(void)poll(&p, 1, life_sleep(&w->life, left < 0 || left > pause ? pause : left));
		signals_drain();
	}
	return 0;
}

/* ---- from beginning to end ---- */

static void print_header(struct live_work *w)
{
	struct str s = STR_INIT;
	char *save = NULL;
	if (!ftrace_get(&w->at, "trace", &s) && s.len)
		for (char *l = strtok_r(s.buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
			if (*l == '#')
				out_printf(&w->out, "%s\n", l);
	str_release(&s);
}

/* When all has been traced, it tells how much there is. Processes have a column that is not shown (of_process). */
static int print_late_header(struct live_work *w)
{
	int err = w->j->process ? ftrace_option(&w->at, "norecord-tgid") : 0;
	if (!err)
		print_header(w);
	return err || !w->j->process ? err : ftrace_option(&w->at, "record-tgid");
}

static int set_up(struct live_work *w)
{
	struct ftrace_setup *s = w->j->setup;
	int err = w->j->prepare ? w->j->prepare(w->j->ctx, s) : 0;
	if (w->j->json && s->tracer && !strcmp(s->tracer, "function_graph"))
		wordlist_add(&s->options, "funcgraph-tail"); /* whose end it is */
	if (!err)
		err = ftrace_setup_place(s, &w->at);
	if (!err && w->life.command.pid && !w->j->all_tasks)
		err = ftrace_setup_pid(s, &w->at, w->life.command.pid);
	if (!err)
		err = ftrace_setup_apply(s, &w->at);
	if (err)
		return err;
	ftrace_setup_quiet(s, &w->at, getpid());
	w->pipe = open(ftrace_path(&w->at, "trace_pipe"), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return w->pipe < 0 ? ftrace_explain(-errno, &w->at, "trace_pipe", NULL) : 0;
}

/* Tracing goes on before the command does, unless it is to have a time of its own. */
static int go(struct live_work *w)
{
	int err = w->j->delay_ms ? 0 : ftrace_set(&w->at, "tracing_on", "1");
	life_give_up_rights(&w->life, CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_DAC_READ_SEARCH));
	if (w->j->timeout_ms)
		w->end = clock_ns() + (uint64_t)w->j->timeout_ms * 1000000;
	w->started = !err;
	if (!err)
		err = life_start(&w->life);
	if (err || !w->j->delay_ms)
		return err;
	life_delay(&w->life, w->j->delay_ms);
	return ftrace_set(&w->at, "tracing_on", "1");
}

static void tell_lost(const struct live_work *w)
{
	if (!w->lines.lost)
		return;
	warn("%llu events were lost: the buffer was full", (unsigned long long)w->lines.lost);
	hint("a larger one (ftrace -m SIZE, --buffer-kb KB of the one-liners), or fewer functions and events");
}

/* What the ring still has, and what is said below it. */
static int print_rest(struct live_work *w, int failed)
{
	enum drained got;
	int err = failed || w->out.err ? failed : drain(w, 1 << 20, &got);
	if (w->part.len)
		take(w, "\n", 1);
	if (!err && w->j->finish)
		w->j->finish(w->j->ctx, &w->out);
	if (!err && w->j->ending && !w->j->json)
		out_printf(&w->out, "%s\n", w->j->ending);
	if (!err)
		err = out_flush(&w->out);
	if (w->out.full)
		disk_say_full(w->j->output, "fewer functions and events");
	tell_lost(w);
	return w->out.full ? 0 : err;
}

static int work(struct live_work *w)
{
	int err = set_up(w);
	if (err)
		return err;
	if (w->j->heading && !w->j->json) {
		out_printf(&w->out, "%s\n", w->j->heading);
		out_flush(&w->out);
	}
	if (w->j->header && !w->j->json && !w->j->buffered)
		print_header(w);
	if (w->j->process && (err = ftrace_option(&w->at, "record-tgid"))) /* behind the headings, which would have it */
		return err;
	err = go(w);
	if (!err)
		err = loop(w);
	int off = ftrace_set(&w->at, "tracing_on", "0");
	if (!err && w->j->header && !w->j->json && w->j->buffered)
		err = print_late_header(w);
	err = print_rest(w, err ? err : off);
	return err == -EPIPE ? 0 : err;
}

int ftrace_live_run(struct ftrace_live *j, char **command)
{
	struct live_work w = { .j = j, .pipe = -1, .lines = { .json = j->json, .text = STR_INIT }, .part = STR_INIT };
	struct workload_options how = { 0 };
	int code, err = out_open(&w.out, j->output, false);
	if (err)
		return error_print();
	w.out.spare = j->output && !j->no_disk_guard;
	err = undo_start();
	if (!err)
		err = life_fork(&w.life, command, &how);
	if (!err)
		err = work(&w);
	if (w.pipe >= 0)
		close(w.pipe);
	if (err)
		error_print();
	if (w.started)
		life_finish(&w.life);
	code = err ? EXIT_SONDE : life_code(&w.life);
	life_release(&w.life); /* a command that was never let go holds the guardian's pipe open */
	if (undo_run())
		code = error_print();
	if (out_close(&w.out) < 0)
		code = error_print();
	ftrace_instance_release(&w.at);
	str_release(&w.lines.text);
	str_release(&w.part);
	return code;
}
