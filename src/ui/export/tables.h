/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What formats with tables share: strings, files, functions and locations, each once and by number. A location is an
 * address with the functions that are there: more than one where some were inlined. Numbers start at 0; entry 0 of each
 * table is nothing at all (the string ""), which OTLP asks for and pprof's numbers, which start at 1, allow. */
#ifndef UI_EXPORT_TABLES_H
#define UI_EXPORT_TABLES_H
#include "analysis/places.h"
#include "analysis/stacks.h"

struct table_function { uint32_t name, file; }; /* strings */
struct table_line { uint32_t function; int line; }; /* innermost first */
struct table_location { uint32_t mapping, line, n_lines; uint64_t address; bool kernel; };
struct table_mapping { const struct dso *dso; uint32_t path, build_id; uint64_t limit; bool functions, files, inlines; };
struct export_tables {
	const struct places *places;
	const struct stacks *stacks;
	VEC(char *) string;
	VEC(struct table_function) function;
	VEC(struct table_line) line;
	VEC(struct table_location) location;
	VEC(struct table_mapping) mapping;
	struct strmap by_text;
	struct idmap by_pointer, functions, mappings, locations;
	VEC(uint32_t) of_place; /* location of a place that is one by itself; 0: none yet */
};
void tables_init(struct export_tables *t, const struct places *p, const struct stacks *s);
void tables_release(struct export_tables *t);
/* The number of a text, which is made safe to show. tables_string: of one that stays where it is, which is quicker. */
uint32_t tables_string(struct export_tables *t, const char *z);
uint32_t tables_text(struct export_tables *t, const char *z);
uint32_t tables_function(struct export_tables *t, const struct place *at); /* of what has no symbol: one called as its file */
uint32_t tables_mapping(struct export_tables *t, const struct dso *d);
/* The locations of a stack, innermost first; out has room for stack_depth(). How many. */
uint32_t tables_stack(struct export_tables *t, uint32_t stack, uint32_t *out);
#endif
