// SPDX-License-Identifier: GPL-2.0-or-later
/* speedscope's own file: frames once, and a profile for each thread and event, whose samples are in order of time. */
#include <inttypes.h>
#include <stdlib.h>
#include "base/json.h"
#include "base/version.h"
#include "ui/export/formats.h"
#include "ui/export/lanes.h"
#include "ui/export/tables.h"

struct speedscope {
	struct lanes lanes;
	struct export_tables t;
	struct json j;
	VEC(uint32_t) path;
};

static int speedscope_sample(struct exporter *x, const struct export_sample *s)
{
	struct speedscope *p = x->state;
	lanes_add(&p->lanes, x, s);
	return 0;
}

static int send(struct exporter *x)
{
	return sink_str(&x->sink, &x->text);
}

/* Function numbers start at 1, frames at 0. */
static void add_stack(struct speedscope *p, uint32_t stack)
{
	uint32_t n = stack_depth(p->t.stacks, stack);
	while (p->path.n < n)
		vec_push(&p->path);
	stacks_path(p->t.stacks, stack, p->path.at);
	json_open(&p->j, '[');
	for (uint32_t i = 0; i < n; i++)
		json_u64(&p->j, tables_function(&p->t, place_at(p->t.places, p->path.at[i])) - 1);
	json_close(&p->j, ']');
}

static int add_profile(struct exporter *x, const struct export_lane *n)
{
	struct speedscope *p = x->state;
	const struct export_event *e = &x->event.at[n->event];
	struct str name = STR_INIT;
	int err = 0;
	lane_name(n, x, &name);
	json_open(&p->j, '{');
	json_kstr(&p->j, "type", "sampled");
	json_kstr(&p->j, "name", name.buf);
	json_kstr(&p->j, "unit", export_clock_unit(e) ? "nanoseconds" : "none");
	json_ku64(&p->j, "startValue", 0);
	json_ku64(&p->j, "endValue", n->weight);
	json_key(&p->j, "samples");
	json_open(&p->j, '[');
	for (size_t i = 0; i < n->sample.n && !err; i++) {
		add_stack(p, n->sample.at[i].stack);
		err = send(x);
	}
	json_close(&p->j, ']');
	json_key(&p->j, "weights");
	json_open(&p->j, '[');
	for (size_t i = 0; i < n->sample.n; i++)
		json_u64(&p->j, n->sample.at[i].weight);
	json_close(&p->j, ']');
	json_close(&p->j, '}');
	str_release(&name);
	return err ? err : send(x);
}

static int add_frames(struct exporter *x)
{
	struct speedscope *p = x->state;
	int err = 0;
	json_key(&p->j, "shared");
	json_open(&p->j, '{');
	json_key(&p->j, "frames");
	json_open(&p->j, '[');
	for (size_t i = 1; i < p->t.function.n && !err; i++) {
		const struct table_function *f = &p->t.function.at[i];
		json_open(&p->j, '{');
		json_kstr(&p->j, "name", p->t.string.at[f->name]);
		if (f->file)
			json_kstr(&p->j, "file", p->t.string.at[f->file]);
		json_close(&p->j, '}');
		err = send(x);
	}
	json_close(&p->j, ']');
	json_close(&p->j, '}');
	return err;
}

/* The thread with the most samples is the one shown first. */
static size_t busiest(const struct lanes *l)
{
	size_t best = 0;
	for (size_t i = 1; i < l->at.n; i++)
		if (l->at.at[i]->sample.n > l->at.at[best]->sample.n)
			best = i;
	return best;
}

static int speedscope_write(struct exporter *x)
{
	struct speedscope *p = x->state;
	int err = 0;
	tables_init(&p->t, &x->profile->places, &x->profile->stacks);
	json_init(&p->j, &x->text);
	json_open(&p->j, '{');
	json_kstr(&p->j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_kstr(&p->j, "exporter", "sonde " SONDE_VERSION);
	json_kstr(&p->j, "name", x->o->input);
	json_ku64(&p->j, "activeProfileIndex", busiest(&p->lanes));
	json_key(&p->j, "profiles");
	json_open(&p->j, '[');
	for (size_t i = 0; i < p->lanes.at.n && !err; i++)
		err = add_profile(x, p->lanes.at.at[i]);
	json_close(&p->j, ']');
	err = err ? err : add_frames(x);
	json_close(&p->j, '}');
	str_addc(&x->text, '\n');
	tables_release(&p->t);
	return err ? err : send(x);
}

static int speedscope_end(struct exporter *x, bool write)
{
	struct speedscope *p = x->state;
	int err = write ? speedscope_write(x) : 0;
	lanes_release(&p->lanes);
	vec_release(&p->path);
	return err;
}

const struct export_format export_speedscope = { .name = "speedscope", .what = "speedscope's file, for www.speedscope.app",
	.suffix = "speedscope.json", .state = sizeof(struct speedscope), .sample = speedscope_sample, .end = speedscope_end };
