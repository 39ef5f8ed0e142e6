/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script as a tree. Both parsers make it, the passes behind them write into it (type, decl), the last one reads it.
 * All of it is in the source's arena. */
#ifndef SCRIPT_AST_H
#define SCRIPT_AST_H
#include "script/front/source.h"

struct script_type;
struct builtin;
struct c_type;

enum node_kind {
	/* expressions */
	NODE_INT, /* value */
	NODE_STRING, /* name, len */
	NODE_WORD, /* a built-in without parentheses: name, builtin */
	NODE_VAR, /* $name: decl */
	NODE_MAP, /* @name[args]: decl */
	NODE_UNARY, /* op: - ! ~ * &; a */
	NODE_BINARY, /* op; a, b */
	NODE_TERNARY, /* a ? b : c */
	NODE_CALL, /* name(args): builtin */
	NODE_CAST, /* (written)a */
	NODE_SIZEOF, /* of `written`, or of a: value, once checked */
	NODE_OFFSETOF, /* in `written`, or in what a is; args: NODE_WORD for a member, NODE_INT for an index: value, once checked */
	NODE_FIELD, /* a.name, a->name */
	NODE_ITEM, /* a.0 of a tuple, or a[1] with `array`: value, or b */
	NODE_TUPLE, /* (args) */
	NODE_STEP, /* a++, --a: op '+' or '-'; before: the value is that before */
	/* statements */
	NODE_ASSIGN, /* a op= b; op 0: plain; array: `let $x: string` */
	NODE_EXPR, /* a */
	NODE_IF, /* a; body, other */
	NODE_UNROLL, /* a times: body */
	NODE_WHILE, /* a; body */
	NODE_EACH, /* a: the variable; b to c, or b: a map, and c NULL; body */
	NODE_LET, /* a: a variable that is declared, and not set */
	NODE_BREAK, NODE_CONTINUE, NODE_RETURN,
	NODE_BLOCK, /* body */
	/* of SystemTap's language alone (script/stap), run by script/interp */
	NODE_LOCAL, /* a variable of a block or function: value is its number */
	NODE_FUNCTION, /* a call of the script's own function: value is its number; args */
	NODE_SLOT, /* what the kernel was asked for when the probe was hit: value is its number; op 'e': when the function was entered */
	NODE_TARGET, /* $name, $$parms; name */
	NODE_KCAST, /* @cast(a, "name") */
	NODE_DEFINED, /* @defined(a) */
	NODE_ENTRY, /* @entry(a) */
	NODE_IN, /* [args] in decl */
	NODE_STAT, /* @name(a, args) */
	NODE_PUSH, /* a <<< b */
	NODE_CONCAT_TO, /* a .= b */
	NODE_FOR, /* a; b; c: body; each may be NULL */
	NODE_FOREACH, /* args in decl: body; see stap/stap.h */
	NODE_NEXT, /* the end of this block */
	NODE_DELETE, /* a */
	NODE_TRY, /* body, other; a: NULL or the variable for the message */
};

struct script_node {
	enum node_kind kind;
	struct span at;
	unsigned depth; /* how many are below: bounded, since passes recurse */
	int op;
	bool before, array;
	bool let; /* of an assignment: it declares its variable */
	bool unread; /* of a step: nobody looks at its value */
	uint64_t value;
	const char *name;
	size_t len;
	struct script_node *a, *b, *c;
	struct script_node *args; unsigned n_args; /* a list by next */
	struct script_node *body, *other; /* lists by next */
	struct script_node *next;
	bool warned; /* about it */
	struct c_type *written; /* a type: front/parse_type.h */
	/* of the passes behind the parser */
	struct script_type *type;
	struct script_type *place; /* FIELD, ITEM, UNARY *: C's type of what is there, of which `type` is the value; NULL: none of C's */
	const struct builtin *builtin;
	struct decl *decl;
	const struct fraction *fraction; /* of a value that %f shows */
	struct decl *vars, *other_vars; /* of a body, and of the other: what is declared in it, by `inner` */
	struct site *site; /* of a call that makes records: see script.h */
};

/* A variable of a probe, or a map of the script. */
struct decl {
	const char *name;
	struct span first; /* where it is first named */
	struct script_type *type; /* NULL: not known yet */
	struct script_type *key; /* of a map with keys: a tuple */
	struct script_type *fixed; /* of `let $x: uint8`: what is stored is cut to it; NULL */
	uint8_t bytes; /* of the numbers that are stored in it, the most that one has as it was: what bswap() turns around; 0: of none */
	bool marked; /* of a map with keys: what is deleted is only marked so, see code/marks.h */
	unsigned slot; bool foreign_keys; /* code/slots.h: the number of its entry there, from 1; it has other keys than tid */
	bool keyed, assigned;
	bool lru; unsigned entries; /* of a map: the oldest go when it is full; at most so many, 0: as all */
	bool addressed; /* of a variable: &$x is somewhere, so that it is in memory */
	bool sampled; /* with --sample: what is counted in it stands for more */
	bool let; /* by let, or by a loop: hides others of its name */
	bool wide; /* used outside of the block that sets it: one for the whole probe, as it once was */
	bool told; /* that it is so */
	unsigned number; /* of a map: its place in script.maps; of a variable: its place in the frame or its register */
	struct decl *next; /* of the probe, or of the script */
	struct decl *inner; /* of the same block */
};

struct attach { /* one word before a block */
	const char *text;
	struct span at;
	struct attach *next;
};
struct probe {
	struct attach *attach;
	struct script_node *predicate; /* NULL: none */
	struct script_node *body;
	struct span at; /* of its first word */
	struct decl *vars; /* all of them */
	struct decl *top; /* those of the outermost block, by inner */
	bool all_locals; /* all variables that are there are asked for: those that cannot be had stay without a type */
	struct probe *next;
};

/* A node of a kind, from there. Children are added by node_adopt. */
struct script_node *node_new(struct script_source *s, enum node_kind kind, struct span at);
/* parent has child below it now: false and a pending error when that is too deep. child may be NULL. */
bool node_adopt(struct script_source *s, struct script_node *parent, const struct script_node *child);
struct span span_to(struct span from, struct span to); /* from the begin of one to the end of the other */
#endif
