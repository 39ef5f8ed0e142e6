/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sorted table of named address ranges: one ELF file's, the kernel's, or a JIT's.
 *
 * Filled in any order, then closed with symtab_finish(), which gives sizeless symbols an end and keeps
 * one name for each address by perf's rules, so that reports carry perf's names. Names are not copied:
 * they point into buffers that the table was given to own. */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/vec.h"
#include "symbol/file/elffile.h"

struct sym {
	uint64_t start, end; /* end == start: size unknown */
	const char *name; /* as in the file; demangled in place on first use */
	uint32_t order; /* of insertion, so that sorting is stable */
	uint16_t module; /* kallsyms: 0 the kernel, else index into symtab.module */
	uint8_t bind; /* STB_* */
	bool demangled : 1, plt : 1; /* either: behind the name and its end stands what it was made of */
};

struct sym_file { uint64_t start; const char *file; };
struct symtab {
	VEC(struct sym) sym;
	VEC(struct sym) plt; /* while an ELF file is loaded */
	VEC(void *) owned; /* string tables */
	VEC(struct sym_file) file; /* of local functions, sorted once it is asked for */
	bool file_sorted;
	VEC(const char *) module; /* [0] is NULL; "[name]", pointers into owned buffers */
	VEC(uint64_t) time; /* of a JIT whose code was written over: when each symbol came, by its order; else empty */
	VEC(uint64_t) change; /* and when an address got another name, in order */
	uint64_t text; /* address of _text, the kernel's anchor; 0: none */
	bool no_demangle;
};

void symtab_release(struct symtab *t);
void symtab_own(struct symtab *t, void *buffer);
void symtab_add(struct symtab *t, uint64_t start, uint64_t size, const char *name, uint8_t bind);
/* Sort, ends, aliases. kallsyms: a gap between kernel and modules is not filled. */
void symtab_finish(struct symtab *t, bool kallsyms);
/* For code that is written over (JITs): a later symbol cuts or replaces the earlier it overlaps. */
void symtab_finish_latest(struct symtab *t);
/* For such code when it is known when each symbol came (t->time has one for every symbol added): keeps all, for
 * symtab_find_at(); t->change tells when answers change. When nothing overlaps it is an ordinary table. */
void symtab_finish_timed(struct symtab *t);
/* As symtab_find(), of the names that were there at that time. */
struct sym *symtab_find_at(struct symtab *t, uint64_t addr, uint64_t time);
struct sym *symtab_find(struct symtab *t, uint64_t addr); /* NULL: none covers it */
const char *symtab_name(struct symtab *t, struct sym *s); /* demangled */
void symtab_full_name(struct symtab *t, const struct sym *s, struct str *out); /* with the types of its parameters, as objdump says it */
const char *symtab_file(struct symtab *t, uint64_t start); /* of the local symbol that starts there; NULL: not known */
const char *symtab_module(struct symtab *t, const struct sym *s); /* "[name]"; NULL: the kernel */

/* Adds .symtab, then .dynsym (each finished as perf does), then names for the PLT slots of runtime.
 * Addresses are the file's own (st_value). Returns how many symbols there are. */
size_t symtab_load_elf(struct symtab *t, const struct elf_file *syms, const struct elf_file *runtime);
/* Go's own table of functions, for binaries without .symtab. */
size_t symtab_load_go(struct symtab *t, const struct elf_file *e);
/* The text of /proc/kallsyms (owned from here on). -ENODATA: all addresses are hidden. */
int symtab_load_kallsyms(struct symtab *t, char *text, size_t n);
/* perf-PID.map: "START SIZE name" lines, numbers in hexadecimal with or without 0x (owned from here on). */
void symtab_load_perf_map(struct symtab *t, char *text, size_t n);
#endif
