// SPDX-License-Identifier: GPL-2.0-or-later
/* io_uring. Layouts: linux/io_uring.h. */
#include <string.h>
#include "syscall/table.h"

void v_iov(struct dc *c, const struct mem *m, uint64_t count, enum mem_when when, uint64_t data, bool buffers);

struct_fn struct_io_uring_params;

static void ring_offsets(struct dc *c, const char *name, const struct mem *m, size_t at, const char *const *field)
{
	v_field(c, name);
	v_open(c, '{');
	for (int i = 0; field[i]; i++) {
		v_field(c, field[i]);
		v_u(c, mem_u(m, at + 4 * i, 4));
	}
	v_close(c, '}');
}

enum { SETUP_ATTACH_WQ = 1 << 5 };

void struct_io_uring_params(struct dc *c, const struct mem *m)
{
	static const char *const sq[] = { "head", "tail", "ring_mask", "ring_entries", "flags", "dropped", "array", NULL };
	static const char *const cq[] = { "head", "tail", "ring_mask", "ring_entries", "overflow", "cqes", "flags", NULL };
	uint32_t flags = mem_u(m, 8, 4);
	v_open(c, '{');
	v_field(c, "flags");
	v_flags(c, X_io_uring_setup_flags, flags);
	v_field(c, "sq_thread_cpu");
	v_hexnum(c, mem_u(m, 12, 4));
	v_field(c, "sq_thread_idle");
	v_u(c, mem_u(m, 16, 4));
	if (flags & SETUP_ATTACH_WQ) {
		v_field(c, "wq_fd");
		v_fd(c, mem_s(m, 24, 4));
	}
	if (!c->failed && !c->entered) {
		v_field(c, "sq_entries");
		v_u(c, mem_u(m, 0, 4));
		v_field(c, "cq_entries");
		v_u(c, mem_u(m, 4, 4));
		v_field(c, "features");
		v_flags(c, X_io_uring_features, mem_u(m, 20, 4));
		ring_offsets(c, "sq_off", m, 40, sq);
		ring_offsets(c, "cq_off", m, 80, cq);
	}
	v_close(c, '}');
}

/* ---- enter ---- */

enum { EXT_ARG = 8, EXT_BYTES = 24, SIGSET = 8 };

/* A set of signals or, with the flag, a struct with one and a timeout. */
void a_uring_enter_arg(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t size = arg(c, 5);
	bool found = mem_find(c, arg(c, i), MEM_ANY, &m);
	if (found && arg(c, 3) & EXT_ARG && size >= EXT_BYTES && m.n >= EXT_BYTES) {
		v_open(c, '{');
		v_field(c, "sigmask");
		v_addr(c, mem_u(&m, 0, 8));
		v_field(c, "sigmask_sz");
		v_u(c, mem_u(&m, 8, 4));
		v_field(c, "min_wait_usec");
		v_u(c, mem_u(&m, 12, 4));
		v_field(c, "ts");
		v_addr(c, mem_u(&m, 16, 8));
		v_close(c, '}');
	} else if (found && !(arg(c, 3) & EXT_ARG) && size == SIGSET && m.n >= SIGSET) {
		v_sigset(c, &m);
	} else {
		a_ptr(c, i, a);
	}
}

/* ---- register ---- */

enum uring_op { BUFFERS = 0, FILES = 2, EVENTFD = 4, FILES_UPDATE = 6, EVENTFD_ASYNC = 7, PROBE = 8, RESTRICTIONS = 11, FILES2 = 13,
	FILES_UPDATE2 = 14, BUFFERS2 = 15, BUFFERS_UPDATE = 16, IOWQ_AFF = 17, IOWQ_WORKERS = 19, RING_FDS = 20, UN_RING_FDS = 21,
	PBUF_RING = 22, UN_PBUF_RING = 23 };

enum { SHOWN = 32 };

typedef void item_fn(struct dc *c, const struct mem *m);

/* n elements of `size` bytes, as many as were copied */
static void items(struct dc *c, const struct mem *m, uint64_t n, size_t size, item_fn *show)
{
	v_open(c, '[');
	for (uint64_t k = 0; k < n; k++) {
		struct mem one = mem_sub(m, k * size, size);
		v_item(c);
		if (one.n < size || (k >= SHOWN && !whole(c))) {
			v_word(c, "...");
			if (k < SHOWN)
				v_unreadable(c, m->addr + k * size);
			break;
		}
		show(c, &one);
	}
	v_close(c, ']');
}

static void fd_item(struct dc *c, const struct mem *m)
{
	v_fd(c, mem_s(m, 0, 4));
}

static void update_item(struct dc *c, const struct mem *m)
{
	int fd = mem_s(m, 0, 4);
	if (fd == -2)
		v_word(c, c->strace ? "IORING_REGISTER_FILES_SKIP" : "SKIP");
	else
		v_fd(c, fd);
}

static void number(struct dc *c, const char *name, const struct mem *m, size_t at, size_t size)
{
	v_field(c, name);
	v_u(c, mem_u(m, at, size));
}

static void reserved(struct dc *c, const char *name, const struct mem *m, size_t at, size_t size)
{
	if (!mem_u(m, at, size))
		return;
	v_field(c, name);
	v_hexnum(c, mem_u(m, at, size));
}

static void ring_fd_item(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "offset");
	v_uid(c, mem_u(m, 0, 4));
	reserved(c, "resv", m, 4, 4);
	if ((uint32_t)arg(c, 1) == RING_FDS) {
		v_field(c, "data");
		v_fd(c, mem_s(m, 8, 4));
	} else {
		reserved(c, "data", m, 8, 8);
	}
	v_close(c, '}');
}

static void restriction_item(struct dc *c, const struct mem *m)
{
	uint32_t op = mem_u(m, 0, 2), what = mem_u(m, 2, 1);
	v_open(c, '{');
	v_field(c, "opcode");
	v_enum(c, X_uring_restrictions, op);
	if (op == 0 || op == 1) {
		v_field(c, op ? "sqe_op" : "register_op");
		v_enum(c, op ? X_uring_ops : X_io_uring_register_op, what);
	} else if (op <= 3) {
		v_field(c, "sqe_flags");
		v_flags(c, X_uring_sqe_flags, what);
	} else if (c->strace && !c->json) {
		str_addf(c->out, " /* op: %#x */", what);
	}
	reserved(c, "resv", m, 3, 1);
	v_close(c, '}');
}

/* An operation; what a newer kernel has is a number. */
static void operation(struct dc *c, uint32_t op)
{
	if (xlat_name(X_uring_ops, op)) {
		v_enum(c, X_uring_ops, op);
		return;
	}
	v_u(c, op);
	v_comment(c, "IORING_OP_???");
}

static void probe_item(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "op");
	operation(c, mem_u(m, 0, 1));
	reserved(c, "resv", m, 1, 1);
	v_field(c, "flags");
	v_flags(c, X_uring_op_flags, mem_u(m, 2, 2));
	reserved(c, "resv2", m, 4, 4);
	v_close(c, '}');
}

static void probe(struct dc *c, const struct mem *m, uint32_t asked)
{
	uint32_t known = mem_u(m, 1, 1);
	struct mem ops = mem_sub(m, 16, m->n);
	v_open(c, '{');
	v_field(c, "last_op");
	operation(c, mem_u(m, 0, 1));
	number(c, "ops_len", m, 1, 1);
	v_field(c, "ops");
	items(c, &ops, known < asked ? known : asked, 8, probe_item);
	v_close(c, '}');
}

/* Descriptors or buffers that another pointer leads to. */
static void resources(struct dc *c, uint64_t addr, uint32_t n, enum uring_op op)
{
	struct mem m = { 0 };
	v_field(c, op == FILES_UPDATE ? "fds" : "data");
	if (addr && !n)
		items(c, &m, 0, 4, fd_item);
	else if (!mem_find(c, addr, MEM_IN, &m))
		v_addr(c, addr);
	else if (op == BUFFERS2 || op == BUFFERS_UPDATE)
		v_iov(c, &m, n, MEM_IN, 0, false);
	else
		items(c, &m, n, 4, op == FILES2 ? fd_item : update_item);
}

static void tags(struct dc *c, uint64_t addr, uint32_t n)
{
	v_field(c, "tags");
	if (addr && !n)
		items(c, &(struct mem){ 0 }, 0, 8, fd_item);
	else
		v_addr(c, addr);
}

static void registered(struct dc *c, const struct mem *m, enum uring_op op)
{
	v_open(c, '{');
	number(c, "nr", m, 0, 4);
	v_field(c, "flags");
	v_flags(c, X_uring_rsrc, mem_u(m, 4, 4));
	reserved(c, "resv2", m, 8, 8);
	resources(c, mem_u(m, 16, 8), mem_u(m, 0, 4), op);
	tags(c, mem_u(m, 24, 8), mem_u(m, 0, 4));
	v_close(c, '}');
}

static void updated(struct dc *c, const struct mem *m, enum uring_op op)
{
	bool first = op == FILES_UPDATE;
	v_open(c, '{');
	number(c, "offset", m, 0, 4);
	reserved(c, "resv", m, 4, 4);
	resources(c, mem_u(m, 8, 8), first ? arg(c, 3) : mem_u(m, 24, 4), op);
	if (!first) {
		tags(c, mem_u(m, 16, 8), mem_u(m, 24, 4));
		number(c, "nr", m, 24, 4);
		reserved(c, "resv2", m, 28, 4);
	}
	v_close(c, '}');
}

static void buffer_ring(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "ring_addr");
	v_addr(c, mem_u(m, 0, 8));
	number(c, "ring_entries", m, 8, 4);
	number(c, "bgid", m, 12, 2);
	reserved(c, "flags", m, 14, 2);
	v_close(c, '}');
}

static void cpus(struct dc *c, const struct mem *m, uint32_t n)
{
	bool first = true;
	v_open(c, '[');
	for (uint32_t b = 0; b / 8 < n && b / 8 < m->n; b++) {
		if (!(m->p[b / 8] >> (b % 8) & 1))
			continue;
		if (!first && !c->json)
			str_addc(c->out, ' ');
		first = c->first = false;
		v_u(c, b);
	}
	v_close(c, ']');
}

/* [[IO_WQ_BOUND]=1, [IO_WQ_UNBOUND]=2] before and after */
static void workers(struct dc *c, const struct mem *m, uint32_t n)
{
	static const char *const name[] = { "IO_WQ_BOUND", "IO_WQ_UNBOUND" };
	v_open(c, '[');
	for (uint32_t i = 0; i < n && 4 * i + 4 <= m->n; i++) {
		v_item(c);
		if (!c->json && i < 2)
			str_addf(c->out, "[%s]=", name[i]);
		else if (!c->json)
			str_addf(c->out, "[%u /* IO_WQ_??? */]=", i);
		v_u(c, mem_u(m, 4 * i, 4));
	}
	v_close(c, ']');
}

static void workers_changed(struct dc *c, const struct mem *in, uint32_t n)
{
	struct mem out;
	bool after = !c->failed && mem_find(c, in->addr, MEM_OUT, &out);
	if (!c->json || !after)
		workers(c, in, n);
	if (after && !c->json)
		str_add(c->out, " => ");
	if (after)
		workers(c, &out, n);
}

static size_t least(enum uring_op op)
{
	switch (op) {
	case FILES_UPDATE: return 16;
	case FILES2: case BUFFERS2: case FILES_UPDATE2: case BUFFERS_UPDATE: return 32;
	case PBUF_RING: case UN_PBUF_RING: return 40;
	default: return 1;
	}
}

void a_uring_register(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	enum uring_op op = (uint32_t)arg(c, 1);
	uint32_t n = arg(c, 3);
	bool sized = op == FILES2 || op == BUFFERS2 || op == FILES_UPDATE2 || op == BUFFERS_UPDATE;
	bool known = op == PROBE ? !c->failed && mem_find(c, arg(c, i), MEM_OUT, &m) : mem_find(c, arg(c, i), MEM_IN, &m);
	if (!known || m.n < least(op) || (sized && n < 32)) {
		a_ptr(c, i, a);
		return;
	}
	switch (op) {
	case BUFFERS: v_iov(c, &m, n, MEM_IN, 0, false); break;
	case FILES: case EVENTFD: case EVENTFD_ASYNC: items(c, &m, n, 4, fd_item); break;
	case RESTRICTIONS: items(c, &m, n, 16, restriction_item); break;
	case RING_FDS: case UN_RING_FDS: items(c, &m, n, 16, ring_fd_item); break;
	case FILES2: case BUFFERS2: registered(c, &m, op); break;
	case FILES_UPDATE: case FILES_UPDATE2: case BUFFERS_UPDATE: updated(c, &m, op); break;
	case PBUF_RING: case UN_PBUF_RING: buffer_ring(c, &m); break;
	case IOWQ_AFF: cpus(c, &m, n); break;
	case IOWQ_WORKERS: workers_changed(c, &m, n); break;
	case PROBE: probe(c, &m, n); break;
	default: a_ptr(c, i, a); break;
	}
}
