// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/lockwait.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "attach/chosen.h"
#include "attach/forbidden.h"
#include "base/error.h"
#include "base/str.h"
#include "bpf/chosen.h"
#include "bpf/lockwait.skel.h"
#include "kernel/bpf_programs.h"
#include "kernel/tracefs.h"

struct lockwait { struct lockwait_bpf *bpf; struct chosen chosen; uint64_t left_out; };

static int load(struct lockwait *w, const struct lockwait_options *o)
{
	struct lockwait_bpf *b = w->bpf = lockwait_bpf__open();
	bool by_task = target_by_task(o->target);
	if (!b)
		return -errno;
	b->rodata->by_task = by_task;
	b->rodata->inherit = o->inherit;
	b->rodata->tid_max = chosen_size(&w->chosen, b->maps.tasks, by_task);
	b->rodata->by = o->by;
	b->rodata->type_mask = o->types;
	b->rodata->only_lock = o->only_lock;
	bpf_program__set_autoload(b->progs.born, by_task);
	bpf_program__set_autoload(b->progs.execed, by_task);
	bpf_program__set_autoload(b->progs.ended, by_task);
	int err = lockwait_bpf__load(b);
	if (!err)
		err = chosen_map(&w->chosen, b->maps.tasks);
	if (!err)
		chosen_mark(&w->chosen, o->target, o->at_exec ? TASK_AT_EXEC : TASK_ON);
	return err ? err : lockwait_bpf__attach(b);
}

static int refuse(int err)
{
	if (error_code())
		return error_code();
	if (bpf_forbidden(err, "lock contention", "sonde lock contention ...", NULL))
		return error_code();
	if (tracefs_event_id("lock", "contention_begin") == -ENOENT) {
		error_set(ENOTSUP, "this kernel has no tracepoints for waits at its locks (lock:contention_begin)");
		return error_hint("Linux 5.19 and later have them; sonde offcpu shows where threads sleep, those at mutexes too");
	}
	error_sys(err, "lock contention: the kernel does not take the BPF program");
	return error_hint("it needs BTF and tracepoints with it: sonde doctor");
}

struct lockwait *lockwait_open(const struct lockwait_options *o)
{
	struct lockwait *w = xcalloc(1, sizeof(*w));
	int err;
	if (!chosen_possible()) {
		error_set(EPERM, "lock contention cannot tell the threads of a PID namespace, and lent rights do not reach so far");
		err = error_hint("run it as root outside of the container");
	} else {
		libbpf_hushed(true);
		err = load(w, o);
		libbpf_hushed(false);
	}
	if (!err)
		return w;
	refuse(err);
	lockwait_close(w);
	return NULL;
}

void lockwait_turn(struct lockwait *w, bool on)
{
	__atomic_store_n(&w->bpf->bss->state.on, on, __ATOMIC_RELEASE);
}

static void stop(struct lockwait *w)
{
	lockwait_turn(w, false);
	w->left_out = bpf_program_left_out(bpf_program__fd(w->bpf->progs.contended)) +
		      bpf_program_left_out(bpf_program__fd(w->bpf->progs.got_it));
	lockwait_bpf__detach(w->bpf);
	(void)syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0); /* until those that run now on other CPUs have ended */
}

int lockwait_finish(struct lockwait *w, lockwait_take *take, void *ctx)
{
	int map = bpf_map__fd(w->bpf->maps.sums), stacks = bpf_map__fd(w->bpf->maps.stacks);
	struct lockwait_place key, next;
	stop(w);
	for (int end = bpf_map_get_next_key(map, NULL, &next); !end;) {
		struct lockwait_sum sum;
		uint64_t stack[LOCKWAIT_FRAMES] = { 0 };
		size_t n = 0;
		key = next;
		end = bpf_map_get_next_key(map, &key, &next);
		if (bpf_map_lookup_elem(map, &key, &sum))
			return error_sys(errno, "cannot read what was measured");
		if (w->bpf->rodata->by == LOCKWAIT_BY_CALLER && key.id && !bpf_map_lookup_elem(stacks, &key.id, stack))
			while (n < LOCKWAIT_FRAMES && stack[n])
				n++;
		take(ctx, &key, &sum, stack, n);
	}
	return 0;
}

struct lockwait_loss lockwait_lost(const struct lockwait *w)
{
	const struct lockwait_state *s = &w->bpf->bss->state;
	return (struct lockwait_loss){ .waits = s->lost, .stacks = s->lost_stacks, .left_out = w->left_out };
}

void lockwait_close(struct lockwait *w)
{
	if (!w)
		return;
	chosen_release(&w->chosen);
	lockwait_bpf__destroy(w->bpf);
	free(w);
}
