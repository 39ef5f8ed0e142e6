// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/open.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "spec/parse.h"
#include "spec/signedfilter.h"
#include "kernel/perf.h"
#include "kernel/root.h"
#include "kernel/settings.h"

struct opener {
	struct opened *o;
	event_list *l;
	struct target *t;
	const struct open_options *how;
	intlist any; /* { -1 } */
	int *leader; /* by event: the first of its group that opened, or -1; kept at the group's index */
	size_t *first; /* by event: its first place in o->fds */
};

static bool unsupported(int err)
{
	return err == -EINVAL || err == -ENOSYS || err == -ENOENT || err == -EOPNOTSUPP || err == -ENXIO;
}

/* The event without its view of the kernel, its name saying so. */
static bool drop_kernel(struct event *e)
{
	if (e->attr.exclude_kernel || e->attr.exclude_user || e->kind == EVENT_TRACEPOINT)
		return false;
	e->attr.exclude_kernel = e->attr.exclude_hv = 1;
	event_name_mods(e, "u", 1, "u");
	return true;
}

/* One weaker form of the attr that may open; false when there is none left. */
static bool weaken(struct opener *op, struct event *e, int err)
{
	if ((err == -EACCES || err == -EPERM) && op->how->user_only)
		return drop_kernel(e);
	if (!unsupported(err))
		return false;
	if (e->precise_max && e->attr.precise_ip) {
		e->attr.precise_ip--;
		return true;
	}
	if (e->attr.exclude_guest && !e->attr.exclude_host && e->kind != EVENT_HARDWARE && e->kind != EVENT_CACHE) {
		e->attr.exclude_guest = 0; /* old PMUs know neither bit */
		return true;
	}
	return false;
}

/* The descriptor of the group's leader at the same place; -1 for a leader or a lone event. */
static int group_fd(struct opener *op, int event, int cpu, int thread)
{
	int lead = op->leader[op->l->at[event].group];
	if (lead < 0 || lead == event)
		return -1;
	for (size_t i = op->first[lead]; i < op->o->fds.n && op->o->fds.at[i].event == lead; i++)
		if (op->o->fds.at[i].cpu == cpu && op->o->fds.at[i].thread == thread)
			return op->o->fds.at[i].fd;
	return -1;
}

static int cgroup_fd(struct opener *op, const struct event *e)
{
	return e->cgroup > 0 && (size_t)e->cgroup <= op->t->cgroups.n ? op->t->cgroups.at[e->cgroup - 1].fd : -1;
}

static int open_at(struct opener *op, int event, int cpu, int thread)
{
	struct event *e = &op->l->at[event];
	int cg = cgroup_fd(op, e), pid = thread >= 0 ? op->t->threads.at[thread].tid : cg;
	unsigned long flags = cg >= 0 ? PERF_FLAG_PID_CGROUP : 0;
	for (;;) {
		int lead = group_fd(op, event, cpu, thread), fd;
		struct perf_event_attr a = e->attr;
		a.inherit = op->how->inherit && thread >= 0 && e->inherit >= 0;
		a.disabled = lead < 0;
		a.enable_on_exec = lead < 0 && op->how->enable_on_exec && thread >= 0;
		fd = perf_open(&a, pid, cpu, lead, flags);
		if (fd == -EMFILE && files_limit_raise())
			continue;
		if (fd == -EINVAL && lead >= 0 && op->l->at[e->group].weak_group) {
			op->leader[e->group] = -1; /* a weak group falls apart into groups that fit */
			e->group = event;
			continue;
		}
		if (fd >= 0 || !weaken(op, e, fd))
			return fd;
	}
}

/* The event's filter as the kernel must have it; NULL: none. Owned. */
static char *kernel_filter(const struct event *e)
{
	tp_fields fields = { 0 };
	if (!e->filter || root_is_fake())
		return NULL;
	if (e->system)
		tracepoint_fields(e->system, e->tracepoint, &fields); /* unknown: no signs to see to */
	char *of_bits = filter_with_signs(e->filter, &fields);
	tp_fields_release(&fields);
	return of_bits ? of_bits : xstrdup(e->filter);
}

static int set_filter(struct opener *op, int event, int fd, const char *filter)
{
	if (!filter || !ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		return 0;
	return event_filter_explain(errno, &op->l->at[event]);
}

/* Closes what event opened so far and leaves it out. */
static void give_up(struct opener *op, int event)
{
	while (op->o->fds.n > op->first[event])
		close(op->o->fds.at[--op->o->fds.n].fd);
	op->l->at[event].missing = true;
}

/* 1: go on, 0: the event is out, -errno. */
static int open_failed(struct opener *op, int event, int cpu, int thread, int err)
{
	struct event *e = &op->l->at[event];
	int tid = thread >= 0 ? op->t->threads.at[thread].tid : -1;
	if (err == -ESRCH && thread >= 0 && !op->t->workload) {
		op->t->threads.at[thread].gone = true;
		return 1;
	}
	if (unsupported(err) && op->how->mark_unsupported) {
		const char *why = perf_refusal(err, &e->attr);
		note(why ? 0 : 1, "%s is not supported here (%s)", e->name, why ? why : strerror(-err));
		give_up(op, event);
		return 0;
	}
	return perf_explain(err, &e->attr, e->name, tid, cpu);
}

static const int *next_cpu(const struct event *e, const intlist *cpus, const int *at)
{
	for (at = at ? at + 1 : cpus->at; at < cpus->at + cpus->n; at++) {
		if (*at < 0 || !e->cpus)
			return at;
		for (const int *c = e->cpus; *c >= 0; c++)
			if (*c == *at)
				return at;
	}
	return NULL;
}

static int open_places(struct opener *op, int event, const char *filter)
{
	struct target *t = op->t;
	bool tasks = target_by_task(t);
	const intlist *cpus = !tasks ? &t->cpus : op->how->per_cpu ? &t->online : &op->any;
	int n_threads = tasks ? (int)t->threads.n : 1;
	op->first[event] = op->o->fds.n;
	if (op->l->at[event].precise_max)
		op->l->at[event].attr.precise_ip = 3;
	for (const int *c = NULL; (c = next_cpu(&op->l->at[event], cpus, c));)
		for (int i = 0; i < n_threads; i++) {
			int th = tasks ? i : -1, fd, err;
			if (tasks && t->threads.at[i].gone)
				continue;
			fd = open_at(op, event, *c, th);
			if (fd < 0) {
				if ((err = open_failed(op, event, *c, th, fd)) <= 0)
					return err;
				continue;
			}
			*vec_push(&op->o->fds) = (struct opened_fd){ fd, event, *c, th };
			if ((err = set_filter(op, event, fd, filter)))
				return err;
		}
	struct event *e = &op->l->at[event];
	if (op->leader[e->group] < 0 && op->o->fds.n > op->first[event])
		op->leader[e->group] = event;
	return 0;
}

static int open_event(struct opener *op, int event)
{
	char *filter = kernel_filter(&op->l->at[event]);
	int err = open_places(op, event, filter);
	free(filter);
	return err;
}

static int all_gone(const struct target *t)
{
	vec_each(&t->threads, th)
		if (!th->gone)
			return 0;
	if (!t->threads.n)
		return 0;
	error_set(ESRCH, t->threads.n == 1 ? "process %d has ended" : "process %d and the others have ended",
		  t->threads.at[0].tid);
	return error_hint("pgrep -a NAME finds a process by its name");
}

static int not_to_open(const struct event *e)
{
	error_set(EINVAL, "%s is a figure of sonde stat, not an event that can be opened", e->name);
	return error_hint("sonde list shows the events of this machine");
}

int events_open(struct opened *o, event_list *l, struct target *t, const struct open_options *how)
{
	struct opener op = { .o = o, .l = l, .t = t, .how = how };
	int err = 0;
	*vec_push(&op.any) = -1;
	op.leader = xcalloc(l->n + 1, sizeof(int));
	op.first = xcalloc(l->n + 1, sizeof(size_t));
	for (size_t i = 0; i < l->n; i++)
		op.leader[i] = -1;
	for (size_t i = 0; i < l->n && !err; i++)
		if (l->at[i].kind == EVENT_TOOL)
			err = how->mark_unsupported ? 0 : not_to_open(&l->at[i]);
		else if (!l->at[i].missing && !l->at[i].elsewhere)
			err = open_event(&op, (int)i);
	if (!err)
		err = all_gone(t);
	if (err)
		opened_close(o);
	free(op.leader);
	free(op.first);
	vec_release(&op.any);
	return err;
}

/* Members of a group are always enabled and follow their leader: asking each one is harmless. */
void opened_enable(const struct opened *o)
{
	vec_each(&o->fds, f)
		(void)ioctl(f->fd, PERF_EVENT_IOC_ENABLE, 0);
}

void opened_disable(const struct opened *o)
{
	vec_each(&o->fds, f)
		(void)ioctl(f->fd, PERF_EVENT_IOC_DISABLE, 0);
}

bool opened_turn(const struct opened *o, int event, bool on)
{
	bool any = false;
	vec_each(&o->fds, f)
		if (f->event == event) {
			any = true;
			(void)ioctl(f->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
		}
	return any;
}

void opened_close(struct opened *o)
{
	vec_each(&o->fds, f)
		close(f->fd);
	vec_release(&o->fds);
}
