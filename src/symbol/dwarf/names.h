/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function's DIE calls it: its mangled name, demangled; else its own with the scopes around it. */
#ifndef SYMBOL_DWARF_NAMES_H
#define SYMBOL_DWARF_NAMES_H
#include <elfutils/libdw.h>
#include <stdbool.h>

struct dwarf_names;
struct dwarf_names *dwarf_names_new(bool no_demangle);
void dwarf_names_free(struct dwarf_names *n); /* before dwarf_end() of the DIEs that were asked for */
/* NULL: it has none. Lives as long as n. A concrete or inlined copy has the name of what it is a copy of. */
const char *dwarf_names_of(struct dwarf_names *n, Dwarf_Die *die);
#endif
