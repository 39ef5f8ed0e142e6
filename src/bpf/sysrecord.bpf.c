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
struct task_struct { struct thread_info thread_info; int pid, tgid; } RELOCATED;
enum { SPIN_ABOVE = SYSREC_BLOCK * SYSREC_BLOCKS / 4 * 3 };
enum { TS_COMPAT = 2, RECORD_LOST = 2, RECORD_SAMPLE = 9, MISC_USER = 2 };

#include "bpf/chosen_tasks.h"

const volatile __u64 enter_id, exit_id; /* the events' ids in the file */
const volatile __u32 enter_type, exit_type; /* the tracepoints' numbers */

struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, SYSREC_BLOCKS);
	__uint(key_size, 4); __uint(value_size, SYSREC_BLOCK); } blocks SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct sysrec_ctl); } ctl SEC(".maps");
/* Nothing is read from it: something in it wakes the reader. */
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } wake SEC(".maps");

#define barrier() asm volatile("" ::: "memory")

/* Room for n bytes in this CPU's ring; NULL: full. *pos is where it is. */
static __always_inline void *reserve(struct sysrec_ctl *c, __u32 cpu, __u32 n, __u64 *pos)
{
	__u64 p = c->head;
	__u32 off = p & (SYSREC_BLOCK - 1), i;
	if (off > SYSREC_BLOCK - n) { /* not in this block: the rest of it stays empty */
		i = cpu * SYSREC_BLOCKS + (p / SYSREC_BLOCK) % SYSREC_BLOCKS;
		__u8 *old = bpf_map_lookup_elem(&blocks, &i);
		if (p + SYSREC_BLOCK - off + n - c->tail > (__u64)SYSREC_BLOCK * (SYSREC_BLOCKS - 1))
			return 0;
		if (old && off <= SYSREC_BLOCK - 8)
			*(__u64 *)(old + off) = 0;
		p += SYSREC_BLOCK - off;
		off = 0;
	}
	if (p + n - c->tail > (__u64)SYSREC_BLOCK * (SYSREC_BLOCKS - 1))
		return 0;
	i = cpu * SYSREC_BLOCKS + (p / SYSREC_BLOCK) % SYSREC_BLOCKS;
	__u8 *b = bpf_map_lookup_elem(&blocks, &i);
	if (!b || off > SYSREC_BLOCK - n)
		return 0;
	*pos = p;
	return b + off;
}

struct spin { __u32 cpu; __u64 until; };

static int spin_step(__u32 i, struct spin *s)
{
	struct sysrec_ctl *c = bpf_map_lookup_elem(&ctl, &s->cpu);
	if (!c || c->head - *(volatile __u64 *)&c->tail < SPIN_ABOVE)
		return 1;
	return (i & 63) == 63 && bpf_ktime_get_ns() > s->until;
}

/* The reader is late: the program that makes the calls waits a little, rather than that events are lost.
 * At most 200 us for each call. */
static __noinline int wait_for_room(__u32 cpu)
{
	struct spin s = { cpu, bpf_ktime_get_ns() + 200000 };
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_loop)) /* Linux 5.17 */
		bpf_loop(1 << 17, spin_step, &s, 0);
	else
		for (int i = 0; i < 64; i++)
			if (spin_step(i, &s))
				break;
	return 0;
}

/* Makes the record visible; wakes the reader when a quarter of the ring has come since it was last. */
static __always_inline void commit(struct sysrec_ctl *c, __u64 end)
{
	barrier();
	c->head = end;
	if (end - c->woken < (__u64)SYSREC_BLOCK * SYSREC_BLOCKS / 4)
		return;
	__u32 one = 1;
	c->woken = end;
	bpf_ringbuf_output(&wake, &one, sizeof(one), BPF_RB_FORCE_WAKEUP);
}

static __noinline int tell_lost(struct sysrec_ctl *c, __u32 cpu)
{
	__u64 pos = 0;
	if (!c)
		return 0;
	struct sysrec_lost *l = reserve(c, cpu, sizeof(*l), &pos);
	if (!l)
		return 0;
	__u64 id = bpf_get_current_pid_tgid();
	l->type = RECORD_LOST;
	l->misc = 0;
	l->size = sizeof(*l);
	l->id = l->identifier = enter_id;
	l->lost = c->pending;
	l->pid = id >> 32;
	l->tid = id;
	l->time = bpf_ktime_get_ns();
	l->cpu = cpu;
	l->zero = 0;
	c->pending = 0;
	commit(c, pos + sizeof(*l));
	return 1;
}

static __always_inline void *begin(struct sysrec_ctl *c, __u32 cpu, __u32 n, __u64 *pos)
{
	if (c->pending && !tell_lost(c, cpu)) {
		c->pending++;
		c->lost++;
		return 0;
	}
	void *r = reserve(c, cpu, n, pos);
	if (!r) {
		c->pending++;
		c->lost++;
	}
	return r;
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

SEC("tp_btf/sys_enter")
int enter(unsigned long long *ctx) /* regs, number */
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	if (!chosen(t))
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct sysrec_ctl *c = bpf_map_lookup_elem(&ctl, &cpu);
	struct pt_regs *regs = (void *)ctx[0];
	__u64 pos = 0;
	struct sysrec_enter *e = c && c->wanted ? begin(c, cpu, sizeof(*e), &pos) : 0;
	if (!e)
		return 0;
	head(&e->h, t, regs, enter_id, cpu, sizeof(*e));
	e->size = sizeof(*e) - sizeof(e->h) - 4;
	e->type = enter_type;
	e->flags = e->preempt = 0;
	e->pid = t->pid;
	put(e->w, ctx[1]);
	arguments(e->w + 2, regs, t->thread_info.status & TS_COMPAT);
	e->pad = 0;
	commit(c, pos + sizeof(*e));
	if (c->head - c->tail >= SPIN_ABOVE)
		wait_for_room(cpu);
	return 0;
}

SEC("tp_btf/sys_exit")
int leave(unsigned long long *ctx) /* regs, result */
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	if (!chosen(t))
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct sysrec_ctl *c = bpf_map_lookup_elem(&ctl, &cpu);
	struct pt_regs *regs = (void *)ctx[0];
	__u64 pos = 0;
	struct sysrec_exit *e = c && c->wanted ? begin(c, cpu, sizeof(*e), &pos) : 0;
	if (!e)
		return 0;
	head(&e->h, t, regs, exit_id, cpu, sizeof(*e));
	e->size = sizeof(*e) - sizeof(e->h) - 4;
	e->type = exit_type;
	e->flags = e->preempt = 0;
	e->pid = t->pid;
	put(e->w, (long)(int)regs->orig_ax);
	put(e->w + 2, ctx[1]);
	e->pad = 0;
	commit(c, pos + sizeof(*e));
	return 0;
}

char _license[] SEC("license") = "GPL";
