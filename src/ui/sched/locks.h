/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of lock contention, with perf lock contention's columns. */
#ifndef UI_SCHED_LOCKS_H
#define UI_SCHED_LOCKS_H
#include "base/out.h"
#include "base/vec.h"
#include "bpf/lockwait.h"
#include "symbol/symbols.h"

struct lock_row {
	uint64_t id; /* struct lockwait_place */
	uint32_t flags;
	uint64_t count, total, max, min;
	char name[17]; /* of a thread */
	uint64_t ip; /* the caller; 0: not known */
	uint64_t stack[LOCKWAIT_FRAMES]; size_t n_stack;
};
enum lock_field { LOCK_CONTENDED, LOCK_TOTAL, LOCK_MAX, LOCK_MIN, LOCK_AVG, LOCK_N_FIELDS };
struct lock_table {
	struct out *out;
	enum lockwait_by by;
	enum lock_field key; /* sorted by this */
	enum lock_field field[LOCK_N_FIELDS]; size_t n_fields;
	size_t most; /* -E; 0: all */
	const char *separator; /* -x; NULL: a table */
	bool stacks; /* below each row */
	struct symbols *syms;
	VEC(struct lock_row) rows;
};
/* -k and -F: a field by its name; -EINVAL with a pending error. */
int lock_field(const char *name, enum lock_field *f);
/* Bits for lockwait_options.types; -EINVAL with a pending error. */
int lock_types(const char *list, uint64_t *types);
/* The first function of a stack that is none of the locks' own; 0: none is. */
uint64_t lock_caller(struct symbols *syms, const uint64_t *stack, size_t n);
void lock_table_print(struct lock_table *t);
#endif
