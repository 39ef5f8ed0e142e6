/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C's types as a script writes them: in casts, in sizeof() and offsetof(), and as declarations before its probes. Names are not
 * looked up here: that is ctype/'s. */
#ifndef SCRIPT_PARSE_TYPE_H
#define SCRIPT_PARSE_TYPE_H
#include "script/front/ast.h"

struct dwarf_file;

enum c_kind { C_NAMED, C_POINTER, C_ARRAY, C_FUNCTION, C_TYPEOF };
struct c_type {
	enum c_kind kind;
	struct span at;
	const char *name; /* NAMED: "struct x", "unsigned int", "pid_t"; NULL: only what body says */
	struct c_decl *body; /* NAMED: it is declared right here; NULL: elsewhere */
	struct c_type *to; /* POINTER, ARRAY, FUNCTION */
	struct script_node *of; /* TYPEOF: the value; whoever checks values says what it is, in `is` */
	struct script_type *is;
	struct script_node *count; /* ARRAY: NULL: none is given */
	struct script_type *made; const struct dwarf_file *made_for; /* ctype/'s */
};
struct c_field { const char *name; /* NULL: unnamed */ struct span at; struct c_type *type; struct script_node *bits; /* NULL */ struct c_field *next; };
struct c_constant { const char *name; struct span at; struct script_node *value; /* NULL: one more */ struct c_constant *next; };
enum c_decl_kind { C_STRUCT, C_UNION, C_ENUM, C_TYPEDEF };
struct c_decl {
	enum c_decl_kind kind;
	const char *name; /* "x"; NULL: unnamed */
	struct span at;
	bool packed;
	struct c_field *fields;
	struct c_constant *constants;
	struct c_type *type; /* TYPEDEF */
	struct c_decl *next; /* of the source's list, the last one first */
	struct script_type *made; /* ctype/'s */
	bool busy;
};

struct script_parser;
/* Does a declaration begin here: struct, union, enum, typedef? */
bool parse_is_declaration(const struct script_parser *p);
/* One, up to its semicolon: into the source's list. false: pending error. */
bool parse_declaration(struct script_parser *p);
/* The name of a type, such as struct x **, char[16] or unsigned long, when one begins here. NULL: a pending error. */
struct c_type *parse_type_name(struct script_parser *p);
/* Is what begins here a type for sure: struct, union, enum, a word of C or of the sized numbers? */
bool parse_is_type(const struct script_parser *p);
#endif
