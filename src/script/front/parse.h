/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bpftrace's grammar, read by recursive descent into the tree of ast.h.
 *
 *   script   = { probe }
 *   probe    = word { "," word } [ "/" expr "/" ] block
 *   block    = "{" { statement [ ";" ] } "}"
 * parse.c has probes and statements, parse_expr.c has expressions; parse_inner.h is what they share. */
#ifndef SCRIPT_PARSE_H
#define SCRIPT_PARSE_H
#include "script/front/ast.h"

/* $1 and so on; and --name=value for getopt("name", ...), without the --, each with whether the script asked for it */
struct named_param { const char *text; bool used; };
struct params { char **at; unsigned n; struct named_param *named; unsigned n_named; };
struct map_kind_line { const char *name, *kind; uint64_t entries; struct span at; struct map_kind_line *next; }; /* let @m = lruhash(100) */
struct config_line { const char *name, *value; struct span at; struct config_line *next; };

/* The probes in their order. -errno and a pending error. */
int parse_script(struct script_source *s, const struct params *params, struct probe **probes);
#endif
