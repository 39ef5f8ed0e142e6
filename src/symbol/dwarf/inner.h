/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the dwarf_*.c files share. */
#ifndef SYMBOL_DWARF_INNER_H
#define SYMBOL_DWARF_INNER_H
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include "symbol/dwarf/dwarf.h"
#include "symbol/symbols.h"

struct dwarf_bytes { const uint8_t *p; size_t n; };

struct dwarf_file {
	char *path;
	int fd;
	Elf *elf, *text;
	Dwarf *dw;
	Dwfl *dwfl; /* modules are relocated by it */
	Dwarf_CFI *cfi_eh, *cfi_debug;
	bool cfi_tried;
	struct dwarf_bytes info, str, alt_info, alt_str;
	Dwarf *alt, *given_alt; /* given_alt: opened by us, not by libdw */
	int alt_fd; /* of given_alt */
	char *missing_dwo; /* a split part that was not found; owned */
	bool packed; /* there was a .dwp file */
	int across; /* do units refer to each other's functions? 0 not looked up, 1 yes, -1 no */
	bool has_str_offsets; /* names may be indices: units are walked instead of searched */
	struct build_id id;
};

typedef VEC(Dwarf_Die) dwarf_dies;

/* file.c: a section, uncompressed; empty when there is none. */
struct dwarf_bytes dwarf_elf_bytes(Elf *elf, const char *name);
struct dwarf_bytes dwarf_section_bytes(struct dwarf_file *f, const char *name);

/* dwp.c: PROGRAM.dwp; NULL when there is none that can be read. */
struct dwarf_package *dwarf_package_open(const char *program);
void dwarf_package_close(struct dwarf_package *k);
/* Before dwarf_begin_elf: fd, of a program mapped with ELF_C_READ_MMAP_PRIVATE, passes for a file in /proc. */
int dwarf_package_disguise(int fd);
/* After it: every skeleton that the package knows gets its split unit. */
void dwarf_package_provide(const struct dwarf_package *k, Dwarf *dw);

/* named.c: are the files that it names, and that libdw will open by itself, plain files, or not there? path: where it is. */
bool dwarf_names_plain(Dwarf *dw, const char *path);
/* For Dwfl_Callbacks: as libdwfl's own, but not where the name that the file gives leads to something else. */
int dwarf_find_debuginfo(Dwfl_Module *m, void **user, const char *module, Dwarf_Addr base, const char *file, const char *link,
			 GElf_Word crc, char **found);

/* scan.c: function DIEs of that name. found: themselves; walk: units in which to look. */
struct dwarf_hits {
	dwarf_dies found; /* concrete C functions */
	dwarf_dies walk; /* unit DIEs whose whole tree has to be looked through */
};
void dwarf_scan(struct dwarf_file *f, const char *name, struct dwarf_hits *out);
void dwarf_hits_release(struct dwarf_hits *h);
/* cache.c: the same, remembered in the user's cache folder for big files. */
bool dwarf_cache_get(struct dwarf_file *f, const char *name, struct dwarf_hits *out);
void dwarf_cache_put(struct dwarf_file *f, const char *name, struct dwarf_hits *hits);
/* Do units refer to each other (link-time optimization, dwz)? */
bool dwarf_refers_across(struct dwarf_file *f);
/* DIEs elsewhere that refer to this abstract one across units. */
void dwarf_scan_refs(struct dwarf_file *f, Dwarf_Die *abstract, dwarf_dies *out);
/* A global variable that some unit defines. */
bool dwarf_scan_variable(struct dwarf_file *f, const char *name, Dwarf_Die *var);
/* The definition of a structure that another unit only declares. */
bool dwarf_scan_struct(struct dwarf_file *f, const char *name, int tag, Dwarf_Die *out);
/* Every unit of the file (the split part where there is one). */
bool dwarf_unit_next(struct dwarf_file *f, Dwarf_CU **cursor, Dwarf_Die *skeleton, Dwarf_Die *root);
Dwarf_Die dwarf_unit_root(Dwarf_Die *skeleton); /* of one unit the same */

/* func.c */
int dwarf_entry(Dwarf_Die *die, uint64_t *addr);
bool dwarf_unit_of(Dwarf_Die *die, Dwarf_Die *cu); /* the unit with the line table */
/* The unit that holds the address; there need not be .debug_aranges. */
bool dwarf_unit_at(struct dwarf_file *f, uint64_t addr, Dwarf_Die *cu);
bool dwarf_function_at(struct dwarf_file *f, Dwarf_Die *cu, uint64_t addr, Dwarf_Die *func);
bool dwarf_name_is(Dwarf_Die *die, const char *want);
const char *dwarf_name(Dwarf_Die *die); /* never NULL */
/* Functions and their inlined copies that hold the address, outermost first. */
void dwarf_scopes_at(Dwarf_Die *func, uint64_t addr, dwarf_dies *out);
bool dwarf_is_c(Dwarf_Die *cu);
int dwarf_add_place(struct dwarf_file *f, const struct dwarf_query *q, Dwarf_Die *cu, Dwarf_Die *scope,
		    uint64_t addr, dwarf_places *out);

/* line.c */
bool dwarf_path_matches(const char *path, const char *tail);
const char *dwarf_decl_path(Dwarf_Die *die);
/* Where a function is written: by its declaration, else by the line of its first instruction (Go). */
bool dwarf_decl(Dwarf_Die *die, const char **path, int *line);
int dwarf_places_by_line(struct dwarf_file *f, const struct dwarf_query *q, Dwarf_Die *cu, const char *file,
			 int line, Dwarf_Die *within, dwarf_places *out);
int dwarf_places_by_file(struct dwarf_file *f, const struct dwarf_query *q, dwarf_places *out);
int dwarf_places_by_pattern(struct dwarf_file *f, const struct dwarf_query *q, Dwarf_Die *cu, Dwarf_Die *func,
			    const char *file, dwarf_places *out);
uint64_t dwarf_prologue_end(Dwarf_Die *cu, Dwarf_Die *func, uint64_t entry);
/* Lines of [start, end) ranges, for "available at lines 14 to 19". */
bool dwarf_line_at(Dwarf_Die *cu, uint64_t addr, const char **file, int *line);

/* loc.c: where the DIE's value is at addr. -ENOENT: not there at all; -ENOTSUP: cannot be
 * fetched, *why says so; -ERANGE: elsewhere. */
struct dwarf_pieces {
	struct { struct fetch at; int64_t off, size; } piece[16];
	int n;
};
bool dwarf_location(Dwarf_Die *var, Dwarf_Attribute *a); /* DW_AT_location, in a form that libdw takes */
int dwarf_locate(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, struct fetch *out,
		 struct dwarf_pieces *pieces, const char **why);
bool dwarf_var_ranges(Dwarf_Die *var, int (*fn)(uint64_t start, uint64_t end, void *ctx), void *ctx);

/* abi.c: where the convention hands the parameter over at the function's entry: out, or several pieces. false: not known. */
bool dwarf_abi_param(Dwarf_Die *func, Dwarf_Die *param, struct fetch *out, struct dwarf_pieces *pieces);
/* Is the result where a probe finds $retval? If not, where says "TYPE, which is in REGISTER". */
bool dwarf_abi_result(Dwarf_Die *func, bool is_c, struct str *where);

/* type.c */
void dwarf_var_type_name(Dwarf_Die *var, struct str *out);
bool dwarf_strip_qualifiers(Dwarf_Die *type, Dwarf_Die *out); /* but no typedefs */
void dwarf_add_type_name(Dwarf_Die *type, struct str *out);
uint64_t dwarf_var_size(Dwarf_Die *var); /* 0: unknown */
/* From the variable, which is at value->at, to what is asked for; what is counted has its type and length then. */
int dwarf_walk_steps(struct dwarf_file *file, const struct fetch_want *w, Dwarf_Die *type, struct dwarf_pieces *pieces,
		     struct dwarf_value *value, Dwarf_Die *out);
int dwarf_choose_type(const struct fetch_want *w, Dwarf_Die *type, struct fetch *f, char **out);
#endif
