/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about source to the debug information of one file: where is this function, line or
 * pattern; which variables are there and how does a probe fetch them; which lines have code.
 *
 * The file is mapped and read lazily: a name is first found as the offset of its string, that
 * offset is searched for in .debug_info, and only the units that hold it are ever parsed. */
#ifndef SYMBOL_DWARF_DWARF_H
#define SYMBOL_DWARF_DWARF_H
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "symbol/fetch.h"

struct build_id;
struct dwarf_file;

/* "vfs_*" means many functions; the star in "f(char const*)" does not. */
static inline bool function_is_glob(const char *name)
{
	return glob_has(name) && !strpbrk(name, "(<");
}

/* path: the file with DWARF. text: the ELF file that runs (its .eh_frame is wanted), borrowed, may be
 * NULL. -errno, no pending error. */
int dwarf_file_open(struct dwarf_file **out, const char *path, Elf *text);
void dwarf_file_close(struct dwarf_file *f);
/* All of it is in this file, and in that of dwarf_file_alt(): nothing in a package, or split off. */
bool dwarf_file_is_whole(struct dwarf_file *f);
/* The file that it shares with others (dwz): its build-id, and its path for the caller to free. id->n 0: there is none; NULL: it
 * is not found. */
char *dwarf_file_alt(struct dwarf_file *f, struct build_id *id);
/* Its ELF file; a module's sections have the addresses that the debug information counts with. */
Elf *dwarf_file_elf(struct dwarf_file *f);

/* Addresses that the symbol table has for a name. */
typedef size_t dwarf_alias(void *ctx, const char *name, uint64_t *out, size_t max);

struct dwarf_query {
	const char *function; /* may hold wildcards; NULL: by file */
	const char *file; /* a path or its tail */
	const char *pattern; /* lazy: matched against source lines, blanks ignored */
	const char *source; /* -s */
	int line;
	bool has_line;
	bool no_inlines, ret;
	bool nested; /* of a pattern also the copies inside of functions that it fits */
	bool vars; /* variables will be asked for: unoptimized code is probed behind the prologue */
	uint64_t offset;
	int max;
	dwarf_alias *alias; /* for names that the source does not have; may be NULL */
	void *alias_ctx;
};

/* One place in the code that a query means. */
struct dwarf_place {
	Dwarf_Die cu; /* of the line table */
	Dwarf_Die func; /* the function in whose code it is */
	Dwarf_Die scope; /* the function meant: func itself or an inlined copy */
	uint64_t addr, func_addr;
	const char *func_name;
	int decl_line; /* of scope; 0 unknown */
	bool moved; /* behind the prologue */
};
typedef VEC(struct dwarf_place) dwarf_places;
/* Where the source begins with the function that the place means; the path as the compiler named it, the file's. false: not known. */
bool dwarf_place_decl(const struct dwarf_place *p, const char **path, int *line);
bool dwarf_place_line(const struct dwarf_place *p, const char **path, int *line); /* the same of its address */

/* -ENOENT: no such function, file or line, with a pending error. */
int dwarf_find(struct dwarf_file *f, const struct dwarf_query *q, dwarf_places *out);

/* ---- variables ---- */
struct dwarf_value {
	struct fetch at;
	char *type; /* owned; NULL: the kernel's default */
	/* Go's strings and slices, Rust's &str: how many bytes or elements there are, of which the kernel knows nothing. */
	bool counted, text; /* text: bytes that are letters; type is NULL then */
	struct fetch length;
};
/* The fetch argument. Pending error says where the variable is available when not here. */
int dwarf_fetch(struct dwarf_file *f, const struct dwarf_place *p, const struct fetch_want *w, struct dwarf_value *out);
/* Is there a variable of that name, available or not? */
bool dwarf_has_variable(struct dwarf_file *f, const struct dwarf_place *p, const char *name);
/* Where parameter n (from 1) of the C function at addr is on its entry. 1: out says it; 0: not known (no such function, another
 * language, no such parameter); -ENOTSUP with a pending error: in a register that no probe reads. */
int dwarf_fetch_param(struct dwarf_file *f, uint64_t addr, int n, struct fetch *out);
/* Can a return probe have the result of the function at addr? -ENOTSUP with a pending error: it is in a register that no
 * probe reads. 0 also where the function is not known. */
int dwarf_check_result(struct dwarf_file *f, uint64_t addr);
struct dwarf_var {
	char *type, *name;
	bool param;
	bool here; /* available at the place */
	char *ranges; /* "func+[0-39,39-145]"; NULL unless asked */
};
typedef VEC(struct dwarf_var) dwarf_vars;
/* What is in scope: available things only, or with ranges also those available elsewhere. */
int dwarf_list_vars(struct dwarf_file *f, const struct dwarf_place *p, bool externs, bool ranges, dwarf_vars *out);
void dwarf_vars_release(dwarf_vars *v);
/* Names for $params and $vars, in the order of the source. */
void dwarf_var_names(struct dwarf_file *f, const struct dwarf_place *p, bool params_only, wordlist *out);

/* ---- types ---- */
bool dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type); /* of a variable, a member, a pointer; false: void */
bool dwarf_strip(Dwarf_Die *type, Dwarf_Die *out); /* typedefs and qualifiers off; false: void */
bool dwarf_number(Dwarf_Die *die, unsigned attr, int64_t *v); /* an attribute that is a constant, with its sign */
/* What the function at addr returns; false: nothing, or it is not known. */
bool dwarf_result_type(struct dwarf_file *f, uint64_t addr, Dwarf_Die *type);
/* A type's definition by its name, such as DW_TAG_structure_type and "task". */
bool dwarf_find_type(struct dwarf_file *f, const char *name, int tag, Dwarf_Die *out);
/* A constant of an enum at the top of a unit. */
bool dwarf_find_constant(struct dwarf_file *f, const char *name, int64_t *value);
/* Of a member or a base class: its first bit in the structure, and how many of a bit-field (0: it is none). false: nobody can tell
 * (a virtual base). */
bool dwarf_member_at(Dwarf_Die *member, int64_t *bit, int *bits);
/* Where the variable is at the place, and its type, of which the steps behind it are the caller's. As dwarf_fetch otherwise; at may be
 * what fetch_check() refuses: a computed address. -ENOTSUP: it is in several pieces. */
int dwarf_variable(struct dwarf_file *f, const struct dwarf_place *p, const char *name, struct fetch *at, Dwarf_Die *type);

/* ---- lines ---- */
struct dwarf_lines {
	char *file; /* as the compiler named it */
	char *comp_dir;
	char *function; /* NULL: by file */
	int base; /* the function's first line, 0 without one */
	int last; /* last line that has code */
	VEC(int) lines; /* that have code, sorted */
};
int dwarf_find_lines(struct dwarf_file *f, const char *function, const char *file, dwarf_alias *alias, void *alias_ctx,
		     struct dwarf_lines *out);
void dwarf_lines_release(struct dwarf_lines *l);

/* ---- back from an address ---- */
struct dwarf_spot {
	char *function; /* NULL: none */
	char *file;
	int line; /* relative to the function; -1 when only the offset is known */
	uint64_t offset;
};
int dwarf_describe(struct dwarf_file *f, uint64_t addr, struct dwarf_spot *out);
void dwarf_spot_release(struct dwarf_spot *s);

/* Reads a source file by the names the compiler left. Pending error names every path tried. */
int source_open(const char *file, const char *comp_dir, const char *source_dir, char **path);
#endif
