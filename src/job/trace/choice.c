// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/choice.h"

bool trace_choice_where(const struct trace_choice *c, const struct sysevent *e)
{
	return (!c->where || trace_where_holds(c->where, e, c->fds)) && (!c->paths || trace_paths_hold(c->paths, e, c->fds));
}

static bool takes_call(const struct trace_choice *c, const struct sysevent *e)
{
	if (!trace_qualify_call(c->qualify, e))
		return false;
	if (c->failure && (e->no_return || (uint64_t)e->ret < (uint64_t)-4095))
		return false;
	if (c->min_ns && (!e->enter_time || e->time - e->enter_time < c->min_ns))
		return false;
	if (!trace_choice_where(c, e))
		return false;
	return !c->min_stack || !c->stacks || trace_stacks_depth(c->stacks, e) >= c->min_stack;
}

static bool takes_under_way(const struct trace_choice *c, const struct sysevent *e)
{
	bool by_end = c->failure || c->min_ns || c->where || c->paths || (c->min_stack && c->stacks);
	return !by_end && trace_qualify_call(c->qualify, e);
}

bool trace_choice_takes(const struct trace_choice *c, const struct sysevent *e)
{
	switch (e->type) {
	case SYS_CALL:
	case SYS_RESUMED:
		return takes_call(c, e);
	case SYS_UNFINISHED:
		return takes_under_way(c, e);
	case SYS_SIGNAL:
		return (!c->quiet || c->signals) && trace_qualify_signal(c->qualify, e->sig);
	case SYS_EXIT:
		return !c->quiet && !trace_qualify_quiet(c->qualify, QUIET_EXIT);
	case SYS_EXEC:
		return !c->quiet && !trace_qualify_quiet(c->qualify, QUIET_EXECVE);
	case SYS_FORK:
		return !c->quiet;
	default:
		return true;
	}
}
