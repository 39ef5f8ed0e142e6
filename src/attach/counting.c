// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/counting.h"
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include "base/error.h"
#include "attach/syscount.h"
#include "spec/names.h"
#include "kernel/clock.h"
#include "kernel/perf.h"

int counting_open(struct counting *c, event_list *l, struct target *t, const struct counting_options *o)
{
	struct open_options how = { .inherit = o->inherit, .enable_on_exec = o->enable_on_exec,
				    .mark_unsupported = true, .user_only = true };
	memset(c, 0, sizeof(*c));
	vec_each(l, e) {
		e->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		e->attr.sample_period = 0;
		e->attr.freq = 0;
		e->elsewhere = false;
	}
	syscount_open(&c->syscount, l, t, o);
	int err = events_open(&c->opened, l, t, &how);
	if (err) {
		counting_close(c);
		return err;
	}
	vec_each(&c->opened.fds, f)
		*vec_push(&c->readings) = (struct count_reading){ .event = f->event, .cpu = f->cpu, .thread = f->thread };
	if (c->syscount)
		syscount_places(c->syscount, c);
	c->first_tool = c->readings.n;
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].kind == EVENT_TOOL)
			*vec_push(&c->readings) = (struct count_reading){ .event = (int)i, .cpu = t->cpus.n ? t->cpus.at[0] : -1 };
	return 0;
}

void counting_enable(struct counting *c)
{
	opened_enable(&c->opened);
	if (c->syscount)
		syscount_enable(c->syscount);
}

void counting_disable(struct counting *c)
{
	opened_disable(&c->opened);
	if (c->syscount)
		syscount_disable(c->syscount);
}

/* Of the commands that have ended. */
static void spent(uint64_t *user, uint64_t *system)
{
	struct rusage r;
	getrusage(RUSAGE_CHILDREN, &r);
	*user = (uint64_t)r.ru_utime.tv_sec * 1000000000u + (uint64_t)r.ru_utime.tv_usec * 1000;
	*system = (uint64_t)r.ru_stime.tv_sec * 1000000000u + (uint64_t)r.ru_stime.tv_usec * 1000;
}

void counting_begin(struct counting *c)
{
	c->began = clock_ns();
	spent(&c->began_user, &c->began_system);
}

static void read_tools(struct counting *c, const event_list *l)
{
	uint64_t user, system, passed = clock_ns() - c->began;
	spent(&user, &system);
	for (size_t i = c->first_tool; i < c->readings.n; i++) {
		struct count_reading *r = &c->readings.at[i];
		uint64_t which = l->at[r->event].attr.config;
		uint64_t v = which == TOOL_USER ? user - c->began_user : which == TOOL_SYSTEM ? system - c->began_system : passed;
		r->before = r->now;
		r->now = (struct count){ v, passed, passed };
	}
}

int counting_read(struct counting *c, const event_list *l)
{
	size_t i = 0;
	vec_each(&c->opened.fds, f) {
		struct count_reading *r = &c->readings.at[i++];
		uint64_t w[3];
		int err = perf_read(f->fd, w, 3);
		if (err)
			return error_sys(err, "cannot read a counter");
		r->before = r->now;
		r->now = (struct count){ w[0], w[1], w[2] };
	}
	if (c->syscount)
		syscount_read(c->syscount, &c->readings.at[i]);
	read_tools(c, l);
	return 0;
}

void counting_close(struct counting *c)
{
	opened_close(&c->opened);
	syscount_close(c->syscount);
	c->syscount = NULL;
	vec_release(&c->readings);
}
