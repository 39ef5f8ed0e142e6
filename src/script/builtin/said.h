/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all functions with a format have in common: printf, cat, system, errorf. */
#ifndef SCRIPT_BUILTIN_SAID_H
#define SCRIPT_BUILTIN_SAID_H
#include "script/builtin/builtin.h"
#include "script/run.h"

/* The values from `first` on, as a tuple; NULL: an error. */
struct script_type *check_payload(struct checker *c, struct script_node *first);
/* A call whose argument `format` is the format, and those behind it its values. */
struct script_type *check_format(struct checker *c, struct script_node *n, struct script_node *format);
bool fraction_make(struct checker *c, struct script_node *n); /* n becomes what %f shows of it; false: an error */
int lower_said(struct lower *l, struct script_node *n); /* of a call with the format as its first argument */
void said_text(struct runner *r, const struct site *s, const uint8_t *payload, size_t n, struct str *out);
#endif
