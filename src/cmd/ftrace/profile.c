// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace profile: calls and times of functions, summed over their graphs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/json.h"
#include "base/map.h"
#include "cmd/ftrace/perf.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/line.h"
#include "job/ftrace/live.h"

static const char *const usage[] = { "sonde ftrace profile [-T FUNC] [-G FUNC] [-s KEY] [OPTIONS] [--] [COMMAND [ARGS]]", NULL };

struct function_times { char *name; uint64_t calls; double total, max; };

struct ftrace_profile {
	struct ftrace_perf perf; /* first */
	const char *output, *sort;
	bool json;
	int timeout;
	struct strmap by_name; /* the index in all, plus 1 */
	VEC(struct function_times) all;
};

#define OPTIONS struct ftrace_profile
static const struct option_row rows[] = {
	OPT_TABLE(ftrace_perf_rows),
	OPT_GROUP("what to show"),
	OPT_STRING('s', "sort", "KEY", sort, "by total (as always), avg, max, count or name"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_FLAG(0, "json", json, "one JSON object a function"),
	OPT_MS(0, "timeout", timeout, "end after so long"),
	OPT_VERBOSE("tell each step"),
	OPT_END(),
};

static void take(void *ctx, const char *line)
{
	struct ftrace_profile *o = ctx;
	char name[256];
	double us;
	if (!ftrace_line_ends(line, name, sizeof(name), &us))
		return;
	uintptr_t at = (uintptr_t)strmap_get(&o->by_name, name);
	if (!at) {
		struct function_times *f = vec_push(&o->all);
		f->name = xstrdup(name);
		at = o->all.n;
		strmap_set(&o->by_name, name, (void *)at);
	}
	struct function_times *f = &o->all.at[at - 1];
	f->calls++;
	f->total += us;
	f->max = us > f->max ? us : f->max;
}

static double key_of(const struct function_times *f, const char *sort)
{
	return !strcmp(sort, "avg") ? f->total / (double)f->calls : !strcmp(sort, "max") ? f->max : !strcmp(sort, "count") ? (double)f->calls : f->total;
}

static int compare(const void *a, const void *b, void *sort)
{
	const struct function_times *x = a, *y = b;
	double p = key_of(x, sort), q = key_of(y, sort);
	return !strcmp(sort, "name") || p == q ? strcmp(x->name, y->name) : p < q ? 1 : -1;
}

static void print(const struct function_times *f, bool as_json, struct out *out)
{
	struct str s = STR_INIT;
	struct json j;
	double avg = f->total / (double)f->calls;
	if (as_json) {
		json_init(&j, &s);
		json_open(&j, '{');
		json_kstr(&j, "function", f->name);
		json_ku64(&j, "count", f->calls);
		json_kdouble(&j, "total_us", f->total);
		json_kdouble(&j, "avg_us", avg);
		json_kdouble(&j, "max_us", f->max);
		json_close(&j, '}');
	} else {
		str_addf(&s, "%12.3f %10.3f %10.3f %10llu   ", f->total, avg, f->max, (unsigned long long)f->calls);
		str_add_safez(&s, f->name);
	}
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

static void finish(void *ctx, struct out *out)
{
	struct ftrace_profile *o = ctx;
	if (!o->json)
		out_printf(out, "# %10s %10s %10s %10s   %s\n", "Total (us)", "Avg (us)", "Max (us)", "Count", "Function");
	if (o->all.n)
		qsort_r(o->all.at, o->all.n, sizeof(*o->all.at), compare, (void *)o->sort);
	vec_each(&o->all, f)
		print(f, o->json, out);
}

static int check_sort(struct ftrace_profile *o)
{
	static const char *const keys[] = { "total", "avg", "max", "count", "name" };
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(o->sort, keys[i]))
			return 0;
	error_set(EINVAL, "-s: there is no key '%s'", o->sort);
	return error_hint("total, avg, max, count or name");
}

int ftrace_cmd_profile(int argc, char **argv)
{
	struct ftrace_profile o = { .perf.tracer = "function_graph", .sort = "total" };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n < 0 || (n = check_sort(&o) ? -EINVAL : n) < 0 || (n = ftrace_perf_check(&o.perf, n, "function_graph")) < 0) {
		code = options_exit(n, usage);
	} else {
		struct ftrace_live j = { .setup = &o.perf.setup, .output = o.output, .all_tasks = o.perf.all, .timeout_ms = o.timeout,
			.ctx = &o, .take = take, .finish = finish };
		wordlist_add(&o.perf.setup.options, "funcgraph-tail");
		code = ftrace_live_run(&j, n ? argv : NULL);
	}
	vec_each(&o.all, f)
		free(f->name);
	vec_release(&o.all);
	strmap_release(&o.by_name);
	ftrace_setup_release(&o.perf.setup);
	return code;
}
