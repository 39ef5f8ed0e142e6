// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace latency: how long one function takes, as perf's histogram. By the function_graph tracer, or (-b) by eBPF at its
 * entry and return, which many can have at once and which costs less. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/jsonread.h"
#include "cmd/ftrace/perf.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/line.h"
#include "job/ftrace/live.h"
#include "job/run.h"
#include "spec/target.h"
#include "kernel/dynevents.h"

static const char *const usage[] = { "sonde ftrace latency -T FUNC [-b] [-n] [OPTIONS] [--] [COMMAND [ARGS]]", NULL };

enum { BUCKETS = 22, BAR = 46 };

struct ftrace_latency {
	struct ftrace_perf perf; /* first */
	const char *output;
	bool bpf, ns;
	int timeout;
	uint64_t count[BUCKETS];
	struct out out; /* with -b */
};

#define OPTIONS struct ftrace_latency
static const struct option_row rows[] = {
	OPT_GROUP("how"),
	OPT_FLAG('b', "use-bpf", bpf, "by an eBPF program, not by the function_graph tracer"),
	OPT_FLAG('n', "use-nsec", ns, "in nanoseconds, not microseconds"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_MS(0, "timeout", timeout, "end after so long"),
	OPT_VERBOSE("tell each step"),
	OPT_TABLE(ftrace_perf_rows),
	OPT_END(),
};

/* Row 0 is below 1, row i from 2^(i-1) to 2^i, the last one all above. */
static void add(struct ftrace_latency *o, double us, uint64_t times)
{
	double v = o->ns ? us * 1000 : us;
	int row = 0;
	for (double limit = 1; v >= limit && row < BUCKETS - 1; limit *= 2)
		row++;
	o->count[row] += times;
}

static void take(void *ctx, const char *line)
{
	char name[256];
	double us;
	if (ftrace_line_ends(line, name, sizeof(name), &us))
		add(ctx, us, 1);
}

static void print_row(const struct ftrace_latency *o, int row, uint64_t total, struct out *out)
{
	static const char bar[] = "##############################################";
	int length = total ? (int)(o->count[row] * BAR / total) : 0;
	const char *unit = o->ns ? "ns" : "us", *larger = o->ns ? "us" : "ms", *last = o->ns ? "ms" : " s";
	unsigned start = row ? 1u << (row - 1) : 0, stop = 1u << row;
	char to[16] = "...";
	if (row == BUCKETS - 1)
		start = 1, unit = last;
	else if (start >= 1024)
		start >>= 10, stop >>= 10, unit = larger;
	if (row < BUCKETS - 1)
		snprintf(to, sizeof(to), "%u", stop);
	out_printf(out, "  %4u - %-4s %s | %10llu | %.*s%*s |\n", start, to, unit, (unsigned long long)o->count[row], length, bar, BAR - length, "");
}

static void finish(void *ctx, struct out *out)
{
	const struct ftrace_latency *o = ctx;
	uint64_t total = 0;
	for (int i = 0; i < BUCKETS; i++)
		total += o->count[i];
	out_printf(out, "# %14s | %10s | %-*s |\n", "  DURATION    ", "COUNT", BAR, "GRAPH");
	for (int i = 0; i < BUCKETS; i++)
		print_row(o, i, total, out);
}

/* ---- by eBPF ---- */

static int take_bucket(void *ctx, const json_pairs *p)
{
	struct ftrace_latency *o = ctx;
	const char *min = json_pair_get(p, "min"), *count = json_pair_get(p, "count");
	uint64_t from = 0, n;
	if (!count || parse_u64(count, &n))
		return 0;
	if (min)
		(void)parse_u64(min, &from);
	add(o, o->ns ? (double)from / 1000 : (double)from, n);
	return 0;
}

static void on_text(void *ctx, struct str *text)
{
	for (char *at = text->buf, *nl; (nl = strchr(at, '\n')); at = nl + 1)
		if (str_starts(at, "{\"type\": \"hist\"") && json_objects(at, (size_t)(nl - at), take_bucket, ctx))
			error_clear();
}

static bool is_gone(void *ctx)
{
	return out_unread(&((struct ftrace_latency *)ctx)->out);
}

/* "a == 1 || a == 2"; with what stands before it. */
static void add_any(struct str *s, const char *before, const char *what, const intlist *l)
{
	for (size_t i = 0; i < l->n; i++)
		str_addf(s, "%s%s == %d", i ? " || " : before, what, l->at[i]);
	str_add(s, l->n ? ")" : "");
}

/* A condition on whom it is about: the threads that were named, or the command; on some CPUs. */
static void add_whom(const struct ftrace_latency *o, bool command, struct str *s)
{
	const struct ftrace_perf *p = &o->perf;
	bool named = p->processes.n || p->setup.pids.n;
	if (!named && !command && !p->cpus.n)
		return;
	str_add(s, " /");
	if (command && !named)
		str_add(s, "(pid == cpid)");
	add_any(s, "(", "pid", &p->processes);
	add_any(s, p->processes.n ? " || (" : "(", "tid", &p->setup.pids);
	add_any(s, named || command ? " && (" : "(", "cpu", &p->cpus);
	str_add(s, "/");
}

static int by_bpf(struct ftrace_latency *o, char **command)
{
	const char *f = o->perf.setup.functions.at[0];
	struct str s = STR_INIT;
	int code = EXIT_SONDE, err = dynevents_supported(DYNEVENTS_KPROBE);
	if (!err)
		err = out_open(&o->out, o->output, false);
	str_addf(&s, "kprobe:%s", f);
	add_whom(o, command && !o->perf.all, &s);
	str_addf(&s, " { @s[tid] = nsecs }\nkretprobe:%s /@s[tid]/ { @ = hist((nsecs - @s[tid]) / %d); delete(@s[tid]) }\nEND { clear(@s) }\n", f, o->ns ? 1 : 1000);
	if (o->timeout)
		str_addf(&s, "interval:ms:%d { exit() }\n", o->timeout);
	if (!err) {
		struct run_job j = { .script = { .name = "latency", .text = s.buf, .length = s.len }, .json = true, .no_warnings = true, .ring_bytes = 1 << 20,
			.sink = on_text, .sink_ctx = o, .sink_gone = is_gone };
		code = run_job_run(&j, command);
		if (code != EXIT_SONDE)
			finish(o, &o->out);
		if (out_close(&o->out))
			code = error_print();
	} else {
		error_print();
	}
	str_release(&s);
	return code;
}

static int check_function(const struct ftrace_latency *o)
{
	const wordlist *l = &o->perf.setup.functions;
	if (l->n != 1)
		return error_set(EINVAL, "latency is of one function: -T FUNC");
	if (o->bpf && (l->at[0][strcspn(l->at[0], " {}/\"';,\n")] || glob_has(l->at[0])))
		return error_set(EINVAL, "-b: '%s' is not the name of one function", l->at[0]);
	return 0;
}

/* As ftrace_perf_check(), but whom it is about stays by itself: the program asks for that, no file of tracefs. */
static int check_bpf(const struct ftrace_latency *o, int n)
{
	const struct ftrace_perf *p = &o->perf;
	struct target t = { 0 };
	if (p->all && (p->processes.n || p->setup.pids.n))
		return error_set(EINVAL, "-a is the whole machine, and -p and --tid are not: give one of them");
	vec_each(&p->processes, pid)
		*vec_push(&t.pids) = *pid;
	int err = t.pids.n ? target_resolve(&t, 0) : 0;
	target_release(&t);
	if (!err && p->cpus.n)
		err = target_cpus_up(&p->cpus);
	return err ? err : n;
}

int ftrace_cmd_latency(int argc, char **argv)
{
	struct ftrace_latency o = { .perf.tracer = "function_graph" };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n < 0 || (n = check_function(&o) ? -EINVAL : n) < 0 || (n = o.bpf ? check_bpf(&o, n) : ftrace_perf_check(&o.perf, n, "function_graph")) < 0) {
		code = options_exit(n, usage);
	} else if (o.bpf) {
		code = by_bpf(&o, n ? argv : NULL);
	} else {
		struct ftrace_live j = { .setup = &o.perf.setup, .output = o.output, .all_tasks = o.perf.all, .timeout_ms = o.timeout,
			.ctx = &o, .take = take, .finish = finish };
		wordlist_add(&o.perf.setup.options, "funcgraph-tail");
		code = ftrace_live_run(&j, n ? argv : NULL);
	}
	vec_release(&o.perf.processes);
	vec_release(&o.perf.cpus);
	ftrace_setup_release(&o.perf.setup);
	return code;
}
