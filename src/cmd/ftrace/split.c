// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace split: a part of a trace.dat, or all of it in parts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/split.h"

struct split_cmd { struct ftrace_split s; int seconds, milli, micro; uint64_t pages, events; const char *packing; };
#define OPTIONS struct split_cmd

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", s.input, "the recording (trace.dat)"),
	OPT_STRING('o', "output", "FILE", s.output, "the parts are FILE.1, FILE.2, ... (as the input)"),
	OPT_INT('s', NULL, "N", seconds, "so many seconds in a part"),
	OPT_INT('m', NULL, "N", milli, "so many milliseconds"),
	OPT_INT('u', NULL, "N", micro, "so many microseconds"),
	OPT_U64('e', NULL, "N", events, "so many records"),
	OPT_U64('p', NULL, "N", pages, "so many pages of each CPU"),
	OPT_FLAG('r', NULL, s.repeat, "further parts until the end"),
	OPT_FLAG('c', NULL, s.per_cpu, "-e counts each CPU by itself"),
	OPT_INT('C', NULL, "CPU", s.cpu, "only that CPU"),
	OPT_STRING(0, "compression", "HOW", packing, "zstd, zlib, none, any (as the input)"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace split [OPTIONS] [START [END]]", NULL };

/* "12.345678" in nanoseconds. */
static int time_of(const char *text, uint64_t *ns)
{
	char *end;
	uint64_t s = strtoull(text, &end, 10), part = 0, unit = 100000000;
	if (end == text || s > UINT64_MAX / 1000000000)
		return error_set(EINVAL, "'%s' is no time in seconds", text);
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
			part += (uint64_t)(*end - '0') * unit;
	*ns = s * 1000000000 + part;
	return *end ? error_set(EINVAL, "'%s' is no time in seconds", text) : 0;
}

static int settle(struct split_cmd *o, int n, char **argv)
{
	int units = !!o->seconds + !!o->milli + !!o->micro + !!o->events + !!o->pages, err = 0;
	if (n > 2)
		return error_set(EINVAL, "'%s' is one word too many", argv[2]);
	if (units > 1)
		return error_set(EINVAL, "only one of -s, -m, -u, -e and -p says how long a part is");
	if (o->seconds < 0 || o->milli < 0 || o->micro < 0)
		return error_set(EINVAL, "a part cannot be shorter than nothing");
	if (o->s.repeat && !units)
		return error_set(EINVAL, "-r repeats what -s, -m, -u, -e or -p says");
	if (n > 0)
		err = time_of(argv[0], &o->s.start);
	if (!err && n > 1)
		err = time_of(argv[1], &o->s.end);
	o->s.ns = (uint64_t)o->seconds * 1000000000 + (uint64_t)o->milli * 1000000 + (uint64_t)o->micro * 1000;
	o->s.events = o->events;
	o->s.pages = o->pages;
	o->s.packing = o->packing;
	o->s.input = o->s.input ? o->s.input : "trace.dat";
	o->s.output = o->s.output ? o->s.output : o->s.input;
	return err;
}

int ftrace_cmd_split(int argc, char **argv)
{
	struct split_cmd o = { .s = { .cpu = -1 } };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n >= 0) {
		int err = settle(&o, n, argv);
		n = err ? err : n;
	}
	if (n < 0)
		return options_exit(n, usage);
	return ftrace_split_run(&o.s) ? error_print() : 0;
}
