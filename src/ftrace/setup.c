// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/setup.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "ftrace/trigger.h"
#include "ftrace/undo.h"
#include "kernel/blktrace.h"
#include "kernel/tracefs.h"

/* ---- from options ---- */

int ftrace_setup_event(struct ftrace_setup *s, const char *text)
{
	wordlist words = { 0 };
	wordlist_split(&words, text, ',');
	vec_each(&words, w) {
		if (!**w)
			continue;
		bool off = **w == '!';
		struct ftrace_event *e = vec_push(&s->events);
		e->pattern = xstrdup(*w + off);
		e->off = off || s->not;
	}
	size_t n = words.n;
	wordlist_release(&words);
	return n ? 0 : error_set(EINVAL, "-e: the name of an event is missing");
}

static int to_last(struct ftrace_setup *s, const char *option, const char *text, bool trigger)
{
	if (!s->events.n) {
		error_set(EINVAL, "%s '%s' belongs to an event", option, text);
		return error_hint("give it after -e EVENT");
	}
	char **field = trigger ? &vec_last(&s->events)->trigger : &vec_last(&s->events)->filter;
	char *both = NULL;
	if (*field && !trigger) /* several are joined, as trace-cmd does */
		both = xasprintf("(%s)&&(%s)", *field, text);
	free(*field);
	*field = both ? both : xstrdup(text);
	return 0;
}

int ftrace_setup_filter(struct ftrace_setup *s, const char *text)
{
	return to_last(s, "-f", text, false);
}

int ftrace_setup_trigger(struct ftrace_setup *s, const char *text)
{
	return to_last(s, "-R", text, true);
}

/* ---- events ---- */

static bool pattern_fits(const char *pattern, const char *event)
{
	const char *name = strchr(event, ':'), *colon = strchr(pattern, ':');
	if (!name || !strcmp(pattern, "all"))
		return name != NULL;
	char *system = xstrndup(event, (size_t)(name - event));
	bool fits;
	if (colon) {
		char *want = xstrndup(pattern, (size_t)(colon - pattern));
		fits = glob_match(*want ? want : "*", system) && glob_match(colon[1] ? colon + 1 : "*", name + 1);
		free(want);
	} else {
		fits = glob_match(pattern, system) || glob_match(pattern, name + 1);
	}
	free(system);
	return fits;
}

static int no_such_event(const char *pattern)
{
	struct nearest n;
	error_set(ENOENT, "no event matches '%s'", pattern);
	nearest_init(&n, pattern);
	vec_each(tracefs_all(), e)
		nearest_offer(&n, strchr(pattern, ':') || !strchr(*e, ':') ? *e : strchr(*e, ':') + 1);
	if (!nearest_hint(&n))
		error_hint("sonde ftrace list -e lists them");
	return -ENOENT;
}

int ftrace_events_named(const char *pattern, wordlist *out)
{
	size_t before = out->n;
	int err = tracefs_ready();
	if (err)
		return err;
	char *slash = strchr(pattern, '/'), *plain = xstrdup(pattern);
	if (slash && !strchr(pattern, ':'))
		plain[slash - pattern] = ':';
	vec_each(tracefs_all(), e)
		if (pattern_fits(plain, *e) && strncmp(*e, "ftrace:", 7))
			wordlist_add(out, *e);
	free(plain);
	return out->n > before ? 0 : no_such_event(pattern);
}

/* Does the pattern mean one whole system ("sched", "sched:*")? Then one file does for all its events. */
static bool whole_system(const char *pattern, char *system, size_t size)
{
	size_t n = strcspn(pattern, ":");
	if (n >= size || (pattern[n] && strcmp(pattern + n, ":*") && strcmp(pattern + n, ":")))
		return false;
	memcpy(system, pattern, n);
	system[n] = 0;
	return n && *system != '.' && !glob_has(system) && !strchr(system, '/') && strcmp(system, "all") &&
		!access(tracefs_path("events/%s/enable", system), F_OK);
}

static int one_event(const struct ftrace_instance *i, const struct ftrace_event *e, const char *dir)
{
	char file[300];
	int err = 0;
	snprintf(file, sizeof(file), "events/%s/filter", dir);
	if (e->filter && (err = ftrace_set(i, file, e->filter)))
		return error_hint("the fields of an event are in its format: sonde ftrace list -e %s -F", dir);
	if (e->trigger)
		return ftrace_trigger_add(i, dir, e->trigger);
	snprintf(file, sizeof(file), "events/%s/enable", dir);
	return ftrace_set(i, file, e->off ? "0" : "1");
}

/* One of many may be somebody else's (-EINTR): the kernel has enabled the others. */
static int but_for_taken(int err)
{
	if (err != -EINTR)
		return err;
	warn("%s: left out", error_message());
	error_clear();
	return 0;
}

static int put_event(const struct ftrace_instance *i, const struct ftrace_event *e)
{
	char system[200];
	wordlist names = { 0 };
	if (e->exact) {
		snprintf(system, sizeof(system), "%s", e->pattern);
		system[strcspn(system, ":")] = '/';
		return one_event(i, e, system);
	}
	/* a system's filter cannot be read back: of a borrowed instance each event's is noted */
	if (!e->trigger && !(e->filter && i->borrowed) && whole_system(e->pattern, system, sizeof(system)))
		return but_for_taken(one_event(i, e, system));
	int err = ftrace_events_named(e->pattern, &names);
	for (size_t n = 0; n < names.n && !err; n++) {
		*strchr(names.at[n], ':') = '/';
		err = one_event(i, e, names.at[n]);
		if (names.n > 1)
			err = but_for_taken(err);
	}
	wordlist_release(&names);
	return err;
}

/* ---- tracers ---- */

/* What it takes to have one, of those that any kernel of Linux may have. */
static const struct { const char *tracer, *config; } tracers[] = {
	{ "function", "FUNCTION_TRACER" }, { "function_graph", "FUNCTION_GRAPH_TRACER" }, { "mmiotrace", "MMIOTRACE" }, { "blk", "BLK_DEV_IO_TRACE" },
	{ "wakeup", "SCHED_TRACER" }, { "wakeup_rt", "SCHED_TRACER" }, { "wakeup_dl", "SCHED_TRACER" }, { "irqsoff", "IRQSOFF_TRACER" },
	{ "preemptoff", "PREEMPT_TRACER" }, { "preemptirqsoff", "IRQSOFF_TRACER and CONFIG_PREEMPT_TRACER" }, { "hwlat", "HWLAT_TRACER" },
	{ "osnoise", "OSNOISE_TRACER" }, { "timerlat", "TIMERLAT_TRACER" },
};
enum { DEBIAN = 4 }; /* the first ones */

static int no_such_tracer(const char *tracer, const struct str *all)
{
	struct nearest n;
	struct str s = STR_INIT;
	char *save = NULL;
	error_set(ENOENT, "this kernel has no tracer '%s'", tracer);
	str_add(&s, all->buf);
	nearest_init(&n, tracer);
	if (s.len)
		for (char *w = strtok_r(s.buf, " \n", &save); w; w = strtok_r(NULL, " \n", &save))
			nearest_offer(&n, w);
	bool known = false;
	for (size_t i = 0; i < sizeof(tracers) / sizeof(*tracers) && !known; i++)
		if ((known = !strcmp(tracers[i].tracer, tracer)))
			error_hint("it was built without CONFIG_%s%s", tracers[i].config, i < DEBIAN ? "; Debian's have it: sudo apt-get install linux-image-amd64" : "");
	if (known || !nearest_hint(&n))
		error_hint("it has: %s; events, and probes in programs, work without: sonde ftrace -e EVENT, sonde uprobe", all->buf);
	str_release(&s);
	return -ENOENT;
}

/* What each CPU's buffer has, or will have when it is used. */
static int size_of(const struct ftrace_instance *i)
{
	struct str s = STR_INIT;
	int kb = 0;
	if (!ftrace_get(i, "buffer_size_kb", &s) && sscanf(s.buf, "%*d (expanded: %d)", &kb) != 1)
		kb = (int)strtol(s.buf, NULL, 10);
	str_release(&s);
	return kb;
}

int ftrace_setup_place(const struct ftrace_setup *s, struct ftrace_instance *i)
{
	int err = ftrace_instance_own(i);
	if (err || !s->tracer || !strcmp(s->tracer, "nop") || ftrace_lists(i, "available_tracers", s->tracer))
		return err;
	struct ftrace_instance top = { 0 };
	struct str all = STR_INIT;
	err = ftrace_get(&top, "available_tracers", &all);
	if (err)
		err = ftrace_explain(err, &top, "available_tracers", NULL);
	else if (!ftrace_lists(&top, "available_tracers", s->tracer))
		err = no_such_tracer(s->tracer, &all);
	str_release(&all);
	int kb = size_of(i);
	ftrace_instance_release(i); /* the guardian takes it away at the end */
	if (err)
		return err;
	note(1, "this kernel has the tracer %s only for the whole machine: its settings are put back at the end", s->tracer);
	err = ftrace_instance_borrow(i, false);
	return err || s->buffer_kb || size_of(i) >= kb ? err : ftrace_setf(i, "buffer_size_kb", "%d", kb);
}

/* ---- functions ---- */

static int closed_pattern(const struct ftrace_instance *i, const char *file, const char *word)
{
	char plain[200];
	snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(word, ":"), word);
	if (error_code() != -EINVAL)
		return error_code();
	error_clear();
	error_set(ENOENT, "no function that can be traced matches '%s'", plain);
	return error_hint("sonde ftrace list -f PATTERN lists them (%s)", ftrace_path(i, "%s", file));
}

/* The first replaces what is there, the others are added. */
static int put_functions(const struct ftrace_instance *i, const char *file, const wordlist *words)
{
	int err = 0;
	for (size_t n = 0; n < words->n && !err; n++) {
		err = n ? ftrace_add(i, file, words->at[n]) : ftrace_set(i, file, words->at[n]);
		if (err)
			err = closed_pattern(i, file, words->at[n]);
	}
	return err;
}

static int put_all_functions(const struct ftrace_setup *s, const struct ftrace_instance *i)
{
	int err = put_functions(i, "set_ftrace_filter", &s->functions);
	if (!err)
		err = put_functions(i, "set_ftrace_notrace", &s->notrace);
	if (!err)
		err = put_functions(i, "set_graph_function", &s->graph);
	return err ? err : put_functions(i, "set_graph_notrace", &s->nograph);
}

/* ---- all of it ---- */

static int put_pid(const struct ftrace_instance *i, const char *file, int pid)
{
	char text[16];
	snprintf(text, sizeof(text), "%d", pid);
	return ftrace_add(i, file, text);
}

/* These trace no functions, so set_ftrace_pid, which a policy may close, is nothing to them. */
static bool has_functions(const char *tracer)
{
	static const char *const none[] = { "nop", "blk", "mmiotrace", "hwlat", "osnoise", "timerlat" };
	for (size_t i = 0; tracer && i < sizeof(none) / sizeof(*none); i++)
		if (!strcmp(tracer, none[i]))
			return false;
	return tracer;
}

int ftrace_setup_pid(const struct ftrace_setup *s, const struct ftrace_instance *i, int pid)
{
	int err = 0;
	if (s->events.n)
		err = put_pid(i, "set_event_pid", pid);
	if (!err && has_functions(s->tracer))
		err = put_pid(i, "set_ftrace_pid", pid);
	return err;
}

static int put_children(const struct ftrace_setup *s, const struct ftrace_instance *i)
{
	int err = s->events.n ? ftrace_option(i, "event-fork") : 0;
	return err || !has_functions(s->tracer) ? err : ftrace_option(i, "function-fork");
}

static int put_numbers(const struct ftrace_setup *s, const struct ftrace_instance *i)
{
	int err = 0;
	if (s->buffer_kb)
		err = ftrace_setf(i, "buffer_size_kb", "%d", s->buffer_kb);
	if (!err && s->clock && (err = ftrace_set(i, "trace_clock", s->clock)))
		return error_hint("sonde ftrace list -C lists the clocks");
	if (!err && s->cpumask)
		err = ftrace_set(i, "tracing_cpumask", s->cpumask);
	if (!err && s->depth)
		err = ftrace_setf(i, "max_graph_depth", "%d", s->depth);
	if (!err && s->thresh)
		err = ftrace_setf(i, "tracing_thresh", "%d", s->thresh);
	return err;
}

/* The tracer blk shows devices that are switched on. If somebody has chosen some, these; else all, as long as it runs. */
static int put_devices(const struct ftrace_setup *s)
{
	wordlist off = { 0 };
	bool any;
	int err = 0;
	if (!s->tracer || strcmp(s->tracer, "blk"))
		return 0;
	if (blktrace_switches(&off, &any)) {
		error_set(ENODEV, "there is no block device that the tracer blk could show");
		err = error_hint("/sys/block/DEVICE/trace/enable is its switch");
	}
	if (any)
		note(1, "the tracer blk shows the devices that are switched on in /sys/block/*/trace/enable");
	for (size_t n = 0; n < off.n && !any && !err; n++) {
		err = undo_write(off.at[n], "0", false);
		if (!err && tracefs_put(off.at[n], "1", 0))
			undo_forget(); /* somebody else, blktrace perhaps, traces it */
	}
	wordlist_release(&off);
	return err;
}

void ftrace_setup_quiet(const struct ftrace_setup *s, const struct ftrace_instance *i, int tid)
{
	char pid[16];
	snprintf(pid, sizeof(pid), "%d", tid);
	if (s->events.n && !access(ftrace_path(i, "set_event_notrace_pid"), F_OK) && ftrace_add(i, "set_event_notrace_pid", pid))
		error_clear(); /* this kernel cannot: it is seen then */
	if (has_functions(s->tracer) && !access(ftrace_path(i, "set_ftrace_notrace_pid"), F_OK) && ftrace_add(i, "set_ftrace_notrace_pid", pid))
		error_clear();
}

int ftrace_setup_apply(const struct ftrace_setup *s, const struct ftrace_instance *i)
{
	int err = put_numbers(s, i);
	if (!err)
		err = put_all_functions(s, i);
	for (size_t n = 0; n < s->pids.n && !err; n++)
		err = ftrace_setup_pid(s, i, s->pids.at[n]);
	if (!err && s->children)
		err = put_children(s, i);
	for (size_t n = 0; n < s->events.n && !err; n++)
		err = put_event(i, &s->events.at[n]);
	if (!err && s->tracer)
		err = ftrace_set(i, "current_tracer", s->tracer);
	for (size_t n = 0; n < s->options.n && !err; n++) /* some exist only now */
		err = ftrace_option(i, s->options.at[n]);
	ftrace_top_keeps_size();
	return err ? err : put_devices(s);
}

void ftrace_setup_release(struct ftrace_setup *s)
{
	vec_each(&s->events, e) {
		free(e->pattern);
		free(e->filter);
		free(e->trigger);
	}
	vec_release(&s->events);
	wordlist_release(&s->functions);
	wordlist_release(&s->notrace);
	wordlist_release(&s->graph);
	wordlist_release(&s->nograph);
	wordlist_release(&s->options);
	vec_release(&s->pids);
}
