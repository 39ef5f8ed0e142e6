/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the syscall table, for the files of this folder. A call is one row in tables/calls.def;
 * each argument says its name, its printer and what memory belongs to it. Plans follow from that. */
#ifndef SYSCALL_TABLE_H
#define SYSCALL_TABLE_H
#include "syscall/structs.h"

struct arg_def;
typedef void arg_fn(struct dc *c, int i, const struct arg_def *a);
typedef void ret_fn(struct dc *c, int64_t ret);
typedef int count_fn(struct dc *c); /* how many arguments mean something in this call */

struct arg_def {
	const char *name;
	const char *label; /* ", name: " */
	arg_fn *print;
	uint8_t kind, when, flags, len; /* as in struct copy_row */
	uint16_t id; /* table or struct */
	uint16_t size; /* bytes of one element, where no struct says it */
	uint8_t label_len;
	const char *type; /* BTF_IN, BTF_OUT: the struct's name in the kernel */
};

struct call_def {
	const char *name;
	uint8_t name_len;
	unsigned classes;
	ret_fn *ret;
	count_fn *count; /* NULL: all */
	struct arg_def arg[6];
};

struct syscall_row {
	const struct call_def *def;
	uint8_t n_args;
	uint8_t abi;
	struct copy_plan plan;
};

/* Does this command of quotactl have an id? The others leave the argument out. */
bool quota_has_id(struct dc *c);

/* Every printer, from the table of calls. */
#define A_(fn) arg_fn a_##fn;
#define R_(fn) ret_fn r_##fn;
#define N_(fn) count_fn n_##fn;
#include "syscall/tables/printers.def"
#undef A_
#undef R_
#undef N_
#endif
