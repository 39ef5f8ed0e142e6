/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of kernel functions by their names. */
#ifndef SCRIPT_PROVIDER_KARGS_H
#define SCRIPT_PROVIDER_KARGS_H
#include "script/ctype/ctype.h"
#include "script/script.h"

/* A record of the parameters, field.at being their number from 0. */
struct script_type *kargs_record(struct run_script *s, const struct ctype_function *f);
/* The pointer that the function returns, as BTF has it. */
void kargs_result(struct run_script *s, struct point *pt, const char *module, const char *function);
/* The point's args, where the function begins: BTF's, else the debug information's. Without either there are none.
 * -errno, pending error: there are, but they cannot be had. */
int kargs_at_entry(struct run_script *s, struct point *pt, const char *module, const char *function);
#endif
