// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/copier.h"
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

enum { PARTS_MAX = 64, VECTOR_MAX = 64, PAGE = 4096 };

struct take { /* one row at work */
	struct copier *c;
	const struct copier_limits *limits;
	const struct copy_row *row;
	const uint64_t *args;
	int pid, index;
	int64_t ret;
	bool at_exit, late, wide;
	uint8_t part;
};

void copier_release(struct copier *c)
{
	str_release(&c->arena);
	vec_release(&c->list);
	vec_release(&c->view);
}

void copier_reset(struct copier *c)
{
	str_clear(&c->arena);
	vec_clear(&c->list);
}

/* As many of the n bytes as are mapped; process_vm_readv stops at the first page that is not. */
static size_t peek(int pid, uint64_t addr, void *to, size_t n)
{
	size_t done = 0;
	while (done < n) {
		size_t step = PAGE - ((addr + done) & (PAGE - 1));
		if (step > n - done)
			step = n - done;
		struct iovec local = { (char *)to + done, step };
		struct iovec remote = { (void *)(uintptr_t)(addr + done), step };
		ssize_t got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
		if (got <= 0)
			break;
		done += got;
		if ((size_t)got < step)
			break;
	}
	return done;
}

static struct copied *add(struct take *t, uint64_t addr)
{
	struct copied *p = vec_push(&t->c->list);
	p->arg = t->row->arg;
	p->row = t->index;
	p->at_exit = t->at_exit && !t->late;
	p->late = t->late;
	p->part = t->part;
	if (t->part < UINT8_MAX)
		t->part++;
	p->addr = addr;
	p->data = (const uint8_t *)(uintptr_t)t->c->arena.len;
	return p;
}

/* Copies n bytes, cut to limit; returns where they are in the arena, or NULL if none could be read. */
static const uint8_t *take_bytes(struct take *t, uint64_t addr, uint64_t n, uint64_t limit, size_t *got)
{
	struct copied *p = add(t, addr);
	size_t want = n < limit ? n : limit;
	*got = 0;
	p->full_len = n;
	p->truncated = want < n;
	if (!want)
		return NULL;
	str_grow(&t->c->arena, want);
	size_t at = t->c->arena.len;
	*got = peek(t->pid, addr, t->c->arena.buf + at, want);
	t->c->arena.len += *got;
	p->len = *got;
	p->faulted = !*got;
	if (*got && *got < want)
		p->truncated = true;
	return *got ? (const uint8_t *)t->c->arena.buf + at : NULL;
}

static void take_string(struct take *t, uint64_t addr)
{
	struct copied *p = add(t, addr);
	size_t limit = t->limits->string, at = t->c->arena.len, len = 0;
	bool ended = false;
	while (len < limit && !ended) {
		size_t step = PAGE - ((addr + len) & (PAGE - 1));
		if (step > limit - len)
			step = limit - len;
		str_grow(&t->c->arena, step);
		char *to = t->c->arena.buf + at + len;
		size_t got = peek(t->pid, addr + len, to, step);
		char *nul = memchr(to, 0, got);
		ended = nul || got < step;
		if (nul)
			got = nul - to + 1;
		len += got;
		t->c->arena.len += got; /* growing writes behind the end: it must be the end */
		if (!got)
			break;
	}
	p->len = len;
	p->faulted = !len || (ended && t->c->arena.buf[at + len - 1]); /* ran into memory that is not there */
	if (p->faulted)
		p->len = 0;
	p->truncated = len && !ended;
}

static uint64_t word_at(const struct take *t, const uint8_t *p)
{
	uint32_t narrow;
	uint64_t v;
	if (t->wide) {
		memcpy(&v, p, 8);
		return v;
	}
	memcpy(&narrow, p, 4);
	return narrow;
}

static unsigned word_size(const struct take *t)
{
	return t->wide ? 8 : 4;
}

static uint64_t bound(const struct take *t)
{
	return t->row->flags & COPY_DATA ? t->limits->data : COPY_STRUCT_MAX;
}

/* Of n bytes of data at addr, how many count: netlink messages (a length that fits, and a type) are wanted whole. */
static uint64_t data_bound(const struct take *t, uint64_t addr, uint64_t n)
{
	struct { uint32_t len; uint16_t type, flags; } head;
	if (!(t->row->flags & COPY_NETLINK) || n <= t->limits->data || peek(t->pid, addr, &head, sizeof(head)) < sizeof(head))
		return bound(t);
	return head.len >= 16 && head.len <= n && head.type < 0x1000 ? COPY_STRUCT_MAX : bound(t);
}

/* An iovec array at addr and the first bytes of each buffer; `total` bytes are in them (a read's result). */
static void take_iovec(struct take *t, uint64_t addr, uint64_t count, uint64_t total)
{
	unsigned w = word_size(t);
	uint8_t vec[VECTOR_MAX * 16];
	size_t got, unused;
	uint64_t full = count * 2 * w;
	if (count > VECTOR_MAX)
		count = VECTOR_MAX;
	const uint8_t *p = take_bytes(t, addr, full, count * 2 * w, &got);
	if (!p)
		return;
	memcpy(vec, p, got);
	for (size_t i = 0; (i + 1) * 2 * w <= got && t->part < PARTS_MAX && total; i++) {
		uint64_t base = word_at(t, vec + i * 2 * w), len = word_at(t, vec + i * 2 * w + w);
		if (len > total)
			len = total;
		total -= len;
		if (base && len)
			take_bytes(t, base, len, t->row->flags & COPY_NETLINK ? data_bound(t, base, len) : t->limits->data, &unused);
	}
}

/* struct msghdr: name, namelen, iov, iovlen, control, controllen: six words apart from padding. */
static void take_msghdr(struct take *t, uint64_t addr, uint64_t total)
{
	unsigned w = word_size(t);
	uint8_t m[56];
	size_t got, size = 7 * w;
	const uint8_t *p = take_bytes(t, addr, size, size, &got);
	if (!p || got < size)
		return;
	memcpy(m, p, size);
	uint32_t name_len;
	memcpy(&name_len, m + w, 4);
	uint64_t name = word_at(t, m), iov = word_at(t, m + 2 * w), n = word_at(t, m + 3 * w);
	uint64_t control = word_at(t, m + 4 * w), control_len = word_at(t, m + 5 * w);
	if (name && name_len)
		take_bytes(t, name, name_len, 128, &got);
	if (iov && n)
		take_iovec(t, iov, n, total);
	if (control && control_len)
		take_bytes(t, control, control_len, COPY_STRUCT_MAX, &got);
}

static void take_mmsghdr(struct take *t, uint64_t addr)
{
	unsigned step = 8 * word_size(t); /* msghdr, the length, padding */
	uint64_t n = t->at_exit && t->ret >= 0 ? (uint64_t)t->ret : t->args[t->row->len_arg];
	size_t got;
	for (uint64_t i = 0; i < n && i < 16 && t->part < PARTS_MAX; i++) {
		take_msghdr(t, addr + i * step, UINT64_MAX);
		take_bytes(t, addr + i * step + 7 * word_size(t), 4, 4, &got);
	}
}

static void take_strv(struct take *t, uint64_t addr)
{
	unsigned w = word_size(t), n = 0;
	uint8_t ptrs[256 * 8];
	size_t got = peek(t->pid, addr, ptrs, 256 * w);
	while ((n + 1) * w <= got && word_at(t, ptrs + n * w))
		n++;
	take_bytes(t, addr, (n + 1) * w, (n + 1) * w, &got);
	if (t->row->flags & COPY_ENVIRON && !t->limits->environ)
		return;
	for (unsigned i = 0; i < n && t->part < UINT8_MAX; i++)
		take_string(t, word_at(t, ptrs + i * w));
}

static void take_ptrv(struct take *t, uint64_t addr)
{
	unsigned w = word_size(t);
	uint64_t n = t->args[t->row->len_arg];
	uint8_t ptrs[VECTOR_MAX * 8];
	size_t got, unused;
	if (n > VECTOR_MAX)
		n = VECTOR_MAX;
	const uint8_t *p = take_bytes(t, addr, n * w, n * w, &got);
	if (!p)
		return;
	memcpy(ptrs, p, got);
	for (size_t i = 0; (i + 1) * w <= got && t->part < PARTS_MAX; i++)
		take_bytes(t, word_at(t, ptrs + i * w), t->row->size, COPY_STRUCT_MAX, &unused);
}

static void take_fprog(struct take *t, uint64_t addr)
{
	unsigned w = word_size(t);
	uint8_t f[16];
	size_t got;
	uint16_t n;
	const uint8_t *p = take_bytes(t, addr, 2 * w, 2 * w, &got);
	if (!p || got < 2 * w)
		return;
	memcpy(f, p, got);
	memcpy(&n, f, 2);
	if (n)
		take_bytes(t, word_at(t, f + w), n * 8ull, COPY_STRUCT_MAX, &got);
}

static void take_sized(struct take *t, uint64_t addr)
{
	uint32_t inside = 0;
	uint64_t size = t->row->size && t->row->size < COPY_STRUCT_MAX ? t->row->size : COPY_STRUCT_MAX, want;
	size_t got;
	if (t->row->len_arg == COPY_SIZE_INSIDE) {
		if (peek(t->pid, addr, &inside, 4) < 4)
			inside = 4; /* let the copy itself find that it faults */
		want = inside;
	} else {
		want = t->args[t->row->len_arg];
	}
	take_bytes(t, addr, want, size, &got);
}

/* Directory entries: the first of them, and how many there are where those are not all. */
static void take_entries(struct take *t, uint64_t addr)
{
	size_t got;
	uint64_t at = addr, end = addr + (t->ret > 0 ? t->ret : 0);
	unsigned count = 0;
	if (at == end || !take_bytes(t, addr, end - addr, COPY_STRUCT_MAX, &got) || end - addr <= COPY_STRUCT_MAX)
		return;
	for (uint16_t n; at < end && peek(t->pid, at + t->row->len_arg, &n, 2) == 2 && n; count++)
		at += n;
	if (at == end)
		vec_last(&t->c->list)->full_len = COPY_COUNTED | count;
}

static void take_ioctl(struct take *t, uint64_t addr)
{
	uint32_t cmd = t->args[t->row->len_arg];
	unsigned size = cmd >> 16 & 0x3fff, dir = cmd >> 30;
	size_t got;
	if (!(cmd >> 16))
		size = copy_unsized(cmd, t->row->size);
	else if (!(dir & (t->at_exit && !t->late ? 2 : 1)))
		return;
	if (size)
		take_bytes(t, addr, size, COPY_STRUCT_MAX, &got);
}

static void take_via(struct take *t, uint64_t addr)
{
	uint8_t p[8];
	size_t got;
	if (peek(t->pid, addr + t->row->len_arg, p, word_size(t)) == word_size(t))
		take_bytes(t, word_at(t, p), t->row->size, COPY_STRUCT_MAX, &got);
}

static void take_len_ptr(struct take *t, uint64_t addr)
{
	uint32_t n = 0;
	size_t got;
	if (peek(t->pid, t->args[t->row->len_arg], &n, 4) == 4 && n)
		take_bytes(t, addr, n, bound(t), &got);
}

static unsigned plus_word(const struct take *t)
{
	return t->row->flags & COPY_PLUS_WORD ? word_size(t) : 0;
}

static uint64_t len_of_arg(const struct take *t)
{
	uint64_t n = t->args[t->row->len_arg];
	if (t->row->flags & COPY_BITS)
		return n > 65536 ? 8192 : (n + 63) / 64 * 8;
	unsigned size = t->row->size ? t->row->size : 1;
	return n > UINT64_MAX / size - 8 ? UINT64_MAX : n * size + plus_word(t);
}

static void take_row(struct take *t)
{
	const struct copy_row *r = t->row;
	uint64_t addr = t->args[r->arg], total = UINT64_MAX;
	size_t got;
	if (t->at_exit && !t->late && t->ret >= 0)
		total = t->ret;
	switch ((enum copy_kind)r->kind) {
	case COPY_NONE: return;
	case COPY_STRING: take_string(t, addr); return;
	case COPY_FIXED: take_bytes(t, addr, r->size, COPY_STRUCT_MAX, &got); return;
	case COPY_LEN_ARG: take_bytes(t, addr, len_of_arg(t), data_bound(t, addr, len_of_arg(t)), &got); return;
	case COPY_LEN_RET:
		if (t->ret > 0)
			take_bytes(t, addr, (uint64_t)t->ret * (r->size ? r->size : 1) + plus_word(t), data_bound(t, addr, t->ret), &got);
		return;
	case COPY_DENTS: take_entries(t, addr); return;
	case COPY_LEN_PTR: take_len_ptr(t, addr); return;
	case COPY_IOVEC: take_iovec(t, addr, t->args[r->len_arg], total); return;
	case COPY_MSGHDR: take_msghdr(t, addr, total); return;
	case COPY_MMSGHDR: take_mmsghdr(t, addr); return;
	case COPY_STRV: take_strv(t, addr); return;
	case COPY_SIZED: take_sized(t, addr); return;
	case COPY_IOCTL: take_ioctl(t, addr); return;
	case COPY_VIA: take_via(t, addr); return;
	case COPY_FPROG: take_fprog(t, addr); return;
	case COPY_PTRV: take_ptrv(t, addr); return;
	case COPY_STACK: take_bytes(t, t->c->sp + 8u * r->len_arg, r->size, COPY_STRUCT_MAX, &got); return;
	}
}

/* If the row's copy at entry faulted, forgets that one: it is read again. */
static bool faulted_at_entry(struct copier *c, int index)
{
	vec_each(&c->list, p) {
		if (p->row != index || p->at_exit || p->part)
			continue;
		if (!p->faulted)
			return false;
		memmove(p, p + 1, (char *)(c->list.at + c->list.n) - (char *)(p + 1));
		c->list.n--;
		return true;
	}
	return false;
}

static bool wanted(const struct take *t, bool *late)
{
	const struct copy_row *r = t->row;
	*late = false;
	if (r->kind == COPY_STACK ? !t->c->sp : !t->args[r->arg])
		return false;
	if (r->only_mask && !(r->only_mask >> (t->args[r->only_arg] & 63) & 1))
		return false;
	if (!t->at_exit)
		return r->when & COPY_ENTER;
	if (r->when & COPY_EXIT)
		return t->ret >= 0 || t->ret < -4095 || (r->flags & COPY_EVEN_IF_FAILED);
	*late = faulted_at_entry(t->c, t->index);
	return *late;
}

void copier_take(struct copier *c, int pid, const struct copy_plan *plan, const uint64_t args[6], int64_t ret,
		 bool at_exit, bool wide, const struct copier_limits *limits)
{
	for (int i = 0; plan && i < COPY_ROWS && plan->row[i].kind != COPY_NONE; i++) {
		struct take t = { .c = c, .limits = limits, .row = &plan->row[i], .args = args, .pid = pid,
				  .index = i, .ret = ret, .at_exit = at_exit, .wide = wide };
		if (wanted(&t, &t.late))
			take_row(&t);
	}
}

struct copied *copier_list(struct copier *c, unsigned *n)
{
	vec_clear(&c->view);
	vec_each(&c->list, p) {
		struct copied *v = vec_push(&c->view);
		*v = *p;
		v->data = (const uint8_t *)c->arena.buf + (uintptr_t)p->data;
	}
	*n = c->view.n;
	return c->view.at;
}
