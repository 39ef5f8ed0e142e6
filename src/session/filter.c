// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/filter.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"

int filter_comms(struct sample_filter *f, const char *text)
{
	wordlist_split(&f->comms, text, ',');
	return 0;
}

int filter_pids(struct sample_filter *f, const char *text)
{
	return intlist_parse(&f->pids, text, INT_MAX, "process");
}

int filter_tids(struct sample_filter *f, const char *text)
{
	return intlist_parse(&f->tids, text, INT_MAX, "thread");
}

int filter_cpus(struct sample_filter *f, const char *text)
{
	return intlist_parse(&f->cpus, text, 65535, "CPU");
}

void filter_release(struct sample_filter *f)
{
	wordlist_release(&f->comms);
	vec_release(&f->pids);
	vec_release(&f->tids);
	vec_release(&f->cpus);
	vec_release(&f->times);
	vec_release(&f->wanted);
}

static int bad_time(const char *text)
{
	error_set(EINVAL, "'%s' is not a span of time", text);
	return error_hint("spans are START,STOP in seconds (1.5,2.25), N%%/K (10%%/2) or A%%-B%% (0%%-10%%,30%%-40%%)");
}

/* Seconds with up to nine digits behind the point. */
static bool parse_seconds(const char **s, uint64_t *ns)
{
	uint64_t sec = 0, frac = 0, unit = 1000000000;
	if (!isdigit((unsigned char)**s))
		return false;
	for (; isdigit((unsigned char)**s); ++*s)
		if (sec < 10000000000ull)
			sec = sec * 10 + (uint64_t)(**s - '0');
	if (**s == '.')
		for (++*s; isdigit((unsigned char)**s); ++*s)
			if (unit > 1) {
				unit /= 10;
				frac += (uint64_t)(**s - '0') * unit;
			}
	*ns = sec * 1000000000 + frac;
	return true;
}

static int add_seconds(struct sample_filter *f, const char *s, const char *text)
{
	while (*s) {
		struct time_range r = { 0, UINT64_MAX };
		while (isspace((unsigned char)*s))
			s++;
		if (!*s)
			break;
		if (*s != ',' && !parse_seconds(&s, &r.from))
			return bad_time(text);
		if (*s == ',') {
			s++;
			if (*s && !isspace((unsigned char)*s) && !parse_seconds(&s, &r.to))
				return bad_time(text);
		}
		if ((*s && !isspace((unsigned char)*s)) || r.to < r.from)
			return bad_time(text);
		*vec_push(&f->times) = r;
	}
	return 0;
}

static int add_percent(struct sample_filter *f, const char *s, const char *text, uint64_t first, uint64_t last)
{
	double span = last - first;
	while (*s) {
		char *end;
		double a = strtod(s, &end), b;
		if (end == s || *end != '%' || a < 0 || a > 100)
			return bad_time(text);
		s = end + 1;
		if (*s == '/') { /* the K-th part of that size */
			long k = strtol(s + 1, &end, 10);
			if (end == s + 1 || k < 1 || k > 10000 || a * k > 100.0001 || a <= 0)
				return bad_time(text);
			b = a * k;
			a = b - a;
		} else if (*s == '-') {
			b = strtod(s + 1, &end);
			if (end == s + 1 || *end != '%' || b > 100 || b < a)
				return bad_time(text);
			end++;
		} else {
			b = a;
			a = 0;
			end = (char *)(uintptr_t)s;
		}
		*vec_push(&f->times) = (struct time_range){ first + (uint64_t)(span * a / 100), first + (uint64_t)(span * b / 100) };
		s = end;
		if (*s == ',')
			s++;
		else if (*s)
			return bad_time(text);
	}
	return 0;
}

static int filter_times(struct sample_filter *f, const char *text, uint64_t first, uint64_t last)
{
	if (!strchr(text, '%'))
		return add_seconds(f, text, text);
	if (!last || last < first) {
		error_set(ENODATA, "the recording does not say when its samples begin and end, so --time %s cannot be placed", text);
		return error_hint("give seconds: --time START,STOP");
	}
	return add_percent(f, text, text, first, last);
}

static void read_span(const char *path, uint64_t *first, uint64_t *last)
{
	struct perfdata *p = perfdata_open(path, true);
	struct perfdata_record r;
	while (p && perfdata_next(p, &r) > 0) {
		if (r.header->type != PERF_RECORD_SAMPLE || !r.time)
			continue;
		if (!*first || r.time < *first)
			*first = r.time;
		if (r.time > *last)
			*last = r.time;
	}
	perfdata_close(p);
	error_clear();
}

/* Seconds since the first sample. */
static int add_relative(struct sample_filter *f, const char *text, uint64_t first)
{
	if (!first) {
		error_set(ENODATA, "the recording does not say when its samples begin, so --time %s after that cannot be placed", text);
		return error_hint("leave out --reltime");
	}
	size_t before = f->times.n;
	int err = add_seconds(f, text, text);
	for (size_t i = before; i < f->times.n; i++) {
		struct time_range *t = &f->times.at[i];
		t->from = t->from > UINT64_MAX - first ? UINT64_MAX : t->from + first;
		t->to = t->to > UINT64_MAX - first ? UINT64_MAX : t->to + first;
	}
	return err;
}

int filter_times_of(struct sample_filter *f, const char *text, const struct perfdata *p, const char *path, bool relative)
{
	uint64_t first = perfdata_info(p)->first_sample, last = perfdata_info(p)->last_sample;
	bool percent = strchr(text, '%');
	if ((percent || relative) && !last && !perfdata_is_pipe(p))
		read_span(path, &first, &last);
	return relative && !percent ? add_relative(f, text, first) : filter_times(f, text, first, last);
}

bool filter_thread(const struct sample_filter *f, const struct thread *t)
{
	if (f->pids.n && !intlist_has(&f->pids, t->pid))
		return false;
	if (f->tids.n && !intlist_has(&f->tids, t->tid))
		return false;
	if (!f->comms.n)
		return true;
	for (size_t i = 0; i < f->comms.n; i++)
		if (t->comm && !strcmp(f->comms.at[i], t->comm))
			return true;
	return false;
}

bool filter_cpu(const struct sample_filter *f, int cpu)
{
	return !f->cpus.n || cpu < 0 || intlist_has(&f->cpus, cpu);
}

bool filter_time(const struct sample_filter *f, uint64_t time)
{
	if (!f->times.n)
		return true;
	for (size_t i = 0; i < f->times.n; i++)
		if (time >= f->times.at[i].from && time <= f->times.at[i].to)
			return true;
	return false;
}

static int find_event(const struct perfdata *p, const char *option, const char *name)
{
	struct nearest near;
	nearest_init(&near, name);
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		if (!strcmp(perfdata_event_at(p, i)->name, name))
			return (int)i;
		nearest_offer(&near, perfdata_event_at(p, i)->name);
	}
	error_set(EINVAL, "%s: the recording has no event '%s'", option, name);
	if (!nearest_hint(&near) && perfdata_n_events(p))
		error_hint("it has %s%s; --header-only shows all", perfdata_event_at(p, 0)->name, perfdata_n_events(p) > 1 ? " and others" : "");
	return -EINVAL;
}

int filter_switch(struct event_switch *s, const struct perfdata *p)
{
	s->on_event = s->on ? find_event(p, "--switch-on", s->on) : -1;
	s->off_event = s->off && s->on_event != -EINVAL ? find_event(p, "--switch-off", s->off) : -1;
	s->waits = s->on;
	return s->on_event == -EINVAL || s->off_event == -EINVAL ? -EINVAL : 0;
}

static bool switched_on(struct event_switch *s, int event)
{
	if (!s || !(s->on || s->off))
		return true;
	if (s->on && s->waits) {
		if (event != s->on_event)
			return false;
		s->waits = false;
		return s->show;
	}
	if (s->off && !s->waits && event == s->off_event) {
		s->waits = true;
		return s->show;
	}
	return true;
}

bool filter_event(const struct sample_filter *f, int event)
{
	return switched_on(f->events, event) && (!f->wanted.n || intlist_has(&f->wanted, event));
}
