/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sources of types share. */
#ifndef SCRIPT_CTYPE_INNER_H
#define SCRIPT_CTYPE_INNER_H
#include "base/map.h"
#include "base/vec.h"
#include "script/ctype/ctype.h"
#include "script/front/parse_type.h"

enum { CTYPE_DEPTH = 32, CTYPE_MEMBERS = 8192 };

struct btf_file;
struct found_constant { struct script_type *type; int64_t value; };
struct ctype_source {
	struct ctypes *set;
	void (*complete)(struct script_type *t); /* fields by members_take(); else they are not known */
	struct u64map known; /* by number or DIE */
	struct btf_file *btf;
	const char *module; /* NULL: of vmlinux, or it is none */
	struct dwarf_file *dwarf;
};
struct ctypes {
	struct arena *memory;
	struct ctype_source declared, kernel;
	const struct script_source *text; /* of the script's declarations */
	struct strmap names; /* "struct x": struct c_decl */
	struct strmap pointed; /* ctype_pointer_to(): struct script_type */
	struct strmap found; /* of the kernel by name: struct script_type */
	struct strmap found_constants; /* the same of constants: struct found_constant */
	struct strmap constants; /* of the script's enums: struct found_constant */
	bool kernel_tried, modules_tried;
	VEC(struct ctype_source *) modules, programs;
	struct dwarf_file *dwarf; /* of the point that names were last looked up for: what is only named in the script may be its */
	const struct c_type *unknown; /* the first that a declaration needed and nobody knew */
	unsigned depth; /* of the recursion: what was read may go round */
};

struct script_type *ctype_base(const char *name); /* a number that needs no source; NULL: none is called so */
struct script_type *ctype_number(unsigned size, bool is_signed); /* &type_none: there is no such number */
struct script_type *ctype_float(unsigned size);
struct script_type *ctype_shell(struct ctype_source *src, uint64_t id, const char *tag, const char *name, uint64_t size);
struct script_type *ctype_enum(struct ctypes *c, const char *name, unsigned size, bool is_signed, unsigned n_constants);
void ctype_enum_done(struct ctypes *c, struct script_type *t);
bool ctype_deeper(struct ctypes *c); /* false: too deep; c->depth-- behind it */

/* A struct's members while they are collected. */
struct member_list { struct ctypes *set; VEC(struct type_field) fields; };
/* bit: its first; bits: of a bit-field, else 0; name NULL or "": unnamed, whose members become the struct's own. */
void members_add(struct member_list *m, const char *name, struct script_type *type, uint64_t bit, unsigned bits);
void members_take(struct member_list *m, struct script_type *t); /* t is complete then */

/* Each source by name: what is the kind's ("struct", "union", "enum"), "" for all others. NULL: it does not know it. */
struct script_type *ctype_find_declared(struct ctypes *c, const char *kind, const char *name);
struct script_type *ctype_find_kernel(struct ctypes *c, const char *kind, const char *name);
struct script_type *ctype_find_program(struct ctypes *c, struct dwarf_file *f, const char *kind, const char *name);
struct script_type *ctype_declared_constant(struct ctypes *c, const char *name, int64_t *value);
struct script_type *ctype_program_constant(struct dwarf_file *f, const char *name, int64_t *value);
struct script_type *ctype_kernel_constant(struct ctypes *c, const char *name, int64_t *value);
void ctype_offer_declared(const struct ctypes *c, struct nearest *near, const char *kind);
void ctype_close_declared(struct ctypes *c);
void ctype_offer_kernel(struct ctypes *c, struct nearest *near, const char *kind);
void ctype_close_kernel(struct ctypes *c);
bool ctype_have_kernel(struct ctypes *c);
#endif
