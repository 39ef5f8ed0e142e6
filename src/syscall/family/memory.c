// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory mappings, policies, futexes. */
#include <string.h>
#include "syscall/table.h"

void a_prot(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_flags(c, X_prot, (uint32_t)arg(c, i));
}

enum { HUGE_SHIFT = 26, HUGE_MASK = 0x3f, HUGETLB = 0x40000, TYPE_MASK = 0xf };

void a_map_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t flags = arg(c, i), huge = 0;
	if (flags & HUGETLB) {
		huge = flags >> HUGE_SHIFT & HUGE_MASK;
		flags &= ~((uint32_t)HUGE_MASK << HUGE_SHIFT);
	}
	if (v_number(c, (uint32_t)arg(c, i), 16))
		return;
	v_parts_begin(c);
	switch (flags & TYPE_MASK) {
	case 1: v_part_flags(c, X_map_flags, 1); break;
	case 2: v_part_flags(c, X_map_flags, 2); break;
	case 3: v_part(c, c->strace ? "MAP_SHARED_VALIDATE" : "SHARED_VALIDATE"); break;
	case 8: v_part(c, c->strace ? "MAP_DROPPABLE" : "DROPPABLE"); break;
	case 0: v_part(c, c->strace ? "MAP_FILE" : "FILE"); break;
	default:
		v_part_hex(c, flags & TYPE_MASK);
		v_comment(c, "MAP_???");
		break;
	}
	if (flags & ~(uint32_t)TYPE_MASK)
		v_part_flags(c, X_map_flags, flags & ~(uint32_t)TYPE_MASK);
	v_part_huge(c, huge, "MAP_HUGE_SHIFT");
	v_parts_end(c);
	v_named(c);
}

/* "21<<MFD_HUGE_SHIFT": the size of huge pages in the upper bits */
void v_part_huge(struct dc *c, uint32_t log, const char *shift)
{
	if (!log)
		return;
	v_part(c, "");
	struct str *s = c->json ? &c->d->scratch : c->out;
	str_add_u64(s, log);
	str_add(s, "<<");
	str_add(s, shift);
}

void a_memfd_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t flags = arg(c, i), huge = flags >> HUGE_SHIFT & HUGE_MASK;
	if (!flags) {
		v_hexnum(c, 0);
		return;
	}
	if (v_number(c, flags, 16))
		return;
	flags &= ~((uint32_t)HUGE_MASK << HUGE_SHIFT);
	v_parts_begin(c);
	if (flags)
		v_part_flags(c, X_memfd_flags, flags);
	v_part_huge(c, huge, "MFD_HUGE_SHIFT");
	v_parts_end(c);
	v_named(c);
}

/* A byte for each page: is it in memory? */
void a_resident(struct dc *c, int i, const struct arg_def *a)
{
	enum { PAGE = 4096, SHOWN = 32 };
	struct mem m;
	uint64_t pages = (arg(c, 1) + PAGE - 1) / PAGE;
	if (c->failed || !mem_find(c, arg(c, i), MEM_OUT, &m) || !arg(c, 1)) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '[');
	for (uint64_t k = 0; k < pages; k++) {
		v_item(c);
		if (k >= m.n || k >= SHOWN) {
			v_word(c, "...");
			break;
		}
		v_u(c, m.p[k] & 1);
	}
	v_close(c, ']');
}

/* mremap's fifth argument counts with MREMAP_FIXED or MREMAP_DONTUNMAP only. */
int n_mremap(struct dc *c)
{
	return arg(c, 3) & 6 ? 5 : 4;
}

/* i386's first mmap: six words in memory. */
void a_old_mmap(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 24) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '{');
	v_field(c, "addr");
	v_addr(c, mem_u(&m, 0, 4));
	v_field(c, "len");
	v_u(c, mem_u(&m, 4, 4));
	v_field(c, "prot");
	v_flags(c, X_prot, mem_u(&m, 8, 4));
	v_field(c, "flags");
	v_flags(c, X_map_flags, mem_u(&m, 12, 4));
	v_field(c, "fd");
	v_fd(c, mem_s(&m, 16, 4));
	v_field(c, "offset");
	v_hexnum(c, mem_u(&m, 20, 4));
	v_close(c, '}');
}

void v_mpol(struct dc *c, uint32_t v)
{
	bool known = xlat_name(X_mpol_mode, v & 0xff);
	v_parts_begin(c);
	if (known)
		v_part_enum(c, X_mpol_mode, v & 0xff);
	if (v & ~0xffu || !known)
		v_part_flags(c, X_mpol_mode_flags, known ? v & ~0xffu : v);
	v_parts_end(c);
}

void a_mpol_mode(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_mpol(c, arg(c, i));
}

enum { QUERY = 0, FLAG_CPU = 1 };

int n_membarrier(struct dc *c)
{
	return arg(c, 1) & FLAG_CPU ? 3 : 2;
}

/* A query answers with the set of commands. */
void r_membarrier(struct dc *c, int64_t ret)
{
	if (c->json || arg(c, 0) != QUERY || ret <= 0) {
		v_s(c, ret);
		return;
	}
	str_add_hex(c->out, ret);
	str_add(c->out, " (");
	v_flags(c, X_membarrier_cmd, ret);
	str_addc(c->out, ')');
}

/* ---- futex ---- */

enum { PRIVATE = 128, REALTIME = 256, COMMAND = 127 };
enum { F_WAIT, F_WAKE, F_FD, F_REQUEUE, F_CMP_REQUEUE, F_WAKE_OP, F_LOCK_PI, F_UNLOCK_PI, F_TRYLOCK_PI, F_WAIT_BITSET,
	F_WAKE_BITSET, F_WAIT_REQUEUE_PI, F_CMP_REQUEUE_PI, F_LOCK_PI2 };

void a_futex_op(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t op = arg(c, i);
	const char *name = xlat_name(X_futex_ops, op & COMMAND & ~0u);
	struct str *s = c->json ? &c->d->scratch : c->out;
	if (name && v_number(c, op, 16))
		return;
	v_parts_begin(c);
	if (name && !(op & ~(uint32_t)(COMMAND | PRIVATE | REALTIME))) {
		v_part(c, c->strace ? name : name + 6);
		if (op & PRIVATE)
			str_add(s, c->strace ? "_PRIVATE" : "|PRIVATE_FLAG");
		if (op & REALTIME)
			v_part(c, c->strace ? "FUTEX_CLOCK_REALTIME" : "CLOCK_REALTIME");
	} else {
		v_part_hex(c, op);
		if (!c->json && c->strace)
			str_add(c->out, " /* FUTEX_??? */");
	}
	v_parts_end(c);
	if (name)
		v_named(c);
}

int n_futex(struct dc *c)
{
	static const uint8_t count[] = { [F_WAIT] = 4, [F_WAKE] = 3, [F_FD] = 3, [F_REQUEUE] = 5, [F_CMP_REQUEUE] = 6,
		[F_WAKE_OP] = 6, [F_LOCK_PI] = 4, [F_UNLOCK_PI] = 2, [F_TRYLOCK_PI] = 2, [F_WAIT_BITSET] = 5, [F_WAKE_BITSET] = 4,
		[F_WAIT_REQUEUE_PI] = 5, [F_CMP_REQUEUE_PI] = 6, [F_LOCK_PI2] = 4 };
	uint32_t op = arg(c, 1) & COMMAND;
	return op < sizeof(count) ? count[op] : 6;
}

static void wake_op(struct dc *c, uint32_t v)
{
	if (c->json || !c->strace) {
		v_hexnum(c, v);
		return;
	}
	str_add(c->out, v >> 28 & 8 ? "FUTEX_OP_OPARG_SHIFT<<28|" : "");
	v_enum(c, X_futex_wakeops, v >> 28 & 7);
	str_addf(c->out, "<<28|%#x<<12|", v >> 12 & 0xfff);
	v_enum(c, X_futex_wakecmps, v >> 24 & 0xf);
	str_addf(c->out, "<<24|%#x", v & 0xfff);
}

static bool is_timed(uint32_t op)
{
	return op == F_WAIT || op == F_LOCK_PI || op == F_WAIT_BITSET || op == F_WAIT_REQUEUE_PI || op == F_LOCK_PI2;
}

static void match_bits(struct dc *c, uint32_t v)
{
	if (v == UINT32_MAX)
		v_const(c, v, "FUTEX_BITSET_MATCH_ANY");
	else
		v_hexnum(c, v);
}

void a_futex(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t op = arg(c, 1) & COMMAND, v = arg(c, i);
	bool wide = c->word == 8 || strstr(c->row->def->name, "time64");
	if (i == 4 && op == F_WAIT_BITSET) { /* the second address means nothing: the bits take its place */
		i = 5;
		v = arg(c, 5);
	}
	if (i == 3 && is_timed(op))
		v_struct_at(c, wide ? ST_timespec64 : ST_timespec, arg(c, 3), MEM_IN);
	else if (i == 3 && op == F_WAKE_BITSET)
		match_bits(c, arg(c, 5));
	else if (i == 5 && op == F_WAKE_OP)
		wake_op(c, v);
	else if (i == 5 && op == F_WAIT_BITSET)
		match_bits(c, v);
	else if (i == 4 || (i > 2 && op > F_LOCK_PI2))
		a_hex(c, i, a);
	else if (i == 2 || i == 3 || i == 5)
		v_u(c, v);
	else
		a_hex(c, i, a);
}
