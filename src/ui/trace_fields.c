// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace_fields.h"
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include "base/vec.h"
#include "event/tpformat.h"
#include "kernel/tracefs.h"

struct named { char *shown; struct tp_format *format; };
struct trace_field_events {
	struct tep_handle *tep;
	VEC(struct named) at;
};

static struct tp_format *read_format(struct tep_handle *tep, const char *system, const char *name)
{
	struct str s = STR_INIT;
	struct tep_event *event = NULL;
	if (!tracefs_event_format(system, name, &s))
		tep_parse_event(tep, s.buf, s.len, system);
	event = tep_find_event_by_name(tep, system, name);
	str_release(&s);
	return event ? tp_format_new(tep, event, NULL) : NULL;
}

struct trace_field_events *trace_fields_new(const struct trace_event_name *names, size_t n)
{
	struct trace_field_events *t = xcalloc(1, sizeof(*t));
	t->tep = tep_alloc();
	for (size_t i = 0; i < n; i++) {
		struct named *d = vec_push(&t->at);
		d->shown = xstrdup(names[i].shown);
		if (names[i].system && t->tep)
			d->format = read_format(t->tep, names[i].system, names[i].tracepoint);
	}
	return t;
}

struct trace_field_events *trace_fields_recorded(struct perfdata *p)
{
	struct trace_field_events *t = xcalloc(1, sizeof(*t));
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		struct named *d = vec_push(&t->at);
		d->shown = xstrdup(e->name ? e->name : "?");
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

static void json_fields(const struct named *d, const struct sysevent *e, struct json *j)
{
	size_t n, len;
	const struct tp_field *f = tp_format_fields(d->format, &n);
	json_key(j, "fields");
	json_open(j, '{');
	for (size_t i = 0; i < n; i++) {
		if (f[i].common)
			continue;
		json_key(j, f[i].name);
		if (f[i].kind == TP_NUMBER) {
			uint64_t v = tp_field_number(&f[i], e->raw, e->raw_size);
			if (f[i].is_signed)
				json_s64(j, v);
			else
				json_u64(j, v);
		} else {
			const void *p = tp_field_bytes(&f[i], e->raw, e->raw_size, &len);
			json_str(j, p ? p : "", p ? len : 0);
		}
	}
	json_close(j, '}');
}

void trace_fields_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json)
{
	struct trace_field_events *t = ctx;
	const struct named *d = e->raw_event >= 0 && (size_t)e->raw_event < t->at.n ? &t->at.at[e->raw_event] : NULL;
	if (json) {
		json_kstr(json, "event", d ? d->shown : NULL);
		if (d && d->format)
			json_fields(d, e, json);
		return;
	}
	str_add_safez(out, d ? d->shown : "?");
	str_addc(out, '(');
	if (d && d->format) {
		struct str s = STR_INIT;
		tp_format_print(d->format, &s, e->raw, e->raw_size, e->cpu);
		str_add_safe(out, s.buf, s.len);
		str_release(&s);
	}
	str_addc(out, ')');
}
