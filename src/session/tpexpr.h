/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a print fmt: libtraceevent's tree of REC->a + 1, compiled into small nodes over offsets.
 *
 * Two ways to work them out. TPEXPR_C is what the kernel prints: fields have their sign, and operators the
 * types that C gives them. TPEXPR_LIBRARY is what libtraceevent makes of the same tree (all is unsigned, so that a
 * char of -6 is 250): only to compare a plan with it. */
#ifndef SESSION_TPEXPR_H
#define SESSION_TPEXPR_H
#include <stdbool.h>
#include <stdint.h>
#include "base/vec.h"

struct tep_event;
struct tep_print_arg;
struct tep_format_field;

enum tpexpr_way { TPEXPR_C, TPEXPR_LIBRARY };
struct tpexprs { VEC(struct tpexpr) at; };

/* The index of the expression, or -1: it has something that is not a number. */
int tpexpr_compile(struct tpexprs *x, struct tep_event *event, struct tep_print_arg *a);
uint64_t tpexpr_eval(const struct tpexprs *x, int i, enum tpexpr_way way, const uint8_t *raw, uint32_t size);
/* Is it just a field, or an element of one, at *off? */
bool tpexpr_offset(const struct tpexprs *x, int i, uint32_t *off);
void tpexprs_release(struct tpexprs *x);

/* The field that an argument names, looked up once. */
struct tep_format_field *tpexpr_field(struct tep_event *event, struct tep_print_arg *a);
/* Bytes of an array's element, 0: unknown. libtraceevent knows those of a probe's array, "s16 x[]", only if they are bytes. */
unsigned tpexpr_element(const struct tep_format_field *fd);
/* How many of a number's bits count: a field of type s4 is a signed number of 4 bits (kernel/argformat.h). */
unsigned tpexpr_bits(const struct tep_format_field *fd, unsigned size);
/* size bytes at off, 0 beyond the record. */
uint64_t tpexpr_read(const uint8_t *raw, uint32_t raw_size, uint64_t off, uint32_t size);
/* The lowest bits of v as a number of that type. */
static inline uint64_t tpexpr_extend(uint64_t v, unsigned bits, bool is_signed)
{
	unsigned shift = bits && bits < 64 ? 64 - bits : 0;
	return is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}
#endif
