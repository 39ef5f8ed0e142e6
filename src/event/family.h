/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole families of tracepoints counted by one BPF program: syscalls:sys_enter_* and sys_exit_*.
 * Counts are those that perf events would give, for a fraction of the cost to open and close. */
#ifndef EVENT_FAMILY_H
#define EVENT_FAMILY_H
#include "attach/counting.h"

struct family;
/* Takes the events it can count (e->elsewhere) and adds their readings. 0: taken or nothing to take
 * (*out NULL); never fails: what it cannot do is left to perf events. */
void family_open(struct family **out, event_list *l, struct target *t, const struct counting_options *o);
/* How many readings it adds, and their places. */
void family_places(const struct family *f, struct counting *c);
void family_enable(struct family *f);
void family_disable(struct family *f);
void family_read(struct family *f, struct reading *first); /* as family_places laid them out */
void family_close(struct family *f);
#endif
