// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles, loads what of the script is in the kernel, runs begin, attaches, then blocks as their records and times come. */
#include "job/stap.h"
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/error.h"
#include "job/disk.h"
#include "job/life.h"
#include "job/run.h"
#include "job/typed.h"
#include "kernel/clock.h"
#include "script/guard.h"
#include "script/run.h"
#include "script/saved/saved.h"
#include "script/script.h"
#include "script/stap/list.h"
#include "script/stap/run.h"
#include "script/stap/stap.h"

enum { STACKS = 16384, STACKS_MOST = 1 << 18 }; /* different ones, and threads in calls */

struct stap_work {
	struct stap_job *j;
	struct script_source source;
	struct run_script script;
	struct stap stap;
	struct stap_run run;
	struct runner runner;
	struct out out;
	struct life life;
	struct guard guard;
	struct typed typed; /* what the script reads; fd -1: nothing */
	int target; /* pidfd of -x; -1: none */
	uint64_t until; /* ns; 0: no -T */
};

static int compile(struct stap_work *w, char **command)
{
	struct stap_job *j = w->j;
	w->source = (struct script_source){ .name = j->script.name, .text = j->script.text, .len = j->script.length };
	w->script.cpid = w->life.command.pid;
	w->script.dry = j->parse_only || j->save;
	w->script.saved = j->script.saved;
	w->script.stap = &w->stap;
	w->script.stap_run = &w->run;
	w->stap.guru = j->guru;
	w->stap.given = j->globals;
	w->stap.n_given = j->n_globals;
	w->stap.target = j->pid ? j->pid : w->life.command.pid;
	w->stap.command = command ? command[0] : NULL;
	w->stap.max_entries = j->max_entries;
	w->script.room = j->max_entries < STACKS ? STACKS : j->max_entries > STACKS_MOST ? STACKS_MOST : (unsigned)j->max_entries;
	return script_compile(&w->script, &w->source, j->script.params, j->script.n_params);
}

static int save(struct stap_work *w)
{
	struct saved v = { .dialect = SAVED_STAP, .guru = w->j->guru, .max_entries = w->j->max_entries, .name = STR_INIT, .text = STR_INIT };
	return saved_write(&v, &w->j->script, &w->script, w->j->save);
}

/* What only the kernel can tell needs root; begin, end and timers need nobody. */
static int load(struct stap_work *w)
{
	if (!w->script.units.n)
		return 0;
	int err = run_allowed();
	if (err)
		return err;
	err = run_open(&w->runner, &w->script, &w->out, false, w->j->ring_bytes);
	w->run.runner = &w->runner;
	return err;
}

static int round_of(struct stap_work *w)
{
	int err = w->run.runner ? run_drain(&w->runner) : 0;
	if (err >= 0 && w->run.runner)
		err = guard_tick(&w->guard);
	if (err >= 0)
		err = stap_run_timers(&w->run);
	return err < 0 ? err : 0;
}

static int sleep_ms(struct stap_work *w)
{
	int ms = w->run.runner ? guard_sleep(&w->guard, run_wait(&w->runner)) : -1;
	ms = stap_run_sleep(&w->run, ms);
	if (w->until) {
		uint64_t now = clock_ns(), left = w->until > now ? (w->until - now + 999999) / 1000000 : 0;
		ms = ms < 0 || left < (uint64_t)ms ? (int)left : ms;
	}
	return life_sleep(&w->life, ms);
}

static int take_typed(struct stap_work *w)
{
	char buf[512];
	ssize_t n = typed_read(&w->typed, buf, sizeof(buf));
	return n ? stap_run_input(&w->run, buf, (size_t)n) : 0;
}

static int wait_loop(struct stap_work *w)
{
	struct pollfd p[] = { { .fd = signals_fd(), .events = POLLIN }, { .fd = w->run.runner ? run_fd(&w->runner) : -1, .events = POLLIN },
		{ .fd = w->target, .events = POLLIN }, { .fd = w->typed.fd, .events = POLLIN } };
	bool over = w->run.over;
	while (!over && !life_over(&w->life) && !life_ended(&w->life)) {
		int err = round_of(w);
		if (w->out.full) /* the command goes on */
			return 0;
		if (err < 0)
			return life_failed(&w->life, err);
		over = w->run.over || p[2].revents || out_unread(&w->out) || (w->until && clock_ns() >= w->until);
		if (over)
			break;
		p[3].fd = w->typed.fd;
		(void)poll(p, 4, sleep_ms(w));
		signals_drain();
		keys_pause(&w->typed.keys);
		if (p[3].fd >= 0 && p[3].revents && (err = take_typed(w)))
			return life_failed(&w->life, err);
	}
	if (over)
		life_enough(&w->life);
	return 0;
}

static int attach(struct stap_work *w)
{
	if (!w->run.runner && !w->run.over)
		life_give_up_rights(&w->life, 0); /* begin, end and timers take none */
	if (!w->run.runner || w->run.over)
		return 0;
	int err = run_begin(&w->runner);
	if (!err) {
		guard_open(&w->guard, &w->script, w->j->max_overhead, verbosity > 0);
		life_give_up_rights(&w->life, 1ull << CAP_BPF | 1ull << CAP_PERFMON | 1ull << CAP_SYSLOG | 1ull << CAP_SYS_PTRACE | 1ull << CAP_DAC_READ_SEARCH);
	}
	return err;
}

static int work(struct stap_work *w)
{
	int err = w->j->parse_only ? 0 : load(w);
	if (err || w->j->dry || w->j->parse_only)
		return err;
	err = stap_run_begin(&w->run);
	if (!err)
		err = attach(w);
	if (!err && !w->run.over)
		err = life_start(&w->life);
	w->until = w->j->timeout_ms ? clock_ns() + w->j->timeout_ms * 1000000ull : 0;
	if (!err && (stap_run_reads(&w->run, STAP_CHAR) || stap_run_reads(&w->run, STAP_LINE)))
		typed_open(&w->typed, stap_run_reads(&w->run, STAP_CHAR));
	if (!err)
		err = wait_loop(w);
	keys_close(&w->typed.keys);
	if (w->run.runner) {
		guard_tell(&w->guard);
		int end = run_stop(&w->runner);
		err = err || w->out.err ? err : end;
	}
	if (!w->out.err)
		stap_run_end(&w->run);
	if (w->run.runner)
		run_tell(&w->runner);
	out_flush(&w->out);
	if (w->out.full)
		disk_say_full(w->j->output, RUN_LESS);
	life_finish(&w->life);
	return w->out.full ? 0 : err;
}

int stap_job_list(const char *pattern, bool details, const char *output)
{
	struct stap st = { 0 };
	struct run_script s = { .dry = true };
	struct out out;
	if (out_open(&out, output, false))
		return error_print();
	int code = stap_list(&st, &s, pattern, details, &out) ? error_print() : 0;
	return out_close(&out) < 0 ? error_print() : code;
}

int stap_job_run(struct stap_job *j, char **command)
{
	struct stap_work w = { .j = j, .target = -1, .typed.fd = -1 };
	struct workload_options how = { 0 };
	int code, err = out_open(&w.out, j->output, false);
	if (err)
		return error_print();
	w.out.spare = j->output && !j->no_disk_guard;
	err = life_fork(&w.life, command, &how);
	if (!err)
		err = run_target_open(j->pid, "-x", &w.target);
	if (!err)
		err = compile(&w, command);
	if (!err && j->save)
		err = save(&w);
	if (!err)
		err = stap_run_open(&w.run, &w.stap, &w.out);
	if (!err && !j->save)
		err = work(&w);
	code = err ? error_print() : w.run.code ? w.run.code : life_code(&w.life);
	if (out_close(&w.out) < 0)
		code = error_print();
	guard_close(&w.guard);
	if (w.run.runner)
		run_close(&w.runner);
	stap_run_close(&w.run);
	script_forget(&w.script);
	stap_release(&w.stap);
	arena_release(&w.source.memory);
	life_release(&w.life);
	if (w.target >= 0)
		close(w.target);
	return code;
}
