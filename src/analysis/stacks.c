// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/stacks.h"

void stacks_init(struct stacks *s)
{
	memset(s, 0, sizeof(*s));
	vec_push(&s->at);
}

void stacks_release(struct stacks *s)
{
	vec_release(&s->at);
	idmap_release(&s->index);
}

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t place)
{
	uint32_t *id = idmap_at(&s->index, (uint64_t)parent << 32 | place);
	if (*id)
		return *id;
	uint32_t n = *id = s->at.n, depth = s->at.at[parent].depth + 1;
	*vec_push(&s->at) = (struct stack_node){ parent, place, depth };
	return n;
}

void stacks_path(const struct stacks *s, uint32_t stack, uint32_t *out)
{
	for (uint32_t i = stack_depth(s, stack); i-- > 0; stack = s->at.at[stack].parent)
		out[i] = s->at.at[stack].place;
}
