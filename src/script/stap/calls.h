/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of SystemTap that are run here, by the interpreter. */
#ifndef SCRIPT_STAP_CALLS_H
#define SCRIPT_STAP_CALLS_H
#include "script/interp/interp.h"

const struct interp_call *stap_call_find(const char *name); /* NULL */
const struct interp_call *stap_call_next(const struct interp_call *c);

void stap_words(struct str *out, const char *p, size_t len); /* words with a NUL behind each, as a line */

/* One array for each file, its last row without a name. */
extern const struct interp_call stap_calls_text[], stap_calls_output[], stap_calls_machine[];
#endif
