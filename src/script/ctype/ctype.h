/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C's types, as struct script_type, from where they are written down:
 *
 *   the script's own declarations  struct x { int a; };                      declare.c
 *   a program's DWARF              of the point at hand (point->dwarf)       dwarf.c
 *   the kernel's BTF               vmlinux, then its modules                 btf.c
 *
 * and names are looked up in this order. Numbers (int, unsigned long, u32, size_t) need none of them. All is lazy: no file is
 * opened before a name is asked for that is not known without it, and a struct's members are read with ctype_members().
 *
 * What comes out: TYPE_INT (enums with their constants), TYPE_POINTER (to NULL: void, or what is only declared), TYPE_STRUCT,
 * TYPE_ARRAY, TYPE_FUNCTION. Typedefs and qualifiers are looked through. Pointers have SPACE_ANY, or SPACE_USER where the
 * kernel says __user: whoever makes a value of one says by type_in_space() where it points. */
#ifndef SCRIPT_CTYPE_H
#define SCRIPT_CTYPE_H
#include <elfutils/libdw.h>
#include "base/words.h"
#include "script/type.h"

struct ctypes;
struct dwarf_file;
struct c_type;

struct ctypes *ctypes_new(struct arena *memory); /* types live as long as the arena, members as long as both */
void ctypes_free(struct ctypes *c);
/* What the script declares itself (source->declared). -EINVAL and a pending error: twice, or of what nobody knows. */
int ctypes_declare(struct ctypes *c, const struct script_source *s);

/* "struct task_struct", "union x", "enum y", "unsigned int", "pid_t". dwarf: whose names count before the kernel's, or NULL. NULL:
 * nobody knows it; no pending error. */
struct script_type *ctype_find(struct ctypes *c, struct dwarf_file *dwarf, const char *name);
/* A type as the script writes it: front/parse_type.h. NULL: *unknown is the part of it that nobody knows; no pending error. */
struct script_type *ctype_written(struct ctypes *c, struct dwarf_file *dwarf, struct c_type *t, const struct c_type **unknown);
/* A pointer to a type of that name, which is looked up when it is followed; to void where nobody knows it. */
struct script_type *ctype_pointer_to(struct ctypes *c, const char *name, enum script_space space);
/* Hints for a name that nobody knows: the nearest, and where types come from. */
void ctype_hint(struct ctypes *c, struct dwarf_file *dwarf, const char *name);
/* A constant of an enum: its value, and the enum; NULL: there is none. */
struct script_type *ctype_constant(struct ctypes *c, struct dwarf_file *dwarf, const char *name, int64_t *value);

/* Members of a struct or union, those of unnamed ones among them: fields and n_fields are there then. false: they are not known
 * (only declared). All other kinds: false. */
bool ctype_members(struct script_type *t);
const struct type_field *ctype_member(struct script_type *t, const char *name); /* NULL: none */
uint32_t ctype_size(struct script_type *t); /* C's sizeof; 0: not known */

/* ---- for providers ---- */
/* A type of a program: the DIE of the type itself (not of the variable), or NULL for void. Never NULL: &type_none is void. */
struct script_type *ctype_of_die(struct ctypes *c, struct dwarf_file *f, Dwarf_Die *type);
/* A kernel function as BTF has it. */
struct ctype_function {
	struct type_field *params; unsigned n_params; /* name and type; name "" where it has none */
	struct script_type *result; /* &type_none: void */
	bool variadic;
	uint32_t id; /* of BTF: what fentry attaches to; in module's BTF, if that is not NULL */
	const char *module;
};
/* module NULL: vmlinux, then any. false: BTF has no such function, or several that differ. In the arena. */
bool ctype_function(struct ctypes *c, const char *module, const char *name, struct ctype_function *out);
/* The arguments of a raw tracepoint, without the first (its private data). */
bool ctype_tracepoint(struct ctypes *c, const char *name, struct ctype_function *out);

bool ctype_is_number(const char *name); /* int, u32, size_t: known without any source */

/* ---- for the check ---- */
/* The same pointer, pointing there; what is no pointer stays as it is. */
struct script_type *type_in_space(struct arena *a, struct script_type *t, enum script_space space);
struct script_type *type_array(struct arena *a, struct script_type *of, uint32_t count);
bool type_is_text(const struct script_type *t); /* an array of char: where it is read it is a string */
#endif
