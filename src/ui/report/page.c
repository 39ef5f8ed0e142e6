// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/page.h"
#include <errno.h>
#include <string.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "ui/missing.h"
#include "ui/report/blocks.h"
#include "ui/report/text.h"
#include "ui/report/threads.h"
#include "ui/report/unnamed.h"

/* ---- before anything is read ---- */

static const char memory_keys[] = "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc";

static int make_layout(struct layout *l, struct perfdata *p, const struct report_options *o)
{
	struct layout_options lo = { .sort = o->sort, .fields = o->fields, .children = o->children, .no_children = o->no_children, .branch = o->branch, .memory = o->memory,
		.utilization = o->utilization, .samples = o->samples, .period = o->period, .hierarchy = o->hierarchy,
		.parent = o->parent, .is_field = recorded_has_field, .field_at = recorded_field_at, .ctx = p,
		.def = o->branch ? "comm,dso_from,symbol_from,symbol_to,cycles" : o->memory ? memory_keys :
		       recorded_only_tracepoints(p) ? "trace" : o->usual ? o->usual : "comm,dso,symbol" };
	return layout_make(l, &lo);
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

int report_prepare(struct report *r, struct perfdata *p, const struct report_options *o)
{
	*r = (struct report){ .data = p, .o = o };
	int err = make_layout(&r->layout, p, o);
	if (!err)
		err = compile(&r->parent, "-p", o->parent ? o->parent : "^sys_|^do_page_fault");
	if (!err && (err = compile(&r->callees, "--ignore-callees", o->ignore_callees ? o->ignore_callees : "^$")))
		regfree(&r->parent);
	r->compiled = !err;
	return err;
}

void report_release(struct report *r)
{
	if (r->compiled) {
		regfree(&r->parent);
		regfree(&r->callees);
	}
	layout_release(&r->layout);
}

/* ---- output ---- */

/* One value is left by a filter: a comment says it, and the column goes. */
static void elide(const struct report_options *o, struct layout *l, struct out *out)
{
	const struct { enum sort_key key; const wordlist *w; const char *name; } lists[] = {
		{ KEY_DSO, &o->dsos, "dso" }, { KEY_COMM, &o->filter->comms, "comm" }, { KEY_SYM, o->symbols, "symbol" },
	};
	size_t left = 0, keys = 0;
	vec_each(&l->col, c) {
		keys += c->kind == COLUMN_KEY;
		for (size_t i = 0; c->kind == COLUMN_KEY && i < 3; i++) {
			if (c->row->key != lists[i].key || lists[i].w->n != 1)
				continue;
			c->elide = !o->hierarchy;
			out_printf(out, "# %s: %s\n", lists[i].name, lists[i].w->at[0]);
		}
		left += c->kind == COLUMN_KEY && !c->elide;
	}
	if (left || !keys)
		return;
	vec_each(&l->col, c)
		c->elide = false;
}

void report_comments(struct report *r, struct out *out)
{
	elide(r->o, &r->layout, out);
}

static void print_count(struct out *out, uint64_t v, char *unit)
{
	*unit = ' ';
	for (const char *u = "KMG"; *u && v > 1000; u++) {
		v /= 1000;
		*unit = *u;
	}
	out_printf(out, "%llu", (unsigned long long)v);
}

static void event_name(struct str *s, struct profile *pr, size_t i, const struct report_options *o)
{
	const struct perfdata *p = pr->data;
	const struct perfdata_event *e = perfdata_event_at(p, i);
	bool first = true;
	if (!o->group || !recorded_leads(p, i)) {
		str_add_safez(s, e->name);
		return;
	}
	if (!o->forced_group) {
		str_add_safez(s, e->group_name && strcmp(e->group_name, "{anon_group}") ? e->group_name : "anon group");
		str_add(s, " { ");
	}
	for (size_t k = i; k < perfdata_n_events(p); k++)
		if (perfdata_event_at(p, k)->group_leader == (int)i && !(o->skip_empty && !profile_hist(pr, k)->samples)) {
			str_add(s, first ? "" : ", ");
			str_add_safez(s, perfdata_event_at(p, k)->name);
			first = false;
		}
	str_add(s, o->forced_group ? "" : " }");
}

static void print_event_head(const struct report_options *o, struct out *out, struct profile *pr, size_t i)
{
	struct hist *h = profile_hist(pr, i);
	uint64_t samples = o->relative ? h->samples_shown : h->samples, total = hist_total(h);
	bool group = o->group && recorded_leads(pr->data, i);
	struct str name = STR_INIT;
	char unit;
	for (size_t k = i + 1; group && k < perfdata_n_events(pr->data); k++)
		if (perfdata_event_at(pr->data, k)->group_leader == (int)i) {
			struct hist *m = profile_hist(pr, k);
			samples += o->relative ? m->samples_shown : m->samples;
			total += hist_total(m);
		}
	event_name(&name, pr, i, o);
	out_puts(out, "# Samples: ");
	print_count(out, samples, &unit);
	out_printf(out, "%c of event%s '%s'", unit, perfdata_event_at(pr->data, i)->group_members > 1 ? "s" : "", name.buf);
	if (o->time)
		out_printf(out, " (time slices: %s)", o->time);
	if (o->memory)
		out_printf(out, "\n# Total weight : %llu\n# Sort order   : %s%s\n", (unsigned long long)total, o->sort ? o->sort : memory_keys,
			   o->sort && strstr(o->sort, "symbol") ? ",ipc_null" : "");
	else
		out_printf(out, "\n# Event count (approx.): %llu\n", (unsigned long long)total);
	if (o->socket)
		out_printf(out, "# Processor Socket: %d\n", *o->socket);
	out_puts(out, "#\n");
	str_release(&name);
}

static void say_lost(const struct report_options *o, const struct profile *pr)
{
	const struct perfdata_stats *s = perfdata_stats(pr->data);
	uint64_t lost = perfdata_lost(pr->data);
	if (lost && !o->quiet)
		warn("%llu events were lost while recording, in %llu places", (unsigned long long)lost,
		     (unsigned long long)s->lost_records + (lost > s->lost_events));
	if (o->threads && !pr->threads.row.n && !o->quiet)
		warn("the recording has no counts of single threads: record with -s for -T");
	if (o->graph_given && !o->no_graph && !recorded_has_chains(pr->data) && !o->quiet)
		warn("the recording has no call chains: record with -g for call graphs");
	if (pr->truncated_stacks && !o->quiet)
		warn("%llu stacks were cut where the copied memory ended; record with --call-graph dwarf,SIZE for more",
		     (unsigned long long)pr->truncated_stacks);
}

/* Nothing is left to show, and there were samples: which options left them out. */
static void say_empty(const struct report_options *o, const struct profile *pr)
{
	const struct sample_filter *f = o->filter;
	const struct { bool on; const char *what; } filters[] = {
		{ o->symbol_filter, "the symbol filter" }, { o->symbols->n, "-S" }, { o->dsos.n, "-d" },
		{ f->comms.n, "-c" }, { f->pids.n, "--pid" }, { f->tids.n, "--tid" }, { f->cpus.n, "-C" }, { o->socket, "--socket-filter" }, { f->times.n, "--time" },
		{ f->events->on || f->events->off, "--switch-on and --switch-off" }, { o->exclude_other, "-x" }, { o->hide_unresolved, "-U" },
		{ o->min_percent > 0, "--percent-limit" },
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
	if (samples && s.len && !o->quiet)
		warn("nothing is left of %llu samples after %s%s%s%s", (unsigned long long)samples, s.buf,
		     o->symbol_filter ? ": no function has '" : "", o->symbol_filter ? o->symbol_filter : "", o->symbol_filter ? "' in its name" : "");
	str_release(&s);
}

/* A comment or standard error: in either case before the lines. */
static bool say_unnamed(const struct report_options *o, struct out *out, const struct profile *pr)
{
	return !o->quiet && !o->hide_unresolved && unnamed_say(pr, out);
}

static bool event_hidden(const struct report_options *o, struct profile *pr, size_t i)
{
	struct hist *h = profile_hist(pr, i);
	return (o->group && recorded_follows(pr->data, i)) || (o->skip_empty && !h->samples && !h->entry.n);
}

static void print_all(const struct report_options *o, struct out *out, struct profile *pr, const struct report_style *style)
{
	if (!o->quiet)
		out_printf(out, "#\n# Total Lost Samples: %llu\n#\n", (unsigned long long)perfdata_stats(pr->data)->lost_samples);
	bool kernel_told = say_unnamed(o, out, pr);
	profile_finish(pr, o->group, o->symbol_filter);
	for (size_t i = 0; i < perfdata_n_events(pr->data); i++) {
		struct hist *h = profile_hist(pr, i);
		if (event_hidden(o, pr, i))
			continue;
		if (!o->quiet)
			print_event_head(o, out, pr, i);
		if (o->cycles) {
			blocks_print(out, profile_blocks(pr, i), pr->syms, o->min_percent, !o->quiet, o->full_path);
			continue;
		}
		report_print(out, pr, h, i, style);
		out_puts(out, "\n\n");
	}
	if (!o->quiet)
		out_puts(out, "#\n# (Tip: sonde report -g caller,0.5 --percent-limit 1 shows only what matters)\n#\n");
	if (o->threads)
		threads_print(out, &pr->threads, pr->data);
	say_lost(o, pr);
	say_empty(o, pr);
	if (!o->quiet)
		symbols_say_missing(pr->syms, kernel_told);
}

struct report_style report_style(const struct report *r)
{
	const struct report_options *o = r->o;
	bool chains = recorded_has_chains(r->data) || o->history;
	struct report_style s = { .graph = o->graph, .graphs = chains && !o->no_graph, .min_percent = o->min_percent,
		.separator = o->separator, .widths = o->widths.n ? &o->widths : NULL, .headers = !o->quiet, .nanosecs = o->nanosecs, .hierarchy = o->hierarchy };
	s.graph.skip_first = o->sort && !o->fields && str_starts(o->sort, "sym");
	s.graph.show_address = o->by_address;
	s.graph.show_line = o->by_line;
	s.graph.separator = o->separator;
	return s;
}

struct profile *report_profile(struct report *r, struct symbols *syms)
{
	const struct report_options *o = r->o;
	bool chains = recorded_has_chains(r->data) || o->history;
	bool parent = layout_has(&r->layout, KEY_PARENT) || o->exclude_other;
	struct profile_options po = { .max_stack = o->max_stack, .inlines = o->inlines, .hide_unresolved = o->hide_unresolved,
		.exclude_other = o->exclude_other, .chains = chains && !o->no_graph, .children = o->children, .caller = o->caller,
		.branch = o->branch, .memory = o->memory, .cycles = o->cycles, .history = o->history, .parent = parent ? &r->parent : NULL,
		.ignore_callees = o->ignore_callees ? &r->callees : NULL, .raw_trace = o->raw_trace, .skip_empty = o->skip_empty, .dsos = o->dsos.n ? &o->dsos : NULL,
		.symbols = o->symbols->n ? o->symbols : NULL, .filter = o->filter, .time_quantum = o->quantum, .socket = o->socket };
	struct profile *pr = profile_new(r->data, syms, &r->layout, &po);
	pr->fold.mode = o->graph.mode;
	pr->fold.min_percent = o->graph_percent;
	pr->fold.full_dso = verbosity > 0;
	pr->fold.relative = o->relative;
	pr->places.by_address = o->by_address;
	pr->places.by_line |= o->by_line;
	pr->places.full_path = o->full_path;
	session_header(pr->session, r->data);
	return pr;
}

void report_event_name(const struct report *r, struct profile *pr, size_t i, struct str *out)
{
	event_name(out, pr, i, r->o);
}

bool report_event_hidden(const struct report *r, struct profile *pr, size_t i)
{
	return event_hidden(r->o, pr, i);
}

int report_page(struct report *r, struct symbols *syms, struct out *out)
{
	const struct report_options *o = r->o;
	struct report_style style = report_style(r);
	if (!o->quiet && !o->header)
		out_puts(out, "# To display the perf.data header info, please use --header/--header-only options.\n#\n");
	report_comments(r, out);
	struct profile *pr = report_profile(r, syms);
	int err = profile_read(pr);
	print_all(o, out, pr, &style);
	profile_free(pr);
	return err;
}
