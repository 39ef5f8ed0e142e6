/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the interpreter computes with: numbers of 64 bits, strings, statistics, and arrays of them. */
#ifndef SCRIPT_INTERP_VALUE_H
#define SCRIPT_INTERP_VALUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"
#include "base/vec.h"

enum value_kind { VALUE_NONE /* never set: 0, or "" */, VALUE_NUMBER, VALUE_TEXT };
enum { VALUE_TEXT_MAX = 4096, VALUE_KEYS = 16 };
/* text is somebody else's: the tree's, a scratch arena's, an array's. */
struct interp_value {
	enum value_kind kind;
	int64_t number;
	const char *text;
	uint32_t len;
};
static inline struct interp_value value_number(int64_t n) { return (struct interp_value){ VALUE_NUMBER, n, NULL, 0 }; }
static inline struct interp_value value_text(const char *p, size_t n) { return (struct interp_value){ VALUE_TEXT, 0, p, (uint32_t)n }; }
int value_compare(const struct interp_value *a, const struct interp_value *b); /* numbers before strings */

/* What is gathered by <<<. */
enum { LOG_BUCKETS = 130, LOG_ZERO = 64 /* negative powers, 0, positive ones */ };
struct statistics {
	int64_t count, sum, min, max;
	double squares; /* of the distances from the mean, and the mean: for the variance */
	double mean;
	uint64_t *log; /* LOG_BUCKETS; NULL: not wanted */
	uint64_t *linear; /* below, the steps, above */
};
struct statistics_form { bool log, linear; int64_t low, high, width; };
void statistics_add(struct statistics *s, const struct statistics_form *f, int64_t v);
void statistics_release(struct statistics *s);
void statistics_show_log(const struct statistics *s, struct str *out); /* as stap prints it */
void statistics_show_linear(const struct statistics *s, const struct statistics_form *f, struct str *out);
/* "count", "sum", "avg", "min", "max", "variance"; false: there is nothing to tell (avg of none) */
bool statistics_get(const struct statistics *s, const char *name, int64_t *v);

/* One element of an array; a variable that is no array is one by itself. */
struct interp_cell {
	struct interp_value value; /* a text is owned */
	struct statistics *statistics; /* owned; NULL: none yet */
	struct interp_value key[VALUE_KEYS]; /* texts are owned */
	uint64_t hash;
	uint64_t age; /* they count upwards */
	bool dead;
};
struct interp_array {
	VEC(struct interp_cell *) cells; /* in the order they were made, dead ones among them */
	uint32_t *slots; size_t n_slots; /* indices + 1 */
	size_t live, dead;
	uint64_t ages;
	unsigned n_keys;
};
void cell_set(struct interp_cell *c, struct interp_value v); /* copied */
void cell_clear(struct interp_cell *c);
struct interp_cell *array_find(const struct interp_array *a, const struct interp_value *key); /* NULL */
struct interp_cell *array_make(struct interp_array *a, const struct interp_value *key); /* there, or new */
void array_delete(struct interp_array *a, struct interp_cell *c);
struct interp_cell *array_oldest(const struct interp_array *a);
void array_empty(struct interp_array *a);
#endif
