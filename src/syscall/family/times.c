// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks and timers. */
#include <time.h>
#include "syscall/table.h"

/* A negative clock names a process, thread or descriptor: ~pid << 3 | kind. */
void a_clock(struct dc *c, int i, const struct arg_def *a)
{
	static const char *const kind[] = { "CPUCLOCK_PROF", "CPUCLOCK_VIRT", "CPUCLOCK_SCHED", "CLOCKFD" };
	(void)a;
	int32_t id = arg(c, i);
	if (id >= 0 || (c->strace && !c->json)) { /* strace does not take them apart */
		v_enum(c, X_clocks, (uint32_t)id);
		return;
	}
	struct str *s = c->json ? &c->d->scratch : c->out;
	v_parts_begin(c);
	if ((id & 7) == 3) {
		str_addf(s, "FD_TO_CLOCKID(%d)", ~(id >> 3));
	} else {
		str_addf(s, "%s(%d, %s)", id & 4 ? "MAKE_THREAD_CPUCLOCK" : "MAKE_PROCESS_CPUCLOCK", ~(id >> 3), kind[id & 3]);
	}
	c->first = false;
	v_parts_end(c);
}

void r_adjtimex(struct dc *c, int64_t ret)
{
	v_s(c, ret);
	const char *name = xlat_name(X_adjtimex_state, ret);
	if (name && !c->json)
		str_addf(c->out, " (%s)", name);
}

/* time(2): the number and the date. */
void r_time(struct dc *c, int64_t ret)
{
	char text[40];
	struct tm tm;
	v_s(c, ret);
	if (c->json || !gmtime_r(&(time_t){ ret }, &tm))
		return;
	strftime(text, sizeof(text), " (%Y-%m-%dT%H:%M:%S+0000)", &tm);
	str_add(c->out, text);
}

