/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of the CFI compiler. */
#ifndef SYMBOL_UNWIND_CFI_INNER_H
#define SYMBOL_UNWIND_CFI_INNER_H
#include "base/map.h"
#include "base/vec.h"
#include "symbol/unwind/cfi.h"

struct cfi_cursor { const uint8_t *at, *end; bool bad; }; /* bad: something reached beyond the end */
struct cfi_section {
	uint8_t *data;
	size_t len;
	uint64_t addr;
	uint8_t word;
	bool eh; /* .eh_frame, else .debug_frame */
};
struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t fde_enc;
	bool signal, has_data;
	struct cfi_cursor program;
};
enum { FDE_RAW, FDE_READY, FDE_BAD };
struct fde {
	uint64_t start;
	uint32_t len, row, n_rows;
	uint32_t off;
	uint8_t section, state;
};
struct cfi_row { uint32_t pc, rules; };
struct cfi {
	struct cfi_section section[2]; /* .eh_frame, .debug_frame */
	char *debug;
	bool all_indexed;
	VEC(struct fde) fde;
	VEC(struct cfi_row) row;
	VEC(struct cfi_rules *) rules;
	struct u64map by_hash; /* to index + 1 in rules */
};

uint64_t cursor_fixed(struct cfi_cursor *c, size_t n);
uint64_t cursor_uleb(struct cfi_cursor *c);
int64_t cursor_sleb(struct cfi_cursor *c);
uint64_t cursor_pointer(struct cfi_cursor *c, const struct cfi_section *s, uint8_t enc);
bool fde_open(const struct cfi *c, const struct fde *f, struct cie *cie, struct cfi_cursor *program);
/* Runs the function's program; state becomes READY or BAD. */
void fde_compile(struct cfi *c, struct fde *f);
#endif
