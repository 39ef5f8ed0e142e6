// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/evlist.h"
#include <traceevent/event-parse.h>

static void add_fields(struct str *s, const struct perfdata_event *e)
{
	if (e->attr.type != PERF_TYPE_TRACEPOINT) {
		str_add(s, ": (not a tracepoint)");
		return;
	}
	str_add(s, ": trace_fields: ");
	struct tep_format_field *first = e->tep ? e->tep->format.fields : NULL;
	for (struct tep_format_field *f = first; f; f = f->next) {
		str_add(s, f == first ? "" : ",");
		str_add_safez(s, f->name);
	}
}

static void add_freq(struct str *s, const struct perf_event_attr *a, bool first)
{
	str_addf(s, "%s sample_%s=%llu", first ? ":" : ",", a->freq ? "freq" : "period", (unsigned long long)a->sample_period);
}

static void event_line(struct str *s, const struct perfdata *p, const struct perfdata_event *e, const struct evlist_page *page)
{
	str_add_safez(s, e->name);
	if (page->fields) {
		add_fields(s, e);
	} else if (page->attrs) {
		perfdata_print_attr(s, p, &e->attr, e->name);
	} else if (page->freq) {
		add_freq(s, &e->attr, true);
	}
	str_addc(s, '\n');
}

/* "{a,b}", or the name alone. */
static void group_line(struct str *s, const struct perfdata *p, size_t leader)
{
	const struct perfdata_event *e = perfdata_event_at(p, leader);
	int n = e->group_members > 1 ? e->group_members : 1;
	if (e->group_name && *e->group_name != '{' && n > 1) /* {anon_group} is none */
		str_add_safez(s, e->group_name);
	str_add(s, n > 1 ? "{" : "");
	for (int i = 0; i < n; i++) {
		str_add(s, i ? "," : "");
		str_add_safez(s, perfdata_event_at(p, leader + i)->name);
	}
	str_add(s, n > 1 ? "}\n" : "\n");
}

void evlist_print(struct out *o, struct perfdata *p, const struct evlist_page *page)
{
	struct str s = STR_INIT;
	bool tracepoints = false, groups = false;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		bool leads = e->group_members > 1;
		tracepoints |= e->attr.type == PERF_TYPE_TRACEPOINT;
		groups |= leads;
		if (!page->groups)
			event_line(&s, p, e, page);
		else if (leads || e->group_leader < 0 || e->group_leader == (int)i)
			group_line(&s, p, i);
		out_str(o, &s);
	}
	if (tracepoints && !page->fields)
		out_puts(o, "# Tip: use 'sonde evlist --trace-fields' to show fields for tracepoint events\n");
	if (groups && !page->groups)
		out_puts(o, "# Tip: use 'sonde evlist -g' to show group information\n");
	str_release(&s);
}
