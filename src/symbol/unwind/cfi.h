/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frame information, compiled.
 *
 * .eh_frame (and, where that says nothing, .debug_frame) is scanned once into a sorted index of
 * functions. A function's program is run when an address first falls into it and leaves rows
 * (address, rules); equal rules are kept once. Afterwards an address costs two binary searches. */
#ifndef SYMBOL_UNWIND_CFI_H
#define SYMBOL_UNWIND_CFI_H
#include <stdbool.h>
#include <stdint.h>
#include "arch/unwind.h"
#include "symbol/file/elffile.h"

enum cfi_kind { CFI_NONE, CFI_UNDEFINED, CFI_SAME, CFI_OFFSET, CFI_VAL_OFFSET, CFI_REGISTER, CFI_EXPR, CFI_VAL_EXPR };
struct cfi_rule {
	uint8_t reg, kind;
	uint16_t len; /* of the expression */
	int32_t off; /* offset, or register number */
	const uint8_t *expr;
};
struct cfi_rules {
	struct cfi_rule cfa; /* CFI_OFFSET: register + off; CFI_EXPR */
	uint8_t n;
	uint8_t ra; /* DWARF number of the return address */
	bool signal; /* a signal frame: the caller's pc is exact */
	struct cfi_rule save[UNWIND_REGS];
};

struct cfi;
/* debug: a file with .debug_frame, or NULL. Never NULL; without CFI cfi_find finds nothing. */
struct cfi *cfi_open(const struct elf_file *runtime, const char *debug);
void cfi_free(struct cfi *c);
const struct cfi_rules *cfi_find(struct cfi *c, uint64_t addr); /* NULL: no CFI there */
/* The function around addr, as far as unwinding knows it; false: none. */
bool cfi_bounds(struct cfi *c, uint64_t addr, uint64_t *start, uint64_t *size);
#endif
