// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/schedsum.h"
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
#include "bpf/schedsum.skel.h"
#include "kernel/bpf_programs.h"
#include "kernel/clock.h"

struct schedsum { struct schedsum_bpf *bpf; uint64_t end, left_out; };

static int refuse(int err)
{
	if (bpf_forbidden(err, "a summary while it runs", "sonde sched latency ...", "sonde sched record, then sonde sched latency"))
		return error_code();
	error_sys(err, "the kernel does not take the BPF program");
	return error_hint("it needs BTF and tracepoints with it (Linux 5.5): sonde doctor; without: sonde sched record, then sonde sched latency");
}

struct schedsum *schedsum_open(void)
{
	struct schedsum *s = xcalloc(1, sizeof(*s));
	libbpf_hushed(true);
	s->bpf = schedsum_bpf__open_and_load();
	int err = s->bpf ? schedsum_bpf__attach(s->bpf) : -errno;
	libbpf_hushed(false);
	if (!err)
		return s;
	refuse(err);
	schedsum_close(s);
	return NULL;
}

void schedsum_start(struct schedsum *s)
{
	__atomic_store_n(&s->bpf->bss->state.since, clock_ns(), __ATOMIC_RELEASE);
}

static void stop(struct schedsum *s)
{
	s->end = clock_ns();
	s->left_out = bpf_program_left_out(bpf_program__fd(s->bpf->progs.waking)) +
		      bpf_program_left_out(bpf_program__fd(s->bpf->progs.born));
	schedsum_bpf__detach(s->bpf);
	(void)syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0); /* until those that run now on other CPUs have ended */
}

int schedsum_finish(struct schedsum *s, schedsum_take *take, void *ctx)
{
	int map = bpf_map__fd(s->bpf->maps.tasks);
	struct schedsum_key key, next;
	struct schedsum_task t;
	stop(s);
	for (int end = bpf_map_get_next_key(map, NULL, &next); !end;) {
		key = next;
		end = bpf_map_get_next_key(map, &key, &next);
		if (bpf_map_lookup_elem(map, &key, &t))
			return error_sys(errno, "cannot read what was measured");
		if (t.phase == SCHEDSUM_RUNS && t.in && t.in < s->end)
			t.runtime += s->end - t.in;
		take(ctx, (int)key.tid, &t);
	}
	return 0;
}

struct schedsum_loss schedsum_lost(const struct schedsum *s)
{
	return (struct schedsum_loss){ .tasks = s->bpf->bss->state.lost, .wakeups = s->left_out };
}

void schedsum_close(struct schedsum *s)
{
	if (!s)
		return;
	schedsum_bpf__destroy(s->bpf);
	free(s);
}
