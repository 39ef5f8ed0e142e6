// SPDX-License-Identifier: GPL-2.0-or-later
/* Brendan Gregg's folded stacks: "command;outer;inner 12", a line each. ';' parts frames, the last blank the weight. */
#include <stdlib.h>
#include "ui/export/formats.h"

struct folded {
	struct strmap lines; /* text to weight: places of one name make one line */
	struct idmap index; /* stack and command to sum */
	VEC(struct folded_sum { uint32_t stack; const char *comm; uint64_t weight; }) sum;
};

static int folded_sample(struct exporter *x, const struct export_sample *s)
{
	struct folded *f = x->state;
	uint64_t key = idmap_mix((uintptr_t)s->t->comm, s->stack);
	uint32_t *id = idmap_at(&f->index, key ? key : 1);
	if (!*id) {
		*vec_push(&f->sum) = (struct folded_sum){ s->stack, s->t->comm, 0 };
		*id = f->sum.n;
	}
	f->sum.at[*id - 1].weight += s->r->period;
	return 0;
}

static void add_name(struct str *line, const char *name)
{
	size_t from = line->len;
	str_add_safez(line, name);
	for (; from < line->len; from++)
		if (line->buf[from] == ';')
			line->buf[from] = ':';
}

static void add_line(struct exporter *x, const struct folded_sum *sum)
{
	struct profile *p = x->profile;
	uint32_t n = stack_depth(&p->stacks, sum->stack), *path = xmalloc((n + 1) * sizeof(*path));
	struct str room = STR_INIT;
	add_name(&x->text, sum->comm);
	stacks_path(&p->stacks, sum->stack, path);
	for (uint32_t i = 0; i < n; i++) {
		str_addc(&x->text, ';');
		add_name(&x->text, export_frame_name(place_at(&p->places, path[i]), &room));
	}
	str_release(&room);
	free(path);
}

/* As they come, not sorted: 12 million lines need no order. */
static int write_lines(struct exporter *x)
{
	struct folded *f = x->state;
	size_t cursor = 0;
	const char *line;
	void *weight;
	int err = 0;
	vec_each(&f->sum, sum) {
		add_line(x, sum);
		strmap_set(&f->lines, x->text.buf, (char *)strmap_get(&f->lines, x->text.buf) + sum->weight);
		str_clear(&x->text);
	}
	while (!err && strmap_next(&f->lines, &cursor, &line, &weight)) {
		str_add(&x->text, line);
		str_addc(&x->text, ' ');
		str_add_u64(&x->text, (uintptr_t)weight);
		str_addc(&x->text, '\n');
		err = sink_str(&x->sink, &x->text);
	}
	return err;
}

static int folded_end(struct exporter *x, bool write)
{
	struct folded *f = x->state;
	int err = write ? write_lines(x) : 0;
	strmap_release(&f->lines);
	idmap_release(&f->index);
	vec_release(&f->sum);
	return err;
}

const struct export_format export_folded = { .name = "folded", .what = "folded stacks, a line each, for flamegraph.pl and its kind",
	.suffix = "folded", .one_event = true, .state = sizeof(struct folded), .sample = folded_sample, .end = folded_end };
