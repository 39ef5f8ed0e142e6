/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_CHECK_TYPE_H
#define SCRIPT_CHECK_TYPE_H
#include "script/check.h"

/* Each is for a kind of node; the type of its value, or &type_none and, in the last round, an error. */
struct script_type *check_field(struct checker *c, struct script_node *n);
struct script_type *check_index(struct checker *c, struct script_node *n);
struct script_type *check_deref(struct checker *c, struct script_node *n);
struct script_type *check_address_of(struct checker *c, struct script_node *n);
struct script_type *check_cast(struct checker *c, struct script_node *n);
struct script_type *check_sizeof(struct checker *c, struct script_node *n);
struct script_type *check_offsetof(struct checker *c, struct script_node *n);
struct script_type *check_written(struct checker *c, struct c_type *t); /* a type as the script writes it; NULL: an error was told */
struct script_type *check_pointers(struct checker *c, struct script_node *n); /* a sum or difference in which there is one */
/* NULL: no enum has it. */
struct script_type *check_enum_constant(struct checker *c, struct script_node *n);
void check_signs(struct checker *c, struct script_node *n); /* warns of an order or a quotient of numbers of different signs */
uint32_t type_step(struct script_type *t); /* bytes that 1 more means */
#endif
