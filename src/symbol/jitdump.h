/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jit-PID.dump: what a JIT wrote of its code (the format of perf's jitdump specification, version 1). */
#ifndef SYMBOL_JITDUMP_H
#define SYMBOL_JITDUMP_H
#include "symbol/symtab.h"

/* Adds every function; a later one takes the place of what it overwrote, from its time on where times are told. -errno. */
int symtab_load_jitdump(struct symtab *t, const char *path);
#endif
