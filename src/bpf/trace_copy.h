/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: copies memory and stacks behind the record that is being made. */
#ifndef BPF_TRACE_COPY_H
#define BPF_TRACE_COPY_H
#include "bpf/trace_core.h"

/* ---- copying memory ---- */

/* The frame of a tag or of flags: its number is in their upper half. */
static __always_inline struct lane_frame *frame_of(__u32 tag)
{
	return frame_at(tag >> 16);
}

static __always_inline __u32 frame_tag(const struct lane_frame *f)
{
	return f->lane.number << 16;
}

/* A length that is at most PIECE_MAX, so that the verifier sees it, and without a branch: it would walk all that follows once for
 * each way. */
static __always_inline __u64 piece_len(__u64 len)
{
	__u64 some = -(-len >> 63); /* all bits; none for 0 */
	asm volatile("" : "+r"(some));
	return (((len - 1) & (PIECE_MAX - 1)) + 1) & some;
}

/* Copies n bytes (bounded by limit) or a string from addr behind the record being made.
 * tag: place | flags << 8 | the frame's number << 16. Returns 0, or 1 if nothing could be read. */
__noinline int take(__u64 addr, __u64 n, __u32 limit, __u32 tag)
{
	struct lane_frame *f = frame_of(tag);
	if (!f)
		return 0;
	__u32 i = f->lane.block, off = f->lane.off;
	char *b = bpf_map_lookup_elem(&blocks, &i);
	__u8 flags = tag >> 8;
	if (!b || off > BLOCK - PIECE_MAX - 2 * sizeof(struct piece))
		return 0;
	if (flags & PIECE_NESTED && off > BLOCK - 3 * PIECE_MAX)
		return 0; /* what points to it, and the rows that follow, must find room too */
	struct piece *p = (struct piece *)(b + off);
	__u64 head = 0;
	if (flags & PIECE_NETLINK && n > limit && !bpf_probe_read_user(&head, 8, (void *)addr) && (__u32)head >= 16 &&
	    (__u32)head <= n && (head >> 32 & 0xffff) < 0x1000)
		limit = PIECE_MAX; /* a length that fits and a type, as a netlink message has them */
	flags &= ~PIECE_NETLINK;
	__u64 len = piece_len(forgotten(&f->scratch[0], n < limit ? n : limit));
	long got;
	if (flags & PIECE_STRING) {
		got = bpf_probe_read_user_str(p + 1, len, (void *)addr);
	} else {
		got = len;
		if (bpf_probe_read_user(p + 1, len, (void *)addr))
			got = -1;
		__u64 page = 4096 - (addr & 4095);
		if (got < 0 && page < len) { /* at least what lies before the next page */
			asm volatile("" : "+r"(page));
			if (page <= PIECE_MAX && !bpf_probe_read_user(p + 1, page, (void *)addr))
				got = page;
		}
	}
	got = forgotten(&f->scratch[0], got);
	if (!(flags & PIECE_STRING)) {
		if ((__u64)got < n) /* a fault is the greatest number */
			flags |= PIECE_CUT;
	} else if (got > 0 && (__u64)got == len) {
		flags |= PIECE_CUT;
		got--;
	}
	got = forgotten(&f->scratch[0], got);
	flags = forgotten(&f->scratch[1], flags);
	__u32 faulted = (__u64)got >> 63;
	if (faulted)
		got = 0;
	p->addr = addr;
	p->full = n > 0xffffffffu ? 0xffffffffu : n;
	p->len = got;
	p->place = tag;
	p->flags = flags | faulted * PIECE_FAULTED;
	f->lane.off = off + sizeof(*p) + ((got + 7) & 0x1ff8);
	return faulted;
}

/* A number of the traced program at addr, of 8 or 4 bytes; 0 when unreadable. */
__noinline __u64 word_at(__u64 addr, __u32 size)
{
	__u64 v = 0;
	if (bpf_probe_read_user(&v, size == 8 ? 8 : 4, (void *)addr))
		return 0;
	return v;
}

/* A loader takes no more than 32 functions: for these the rare variant has no room, and only the plain one. */
#ifdef RARE
#define FEW static __always_inline
#else
#define FEW __noinline
#endif
#ifdef PLAIN
#define FEWER __noinline
#else
#define FEWER static __always_inline
#endif

enum { VECTOR = 16, STRINGS = 256, MESSAGES = 4 };

/* The loops below have their bodies in functions for bpf_loop, which the verifier walks once; at most eight
 * functions may call each other. */

/* What is pointed to may fault as well as what points: `faulted` gathers it. `word` is the size of a pointer. */
struct vector { __u64 addr, total; __u32 word, tag, size, faulted; };

/* The buffer of one iovec; total bytes are left. */
static int iov_step(__u32 i, struct vector *v)
{
	__u64 base = word_at(v->addr, v->word), len = word_at(v->addr + v->word, v->word);
	if (len > v->total)
		len = v->total;
	if (base && len)
		v->faulted |= take(base, len, limit_data, v->tag | PIECE_NESTED << 8);
	v->total -= len;
	v->addr += 2 * v->word;
	return !v->total;
}

/* What the pointer at addr points to: a string (size 0) or size bytes. Ends at a NULL. */
static int pointer_step(__u32 i, struct vector *v)
{
	__u64 p = word_at(v->addr, v->word);
	__u32 n = v->size ? v->size : limit_string;
	if (!p)
		return 1;
	v->faulted |= take(p, n, n, v->tag | (v->size ? PIECE_NESTED : PIECE_NESTED | PIECE_STRING) << 8);
	v->addr += v->word;
	return 0;
}

/* An iovec array and what it points to; total bytes are in the buffers. */
__noinline int take_iovec(__u64 addr, __u64 count, __u64 total, __u32 tag)
{
	struct lane_frame *f = frame_of(tag);
	if (!f)
		return 0;
	__u32 w = f->word;
	__u64 full = count * 2 * w;
	if (count > 1024)
		full = 1024 * 16;
	if (take(addr, full, VECTOR * 16, tag))
		return 1;
	struct vector v = { addr, total, w, tag, 0, 0 };
	if (count > VECTOR)
		count = VECTOR;
#ifdef OLD
	for (__u32 i = 0; i < 8; i++)
		if (i >= count || iov_step(i, &v))
			break;
#else
	bpf_loop(count, iov_step, &v, 0);
#endif
	return v.faulted;
}

__noinline int take_msghdr(__u64 addr, __u64 total, __u32 tag)
{
	struct lane_frame *f = frame_of(tag);
	if (!f)
		return 0;
	__u32 w = f->word, faulted = 0;
	if (take(addr, 7 * w, 64, tag))
		return 1;
	tag |= PIECE_NESTED << 8;
	__u64 name = word_at(addr, w), iov = word_at(addr + 2 * w, w), n = word_at(addr + 3 * w, w);
	__u64 control = word_at(addr + 4 * w, w), control_len = word_at(addr + 5 * w, w);
	__u32 name_len = word_at(addr + w, 4);
	if (name && name_len)
		faulted = take(name, name_len, 128, tag);
	if (iov && n)
		faulted |= take_iovec(iov, n, total, tag);
	if (control && control_len)
		faulted |= take(control, control_len, 1024, tag);
	return faulted;
}

FEW int take_mmsghdr(__u64 addr, __u64 count, __u32 tag)
{
	struct lane_frame *f = frame_of(tag);
	if (!f)
		return 0;
	__u32 w = f->word, faulted = 0;
	for (__u32 i = 0; i < MESSAGES; i++) {
		if (i >= count)
			break;
		faulted |= take_msghdr(addr, ~0ull, tag);
		tag |= PIECE_NESTED << 8;
		take(addr + 7 * w, 4, 4, tag);
		addr += 8 * w;
	}
	return faulted;
}

/* Pointers up to a NULL or count, what each points to first: that tells how long the array is. */
__noinline int take_pointers(__u64 addr, __u64 count, __u32 size, __u32 tag)
{
	struct lane_frame *f = frame_of(tag);
	if (!f)
		return 0;
	struct vector v = { addr, 0, f->word, tag, size, 0 };
	if (count > STRINGS)
		count = STRINGS;
#ifdef OLD
	for (__u32 i = 0; i < 16; i++)
		if (i >= count || pointer_step(i, &v))
			break;
#else
	bpf_loop(count, pointer_step, &v, 0);
#endif
	__u64 n = v.addr - addr;
	if (!size)
		n += v.word; /* the NULL */
	return v.faulted | take(addr, n, PIECE_MAX, tag);
}

#ifndef OLD
/* One directory entry: its length leads to the next. */
struct entries { __u64 at, end; __u32 length, count; };

static int entry_step(__u32 i, struct entries *e)
{
	__u16 n = 0;
	if (e->at >= e->end || bpf_probe_read_user(&n, 2, (void *)(e->at + e->length)) || !n)
		return 1;
	e->at += n;
	e->count++;
	return 0;
}
#endif

/* Directory entries: the first of them, and how many there are where those are not all. */
FEW int take_entries(__u64 addr, __u64 n, __u32 length, __u32 tag)
{
#ifdef OLD
	return take(addr, n, PIECE_MAX, tag);
#else
	struct lane_frame *f = frame_of(tag);
	if (!f)
		return 0;
	__u32 i = f->lane.block, off = f->lane.off;
	struct entries e = { addr, addr + n, length, 0 };
	if (take(addr, n, PIECE_MAX, tag))
		return 1;
	if (n <= PIECE_MAX)
		return 0;
	bpf_loop(8192, entry_step, &e, 0);
	char *b = bpf_map_lookup_elem(&blocks, &i);
	if (e.at == e.end && b && off <= BLOCK - sizeof(struct piece))
		((struct piece *)(b + off))->full = COPY_COUNTED | e.count;
	return 0;
#endif
}

static __always_inline __u64 arg_of(struct lane_frame *f, __u8 i)
{
	return f->args[i & 7];
}

static __always_inline __u64 row_len(struct lane_frame *f, const struct copy_row *r, __u64 n)
{
	if (r->kind == COPY_LEN_RET) {
		n = f->args[6];
		if ((__s64)n <= 0)
			return 0;
	}
	if (r->flags & COPY_BITS)
		return n > 65536 ? 8192 : (n + 63) / 64 * 8;
	if (n > 1ull << 40)
		n = 1ull << 40;
	return n * (r->size ? r->size : 1) + (r->flags & COPY_PLUS_WORD ? f->word : 0);
}

static __always_inline __u64 ioctl_len(const struct copy_row *r, __u32 cmd, bool out)
{
	__u32 dir = cmd >> 30;
	if (!(cmd >> 16))
		return copy_unsized(cmd, r->size);
	return dir & (out ? 2 : 1) ? cmd >> 16 & 0x3fff : 0;
}

static __always_inline __u64 sized_len(const struct copy_row *r, __u64 addr, __u64 len)
{
	if (r->len_arg != COPY_SIZE_INSIDE)
		return len;
	len = word_at(addr, 4);
	return len ? len : 4;
}

static __always_inline int take_fprog(struct lane_frame *f, __u64 addr, __u32 tag)
{
	__u32 w = f->word;
	__u16 n = word_at(addr, 4);
	if (take(addr, 2 * w, 16, tag))
		return 1;
	return n ? take(word_at(addr + w, w), n * 8, PIECE_MAX, tag | PIECE_NESTED << 8) : 0;
}

/* A kind that no chosen call has is a way less to walk. */
#define CASE(kind)                                                                                                  \
	case kind:                                                                                                  \
		if (!(call_kinds >> (kind) & 1))                                                                    \
			return 0
#define CASE2(one, other)                                                                                           \
	case one:                                                                                                   \
	case other:                                                                                                 \
		if (!(call_kinds >> (one) & 1) && !(call_kinds >> (other) & 1))                                     \
			return 0

/* Is the row copied now: at the entry, or at the exit, there also (late) what faulted at the entry? */
static __always_inline bool row_is_due(struct lane_frame *f, const struct copy_row *r, __u32 flags)
{
	__u8 when = r->when;
	if (!(flags & PIECE_EXIT) || flags & PIECE_LATE) {
		if (!(when & COPY_ENTER))
			return false;
	} else {
		bool failed = f->args[6] >= (__u64)-4095;
		if (!(when & COPY_EXIT) || (failed && !(r->flags & COPY_EVEN_IF_FAILED)))
			return false;
	}
	return !r->only_mask || r->only_mask >> (arg_of(f, r->only_arg) & 63) & 1;
}

/* Kinds of rows that are more than one piece. total: how many bytes there are, as far as is known. */
static __always_inline int take_pieces(struct lane_frame *f, const struct copy_row *r, __u8 kind, __u64 addr, __u64 len, __u64 total,
				       bool out, __u32 tag)
{
	switch (kind) {
	CASE(COPY_DENTS);
		return total ? take_entries(addr, total, r->len_arg, tag) : 0;
	CASE(COPY_IOVEC);
		return take_iovec(addr, len, total, tag);
	CASE(COPY_MSGHDR);
		return take_msghdr(addr, total, tag);
	CASE(COPY_MMSGHDR);
		return take_mmsghdr(addr, out ? f->args[6] : len, tag);
	CASE2(COPY_STRV, COPY_PTRV);
		return take_pointers(addr, kind == COPY_STRV ? STRINGS : len, kind == COPY_STRV ? 0 : r->size, tag);
	CASE(COPY_FPROG);
		return take_fprog(f, addr, tag);
	default:
		return 0;
	}
}

/* One row of the plan of the call that the frame holds. flags: PIECE_EXIT, PIECE_LATE, and the frame's number << 16. 1 if
 * it faulted. */
__noinline int take_row(__u32 index, __u32 flags)
{
	struct lane_frame *f = frame_of(flags);
	index &= 7;
	asm volatile("" : "+r"(index)); /* or the bound is checked on a copy */
	if (!f || index >= COPY_ROWS)
		return 0;
	__u32 call = f->call;
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	if (!d)
		return 0;
	const struct copy_row *r = &d->plan.row[index];
	if (!row_is_due(f, r, flags))
		return 0;
	__u8 kind = r->kind;
	__u64 addr = kind == COPY_STACK ? f->args[7] + 8 * r->len_arg : arg_of(f, r->arg), n = 0;
	if (!addr)
		return 0;
	bool out = (flags & (PIECE_EXIT | PIECE_LATE)) == PIECE_EXIT;
	__u64 total = out && (__s64)f->args[6] >= 0 ? f->args[6] : ~0ull;
	__u32 tag = index | r->arg << 4 | (flags & 0xff) << 8 | (flags & 0xffff0000), bound = r->flags & COPY_DATA ? limit_data : PIECE_MAX;
	if (r->flags & COPY_NETLINK)
		tag |= PIECE_NETLINK << 8;
	__u64 len = arg_of(f, r->len_arg);
	/* The verifier walks every way, so: made once, before they part; and all plain pieces end in one call. */
	asm volatile("" : "+r"(tag), "+r"(bound), "+r"(len));
	switch (kind) {
	CASE(COPY_STRING);
		n = bound = limit_string;
		tag |= PIECE_STRING << 8;
		break;
	CASE2(COPY_FIXED, COPY_STACK);
		n = r->size;
		break;
	CASE2(COPY_LEN_ARG, COPY_LEN_RET);
		n = row_len(f, r, len);
		if (!n && kind == COPY_LEN_RET)
			return 0;
		break;
	CASE(COPY_LEN_PTR);
		n = (__u32)word_at(len, 4);
		if (!n)
			return 0;
		break;
	CASE(COPY_SIZED);
		n = sized_len(r, addr, len);
		if (r->size)
			bound = r->size;
		break;
	CASE(COPY_IOCTL);
		n = ioctl_len(r, len, out);
		if (!n)
			return 0;
		break;
	CASE(COPY_VIA);
		addr = word_at(addr + r->len_arg, f->word);
		n = r->size;
		tag |= PIECE_NESTED << 8;
		break;
	default:
		return take_pieces(f, r, kind, addr, len, total, out, tag);
	}
	return take(addr, n, bound, tag);
}

/* The rows of an entry or, with PIECE_EXIT in flags, of an exit; late: a bit for each that faulted before, and of those that
 * fault now in what is returned. One function for both: a light loader takes no more than 32. */
__noinline int take_rows(__u32 rows, __u32 late, __u32 flags)
{
	__u32 faulted = 0;
	for (__u32 i = 0; i < COPY_ROWS; i++) {
		if (i >= rows)
			break;
		if (late & 1)
			take_row(i, flags | PIECE_LATE);
		faulted |= take_row(i, flags) << i;
		late >>= 1;
	}
	return faulted;
}

/* ---- stacks ---- */

/* Frames of one kind as a piece; mode 0 kernel, 1 user. */
static __always_inline void take_frames(void *ctx, struct lane_frame *f, __u64 mode)
{
	__u32 i = f->lane.block, off = f->lane.off;
	char *b = bpf_map_lookup_elem(&blocks, &i);
	asm volatile("" : "+r"(off));
	if (!b || off > BLOCK - STACK_MAX * 8 - 2 * sizeof(struct piece))
		return;
	struct piece *p = (struct piece *)(b + off);
	long got = bpf_get_stack(ctx, p + 1, STACK_MAX * 8, mode ? BPF_F_USER_STACK : 0);
	if (got < 0)
		return;
	p->addr = mode;
	p->full = 0;
	p->len = got;
	p->place = 0;
	p->flags = PIECE_STACK;
	f->lane.off = off + sizeof(*p) + (got & 0x1ff8);
}

/* The registers that DWARF unwinding needs, in the order of pt_regs, then the stack itself. */
static __always_inline void take_user_state(struct lane_frame *f, const struct pt_regs *regs)
{
	__u32 i = f->lane.block, off = f->lane.off;
	char *b = bpf_map_lookup_elem(&blocks, &i);
	asm volatile("" : "+r"(off));
	if (!b || off > BLOCK - 256)
		return;
	struct piece *p = (struct piece *)(b + off);
	__u64 *v = (__u64 *)(p + 1), sp = regs->sp;
	v[0] = regs->r15; v[1] = regs->r14; v[2] = regs->r13; v[3] = regs->r12; v[4] = regs->bp; v[5] = regs->bx;
	v[6] = regs->r11; v[7] = regs->r10; v[8] = regs->r9; v[9] = regs->r8; v[10] = regs->ax; v[11] = regs->cx;
	v[12] = regs->dx; v[13] = regs->si; v[14] = regs->di; v[15] = regs->ip; v[16] = sp;
	p->addr = 2;
	p->full = 0;
	p->len = 17 * 8;
	p->place = 0;
	p->flags = PIECE_STACK;
	f->lane.off = off + sizeof(*p) + 17 * 8;
	/* page by page: it ends where the stack does */
	for (int k = 0; k < STACK_COPY / PIECE_MAX; k++) {
		__u64 n = PIECE_MAX - (sp & (PIECE_MAX - 1));
		if (take(sp, n, PIECE_MAX, frame_tag(f) | PIECE_STACK << 8))
			break;
		sp += n;
	}
}

enum { TAKE_LOCAL = 1 };

static __always_inline struct file *file_at(__u32 fd)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	struct fdtable *table = BPF_CORE_READ(t, files, fdt);
	struct file **files = BPF_CORE_READ(table, fd), *file = NULL;
	if (fd >= BPF_CORE_READ(table, max_fds) || bpf_probe_read_kernel(&file, 8, files + fd))
		return NULL;
	return file;
}

/* 0: that is not to be had. */
static __always_inline __u32 put_local(struct local_id *id, const struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock_common *sk = BPF_CORE_READ(socket, sk);
	__u16 family = BPF_CORE_READ(sk, skc_family), port = BPF_CORE_READ(sk, skc_num);
	if ((family != 2 && family != 10) || !port)
		return 0;
	id->family = family;
	id->port = __builtin_bswap16(port);
	id->len = family == 2 ? 8 : 24;
	id->pad = 0;
	id->addr[0] = 0; /* the flow, with IPv6 */
	if (family == 2)
		id->addr[0] = BPF_CORE_READ(sk, skc_rcv_saddr);
	else if (bpf_core_read(&id->addr[1], 16, &sk->skc_v6_rcv_saddr))
		return 0;
	return sizeof(*id);
}

static __always_inline __u32 put_id(struct file_id *id, const struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	id->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	id->ino = BPF_CORE_READ(inode, i_ino);
	id->pad = 0;
	return sizeof(*id);
}

/* What a descriptor is, where the calls that change descriptors are not seen: a name that user space finds later holds only if
 * it is still the same file. With TAKE_LOCAL in tag a socket's own address, where the kernel has chosen it: a connect, a bind
 * to port 0, what an accept has made (fd is a socket then, or the call had failed). */
__noinline int take_file(__u32 fd, __u32 tag)
{
	struct file *file = file_at(fd);
	struct lane_frame *f = frame_of(tag);
	if (!file || !f)
		return 0;
	__u32 i = f->lane.block, off = f->lane.off, n;
	char *b = bpf_map_lookup_elem(&blocks, &i);
	asm volatile("" : "+r"(off));
	if (!b || off > BLOCK - 64)
		return 0;
	struct piece *p = (struct piece *)(b + off);
	bool local = tag & TAKE_LOCAL;
	if (local) {
		((struct local_id *)(p + 1))->fd = fd;
		n = put_local((struct local_id *)(p + 1), file);
	} else {
		((struct file_id *)(p + 1))->fd = fd;
		n = put_id((struct file_id *)(p + 1), file);
	}
	if (!n)
		return 0;
	p->addr = 3 + local;
	p->full = 0;
	p->len = n;
	p->place = 0;
	p->flags = PIECE_STACK;
	f->lane.off = off + sizeof(*p) + n;
	return 0;
}

/* The address of a call's own socket, if the call has made or bound one. Global: what it asks about would have the verifier walk
 * what follows once for each answer. */
FEWER int take_local(__u64 fd, __s64 ret, __u64 to, __u32 local, __u32 tag)
{
	if ((ret < 0 && ret != -115 /* EINPROGRESS */) || (local == SOCKET_TO && !to))
		return 0;
	return take_file(local == SOCKET_RESULT ? ret : fd, tag | TAKE_LOCAL);
}

static __always_inline void take_files(const struct lane_frame *f, const struct rec_call *r, const struct call_plan *d)
{
	__s64 ret = r->ret;
	__u32 frame = frame_tag(f);
	if (d->fds & 1)
		take_file(r->args[0], frame);
	if (d->fds & 2)
		take_file(r->args[1], frame);
	if (d->fds & 4)
		take_file(r->args[2], frame);
	if (d->fds >> 6 & 1 && ret >= 0)
		take_file(ret, frame);
}

static __always_inline void take_stacks(void *ctx, struct lane_frame *f, const struct pt_regs *regs)
{
	if (graph_kernel)
		take_frames(ctx, f, 0);
	if (graph_user == 1)
		take_frames(ctx, f, 1);
	if (graph_user == 2)
		take_user_state(f, regs);
}
#endif
