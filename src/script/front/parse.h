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

struct params { char **at; unsigned n; }; /* $1 and so on */

/* The probes in their order. -errno and a pending error. */
int parse_script(struct script_source *s, const struct params *params, struct probe **probes);
#endif
