/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System call tracepoints (syscalls:sys_enter_* and sys_exit_*) counted by one BPF program, however many.
 * Counts are those that perf events would give, for a fraction of the cost to open and close. */
#ifndef ATTACH_SYSCOUNT_H
#define ATTACH_SYSCOUNT_H
#include "attach/counting.h"

struct syscount;
/* Takes the events it can count (e->elsewhere) and adds their readings. 0: taken or nothing to take
 * (*out NULL); never fails: what it cannot do is left to perf events. */
void syscount_open(struct syscount **out, event_list *l, struct target *t, const struct counting_options *o);
/* How many readings it adds, and their places. */
void syscount_places(const struct syscount *f, struct counting *c);
void syscount_enable(struct syscount *f);
void syscount_disable(struct syscount *f);
void syscount_read(struct syscount *f, struct count_reading *first); /* as syscount_places laid them out */
void syscount_close(struct syscount *f);
#endif
