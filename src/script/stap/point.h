/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_STAP_POINT_H
#define SCRIPT_STAP_POINT_H
#include "base/str.h"
#include "script/stap/stap.h"

struct stap_block *stap_block_new(struct stap *st, enum stap_kind kind, const struct stap_point *pt);
/* The blocks of one point that is no alias, joined by `also`; NULL: it means nothing (never). -ENOENT without an error: there is
 * no such kind; -EINVAL: it is wrong, also when it is optional; else, with a pending error: it is not here. */
int stap_place(struct stap *st, const struct stap_point *pt, struct stap_block **out);
#endif
