/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs and arrays of C as text. */
#ifndef SCRIPT_SHOW_CTYPE_H
#define SCRIPT_SHOW_CTYPE_H
#include "script/run.h"

enum show_form { SHOW_TEXT /* { .a = 1, .b = [1,2] } */, SHOW_KEY /* {.a=1,.b=[1,2]} */, SHOW_JSON /* { "a": 1, "b": [1,2] } */ };
/* Any type of C; n bytes are at p. */
void show_ctype(struct str *out, const struct namer *nm, struct script_type *t, const uint8_t *p, size_t n, enum show_form form);
void show_float(struct str *out, const struct script_type *t, uint64_t v, bool json);
/* A number that is in a register: by the name of its constant, when its type is an enum's that has one. false: it has none. */
bool show_constant(struct str *out, const struct script_type *t, uint64_t v, bool json);
#endif
