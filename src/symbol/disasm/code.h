/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of a function, wherever it is: in a file, in the kernel's memory, in what a JIT wrote down. */
#ifndef SYMBOL_DISASM_CODE_H
#define SYMBOL_DISASM_CODE_H
#include "symbol/symbols.h"

struct code {
	uint8_t *bytes; /* owned */
	size_t n;
	uint64_t addr; /* of the first, in the file's own address space */
	char *file; /* owned; an ELF file that has them at that address; NULL: none */
	char section[64]; /* the name of its section; ".text" where nobody tells */
	bool is32;
};
enum { CODE_MAX = 16 << 20 };
/* f: a frame in it, with dso. start and size: which part of its file (frame.sym_addr, frame.sym_size). -errno with a pending
 * error that says where was looked. */
int code_of(struct symbols *s, const struct frame *f, uint64_t start, uint64_t size, struct code *out);
void code_release(struct code *c);
/* "puts@plt" or "main+0x12": what is at an address of the same file; false: nothing has a name there. */
bool code_name(struct symbols *s, const struct frame *f, uint64_t addr, struct str *out);
/* Where the function around addr begins and how long it is, from .eh_frame: for what has no symbol. */
bool code_bounds(struct symbols *s, const struct frame *f, uint64_t addr, uint64_t *start, uint64_t *size);
#endif
