// SPDX-License-Identifier: GPL-2.0-or-later
/* Vectors of buffers, asynchronous I/O. */
#include "syscall/table.h"

enum { IOV_SHOWN = 32, IOV_COPIED = 16 };

/* The elements of an iovec; data bounds what the buffers hold (what was written, or read). */
void v_iov(struct dc *c, const struct mem *m, uint64_t count, enum mem_when when, uint64_t data, bool buffers)
{
	size_t w = c->word;
	v_open(c, '[');
	for (uint64_t k = 0; k < count; k++) {
		v_item(c);
		if ((k + 1) * 2 * w > m->n || (k >= IOV_SHOWN && !whole(c))) {
			v_word(c, "...");
			if ((k + 1) * 2 * w > m->n && k < IOV_COPIED)
				v_unreadable(c, m->addr + k * 2 * w);
			break;
		}
		uint64_t base = mem_u(m, k * 2 * w, w), len = mem_u(m, k * 2 * w + w, w);
		uint64_t here = len < data ? len : data;
		struct mem b;
		if (data != UINT64_MAX) /* else there is no bound */
			data -= here;
		v_open(c, '{');
		v_field(c, "iov_base");
		if (buffers && base && !here)
			v_str(c, "", 0, false, 0);
		else if (buffers && mem_find_inside(c, base, when, &b))
			v_payload(c, &b, here);
		else
			v_addr(c, base);
		v_field(c, "iov_len");
		v_u(c, len);
		v_close(c, '}');
	}
	v_close(c, ']');
}

static void iov(struct dc *c, int i, const struct arg_def *a, enum mem_when when, uint64_t data, bool buffers)
{
	struct mem m;
	uint64_t count = c->word == 4 ? (uint32_t)arg(c, a->len) : arg(c, a->len);
	bool found = mem_find(c, arg(c, i), when, &m) || mem_find(c, arg(c, i), MEM_ANY, &m);
	if (found && m.n >= 2u * c->word)
		v_iov(c, &m, count, when, data, buffers);
	else if (arg(c, i) && !count)
		v_iov(c, &(struct mem){ 0 }, 0, when, 0, false);
	else
		a_ptr(c, i, a);
}

void a_iov_in(struct dc *c, int i, const struct arg_def *a)
{
	iov(c, i, a, MEM_IN, UINT64_MAX, true);
}

void a_iov_out(struct dc *c, int i, const struct arg_def *a)
{
	bool filled = !c->failed && !c->entered;
	iov(c, i, a, MEM_OUT, filled ? (uint64_t)c->e->ret : UINT64_MAX, filled);
}

void a_iov_plain(struct dc *c, int i, const struct arg_def *a)
{
	iov(c, i, a, MEM_IN, UINT64_MAX, false);
}

struct_fn struct_iocb;

void struct_iocb(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "aio_data");
	v_hex(c, mem_u(m, 0, 8));
	v_field(c, "aio_lio_opcode");
	v_enum(c, X_iocb_cmd, mem_u(m, 16, 2));
	if (mem_u(m, 18, 2)) {
		v_field(c, "aio_reqprio");
		v_s(c, mem_s(m, 18, 2));
	}
	v_field(c, "aio_fildes");
	v_fd(c, mem_s(m, 20, 4));
	v_field(c, "aio_buf");
	v_addr(c, mem_u(m, 24, 8));
	v_field(c, "aio_nbytes");
	v_u(c, mem_u(m, 32, 8));
	v_field(c, "aio_offset");
	v_s(c, mem_s(m, 40, 8));
	v_close(c, '}');
}

void a_iocbs(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t count = arg(c, a->len);
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < c->word) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '[');
	for (uint64_t k = 0; k < count; k++) {
		v_item(c);
		if ((k + 1) * c->word > m.n || (k >= IOV_SHOWN && !whole(c))) {
			v_word(c, "...");
			break;
		}
		v_struct_at(c, ST_iocb, mem_u(&m, k * c->word, c->word), MEM_IN);
	}
	v_close(c, ']');
}
