// SPDX-License-Identifier: GPL-2.0-or-later
/* lock contention: how long threads waited for the kernel's locks, by caller, thread, lock or owner.
 *
 * A wait begins and ends in one thread, but an interrupt may come in between and wait for a spinning lock itself; so waits under
 * way are told apart by lock and thread, or lock and CPU. A mutex begins twice, when it first spins and then sleeps: the first
 * counts. Either program may be interrupted by the other, and by itself the kernel leaves it out, and counts that: then a wait
 * is missing, or one is never ended and forgotten when its thread waits for that lock again. Sums are atomic. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/lockwait.h"

#define RELOCATED __attribute__((preserve_access_index))
struct task_struct { int pid, tgid; unsigned int flags; char comm[16]; } RELOCATED;
struct lockwait_counter { long counter; } RELOCATED;
struct mutex { struct { long counter; } owner; } RELOCATED;
struct rw_semaphore { struct { long counter; } owner; } RELOCATED;

#include "bpf/chosen_tasks.h"

const volatile __u32 by; /* enum lockwait_by */
const volatile __u64 type_mask; /* -Y: bit n: what lockwait_types[] of the reader has there; 0: all */
const volatile __u64 only_lock; /* -L; 0: all */

struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, LOCKWAIT_UNDER_WAY);
	__type(key, struct lockwait_who); __type(value, struct lockwait_begun); } begun SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, LOCKWAIT_PLACES);
	__type(key, struct lockwait_place); __type(value, struct lockwait_sum); } sums SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, LOCKWAIT_PLACES);
	__type(key, __u64); __type(value, struct lockwait_stack); } stacks SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct lockwait_stack); } scratch SEC(".maps");
struct lockwait_state state;

/* 0: there is none, or no room. Only the beginning of a wait comes here, so never two at a time on a CPU. */
static __always_inline __u64 keep_stack(void *ctx)
{
	__u32 zero = 0;
	struct lockwait_stack *s = bpf_map_lookup_elem(&scratch, &zero);
	__u64 h = 0x9e3779b97f4a7c15ull;
	if (!s)
		return 0;
	long n = bpf_get_stack(ctx, s->ip, sizeof(s->ip), 0);
	if (n <= 0)
		return 0;
	for (int i = 0; i < LOCKWAIT_FRAMES; i++) {
		if (i * 8 >= n)
			s->ip[i] = 0;
		h = (h ^ s->ip[i]) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	h = h ? h : 1;
	if (bpf_map_lookup_elem(&stacks, &h))
		return h;
	if (bpf_map_update_elem(&stacks, &h, s, BPF_ANY)) {
		__sync_fetch_and_add(&state.lost_stacks, 1);
		return 0;
	}
	return h;
}

/* The thread that has the lock now, 0: not known. Mutexes and rw semaphores say it, with marks in the lowest bits. */
static __always_inline __u64 owner_of(__u64 lock, __u32 flags)
{
	unsigned long word = 0;
	__u32 pid = 0;
	if (flags & LOCKWAIT_MUTEX)
		bpf_probe_read_kernel(&word, sizeof(word), &((struct mutex *)lock)->owner.counter);
	else if (flags == LOCKWAIT_READ || flags == LOCKWAIT_WRITE)
		bpf_probe_read_kernel(&word, sizeof(word), &((struct rw_semaphore *)lock)->owner.counter);
	struct task_struct *t = (void *)(word & ~7ul);
	if (!t || bpf_probe_read_kernel(&pid, sizeof(pid), &t->pid))
		return 0;
	return pid;
}

static __always_inline struct lockwait_who key_of(__u64 lock, __u32 spins)
{
	struct lockwait_who w = { .lock = lock, .spins = spins };
	w.who = spins ? bpf_get_smp_processor_id() : (__u32)bpf_get_current_pid_tgid();
	return w;
}

SEC("tp_btf/contention_begin")
int contended(unsigned long long *ctx) /* lock, flags */
{
	struct task_struct *t = (void *)bpf_get_current_task();
	__u64 lock = ctx[0];
	__u32 flags = (__u32)ctx[1], tid = (__u32)bpf_get_current_pid_tgid();
	if (!*(volatile __u32 *)&state.on || (only_lock && lock != only_lock) || (type_mask && !(type_mask >> (flags & 63) & 1)))
		return 0;
	if (by_task) {
		__u8 *b = task_byte(tid);
		__u32 task_flags = 0;
		bpf_probe_read_kernel(&task_flags, sizeof(task_flags), &t->flags);
		if (!b || *b == TASK_OFF || (*b == TASK_AT_EXEC && task_flags & PF_FORKNOEXEC))
			return 0;
	}
	struct lockwait_who w = key_of(lock, flags & LOCKWAIT_SPIN && !(flags & LOCKWAIT_MUTEX));
	if (flags == LOCKWAIT_MUTEX && bpf_map_lookup_elem(&begun, &w))
		return 0; /* it spun before */
	struct lockwait_begun n = { .flags = flags };
	if (by == LOCKWAIT_BY_CALLER)
		n.id = keep_stack(ctx);
	else if (by == LOCKWAIT_BY_LOCK)
		n.id = lock;
	else if (by == LOCKWAIT_BY_OWNER)
		n.id = owner_of(lock, flags);
	else
		n.id = tid;
	n.since = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&begun, &w, &n, BPF_ANY))
		__sync_fetch_and_add(&state.lost, 1);
	return 0;
}

static __always_inline void add(const struct lockwait_begun *n, __u64 now)
{
	struct lockwait_place p = { .id = n->id };
	__u64 ns = now - n->since;
	/* one thread, or owner, waits for locks of all kinds */
	p.flags = by == LOCKWAIT_BY_CALLER || by == LOCKWAIT_BY_LOCK ? n->flags : 0;
	struct lockwait_sum *s = bpf_map_lookup_elem(&sums, &p);
	if (!s) {
		struct lockwait_sum first = { .min = ~0ull };
		if (by == LOCKWAIT_BY_THREAD)
			bpf_get_current_comm(first.name, sizeof(first.name));
		bpf_map_update_elem(&sums, &p, &first, BPF_NOEXIST);
		s = bpf_map_lookup_elem(&sums, &p);
	}
	if (!s) {
		__sync_fetch_and_add(&state.lost, 1);
		return;
	}
	__sync_fetch_and_add(&s->count, 1);
	__sync_fetch_and_add(&s->total, ns);
	/* of two at once the lesser may win: by less than what either waited */
	if (ns > s->max)
		s->max = ns;
	if (ns < s->min)
		s->min = ns;
}

SEC("tp_btf/contention_end")
int got_it(unsigned long long *ctx) /* lock, error */
{
	struct lockwait_who w = key_of(ctx[0], 0);
	struct lockwait_begun *n = bpf_map_lookup_elem(&begun, &w);
	if (!n) {
		w = key_of(ctx[0], 1);
		n = bpf_map_lookup_elem(&begun, &w);
	}
	if (!n)
		return 0;
	struct lockwait_begun copy = *n;
	bpf_map_delete_elem(&begun, &w);
	if (*(volatile __u32 *)&state.on)
		add(&copy, bpf_ktime_get_ns());
	return 0;
}

char _license[] SEC("license") = "GPL";
