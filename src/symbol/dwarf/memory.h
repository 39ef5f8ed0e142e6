/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which variable is where at an address of the code, and what is at an offset of a type. */
#ifndef SYMBOL_DWARF_MEMORY_H
#define SYMBOL_DWARF_MEMORY_H
#include "symbol/dwarf/dwarf.h"

/* The function around addr; false: there is none. */
bool dwarf_memory_place(struct dwarf_file *f, uint64_t addr, struct dwarf_place *p);
/* The type of a variable whose value is in that register (DWARF's number). */
bool dwarf_in_register(struct dwarf_file *f, const struct dwarf_place *p, int reg, Dwarf_Die *type);
/* The type of the variable that has the memory at reg + at, and the offset in it. */
bool dwarf_in_frame(struct dwarf_file *f, const struct dwarf_place *p, int reg, int64_t at, Dwarf_Die *type, int64_t *offset);

struct dwarf_globals;
struct dwarf_globals *dwarf_globals_new(struct dwarf_file *f); /* all of the file; f stays open */
void dwarf_globals_free(struct dwarf_globals *g);
/* The same of a variable at a fixed address, static ones of the function too. */
bool dwarf_global_at(struct dwarf_file *f, const struct dwarf_globals *g, const struct dwarf_place *p, uint64_t addr, Dwarf_Die *type, int64_t *offset);

/* The number, pointer, ... that begins at an offset of a type; field: its name from there, "at.sum" (NULL: not wanted). false: none
 * begins there. */
bool dwarf_part_at(Dwarf_Die *whole, int64_t offset, Dwarf_Die *part, struct str *field);
bool dwarf_behind_pointer(Dwarf_Die *pointer, Dwarf_Die *type); /* what it points to; false: void, or it is none */
/* "struct node", "long int[]", without qualifiers. false: the offset is not in it. */
bool dwarf_type_name(Dwarf_Die *type, int64_t offset, struct str *name);
#endif
