// SPDX-License-Identifier: GPL-2.0-or-later
/* record --off-cpu: how long threads waited, and where. A thread that leaves its CPU in order to wait has its stack and
 * the time noted; when it comes back the time between is added to that of its place. The reader (attach/offcpu.c) looks at the sums from time to time.
 *
 * sched_switch is the only program that has scratch memory, and it runs with interrupts off and the run queue's lock held, on
 * every kernel: nothing but a non-maskable interrupt comes between, and none of ours runs there. Sums are atomic. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/offcpu.h"

#define RELOCATED __attribute__((preserve_access_index))
struct task_struct { int pid, tgid; unsigned int flags, __state; } RELOCATED;
struct task_struct___old { long state; } RELOCATED; /* before Linux 5.14 */
enum { WAITS = 3 /* TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE */, KERNEL_THREAD = 0x200000, EEXIST = 17 };

#include "bpf/chosen_tasks.h"

const volatile __u32 n_cgroups; /* 0: any */
const volatile __u32 by_cpu; /* only the CPUs that `cpus` says */
const volatile __u32 with_cgroup;
const volatile __u32 with_kernel; /* the kernel's stack, too */
const volatile __u32 n_cpus = 1; /* possible ones */

struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, OFFCPU_WAITS);
	__type(key, struct offcpu_place); __type(value, struct offcpu_sum); } waits SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, OFFCPU_STACKS);
	__type(key, struct offcpu_stack); __type(value, struct offcpu_frames); } stacks SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 32768);
	__type(key, __u32); __type(value, struct offcpu_sleep); } sleeps SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct offcpu_scratch); } scratch SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 1); __type(key, __u32); __type(value, __u32); } cpus SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_CGROUP_ARRAY); __uint(max_entries, OFFCPU_CGROUPS);
	__type(key, __u32); __type(value, __u32); } cgroups SEC(".maps");
struct offcpu_state state;

static __always_inline int waits_now(const struct task_struct *t)
{
	if (bpf_core_field_exists(((struct task_struct *)0)->__state))
		return t->__state & WAITS;
	return ((const struct task_struct___old *)t)->state & WAITS;
}

static __always_inline __u64 clock_word(void)
{
	return *(volatile __u64 *)&state.clock;
}

static __always_inline __u64 measured(__u64 clock, __u64 now)
{
	return clock & 1 ? now - (clock >> 1) : clock >> 1;
}

static __always_inline int in_cgroup(void)
{
	for (__u32 i = 0; i < OFFCPU_CGROUPS; i++)
		if (i < n_cgroups && bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return 1;
	return !n_cgroups;
}

static __always_inline int on_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id(), *wanted = by_cpu ? bpf_map_lookup_elem(&cpus, &cpu) : 0;
	return !by_cpu || (wanted && *wanted);
}

static __always_inline struct offcpu_scratch *own_scratch(void)
{
	__u32 zero = 0;
	return bpf_map_lookup_elem(&scratch, &zero);
}

static __always_inline __u64 hashed(__u64 h, const __u64 *ip, int n)
{
	for (int i = 0; i < n; i++) {
		if (!ip[i])
			break;
		h = (h ^ ip[i]) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return h;
}

/* The key of the thread's frames in `stacks`, put there when they are new; 0: it has none, or there is no room. */
static __always_inline __u64 keep_stack(void *ctx, __u32 pid)
{
	struct offcpu_scratch *own = own_scratch();
	struct offcpu_frames *f = own ? &own->frames : 0;
	struct offcpu_stack key = { .pid = pid };
	__u64 h = 0x9e3779b97f4a7c15ull;
	if (!f)
		return 0;
	if (with_kernel)
		bpf_get_stack(ctx, f->kernel, sizeof(f->kernel), 0); /* what it does not fill it clears, of either stack */
	bpf_get_stack(ctx, f->user, sizeof(f->user), BPF_F_USER_STACK);
	if (!f->user[0] && !f->kernel[0])
		return 0;
	if (with_kernel)
		h = hashed(h, f->kernel, OFFCPU_KERNEL);
	h = hashed(h, f->user, OFFCPU_FRAMES);
	key.hash = h ? h : 1;
	if (bpf_map_lookup_elem(&stacks, &key))
		return key.hash;
	long err = bpf_map_update_elem(&stacks, &key, f, BPF_NOEXIST);
	if (!err || err == -EEXIST)
		return key.hash;
	__sync_fetch_and_add(&state.lost_stacks, 1);
	return 0;
}

static __always_inline void fell_asleep(void *ctx, const struct task_struct *t)
{
	struct offcpu_sleep s = { .pid = t->tgid };
	__u32 tid = t->pid;
	s.stack = keep_stack(ctx, s.pid);
	s.cgroup = with_cgroup ? bpf_get_current_cgroup_id() : 0;
	/* read again: kept over chosen() it has that spill the thread's number, whose bounds Linux 6.1 then does not know */
	s.since = measured(clock_word(), bpf_ktime_get_ns());
	if (bpf_map_update_elem(&sleeps, &tid, &s, BPF_ANY))
		__sync_fetch_and_add(&state.lost_sleeps, 1);
}

/* Of one thread, so never by two CPUs at a time. */
static __always_inline void add_wait(const struct offcpu_place *p, __u64 ns, __u64 now)
{
	struct offcpu_sum *sum = bpf_map_lookup_elem(&waits, p);
	struct offcpu_sum first = { ns, now, 0 };
	if (sum) {
		sum->last = now;
		__sync_fetch_and_add(&sum->ns, ns);
		return;
	}
	struct offcpu_scratch *own = own_scratch();
	if (!own)
		return;
	first.number = own->places * n_cpus + bpf_get_smp_processor_id();
	if (bpf_map_update_elem(&waits, p, &first, BPF_NOEXIST)) {
		__sync_fetch_and_add(&state.lost, 1);
		__sync_fetch_and_add(&state.lost_ns, ns);
	} else {
		own->places++;
	}
}

static __always_inline void woke_up(__u32 tid)
{
	struct offcpu_sleep *s = bpf_map_lookup_elem(&sleeps, &tid);
	if (!s)
		return;
	struct offcpu_place p = { .pid = s->pid, .tid = tid, .stack = s->stack, .cgroup = s->cgroup };
	__u64 since = s->since, clock = clock_word(), now = bpf_ktime_get_ns(), end = measured(clock, now);
	bpf_map_delete_elem(&sleeps, &tid);
	if (end > since)
		add_wait(&p, end - since, clock & 1 ? now : state.off_at);
}

SEC("tp_btf/sched_switch")
int switched(unsigned long long *ctx) /* preempted, who goes, who comes */
{
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	if (clock_word() & 1 && !ctx[0] && !(prev->flags & KERNEL_THREAD) && chosen(prev) && waits_now(prev) && on_cpu() && in_cgroup())
		fell_asleep(ctx, prev);
	if (next->pid)
		woke_up(next->pid);
	return 0;
}

char _license[] SEC("license") = "GPL";
