/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of what type the memory is that an instruction accesses: by the variables that its debug information has at that address, and
 * by what the instructions before it put into the registers. Only x86-64, and only where libcapstone is there. */
#ifndef SYMBOL_DWARF_DATATYPE_H
#define SYMBOL_DWARF_DATATYPE_H
#include "symbol/symbols.h"

struct data_type {
	const char *name; /* "struct node", "long int[]", "(stack operation)", "(unknown)" */
	int64_t offset; /* in it */
	const char *text; /* "struct node +0x10 (at.sum)" */
};
struct data_types;
int data_types_possible(void); /* -ENOTSUP with a pending error: nothing here tells operands */
struct data_types *data_types_new(struct symbols *s);
void data_types_free(struct data_types *t);
/* The same type and offset are always the same pointer, which lives as long as t. Never NULL. */
const struct data_type *data_type_at(struct data_types *t, const struct frame *f);
#endif
