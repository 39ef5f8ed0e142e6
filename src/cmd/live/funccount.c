// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde funccount: how often functions are called. Underneath it is a script of `sonde run`, so that functions are attached by
 * whatever this kernel has (kprobe_multi and its kin, or one by one), and counted in the kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "base/json.h"
#include "base/jsonread.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "job/run.h"
#include "kernel/dynevents.h"

static const char *const usage[] = { "sonde funccount [OPTIONS] 'FUNC' | 'FILE:FUNC'   (wildcards: 'tcp_send*', libc:'str*')", NULL };

struct live_count {
	double duration, interval;
	int top, pid;
	bool stamp, json;
	const char *output;
	/* the run's */
	struct out out;
	struct str rest; /* a line whose end has not come */
	char **words;
};
struct counted { char *name; uint64_t n; };
typedef VEC(struct counted) counts;

#define OPTIONS struct live_count
static const struct option_row rows[] = {
	OPT_DOUBLE('d', "duration", "SECONDS", duration, "end after so long"),
	OPT_DOUBLE('i', "interval", "SECONDS", interval, "a table each so many seconds, counted anew"),
	OPT_INT('t', "top", "N", top, "only the N that were called most"),
	OPT_FLAG('T', "timestamp", stamp, "with -i: the time above each table"),
	OPT_INT('p', "pid", "PID", pid, "calls of this process only"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_FLAG(0, "json", json, "one JSON object a table"),
	OPT_VERBOSE("tell each step"),
	OPT_END(),
};

/* ---- what the script prints: {"type": "map", "data": {"@": {"vfs_read": 12, ...}}} ---- */

/* A probe's whole name, "kprobe:vfs_read" or "uprobe:/usr/lib/libc.so.6:strlen", told by its function. */
static int take_counts(void *ctx, const json_pairs *p)
{
	counts *l = ctx;
	vec_each(p, e) {
		uint64_t n;
		const char *colon = strrchr(e->key, ':');
		if (!colon || parse_u64(e->value, &n) || !n)
			continue;
		struct counted *c = NULL;
		vec_each(l, k)
			if (!strcmp(k->name, colon + 1))
				c = k;
		if (!c) {
			c = vec_push(l);
			c->name = xstrdup(colon + 1);
		}
		c->n += n;
	}
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;
	return x->n != y->n ? (x->n > y->n) - (x->n < y->n) : strcmp(x->name, y->name);
}

static void print_json(struct live_count *c, const counts *l, size_t first)
{
	struct str s = STR_INIT;
	struct json j;
	json_init(&j, &s);
	json_open(&j, '{');
	for (size_t i = first; i < l->n; i++)
		json_ku64(&j, l->at[i].name, l->at[i].n);
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(&c->out, &s);
	str_release(&s);
}

static void print_text(struct live_count *c, const counts *l, size_t first)
{
	struct str s = STR_INIT;
	char stamp[80];
	time_t now = time(NULL);
	struct tm tm;
	out_puts(&c->out, "\n");
	if (c->stamp && localtime_r(&now, &tm) && strftime(stamp, sizeof(stamp), "%a %b %e %H:%M:%S %Z %Y", &tm))
		out_printf(&c->out, "%s\n", stamp);
	out_printf(&c->out, "%-30s %8s\n", "FUNC", "COUNT");
	for (size_t i = first; i < l->n; i++) {
		str_clear(&s);
		str_add_safez(&s, l->at[i].name);
		str_pad(&s, 30, ' ');
		str_addf(&s, " %8llu\n", (unsigned long long)l->at[i].n);
		out_str(&c->out, &s);
	}
	str_release(&s);
}

static void print_table(struct live_count *c, const char *line, size_t n)
{
	counts l = { 0 };
	if (json_objects(line, n, take_counts, &l))
		error_clear();
	if (l.n)
		qsort(l.at, l.n, sizeof(*l.at), by_count);
	size_t first = c->top > 0 && l.n > (size_t)c->top ? l.n - (size_t)c->top : 0;
	if (c->json)
		print_json(c, &l, first);
	else
		print_text(c, &l, first);
	out_flush(&c->out);
	vec_each(&l, k)
		free(k->name);
	vec_release(&l);
}

static void heading(struct live_count *c)
{
	struct str s = STR_INIT;
	str_add(&s, "Tracing \"");
	str_add_safez(&s, c->words[0]);
	str_addc(&s, '"');
	if (c->duration > 0)
		str_addf(&s, " for %g seconds.", c->duration);
	else
		str_addc(&s, '.');
	if (c->top > 0)
		str_addf(&s, " Top %d only.", c->top);
	str_add(&s, c->duration > 0 ? "..\n" : ".. Ctrl-C to end.\n");
	if (!c->json)
		out_str(&c->out, &s);
	out_flush(&c->out);
	str_release(&s);
}

static void on_text(void *ctx, struct str *text)
{
	struct live_count *c = ctx;
	str_addn(&c->rest, text->buf, text->len);
	char *at = c->rest.buf;
	for (char *nl; (nl = strchr(at, '\n')); at = nl + 1) {
		if (str_starts(at, "{\"type\": \"attached_probes\""))
			heading(c);
		else if (str_starts(at, "{\"type\": \"map\""))
			print_table(c, at, (size_t)(nl - at));
	}
	char *left = xstrdup(at);
	str_clear(&c->rest);
	str_add(&c->rest, left);
	free(left);
}

static bool is_gone(void *ctx)
{
	return out_unread(&((struct live_count *)ctx)->out);
}

/* ---- the script ---- */

static void add_timer(struct str *s, double seconds, const char *what)
{
	str_addf(s, "interval:ms:%llu { %s }\n", (unsigned long long)(seconds * 1000 + 0.5), what);
}

/* "tcp_send*" of the kernel, "libc:str*" of a program or library. */
static int make_script(const struct live_count *c, struct str *s)
{
	const char *word = c->words[0], *colon = strrchr(word, ':');
	for (const char *p = word; *p; p++)
		if (strchr(" \t\n{}/\"';,", *p) && !(*p == '/' && colon && p < colon)) {
			error_set(EINVAL, "'%s' is not the name of functions", word);
			return error_hint("a function of the kernel, with wildcards: 'vfs_*'; of a program or library: 'libc:str*'");
		}
	if (!*word || (colon && (!colon[1] || colon == word)))
		return error_set(EINVAL, "'%s' is not the name of functions", word);
	if (!colon && dynevents_supported(DYNEVENTS_KPROBE))
		return error_code();
	str_addf(s, "%s:%s ", colon ? "uprobe" : "kprobe", word);
	if (c->pid)
		str_addf(s, "/pid == %d/ ", c->pid);
	str_add(s, "{ @[probe] = count() }\n");
	if (c->interval > 0)
		add_timer(s, c->interval, "print(@); clear(@);");
	if (c->duration > 0)
		add_timer(s, c->duration, "exit()");
	return 0;
}

static int count(struct live_count *c)
{
	struct str script = STR_INIT;
	int err = make_script(c, &script), code = EXIT_SONDE;
	if (!err)
		err = out_open(&c->out, c->output, false);
	if (!err) {
		struct run_job j = { .script = { .name = "funccount", .text = script.buf, .length = script.len }, .json = true, .no_warnings = true, .pid = c->pid,
			.ring_bytes = 1 << 20, .sink = on_text, .sink_ctx = c, .sink_gone = is_gone };
		code = run_job_run(&j, NULL);
		if (!c->json && !code)
			out_puts(&c->out, "\nEnding tracing...\n");
		if (out_close(&c->out))
			code = error_print();
	} else {
		error_print();
	}
	str_release(&script);
	return code;
}

int cmd_funccount(int argc, char **argv)
{
	struct live_count c = { .rest = STR_INIT };
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n != 1)
		return options_exit(error_set(EINVAL, n ? "'%s' is one word too many" : "the name of functions is missing", n ? argv[1] : ""), usage);
	if (c.duration < 0 || c.interval < 0 || c.duration > 1e6 || c.interval > 1e6 || c.pid < 0)
		return options_exit(error_set(EINVAL, "-d, -i and -p take numbers that are not negative"), usage);
	c.words = argv;
	int code = count(&c);
	str_release(&c.rest);
	return code;
}
