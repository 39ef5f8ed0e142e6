// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles, loads, attaches, lets the command run, shows what the programs write until somebody ends it; then the maps. */
#include "job/run.h"
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "job/disk.h"
#include "job/life.h"
#include "kernel/rights/lent.h"
#include "script/guard.h"
#include "script/ctype/ctype.h"
#include "script/list.h"
#include "script/run.h"
#include "script/saved/saved.h"
#include "script/script.h"

enum { SINK_MAX = 256 << 20 };

struct run_work {
	struct run_job *j;
	struct script_source source;
	struct run_script script;
	struct runner runner;
	struct out out;
	struct life life;
	struct guard guard;
	int target; /* pidfd of -p; -1: none */
};

int run_target_open(int pid, const char *option, int *fd)
{
	*fd = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (!pid || *fd >= 0)
		return 0;
	error_sys(errno, "there is no process %d", pid);
	return error_hint("%s takes the number of a process that runs; pgrep NAME finds it", option);
}

/* A script can read any memory: what the rights of sonde's file would give its caller is more than he has. */
int run_allowed(void)
{
	if (!lent())
		return 0;
	error_set(EPERM, "scripts are not run with the capabilities of sonde's file");
	return error_hint("they can read everybody's memory, so they are for root: sudo sonde run ...");
}

static int compile(struct run_work *w)
{
	struct run_job *j = w->j;
	w->source = (struct script_source){ .name = j->script.name, .text = j->script.text, .len = j->script.length };
	w->script.pid = j->pid;
	w->script.cpid = j->save ? (int)getpid() : w->life.command.pid; /* any will do for a script that will have one elsewhere */
	w->script.sample = j->sample;
	w->script.unsafe = j->unsafe;
	w->script.dry = j->dry || j->save;
	w->script.saved = j->script.saved;
	w->script.dump = j->dump;
	w->source.no_warnings = j->no_warnings;
	return script_compile(&w->script, &w->source, j->script.params, j->script.n_params);
}

static int save(struct run_work *w)
{
	struct saved v = { .dialect = SAVED_BPFTRACE, .name = STR_INIT, .text = STR_INIT };
	return saved_write(&v, &w->j->script, &w->script, w->j->save);
}

static void announce(struct run_work *w)
{
	size_t n = w->script.points.n;
	if (w->j->json)
		out_printf(&w->out, "{\"type\": \"attached_probes\", \"data\": {\"probes\": %zu}}\n", n);
	else if (!w->j->quiet)
		out_printf(&w->out, "Attaching %zu probe%s...\n", n, n == 1 ? "" : "s");
	if (w->j->sample > 1 && w->j->json)
		out_printf(&w->out, "{\"type\": \"sampling\", \"data\": {\"one_of\": %u}}\n", w->j->sample);
	else if (w->j->sample > 1)
		out_printf(&w->out, "Sampling 1 of %u hits: count, sum, stats and histograms are multiplied by %u\n", w->j->sample, w->j->sample);
	out_flush(&w->out);
}

/* What reading maps and running END take; and the names of addresses. */
static uint64_t rights_kept(bool stacks)
{
	return 1ull << CAP_BPF | 1ull << CAP_PERFMON | (stacks ? 1ull << CAP_SYSLOG | 1ull << CAP_SYS_PTRACE | 1ull << CAP_DAC_READ_SEARCH : 0);
}

/* To whom it is meant for: it was written to a file in memory. */
static void hand_over(struct run_work *w)
{
	struct str s = STR_INIT;
	if (!w->j->sink)
		return;
	out_flush(&w->out);
	if (!lseek(w->out.fd, 0, SEEK_SET) && !file_read_fd(w->out.fd, &s, SINK_MAX) && s.len)
		w->j->sink(w->j->sink_ctx, &s);
	if (ftruncate(w->out.fd, 0) || lseek(w->out.fd, 0, SEEK_SET))
		note(1, "results cannot be taken back: %s", strerror(errno));
	str_release(&s);
}

static bool nobody_reads(struct run_work *w)
{
	return w->j->sink_gone ? w->j->sink_gone(w->j->sink_ctx) : out_unread(&w->out);
}

static int wait_loop(struct run_work *w)
{
	struct pollfd p[] = { { .fd = signals_fd(), .events = POLLIN }, { .fd = run_fd(&w->runner), .events = POLLIN },
		{ .fd = w->target, .events = POLLIN } };
	bool over = false; /* by our own will: exit(), the end of -p, nobody who reads */
	int err = 0;
	while (!over && !life_over(&w->life) && !life_ended(&w->life)) {
		over = run_over(&w->runner); /* asked first: what came before exit() is shown */
		err = run_drain(&w->runner);
		hand_over(w);
		if (w->out.full) /* the command goes on */
			return 0;
		if (err >= 0)
			err = guard_tick(&w->guard);
		if (err < 0)
			return life_failed(&w->life, err);
		over |= p[2].revents || nobody_reads(w);
		if (over)
			break;
		(void)poll(p, 3, life_sleep(&w->life, guard_sleep(&w->guard, run_wait(&w->runner))));
		signals_drain();
	}
	if (over)
		life_enough(&w->life);
	return 0;
}

static int work(struct run_work *w)
{
	int err = run_open(&w->runner, &w->script, &w->out, w->j->json, w->j->ring_bytes);
	if (err || w->j->dry)
		return err;
	w->runner.refresh = w->j->refresh && w->out.tty;
	w->runner.unbuffered = w->j->unbuffered;
	announce(w);
	err = run_begin(&w->runner);
	if (err)
		return err;
	guard_open(&w->guard, &w->script, w->j->max_overhead, verbosity > 0);
	life_give_up_rights(&w->life, rights_kept(w->script.needs_names));
	if (!run_over(&w->runner))
		err = life_start(&w->life);
	if (!err)
		err = wait_loop(w);
	guard_tell(&w->guard);
	int end = w->out.err ? 0 : run_end(&w->runner);
	hand_over(w);
	if (w->out.full) {
		(void)run_stop(&w->runner); /* or the command would pay for programs that nobody reads */
		disk_say_full(w->j->output, RUN_LESS);
	}
	life_finish(&w->life);
	return w->out.full ? 0 : err ? err : end;
}

static int open_out(struct run_work *w)
{
	if (!w->j->sink)
		return out_open(&w->out, w->j->output, false);
	int fd = memfd_create("sonde-results", MFD_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "cannot make a file in memory");
	out_fd(&w->out, fd, "results");
	w->out.owned = true;
	return 0;
}

int run_job_run(struct run_job *j, char **command)
{
	struct run_work w = { .j = j, .target = -1 };
	struct workload_options how = { 0 };
	int code, err = open_out(&w);
	if (err)
		return error_print();
	w.out.spare = j->output && !j->no_disk_guard;
	err = run_allowed();
	if (!err)
		err = life_fork(&w.life, command, &how);
	if (!err)
		err = run_target_open(j->pid, "-p", &w.target);
	if (!err)
		err = compile(&w);
	if (!err && j->save)
		err = save(&w);
	else if (!err && !j->dump)
		err = work(&w);
	code = err ? error_print() : life_code(&w.life);
	if (!err && !code && w.runner.load.shared)
		code = run_code(&w.runner);
	if (out_close(&w.out) < 0)
		code = error_print();
	guard_close(&w.guard);
	run_close(&w.runner);
	script_forget(&w.script);
	arena_release(&w.source.memory);
	life_release(&w.life);
	if (w.target >= 0)
		close(w.target);
	return code;
}

int run_job_list(const struct run_job *j, const char *pattern, bool details)
{
	struct script_source source = { .name = "-l", .text = pattern ? pattern : "", .len = pattern ? strlen(pattern) : 0 };
	struct run_script s = { .source = &source, .pid = j->pid, .types = ctypes_new(&source.memory) };
	struct out out;
	int err = out_open(&out, j->output, false);
	if (err)
		return error_print();
	err = probe_list_all(&s, pattern, details, &out);
	int code = err ? error_print() : 0;
	if (out_close(&out) < 0)
		code = error_print();
	script_forget(&s);
	arena_release(&source.memory);
	return code;
}
