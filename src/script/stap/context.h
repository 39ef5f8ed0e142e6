/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that only the kernel can answer when a probe is hit, each as an expression of bpftrace's language. */
#ifndef SCRIPT_STAP_CONTEXT_H
#define SCRIPT_STAP_CONTEXT_H
#include "script/stap/stap.h"

struct stap_context {
	const char *name;
	uint8_t min, max; /* arguments: A, B in the template */
	const char *tree; /* NULL: from the block's kind, see split.c */
	enum slot_form form;
	int64_t by;
};
const struct stap_context *stap_context_find(const char *name);
const struct stap_context *stap_context_next(const struct stap_context *c);
/* An expression of bpftrace's language, with A, B, C replaced; NULL and a pending error. */
struct script_node *stap_template(struct stap *st, const char *text, struct span at, struct script_node **args, unsigned n);
#endif
