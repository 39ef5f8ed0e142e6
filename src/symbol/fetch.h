/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value that a probe can fetch, while it is being put together.
 *
 * The kernel's fetch language knows: a register, a fixed address, a constant, and memory at an offset
 * from any of these, nested. So a value under construction is a base, a row of dereferences, and a
 * constant not yet added; `memory` tells whether the thing meant lies at that address or is that
 * number itself. "local->field[2].z" in %rdi walks like this:
 *     %di                          number
 *     ->field   %di + 16           in memory
 *     [2]       %di + 72           in memory
 *     .z        %di + 92           in memory, printed as +92(%di)                                    */
#ifndef SYMBOL_FETCH_H
#define SYMBOL_FETCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

/* One step behind a variable: .name, ->name or [index]. */
struct fetch_step {
	char *name; /* NULL for an index; owned by whoever made it */
	bool arrow; /* -> rather than . */
	int64_t index;
};

/* What the user asked for. */
struct fetch_want {
	const char *var;
	const struct fetch_step *steps;
	size_t n_steps;
	const char *type; /* after ':', or NULL */
	bool kernel; /* a probe in the kernel: user memory is another thing */
	bool have_x; /* the kernel knows x8..x64 */
};

enum fetch_base { FETCH_NONE, FETCH_REG, FETCH_CONST, FETCH_ADDR /* in the file's own space */ };
enum { FETCH_DEPTH = 32 };

struct fetch {
	enum fetch_base base;
	int reg; /* DWARF number */
	uint64_t num; /* FETCH_CONST, FETCH_ADDR */
	int64_t deref[FETCH_DEPTH]; /* offsets, innermost first */
	int n_deref;
	int64_t add; /* not yet dereferenced */
	bool memory;
	bool user; /* user memory, read by a kernel probe */
	int bit_off, bit_size; /* bits within the value; size 0: all of it */
	int bit_box; /* bits of the integer they are cut out of */
	bool zero_above; /* the value is wider than its bits: those above are zero, whatever its type */
};

/* The probe's type of a number that is cut out of a wider one by its bits; f may be moved so that the kernel's own types do.
 * cast: what the user wrote behind ':', or NULL; is_signed: of the source's type. NULL: cast is not a number's.
 *
 * The kernel cuts bits out without their sign. Where they have one, the width is written in hexadecimal, b0x4@2/32, which
 * is the same to the kernel and tells us: see tracefs_event_format(). */
char *fetch_bits_type(struct fetch *f, const char *cast, bool is_signed);
/* The type of a length, of which the argument before it has so many bytes or elements: to the kernel it is u64. */
#define FETCH_LENGTH "b0x40@0/64"

void fetch_reg(struct fetch *f, int reg, int64_t add, bool memory);
void fetch_const(struct fetch *f, uint64_t v);
void fetch_addr(struct fetch *f, uint64_t addr);
/* Keeps bits of a number (not of what is in memory), from off on. -ENOTSUP: it is not one that can be cut. */
int fetch_cut(struct fetch *f, int off, int bits);
/* Replaces what lies in memory by its value. -E2BIG when nested too deep. */
int fetch_load(struct fetch *f);
/* Can it be written in the kernel's language? -ENOTSUP with a reason in *why. */
int fetch_check(const struct fetch *f, const char **why);
/* Writes it. addr_name turns a fixed address into "@sym+8" or "@+0x4010". */
typedef void fetch_addr_name(void *ctx, uint64_t addr, struct str *out);
int fetch_write(const struct fetch *f, fetch_addr_name *fn, void *ctx, struct str *out);
/* The probes' name of a DWARF register of this machine, or NULL: then this is why. */
const char *fetch_reg_name(int reg);
extern const char fetch_no_register[];
#endif
