/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs that have no decoder of their own, printed from the running kernel's types (BTF). They are
 * loaded when the first such struct is met, not before: that takes some milliseconds and megabytes. */
#ifndef SYSCALL_BTF_H
#define SYSCALL_BTF_H
#include "syscall/value.h"

struct btf_types;
void btf_types_free(struct btf_types *t);
#endif
