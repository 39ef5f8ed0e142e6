/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A probe as the user writes it:
 *     [GROUP:][EVENT=]FUNC[@SRC][:LINE|+OFF|%return|;PATTERN] [ARG...]
 *     [GROUP:][EVENT=]SRC:LINE|SRC;PATTERN [ARG...]
 *     sdt_PROVIDER:NAME   %PROVIDER:NAME   0xADDRESS
 * Text in, a tree out; nothing is looked up here. */
#ifndef PROBE_SPEC_H
#define PROBE_SPEC_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "base/vec.h"
#include "symbol/fetch.h"

struct probe_argspec {
	char *text; /* as written, NAME= included */
	char *name; /* given with NAME=, or NULL */
	char *var; /* the variable, or the whole fetch argument */
	char *type; /* after ':', or NULL */
	bool fetcharg; /* a fetch argument of the kernel's own language (%ax, $stack2, +8(%di), @sym) */
	bool user; /* @user: read from user memory */
	VEC(struct fetch_step) fields;
};

struct probe_spec {
	char *text;
	char *group, *event; /* NULL unless given */
	char *function; /* may hold wildcards; NULL for SRC:LINE */
	char *file;
	char *pattern; /* ;PATTERN */
	int line; /* relative to the function with one, else absolute */
	bool has_line, has_offset, ret, sdt, is_addr;
	uint64_t offset;
	uint64_t addr; /* is_addr: 0x... instead of a name */
	VEC(struct probe_argspec) args;
};

/* 0, or -EINVAL with a pending error that shows the place with a caret. */
int probe_spec_parse(struct probe_spec *s, const char *text);
/* The place alone, as -V, -L and -l use it. */
int probe_spec_parse_place(struct probe_spec *s, const char *text);
void probe_spec_release(struct probe_spec *s);
/* FUNC:LINE@SRC as perf shows it: "vfs_read+4", "getname_flags:65@fs/namei.c", "malloc%return". */
void probe_spec_place(const struct probe_spec *s, struct str *out);
/* Are names of the source needed (variables, lines, patterns)? */
bool probe_spec_needs_source(const struct probe_spec *s);

/* LINEDESC of -L: FUNC[@SRC][:LINE[-LINE2|+COUNT]] or SRC[:LINE[-LINE2|+COUNT]]. */
struct probe_lines {
	char *function, *file;
	int first, last; /* last INT_MAX: to the end */
	bool ranged; /* a range was given */
};
int probe_lines_parse(struct probe_lines *l, const char *text);
void probe_lines_release(struct probe_lines *l);
#endif
