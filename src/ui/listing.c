// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/listing.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "spec/metrics.h"
#include "spec/spec.h"

void listing_begin(struct listing *l)
{
	l->text = (struct str)STR_INIT;
	json_init(&l->j, &l->text);
	if (!l->json)
		return;
	json_open(&l->j, '{');
	json_ku64(&l->j, "schema", JSON_SCHEMA);
	json_key(&l->j, "events");
	json_open(&l->j, '[');
}

static const char *help_of(const struct listing *l, const struct catalogue_row *r)
{
	return l->no_desc ? NULL : l->long_desc && r->long_help ? r->long_help : r->help;
}

static void json_metric(struct json *j, const struct metric_def *m)
{
	json_kstr(j, "expression", m->expr);
	if (m->groups)
		json_kstr(j, "groups", m->groups);
	if (m->scale_unit)
		json_kstr(j, "scale-unit", m->scale_unit);
}

static void json_row(const struct listing *l, struct json *j, const struct catalogue_row *r)
{
	json_open(j, '{');
	json_kstr(j, "name", r->name);
	json_kstr(j, "kind", catalogue_kind_word(r->kind));
	if (r->alias)
		json_kstr(j, "alias", r->alias);
	if (help_of(l, r))
		json_kstr(j, "description", help_of(l, r));
	if (r->unit)
		json_kstr(j, "pmu", r->unit);
	if (r->deprecated)
		json_kbool(j, "deprecated", true);
	if (r->metric)
		json_metric(j, r->metric);
	json_kbool(j, "supported", !r->absent);
}

static void json_fields(struct json *j, const tp_fields *fields)
{
	json_key(j, "fields");
	json_open(j, '[');
	vec_each(fields, f) {
		json_open(j, '{');
		json_kstr(j, "name", f->name);
		json_kstr(j, "declaration", f->decl);
		json_ku64(j, "offset", f->offset);
		json_ku64(j, "size", f->size);
		json_kbool(j, "signed", f->is_signed);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void text_row(const struct listing *l, const struct catalogue_row *r, struct str *s)
{
	str_add(s, "  ");
	str_add_safez(s, r->name);
	if (r->alias)
		str_addf(s, " OR %s", r->alias);
	str_pad(s, 52, ' ');
	str_addf(s, " %s[%s]%s", out_colour(l->out, OUT_GREY), catalogue_kind_name(r->kind), out_colour(l->out, OUT_PLAIN));
	if (help_of(l, r)) {
		str_addc(s, ' ');
		str_add_safez(s, help_of(l, r));
	}
	if (r->deprecated)
		str_add(s, " (deprecated)");
	if (r->absent)
		str_addf(s, " %s(not supported here)%s", out_colour(l->out, OUT_RED), out_colour(l->out, OUT_PLAIN));
	str_addc(s, '\n');
}

void listing_row(struct listing *l, const struct catalogue_row *r)
{
	struct str s = STR_INIT;
	tp_fields fields = { 0 };
	const char *colon = strchr(r->name, ':');
	if ((r->deprecated && !l->deprecated) || (l->unit && r->unit && strcmp(l->unit, r->unit)))
		return;
	l->shown++;
	if (l->raw) {
		str_add_safez(&s, r->name);
		str_addc(&s, ' ');
		out_str(l->out, &s);
		str_release(&s);
		return;
	}
	bool tp = r->kind == CATALOGUE_TRACEPOINT || r->kind == CATALOGUE_PROBE;
	if (l->fields && tp && colon) {
		char *sys = xstrndup(r->name, colon - r->name);
		(void)tracepoint_fields(sys, colon + 1, &fields);
		free(sys);
	}
	if (l->json) {
		json_row(l, &l->j, r);
		if (l->fields && tp)
			json_fields(&l->j, &fields);
		json_close(&l->j, '}');
		out_str(l->out, &l->text);
	} else {
		text_row(l, r, &s);
		vec_each(&fields, f) {
			str_add(&s, "        ");
			str_add_safez(&s, f->decl);
			str_addc(&s, '\n');
		}
		out_str(l->out, &s);
	}
	tp_fields_release(&fields);
	str_release(&s);
}

void listing_end(struct listing *l)
{
	if (l->json) {
		json_close(&l->j, ']');
		json_close(&l->j, '}');
		str_addc(&l->text, '\n');
		out_str(l->out, &l->text);
	}
	if (l->raw)
		out_puts(l->out, "\n");
	str_release(&l->text);
}
