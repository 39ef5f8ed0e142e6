/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call stacks as numbers. All stacks share one tree that grows from the outermost caller; a stack is the
 * node of its innermost frame. Two samples with the same stack have the same number, which is what makes
 * the rest of a report cheap: it works on distinct stacks, not on samples. Number 0 is the empty stack. */
#ifndef ANALYSIS_STACKS_H
#define ANALYSIS_STACKS_H
#include "analysis/idmap.h"
#include "base/vec.h"

struct stack_node { uint32_t parent, place, depth, first /* the callee that came first; 0: none */; };
struct stacks {
	VEC(struct stack_node) at;
	struct idmap index; /* of callees that are not the first: most have no other */
};
void stacks_init(struct stacks *s);
void stacks_release(struct stacks *s);
/* The stack that has place on top of parent. */
uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t place);
static inline uint32_t stack_depth(const struct stacks *s, uint32_t stack)
{
	return s->at.at[stack].depth;
}
/* Writes stack_depth() places, outermost first. */
void stacks_path(const struct stacks *s, uint32_t stack, uint32_t *out);
#endif
