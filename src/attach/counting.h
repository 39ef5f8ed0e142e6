/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of a list of events on a target: opened, started, read as often as wanted. */
#ifndef ATTACH_COUNTING_H
#define ATTACH_COUNTING_H
#include <stdint.h>
#include "attach/open.h"

struct count { uint64_t value, enabled, running; }; /* times in ns */

struct count_reading {
	int event, cpu, thread; /* as in opened_fd */
	struct count now, before;
};

struct syscount;
struct counting {
	struct opened opened;
	struct syscount *syscount; /* tracepoints of system calls, counted by BPF; NULL: none */
	VEC(struct count_reading) readings; /* of perf events, of those, of tool events */
	size_t first_tool;
	uint64_t began, began_user, began_system; /* ns, for tool events */
};

struct counting_options {
	bool inherit, enable_on_exec;
	bool no_bpf; /* perf events only */
	bool each_thread; /* the threads' counts are wanted apart */
};

int counting_open(struct counting *c, event_list *l, struct target *t, const struct counting_options *o);
void counting_enable(struct counting *c);
void counting_disable(struct counting *c);
/* The command starts now: duration_time, user_time and system_time count from here. */
void counting_begin(struct counting *c);
/* Moves now to before and reads anew. -errno with a pending error. */
int counting_read(struct counting *c, const event_list *l);
void counting_close(struct counting *c);
#endif
