/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the interpreter's files share. */
#ifndef SCRIPT_INTERP_INNER_H
#define SCRIPT_INTERP_INNER_H
#include "script/interp/interp.h"

enum interp_flow interp_list(struct interp *ip, struct script_node *n);
struct interp_cell *interp_cell_of(struct interp *ip, struct script_node *n, bool make);
#endif
