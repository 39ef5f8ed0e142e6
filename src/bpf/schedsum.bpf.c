// SPDX-License-Identifier: GPL-2.0-or-later
/* sched latency without a file: how long each task ran, and waited for a CPU.
 *
 * Switches run with interrupts off and the run queue's lock held. Wakeups of another task do so with that task's lock and
 * interrupts off; but that of the task itself, which is about to sleep, only without preemption: an interrupt's wakeup that
 * comes just then is left out by the kernel, which counts it. A task's sums are written where it is switched, by one CPU at a
 * time; a wakeup writes `wake` and `phase`, while the task has no CPU. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/schedsum.h"

#define RELOCATED __attribute__((preserve_access_index))
struct task_struct { int pid, tgid; unsigned int __state; __u64 start_time; char comm[16]; } RELOCATED;
struct task_struct___sum_old { long state; } RELOCATED; /* before Linux 5.14 */
enum { STATES = 0xff /* in which a task cannot run on; see TASK_REPORT */ };

struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, SCHEDSUM_TASKS);
	__type(key, struct schedsum_key); __type(value, struct schedsum_task); } tasks SEC(".maps");
struct schedsum_state state;

static __always_inline long state_of(const struct task_struct *t)
{
	if (bpf_core_field_exists(((struct task_struct *)0)->__state))
		return t->__state;
	return ((const struct task_struct___sum_old *)t)->state;
}

static __always_inline struct schedsum_task *sums_of(struct task_struct *t, __u32 phase, __u64 now)
{
	struct schedsum_key key = { .start = t->start_time, .tid = t->pid };
	struct schedsum_task *s = bpf_map_lookup_elem(&tasks, &key);
	if (s)
		return s;
	struct schedsum_task first = { .phase = phase, .pid = t->tgid };
	if (phase == SCHEDSUM_WAITS)
		first.wake = now;
	if (phase == SCHEDSUM_RUNS)
		first.in = state.since; /* it was there before us */
	bpf_map_update_elem(&tasks, &key, &first, BPF_NOEXIST);
	s = bpf_map_lookup_elem(&tasks, &key);
	if (!s)
		__sync_fetch_and_add(&state.lost, 1);
	return s;
}

static __always_inline void leaves(struct task_struct *t, int preempted, __u64 now)
{
	struct schedsum_task *s = sums_of(t, SCHEDSUM_RUNS, now);
	if (!s)
		return;
	if (s->in)
		s->runtime += now - s->in;
	s->in = 0;
	int waits = preempted || !(state_of(t) & STATES);
	s->wake = waits ? now : 0;
	s->phase = waits ? SCHEDSUM_WAITS : SCHEDSUM_SLEEPS;
}

static __always_inline void comes(struct task_struct *t, __u64 now)
{
	struct schedsum_task *s = sums_of(t, SCHEDSUM_WAITS, now);
	if (!s)
		return;
	__u64 wake = s->wake, delay = now - wake;
	s->in = now;
	bpf_probe_read_kernel(s->name, sizeof(s->name), t->comm);
	if (s->phase == SCHEDSUM_WAITS && wake && now >= wake) {
		s->count++;
		s->delay += delay;
		if (delay > s->max) {
			s->max = delay;
			s->max_from = wake;
			s->max_to = now;
		}
	}
	s->phase = SCHEDSUM_RUNS;
}

SEC("tp_btf/sched_switch")
int switched(unsigned long long *ctx) /* preempted, who goes, who comes */
{
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	__u64 now = bpf_ktime_get_ns();
	if (!*(volatile __u64 *)&state.since)
		return 0;
	if (prev->pid)
		leaves(prev, (int)ctx[0], now);
	if (next->pid)
		comes(next, now);
	return 0;
}

static __always_inline int wakes(struct task_struct *t)
{
	__u64 now = bpf_ktime_get_ns();
	if (!*(volatile __u64 *)&state.since || !t->pid)
		return 0;
	struct schedsum_task *s = sums_of(t, SCHEDSUM_SLEEPS, now);
	if (!s || s->phase != SCHEDSUM_SLEEPS)
		return 0;
	s->wake = now;
	s->phase = SCHEDSUM_WAITS;
	return 0;
}

SEC("tp_btf/sched_waking")
int waking(unsigned long long *ctx)
{
	return wakes((void *)ctx[0]);
}

SEC("tp_btf/sched_wakeup_new")
int born(unsigned long long *ctx)
{
	return wakes((void *)ctx[0]);
}

char _license[] SEC("license") = "GPL";
