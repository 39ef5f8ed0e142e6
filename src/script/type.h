/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What values are. A number takes eight bytes wherever it is kept; its type's own size only tells how it is cut and
 * printed. Types are compared by type_same(), never by address. */
#ifndef SCRIPT_TYPE_H
#define SCRIPT_TYPE_H
#include "base/str.h"
#include "script/front/source.h"

enum type_kind {
	TYPE_NONE, /* nothing, or not known yet */
	TYPE_INT, TYPE_STRING, TYPE_TUPLE, TYPE_POINTER,
	TYPE_RECORD, /* `args`: fields somewhere, which the provider knows how to get */
	TYPE_STRUCT, /* C's struct or union: members in memory, read by ctype/ when they are asked for */
	TYPE_ARRAY, /* C's: `count` times `to` */
	TYPE_FUNCTION, /* what a function pointer points to */
	TYPE_FLOAT, /* C's float or double, by its size: a word that can only be shown, since programs in the kernel cannot compute with it */
	TYPE_PROBE, TYPE_FUNC, /* the number of a point: its name, its function's */
	TYPE_USER, /* a uid that is shown as a name */
	TYPE_KSYM, /* an address of the kernel that is shown as a name */
	TYPE_KSTACK, TYPE_USTACK, /* the number of a stack */
	TYPE_CLOCK, /* a time that is shown by a format: strftime */
	TYPE_SHOWN, /* bytes that only have a meaning on the screen: an address of the net, a buffer, the number of an error */
	TYPE_AGGREGATE,
};
enum aggregate { AGG_COUNT, AGG_SUM, AGG_AVG, AGG_MIN, AGG_MAX, AGG_STATS, AGG_HIST, AGG_LHIST };
enum stack_mode { STACK_PLAIN, STACK_PERF, STACK_RAW, STACK_BUILD_ID, STACK_FOLDED /* in one line */, STACK_STAP /* as SystemTap prints it */ };
enum script_space { SPACE_ANY, SPACE_KERNEL, SPACE_USER };
enum { STRING_MAX = 4096, LHIST_MAX = 1000, HIST_BITS = 5, COMM_SIZE = 16 };

struct type_field {
	const char *name; /* NULL: of a tuple */
	struct script_type *type;
	uint32_t at; /* in a tuple: where it is kept; in a record: where the kernel has it; in a struct: its first byte */
	uint32_t size; /* there */
	bool data_loc; /* there is a word: where the text is, and how long */
	uint8_t bit_at, bits; /* of a bit-field: from `at` on, and how many; bits 0: it is none */
	enum script_space space; /* of a record: who has what is no word (ARRAY, STRUCT), whose address the provider gives */
};
struct namer;
/* How the bytes of a TYPE_SHOWN become text; a row for each kind of them. */
struct shown { const char *name; void (*text)(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value); };
struct type_constant { const char *name; int64_t value; };
struct script_type {
	enum type_kind kind;
	uint32_t size; /* INT: 1, 2, 4, 8; POINTER: in C's memory, 4 or 8; STRING: with its NUL, a multiple of 8; SHOWN: a multiple of 8; STRUCT, ARRAY: C's, 0 when it is not known */
	bool is_signed;
	bool literal; /* INT: a constant, which takes the other's sign */
	enum script_space space; /* POINTER: of what it points to */
	struct script_type *to; /* POINTER: NULL: unknown, as void; ARRAY: an item */
	enum aggregate aggregate;
	int64_t min, max, step; /* LHIST; HIST: in step how many bits below the highest one count */
	struct type_field *fields; unsigned n_fields; /* TUPLE, RECORD; SHOWN: those of a fraction; STRUCT once it is complete: ctype_members() */
	/* C's types: ctype/ctype.h */
	const char *name; /* STRUCT: "struct file", "union (unnamed)"; INT: of an enum; NULL: it has none */
	uint32_t count; /* ARRAY; 0: not known, or flexible */
	bool is_char; /* INT: C's char; an array of it is a string */
	struct type_constant *constants; unsigned n_constants; /* INT: of an enum */
	bool plain; /* INT: of an enum: shown as a number, but by %s */
	struct script_type *whole; /* INT: of an enum: its eight bytes when it is kept; NULL: itself */
	struct ctype_source *source; uint64_t id; bool complete; /* STRUCT: who knows its members */
	const char *format; /* CLOCK */
	const struct shown *shown; /* SHOWN */
	const struct fraction *fraction; /* SHOWN: computed from its fields, show/fraction.h */
	unsigned depth; enum stack_mode mode; /* KSTACK, USTACK: frames at most, and how they are shown */
};

extern struct script_type type_none, type_u64, type_s64, type_bool, type_probe, type_func, type_user, type_ksym, type_comm;
struct script_type *type_named(const char *name); /* "uint32"; NULL: no number is called so */
struct script_type *type_string(struct arena *a, uint32_t size); /* rounded up, at most STRING_MAX */
struct script_type *type_tuple(struct arena *a, struct script_type **types, unsigned n);
struct script_type *type_shown(struct arena *a, const struct shown *shown, uint32_t size); /* size is rounded up */
struct script_type *type_pointer(struct arena *a, struct script_type *to, enum script_space space);
double type_float(const struct script_type *t, uint64_t word); /* of a FLOAT */
/* C's size of what has one in C, else as type_room(); of a struct that is not complete 0. */
uint32_t type_bytes(const struct script_type *t);
/* How many bytes a value of it takes where it is kept. */
uint32_t type_room(const struct script_type *t);
bool type_same(const struct script_type *a, const struct script_type *b);
/* One that can hold both; NULL: there is none. Either may be NULL or none. */
struct script_type *type_join(struct arena *m, struct script_type *a, struct script_type *b);
/* Of a number the one of eight bytes with its sign, no constant; of all else itself. */
struct script_type *type_whole(struct script_type *t);
bool type_is_word(const struct script_type *t); /* it is in a register; all else is in memory */
bool type_is_signed(const struct script_type *t);
void type_describe(const struct script_type *t, struct str *out); /* "int64", "(uint64, string)" */
const char *aggregate_name(enum aggregate a);
#endif
