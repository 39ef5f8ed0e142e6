// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include "picture/embed.h"
#include "picture/escape.h"
#include "picture/pack.h"
#include "picture/page.h"
#include "picture/timeline/timeline.h"

EMBED(timeline_css, "src/picture/timeline/timeline.css");
EMBED(timeline_body, "src/picture/timeline/timeline.html");
EMBED(timeline_model_js, "src/picture/timeline/model.js");
EMBED(timeline_draw_js, "src/picture/timeline/draw.js");
EMBED(timeline_page_js, "src/picture/timeline/page.js");

static const struct timehist_task *state_of(const struct sched_task *t)
{
	return t ? t->priv : NULL;
}

static int busiest_first(const void *a, const void *b, void *ctx)
{
	const struct timeline *t = ctx;
	const struct timehist_task *x = state_of(t->tasks.at[*(const uint32_t *)a]), *y = state_of(t->tasks.at[*(const uint32_t *)b]);
	uint64_t m = x ? x->sum.run : 0, n = y ? y->sum.run : 0;
	return m < n ? 1 : m > n ? -1 : *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static bool is_chosen(const struct timeline *t, uint32_t number)
{
	return intlist_has(&t->rows, t->tasks.at[number]->tid);
}

/* The numbers of the tasks that have a row: those asked for, then the busiest. */
static void write_rows(struct timeline *t, struct str *s)
{
	uint32_t *order = xcalloc(t->tasks.n, sizeof(*order));
	size_t n = 0, shown = 0;
	for (uint32_t i = 1; i < t->tasks.n; i++)
		if (is_chosen(t, i) || timeline_takes(t, t->tasks.at[i]))
			order[n++] = i;
	if (n)
		qsort_r(order, n, sizeof(*order), busiest_first, t);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++)
			if (is_chosen(t, order[i]) == !pass && (!pass || shown < t->busiest)) {
				str_addf(s, "%s%" PRIu32, shown++ ? "," : "", order[i]);
			}
	free(order);
}

/* The last number: is it drawn. */
static void add_task(const struct timeline *t, const struct sched_task *task, struct str *s)
{
	const struct timehist_task *st = state_of(task);
	struct timehist_span sum = st ? st->sum : (struct timehist_span){ 0 };
	str_addf(s, "[%d,%d,", task ? task->tid : 0, task ? task->pid : 0);
	escape_scriptz(s, task ? task->name : "<idle>");
	str_addf(s, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d]", st ? st->runs.n : 0, sum.run, sum.delay, timeline_takes(t, task));
}

/* Those that are drawn, when not all are. */
static void write_cpus(const struct timeline *t, struct str *s)
{
	if (!t->only || !t->only->cpus.n)
		return;
	str_add(s, ",\"only\":[");
	for (size_t i = 0; i < t->only->cpus.n; i++)
		str_addf(s, "%s%d", i ? "," : "", t->only->cpus.at[i]);
	str_addc(s, ']');
}

static void write_meta(struct timeline *t, struct out *o)
{
	struct str s = STR_INIT;
	str_add(&s, "<script type=\"application/json\" id=\"meta\">{\"title\":");
	escape_scriptz(&s, t->title);
	str_addf(&s, ",\"first\":\"%" PRIu64 "\",\"span\":%" PRIu64 ",\"events\":%" PRIu64 ",\"leftOut\":%" PRIu64 ",\"cpus\":%d,\"lost\":%" PRIu64,
		 t->first, t->last - t->first, t->events, t->left_out, t->n_cpus, t->runs.tasks.lost);
	write_cpus(t, &s);
	str_addf(&s, ",\"blocks\":%zu,\"columns\":%d,\"kinds\":[", t->blocks.n, (int)COLUMN_N);
	for (size_t i = 0; i < t->kinds.n; i++) {
		str_add(&s, i ? ",[" : "[");
		escape_scriptz(&s, t->kinds.at[i].name);
		str_addf(&s, ",%d]", (int)t->kinds.at[i].type);
	}
	str_add(&s, "],\"rows\":[");
	write_rows(t, &s);
	str_add(&s, "],\"tasks\":[");
	for (size_t i = 0; i < t->tasks.n; i++) {
		if (i)
			str_addc(&s, ',');
		add_task(t, t->tasks.at[i], &s);
		if (s.len > 1 << 16)
			out_str(o, &s);
	}
	str_add(&s, "]}</script>\n");
	out_str(o, &s);
	str_release(&s);
}

static void write_column(struct out *o, const char *name, size_t i, const struct str *packed)
{
	out_printf(o, "<script type=\"text/plain\" id=\"%s%zu\">", name, i);
	pack_base64(o, packed->buf, packed->len);
	out_puts(o, "</script>\n");
}

static void write_data(struct timeline *t, struct out *o)
{
	struct str packed = STR_INIT;
	for (size_t i = 0; i < COLUMN_N; i++) {
		str_clear(&packed);
		pack_bytes(&packed, &t->column[i]);
		write_column(o, "column", i, &packed);
	}
	for (size_t i = 0; i < t->blocks.n; i++)
		write_column(o, "block", i, &t->blocks.at[i]);
	str_release(&packed);
}

void timeline_write(struct timeline *t, struct out *o)
{
	if (t->texts.len) {
		struct str *b = vec_push(&t->blocks);
		str_init(b);
		pack_bytes(b, &t->texts);
		str_clear(&t->texts);
	}
	page_head(o, "timeline", t->title, timeline_css);
	out_puts(o, timeline_body);
	write_meta(t, o);
	write_data(t, o);
	out_puts(o, "<script>\n");
	out_puts(o, timeline_model_js);
	out_puts(o, timeline_draw_js);
	out_puts(o, timeline_page_js);
	out_puts(o, "</script>\n</body>\n</html>\n");
}
