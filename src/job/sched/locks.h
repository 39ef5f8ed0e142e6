/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock contention: measures while a command runs, or others do, and prints the table. */
#ifndef JOB_SCHED_LOCKS_H
#define JOB_SCHED_LOCKS_H
#include "attach/lockwait.h"
#include "spec/target.h"
#include "ui/sched/locks.h"

struct locks_job {
	struct target target;
	struct lock_table table;
	uint64_t types, only_lock;
	bool no_inherit, quiet;
	const char *vmlinux, *kallsyms; /* NULL: the running kernel's */
	const char *output; /* NULL: standard output */
};
int locks_run(struct locks_job *j, char **command); /* command NULL: none. The exit code; errors were printed */
#endif
