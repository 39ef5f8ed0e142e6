// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace report: a trace.dat as text, as trace-cmd report prints it. */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/ftrace/report.h"
#include "cmd/ftrace/verbs.h"
#include "ui/tracedat/filter.h"
#include "ui/tracedat/view.h"

#define OPTIONS struct ftrace_report

static int on_input(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_report *o = value;
	(void)opt; (void)unset;
	*vec_push(&o->inputs) = (struct report_input){ .path = arg, .hz = o->hz };
	return 0;
}

static int on_offset(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_report *o = value;
	int64_t v;
	(void)opt; (void)unset;
	if (parse_s64(arg, &v))
		return error_set(EINVAL, "--ts-offset: '%s' is no number", arg);
	if (!o->inputs.n)
		o->offset = v;
	else
		vec_last(&o->inputs)->offset = v;
	return 0;
}

static int on_hz(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_report *o = value;
	uint64_t v;
	(void)opt; (void)unset;
	if (parse_u64(arg, &v) || !v)
		return error_set(EINVAL, "--ts2secs: '%s' is no number of ticks a second", arg);
	if (!o->inputs.n)
		o->hz = (double)v;
	else
		vec_last(&o->inputs)->hz = (double)v;
	return 0;
}

static int on_not(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt; (void)arg; (void)unset;
	((struct ftrace_report *)value)->next_not = true;
	return 0;
}

static int on_filter(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_report *o = value;
	struct report_filter f = { .not = o->next_not, .text = arg };
	(void)opt; (void)unset;
	int err = record_filter_new(&f.filter, arg);
	if (!err)
		*vec_push(&o->filters) = f;
	return err;
}

/* "--event sys:read": part of the system's name, and of the event's; one word is looked for in both. */
static int on_event(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt; (void)unset;
	wordlist_add(&((struct ftrace_report *)value)->events, arg);
	return 0;
}

static int on_word(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt; (void)unset;
	wordlist_add(value, arg);
	return 0;
}

static int on_cpus(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	char *text = xstrdup(arg);
	(void)opt; (void)unset;
	for (char *c = text; *c; c++)
		*c = *c == ':' ? ',' : *c;
	int err = intlist_parse(value, text, 65535, "--cpu");
	free(text);
	return err;
}

static bool is_on(const char *value)
{
	return strcmp(value, "0") && strcmp(value, "no") && strcmp(value, "off") && strcmp(value, "false");
}

/* [plugin:]name[=value] */
static int on_plugin(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct tracedat_view_options *v = &((struct ftrace_report *)value)->view;
	const char *name = strchr(arg, ':') ? strchr(arg, ':') + 1 : arg, *equals = strchr(name, '=');
	const struct { const char *name; bool *on; bool inverse; } known[] = {
		{ "parent", &v->parent, false }, { "indent", &v->no_indent, true }, { "offset", &v->offset, false },
		{ "tailprint", &v->tail, false }, { "depth", &v->depth, false },
	};
	(void)opt; (void)unset;
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	bool on = !equals || is_on(equals + 1);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == n && !strncmp(known[i].name, name, n)) {
			*known[i].on = on != known[i].inverse;
			return 0;
		}
	error_set(EINVAL, "-O: no option '%.*s'", (int)n, name);
	return error_hint("there are ftrace:parent, ftrace:indent, ftrace:offset, fgraph:tailprint and fgraph:depth");
}

static const struct option_row rows[] = {
	OPT_CALL('i', "input", "FILE", on_input, "the recording (trace.dat); several are merged by time"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_GROUP("Which records"),
	OPT_CALL('F', "filter", "FILTER", on_filter, "only those: 'EVENTS : FIELD == VALUE && ...'"),
	OPT_CALL('v', NULL, NULL, on_not, "filters after it leave out what they match"),
	OPT_CALL(0, "event", "REGEX", on_event, "only events with that in their names (SYSTEM:EVENT)"),
	OPT_CALL_ON(0, "cpu", "LIST", cpus, on_cpus, "only these CPUs"),
	OPT_FLAG('I', NULL, no_irq, "none from hard interrupts"),
	OPT_FLAG('S', NULL, no_softirq, "none from soft interrupts"),
	OPT_GROUP("Lines"),
	OPT_FLAG('t', NULL, view.full, "times in nanoseconds"),
	OPT_FLAG('l', NULL, view.latency, "with interrupts, need-resched and preemption depth"),
	OPT_FLAG('R', NULL, view.raw, "fields as they are"),
	OPT_CALL_ON('r', NULL, "REGEX", raw_events, on_word, "fields of these events as they are"),
	OPT_FLAG('N', NULL, view.plain, "the kernel's print formats alone"),
	OPT_FLAG('L', NULL, view.plain, "the same: there are no local plugins"),
	OPT_CALL_ON('n', NULL, "REGEX", plain_events, on_word, "the kernel's print format for these events"),
	OPT_FLAG('w', NULL, view.wakeup, "time from each wake-up to the switch"),
	OPT_CALL('O', NULL, "OPTION", on_plugin, "ftrace:parent, ftrace:indent=0, ftrace:offset, fgraph:tailprint, fgraph:depth"),
	OPT_GROUP("Times"),
	OPT_CALL(0, "ts-offset", "N", on_offset, "add that to the times of the file before it"),
	OPT_CALL(0, "ts2secs", "HZ", on_hz, "so many ticks of the clock are a second"),
	OPT_FLAG(0, "ts-diff", view.diff, "time since the line before"),
	OPT_FLAG(0, "ts-check", check_times, "tell when time goes back on a CPU"),
	OPT_FLAG(0, "nodate", no_date, "without the date of record --date"),
	OPT_FLAG(0, "raw-ts", raw_times, "times as they are in the file"),
	OPT_FLAG(0, "align-ts", align, "the first record is at 0"),
	OPT_GROUP("About the file"),
	OPT_FLAG(0, "stat", facts.stat, "the ring's counts at the end of the recording"),
	OPT_FLAG(0, "uname", facts.uname, "the machine"),
	OPT_FLAG(0, "version", facts.version, "what wrote it"),
	OPT_FLAG('e', NULL, facts.endian, "its byte order"),
	OPT_FLAG('f', NULL, facts.functions, "the kernel's functions"),
	OPT_FLAG('P', NULL, facts.printk, "texts of trace_printk()"),
	OPT_FLAG('E', NULL, facts.names, "events whose formats it has"),
	OPT_FLAG(0, "events", facts.formats, "these formats"),
	OPT_FLAG(0, "check-events", facts.check, "tell whether all formats are understood"),
	OPT_FLAG(0, "cpus", facts.cpus, "CPUs that have records"),
	OPT_FLAG(0, "first-event", facts.first, "the time of the first record of each"),
	OPT_FLAG(0, "last-event", facts.last, "the time of the last"),
	OPT_FLAG('T', NULL, facts.filters, "show the filters, and no records"),
	OPT_NEEDLESS('q', NULL, NULL, "there are no warnings that could be left out"),
	OPT_NEEDLESS('V', NULL, "[LEVEL]", "no plugins are loaded"),
	OPT_NEEDLESS(0, "verbose", "[LEVEL]", "there are no log levels"),
	OPT_REFUSED(0, "profile", NULL, "report has no --profile", "sonde sched latency and sonde ftrace profile answer that"),
	OPT_REFUSED('G', NULL, NULL, "-G belongs to --profile", "sonde sched latency and sonde ftrace profile answer that"),
	OPT_REFUSED('H', NULL, "HOOKS", "-H belongs to --profile", "sonde sched latency and sonde ftrace profile answer that"),
	OPT_REFUSED(0, "by-comm", NULL, "--by-comm belongs to --profile", "sonde sched latency and sonde ftrace profile answer that"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace report [OPTIONS] [FILE]", NULL };

static void release(struct ftrace_report *o)
{
	vec_each(&o->filters, f)
		record_filter_free(f->filter);
	vec_each(&o->inputs, in) {
		tracedat_view_free(in->view);
		tracedat_close(in->t);
		free(in->skip);
	}
	vec_release(&o->filters);
	vec_release(&o->inputs);
	vec_release(&o->cpus);
	wordlist_release(&o->events);
	wordlist_release(&o->raw_events);
	wordlist_release(&o->plain_events);
}

/* ---- records ---- */

static bool has_text(const char *pattern, size_t n, const char *name)
{
	char *p = xstrndup(pattern, n);
	regex_t re;
	bool hit = false;
	if (!regcomp(&re, p, REG_ICASE | REG_NOSUB)) {
		hit = !regexec(&re, name, 0, NULL, 0);
		regfree(&re);
	}
	free(p);
	return hit;
}

static bool event_chosen(const struct ftrace_report *o, const struct tracedat_format *f)
{
	for (size_t i = 0; i < o->events.n; i++) {
		const char *z = o->events.at[i], *colon = strchr(z, ':');
		if (colon ? has_text(z, (size_t)(colon - z), f->system) && has_text(colon + 1, strlen(colon + 1), f->name) :
			    has_text(z, strlen(z), f->name) || has_text(z, strlen(z), f->system))
			return true;
	}
	return !o->events.n;
}

/* Events by id, once: a regular expression for each record would take its time. */
static void choose_events(const struct ftrace_report *o, struct report_input *in)
{
	const struct tracedat_format *f;
	for (size_t i = 0; (f = tracedat_format_at(in->t, i)); i++) {
		if (f->id < 0)
			continue;
		in->skip[f->id] = !event_chosen(o, f);
		if (!strcmp(f->name, "kernel_stack") && !strcmp(f->system, "ftrace"))
			in->stack_id = f->id;
	}
}

static bool filters_take(struct ftrace_report *o, struct report_input *in, const struct tracedat_record *r)
{
	bool any = false, yes = false;
	vec_each(&o->filters, f) {
		if (f->not)
			continue;
		any = true;
		yes |= record_filter_ask(f->filter, in->t, r) == FILTER_YES;
	}
	if (any && !yes)
		return false;
	vec_each(&o->filters, f)
		if (f->not && record_filter_ask(f->filter, in->t, r) == FILTER_YES)
			return false;
	return true;
}

static bool takes(struct ftrace_report *o, struct report_input *in, const struct tracedat_record *r)
{
	enum { HARDIRQ = 8, SOFTIRQ = 16 };
	if ((o->no_irq && r->flags & HARDIRQ) || (o->no_softirq && r->flags & SOFTIRQ))
		return false;
	if (r->type >= 0 && in->skip[r->type])
		return false;
	if (!o->filters.n)
		return true;
	/* a stack belongs to the record before it */
	if (r->type == in->stack_id && r->cpu < REPORT_CPUS)
		return in->shown[r->cpu];
	bool yes = filters_take(o, in, r);
	if (r->cpu < REPORT_CPUS)
		in->shown[r->cpu] = yes;
	return yes;
}

/* The next record of one file that is to be shown: 1, 0 or -errno. */
static int next_of(struct ftrace_report *o, struct report_input *in)
{
	while (!in->ready) {
		int got = tracedat_next(in->t, &in->r);
		if (got <= 0)
			return got;
		in->ready = takes(o, in, &in->r);
	}
	return 1;
}

static void check_time(struct report_input *in)
{
	const struct tracedat_record *r = &in->r;
	if (r->cpu >= REPORT_CPUS)
		return;
	if (in->last[r->cpu] > r->time)
		warn("time goes back on CPU %d: from %llu to %llu", r->cpu, (unsigned long long)in->last[r->cpu], (unsigned long long)r->time);
	in->last[r->cpu] = r->time;
}

static const char *name_in_front(const struct ftrace_report *o, const struct report_input *in)
{
	const struct tracedat_buffer *b;
	tracedat_buffers(in->t, &b);
	return in->r.buffer || o->inputs.n < 2 ? b[in->r.buffer].name : in->path;
}

static int show_records(struct ftrace_report *o, struct out *out)
{
	struct str line = STR_INIT;
	int err = 0;
	while (!err && !out->err) {
		struct report_input *best = NULL;
		vec_each(&o->inputs, in) {
			int got = next_of(o, in);
			if (got < 0)
				err = got;
			if (got > 0 && (!best || in->r.time < best->r.time))
				best = in;
		}
		if (!best || err)
			break;
		if (o->check_times)
			check_time(best);
		best->ready = false;
		err = tracedat_view_record(best->view, &line, &best->r, best->name_width ? name_in_front(o, best) : "");
		if (line.len > 1 << 16)
			out_str(out, &line);
	}
	vec_each(&o->inputs, in)
		tracedat_view_end(in->view, &line);
	out_str(out, &line);
	str_release(&line);
	return err;
}

/* ---- wiring ---- */

static int width_of(const struct ftrace_report *o)
{
	const struct tracedat_buffer *b;
	size_t most = 0;
	bool named = o->inputs.n > 1;
	vec_each(&o->inputs, in) {
		size_t n = tracedat_buffers(in->t, &b);
		most = o->inputs.n > 1 && strlen(in->path) > most ? strlen(in->path) : most;
		for (size_t i = 0; i < n; i++) {
			most = strlen(b[i].name) > most ? strlen(b[i].name) : most;
			named |= n > 1 || *b[i].name;
		}
	}
	return named ? (int)(most < 4096 ? most : 4096) : 0;
}

static int open_inputs(struct ftrace_report *o)
{
	vec_each(&o->inputs, in) {
		in->t = tracedat_open(in->path);
		if (!in->t)
			return error_code();
		in->stack_id = -1;
		in->skip = xcalloc(65536, sizeof(*in->skip));
		in->offset = in->offset ? in->offset : o->offset;
		struct tracedat_times times = { .raw = o->raw_times, .no_date = o->no_date, .offset = in->offset, .hz = in->hz };
		tracedat_set_times(in->t, &times);
		if (o->cpus.n)
			tracedat_choose(in->t, &o->cpus);
		choose_events(o, in);
	}
	o->view.name_width = width_of(o);
	vec_each(&o->inputs, in) {
		in->name_width = o->view.name_width;
		int err = tracedat_view_new(&in->view, in->t, &o->view, &o->raw_events, &o->plain_events);
		if (err)
			return err;
	}
	return 0;
}

static int align(struct ftrace_report *o)
{
	uint64_t first = UINT64_MAX;
	vec_each(&o->inputs, in) {
		struct tracedat_record r;
		int got = tracedat_next(in->t, &r);
		if (got < 0)
			return got;
		if (got && r.time < first)
			first = r.time;
		tracedat_rewind(in->t);
	}
	vec_each(&o->inputs, in)
		tracedat_shift(in->t, -(int64_t)first);
	return 0;
}

static int show_texts(struct ftrace_report *o, struct out *out, bool *any)
{
	struct str text = STR_INIT;
	int err = 0;
	*any = false;
	vec_each(&o->inputs, in) {
		const struct tracedat_buffer *b;
		size_t n = tracedat_buffers(in->t, &b);
		for (size_t i = 0; i < n && !err; i++) {
			if (!b[i].text)
				continue;
			struct str safe = STR_INIT;
			err = tracedat_text(in->t, i, &text);
			for (char *save = NULL, *line = strtok_r(text.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
				str_add_safez(&safe, line);
				str_addc(&safe, '\n');
			}
			out_str(out, &safe);
			str_release(&safe);
			str_clear(&text);
			*any = true;
		}
	}
	str_release(&text);
	return err;
}

static int show(struct ftrace_report *o, struct out *out)
{
	int err = o->align ? align(o) : 0;
	bool text = false;
	if (err)
		return err;
	vec_each(&o->inputs, in) {
		out_printf(out, "cpus=%d\n", tracedat_info(in->t)->cpus);
		vec_each(&o->filters, f)
			record_filter_fits(f->filter, in->t);
	}
	err = show_texts(o, out, &text);
	return err || text ? err : show_records(o, out);
}

static int run(struct ftrace_report *o)
{
	struct out out;
	int err = open_inputs(o);
	if (err)
		return err;
	err = out_open(&out, o->output, false);
	if (err)
		return err;
	if (!o->output)
		out_pager(&out);
	bool done = false;
	int code = report_facts(o, &out, &done);
	if (!code && !done)
		code = show(o, &out);
	if (code) { /* out_close has an error of its own to tell */
		out_flush(&out);
		error_print();
		err = -EINVAL;
	}
	int closed = out_close(&out);
	return err ? err : closed;
}

int ftrace_cmd_report(int argc, char **argv)
{
	struct ftrace_report o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0) {
		release(&o);
		return options_exit(n, usage);
	}
	for (int i = 0; i < n; i++)
		on_input(&o, NULL, argv[i], false);
	if (!o.inputs.n)
		on_input(&o, NULL, "trace.dat", false);
	int err = run(&o);
	release(&o);
	return err ? error_pending() ? error_print() : EXIT_SONDE : 0;
}
