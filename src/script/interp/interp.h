/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a tree (front/ast.h) here, without a kernel: SystemTap's blocks, and in tests what a compiled program is compared with.
 *
 * Names are numbers by then: NODE_LOCAL, NODE_MAP (global; with args: an element), NODE_FUNCTION, NODE_SLOT carry theirs in
 * `value`. Values have the kind that was last put into them; what was never set is 0 and "". A number is of 64 bits, signed,
 * unless the tree has types (script_node.type), which then decide. What goes wrong (a division by zero, a key that is not
 * there in an @avg()) ends the block with a pending error at its place in the script; NODE_TRY catches it.
 *
 * Texts that an expression makes are in memory that goes with the run; what is kept in globals is copied. */
#ifndef SCRIPT_INTERP_H
#define SCRIPT_INTERP_H
#include "script/front/ast.h"
#include "script/interp/value.h"

struct interp;
/* NODE_CALL: what the tree calls by name. */
struct interp_call {
	const char *name;
	uint8_t min, max; /* arguments; max < min: any number from min on */
	struct interp_value (*run)(struct interp *ip, const struct script_node *n, const struct interp_value *args, unsigned n_args);
};

struct interp_global {
	bool array;
	struct interp_cell cell; /* of what is no array */
	struct interp_array items;
	struct statistics_form form;
	size_t limit; /* entries; 0: as many as there are */
	bool wrap; /* one more takes the place of the oldest */
	const char *name;
};
struct interp_code { struct script_node *body; unsigned n_params, n_locals; const char *name; };

enum interp_flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_NEXT, FLOW_FAILED };
struct interp {
	const struct script_source *source;
	struct interp_global *globals; size_t n_globals; /* the caller's */
	const struct interp_code *code; size_t n_code; /* of NODE_FUNCTION; the caller's */
	const struct interp_call *(*find)(const char *name); /* NULL: there is no such function */
	void *host; /* for those functions */
	uint32_t text_max; /* longer strings are cut */
	uint64_t steps_max; /* statements of one run */
	bool zero_divides; /* as in eBPF: a / 0 is 0, a % 0 is a */
	/* of a run */
	const struct interp_value *slots, *entry;
	unsigned n_slots, n_entry;
	struct interp_value *locals;
	struct interp_value result; /* of return */
	struct arena scratch;
	char *room; size_t room_used; /* the first bytes of it, kept from run to run */
	unsigned depth;
	uint64_t steps;
	bool leaving; /* exit() was called */
	bool leaving_block; /* next, in a function */
	struct str out; /* what was printed; the caller takes it away */
};

void interp_release(struct interp *ip); /* not what is the caller's */
/* A new run begins: what the last one made of texts goes. Then slots may be set, and texts made for them. */
void interp_begin(struct interp *ip);
/* Runs a list of statements with so many variables, all unset. 0, or -errno and a pending error. */
int interp_run_on(struct interp *ip, struct script_node *body, unsigned n_locals);
struct interp_value interp_eval(struct interp *ip, struct script_node *n);
void interp_global_release(struct interp_global *g);

/* For functions. */
struct interp_value interp_text(struct interp *ip, const char *p, size_t n); /* copied, cut to text_max */
void *interp_room(struct interp *ip, size_t n); /* until the run ends */
/* Ends the block: a pending error at the node, unless there is one. Returns an unset value. */
struct interp_value interp_fail(struct interp *ip, const struct script_node *n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
const char *interp_string(struct interp *ip, const struct interp_value *v, size_t *len); /* a number in decimal */
char *interp_dup(struct interp *ip, const struct interp_value *v); /* the same with a NUL; the caller frees */
int64_t interp_number(const struct interp_value *v);
/* printf: what the format makes of the values, appended. NULL, or what is wrong. */
const char *interp_format(struct interp *ip, struct str *out, const char *format, size_t len, const struct interp_value *args, unsigned n);
#endif
