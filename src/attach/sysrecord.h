/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raw_syscalls:sys_enter and sys_exit, recorded by a BPF program instead of perf's own output path, at a
 * third of the cost. The records are perf samples, ready for the file. */
#ifndef ATTACH_SYSRECORD_H
#define ATTACH_SYSRECORD_H
#include "spec/spec.h"
#include "spec/target.h"

struct sysrecord;
struct perf_event_header;
/* Is this an event that the program records the same as perf would? Its attr is finished (sampling_apply), and another
 * event will track. Other events in the list do not matter. */
bool sysrecord_takes(const event_list *l, size_t i);
/* Does this process see the thread numbers that the program sees? */
bool sysrecord_possible(void);

struct sysrecord_options {
	const struct target *target; /* resolved */
	bool inherit, at_exec; /* at_exec: the command, from its exec on */
	int enter, exit; /* events in the list; -1: not recorded */
	uint64_t enter_id, exit_id; /* their ids in the file */
	const event_list *events;
};
/* NULL when it cannot be had (rights, an old kernel): no pending error. Threads are marked, nothing is on. */
struct sysrecord *sysrecord_open(const struct sysrecord_options *o);
void sysrecord_enable(struct sysrecord *s);
void sysrecord_disable(struct sysrecord *s);
int sysrecord_fd(const struct sysrecord *s); /* readable when a ring fills up */
/* Takes all that is in the rings: `take` gets stretches of whole records, `look` each of them before. 1: there were some. */
int sysrecord_drain(struct sysrecord *s, int (*take)(void *ctx, const void *data, size_t n),
		    void (*look)(void *ctx, const struct perf_event_header *h), void *ctx);
void sysrecord_close(struct sysrecord *s);
#endif
