/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF as it is in the file: types by their number and by their name, read where they are. Nothing is trusted: what is handed
 * out lies within the file. Opening costs one walk over the heads of all types, some milliseconds for the kernel's own. */
#ifndef SYMBOL_BTFTYPES_H
#define SYMBOL_BTFTYPES_H
#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_file;
/* Of the running kernel; module: "nf_tables", on top of base, which must outlive it. -errno, no pending error. */
int btf_file_open(struct btf_file **out, const char *module, struct btf_file *base);
/* Of bytes, which are copied. NULL: this is no BTF. base may be NULL. */
struct btf_file *btf_file_of(const void *bytes, size_t n, struct btf_file *base);
void btf_file_close(struct btf_file *b);

uint32_t btf_file_count(const struct btf_file *b); /* numbers are from 1 to below this */
/* With all that belongs to it behind it (members, parameters). NULL: void, or no such number. */
const struct btf_type *btf_file_type(const struct btf_file *b, uint32_t id);
const char *btf_file_name(const struct btf_file *b, uint32_t off); /* "" where there is none; never NULL */
/* The first type of that name whose kind is in the set of 1 << BTF_KIND_x, from number `from` on; a module's own before the
 * kernel's. 0: none. */
uint32_t btf_file_find(const struct btf_file *b, const char *name, uint32_t kinds, uint32_t from);
/* The enumeration that has such a constant, and which one: 0: none. */
uint32_t btf_file_find_constant(const struct btf_file *b, const char *name, int64_t *value);
/* Without typedefs (unless they are to stay), const, volatile and tags. 0: void, or a circle. */
uint32_t btf_file_strip(const struct btf_file *b, uint32_t id, bool typedefs);
#endif
