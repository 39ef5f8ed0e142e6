/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines and inlined functions out of DWARF, through libdw.
 *
 * Three levels, each made when first needed: the units of a file by address, the functions of a unit
 * by address, and the answer for one address (kept, since profiles ask for the same ones again). */
#ifndef SYMBOL_DWARF_LINES_H
#define SYMBOL_DWARF_LINES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines;
struct line_frame {
	const char *name; /* of the function, demangled; NULL: not known */
	const char *file; /* whole path; NULL: not known */
	int line;
};
struct line_answer {
	int n; /* frames, innermost first; the last is the function that has the code. 0: nothing known */
	const struct line_frame *frame;
};
/* archive: the folder that may hold the file dwz moved shared DWARF to; NULL: it is where it was installed.
 * Returns NULL when there is no DWARF. */
struct lines *lines_open(const char *path, const char *archive, bool no_demangle);
void lines_free(struct lines *l);
const struct line_answer *lines_at(struct lines *l, uint64_t addr); /* never NULL */
#endif
