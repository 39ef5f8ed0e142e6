// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/top/top.h"
#include <stdlib.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "job/top/inner.h"
#include "tui/run.h"

/* ---- in the browser ---- */

static bool beat(void *ctx)
{
	struct top *t = ctx;
	top_refresh(t);
	return !__atomic_load_n(&t->over, __ATOMIC_ACQUIRE) && !life_over(&t->life);
}

static void hold(void *ctx, bool on)
{
	struct top *t = ctx;
	if (on)
		pthread_mutex_lock(&t->lock);
	else
		pthread_mutex_unlock(&t->lock);
}

static void status(void *ctx, struct str *out)
{
	struct top *t = ctx;
	const struct perfdata_stats *s = perfdata_stats(t->data);
	str_addf(out, "%s%.0f samples/s, ", out->len ? ", " : "", t->rate);
	if (s->lost_events)
		str_addf(out, "%llu LOST: larger rings (-m) or fewer samples (-F), ", (unsigned long long)s->lost_events);
	else
		str_add(out, "none lost, ");
	str_addf(out, "sonde takes %.1f %% of a CPU", t->share * 100);
}

static bool turn(void *ctx, bool on)
{
	struct top *t = ctx;
	if (t->tell < 0)
		return false;
	top_recorder_turn(t, on);
	return true;
}

static const struct hist_browse_ops ops = { .status = status, .turn = turn };

static int browse(struct top *t)
{
	struct tui_live live = { .fd = t->over_fd, .ms = (int)(t->o->delay * 1000), .beat = beat, .hold = hold, .ctx = t };
	pthread_mutex_lock(&t->lock);
	top_refresh(t);
	struct tui_source *view = hist_browse_view(&t->browse);
	pthread_mutex_unlock(&t->lock);
	return tui_run(view, &live);
}

/* ---- the whole of it ---- */

static void say_end(struct top *t, bool watched_ended)
{
	const struct perfdata_stats *s = perfdata_stats(t->data);
	if (t->why)
		warn("%s", t->why);
	else if (watched_ended)
		warn("what was watched has ended");
	if (s->lost_events) {
		warn("%llu events were lost: the rings were full", (unsigned long long)s->lost_events);
		hint("larger rings (-m 32M), or fewer samples (a smaller -F)");
	}
}

static int make_profile(struct top *t)
{
	struct report_options *o = &t->o->page;
	o->usual = "dso,symbol";
	if (t->o->record.sampling.call_graph == CALL_GRAPH_NONE || o->hierarchy || o->branch)
		o->children = false;
	o->no_graph |= t->o->record.sampling.call_graph == CALL_GRAPH_NONE;
	o->caller |= o->children && !t->o->order_given;
	int err = report_prepare(&t->report, t->data, o);
	if (err)
		return err;
	if ((t->o->switches.on || t->o->switches.off) && (err = filter_switch(&t->o->switches, t->data)))
		return err;
	t->o->filter.events = &t->o->switches;
	t->syms = symbols_new(&t->o->symbols);
	t->pr = report_profile(&t->report, t->syms);
	t->browse = (struct hist_browse){ .report = &t->report, .pr = t->pr, .style = report_style(&t->report), .ops = &ops, .ctx = t, .live = true, .annotate = top_annotate,
					  .zeroing = t->o->zero, .count_filter = t->o->count_filter };
	return 0;
}

static int show(struct top *t)
{
	int err = make_profile(t);
	if (!err)
		err = top_feed_start(t);
	if (err)
		return err;
	err = t->o->stdio ? top_tables(t) : browse(t);
	/* the signal that ends us may have ended the recorder, too: both are of one group */
	say_end(t, __atomic_load_n(&t->over, __ATOMIC_ACQUIRE) && !life_over(&t->life));
	return err;
}

int top_run(struct top_options *o)
{
	struct top t = { .o = o, .tell = -1, .said = -1, .over_fd = -1, .only_event = -1, .least_percent = 5, .shown = o->annotated ? xstrdup(o->annotated) : NULL };
	int code = top_recorder_start(&t); /* before signals are caught: it has its own life */
	if (code > 0)
		return code;
	int err = code ? code : life_fork(&t.life, NULL, &(struct workload_options){ 0 });
	if (!err)
		err = show(&t);
	code = err ? error_print() : 0;
	if (t.pid > 0)
		top_recorder_stop(&t);
	top_feed_end(&t);
	top_samples_release(&t);
	free(t.shown);
	profile_free(t.pr);
	report_release(&t.report);
	symbols_free(t.syms);
	top_recorder_end(&t);
	life_release(&t.life);
	return code;
}
