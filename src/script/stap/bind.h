/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bind.c and split.c share. */
#ifndef SCRIPT_STAP_BIND_H
#define SCRIPT_STAP_BIND_H
#include "script/script.h"
#include "script/stap/stap.h"

/* Where a name is looked up: in a block, in a function, or in a copy of a function that is made for one call of a block. */
struct stap_scope {
	struct stap *st;
	struct stap_block *block; /* NULL: a function for everybody */
	struct stap_function *fn; /* NULL: the block itself */
	struct script_node **args; /* of a copy: what the parameters are, in terms of `outer` */
	struct stap_scope *outer;
	const struct point *point; /* of a block in the kernel: where it is; NULL */
	unsigned deep;
};

/* Replaces the expression by a slot. -errno, pending error. */
int stap_ask_kernel(struct stap_scope *sc, struct script_node **at, const struct script_node *what, enum slot_form form, int64_t by);
/* What the kernel would evaluate for it; NULL with a pending error: it cannot. */
struct script_node *stap_kernel_tree(struct stap_scope *sc, const struct script_node *n);
const struct point *stap_entry_point(const struct stap_scope *sc); /* of a return; NULL: it has no entry */
const struct type_field *stap_call_argument(const struct stap_scope *sc, const char *name); /* of a system call; NULL */
bool stap_is_there(struct stap_scope *sc, const struct script_node *n); /* @defined */
bool stap_is_pretty(const struct script_node *n); /* $$vars, $x$, $x->y$$ */
int stap_pretty(struct stap_scope *sc, struct script_node **at); /* those, as a string made here */
const struct script_type *stap_type_of(struct stap_scope *sc, const struct script_node *n); /* of what the kernel is asked for; NULL: it is not there */
const struct script_type *stap_args_of(const struct stap_scope *sc); /* a record, of the entry also at the return; NULL */
int stap_call_value(struct stap_scope *sc, struct script_node **at, bool *is); /* name, argstr, a call's argument */
void stap_lift(struct stap_scope *sc); /* conditions at the begin of a block into the kernel */
bool stap_returns_twice(const struct stap_block *b); /* the return of a call that a child returns from, too */
struct stap_context;
bool stap_in_register(const struct stap_block *b, const struct stap_context *c); /* addr(), uaddr() of what timer.profile has interrupted */
int stap_make_probe(struct stap_scope *sc); /* the block's program */
struct stap_function *stap_function_of(const struct stap *st, const char *name); /* NULL */
bool stap_assigned(struct script_node *body, const char *name); /* somewhere in there */
#endif
