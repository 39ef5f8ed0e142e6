// SPDX-License-Identifier: GPL-2.0-or-later
#include "syscall/sysevent.h"
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>

void sysevent_chain(struct sysevent *e, struct frames *room, const void *chain, uint64_t n)
{
	bool user = false;
	e->kstack = room->kernel;
	e->ustack = room->user;
	e->n_kstack = e->n_ustack = 0;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t ip;
		memcpy(&ip, (const char *)chain + i * 8, 8);
		if (ip >= (uint64_t)PERF_CONTEXT_MAX)
			user = ip == (uint64_t)PERF_CONTEXT_USER;
		else if (user && e->n_ustack < FRAMES_MAX)
			room->user[e->n_ustack++] = ip;
		else if (!user && e->n_kstack < FRAMES_MAX)
			room->kernel[e->n_kstack++] = ip;
	}
}

void sysevent_lost(struct sysevent *e, uint64_t time, int cpu, uint64_t lost)
{
	memset(e, 0, sizeof(*e));
	e->type = SYS_LOST;
	e->time = time;
	e->cpu = cpu;
	e->nr = -1;
	e->lost = lost;
}

void sysevent_gap(struct sysevent *e, uint64_t from, uint64_t to)
{
	sysevent_lost(e, to, -1, 0);
	e->enter_time = from;
}

void sysevent_child_times(struct sysevent *e, const void *siginfo)
{
	const siginfo_t *si = siginfo;
	if (e->sig != SIGCHLD || si->si_code <= 0)
		return;
	e->args[0] = si->si_utime;
	e->args[1] = si->si_stime;
}
