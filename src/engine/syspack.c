// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/syspack.h"
#include <string.h>

enum { MAGIC = 0x31534e53, VERSION = 1, PAD = 8 }; /* "SNS1" */
enum { F_ARGS = 1, F_NO_RETURN = 2, F_SEEN = 4, F_GROUP = 8, F_BARE = 16, F_SILENT = 32, F_CORE = 64, F_STOPS = 128 };
enum { C_EXIT = 1, C_LATE = 2, C_FAULT = 4, C_CUT = 8 };
/* Pieces behind the copies, which older readers do not look at: `row` says what it is. */
enum { EXTRA = 0xff, EXTRA_PARENT = 1, EXTRA_OLD_COMM, EXTRA_LOCAL };

struct head {
	uint32_t magic;
	uint16_t version, n_copied;
	uint8_t type, abi, flags, tampered;
	int32_t pid, tid, cpu, nr;
	uint64_t enter_time, time;
	char comm[16];
	uint64_t args[6];
	int64_t ret;
	int32_t sig, exit_code, sig_code, sig_pid, sig_uid, sig_status;
	uint64_t sig_addr, lost;
	int32_t child_pid, child_tid, old_tid;
	uint16_t n_kstack, n_ustack;
};

struct pack_piece {
	uint8_t arg, row, flags, part;
	uint32_t len;
	uint64_t addr, full_len;
};

static void write_copy(struct str *out, const struct copied *c)
{
	struct pack_piece p = { .arg = c->arg, .row = c->row, .part = c->part, .len = c->len, .addr = c->addr,
			   .full_len = c->full_len,
			   .flags = (c->at_exit ? C_EXIT : 0) | (c->late ? C_LATE : 0) | (c->faulted ? C_FAULT : 0) |
				    (c->truncated ? C_CUT : 0) };
	if (out->len + sizeof(p) + c->len + PAD > SYSPACK_MAX) {
		p.len = 0;
		p.flags |= C_FAULT;
	}
	str_addn(out, &p, sizeof(p));
	str_addn(out, c->data, p.len);
	str_addn(out, "\0\0\0\0\0\0\0", -p.len & (PAD - 1));
}

static void write_extra(struct str *out, int kind, uint64_t number, const void *data, size_t n)
{
	write_copy(out, &(struct copied){ .arg = EXTRA, .row = kind, .addr = number, .data = data, .len = n });
}

static void write_extras(struct str *out, const struct sysevent *e)
{
	if (e->ppid)
		write_extra(out, EXTRA_PARENT, e->ppid, e->parent, sizeof(e->parent));
	if (*e->old_comm)
		write_extra(out, EXTRA_OLD_COMM, 0, e->old_comm, sizeof(e->old_comm));
	if (e->local.len)
		write_extra(out, EXTRA_LOCAL, e->local.fd, e->local.addr, e->local.len);
}

void syspack_write(struct str *out, const struct sysevent *e)
{
	size_t start = out->len;
	struct head h = { .magic = MAGIC, .version = VERSION, .type = e->type, .tampered = e->tampered, .abi = e->abi, .pid = e->pid, .tid = e->tid,
			  .cpu = e->cpu, .nr = e->nr, .enter_time = e->enter_time, .time = e->time, .ret = e->ret,
			  .sig = e->sig, .exit_code = e->exit_code, .sig_code = e->sig_code, .sig_pid = e->sig_pid,
			  .sig_uid = e->sig_uid, .sig_status = e->sig_status, .sig_addr = e->sig_addr, .lost = e->lost,
			  .child_pid = e->child_pid, .child_tid = e->child_tid, .old_tid = e->old_tid };
	h.flags = (e->args_known ? F_ARGS : 0) | (e->no_return ? F_NO_RETURN : 0) | (e->seen_enter ? F_SEEN : 0) |
		  (e->group_exit ? F_GROUP : 0) | (e->sig_bare ? F_BARE : 0) | (e->silent ? F_SILENT : 0) |
		  (e->core_dumped ? F_CORE : 0) | (e->stops ? F_STOPS : 0);
	h.n_copied = e->n_copied < SYSPACK_COPIES ? e->n_copied : SYSPACK_COPIES;
	h.n_kstack = e->n_kstack < SYSPACK_STACK ? e->n_kstack : SYSPACK_STACK;
	h.n_ustack = e->n_ustack < SYSPACK_STACK ? e->n_ustack : SYSPACK_STACK;
	memcpy(h.comm, e->comm, sizeof(h.comm));
	memcpy(h.args, e->args, sizeof(h.args));
	str_addn(out, &h, sizeof(h));
	str_addn(out, e->kstack, h.n_kstack * 8ul);
	str_addn(out, e->ustack, h.n_ustack * 8ul);
	struct str body = STR_INIT;
	str_addn(&body, out->buf + start, out->len - start); /* bounds count from the record's own start */
	out->len = start;
	for (unsigned i = 0; i < h.n_copied; i++)
		write_copy(&body, &e->copied[i]);
	write_extras(&body, e);
	str_addn(out, body.buf, body.len);
	str_release(&body);
}

/* The piece at *at, which is moved on; false: there is none, or it is damaged. */
static bool read_piece(const uint8_t *p, size_t n, size_t *at, struct pack_piece *c)
{
	if (n - *at < sizeof(*c))
		return false;
	memcpy(c, p + *at, sizeof(*c));
	size_t padded = c->len + (-(size_t)c->len & (PAD - 1));
	if (c->len > SYSPACK_MAX || padded > n - *at - sizeof(*c))
		return false;
	*at += sizeof(*c) + padded;
	return true;
}

static const uint8_t *piece_data(const uint8_t *p, size_t behind, const struct pack_piece *c)
{
	return p + behind - (c->len + (-(size_t)c->len & (PAD - 1)));
}

static unsigned read_copies(const uint8_t *p, size_t n, size_t *at, unsigned count, struct copied *out)
{
	for (unsigned i = 0; i < count; i++) {
		struct pack_piece c;
		if (!read_piece(p, n, at, &c) || c.arg > 5)
			return i;
		out[i] = (struct copied){ .arg = c.arg, .row = c.row, .part = c.part, .at_exit = c.flags & C_EXIT,
					  .late = c.flags & C_LATE, .faulted = c.flags & C_FAULT,
					  .truncated = c.flags & C_CUT, .addr = c.addr, .full_len = c.full_len,
					  .len = c.len, .data = piece_data(p, *at, &c) };
	}
	return count;
}

static void read_extras(const uint8_t *p, size_t n, size_t at, struct sysevent *e)
{
	struct pack_piece c;
	while (read_piece(p, n, &at, &c) && c.arg == EXTRA) {
		const uint8_t *data = piece_data(p, at, &c);
		size_t name = c.len < sizeof(e->comm) ? c.len : sizeof(e->comm) - 1;
		if (c.row == EXTRA_PARENT) {
			e->ppid = c.addr;
			memcpy(e->parent, data, name);
		} else if (c.row == EXTRA_OLD_COMM) {
			memcpy(e->old_comm, data, name);
		} else if (c.row == EXTRA_LOCAL && c.len <= sizeof(e->local.addr)) {
			e->local.fd = c.addr;
			e->local.len = c.len;
			memcpy(e->local.addr, data, c.len);
		}
	}
}

bool syspack_read(const void *data, size_t n, struct sysevent *e, struct syspack_room *room)
{
	const uint8_t *p = data;
	struct head h;
	if (n < sizeof(h))
		return false;
	memcpy(&h, p, sizeof(h));
	size_t stacks = (h.n_kstack + (size_t)h.n_ustack) * 8;
	if (h.magic != MAGIC || h.version != VERSION || h.type > SYS_TRACEPOINT || h.abi > ABI_X32 ||
	    h.n_copied > SYSPACK_COPIES || stacks > n - sizeof(h) || stacks > sizeof(room->stack))
		return false;
	memset(e, 0, sizeof(*e));
	e->type = h.type;
	e->abi = h.abi;
	e->pid = h.pid;
	e->tid = h.tid;
	e->cpu = h.cpu;
	e->nr = h.nr;
	e->enter_time = h.enter_time;
	e->time = h.time;
	e->ret = h.ret;
	e->args_known = h.flags & F_ARGS;
	e->no_return = h.flags & F_NO_RETURN;
	e->seen_enter = h.flags & F_SEEN;
	e->group_exit = h.flags & F_GROUP;
	e->sig_bare = h.flags & F_BARE;
	e->silent = h.flags & F_SILENT;
	e->core_dumped = h.flags & F_CORE;
	e->stops = h.flags & F_STOPS;
	e->sig = h.sig;
	e->exit_code = h.exit_code;
	e->sig_code = h.sig_code;
	e->sig_pid = h.sig_pid;
	e->sig_uid = h.sig_uid;
	e->sig_status = h.sig_status;
	e->tampered = h.tampered;
	e->sig_addr = h.sig_addr;
	e->lost = h.lost;
	e->child_pid = h.child_pid;
	e->child_tid = h.child_tid;
	e->old_tid = h.old_tid;
	memcpy(e->comm, h.comm, sizeof(e->comm));
	e->comm[sizeof(e->comm) - 1] = 0;
	memcpy(e->args, h.args, sizeof(e->args));
	memcpy(room->stack, p + sizeof(h), stacks); /* raw data in a sample is aligned to four bytes only */
	e->kstack = room->stack;
	e->n_kstack = h.n_kstack;
	e->ustack = e->kstack + h.n_kstack;
	e->n_ustack = h.n_ustack;
	e->copied = room->copied;
	size_t at = 0, rest = n - sizeof(h) - stacks;
	p += sizeof(h) + stacks;
	e->n_copied = read_copies(p, rest, &at, h.n_copied, room->copied);
	if (e->n_copied == h.n_copied)
		read_extras(p, rest, at, e);
	return true;
}
