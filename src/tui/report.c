// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/report.h"
#include <stdlib.h>
#include <string.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "tui/annotate/annotate.h"
#include "tui/run.h"

struct tui_report_ctx { struct report *r; struct hist_browse browse; struct tui_wait *wait; char *next; bool stopped; };

static bool go_on(void *ctx, double done)
{
	struct tui_report_ctx *c = ctx;
	c->stopped = !tui_wait_go_on(c->wait, done);
	return !c->stopped;
}

static void header(void *ctx, struct str *out)
{
	struct tui_report_ctx *c = ctx;
	perfdata_print_header(c->r->data, out, true);
}

static void status(void *ctx, struct str *out)
{
	struct tui_report_ctx *c = ctx;
	uint64_t lost = perfdata_lost(c->r->data);
	if (c->stopped)
		str_addf(out, "%sreading was stopped: this is not all", out->len ? ", " : "");
	if (lost)
		str_addf(out, "%s%llu events were lost while recording", out->len ? ", " : "", (unsigned long long)lost);
}

static void other(void *ctx, const char *path)
{
	struct tui_report_ctx *c = ctx;
	free(c->next);
	c->next = xstrdup(path);
}

/* What the report was made of, and of that the range that is chosen now. times and events are the copy's own. */
static void filter_within(struct sample_filter *to, struct event_switch *events, const struct hist_browse *b, size_t event)
{
	const struct sample_filter *from = b->report->o->filter;
	const struct time_range all = { 0, UINT64_MAX };
	struct time_range range = b->to ? (struct time_range){ b->from, b->to } : all;
	size_t n = from ? from->times.n : 0;
	if (b->to)
		hist_range_times(profile_hist(b->pr, event), &range.from, &range.to);
	if (from)
		*to = *from;
	if (to->events) { /* they switch anew: it is read from the beginning */
		*events = *to->events;
		events->waits = events->on != NULL;
		to->events = events;
	}
	memset(&to->times, 0, sizeof(to->times));
	for (size_t i = 0; i < (n ? n : 1); i++) {
		struct time_range t = n ? from->times.at[i] : all;
		t.from = range.from > t.from ? range.from : t.from;
		t.to = range.to < t.to ? range.to : t.to;
		*vec_push(&to->times) = t; /* of none left the end is before the beginning: nothing is in it */
	}
}

/* The samples by instruction are read when they are first asked for. */
static enum tui_did annotate(struct tui *t, struct hist_browse *b, size_t event, const struct place *p)
{
	const struct report_options *o = b->report->o;
	if (!p->dso || !o->input) {
		tui_say(t, p->dso ? "the recording came through a pipe and cannot be read again" : "this line is in no file");
		return TUI_DONE;
	}
	struct sample_filter within = { 0 };
	struct event_switch events;
	struct str range = STR_INIT;
	filter_within(&within, &events, b, event);
	if (b->to)
		hist_range_say(b, &range);
	struct tui_source *s = annotate_place(b->pr->syms, o->input, o->force,
					      &(struct annotate_target){ p, (int)event, &within, &o->code, o->percent_type, b->to ? range.buf : NULL });
	if (!s)
		tui_say(t, "%s", error_message());
	else
		tui_push(t, s);
	error_clear();
	vec_release(&within.times);
	str_release(&range);
	return TUI_DONE;
}

static const struct hist_browse_ops ops = { .header = header, .status = status, .other = other };

int tui_report(struct report *r, struct symbols *syms, char **next)
{
	struct tui_report_ctx c = { .r = r };
	struct profile *pr = report_profile(r, syms);
	c.browse = (struct hist_browse){ .report = r, .pr = pr, .style = report_style(r), .ops = &ops, .ctx = &c, .annotate = annotate, .generation = 1 };
	pr->fold.log = !r->o->branch && !r->o->history;
	c.wait = tui_wait_begin("reading the recording");
	int err = profile_read_while(pr, go_on, &c);
	profile_finish(pr, r->o->group, r->o->symbol_filter);
	for (size_t i = 0; r->o->hierarchy && i < perfdata_n_events(r->data); i++)
		hist_hierarchy(profile_hist(pr, i));
	tui_wait_end(c.wait);
	int shown = tui_run(hist_browse_view(&c.browse), NULL);
	*next = c.next;
	profile_free(pr);
	return err ? err : shown;
}
