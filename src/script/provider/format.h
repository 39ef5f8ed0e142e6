/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of a tracepoint, as a type for `args`. */
#ifndef SCRIPT_PROVIDER_FORMAT_H
#define SCRIPT_PROVIDER_FORMAT_H
#include "script/script.h"
/* NULL: there is no such tracepoint; no pending error. syscall: arguments are words, and pointers are the program's. */
struct script_type *format_record(struct run_script *s, const char *system, const char *event, bool syscall);
#endif
