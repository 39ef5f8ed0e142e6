// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/lanes.h"
#include <stdlib.h>

struct export_lane *lanes_of(struct lanes *l, struct exporter *x, const struct export_sample *s, int event)
{
	uint64_t key = idmap_mix((uint64_t)(uint32_t)s->t->pid << 32 | (uint32_t)s->t->tid, event);
	uint32_t *id = idmap_at(&l->index, key ? key : 1);
	if (!*id) {
		struct export_lane *n = xcalloc(1, sizeof(*n));
		*n = (struct export_lane){ .pid = s->t->pid, .tid = s->t->tid, .event = event, .data = STR_INIT };
		*vec_push(&l->at) = n;
		*id = l->at.n;
	}
	struct export_lane *n = l->at.at[*id - 1];
	n->comm = s->t->comm;
	n->command = export_command(x, s->t);
	return n;
}

void lanes_add(struct lanes *l, struct exporter *x, const struct export_sample *s)
{
	struct export_lane *n = lanes_of(l, x, s, s->r->event_index);
	n->weight += s->r->period;
	if (!l->times && n->sample.n && vec_last(&n->sample)->stack == s->stack)
		vec_last(&n->sample)->weight += s->r->period;
	else
		*vec_push(&n->sample) = (struct lane_sample){ s->r->time, s->r->period, s->stack };
}

void lanes_release(struct lanes *l)
{
	vec_each(&l->at, at) {
		struct export_lane *n = *at;
		vec_release(&n->sample);
		vec_release(&n->mark);
		vec_release(&n->open);
		str_release(&n->data);
		free(n);
	}
	vec_release(&l->at);
	idmap_release(&l->index);
}

void lane_name(const struct export_lane *n, const struct exporter *x, struct str *out)
{
	size_t several = 0;
	for (size_t i = 0; i < x->event.n; i++)
		several += x->event.at[i].samples != 0;
	str_add_safez(out, n->comm);
	str_addf(out, " (%d)", n->tid);
	if (several > 1 && n->event >= 0)
		str_addf(out, " %s", x->event.at[n->event].name);
}
