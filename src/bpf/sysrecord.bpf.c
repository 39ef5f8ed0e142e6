// SPDX-License-Identifier: GPL-2.0-or-later
/* Records raw_syscalls:sys_enter and sys_exit for `sonde record`, in the place of perf's own output path,
 * which costs three to four times as much: the sample is built where it will stay, as it goes into the
 * file. Same events, same layout as the kernel's tracepoint records; the address is that of the caller in
 * user space. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/sysrecord.h"

#define RELOCATED __attribute__((preserve_access_index))
struct pt_regs { unsigned long orig_ax, ip, di, si, dx, r10, r8, r9, bx, cx, bp; } RELOCATED;
struct thread_info { __u32 status; } RELOCATED;
struct task_struct {
	struct thread_info thread_info;
	int pid, tgid;
	unsigned int flags;
} RELOCATED;
enum { TS_COMPAT = 2, RECORD_LOST = 2, RECORD_SAMPLE = 9, MISC_USER = 2 };

#include "bpf/chosen_tasks.h"

const volatile __u64 enter_id, exit_id; /* the events' ids in the file */
const volatile __u32 enter_type, exit_type; /* the tracepoints' numbers */

struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, SYSREC_BLOCKS);
	__uint(key_size, 4); __uint(value_size, BLOCK); } blocks SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct lane); } lanes SEC(".maps"); /* LANES for each CPU */
/* Nothing is read from it: something in it wakes the reader. */
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } wake SEC(".maps");
struct lane_reader reader __attribute__((aligned(64)));

static __always_inline struct lane *lane_at(__u32 number)
{
	return bpf_map_lookup_elem(&lanes, &number);
}

static __always_inline void *lane_block(__u32 number)
{
	return bpf_map_lookup_elem(&blocks, &number);
}
#include "bpf/lane_code.h"

struct sysrec_spin { __u32 lane; __u64 until; };

static int spin_step(__u32 i, struct sysrec_spin *s)
{
	struct lane *l = lane_at(s->lane);
	if (!l || !lane_is_full(l))
		return 1;
	return (i & 63) == 63 && bpf_ktime_get_ns() > s->until;
}

/* The reader is late: the program that makes the calls waits a little, rather than that events are lost.
 * At most 200 us for each call, and not for one that makes no progress. */
static __noinline int wait_for_room(struct lane *l)
{
	__u64 now = bpf_ktime_get_ns();
	struct sysrec_spin s = { l->number, now + 200000 };
	if (!lane_is_read(l, &reader, now))
		return 0;
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_loop)) /* Linux 5.17 */
		bpf_loop(1 << 17, spin_step, &s, 0);
	else
		for (int i = 0; i < 64; i++)
			if (spin_step(i, &s))
				break;
	return 0;
}

/* A lane to make a record in; NULL: a miss, counted. These programs are attached only where they are not preempted. */
static __always_inline struct lane *take_lane(__u32 cpu)
{
	struct lane *l = lane_at(cpu * LANES);
	if (!l || !l->wanted)
		return 0;
	return lane_take(l, 0) ? l : lane_at(lane_find(cpu * LANES, 1, 0));
}

/* The record is made: gives the lane back, wakes the reader when it asked for that, and waits for it when it must. */
static __always_inline void end(struct lane *l)
{
	lane_give(l);
	if (LANE_GET(l->head) > LANE_GET(l->wake_at)) {
		__u32 one = 1;
		l->wake_at = ~0ull; /* until it says anew */
		bpf_ringbuf_output(&wake, &one, sizeof(one), BPF_RB_FORCE_WAKEUP);
	}
	if (lane_is_full(l))
		wait_for_room(l);
}

static __noinline int tell_lost(struct lane *l, __u32 cpu)
{
	if (!l)
		return 0;
	__u64 pending = l->pending, id = bpf_get_current_pid_tgid();
	struct sysrec_lost *r = lane_reserve(l, RECORD_MIN);
	if (!r)
		return 0;
	r->type = RECORD_LOST;
	r->misc = 0;
	r->size = sizeof(*r);
	r->id = r->identifier = enter_id;
	r->lost = pending;
	r->pid = id >> 32;
	r->tid = id;
	r->time = bpf_ktime_get_ns();
	r->cpu = cpu;
	r->zero = 0;
	l->pending = 0;
	lane_commit(l, sizeof(*r), r->time);
	return 1;
}

/* Room for a record; a loss before it is told first. */
static __always_inline void *begin(struct lane *l, __u32 cpu)
{
	if (l->pending && !tell_lost(l, cpu))
		return 0; /* counted there, as a loss of this one */
	return lane_reserve(l, RECORD_MIN);
}

static __always_inline void head(struct sysrec_head *h, const struct task_struct *t, const struct pt_regs *regs, __u64 id,
				 __u32 cpu, __u32 size)
{
	h->type = RECORD_SAMPLE;
	h->misc = MISC_USER;
	h->size = size;
	h->id = id;
	h->ip = regs->ip;
	h->pid = t->tgid;
	h->tid = t->pid;
	h->time = bpf_ktime_get_ns();
	h->cpu = cpu;
	h->zero = 0;
}

/* A word of the tracepoint's record, which lies on a half-word boundary. */
static __always_inline void put(__u32 *w, __u64 v)
{
	w[0] = v;
	w[1] = v >> 32;
}

static __always_inline void arguments(__u32 *w, const struct pt_regs *r, int compat)
{
	put(w, compat ? (__u32)r->bx : r->di);
	put(w + 2, compat ? (__u32)r->cx : r->si);
	put(w + 4, compat ? (__u32)r->dx : r->dx);
	put(w + 6, compat ? (__u32)r->si : r->r10);
	put(w + 8, compat ? (__u32)r->di : r->r8);
	put(w + 10, compat ? (__u32)r->bp : r->r9);
}

static __always_inline int entered(const struct pt_regs *regs, long nr)
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	if (!chosen(t))
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct lane *l = take_lane(cpu);
	if (!l)
		return 0;
	struct sysrec_enter *e = begin(l, cpu);
	if (e) {
		head(&e->h, t, regs, enter_id, cpu, sizeof(*e));
		e->size = sizeof(*e) - sizeof(e->h) - 4;
		e->type = enter_type;
		e->flags = e->preempt = 0;
		e->pid = t->pid;
		put(e->w, nr);
		arguments(e->w + 2, regs, t->thread_info.status & TS_COMPAT);
		e->pad = 0;
		lane_commit(l, sizeof(*e), e->h.time);
	}
	end(l);
	return 0;
}

static __always_inline int left(const struct pt_regs *regs, long ret)
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	if (!chosen(t))
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct lane *l = take_lane(cpu);
	if (!l)
		return 0;
	struct sysrec_exit *e = begin(l, cpu);
	if (e) {
		head(&e->h, t, regs, exit_id, cpu, sizeof(*e));
		e->size = sizeof(*e) - sizeof(e->h) - 4;
		e->type = exit_type;
		e->flags = e->preempt = 0;
		e->pid = t->pid;
		put(e->w, (long)(int)regs->orig_ax);
		put(e->w + 2, ret);
		e->pad = 0;
		lane_commit(l, sizeof(*e), e->h.time);
	}
	end(l);
	return 0;
}

SEC("tp_btf/sys_enter")
int enter(unsigned long long *ctx) /* regs, number */
{
	return entered((void *)ctx[0], ctx[1]);
}

SEC("tp_btf/sys_exit")
int leave(unsigned long long *ctx) /* regs, result */
{
	return left((void *)ctx[0], ctx[1]);
}

/* The same by way of perf, where the kernel would preempt them else (and knows the helper). */
SEC("tp/raw_syscalls/sys_enter")
int enter_event(unsigned long long *ctx) /* common fields, number */
{
	entered((void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf()), ctx[1]);
	return 1; /* 0 would keep the event from everybody else */
}

SEC("tp/raw_syscalls/sys_exit")
int leave_event(unsigned long long *ctx) /* common fields, number, result */
{
	left((void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf()), ctx[2]);
	return 1;
}

char _license[] SEC("license") = "GPL";
