/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A shared object with one function in it, made of what a JIT tells of its code: so that it is found again when the process has
 * gone, by any tool. */
#ifndef SYMBOL_FILE_ELFWRITE_H
#define SYMBOL_FILE_ELFWRITE_H
#include "base/str.h"
#include "symbol/jitdump.h"
#include "symbol/symbols.h"

enum { ELF_FUNCTION_AT = 0x80 }; /* where the code is, in the file and in its address space */
struct elf_function {
	uint32_t machine; /* EM_* */
	const char *name;
	const uint8_t *code;
	uint64_t size;
	uint64_t addr; /* where it was; lines are told by that */
	const struct jit_lines *lines; /* a cursor at their beginning; NULL: none */
};
/* Appends the file. id: the build-id that it has got, which depends on all of the above. */
void elf_function_make(struct str *out, const struct elf_function *f, struct build_id *id);
#endif
