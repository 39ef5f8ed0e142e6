// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles, loads what of the script is in the kernel, runs begin, attaches, then blocks as their records and times come. */
#include "job/stap.h"
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "job/disk.h"
#include "job/life.h"
#include "job/run.h"
#include "script/guard.h"
#include "script/run.h"
#include "script/saved/saved.h"
#include "script/script.h"
#include "script/stap/list.h"
#include "script/stap/run.h"
#include "script/stap/stap.h"

enum { OVERHEAD = 100 };

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
	int target; /* pidfd of -x; -1: none */
	uint64_t until; /* ns; 0: no -T */
};

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static int open_target(struct stap_work *w)
{
	w->target = w->j->pid ? (int)syscall(SYS_pidfd_open, w->j->pid, 0) : -1;
	if (!w->j->pid || w->target >= 0)
		return 0;
	error_sys(errno, "there is no process %d", w->j->pid);
	return error_hint("-x takes the number of a process that runs; pgrep NAME finds it");
}

static int compile(struct stap_work *w, char **command)
{
	struct stap_job *j = w->j;
	w->source = (struct script_source){ .name = j->name, .text = j->text, .len = j->length };
	w->script.cpid = w->life.command.pid;
	w->script.dry = j->parse_only || j->save;
	w->script.saved = j->saved;
	w->script.stap = &w->stap;
	w->script.stap_run = &w->run;
	w->stap.guru = j->guru;
	w->stap.target = j->pid ? j->pid : w->life.command.pid;
	w->stap.command = command ? command[0] : NULL;
	w->stap.max_entries = j->max_entries;
	return script_compile(&w->script, &w->source, j->params, j->n_params);
}

static int save(struct stap_work *w)
{
	struct saved v = { .dialect = SAVED_STAP, .guru = w->j->guru, .max_entries = w->j->max_entries, .name = STR_INIT, .text = STR_INIT };
	str_add(&v.name, w->j->name);
	str_addn(&v.text, w->j->text, w->j->length);
	for (unsigned i = 0; i < w->j->n_params; i++)
		wordlist_add(&v.params, w->j->params[i]);
	int err = run_allowed();
	if (!err)
		err = saved_write(&v, &w->script, w->j->save);
	saved_release(&v);
	return err;
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
		uint64_t now = now_ns(), left = w->until > now ? (w->until - now + 999999) / 1000000 : 0;
		ms = ms < 0 || left < (uint64_t)ms ? (int)left : ms;
	}
	return life_sleep(&w->life, ms);
}

static int wait_loop(struct stap_work *w)
{
	struct pollfd p[] = { { .fd = signals_fd(), .events = POLLIN }, { .fd = w->run.runner ? run_fd(&w->runner) : -1, .events = POLLIN },
		{ .fd = w->target, .events = POLLIN } };
	bool over = w->run.over;
	while (!over && !life_over(&w->life) && !life_ended(&w->life)) {
		int err = round_of(w);
		if (w->out.full) /* the command goes on */
			return 0;
		if (err < 0)
			return life_failed(&w->life, err);
		over = w->run.over || p[2].revents || out_unread(&w->out) || (w->until && now_ns() >= w->until);
		if (over)
			break;
		(void)poll(p, 3, sleep_ms(w));
		signals_drain();
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
		guard_open(&w->guard, &w->script, w->j->no_limits ? 0 : OVERHEAD, verbosity > 0);
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
	w->until = w->j->timeout_ms ? now_ns() + w->j->timeout_ms * 1000000ull : 0;
	if (!err)
		err = wait_loop(w);
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
	struct stap_work w = { .j = j, .target = -1 };
	struct workload_options how = { 0 };
	int code, err = out_open(&w.out, j->output, false);
	if (err)
		return error_print();
	w.out.spare = j->output && !j->no_disk_guard;
	err = life_fork(&w.life, command, &how);
	if (!err)
		err = open_target(&w);
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
