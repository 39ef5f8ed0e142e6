// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/stacks.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include "base/file.h"
#include "base/map.h"
#include "kernel/root.h"

enum { FRAMES = 128 };
/* Bits of perf's x86 registers, and where each is in sysevent.uregs. */
static const uint8_t reg_at[] = { 10 /* ax */, 5 /* bx */, 11 /* cx */, 12 /* dx */, 13 /* si */, 14 /* di */, 4 /* bp */,
				  16 /* sp */, 15 /* ip */ };
static const uint8_t high_reg_at[] = { 9, 8, 7, 6, 3, 2, 1, 0 }; /* r8 .. r15 */
static const uint64_t reg_mask = 0x1ff | 0xffull << 16;

struct trace_stacks {
	struct u64map known; /* processes whose maps were read, and for which address */
	struct stack_look look;
	bool live;
	uint64_t user[FRAMES];
	unsigned n_user;
	const struct sysevent *of; /* whose frames those are */
	uint64_t of_time;
};

struct trace_stacks *trace_stacks_new(const struct stack_look *look, bool live)
{
	struct trace_stacks *s = xcalloc(1, sizeof(*s));
	s->look = *look;
	s->live = live;
	return s;
}

void trace_stacks_free(struct trace_stacks *s)
{
	if (s)
		u64map_release(&s->known);
	free(s);
}

static void know(struct trace_stacks *s, int pid)
{
	struct frame f;
	if (!s->live)
		return;
	symbols_resolve(s->look.syms, pid, s->n_user ? s->user[0] : 0, SYM_USER, &f);
	if (!f.dso && s->n_user && u64map_get(&s->known, pid) != (void *)(uintptr_t)s->user[0]) {
		u64map_set(&s->known, pid, (void *)(uintptr_t)s->user[0]); /* asked for this one */
		symbols_live(s->look.syms, pid); /* it ran before its maps were watched */
	}
}

static void user_frames(struct trace_stacks *s, const struct sysevent *e)
{
	bool cut;
	if (s->of == e && s->of_time == e->time)
		return;
	s->of = e;
	s->of_time = e->time;
	s->n_user = 0;
	for (unsigned i = 0; i < e->n_ustack && i < FRAMES && e->ustack[i]; i++)
		s->user[s->n_user++] = e->ustack[i] - (i > 0); /* a return address belongs to the call before it */
	if (!e->uregs || s->n_user)
		return;
	uint64_t regs[17];
	for (int i = 0; i < 9; i++)
		regs[i] = e->uregs[reg_at[i]];
	for (int i = 0; i < 8; i++)
		regs[9 + i] = e->uregs[high_reg_at[i]];
	s->user[0] = e->uregs[15];
	s->n_user = 1;
	know(s, e->pid);
	int n = symbols_unwind(s->look.syms, e->pid, 2, reg_mask, regs, e->ustack_data, e->ustack_len, s->user, FRAMES, &cut);
	if (n > 1 && s->user[n - 1] == UINT64_MAX)
		n--; /* the mark of a stack that was cut */
	if (n > 1)
		s->n_user = n;
}

void trace_stacks_unwind(struct trace_stacks *s, struct sysevent *e)
{
	if (!e->uregs)
		return;
	user_frames(s, e);
	for (unsigned i = 1; i < s->n_user; i++)
		s->user[i]++; /* a return address again */
	e->ustack = s->user;
	e->n_ustack = s->n_user;
	e->uregs = NULL;
}

unsigned trace_stacks_depth(struct trace_stacks *s, const struct sysevent *e)
{
	user_frames(s, e);
	return s->n_user + e->n_kstack;
}

void trace_stacks_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json)
{
	struct trace_stacks *s = ctx;
	user_frames(s, e);
	if (s->n_user)
		know(s, e->pid);
	struct stack_frames f = { .pid = e->pid, .kernel = e->kstack, .n_kernel = e->n_kstack, .user = s->user, .n_user = s->n_user };
	stack_show(&s->look, &f, out, json);
}

/* Where a thread that waits in a call left user space: "nr arguments sp ip" in hex. False: it runs, or is in another call. */
static bool read_place(const struct sysevent *e, uint64_t *sp, uint64_t *ip)
{
	struct str s = STR_INIT;
	long long nr;
	bool known = !file_read(root_path(ROOT_PROC, "%d/syscall", e->tid), &s, 4096) &&
		     sscanf(s.buf, "%lld %*s %*s %*s %*s %*s %*s %" SCNx64 " %" SCNx64, &nr, sp, ip) == 3 && nr == e->nr;
	str_release(&s);
	return known;
}

struct copied_stack { const uint8_t *p; size_t n; uint64_t sp; };

static uint64_t word_at(const struct copied_stack *c, uint64_t addr)
{
	uint64_t v = 0;
	if (addr >= c->sp && addr - c->sp + 8 <= c->n)
		memcpy(&v, c->p + (addr - c->sp), 8);
	return v;
}

/* A link of a chain of frame pointers: to a higher one, with a return address behind it. */
static bool is_link(struct trace_stacks *s, int pid, const struct copied_stack *c, uint64_t at)
{
	struct frame f;
	uint64_t next = word_at(c, at), ret = word_at(c, at + 8);
	if (next <= at || next - c->sp >= c->n || next & 7 || !ret)
		return false;
	symbols_resolve(s->look.syms, pid, ret - 1, SYM_USER, &f);
	return f.dso && f.sym;
}

/* The frame pointer is not told. If functions keep one, it leads to the first link of their chain. 0: there is none. */
static uint64_t guess_frame(struct trace_stacks *s, int pid, uint64_t ip, const struct copied_stack *c)
{
	s->user[0] = ip;
	s->n_user = 1;
	know(s, pid);
	for (uint64_t at = c->sp; at - c->sp + 16 <= c->n && at - c->sp < 4096; at += 8)
		if (is_link(s, pid, c, at) && (is_link(s, pid, c, word_at(c, at)) || word_at(c, word_at(c, at) + 8)))
			return at;
	return 0;
}

void trace_stacks_show_now(void *ctx, const struct sysevent *e, struct str *out, struct json *json)
{
	enum { AT_MOST = 32768 };
	struct trace_stacks *s = ctx;
	uint64_t regs[17] = { 0 };
	struct sysevent now = *e;
	if (e->uregs || e->n_ustack || !s->live) {
		trace_stacks_show(ctx, e, out, json);
		return;
	}
	if (!read_place(e, &regs[16], &regs[15]))
		return;
	uint8_t *stack = xmalloc(AT_MOST);
	struct iovec here = { stack, AT_MOST }, there = { (void *)(uintptr_t)regs[16], AT_MOST };
	ssize_t n = process_vm_readv(e->tid, &here, 1, &there, 1, 0);
	for (size_t len = AT_MOST; n < 0 && len > 256; len /= 2) { /* it ends before that */
		there.iov_len = len;
		n = process_vm_readv(e->tid, &here, 1, &there, 1, 0);
	}
	struct copied_stack copy = { stack, n > 0 ? n : 0, regs[16] };
	regs[4] = guess_frame(s, e->pid, regs[15], &copy);
	now.uregs = regs;
	now.ustack_data = stack;
	now.ustack_len = copy.n;
	s->of = NULL;
	trace_stacks_show(ctx, &now, out, json);
	s->of = NULL;
	free(stack);
}
