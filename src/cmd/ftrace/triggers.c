// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/ftrace/triggers.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "ftrace/setup.h"
#include "ftrace/trigger.h"
#include "job/ftrace/during.h"
#include "job/ftrace/histtable.h"

/* Events that a pattern means, as "sched/sched_switch". */
static int dirs_of(const char *pattern, wordlist *out)
{
	int err = ftrace_events_named(pattern, out);
	vec_each(out, d)
		if (strchr(*d, ':'))
			*strchr(*d, ':') = '/';
	return err;
}

struct work { const struct hist_triggers *h; struct ftrace_instance at; };

static int set_up(void *ctx)
{
	struct work *w = ctx;
	const struct hist_triggers *h = w->h;
	int err = 0;
	for (size_t k = 0; k < h->synth.n && !err; k++)
		err = ftrace_synthetic_add(h->synth.at[k]);
	if (!err)
		err = ftrace_instance_own(&w->at);
	for (size_t k = 0; k < h->triggers.n && !err; k++) {
		wordlist dirs = { 0 };
		err = dirs_of(h->events.at[k], &dirs);
		for (size_t d = 0; d < dirs.n && !err; d++)
			err = ftrace_trigger_add(&w->at, dirs.at[d], h->triggers.at[k]);
		wordlist_release(&dirs);
	}
	return err;
}

static int show_event(const struct hist_triggers *h, const struct ftrace_instance *i, char *dir, struct out *o, uint64_t *dropped)
{
	struct str s = STR_INIT;
	char file[300];
	snprintf(file, sizeof(file), "events/%s/hist", dir);
	int err = ftrace_get(i, file, &s);
	if (err) {
		ftrace_explain(err, i, file, NULL);
	} else if (s.len) {
		*strchr(dir, '/') = ':';
		*dropped += ftrace_hist_table(s.buf, dir, h->json, o);
	}
	str_release(&s);
	return err;
}

static int show(void *ctx)
{
	const struct work *w = ctx;
	const struct hist_triggers *h = w->h;
	struct out o;
	wordlist dirs = { 0 }, done = { 0 };
	uint64_t dropped = 0;
	int err = out_open(&o, h->output, false);
	if (err)
		return err;
	for (size_t k = 0; k < h->events.n && !err; k++)
		err = dirs_of(h->events.at[k], &dirs);
	vec_each(&dirs, d) {
		if (err || wordlist_has(&done, *d))
			continue;
		wordlist_add(&done, *d); /* an event's file has the tables of all its triggers */
		err = show_event(h, &w->at, *d, &o, &dropped);
	}
	if (dropped) {
		warn("%llu events found no room in a table", (unsigned long long)dropped);
		hint("hist:keys=...:size=N makes it larger, up to 131072 entries");
	}
	wordlist_release(&dirs);
	wordlist_release(&done);
	int end = out_close(&o);
	return err ? err : end;
}

int hist_triggers_run(struct hist_triggers *h, char **command)
{
	struct work w = { .h = h };
	const struct ftrace_during d = { .set_up = set_up, .show = show, .ctx = &w, .timeout_ms = h->timeout };
	int code = ftrace_during_run(&d, command);
	ftrace_instance_release(&w.at);
	return code;
}

void hist_triggers_release(struct hist_triggers *h)
{
	wordlist_release(&h->synth);
	wordlist_release(&h->triggers);
	wordlist_release(&h->events);
}
