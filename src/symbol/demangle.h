/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++ and Rust (legacy and v0) names as perf prints them: without parameters, without Rust's hash. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H
#include <stdbool.h>

/* Cheap test that keeps plain C names away from the demangler. */
bool demangle_wanted(const char *name);
/* NULL: not mangled, or the result would be absurdly long. The caller frees. params: with the types. */
char *demangle(const char *name, bool params);
#endif
