// SPDX-License-Identifier: GPL-2.0-or-later
/* The process that records. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "job/top/inner.h"

enum { PIPE_BYTES = 1 << 20 };

static _Noreturn void be_recorder(struct top *t, int out, int told)
{
	struct control control = { .fd = told, .ack = -1, .own = true, .text = STR_INIT };
	struct recorder_options r = t->o->record;
	r.output = "-";
	r.no_build_ids = true; /* files are found by their paths: all of it is alive */
	r.no_progress = true;
	r.control = &control;
	if (dup2(out, 1) != 1 || (t->said >= 0 && dup2(t->said, 2) != 2))
		_exit(EXIT_SONDE);
	close(out);
	int code = recorder_run(&r, t->o->events, t->o->target);
	fflush(NULL);
	_exit(code);
}

/* What it could not do it has told. */
static int failed(struct top *t)
{
	error_clear();
	int code = top_recorder_end(t);
	if (code == EXIT_SONDE && geteuid() && (t->o->target->system_wide || t->o->target->cpus.n))
		hint("what every user may watch: own processes, sonde top -p PID or -u USER");
	return code ? code : EXIT_SONDE;
}

int top_recorder_start(struct top *t)
{
	int data[2], told[2];
	t->said = t->o->stdio ? -1 : memfd_create("sonde-top", MFD_CLOEXEC);
	if (pipe2(data, O_CLOEXEC) || pipe2(told, O_CLOEXEC))
		return error_sys(errno, "cannot make a pipe");
	fcntl(data[1], F_SETPIPE_SZ, PIPE_BYTES); /* less will do as well */
	fcntl(told[0], F_SETFL, O_NONBLOCK);
	fflush(NULL);
	t->pid = fork();
	if (t->pid < 0)
		return error_sys(errno, "cannot start the recorder");
	if (!t->pid) {
		close(data[0]);
		close(told[1]);
		be_recorder(t, data[1], told[0]);
	}
	close(data[1]);
	close(told[0]);
	t->tell = told[1];
	t->data = perfdata_open_pipe(data[0]);
	return t->data ? 0 : failed(t);
}

static void pass_on_said(struct top *t)
{
	char buf[4096];
	ssize_t n;
	for (off_t at = 0; t->said >= 0 && (n = pread(t->said, buf, sizeof(buf), at)) > 0; at += n)
		if (fwrite(buf, 1, n, stderr) != (size_t)n)
			break;
	if (t->said >= 0)
		close(t->said);
	t->said = -1;
}

int top_recorder_end(struct top *t)
{
	int status = 0;
	perfdata_close(t->data); /* it sees that nobody reads any more */
	t->data = NULL;
	if (t->pid <= 0)
		return 0;
	if (t->tell >= 0)
		close(t->tell);
	t->tell = -1;
	while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
		if (signals_again())
			kill(t->pid, SIGTERM);
	t->pid = 0;
	pass_on_said(t);
	return workload_exit_code(status);
}

static void tell(struct top *t, const char *word)
{
	if (t->tell >= 0 && write(t->tell, word, strlen(word)) < 0) { /* then it has ended, and so do we */
	}
}

void top_recorder_turn(struct top *t, bool on)
{
	tell(t, on ? "enable\n" : "disable\n");
}

void top_recorder_stop(struct top *t)
{
	tell(t, "stop\n");
}

static uint64_t clock_of(clockid_t id)
{
	struct timespec ts;
	return clock_gettime(id, &ts) ? 0 : ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

uint64_t top_cost(const struct top *t)
{
	clockid_t id;
	uint64_t recorder = t->pid > 0 && !clock_getcpuclockid(t->pid, &id) ? clock_of(id) : 0;
	return recorder + clock_of(CLOCK_PROCESS_CPUTIME_ID);
}
