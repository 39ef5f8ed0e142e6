// SPDX-License-Identifier: GPL-2.0-or-later
#include "picture/flame/flame.h"

/* Names are hostile: no control character comes through. */
static void add_path(struct str *s, struct str *path)
{
	str_add_safe(s, path->buf, path->len);
	str_clear(path);
}

void flame_folded(const struct flame_picture *p, struct out *o)
{
	struct str s = STR_INIT, path = STR_INIT;
	for (size_t i = 0; i < p->t->node.n; i++) {
		const struct flame_node *n = &p->t->node.at[i];
		uint64_t self = n->self + n->cut;
		if (!self && !n->before_self)
			continue;
		flame_tree_path(p->t, i, &path);
		add_path(&s, &path);
		if (p->compared)
			str_addf(&s, " %llu", (unsigned long long)n->before_self);
		str_addf(&s, " %llu\n", (unsigned long long)self);
		out_str(o, &s);
	}
	for (size_t i = 0; i < p->t->gone.n; i++) {
		flame_tree_gone_path(p->t, p->t->gone.at[i].stack, &path);
		add_path(&s, &path);
		str_addf(&s, " %llu 0\n", (unsigned long long)p->t->gone.at[i].before);
		out_str(o, &s);
	}
	str_release(&path);
	str_release(&s);
}
