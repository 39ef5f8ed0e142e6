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
struct mm_struct { unsigned long task_size, arg_start, arg_end, env_end; } RELOCATED;
struct sigaction { void *sa_handler; } RELOCATED;
struct k_sigaction { struct sigaction sa; } RELOCATED;
struct super_block { __u32 s_dev; } RELOCATED;
struct inode { struct super_block *i_sb; unsigned long i_ino; } RELOCATED;
struct file { struct inode *f_inode; } RELOCATED;
struct fdtable { unsigned int max_fds; struct file **fd; } RELOCATED;
struct files_struct { struct fdtable *fdt; } RELOCATED;
struct atomic_live { int counter; };
struct signal_struct { struct { int counter; } live; int group_exit_code; unsigned flags; } RELOCATED;
struct task_struct {
	struct thread_info thread_info;
	int pid, tgid, exit_code;
	char comm[16];
	struct signal_struct *signal;
	struct files_struct *files;
	struct mm_struct *mm;
	void *stack;
	void *thread_pid;
	struct task_struct *group_leader;
} RELOCATED;

/* What most traces do not ask for: see trace_plain.bpf.c. */
#ifdef PLAIN
#define OPTION(name) enum { name }
#define OPTION64(name) enum { name }
#else
#define OPTION(name) const volatile __u32 name
#define OPTION64(name) const volatile __u64 name
#endif
#ifdef RARE /* one call, by its own tracepoints: what it does not do need not be verified, which halves the time to start */
enum { rare = 1 };
const volatile __u32 call_flags; /* enum: DEF_* */
const volatile __u32 call_kinds; /* of its rows: a bit per enum copy_kind */
#else
enum { rare, call_flags = -1, call_kinds = -1 };
#endif

/* Set before loading; the verifier drops what they switch off. */
OPTION(pid_space); /* the pid namespace that numbers are of, by its inode; 0: the first one */
OPTION(pid_level); OPTION(pid_numbers); OPTION(pid_space_inode); /* the kernel's layout of numbers: see event/pid_space.h */
const volatile __u32 self_tgid;
const volatile __u32 whole; /* every thread, but for these: */
OPTION(use_uid); OPTION(want_uid);
OPTION(use_cgroup); OPTION(cgroup_level); OPTION64(cgroup_id);
OPTION(use_comm); OPTION64(want_comm); OPTION64(want_comm_rest); /* the name's 16 bytes */
OPTION(use_cpus);
const volatile __u32 follow = 1;
const volatile __u32 slot_mask = 32767;
const volatile __u32 n_blocks = 16; /* per CPU; a power of two */
const volatile __u32 limit_string = 4096, limit_data = 32;
OPTION(summary); /* enum engine_summary */
OPTION(summary_only);
OPTION(graph_user); OPTION(graph_kernel); /* frames; graph_user 2: registers and stack */
OPTION(use_tests); /* --where */
OPTION(see_files); /* what descriptors are is told by each call that has some */
const volatile __u32 use_more = 1; /* thread numbers go beyond the slots */
const volatile __u32 lines = 1; /* signals, exits, exec and fork are wanted */
const volatile __u32 blocked_lines = 1; /* calls that leave their CPU are told */

__u32 have_more;
struct narrow_calls narrow; /* rare */

struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 32);
	__uint(key_size, 4); __uint(value_size, BLOCK); } blocks SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 2);
	__type(key, __u32); __type(value, struct cpu_ctl); } ctl SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 32768);
	__type(key, __u32); __type(value, struct slot); } slots SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, OWNERS);
	__type(key, __u32); __type(value, __u64); } owners SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 2 * CALLS);
	__type(key, __u32); __type(value, struct call_def); } defs SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(map_flags, BPF_F_NO_PREALLOC); __uint(max_entries, 65536);
	__type(key, __u32); __type(value, struct slot); } more SEC(".maps");
#ifndef PLAIN
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct sum); } sum_rows SEC(".maps"); /* SUMS with a summary */
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(map_flags, BPF_F_NO_PREALLOC); __uint(max_entries, 262144);
	__type(key, struct sum_key); __type(value, struct sum); } sums SEC(".maps");
#endif

#define barrier() asm volatile("" ::: "memory")
#define now() bpf_ktime_get_ns()

static __always_inline struct cpu_ctl *this_ctl(void)
{
	__u32 cpu = bpf_get_smp_processor_id();
	return bpf_map_lookup_elem(&ctl, &cpu);
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

static __noinline struct slot *slot_claim(__u32 tid, __u32 pid, __u8 flags)
{
	struct slot fresh = { .tid = tid, .pid = pid, .flags = flags };
	__u32 i = tid & slot_mask;
	struct slot *s = bpf_map_lookup_elem(&slots, &i);
	if (s && (!s->tid || s->tid == tid)) {
		*s = fresh;
		return s;
	}
	if (!use_more)
		return NULL;
	have_more = 1;
	bpf_map_update_elem(&more, &tid, &fresh, BPF_ANY);
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

/* Do -u, -G and --comm let this thread pass? */
static __always_inline bool passes(void)
{
	if (use_uid && (__u32)bpf_get_current_uid_gid() != want_uid)
		return false;
	if (use_cgroup && bpf_get_current_ancestor_cgroup_id(cgroup_level) != cgroup_id)
		return false;
	if (use_comm) {
		__u64 comm[2] = { 0 }; /* the kernel pads with zeros */
		bpf_get_current_comm(comm, sizeof(comm));
		if (comm[0] != want_comm || comm[1] != want_comm_rest)
			return false;
	}
	return true;
}

/* ---- records ---- */

/* Room for a record of at most max bytes; NULL counts a loss. Only `head` is written at once. */
static __always_inline void *reserve(struct cpu_ctl *c, __u32 head, __u32 max)
{
	__u64 pos = c->head;
	__u32 off = pos & (BLOCK - 1), cpu = bpf_get_smp_processor_id(), i;
	char *b;
	if (off + max > BLOCK) {
		i = cpu * n_blocks + ((pos >> 16) & (n_blocks - 1));
		b = bpf_map_lookup_elem(&blocks, &i);
		if (b && off <= BLOCK - 8)
			*(__u32 *)(b + off) = 0;
		pos = (pos | (BLOCK - 1)) + 1;
	}
	pos = forgotten(&c->pos, pos);
	off = pos & (BLOCK - 1);
	/* the whole block must be free: argv may take more than the bound, up to the block's end */
	if ((pos | (BLOCK - 1)) + 1 - *(volatile __u64 *)&c->tail > (__u64)n_blocks * BLOCK) {
		c->lost++;
		c->lost_pending++;
		return NULL;
	}
	i = cpu * n_blocks + ((pos >> 16) & (n_blocks - 1));
	b = bpf_map_lookup_elem(&blocks, &i);
	if (!b || off > BLOCK - RECORD_MIN)
		return NULL;
	c->block = i;
	c->off = off + head;
	return b + off;
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

static __always_inline void commit(struct cpu_ctl *c, struct rec *r)
{
	__u32 size = c->off - (c->pos & (BLOCK - 1));
	r->size = size;
	r->lost = c->lost_pending;
	c->lost_pending = 0;
	c->last_time = r->time;
	c->events++;
	barrier();
	*(volatile __u64 *)&c->head = c->pos + size;
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
