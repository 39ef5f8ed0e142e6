/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_LOWER_LOOP_H
#define SCRIPT_LOWER_LOOP_H
#include "script/code/lower.h"

bool lower_has_loop(const struct script_node *n); /* a list: is one in it for which variables are in the frame? */
void lower_while(struct lower *l, struct script_node *n);
void lower_for(struct lower *l, struct script_node *n);
int lower_map_len(struct lower *l, const struct script_node *map); /* how many entries it has; ABLE_FOR_EACH */
#endif
