// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/profile.h"
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/reading_perf.h"
#include "ui/recordtext.h"
#include "ui/report/text.h"
#include "ui/report/tasks.h"
#include "ui/report/threads.h"

static struct {
	struct reading in;
	const char *ignore_callees;
	bool raw_trace, tasks, mmaps;
	const char *sort, *fields, *parent, *separator, *symbol_filter;
	bool stdio, samples, period, utilization, inverted, exclude_other, quiet, dump;
	bool hide_unresolved, group, hierarchy, branch, branch_given, skip_empty, stats, threads;
	bool relative, children, order_given, no_graph, graph_given;
	double min_percent;
	uint64_t quantum;
	struct callgraph_style graph;
	double graph_percent;
	bool caller, by_address, by_line;
	wordlist dsos;
	intlist widths;
} o;

static const char *const usage[] = { "sonde report [OPTIONS] [SYMBOL]", NULL };

/* ---- options that take more than a value ---- */

static int graph_word(const char *w, int *numbers)
{
	static const struct { const char *name; enum chain_mode mode; } modes[] = {
		{ "graph", CHAIN_GRAPH }, { "fractal", CHAIN_FRACTAL }, { "flat", CHAIN_FLAT }, { "folded", CHAIN_FOLDED },
	};
	static const char *const values[] = { "percent", "period", "count" };
	char *end;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(w, modes[i].name)) {
			o.graph.mode = modes[i].mode;
			o.no_graph = false;
			return 0;
		}
	for (int i = 0; i < 3; i++)
		if (!strcmp(w, values[i])) {
			o.graph.value = i;
			return 0;
		}
	if (!strcmp(w, "none")) {
		o.no_graph = true;
	} else if (!strcmp(w, "caller") || !strcmp(w, "callee")) {
		o.caller = !strcmp(w, "caller");
		o.order_given = true;
	} else if (!strcmp(w, "function") || !strcmp(w, "address") || !strcmp(w, "srcline")) {
		o.by_address = *w == 'a';
		o.by_line = *w == 's' || *w == 'a';
	} else if (strcmp(w, "branch")) {
		double v = strtod(w, &end);
		if (end == w || *end || v < 0)
			return -EINVAL;
		if ((*numbers)++)
			o.graph.print_limit = v;
		else
			o.graph_percent = v;
	}
	return 0;
}

static int set_graph(const struct option_row *opt, const char *arg, bool unset)
{
	wordlist w = { 0 };
	int numbers = 0, err = 0;
	(void)opt;
	if (unset) {
		o.no_graph = true;
		return 0;
	}
	o.graph_given = true;
	wordlist_split(&w, arg ? arg : "graph", ',');
	for (size_t i = 0; i < w.n && !err; i++) {
		err = graph_word(w.at[i], &numbers);
		if (!err)
			continue;
		error_set(EINVAL, "'%s' is not a way to show call graphs", w.at[i]);
		error_hint("-g takes graph, fractal, flat, folded or none; a least percentage; caller or callee; function, "
			   "address or srcline; percent, period or count: -g graph,0.5,caller");
	}
	wordlist_release(&w);
	return err;
}

static bool is_graph_word(const char *word)
{
	static const char *const words[] = { "graph", "fractal", "flat", "folded", "none", "caller", "callee", "function",
					     "address", "srcline", "percent", "period", "count" };
	if (isdigit((unsigned char)*word) && strchr(word, ','))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_starts(word, words[i]) && (!word[strlen(words[i])] || word[strlen(words[i])] == ','))
			return true;
	return false;
}

static int set_children(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)arg;
	o.children = !unset;
	return 0;
}

static int set_branch(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)arg;
	o.branch = !unset;
	o.branch_given = true;
	return 0;
}

static int set_limit(const struct option_row *opt, const char *arg, bool unset)
{
	char *end;
	(void)opt;
	(void)unset;
	o.min_percent = o.graph_percent = strtod(arg, &end);
	return end == arg || *end || o.min_percent < 0 ? error_set(EINVAL, "'%s' is not a percentage", arg) : 0;
}

static int set_percentage(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	o.relative = !strcmp(arg, "relative");
	return o.relative || !strcmp(arg, "absolute") ? 0 : error_set(EINVAL, "--percentage is relative or absolute, not '%s'", arg);
}

static int set_quantum(const struct option_row *opt, const char *arg, bool unset)
{
	static const struct { const char *unit; uint64_t ns; } units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };
	char *end;
	double v = strtod(arg, &end);
	(void)opt;
	(void)unset;
	for (size_t i = 0; end != arg && v > 0 && i < 4; i++)
		if (!strcmp(end, units[i].unit)) {
			o.quantum = v * units[i].ns;
			return 0;
		}
	return error_set(EINVAL, "'%s' is not a time such as 100ms", arg);
}

static int set_widths(const struct option_row *opt, const char *arg, bool unset)
{
	wordlist w = { 0 };
	(void)opt;
	(void)unset;
	wordlist_split(&w, arg, ',');
	for (size_t i = 0; i < w.n; i++)
		*vec_push(&o.widths) = atoi(w.at[i]) > 0 ? atoi(w.at[i]) : 1;
	wordlist_release(&w);
	return 0;
}

static const struct option_row rows[] = {
	READING_FILE_ROWS(o.in),
	OPT_FLAG(0, "stdio", &o.stdio, "print text (the only view yet)"),
	OPT_GROUP("Lines"),
	OPT_STRING('s', "sort", "KEYS", &o.sort, "sort by: comm, pid, tid, dso, symbol, parent, cpu, srcline, srcfile, time, cgroup, trace, "
		   "symbol_from, symbol_to, a tracepoint's field; +KEY adds one"),
	OPT_STRING('F', "fields", "COLUMNS", &o.fields, "columns: overhead, overhead_children, overhead_sys, overhead_us, sample, period, and keys"),
	OPT_FLAG('n', "show-nr-samples", &o.samples, "a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", &o.period, "a column with the sum of periods"),
	OPT_FLAG(0, "show-cpu-utilization", &o.utilization, "columns for kernel and user"),
	OPT_CALL(0, "percent-limit", "P", NULL, set_limit, "leave out what is below P percent"),
	OPT_CALL(0, "percentage", "WORD", NULL, set_percentage, "percentages of what is filtered: relative or absolute"),
	OPT_FLAG(0, "hierarchy", &o.hierarchy, "keys as levels below each other"),
	OPT_FLAG(0, "group", &o.group, "events of a group side by side (on)"),
	OPT_STRING('t', "field-separator", "CHAR", &o.separator, "that between columns, and no alignment"),
	OPT_CALL('w', "column-widths", "LIST", NULL, set_widths, "fixed widths of the columns"),
	OPT_CALL(0, "time-quantum", "TIME", NULL, set_quantum, "steps of the time key (100ms)"),
	READING_FORM_ROWS(o.in),
	OPT_FLAG(0, "raw-trace", &o.raw_trace, "tracepoints by their fields, not by their own format"),
	OPT_CALL('b', "branch-stack", NULL, NULL, set_branch, "count branches instead of samples (on where there are some; --no-branch-stack)"),
	OPT_FLAG(0, "skip-empty", &o.skip_empty, "leave out events without samples (on)"),
	OPT_GROUP("Call graphs"),
	{ .kind = OPTION_CALL, .short_name = 'g', .long_name = "call-graph", .arg = "[HOW]", .call = set_graph, .takes_next = is_graph_word,
	  .help = "graph, fractal, flat, folded or none; least percentage; caller or callee; percent, period or count" },
	OPT_CALL(0, "children", NULL, NULL, set_children, "count callees with their callers (on with call chains)"),
	OPT_FLAG('G', "inverted", &o.inverted, "call graphs from the outermost caller on"),
	READING_CHAIN_ROWS(o.in),
	OPT_STRING('p', "parent", "REGEX", &o.parent, "which callers the parent key tells apart"),
	OPT_FLAG('x', "exclude-other", &o.exclude_other, "only what has such a caller"),
	OPT_STRING(0, "ignore-callees", "REGEX", &o.ignore_callees, "leave out what these functions call"),
	OPT_GROUP("Which samples"),
	READING_SAMPLE_ROWS(o.in),
	READING_SWITCH_ROWS(o.in),
	OPT_CALL('d', "dsos", "LIST", &o.dsos, reading_words, "only in these files"),
	OPT_STRING(0, "symbol-filter", "TEXT", &o.symbol_filter, "only functions whose name holds that"),
	OPT_FLAG('U', "hide-unresolved", &o.hide_unresolved, "only what has a symbol"),
	OPT_GROUP("Header and counts"),
	READING_HEADER_ROWS(o.in),
	OPT_FLAG(0, "stats", &o.stats, "count the records of each type"),
	OPT_FLAG(0, "tasks", &o.tasks, "the processes, as a tree"),
	OPT_FLAG(0, "mmaps", &o.mmaps, "the processes, and what they had mapped"),
	OPT_FLAG('T', "threads", &o.threads, "the counts of each thread, of a recording made with -s"),
	OPT_FLAG('D', "dump-raw-trace", &o.dump, "dump every record: bytes and meaning"),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(o.in),
	OPT_COUNT('v', "verbose", &verbosity, "files by path, addresses, files in call graphs, why names are missing"),
	OPT_FLAG('q', "quiet", &o.quiet, "only the lines"),
	REPORT_PERF_ROWS,
	OPT_END(),
};

/* ---- what the recording allows ---- */

static bool is_field(void *data, const char *event, const char *field)
{
	struct perfdata *p = data;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		if (!e->tep || (event && strcmp(event, e->name) && strcmp(event, strchr(e->name, ':') ? strchr(e->name, ':') + 1 : "")))
			continue;
		struct tp_format *f = tp_format_new(perfdata_tep(p), e->tep, NULL);
		bool has = tp_format_field(f, field);
		tp_format_free(f);
		if (has)
			return true;
	}
	return false;
}

static bool field_at(void *data, size_t n, char **event, char **field)
{
	struct perfdata *p = data;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		if (!e->tep)
			continue;
		struct tp_format *f = tp_format_new(perfdata_tep(p), e->tep, NULL);
		size_t k, count;
		const struct tp_field *fd = tp_format_fields(f, &count);
		for (k = 0; k < count; k++)
			if (!fd[k].common && !n--)
				break;
		if (k < count) {
			*event = xstrdup(e->name);
			*field = xstrdup(fd[k].name);
		}
		tp_format_free(f);
		if (k < count)
			return true;
	}
	return false;
}

static uint64_t sample_types(const struct perfdata *p)
{
	uint64_t t = 0;
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		t |= perfdata_event_at(p, i)->attr.sample_type;
	return t;
}

static bool sample_chains(const struct perfdata *p)
{
	return sample_types(p) & PERF_SAMPLE_CALLCHAIN || perfdata_is_pipe(p);
}

static bool only_tracepoints(const struct perfdata *p)
{
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (perfdata_event_at(p, i)->attr.type != PERF_TYPE_TRACEPOINT)
			return false;
	return perfdata_n_events(p) > 0 && !perfdata_is_pipe(p);
}

static int make_layout(struct layout *l, struct perfdata *p)
{
	struct layout_options lo = { .sort = o.sort, .fields = o.fields, .children = o.children, .branch = o.branch,
		.utilization = o.utilization, .samples = o.samples, .period = o.period, .hierarchy = o.hierarchy,
		.parent = o.parent, .is_field = is_field, .field_at = field_at, .ctx = p,
		.def = o.branch ? "comm,dso_from,symbol_from,symbol_to,cycles" : only_tracepoints(p) ? "trace" : "comm,dso,symbol" };
	return layout_make(l, &lo);
}

/* One value is left by a filter: a comment says it, and the column goes. */
static void elide(struct layout *l, struct out *out)
{
	const struct { enum sort_key key; const wordlist *w; const char *name; } lists[] = {
		{ KEY_DSO, &o.dsos, "dso" }, { KEY_COMM, &o.in.filter.comms, "comm" }, { KEY_SYM, &o.in.symbols, "symbol" },
	};
	size_t left = 0, keys = 0;
	vec_each(&l->col, c) {
		keys += c->kind == COLUMN_KEY;
		for (size_t i = 0; c->kind == COLUMN_KEY && i < 3; i++) {
			if (c->row->key != lists[i].key || lists[i].w->n != 1)
				continue;
			c->elide = true;
			out_printf(out, "# %s: %s\n", lists[i].name, lists[i].w->at[0]);
		}
		left += c->kind == COLUMN_KEY && !c->elide;
	}
	if (left || !keys)
		return;
	vec_each(&l->col, c)
		c->elide = false;
}

/* ---- output ---- */

static void print_count(struct out *out, uint64_t v, char *unit)
{
	*unit = ' ';
	for (const char *u = "KMG"; *u && v > 1000; u++) {
		v /= 1000;
		*unit = *u;
	}
	out_printf(out, "%llu", (unsigned long long)v);
}

static void event_name(struct str *s, const struct perfdata *p, size_t i, bool group)
{
	const struct perfdata_event *e = perfdata_event_at(p, i);
	if (!group) {
		str_add_safez(s, e->name);
		return;
	}
	str_add_safez(s, e->group_name && strcmp(e->group_name, "{anon_group}") ? e->group_name : "anon group");
	for (size_t k = i; k < perfdata_n_events(p); k++)
		if (perfdata_event_at(p, k)->group_leader == (int)i) {
			str_add(s, k == i ? " { " : ", ");
			str_add_safez(s, perfdata_event_at(p, k)->name);
		}
	str_add(s, " }");
}

static bool is_group(const struct perfdata *p, size_t i)
{
	const struct perfdata_event *e = perfdata_event_at(p, i);
	return o.group && e->group_leader == (int)i && e->group_members > 1;
}

static void print_event_head(struct out *out, struct profile *pr, size_t i)
{
	struct hist *h = profile_hist(pr, i);
	uint64_t samples = o.relative ? h->samples_shown : h->samples, total = hist_total(h);
	bool group = is_group(pr->data, i);
	struct str name = STR_INIT;
	char unit;
	for (size_t k = i + 1; group && k < perfdata_n_events(pr->data); k++)
		if (perfdata_event_at(pr->data, k)->group_leader == (int)i) {
			struct hist *m = profile_hist(pr, k);
			samples += o.relative ? m->samples_shown : m->samples;
			total += hist_total(m);
		}
	event_name(&name, pr->data, i, group);
	out_puts(out, "# Samples: ");
	print_count(out, samples, &unit);
	out_printf(out, "%c of event%s '%s'", unit, perfdata_event_at(pr->data, i)->group_members > 1 ? "s" : "", name.buf);
	if (o.in.time)
		out_printf(out, " (time slices: %s)", o.in.time);
	out_printf(out, "\n# Event count (approx.): %llu\n#\n", (unsigned long long)total);
	str_release(&name);
}

static void finish_hists(struct profile *pr)
{
	size_t n = perfdata_n_events(pr->data);
	for (size_t i = 0; i < n; i++)
		hist_lines(profile_hist(pr, i));
	for (size_t i = 0; i < n; i++) {
		VEC(struct hist *) members = { 0 };
		for (size_t k = i + 1; is_group(pr->data, i) && k < n; k++)
			if (perfdata_event_at(pr->data, k)->group_leader == (int)i)
				*vec_push(&members) = profile_hist(pr, k);
		if (members.n)
			hist_group(profile_hist(pr, i), members.at, members.n);
		vec_release(&members);
		hist_finish(profile_hist(pr, i), o.symbol_filter);
	}
}

static bool is_member(const struct perfdata *p, size_t i)
{
	int leader = perfdata_event_at(p, i)->group_leader;
	return o.group && leader >= 0 && leader != (int)i;
}

static void say_lost(const struct profile *pr)
{
	const struct perfdata_stats *s = perfdata_stats(pr->data);
	/* What was lost behind the last record that fitted is in the kernel's own count only. */
	uint64_t lost = s->lost_samples > s->lost_events ? s->lost_samples : s->lost_events;
	if (lost && !o.quiet)
		warn("%llu events were lost while recording, in %llu places", (unsigned long long)lost,
		     (unsigned long long)s->lost_records + (lost > s->lost_events));
	if (o.threads && !pr->threads.row.n && !o.quiet)
		warn("the recording has no counts of single threads: record with -s for -T");
	if (o.graph_given && !o.no_graph && !sample_chains(pr->data) && !o.quiet)
		warn("the recording has no call chains: record with -g for call graphs");
	if (pr->truncated_stacks && !o.quiet)
		warn("%llu stacks were cut where the copied memory ended; record with --call-graph dwarf,SIZE for more",
		     (unsigned long long)pr->truncated_stacks);
}

/* Nothing is left to show, and there were samples: which options left them out. */
static void say_empty(const struct profile *pr)
{
	const struct sample_filter *f = &o.in.filter;
	const struct { bool on; const char *what; } filters[] = {
		{ o.symbol_filter, "the symbol filter" }, { o.in.symbols.n, "-S" }, { o.dsos.n, "-d" },
		{ f->comms.n, "-c" }, { f->pids.n, "--pid" }, { f->tids.n, "--tid" }, { f->cpus.n, "-C" }, { f->times.n, "--time" },
		{ o.in.events.on || o.in.events.off, "--switch-on and --switch-off" }, { o.exclude_other, "-x" }, { o.hide_unresolved, "-U" },
		{ o.min_percent > 0, "--percent-limit" },
	};
	struct str s = STR_INIT;
	uint64_t samples = perfdata_stats(pr->data)->samples;
	vec_each(&pr->hist, h)
		for (size_t i = 0; *h && i < (*h)->entry.n; i++)
			if (!(*h)->entry.at[i]->filtered)
				return;
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		if (filters[i].on)
			str_addf(&s, "%s%s", s.len ? ", " : "", filters[i].what);
	if (samples && s.len && !o.quiet)
		warn("nothing is left of %llu samples after %s%s%s%s", (unsigned long long)samples, s.buf,
		     o.symbol_filter ? ": no function has '" : "", o.symbol_filter ? o.symbol_filter : "", o.symbol_filter ? "' in its name" : "");
	str_release(&s);
}

static void print_all(struct out *out, struct profile *pr, const struct report_style *style)
{
	if (!o.quiet)
		out_printf(out, "#\n# Total Lost Samples: %llu\n#\n", (unsigned long long)perfdata_stats(pr->data)->lost_samples);
	finish_hists(pr);
	for (size_t i = 0; i < perfdata_n_events(pr->data); i++) {
		struct hist *h = profile_hist(pr, i);
		if (is_member(pr->data, i) || (o.skip_empty && !h->samples && !h->entry.n))
			continue;
		if (!o.quiet)
			print_event_head(out, pr, i);
		report_print(out, pr, h, i, style);
		out_puts(out, "\n\n");
	}
	if (!o.quiet)
		out_puts(out, "#\n# (Tip: sonde report -g caller,0.5 --percent-limit 1 shows only what matters)\n#\n");
	if (o.threads)
		threads_print(out, &pr->threads, pr->data);
	say_lost(pr);
	say_empty(pr);
	if (!o.quiet)
		reading_say_missing(pr->syms);
}

/* --stats and -D: records as they are. */
static int read_plain(struct perfdata *p, struct out *out)
{
	struct perfdata_record r;
	uint64_t count[128] = { 0 }, total = 0;
	VEC(uint64_t) samples = { 0 };
	int err;
	perfdata_keep_groups(p);
	while ((err = perfdata_next(p, &r)) > 0) {
		total++;
		count[r.header->type < 128 ? r.header->type : 127]++;
		while (r.event && samples.n <= (size_t)r.event_index)
			*vec_push(&samples) = 0;
		if (r.event && r.header->type == PERF_RECORD_SAMPLE)
			samples.at[r.event_index]++;
		if (o.dump) {
			record_dump(&out->buf, &r, o.in.input);
			out_write(out, "", 0);
		}
	}
	struct str name = STR_INIT;
	if (o.stats) {
		out_printf(out, "\nAggregated stats:\n%16s events: %10llu\n", "TOTAL", (unsigned long long)total);
		for (uint32_t i = 0; i < 128; i++)
			if (count[i])
				out_printf(out, "%16s events: %10llu  (%4.1f%%)\n", record_name(i), (unsigned long long)count[i],
					   100.0 * count[i] / total);
		for (size_t i = 0; i < samples.n; i++)
			if (samples.at[i]) {
				str_add_safez(&name, perfdata_event_at(p, i)->name);
				out_str(out, &name);
				out_printf(out, " stats:\n%16s events: %10llu\n", "SAMPLE", (unsigned long long)samples.at[i]);
			}
	}
	str_release(&name);
	vec_release(&samples);
	return err;
}

static int compile(regex_t *re, const char *option, const char *text)
{
	char why[128];
	int err = regcomp(re, text, REG_EXTENDED);
	if (!err)
		return 0;
	regerror(err, re, why, sizeof(why));
	return error_set(EINVAL, "%s %s is not a regular expression: %s", option, text, why);
}

static struct report_style make_style(bool chains)
{
	struct report_style s = { .graph = o.graph, .graphs = chains && !o.no_graph, .min_percent = o.min_percent,
		.separator = o.separator, .widths = o.widths.n ? &o.widths : NULL, .headers = !o.quiet, .nanosecs = o.in.ns, .hierarchy = o.hierarchy };
	s.graph.skip_first = o.sort && !o.fields && str_starts(o.sort, "sym");
	s.graph.show_dso = verbosity > 0;
	s.graph.show_address = o.by_address;
	s.graph.show_line = o.by_line;
	s.graph.separator = o.separator;
	return s;
}

static int run(struct perfdata *p, struct out *out)
{
	bool chains = sample_chains(p);
	struct layout l = { 0 };
	regex_t re, callees;
	o.caller |= o.inverted || (o.children && !o.order_given);
	if (!o.branch_given)
		o.branch = sample_types(p) & PERF_SAMPLE_BRANCH_STACK && !(sample_types(p) & PERF_SAMPLE_STACK_USER);
	if (o.branch && !(sample_types(p) & PERF_SAMPLE_BRANCH_STACK)) {
		error_set(EINVAL, "the recording has no branches");
		return error_hint("record with sonde record -b");
	}
	if (!(sample_types(p) & PERF_SAMPLE_CALLCHAIN) || perfdata_is_pipe(p) || o.hierarchy || o.branch)
		o.children = false;
	int err = make_layout(&l, p);
	if (!err)
		err = reading_filters(&o.in, p);
	if (!err)
		err = compile(&re, "-p", o.parent ? o.parent : "^sys_|^do_page_fault");
	if (!err && (err = compile(&callees, "--ignore-callees", o.ignore_callees ? o.ignore_callees : "^$")))
		regfree(&re);
	if (err) {
		o.in.usage = err == -EINVAL;
		layout_release(&l);
		return err;
	}
	bool parent = layout_has(&l, KEY_PARENT) || o.exclude_other;
	struct profile_options po = { .max_stack = o.in.max_stack, .inlines = o.in.inlines, .hide_unresolved = o.hide_unresolved,
		.exclude_other = o.exclude_other, .chains = chains && !o.no_graph, .children = o.children, .caller = o.caller,
		.branch = o.branch, .parent = parent ? &re : NULL,
		.ignore_callees = o.ignore_callees ? &callees : NULL, .raw_trace = o.raw_trace, .dsos = o.dsos.n ? &o.dsos : NULL,
		.symbols = o.in.symbols.n ? &o.in.symbols : NULL, .filter = &o.in.filter, .time_quantum = o.quantum };
	if (!o.quiet && !o.in.header)
		out_puts(out, "# To display the perf.data header info, please use --header/--header-only options.\n#\n");
	elide(&l, out);
	struct symbols *syms = reading_symbols(&o.in);
	struct profile *pr = profile_new(p, syms, &l, &po);
	pr->fold.mode = o.graph.mode;
	pr->fold.min_percent = o.graph_percent;
	pr->fold.full_dso = verbosity > 0;
	pr->fold.relative = o.relative;
	pr->places.by_address = o.by_address;
	pr->places.by_line |= o.by_line;
	pr->places.full_path = o.in.full_path;
	session_header(pr->session, p);
	err = profile_read(pr);
	struct report_style style = make_style(chains);
	print_all(out, pr, &style);
	profile_free(pr);
	symbols_free(syms);
	regfree(&re);
	regfree(&callees);
	layout_release(&l);
	return err;
}

static int open_and_run(struct perfdata *p, void *ctx)
{
	struct out out;
	int err = reading_output(&o.in, p, &out);
	(void)ctx;
	if (!err && !o.in.output)
		out_pager(&out);
	if (!err && (o.tasks || o.mmaps))
		err = tasks_print(p, &out, o.mmaps);
	else if (!err && (o.stats || o.dump))
		err = read_plain(p, &out);
	else if (!err && !o.in.header_only)
		err = run(p, &out);
	int closed = out_close(&out);
	if (err && o.in.usage)
		return options_exit(err, usage);
	return err || closed ? error_print() : 0;
}

int cmd_report(int argc, char **argv)
{
	reading_init(&o.in);
	o.children = o.group = o.skip_empty = true;
	o.graph.mode = CHAIN_GRAPH;
	o.graph_percent = 0.5;
	o.quantum = 100000000;
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n > 1)
		return options_exit(error_set(EINVAL, "one symbol at most, not '%s' too", argv[1]), usage);
	if (n)
		o.symbol_filter = argv[0];
	if (o.hierarchy && o.fields)
		return options_exit(error_set(EINVAL, "--hierarchy and -F exclude each other"), usage);
	int code = reading_run(&o.in, open_and_run, NULL);
	wordlist_release(&o.dsos);
	vec_release(&o.widths);
	return code;
}
