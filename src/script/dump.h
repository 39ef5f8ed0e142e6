/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -d: a script as it is after a stage, on standard output. */
#ifndef SCRIPT_DUMP_H
#define SCRIPT_DUMP_H
#include "script/script.h"
enum dump_stage { DUMP_TREE = 1, DUMP_IR = 2, DUMP_CODE = 4 };
void dump_tree(const struct run_script *s); /* checked: with types */
void dump_ir(const struct script_unit *u);
void dump_code(const struct run_script *s, const struct script_unit *u); /* instructions, with the text each was made of */
#endif
