// SPDX-License-Identifier: GPL-2.0-or-later
/* When a recorder samples: from the start, at given times (-D), or as another process says (--control). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include "base/error.h"
#include "job/record/inner.h"

static void turn(struct recorder *r, bool tracker, int only, unsigned long what)
{
	const struct opened *sets[] = { &r->opened, &r->tracking };
	for (int i = 0; i < 2; i++)
		vec_each(&sets[i]->fds, f)
			if ((f->event == r->tracker && r->own_tracker) == tracker && (only < 0 || f->event == only))
				(void)ioctl(f->fd, what, 0);
}

void when_track(struct recorder *r)
{
	turn(r, true, -1, PERF_EVENT_IOC_ENABLE);
}

void when_on(struct recorder *r)
{
	turn(r, false, -1, PERF_EVENT_IOC_ENABLE);
	if (r->sys)
		sysrecord_enable(r->sys);
	opened_enable(&r->trigger);
	recorder_offcpu_turn(r, true);
}

static void when_off(struct recorder *r)
{
	turn(r, false, -1, PERF_EVENT_IOC_DISABLE);
	opened_disable(&r->trigger);
	recorder_offcpu_turn(r, false);
}

void when_due(struct recorder *r, uint64_t now)
{
	for (; r->when < r->o->n_when && now >= r->started + r->o->when_ms[r->when] * 1000000; r->when++)
		if (r->when % 2)
			when_off(r);
		else
			when_on(r);
}

int when_sleep(const struct recorder *r, uint64_t now, int ms)
{
	if (r->when >= r->o->n_when)
		return ms;
	int64_t left = (int64_t)(r->started + r->o->when_ms[r->when] * 1000000 - now) / 1000000 + 1;
	return left >= ms ? ms : left > 0 ? (int)left : 0;
}

/* ---- --control ---- */

/* "enable", or "enable NAME". False when there is no such event. */
static bool turn_named(struct recorder *r, const char *name, bool on)
{
	if (!*name) {
		if (on)
			when_on(r);
		else
			when_off(r);
		return true;
	}
	for (size_t i = 0; i < r->l->n; i++)
		if (!strcmp(r->l->at[i].name, name) && ((int)i != r->tracker || !r->own_tracker)) {
			if ((int)i == r->off_event)
				recorder_offcpu_turn(r, on);
			turn(r, false, (int)i, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
			return true;
		}
	return false;
}

static void list(const struct recorder *r)
{
	for (size_t i = 0; i < r->l->n; i++)
		if ((int)i != r->tracker || !r->own_tracker)
			fprintf(stderr, "%s\n", r->l->at[i].name);
}

/* 1: understood, 0: not, -errno. */
static int obey(struct recorder *r, const char *word)
{
	size_t n = strcspn(word, " ");
	const char *rest = word + n + strspn(word + n, " ");
#define IS(w) (n == strlen(w) && !strncmp(word, w, n))
	if (IS("enable") || IS("disable"))
		return turn_named(r, rest, word[0] == 'e');
	if (IS("evlist"))
		list(r);
	else if (IS("stop"))
		r->stopped = true;
	else if (IS("snapshot") && r->o->sampling.overwrite)
		return files_snapshot(r, false) ? error_code() : 1;
	else if (IS("snapshot") && r->o->switch_output)
		return files_switch(r) ? error_code() : 1;
	else if (!IS("ping") && !IS("ack"))
		return 0;
#undef IS
	return 1;
}

int when_told(struct recorder *r)
{
	struct control *c = r->o->control;
	int err = 0;
	if (!c)
		return 0;
	for (char *word; err >= 0 && (word = control_next(c)); free(word)) {
		if (!*word)
			continue;
		err = obey(r, word);
		if (err > 0) {
			control_ack(c);
		} else if (!err && str_starts(word, "snapshot")) {
			warn("--control: a snapshot needs --overwrite or --switch-output");
		} else if (!err) {
			warn("--control: '%s' is not understood", word);
			hint("the commands are enable [EVENT], disable [EVENT], evlist, snapshot, ping and stop");
		}
	}
	vec_last(&r->polled)->fd = c->fd;
	return err < 0 ? err : 0;
}
