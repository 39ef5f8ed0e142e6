/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Built-in values and functions: a row each, with all that is to be known about one in its place: what it takes, what it
 * is, the code for it, and for those that make records what becomes of one. A file has a family; table.c lists them. */
#ifndef SCRIPT_BUILTIN_H
#define SCRIPT_BUILTIN_H
#include "script/check.h"
#include "script/code/lower.h"

struct runner;
struct builtin {
	const char *name;
	bool is_call; /* with parentheses */
	uint8_t min, max; /* arguments; max < min: any number from min on */
	bool maybe; /* not all of its arguments are always computed */
	struct script_type *(*check)(struct checker *c, struct script_node *n);
	/* One of these, by the type: a word, which is in the register returned (IR_NO: no value); */
	int (*lower)(struct lower *l, struct script_node *n);
	/* a string, which is written to dst, at most max bytes with its NUL; returns a register with the length, NUL included. */
	int (*text)(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max);
	/* bytes (TYPE_SHOWN of more than eight): all of its type's size are written to dst. */
	void (*bytes)(struct lower *l, struct script_node *n, struct script_mem dst);
	/* A record of a site has come. -errno, pending error. NULL: it makes none. */
	int (*show)(struct runner *r, const struct site *s, const uint8_t *payload, size_t n);
};

const struct builtin *builtin_find(const char *name, bool is_call); /* NULL */
const struct builtin *builtin_next(const struct builtin *b); /* NULL: the first; and NULL behind the last */
const char *builtin_later(const char *name); /* bpftrace has it, and we do not yet: what to call it; NULL: nobody has it */

/* For built-ins. */
/* -ENOENT: there is no such symbol; -EPERM: addresses are hidden. */
int builtin_kaddr(const char *name, uint64_t *address);
bool check_unsafe(struct checker *c, const struct script_node *n); /* --unsafe was given, or an error */
/* A stack's frames (t: KSTACK, USTACK) to there: how many bytes, or below 0. exact: without the frames that lead to this program. */
int lower_read_stack(struct lower *l, const struct script_type *t, struct script_mem to, bool exact);
int lower_pid(struct lower *l); /* of the process, as we see it */
bool inet_number(const struct script_node *n, uint64_t *v); /* pton() of an address of four bytes: as a number that has them in memory */
void inet_adopt(struct checker *c, struct script_node **side, const struct script_node *other); /* args.saddr == pton("127.0.0.1") */
void lower_exit_with(struct lower *l, int code); /* the end of the script, and of this block */

/* One array for each file, its last row without a name. */
extern const struct builtin builtins_task[], builtins_time[], builtins_text[], builtins_aggregate[], builtins_output[], builtins_map[],
	builtins_place[], builtins_stack[], builtins_net[], builtins_names[], builtins_bytes[], builtins_string[], builtins_said[], builtins_act[],
	builtins_pointer[], builtins_stap[], builtins_kernel[], builtins_uaddr[];
#endif
