/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SystemTap's language: a second parser into the tree of front/ast.h, and what becomes of it.
 *
 * A block of a script may do what no eBPF program can: sort an array, make strings of strings, call itself. So a block is
 * split. What only the kernel knows when a probe is hit ($file->f_pos, execname(), a stack, the time) is gathered there
 * by a program that our own compiler makes, as one record; the block itself is run by an interpreter (script/interp) as soon
 * as the record comes, in the order of the hits. Arrays and statistics are the interpreter's: no lock, no lost update, and
 * whatever a record had no room for is counted and told. Conditions at the begin of a block that need nothing else are
 * decided in the kernel, so that what is not wanted makes no record. begin, end and timers need no kernel at all.
 *
 *   lex, pre     tokens; %( %), @define
 *   parse        tokens to tree: functions, globals, aliases, probes
 *   tapset       the aliases and functions that stap brings, as text of the same language
 *   point        a probe's words to places: blocks, one for each
 *   bind         names to variables, functions, values of the kernel
 *   split        what the kernel is asked for, as a tree of bpftrace's language
 *   then, in script.c, the stages that all scripts share; stap_run.h runs it. */
#ifndef SCRIPT_STAP_H
#define SCRIPT_STAP_H
#include "base/vec.h"
#include "script/front/ast.h"
#include "script/front/parse.h"

struct run_script;

struct stap_part { /* of a probe's words: function("x") */
	const char *name;
	enum { PART_BARE, PART_TEXT, PART_NUMBER } kind;
	const char *text;
	int64_t number;
	struct span at;
	bool optional, sufficient; /* ? ! behind it, inside of braces */
	struct stap_part *next;
};
struct stap_point {
	struct stap_part *parts;
	bool optional, sufficient; /* ? ! */
	bool of_tapset; /* what one of our own aliases stands for */
	struct span at;
	struct script_node *condition; /* if (...); NULL */
	struct stap_point *next;
};
struct stap_alias {
	struct stap_part *name;
	struct stap_point *points;
	struct script_node *body;
	bool behind; /* +=: behind the block instead of before it */
	bool own; /* the script's, not the tapset's */
};
struct stap_probe { struct stap_point *points; struct script_node *body; struct span at; };

struct stap_variable { const char *name; struct span at; };
struct stap_function {
	const char *name;
	struct span at;
	unsigned n_params;
	VEC(struct stap_variable) locals; /* parameters first */
	struct script_node *body; /* as it was read */
	struct script_node *run; /* bound: what is run */
	bool bound, own; /* own: the script's, not the tapset's */
	bool copy; /* made for one call */
	VEC(const char *) needs; /* context functions in it */
	VEC(struct stap_function *) calls;
	const struct stap_block *visited;
	bool text; /* it was declared to give a string */
};
/* A global: a number, a string, statistics, or an array of them. */
struct stap_global {
	const char *name;
	struct span at;
	bool array, own;
	unsigned n_keys; /* 0: not known */
	int64_t limit; /* entries; 0: as always */
	bool wrap; /* the oldest makes room */
	struct script_node *first; /* its value at the begin; NULL */
	bool read, written, statistics;
	bool log; /* @hist_log is asked for */
	bool linear; int64_t low, high, width; /* @hist_linear */
};

/* NODE_FOREACH: `value` of each loop variable in args (NODE_LOCAL or NODE_MAP), c: the variable for the value or NULL; decl is
 * not used: a is the array (NODE_MAP; its args: what keys are to be, NULL for any: NODE_TUPLE), b the limit, op the order:
 * '+', '-' or 0; order_by: 0 the value, n the n-th key; name: of what statistic. */

enum stap_kind { STAP_BEGIN, STAP_END, STAP_ERROR, STAP_TIMER, STAP_CHAR, STAP_LINE /* of what is typed */, STAP_KERNEL };
/* A value that the kernel is asked for: an expression of bpftrace's language, and what is made of it here. */
enum slot_form { SLOT_PLAIN, SLOT_REALTIME /* ns of the kernel's clock since boot to those since 1970, then divided */, SLOT_STACK,
	SLOT_PROBE /* the number of a point: its name */, SLOT_NAME /* the same: as the script has it */, SLOT_FUNC /* the same: the function in it */, SLOT_QUOTED /* text, as C writes it */,
	SLOT_WORDS /* bytes: words with a NUL behind each */, SLOT_CALL /* the number of a system call: its name */, SLOT_CALL_OF_PROBE, SLOT_RESULT /* of a system call: -2 (ENOENT) */ };
struct stap_slot {
	const char *key; /* of its tree: two that are the same are one */
	const char *name; /* of the function that it is, for functions of the script that call it; NULL */
	struct script_node *tree;
	enum slot_form form;
	int64_t by; /* REALTIME: divided by that */
};
/* A block at one place. */
struct stap_block {
	enum stap_kind kind;
	const char *name; /* pp() */
	const char *word_of_script; /* pn(): before aliases */
	struct span at;
	struct script_node *body;
	struct script_node *condition;
	VEC(struct stap_variable) locals;
	uint64_t period; /* TIMER: ns */
	uint64_t jitter; /* TIMER: so many more at most */
	int64_t order; /* BEGIN, END: lower ones first */
	bool last; /* oneshot: the script ends behind it */
	/* KERNEL */
	const char *word; /* as bpftrace has it: "kprobe:vfs_read" */
	enum { SIDE_ENTRY, SIDE_RETURN } side;
	const char *call; /* of syscall.X: X; "*": of several; NULL */
	bool of_source; /* a place by debug information: its variables are looked for by their names */
	bool any_call; /* all of them, by their number */
	bool of_target; /* only in the process that -x or -c names, if there is one */
	bool optional;
	VEC(struct stap_slot) slots;
	struct probe *probe;
	struct stap_block *entry; /* what a return needs of the entry; NULL: nothing */
	bool is_entry; /* it is such a one: has no body */
	struct stap_block *also; /* of the same point */
	unsigned number;
};

enum { STAP_SLOTS = 30 }; /* values that a block asks the kernel for, at most */

struct stap {
	struct script_source *source;
	struct run_script *s;
	struct params params;
	VEC(struct stap_function *) functions;
	VEC(struct stap_global *) globals;
	VEC(struct stap_alias *) aliases;
	VEC(struct stap_probe) probes;
	VEC(struct stap_block *) blocks;
	const struct stap_probe *placed; /* whose places are looked for now */
	bool in_tapset; /* what is parsed now is our own text */
	bool guru; /* -g */
	int target; /* -x, -c: target() */
	const char *command; /* -c: its file */
	char **given; size_t n_given; /* -G: NAME=VALUE of globals, the caller's */
	size_t max_entries; /* -DMAXMAPENTRIES; 0: as always */
};

/* Is this text in SystemTap's language? By its first word: probe, global, function, private, or the line #!...stap. */
bool stap_is(const char *name, const char *text, size_t len);

/* text to tree, appended. -errno, pending error. */
int stap_parse(struct stap *st, struct script_source *source);
int stap_tapset(struct stap *st); /* the same of what stap brings */
int stap_points(struct stap *st); /* probes to blocks */
int stap_bind(struct stap *st); /* names, and what the kernel is asked for: fills s->probes */
void stap_release(struct stap *st);

struct script_node *stap_clone(struct script_source *s, const struct script_node *n); /* with all that follows it */
#endif
