/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constants are computed before there is a program. Behind check: the tree has its types. */
#ifndef SCRIPT_FOLD_H
#define SCRIPT_FOLD_H
#include "script/front/ast.h"
void fold_probe(struct probe *p);
#endif
