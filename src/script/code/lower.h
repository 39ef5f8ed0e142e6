/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A checked unit to instructions on virtual registers.
 *
 * Numbers are in registers. Strings and tuples are in memory: small ones on the stack, the rest in a frame, of which
 * each CPU has FRAMES. A program takes one that is free, since others may interrupt or preempt it at any point, and
 * gives it back at its end; who finds none counts a miss (globals.h). Strings in memory are padded with zeros to their
 * type's size, so that they can be compared and be keys as they are.
 *
 *   lower.c        the unit, its frame, statements
 *   lower_expr.c   numbers
 *   lower_mem.c    strings and tuples
 *   lower_place.c  members, items, what a pointer points to
 *   lower_map.c    maps
 *   lower_loop.c   while, for
 *   lower_record.c what goes to the reader */
#ifndef SCRIPT_LOWER_H
#define SCRIPT_LOWER_H
#include "script/globals.h"
#include "script/script.h"

struct script_mem { int base; int32_t off; }; /* an address: a register, and so many bytes more */

/* Where an entry of a map was found, by a key that is the same in all of the block: it is not looked for again. */
struct lower_entry { const struct script_node *map; int entry, slot; /* code/slots.h; IR_NO */ };
enum { ENTRIES_KEPT = 8 };

struct lower {
	struct run_script *s;
	struct script_unit *u;
	const struct point *point;
	struct ir *ir;
	struct span at; /* of the node at hand: written into each instruction */
	int context, frame; /* registers */
	int end; /* label: give the frame back, return */
	int call; /* of providers with one program for many points: the register with the point's number; else IR_NO */
	int narrow; /* of providers: a register, not 0 while the words of the program that is watched have four bytes; else IR_NO */
	uint32_t frame_used, frame_max; /* bytes of the frame */
	uint32_t stack_used;
	bool wants_frame;
	int err; /* first one: pending error */
	int loop_break, loop_next; /* labels */
	unsigned bounded; /* loops of that kind that we are in */
	uint64_t bounded_work, bounded_jumps; /* what those that are done cost the verifier, beyond their text */
	struct lower_entry entries[ENTRIES_KEPT];
	unsigned n_entries, depth; /* depth: of statements */
	bool keeps; /* what is made now always runs before what follows: entries are kept */
	bool looks_again; /* there are loops: none is believed */
};

int lower_unit(struct run_script *s, struct script_unit *u); /* -errno, pending error */

/* ---- instructions: each gives the register of its result ---- */
int low_const(struct lower *l, int64_t v);
int low_move(struct lower *l, int d, int a);
int low_alu(struct lower *l, enum ir_alu how, int a, int b);
int low_alu_k(struct lower *l, enum ir_alu how, int a, int64_t k);
int low_cut(struct lower *l, int a, unsigned size, bool is_signed);
int low_load(struct lower *l, struct script_mem m, unsigned size, bool is_signed);
void low_store(struct lower *l, struct script_mem m, unsigned size, int b);
void low_store_k(struct lower *l, struct script_mem m, unsigned size, int64_t k);
void low_add_to(struct lower *l, struct script_mem m, int b); /* atomic */
int low_fetch_add(struct lower *l, struct script_mem m, int b); /* atomic: what was there before */
int low_exchange(struct lower *l, struct script_mem m, int was, int to); /* atomic: what was there; it is `to` now if that is `was` */
struct script_mem low_global(struct lower *l, uint32_t off); /* struct globals */
int low_param(struct lower *l, unsigned n); /* of a function; these come first in it */
void low_exit(struct lower *l, int64_t value);
int low_call(struct lower *l, int helper, const struct ir_arg *args, unsigned n);
#define LOW_CALL(l, helper, ...) \
	low_call(l, helper, (const struct ir_arg[]){ __VA_ARGS__ }, sizeof((const struct ir_arg[]){ __VA_ARGS__ }) / sizeof(struct ir_arg))
static inline struct ir_arg arg_reg(int r) { return (struct ir_arg){ ARG_REG, r, 0 }; }
static inline struct ir_arg arg_k(int64_t k) { return (struct ir_arg){ ARG_IMM, IR_NO, k }; }
static inline struct ir_arg arg_map(unsigned map) { return (struct ir_arg){ ARG_MAP, IR_NO, map }; }
static inline struct ir_arg arg_mem(struct script_mem m) { return (struct ir_arg){ ARG_SUM, m.base, m.off }; }
void low_label(struct lower *l, int label);
void low_jump(struct lower *l, int label);
void low_branch(struct lower *l, enum ir_cond how, int a, int b, int label);
void low_branch_k(struct lower *l, enum ir_cond how, int a, int32_t k, int label);

/* ---- memory ---- */
struct script_mem low_stack(struct lower *l, uint32_t size); /* until the statement's end */
struct script_mem low_own_stack(struct lower *l, uint32_t size); /* the same, or an error; never in the frame */
struct script_mem low_frame(struct lower *l, uint32_t size); /* the same in the frame */
struct script_mem low_room(struct lower *l, uint32_t size); /* one of both, by size */
void low_zero(struct lower *l, struct script_mem m, uint32_t size);
void low_copy(struct lower *l, struct script_mem to, struct script_mem from, uint32_t size); /* of our own memory, or a map's */
static inline struct script_mem mem_at(struct script_mem m, int32_t off) { return (struct script_mem){ m.base, m.off + off }; }

/* ---- the tree ---- */
void lower_statements(struct lower *l, struct script_node *n);
void lower_assign(struct lower *l, struct script_node *n); /* a NODE_ASSIGN */
int lower_word(struct lower *l, struct script_node *n); /* a number, and all else that is in a register */
void lower_condition(struct lower *l, struct script_node *n, int if_false); /* goes there unless it holds */
void lower_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst); /* any value, kept as that type */
struct script_mem lower_mem(struct lower *l, struct script_node *n); /* a string or tuple: where it can be read */
/* A string of unknown length to dst, at most max bytes: a register with its length, NUL included. */
int lower_text(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max);
/* A variable that is a word: in a register, or in memory where its address is taken. */
int low_get(struct lower *l, const struct decl *d);
void low_set(struct lower *l, const struct decl *d, int v);
int lower_operator(struct lower *l, int op, bool is_signed, int a, int b); /* one with two operands, comparisons apart */
int lower_compare_strings(struct lower *l, struct script_node *a, struct script_node *b, bool equal);

/* ---- places: what C's types describe ---- */
/* Memory of ours, to be read as it is, or of somebody else (foreign), to be read by a helper from that address. */
struct script_place { struct script_mem at; bool foreign; enum script_space space; bool watched; /* foreign, and yet the kernel knows what it is */ };
/* An address that the kernel's verifier knows to be one, as the number that it is: what is done with it then is nobody's matter. */
int low_number(struct lower *l, struct script_mem address);
struct script_place lower_place(struct lower *l, struct script_node *n); /* of FIELD, ITEM, UNARY * with `place`, and of all that is kept in memory */
int lower_place_word(struct lower *l, struct script_node *n); /* the number that is there */
int lower_place_text(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max); /* an array of char: as lower_text() */
void lower_place_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst); /* a struct or array */
/* A number or a pointer itself; of what is in memory where that is. The helper that reads there: lower_reader_of(). */
int lower_address(struct lower *l, struct script_node *n, enum script_space *space);
int lower_reader_of(enum script_space space, bool text); /* text up to its NUL, or bytes */
int low_compare(struct lower *l, struct script_mem x, struct script_mem y, uint32_t size, bool equal); /* words, up to size */
int lower_compare_arrays(struct lower *l, struct script_node *a, struct script_node *b, bool equal);

/* ---- maps ---- */
uint32_t map_value_at(const struct decl *d); /* where in a map's entry the value begins: a map without keys has a mark first */
bool map_per_cpu(const struct decl *d);
int lower_map_find(struct lower *l, struct script_node *n); /* the entry's address, or 0; it is not to be written to */
/* The same with its key, which is ARG_NONE when the entry is known (lower_key_maybe() has it then, where it may not be run),
 * and its slot (code/slots.h; IR_NO: none). */
int lower_map_find_key(struct lower *l, struct script_node *n, struct ir_arg *key, int *slot);
struct ir_arg lower_key_maybe(struct lower *l, struct script_node *n, struct ir_arg key);
void lower_map_forget(struct lower *l, const struct decl *d); /* entries come or go: those found are not believed any more */
/* The entry, made of zeros when it is not there; none: jumps to `none`, the map's being full was counted. */
int lower_map_make(struct lower *l, struct script_node *n, int none);
int lower_map_read(struct lower *l, struct script_node *n);
void lower_map_assign(struct lower *l, struct script_node *n);
int lower_map_step(struct lower *l, struct script_node *n); /* NODE_STEP, and NODE_ASSIGN with + or -: the value before */
struct script_mem lower_map_mem(struct lower *l, struct script_node *n);
void lower_aggregate(struct lower *l, struct script_node *map, struct script_node *call); /* builtin/aggregate.c */
/* What an aggregation, of all CPUs, comes to: its key is there. Only where able(ABLE_PERCPU). */
int lower_aggregate_read(struct lower *l, const struct decl *map, struct script_mem key);
struct ir_arg lower_key(struct lower *l, struct script_node *n); /* the address of n's key */

/* ---- records ---- */
/* One made by hand: room for it, its head filled but for the size; and off it goes, with so many bytes. */
struct script_mem lower_record_begin(struct lower *l, const struct site *s, uint32_t size);
void lower_send(struct lower *l, struct script_mem record, int size);
/* Sends a record of the site: args, in the order of its payload's fields. */
void lower_record(struct lower *l, const struct site *s, struct script_node *args);
#endif
