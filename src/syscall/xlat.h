/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Named constants. The tables are data (tables/constants.def and its neighbours); each names the kernel
 * header it comes from. A value of 0 in a table of flags is what stands for "no bit set". */
#ifndef SYSCALL_XLAT_H
#define SYSCALL_XLAT_H
#include <stdbool.h>
#include <stdint.h>

struct xval { const char *name; uint64_t value; };
struct xlat {
	const struct xval *val;
	uint16_t n;
	uint8_t prefix_len; /* dropped in perf's form */
	const char *unknown; /* "O_???" */
	const char *header;
};

#define TABLE(t, prefix, unknown, header) X_##t,
#define V(name, value)
#define END(t)
enum xlat_id { X_none,
#include "syscall/tables/constants.def"
	X_COUNT };
#undef TABLE
#undef V
#undef END

const struct xlat *xlat(enum xlat_id id);
/* The name of exactly this value; NULL when it has none. */
const char *xlat_name(enum xlat_id id, uint64_t v);
/* The value of a constant by its whole name, in whichever table it is. */
bool xlat_value(const char *name, uint64_t *v);
#endif
