// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/fields.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include "base/vec.h"
#include "session/tpformat.h"
#include "ui/fieldjson.h"

struct named_value { char *shown; struct tp_format *format; enum fault_kind fault; };
struct trace_field_events {
	struct symbols *syms;
	bool live;
	struct tep_handle *tep;
	VEC(struct named_value) at;
};

struct trace_field_events *trace_fields_new(void)
{
	struct trace_field_events *t = xcalloc(1, sizeof(*t));
	t->tep = tep_alloc();
	if (t->tep)
		tep_set_long_size(t->tep, sizeof(long));
	return t;
}

void trace_fields_add(struct trace_field_events *t, const char *shown, enum fault_kind fault, const char *system,
		      const char *tracepoint, const struct str *format)
{
	struct named_value *d = vec_push(&t->at);
	d->shown = xstrdup(shown);
	d->fault = fault;
	if (!system || !t->tep)
		return;
	tep_parse_event(t->tep, format->buf, format->len, system);
	struct tep_event *event = tep_find_event_by_name(t->tep, system, tracepoint);
	d->format = event ? tp_format_new(t->tep, event, NULL) : NULL;
}

struct trace_field_events *trace_fields_recorded(struct perfdata *p)
{
	struct trace_field_events *t = xcalloc(1, sizeof(*t));
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		struct named_value *d = vec_push(&t->at);
		d->shown = xstrdup(e->name ? e->name : "?");
		d->fault = fault_kind(&e->attr);
		if (e->tep)
			d->format = tp_format_new(perfdata_tep(p), e->tep, NULL);
	}
	return t;
}

void trace_fields_free(struct trace_field_events *t)
{
	if (!t)
		return;
	vec_each(&t->at, d) {
		free(d->shown);
		tp_format_free(d->format);
	}
	vec_release(&t->at);
	if (t->tep)
		tep_free(t->tep);
	free(t);
}

enum fault_kind fault_kind(const struct perf_event_attr *a)
{
	if (a->type != PERF_TYPE_SOFTWARE)
		return FAULT_NONE;
	return a->config == PERF_COUNT_SW_PAGE_FAULTS ? FAULT_ANY : a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ? FAULT_MINOR :
	       a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ? FAULT_MAJOR : FAULT_NONE;
}

void trace_fields_symbols(struct trace_field_events *t, struct symbols *syms, bool live)
{
	t->syms = syms;
	t->live = live;
}

static const struct named_value *named_of(const struct trace_field_events *t, const struct sysevent *e)
{
	return e->raw_event >= 0 && (size_t)e->raw_event < t->at.n ? &t->at.at[e->raw_event] : NULL;
}

const char *trace_fields_name(void *ctx, const struct sysevent *e)
{
	const struct named_value *d = named_of(ctx, e);
	return d ? d->shown : "?";
}

int trace_fields_find(void *ctx, const char *name)
{
	const struct trace_field_events *t = ctx;
	for (size_t i = 0; t && i < t->at.n; i++)
		if (!strcmp(t->at.at[i].shown, name))
			return (int)i;
	return -1;
}

enum fault_kind trace_fields_fault(const struct trace_field_events *t, const struct sysevent *e)
{
	const struct named_value *d = named_of(t, e);
	return d ? d->fault : FAULT_NONE;
}

bool trace_fields_number(const struct trace_field_events *t, const struct sysevent *e, const char *field, uint64_t *v)
{
	const struct named_value *d = named_of(t, e);
	const struct tp_field *f = d && d->format ? tp_format_field(d->format, field) : NULL;
	if (f)
		*v = tp_field_number(f, e->raw, e->raw_size);
	return f;
}

/* ---- places ---- */

static bool resolve(struct trace_field_events *t, const struct sysevent *e, uint64_t address, bool kernel, struct frame *f)
{
	*f = (struct frame){ .ip = address };
	if (!t->syms)
		return false;
	symbols_resolve(t->syms, e->pid, address, kernel ? SYM_KERNEL : SYM_USER, f);
	return f->dso;
}

static void place(struct str *out, const struct frame *f)
{
	if (f->sym) {
		str_add_safez(out, f->sym);
		str_addf(out, "+0x%llx", (unsigned long long)(f->addr - f->sym_addr));
	} else {
		str_addf(out, "0x%llx", (unsigned long long)f->ip);
	}
}

/* As perf trace has it: who touched => what (d: a map is known there, k: the kernel touched). */
static void show_fault(struct trace_field_events *t, enum fault_kind kind, const struct sysevent *e, struct str *out)
{
	static const char *const names[] = { [FAULT_ANY] = "fault", [FAULT_MINOR] = "minfault", [FAULT_MAJOR] = "majfault" };
	struct frame ip, data;
	bool known = resolve(t, e, e->addr, false, &data);
	if (!known && t->live && t->syms && !symbols_live(t->syms, e->pid)) /* mapped before we watched */
		known = resolve(t, e, e->addr, false, &data);
	resolve(t, e, e->ip, e->ip_kernel, &ip);
	str_addf(out, "%s [", names[kind]);
	place(out, &ip);
	str_add(out, "] => ");
	if (known) {
		str_add_safez(out, data.dso->path);
		str_addc(out, '@');
	}
	str_addf(out, "0x%llx (%c%c)", (unsigned long long)(known && data.dso->path[0] == '/' && data.dso->path[1] != '/' ? data.offset : e->addr),
		 known ? 'd' : '?', e->ip_kernel ? 'k' : '.');
}

static void json_place(struct json *j, const char *key, const struct frame *f)
{
	char hex[24];
	snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)f->ip);
	json_key(j, key);
	json_open(j, '{');
	json_kstr(j, "ip", hex);
	if (f->sym) {
		json_kstr(j, "sym", f->sym);
		json_ku64(j, "off", f->addr - f->sym_addr);
	}
	if (f->dso)
		json_kstr(j, "dso", f->dso->path);
	json_close(j, '}');
}

static void json_places(struct trace_field_events *t, const struct named_value *d, const struct sysevent *e, struct json *j)
{
	struct frame f;
	resolve(t, e, e->ip, e->ip_kernel, &f);
	json_place(j, "at", &f);
	if (!d->fault)
		return;
	resolve(t, e, e->addr, false, &f);
	f.sym = NULL;
	json_place(j, "touched", &f);
}

/* ---- lines ---- */

void trace_fields_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json)
{
	struct trace_field_events *t = ctx;
	const struct named_value *d = named_of(t, e);
	if (json) {
		json_kstr(json, "event", d ? d->shown : NULL);
		if (d && d->format)
			json_tp_fields(json, d->format, e->raw, e->raw_size);
		else if (d && e->ip)
			json_places(t, d, e, json);
		return;
	}
	if (d && d->fault) {
		show_fault(t, d->fault, e, out);
		return;
	}
	str_add_safez(out, d ? d->shown : "?");
	str_addc(out, '(');
	if (d && d->format) {
		struct str s = STR_INIT;
		tp_format_print(d->format, &s, e->raw, e->raw_size, e->cpu);
		str_add_safe(out, s.buf, s.len);
		str_release(&s);
	} else if (e->ip) {
		struct frame f;
		resolve(t, e, e->ip, e->ip_kernel, &f);
		place(out, &f);
	}
	str_addc(out, ')');
}
