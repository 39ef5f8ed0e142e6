/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the events of a list on a target: one descriptor for each event, CPU and thread. Groups share
 * their leader's place. What the kernel refuses is tried again with less where that keeps the meaning
 * (without exclude_guest, less precise, user space only), else explained. */
#ifndef ATTACH_OPEN_H
#define ATTACH_OPEN_H
#include "spec/spec.h"
#include "spec/target.h"

struct opened_fd {
	int fd;
	int event; /* index in the list */
	int cpu; /* -1: any */
	int thread; /* index in target.threads; -1: every task of the CPU */
};

struct opened {
	VEC(struct opened_fd) fds; /* by event, then CPU, then thread */
};

struct open_options {
	bool inherit; /* children and threads to come are counted too */
	bool enable_on_exec; /* start when the command execs; else stay disabled until opened_enable */
	bool per_cpu; /* a task's events once for each CPU: inherited events can then be mapped */
	bool mark_unsupported; /* an event this machine lacks becomes e->missing instead of an error */
	bool user_only; /* when the kernel may not be seen, exclude it and append :u to the name */
};

/* Opens all events that are not missing. Each attr is used as it is, but for inherit, disabled and
 * enable_on_exec. Threads that ended meanwhile are marked gone; when none is left that is an error.
 * On -errno (pending error) nothing stays open. */
int events_open(struct opened *o, event_list *l, struct target *t, const struct open_options *how);
void opened_enable(const struct opened *o);
void opened_disable(const struct opened *o);
bool opened_turn(const struct opened *o, int event, bool on); /* one event; false: it has no descriptor */
void opened_close(struct opened *o);
#endif
