/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PROVIDER_SYSCALLS_H
#define SCRIPT_PROVIDER_SYSCALLS_H
#include "script/script.h"
/* A point for syscalls:EVENT; false: no call of a known number is called so. args: the block uses them. */
bool syscalls_point(struct run_script *s, const struct attach *a, const char *event, bool args);
/* Of a unit with many points: an entry for each number of a call, 1 + the point's or 0; those of 32-bit calls behind the others. */
enum { SYSCALLS_MAX = 512, SYSCALLS_ENTRIES = 2 * SYSCALLS_MAX };
/* Does point p mean i386's call of that number as well? */
bool syscalls_has_32(const struct point *p, int nr32);
#endif
