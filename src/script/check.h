/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What everything is. The units are gone through, each time with what the last round has found out about variables and
 * maps, until nothing changes; only then a round that tells errors. So it does not matter where a map is used first. */
#ifndef SCRIPT_CHECK_H
#define SCRIPT_CHECK_H
#include "script/script.h"

struct scope { struct scope *up; struct decl **vars; }; /* a block that we are in, and what is declared in it */

struct checker {
	struct run_script *s;
	struct script_unit *u;
	struct point *point; /* the unit's first */
	bool strict; /* the last round */
	bool changed;
	unsigned loops; /* that we are in */
	struct scope *scope;
	int err;
};

int check_script(struct run_script *s); /* -errno, pending error */
int check_unit(struct run_script *s, struct script_unit *u); /* again, so that the tree has this unit's types */

/* For built-ins. The type of an expression, also written into it; &type_none while it is not known. */
struct script_type *check_expr(struct checker *c, struct script_node *n);
/* An error in the last round, the first one counts; nothing before. Returns &type_none. */
struct script_type *check_fail(struct checker *c, struct span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
struct script_type *check_later(struct checker *c, struct span at, const char *what);
bool check_number(struct checker *c, struct script_node *n, const char *what); /* it is one, or an error */
bool check_is_number(struct checker *c, struct script_node *n, const char *what); /* the same of one whose type is there already */
/* An argument that must be a constant. */
bool check_constant(struct checker *c, const struct script_node *n, int64_t least, int64_t most, const char *what);
/* A map named as such, without a key (print(@x)) or with one (delete(@x[1])): its decl. NULL: an error. */
struct decl *check_map(struct checker *c, struct script_node *n);
/* Can a value of its type, which is there already, be kept or printed? No: nothing, `args`, or a struct of which the size is not known;
 * an error is told then where there is more to say. */
bool check_kept(struct checker *c, const struct script_node *n);
/* An address: a number, a pointer, or what is in memory itself; else an error. lower_address() has it. */
bool check_address(struct checker *c, struct script_node *n, const char *what);
void check_assign(struct checker *c, struct script_node *n); /* a NODE_ASSIGN */
struct site *check_site(struct checker *c, struct script_node *n, struct script_type *payload); /* made once for a call of a unit */
#endif
