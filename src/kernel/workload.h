/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command that sonde starts and measures. It is forked early and waits; it execs only when
 * workload_start() is called, with everything armed. It gets none of sonde's descriptors, the
 * invoking user's signal mask and dispositions, and no rights beyond those the user had. */
#ifndef KERNEL_WORKLOAD_H
#define KERNEL_WORKLOAD_H
#include <stdbool.h>
#include <sys/types.h>

struct workload {
	pid_t pid; /* 0: none */
	const char *name; /* argv[0], the caller's */
	int go; /* write end of the start pipe */
	int err; /* read end: errno when exec failed */
	int status; /* wait status once reaped */
	bool reaped;
	bool traced; /* a ptrace engine waits for it and sets status and reaped: workload_poll only looks */
};
struct workload_options {
	const char *user; /* run as (-u); NULL: as now */
	bool ptrace_me; /* PTRACE_TRACEME before exec (trace's third engine) */
	int (*in_child)(void *ctx); /* runs in the child just before exec; non-zero aborts */
	void *ctx;
};
int workload_fork(struct workload *w, char **argv, const struct workload_options *o);
char *workload_find(const char *name); /* the file that would run; owned; NULL: none */
/* Lets it exec. Returns 0, or -errno with a pending error when exec failed (command not found: the
 * usual sentence with a hint). */
int workload_start(struct workload *w);
/* The same in two halves, for a tracer that must serve stops in between: go lets it run; started tells
 * 1: exec succeeded, 0: not yet, -errno: it failed (pending error). */
int workload_go(struct workload *w);
int workload_started(struct workload *w);
/* Non-blocking: 1 when it has ended, 0 when not. */
int workload_poll(struct workload *w);
void workload_kill(struct workload *w, int sig);
bool workload_ignores(const struct workload *w, int sig); /* it would not even notice */
void workload_release(struct workload *w); /* one that never started is gone then; one that did goes on */
int workload_exit_code(int status); /* 128+signal when it died of one */
#endif
