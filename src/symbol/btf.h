/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel tells about itself: the parameters of its functions and the members of its
 * structures, from BTF. Enough for probes on the entry of functions, with no debug information. */
#ifndef SYMBOL_BTF_H
#define SYMBOL_BTF_H
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "symbol/fetch.h"

struct btf_kernel;
/* module NULL: the kernel itself. A file (vmlinux, .ko) may be given instead of the running one; for a
 * module's file also the vmlinux that it belongs to (NULL: the running kernel). */
int btf_kernel_open(struct btf_kernel **out, const char *module, const char *file, const char *vmlinux);
void btf_kernel_close(struct btf_kernel *b);

struct btf_arg { char *type, *name; };
typedef VEC(struct btf_arg) btf_args;
/* -ENOENT: BTF has no such function; pending error. */
int btf_list_args(struct btf_kernel *b, const char *func, btf_args *out);
void btf_args_release(btf_args *a);
/* At the function's entry. Pending error when it cannot be. */
int btf_fetch(struct btf_kernel *b, const char *func, const struct fetch_want *w, struct fetch *out, char **type);
#endif
