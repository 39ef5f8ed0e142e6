/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom to measure: -p, -t, -u, -C, -a, -G, or the command that sonde starts. Fill it from the options,
 * then resolve once; the threads and CPUs that come out are what events are opened on. */
#ifndef SPEC_TARGET_H
#define SPEC_TARGET_H
#include <stdbool.h>
#include <sys/types.h>
#include "base/str.h"
#include "base/words.h"

struct target_thread {
	int tid, pid;
	char comm[16];
	bool gone; /* ended before its events could be opened */
};

struct target_cgroup { char *name; int fd; };

struct target {
	/* from the options */
	intlist pids, tids; /* -p, -t */
	const char *user; /* -u without a command: the threads of that user */
	bool system_wide; /* -a */
	bool every_task; /* every thread there is, one by one (stat -a --per-thread) */
	intlist cpus; /* -C; after resolve: the CPUs to open on, empty when by task */
	VEC(struct target_cgroup) cgroups; /* -G, in order; name NULL: none (an empty place in -G a,,b) */
	/* made by target_resolve */
	VEC(struct target_thread) threads; /* empty when by CPU */
	intlist online; /* the CPUs of this machine that are up */
	bool workload; /* threads[0] is the command that sonde starts */
};

/* Each takes the option's argument; -errno with a pending error. Lists: "1,2,5-7". */
int target_pids(struct target *t, const char *text);
int target_tids(struct target *t, const char *text);
int target_cpus(struct target *t, const char *text);
int target_cgroups(struct target *t, const char *text);

/* Measures tasks (else CPUs). A task option wins over -a and -C, as in perf. */
bool target_by_task(const struct target *t);
/* Something but the command was named. */
bool target_given(const struct target *t);

/* Lists threads, checks CPUs, opens cgroups. workload: the waiting command, 0 when there is none.
 * A process that is gone, a CPU that is not there, a cgroup that cannot be read: pending error. */
int target_resolve(struct target *t, pid_t workload);
/* Drops what resolve made, keeps the options: for another round (-r). */
void target_unresolve(struct target *t);
void target_release(struct target *t);
/* Where the cgroups that perf events know are mounted; owned, NULL: nowhere. */
char *target_cgroup_mount(void);
int target_cpus_up(const intlist *cpus); /* -ENODEV and a pending error if one of them is not */
/* "process id '12'", "system wide", "CPU(s) 0,1": for headings. */
void target_describe(const struct target *t, struct str *s);
#endif
