/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: constants, maps, threads and records. */
#ifndef BPF_TRACE_CORE_H
#define BPF_TRACE_CORE_H
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include <stdbool.h>
#include "bpf/trace.h"

#define RELOCATED __attribute__((preserve_access_index))

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
} RELOCATED;
struct thread_info { __u32 status; } RELOCATED;
struct mm_struct { unsigned long task_size, arg_start, arg_end, env_end, flags; } RELOCATED;
struct mm_struct___new { struct { unsigned long __mm_flags[1]; } flags; } RELOCATED; /* Linux 6.18 */
struct sigaction { void *sa_handler; } RELOCATED;
struct k_sigaction { struct sigaction sa; } RELOCATED;
struct super_block { __u32 s_dev; } RELOCATED;
struct inode { struct super_block *i_sb; unsigned long i_ino; } RELOCATED;
struct file { struct inode *f_inode; void *private_data; } RELOCATED;
struct in6_addr { __u32 word[4]; };
struct sock_common { __u32 skc_rcv_saddr; __u16 skc_num, skc_family; struct in6_addr skc_v6_rcv_saddr; } RELOCATED;
struct socket { struct sock_common *sk; } RELOCATED; /* a struct sock, which begins with it */
struct fdtable { unsigned int max_fds; struct file **fd; } RELOCATED;
struct files_struct { struct fdtable *fdt; } RELOCATED;
struct signal_struct { struct { int counter; } live; int group_exit_code; unsigned flags; } RELOCATED;
struct task_struct {
	struct thread_info thread_info;
	int pid, tgid, exit_code, exit_state;
	char comm[16];
	struct signal_struct *signal;
	struct files_struct *files;
	struct mm_struct *mm;
	void *stack;
	void *thread_pid;
	struct task_struct *group_leader, *real_parent;
	__u64 start_time;
	unsigned int flags;
} RELOCATED;

#ifdef PLAIN /* see trace_plain.bpf.c */
#define OPTION(type, name) enum { name };
#else
#define OPTION(type, name) const volatile type name;
#endif
#ifdef RARE /* one call, by its own tracepoints: what it does not do need not be verified, which halves the time to start */
enum { rare = 1 };
const volatile __u32 call_flags; /* enum: DEF_* */
const volatile __u32 call_kinds; /* of its rows: a bit per enum copy_kind */
#else
enum { rare, call_flags = -1, call_kinds = -1 };
#endif

/* Set before loading; the verifier drops what they switch off. */
TRACE_OPTIONS(OPTION)
const volatile __u32 self_tgid;
const volatile __u32 whole; /* every thread, but for those that the options leave out */
const volatile __u32 follow = 1;
const volatile __u32 slot_mask = 32767;
const volatile __u32 preemptible; /* programs on system calls are: see trace_tp.bpf.c */
const volatile __u32 limit_string = 4096, limit_data = 32;
const volatile __u32 use_more = 1; /* thread numbers go beyond the slots */
const volatile __u32 lines = 1; /* signals, exits, exec and fork are wanted */
const volatile __u32 blocked_lines = 1; /* calls that leave their CPU are told */

__u32 have_more;
struct compat_calls compat; /* rare */
struct lane_reader reader __attribute__((aligned(64)));
__u64 origin; /* its own address: see address() */

struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 32);
	__uint(key_size, 4); __uint(value_size, BLOCK); } blocks SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 2);
	__type(key, __u32); __type(value, struct lane_frame); } frames SEC(".maps"); /* LANES for each CPU */
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 32768);
	__type(key, __u32); __type(value, struct slot); } slots SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, OWNERS);
	__type(key, __u32); __type(value, __u64); } owners SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 2 * CALLS);
	__type(key, __u32); __type(value, struct call_plan); } defs SEC(".maps");
/* Its memory is there from the beginning: births are seen under the scheduler's lock, where none can be asked for. */
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 16384);
	__type(key, __u32); __type(value, struct slot); } more SEC(".maps");
#ifndef PLAIN
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct sum); } sum_rows SEC(".maps"); /* SUMS with a summary */
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(map_flags, BPF_F_NO_PREALLOC); __uint(max_entries, 262144);
	__type(key, struct sum_key); __type(value, struct sum); } sums SEC(".maps");
#endif

/* Nothing is read from it: something in it wakes the reader. */
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } wake SEC(".maps");

#define barrier() asm volatile("" ::: "memory")
#define now() bpf_ktime_get_ns()

/* ---- lanes ---- */

static __always_inline struct lane_frame *frame_at(__u32 number)
{
	return bpf_map_lookup_elem(&frames, &number);
}

static __always_inline struct lane *lane_at(__u32 number)
{
	return (struct lane *)frame_at(number);
}

static __always_inline void *lane_block(__u32 number)
{
	return bpf_map_lookup_elem(&blocks, &number);
}
#include "bpf/lane_code.h"

/* The CPU's first frame, for what belongs to the CPU: nobody owns that. */
static __always_inline struct lane_frame *this_cpu(void)
{
	return frame_at(bpf_get_smp_processor_id() * LANES);
}

/* A lane of this CPU, of them all or of those behind the first. Global as the copying functions are: see trace.bpf.c. */
__noinline int find_lane(__u32 behind)
{
	return lane_find(bpf_get_smp_processor_id() * LANES, behind, 1);
}

/* A frame to make a record in: `first` if it is free. frame_give gives it back. NULL: a miss, counted. */
static __always_inline struct lane_frame *frame_take(struct lane_frame *first)
{
	if (lane_take(&first->lane, preemptible))
		return first;
	return frame_at(find_lane(1));
}

/* The same for what is rare, or can be preempted where programs on system calls cannot. */
static __always_inline struct lane_frame *frame_any(void)
{
	return frame_at(find_lane(0));
}

static __always_inline void frame_give(struct lane_frame *f)
{
	lane_give(&f->lane);
}

/* The same value, of which the verifier knows nothing any more: what it knows on one way and not on another makes it
 * walk all that follows once for each, and that is what start-up takes longest. */
static __always_inline __u64 forgotten(__u64 *by_way_of, __u64 value)
{
	*(volatile __u64 *)by_way_of = value;
	return *(volatile __u64 *)by_way_of;
}

/* ---- threads by number ---- */

/* The number that p is in our pid namespace; 0: it does not live there. */
static __noinline __u32 number_here(const void *pid)
{
	struct { int nr; void *space; } at; /* struct upid */
	__u32 level = 0, inode;
	bpf_probe_read_kernel(&level, 4, pid + pid_level);
	for (__u32 i = 1; i <= 32 && i <= level; i++) { /* the kernel's limit */
		if (bpf_probe_read_kernel(&at, sizeof(at), pid + pid_numbers + i * sizeof(at)) ||
		    bpf_probe_read_kernel(&inode, 4, at.space + pid_space_inode))
			return 0;
		if (inode == pid_space)
			return at.nr;
	}
	return 0;
}

static __noinline __u64 ids_here(const struct task_struct *t)
{
	return (__u64)number_here(BPF_CORE_READ(t, group_leader, thread_pid)) << 32 | number_here(BPF_CORE_READ(t, thread_pid));
}

/* The process in the upper half, the thread in the lower one, as sonde knows them; 0: out of its sight. */
static __always_inline __u64 task_ids(const struct task_struct *t)
{
	return pid_space ? ids_here(t) : (__u64)t->tgid << 32 | (__u32)t->pid;
}

static __always_inline __u64 current_ids(void)
{
	return pid_space ? ids_here((void *)bpf_get_current_task()) : bpf_get_current_pid_tgid();
}

/* ---- slots ---- */

static __always_inline struct slot *slot_find(__u32 tid)
{
	__u32 i = tid & slot_mask;
	struct slot *s = bpf_map_lookup_elem(&slots, &i);
	if (s && s->tid == tid)
		return s;
	return use_more && have_more ? bpf_map_lookup_elem(&more, &tid) : NULL;
}

/* By what task_ids and current_ids say. */
static __always_inline struct slot *slot_of(__u64 ids)
{
	return pid_space && !ids ? NULL : slot_find(ids);
}

/* Another CPU's program may want the same one for another thread. */
static __always_inline bool slot_is_ours(struct slot *s, __u32 tid)
{
#ifdef OLD
	return !s->tid || s->tid == tid;
#else
	__u32 was = __sync_val_compare_and_swap(&s->tid, 0, tid);
	return !was || was == tid;
#endif
}

static __noinline struct slot *slot_claim(__u32 tid, __u32 pid, __u8 flags)
{
	struct slot fresh = { .tid = tid, .pid = pid, .flags = flags };
	__u32 i = tid & slot_mask;
	struct slot *s = bpf_map_lookup_elem(&slots, &i);
	if (s && slot_is_ours(s, tid)) {
		*s = fresh;
		return s;
	}
	if (!use_more)
		return NULL;
	have_more = 1;
	if (bpf_map_update_elem(&more, &tid, &fresh, BPF_ANY)) { /* full: what that thread does is lost */
		struct lane_frame *c = this_cpu();
		if (c)
			__sync_fetch_and_add(&c->lane.missed, 1);
	}
	return bpf_map_lookup_elem(&more, &tid);
}

static __always_inline void slot_drop(struct slot *s, __u32 tid)
{
	s->tid = 0;
	s->ts = 0;
	s->flags = 0;
	if (use_more && have_more)
		bpf_map_delete_elem(&more, &tid);
}

/* --comm */
static __always_inline bool is_named(void)
{
	__u64 comm[2] = { 0 }; /* the kernel pads with zeros */
	if (!use_comm)
		return true;
	bpf_get_current_comm(comm, sizeof(comm));
	return comm[0] == want_comm && comm[1] == want_comm_rest;
}

/* -u, -G */
static __always_inline bool is_chosen(void)
{
	if (use_uid && (__u32)bpf_get_current_uid_gid() != want_uid)
		return false;
	if (use_cgroup && bpf_get_current_ancestor_cgroup_id(cgroup_level) != cgroup_id)
		return false;
	return true;
}

static __always_inline bool passes(void)
{
	return is_chosen() && is_named();
}

/* ---- the reader ---- */

enum { SPIN = 4000, SPIN_NS = 200000 };
struct spin { __u64 until, end; __u32 frame, compat; /* compat: a process that waits, not for room: see trace_compat.h */ };

static int spin_step(__u32 i, struct spin *s)
{
	s->end = now();
	if (rare && s->compat)
		return s->end > s->until || *(volatile __u32 *)&compat.on || *(volatile __u32 *)&compat.stopped == s->compat;
	struct lane_frame *f = frame_at(s->frame);
	return !f || s->end > s->until || !lane_is_full(&f->lane);
}

/* Gives the reader a moment, outside of what is counted as the call's time. With a start of 0 it is woken: it then says
 * anew when to. */
__noinline int call_reader(__u32 frame, __u64 start)
{
	struct lane_frame *f = frame_at(frame);
	struct spin s = { .until = start + SPIN_NS, .end = start, .frame = frame };
	if (!f)
		return 0;
	if (!start) {
		__u64 one = 1;
		f->lane.wake_at = ~0ull;
		bpf_ringbuf_output(&wake, &one, sizeof(one), BPF_RB_FORCE_WAKEUP);
		return 0;
	}
	if (!lane_is_read(&f->lane, &reader, start))
		return 0;
#ifdef OLD
	for (int i = 0; i < 256; i++)
		if (spin_step(i, &s))
			break;
#else
	bpf_loop(SPIN, spin_step, &s, 0);
#endif
	__sync_fetch_and_add(&f->lane.waits, 1);
	__sync_fetch_and_add(&f->lane.wait_ns, s.end - start);
	return 0;
}

static __always_inline void wait_for_room(struct lane_frame *f, __u64 time)
{
	call_reader(f->lane.number, time);
}

/* It asked for that when it went to sleep. What is rare leaves it asleep: it does not sleep for long. */
static __always_inline void wake_reader(struct lane_frame *f)
{
	if (LANE_GET(f->lane.head) > LANE_GET(f->lane.wake_at))
		call_reader(f->lane.number, 0);
}

/* ---- records ---- */

/* Room for a record of at most max bytes; NULL counts a loss. Only `head` is written at once. */
static __always_inline void *reserve(struct lane_frame *f, __u32 head, __u32 max)
{
	void *r = lane_reserve(&f->lane, max);
	f->lane.off = (f->lane.pos & (BLOCK - 1)) + head;
	return r;
}

/* A record's head: what is told now of the thread that ids name. */
static __always_inline void head_fill(struct rec *r, __u8 type, __u8 flags, __u64 ids)
{
	r->type = type;
	r->flags = flags;
	r->tid = ids;
	r->pid = ids >> 32;
	r->time = now();
}

static __always_inline void commit(struct lane_frame *f, struct rec *r)
{
	__u32 size = f->lane.off - (f->lane.pos & (BLOCK - 1));
	r->size = size;
	r->lost = f->lane.pending;
	f->lane.pending = 0;
	lane_commit(&f->lane, size, r->time);
}

static __always_inline bool wide_call(void)
{
#ifdef OLD
	struct task_struct *t = (void *)bpf_get_current_task();
	__u32 status = BPF_CORE_READ(t, thread_info.status);
#else
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	__u32 status = t->thread_info.status;
#endif
	return !(status & 2); /* TS_COMPAT */
}

/* The registers the current thread entered the kernel with; NULL: cannot be had. */
static __always_inline struct pt_regs *entry_regs(void)
{
#ifdef OLD
	return NULL;
#else
	return (void *)bpf_task_pt_regs((void *)bpf_get_current_task_btf());
#endif
}
#endif
