/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printf's formats: read once, when the script is compiled, into a plan; a record is then printed by that. */
#ifndef SCRIPT_SHOW_FORMAT_H
#define SCRIPT_SHOW_FORMAT_H
#include "base/str.h"
#include "script/run.h"

struct plan;
/* args: a tuple. NULL: *why is the sentence, *at the argument it is about, 0 for the format itself. In the arena. */
struct plan *plan_make(struct arena *a, const char *format, size_t len, const struct script_type *args, const char **why, unsigned *at);
/* Is conversion i of the format a %f, %e or %g? */
bool plan_is_fraction(const char *format, size_t len, unsigned i);
/* Appends what the payload of a record gives. It may be anything: nothing is read beyond n. */
void plan_print(const struct plan *p, const struct namer *nm, struct str *out, const uint8_t *payload, size_t n);
#endif
