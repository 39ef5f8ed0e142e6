/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constants of the headers that scripts include: those of system calls (syscall/tables), and a few of the kernel's own that
 * its BTF has not, since they are macros. */
#ifndef SCRIPT_CONSTANTS_H
#define SCRIPT_CONSTANTS_H
#include <stdbool.h>
#include <stdint.h>
bool constant_value(const char *name, uint64_t *v);
#endif
