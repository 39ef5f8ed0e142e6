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

static uint32_t add(struct stacks *s, uint32_t parent, uint32_t place)
{
	uint32_t depth = s->at.at[parent].depth + 1; /* the push may move the array */
	*vec_push(&s->at) = (struct stack_node){ parent, place, depth, 0 };
	return s->at.n - 1;
}

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t place)
{
	uint32_t first = s->at.at[parent].first;
	if (first && s->at.at[first].place == place)
		return first;
	if (!first) {
		first = add(s, parent, place);
		return s->at.at[parent].first = first;
	}
	uint32_t *id = idmap_at(&s->index, (uint64_t)parent << 32 | place);
	return *id ? *id : (*id = add(s, parent, place));
}

void stacks_path(const struct stacks *s, uint32_t stack, uint32_t *out)
{
	for (uint32_t i = stack_depth(s, stack); i-- > 0; stack = s->at.at[stack].parent)
		out[i] = s->at.at[stack].place;
}
