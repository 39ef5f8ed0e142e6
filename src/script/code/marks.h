/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries that are deleted and come again with the next event, as @start[tid] does: the kernel takes as long for that as
 * for all the rest of a block. So an entry of such a map begins with a mark, and delete() only takes that away and makes
 * the value 0. Not more than a part of the map may be such remains: each CPU counts those it has left less those it has
 * taken up again, and beyond its share it deletes in earnest. (The counts are not exact to the last one: another program
 * may interrupt.) The map has that much more room. */
#ifndef SCRIPT_CODE_MARKS_H
#define SCRIPT_CODE_MARKS_H
#include "script/code/lower.h"

enum { MARKS_LEAST = 1024 /* entries of a map, for this to be worth it */ };
void marks_choose(struct run_script *s); /* which maps; they are checked */
uint32_t marks_room(const struct run_script *s, const struct decl *d); /* entries of the kernel's map */
void marks_take(struct lower *l, const struct decl *d, int entry); /* it has a value now, whether it is a remain or not */
int marks_present(struct lower *l, const struct decl *d, int entry); /* 1: it is there; 0: it is not, or a remain. Of any map */
int marks_delete(struct lower *l, struct script_node *map); /* a register: 1 when there was one */
#endif
