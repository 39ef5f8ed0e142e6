// SPDX-License-Identifier: GPL-2.0-or-later
/* Which events are taken: plain syscalls:* tracepoints (no filter, no modifiers, no group, no cgroup)
 * whose number is known, when there are at least two; counted by thread or by CPU, but not for each thread
 * apart. Anything that stands in the way (no rights, no BTF, a foreign PID namespace) leaves them to perf
 * events without a word but for -v. */
#include "attach/syscount.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/error.h"
#include "base/str.h"
#include "bpf/chosen.h"
#include "bpf/syscount.h"
#include "bpf/syscount.skel.h"
#include "attach/chosen.h"
#include "kernel/bpf_programs.h"
#include "kernel/clock.h"
#include "kernel/root.h"
#include "syscall/decode.h"

enum { FEWEST = 2 };

struct counted_call { int event, nr; bool exit; };

struct syscount {
	struct syscount_bpf *bpf;
	VEC(struct counted_call) members;
	intlist cpus; /* of the readings; empty: one reading for all CPUs */
	struct chosen chosen; /* empty when by CPU */
	struct target *target;
	const struct syscounts *values; /* one for each possible CPU: the program's own memory */
	size_t values_size;
	int n_possible;
	uint64_t since, spent; /* ns enabled: running since, and before */
};

static int number_of(const char *name)
{
	int nr = syscall_of_tracepoint(name);
	return nr < SYSCOUNT_CALLS ? nr : -1;
}

static bool member_of(const event_list *l, size_t i, struct counted_call *m)
{
	const struct event *e = &l->at[i];
	if (e->kind != EVENT_TRACEPOINT || strcmp(e->system, "syscalls") || e->filter || e->cgroup || e->exclude_user_given ||
	    e->attr.exclude_idle || e->attr.pinned || e->group != (int)i || (i + 1 < l->n && l->at[i + 1].group == (int)i))
		return false;
	bool enter = str_starts(e->tracepoint, "sys_enter_");
	if (!enter && !str_starts(e->tracepoint, "sys_exit_"))
		return false;
	int nr = number_of(e->tracepoint + (enter ? strlen("sys_enter_") : strlen("sys_exit_")));
	*m = (struct counted_call){ (int)i, nr, !enter };
	return nr >= 0;
}

static bool wants(const struct syscount *f, bool exit)
{
	vec_each(&f->members, m)
		if (m->exit == exit)
			return true;
	return false;
}

static int load(struct syscount *f, bool by_task, bool inherit)
{
	f->bpf = syscount_bpf__open();
	if (!f->bpf)
		return -errno;
	f->bpf->rodata->by_task = by_task;
	f->bpf->rodata->inherit = inherit;
	f->bpf->rodata->tid_max = chosen_size(&f->chosen, f->bpf->maps.tasks, by_task);
	bpf_map__set_max_entries(f->bpf->maps.counts, (uint32_t)f->n_possible);
	bool events = bpf_programs_preempted(); /* see bpf/trace_tp.bpf.c */
	bpf_program__set_autoload(f->bpf->progs.enter, wants(f, false) && !events);
	bpf_program__set_autoload(f->bpf->progs.leave, wants(f, true) && !events);
	bpf_program__set_autoload(f->bpf->progs.enter_event, wants(f, false) && events);
	bpf_program__set_autoload(f->bpf->progs.leave_event, wants(f, true) && events);
	bpf_program__set_autoload(f->bpf->progs.born, by_task);
	bpf_program__set_autoload(f->bpf->progs.execed, by_task);
	bpf_program__set_autoload(f->bpf->progs.ended, by_task);
	return syscount_bpf__load(f->bpf);
}

/* What the programs and sonde share. Neither reading counts nor marking threads takes a system call then. */
static int map_memory(struct syscount *f)
{
	f->values_size = (size_t)f->n_possible * sizeof(*f->values);
	f->values = bpf_map_memory(f->bpf->maps.counts, &f->values_size, PROT_READ);
	return f->values ? chosen_map(&f->chosen, f->bpf->maps.tasks) : -errno;
}

/* The bytes of the threads are set before the programs run; new threads are seen by them. */
static int start(struct syscount *f, bool by_task, const struct counting_options *o)
{
	f->n_possible = libbpf_num_possible_cpus();
	if (f->n_possible <= 0)
		return -EINVAL;
	libbpf_hushed(true);
	int err = load(f, by_task, o->inherit);
	libbpf_hushed(false);
	if (!err)
		err = map_memory(f);
	if (!err && by_task && o->enable_on_exec) {
		chosen_mark(&f->chosen, f->target, TASK_AT_EXEC);
		f->since = clock_ns();
	}
	return err ? err : syscount_bpf__attach(f->bpf);
}

void syscount_open(struct syscount **out, event_list *l, struct target *t, const struct counting_options *o)
{
	struct syscount *f = xcalloc(1, sizeof(*f));
	struct counted_call m;
	bool by_task = target_by_task(t);
	*out = NULL;
	for (size_t i = 0; i < l->n; i++)
		if (member_of(l, i, &m))
			*vec_push(&f->members) = m;
	if (o->no_bpf || o->each_thread || root_is_fake() || f->members.n < FEWEST || (by_task && !chosen_possible())) {
		syscount_close(f);
		return;
	}
	f->target = t;
	int err = start(f, by_task, o);
	if (err) {
		note(1, "the BPF program that counts system calls does not load (%s): perf events do it", strerror(-err));
		syscount_close(f);
		return;
	}
	if (!by_task)
		vec_each(&t->cpus, c)
			*vec_push(&f->cpus) = *c;
	vec_each(&f->members, it)
		l->at[it->event].elsewhere = true;
	*out = f;
}

void syscount_places(const struct syscount *f, struct counting *c)
{
	vec_each(&f->members, m) {
		if (!f->cpus.n)
			*vec_push(&c->readings) = (struct count_reading){ .event = m->event, .cpu = -1, .thread = 0 };
		vec_each(&f->cpus, cpu)
			*vec_push(&c->readings) = (struct count_reading){ .event = m->event, .cpu = *cpu, .thread = -1 };
	}
}

void syscount_enable(struct syscount *f)
{
	if (!f->since)
		f->since = clock_ns();
	if (f->chosen.tasks)
		chosen_mark(&f->chosen, f->target, TASK_ON);
	else
		__atomic_store_n(&f->bpf->bss->on, 1, __ATOMIC_RELAXED);
}

void syscount_disable(struct syscount *f)
{
	if (f->since)
		f->spent += clock_ns() - f->since;
	f->since = 0;
	if (f->chosen.tasks)
		chosen_clear(&f->chosen);
	else
		__atomic_store_n(&f->bpf->bss->on, 0, __ATOMIC_RELAXED);
}

static uint64_t value_of(const struct syscount *f, const struct counted_call *m, int cpu)
{
	const struct syscounts *v = &f->values[cpu];
	return __atomic_load_n(m->exit ? &v->exit[m->nr] : &v->enter[m->nr], __ATOMIC_RELAXED);
}

void syscount_read(struct syscount *f, struct count_reading *r)
{
	uint64_t time = f->spent + (f->since ? clock_ns() - f->since : 0);
	vec_each(&f->members, m) {
		uint64_t all = 0;
		for (int cpu = 0; !f->cpus.n && cpu < f->n_possible; cpu++)
			all += value_of(f, m, cpu);
		for (size_t i = 0; i < (f->cpus.n ? f->cpus.n : 1); i++, r++) {
			uint64_t v = f->cpus.n ? f->cpus.at[i] < f->n_possible ? value_of(f, m, f->cpus.at[i]) : 0 : all;
			r->before = r->now;
			r->now = (struct count){ v, time, time };
		}
	}
}

/* How often the kernel did not run a program that counts. */
static void tell_left_out(const struct syscount *f)
{
	if (!f->bpf)
		return;
	struct bpf_program *const on_calls[] = { f->bpf->progs.enter, f->bpf->progs.leave, f->bpf->progs.enter_event, f->bpf->progs.leave_event };
	uint64_t n = 0;
	for (size_t i = 0; i < sizeof(on_calls) / sizeof(on_calls[0]); i++)
		n += bpf_program_left_out(bpf_program__fd(on_calls[i]));
	bpf_programs_warn_left_out(n);
}

void syscount_close(struct syscount *f)
{
	if (!f)
		return;
	chosen_release(&f->chosen);
	if (f->values)
		munmap((void *)f->values, f->values_size);
	tell_left_out(f);
	syscount_bpf__destroy(f->bpf);
	vec_release(&f->members);
	vec_release(&f->cpus);
	free(f);
}
