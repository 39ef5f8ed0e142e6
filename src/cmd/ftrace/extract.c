// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace extract: what the ring of a session holds, into a trace.dat. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/record.h"
#include "kernel/tracefs.h"

struct extract_cmd {
	struct ftrace_which which; /* first: of the row table */
	wordlist names; /* -B, several */
	bool every; /* -a */
	bool snapshot; /* -s */
	const char *output, *packing, *tracer;
	int version;
};
#define OPTIONS struct extract_cmd

static int on_name(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt; (void)unset;
	wordlist_add(value, arg);
	return 0;
}

static const struct option_row rows[] = {
	OPT_GROUP("which session"),
	OPT_CALL_ON('B', NULL, "NAME", names, on_name, "that of an instance of this name; several make several buffers"),
	OPT_FLAG('a', NULL, every, "all instances"),
	OPT_FLAG('t', "top", which.top, "the kernel's top instance"),
	OPT_FLAG('s', NULL, snapshot, "what the last snapshot put aside"),
	OPT_GROUP("where"),
	OPT_STRING('o', "output", "FILE", output, "the recording (trace.dat)"),
	OPT_STRING('p', "plugin", "TRACER", tracer, "a latency tracer: its text is what is taken"),
	OPT_INT(0, "file-version", "N", version, "6 or 7 (7)"),
	OPT_STRING(0, "compression", "HOW", packing, "zstd (as it is), zlib, none, any"),
	OPT_VERBOSE("tell each step"),
	OPT_REFUSED('O', NULL, "OPTION", "extract changes no option of the kernel's", "sonde ftrace options tells of them"),
	OPT_REFUSED(0, "date", NULL, "--date belongs to record", "sonde ftrace record --date"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace extract [OPTIONS]", NULL };

struct extract_lane { struct ftrace_instance at; struct spools *c; const char *name; };
typedef VEC(struct extract_lane) extract_lanes;

/* The events that are on there are those whose formats are needed; those that were on are all that can be told. */
static void enabled_events(const struct ftrace_instance *i, wordlist *out)
{
	struct str s = STR_INIT;
	if (ftrace_get(i, "set_event", &s) >= 0 && s.len) {
		char *save = NULL;
		for (char *line = strtok_r(s.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			wordlist_add(out, line);
	}
	str_release(&s);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_lane(extract_lanes *lanes, const char *name, const char *shown)
{
	struct extract_lane l = { .name = shown };
	int err = ftrace_instance_find(&l.at, name);
	if (!err)
		*vec_push(lanes) = l;
	return err;
}

static int choose(struct extract_cmd *o, extract_lanes *lanes, wordlist *all)
{
	int err = o->every ? ftrace_instances_list(all) : 0;
	if (!err && o->which.top)
		err = add_lane(lanes, NULL, "");
	for (size_t i = 0; i < all->n && !err; i++)
		err = add_lane(lanes, all->at[i], all->at[i]);
	for (size_t i = 0; i < o->names.n && !err; i++)
		err = add_lane(lanes, o->names.at[i], o->names.n == 1 && !lanes->n ? "" : o->names.at[i]);
	if (!err && !lanes->n)
		err = add_lane(lanes, FTRACE_SESSION, "");
	if (!err && *lanes->at[0].name) /* a file has a top one: the first of several takes that place */
		lanes->at[0].name = "";
	return err;
}

static int take(struct extract_cmd *o, struct tracedat_new *n, struct extract_lane *l, const char *dir)
{
	struct collect_options how = { .dir = dir, .snapshot = o->snapshot };
	struct str on = STR_INIT;
	if (ftrace_is_latency(o->tracer))
		return ftrace_take_text(n, &l->at, l->name);
	(void)ftrace_get(&l->at, "tracing_on", &on);
	if (on.buf[0] == '1' && !o->snapshot)
		warn("it traces on: what comes while it is read may be missing (sonde ftrace stop)");
	str_release(&on);
	int err = collect_open(&l->c, &l->at, &how);
	if (!err)
		err = collect_rest(l->c);
	if (err)
		return err;
	uint64_t lost = collect_lost(l->c);
	if (lost)
		warn("%llu events were overwritten before they could be read", (unsigned long long)lost);
	return ftrace_take_buffer(n, l->c, &l->at, l->name);
}

static int extract(struct extract_cmd *o)
{
	struct tracedat_write_options w = { .path = o->output, .version = o->version, .consume = true,
		.packing = o->packing ? o->packing : o->version == 6 ? "none" : "zstd" };
	struct tracedat_new n;
	extract_lanes lanes = { 0 };
	wordlist all = { 0 }, events = { 0 };
	uint64_t bytes;
	const char *slash = strrchr(o->output, '/');
	char *dir = slash ? xstrndup(o->output, (size_t)(slash - o->output) + 1) : xstrdup(".");
	tracedat_new_init(&n);
	int err = tracedat_check(&w);
	if (!err)
		err = choose(o, &lanes, &all);
	vec_each(&lanes, l)
		enabled_events(&l->at, &events);
	if (!events.n) /* none is on any more: any may be in the ring */
		vec_each(tracefs_all(), e)
			wordlist_add(&events, *e);
	if (events.n)
		qsort(events.at, events.n, sizeof(*events.at), by_text);
	if (!err)
		err = tracedat_new_from_kernel(&n, &events);
	tracedat_new_usual(&n);
	vec_each(&lanes, l)
		if (!err)
			err = take(o, &n, l, dir);
	if (!err)
		err = tracedat_write(&n, &w, &bytes);
	if (!err)
		note(0, "[ ftrace extract: wrote %.1f MB to %s ]", (double)bytes / 1e6, o->output);
	vec_each(&lanes, l) {
		collect_free(l->c);
		ftrace_instance_release(&l->at);
	}
	vec_release(&lanes);
	tracedat_new_release(&n);
	wordlist_release(&all);
	wordlist_release(&events);
	free(dir);
	return err;
}

int ftrace_cmd_extract(int argc, char **argv)
{
	struct extract_cmd o = { .output = "trace.dat", .version = 7 };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	int code = n < 0 ? options_exit(n, usage) : n ? options_exit(error_set(EINVAL, "'%s' is one word too many", argv[0]), usage) :
		   extract(&o) ? error_print() : 0;
	wordlist_release(&o.names);
	return code;
}
