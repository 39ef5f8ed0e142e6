/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF expressions as they occur in call frame information. */
#ifndef SYMBOL_UNWIND_EXPR_H
#define SYMBOL_UNWIND_EXPR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr_context {
	const uint64_t *reg; /* DWARF order */
	unsigned n_regs;
	uint8_t word;
	bool (*read)(void *arg, uint64_t addr, unsigned n, uint64_t *v);
	void *arg;
};
/* False: damaged, too long, or memory that is not at hand. push: put on the stack at start (the CFA). */
bool expr_run(const struct expr_context *x, const uint8_t *p, size_t n, bool has_push, uint64_t push, uint64_t *result);
#endif
