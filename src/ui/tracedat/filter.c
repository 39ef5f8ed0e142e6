// SPDX-License-Identifier: GPL-2.0-or-later
/* One pass from the text to a tree of nodes; fields are looked up once for each event. */
#include "ui/tracedat/filter.h"
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "base/words.h"
#include "session/tpformat.h"

enum { DEPTH_MAX = 32, IDS = 65536 };
enum filter_what { IS_OR, IS_AND, IS_NOT, IS_TRUE, IS_COMPARE };
enum compare { OP_EQ, OP_NE, OP_GE, OP_LE, OP_MATCH, OP_NOT_MATCH, OP_GT, OP_LT, OP_BITS };

struct filter_node {
	enum filter_what what;
	int a, b;
	enum compare op;
	char *field, *text; /* text: NULL for a number */
	uint64_t number;
	regex_t re; bool has_re;
};
struct filter_events { regex_t system, name; bool has_system; };
struct filter_event { bool asked, mine; struct tp_format *format; };
struct record_filter {
	VEC(struct filter_events) events;
	VEC(struct filter_node) node;
	int top;
	struct filter_event *event; /* by id */
	const struct tracedat *of; /* the file that these are of */
	const char *text, *at; /* while it is parsed */
};

static int wrong(struct record_filter *f, const char *what)
{
	error_set(EINVAL, "filter: %s", what);
	return error_caret(f->text, (size_t)(f->at - f->text), 1);
}

static void skip(struct record_filter *f)
{
	while (isspace((unsigned char)*f->at))
		f->at++;
}

static int regex(struct record_filter *f, regex_t *re, const char *z, size_t n)
{
	char *copy = xasprintf("^%.*s$", (int)n, z);
	int bad = regcomp(re, copy, REG_ICASE | REG_NOSUB);
	free(copy);
	return bad ? wrong(f, "this is no regular expression") : 0;
}

static int parse_events(struct record_filter *f)
{
	do {
		skip(f);
		size_t n = strcspn(f->at, ",: \t"), slash = strcspn(f->at, "/,: \t");
		struct filter_events e = { .has_system = slash < n };
		if (!n)
			return wrong(f, "an event is missing");
		int err = e.has_system ? regex(f, &e.system, f->at, slash) : 0;
		if (!err && (err = regex(f, &e.name, f->at + (e.has_system ? slash + 1 : 0), n - (e.has_system ? slash + 1 : 0))) && e.has_system)
			regfree(&e.system);
		if (err)
			return err;
		*vec_push(&f->events) = e;
		f->at += n;
		skip(f);
	} while (*f->at == ',' && *f->at++);
	return 0;
}

static int add(struct record_filter *f, struct filter_node n)
{
	*vec_push(&f->node) = n;
	return (int)f->node.n - 1;
}

static bool take(struct record_filter *f, const char *word)
{
	skip(f);
	if (strncmp(f->at, word, strlen(word)))
		return false;
	f->at += strlen(word);
	return true;
}

static int parse_value(struct record_filter *f, struct filter_node *n)
{
	char quote = *f->at;
	if (quote == '"' || quote == '\'') {
		const char *end = strchr(f->at + 1, quote);
		if (!end)
			return wrong(f, "this text does not end");
		n->text = xstrndup(f->at + 1, end - f->at - 1);
		f->at = end + 1;
	} else if (isdigit((unsigned char)quote) || quote == '-') {
		char *end;
		n->number = quote == '-' ? (uint64_t)strtoll(f->at, &end, 0) : strtoull(f->at, &end, 0);
		if (end == f->at)
			return wrong(f, "a number is missing");
		f->at = end;
	} else {
		size_t len = strcspn(f->at, " \t|&()");
		if (!len)
			return wrong(f, "a value is missing");
		n->text = xstrndup(f->at, len);
		f->at += len;
	}
	return 0;
}

static int parse_compare(struct record_filter *f)
{
	static const char *const ops[] = { "==", "!=", ">=", "<=", "=~", "!~", ">", "<", "&" };
	struct filter_node n = { .what = IS_COMPARE };
	skip(f);
	size_t len = strspn(f->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."), op = 0;
	if (!len)
		return wrong(f, "a field is missing");
	const char *field = f->at;
	f->at += len;
	skip(f);
	if (!strncmp(f->at, "&&", 2) || !strncmp(f->at, "||", 2) || !*f->at || *f->at == ')') { /* the field alone: not 0 */
		n.op = OP_NE;
		n.field = xstrndup(field, len);
		return add(f, n);
	}
	while (op < sizeof(ops) / sizeof(*ops) && strncmp(f->at, ops[op], strlen(ops[op])))
		op++;
	if (op == sizeof(ops) / sizeof(*ops))
		return wrong(f, "an operator is missing: one of == != >= <= > < & =~ !~");
	f->at += strlen(ops[op]);
	n.op = op;
	skip(f);
	int err = parse_value(f, &n);
	if (!err && (n.op == OP_MATCH || n.op == OP_NOT_MATCH)) {
		n.has_re = n.text && !regcomp(&n.re, n.text, REG_NOSUB);
		err = n.has_re ? 0 : wrong(f, "a regular expression is missing");
	}
	if (err) {
		free(n.text);
		return err;
	}
	n.field = xstrndup(field, len);
	return add(f, n);
}

static int parse_or(struct record_filter *f, int depth);

static int parse_one(struct record_filter *f, int depth)
{
	if (depth > DEPTH_MAX)
		return wrong(f, "brackets are too deep");
	skip(f);
	if (*f->at == '!' && f->at[1] != '=' && f->at[1] != '~') {
		f->at++;
		int a = parse_one(f, depth + 1);
		return a < 0 ? a : add(f, (struct filter_node){ .what = IS_NOT, .a = a });
	}
	if (*f->at != '(')
		return parse_compare(f);
	f->at++;
	int a = parse_or(f, depth + 1);
	return a < 0 ? a : take(f, ")") ? a : wrong(f, "a closing bracket is missing");
}

static int parse_and(struct record_filter *f, int depth)
{
	int a = parse_one(f, depth);
	while (a >= 0 && take(f, "&&")) {
		int b = parse_one(f, depth);
		a = b < 0 ? b : add(f, (struct filter_node){ .what = IS_AND, .a = a, .b = b });
	}
	return a;
}

static int parse_or(struct record_filter *f, int depth)
{
	int a = parse_and(f, depth);
	while (a >= 0 && take(f, "||")) {
		int b = parse_and(f, depth);
		a = b < 0 ? b : add(f, (struct filter_node){ .what = IS_OR, .a = a, .b = b });
	}
	return a;
}

static int parse(struct record_filter *f)
{
	int err = parse_events(f);
	if (err)
		return err;
	if (!*f->at) {
		f->top = add(f, (struct filter_node){ .what = IS_TRUE });
		return 0;
	}
	if (*f->at++ != ':')
		return wrong(f, "a colon is missing between events and comparison");
	f->top = parse_or(f, 0);
	skip(f);
	return f->top < 0 ? f->top : *f->at ? wrong(f, "this is too much") : 0;
}

int record_filter_new(struct record_filter **out, const char *text)
{
	struct record_filter *f = xcalloc(1, sizeof(*f));
	f->text = f->at = text;
	f->event = xcalloc(IDS, sizeof(*f->event));
	int err = parse(f);
	if (err)
		record_filter_free(f);
	else
		*out = f;
	return err;
}

static void forget_events(struct record_filter *f)
{
	for (int i = 0; i < IDS; i++) {
		tp_format_free(f->event[i].format);
		f->event[i] = (struct filter_event){ 0 };
	}
}

void record_filter_free(struct record_filter *f)
{
	if (!f)
		return;
	forget_events(f);
	free(f->event);
	vec_each(&f->events, e) {
		if (e->has_system)
			regfree(&e->system);
		regfree(&e->name);
	}
	vec_each(&f->node, n) {
		free(n->field);
		free(n->text);
		if (n->has_re)
			regfree(&n->re);
	}
	vec_release(&f->events);
	vec_release(&f->node);
	free(f);
}

/* ---- asking ---- */

static struct filter_event *event_of(struct record_filter *f, struct tracedat *t, int type)
{
	if (f->of != t) {
		forget_events(f);
		f->of = t;
	}
	struct filter_event *e = &f->event[type];
	struct tep_event *tep = e->asked ? NULL : tracedat_event(t, type);
	e->asked = true;
	if (!tep)
		return e;
	e->format = tp_format_new(tracedat_tep(t), tep, NULL);
	const char *system = tp_format_system(e->format), *name = tp_format_name(e->format);
	vec_each(&f->events, w) {
		bool by_name = !regexec(&w->name, name, 0, NULL, 0);
		e->mine |= w->has_system ? by_name && !regexec(&w->system, system, 0, NULL, 0) : by_name || !regexec(&w->name, system, 0, NULL, 0);
	}
	return e;
}

static bool compare_text(const struct filter_node *n, const char *z, size_t len)
{
	if (n->has_re) {
		char *copy = xstrndup(z, len);
		bool hit = !regexec(&n->re, copy, 0, NULL, 0);
		free(copy);
		return hit == (n->op == OP_MATCH);
	}
	bool same = n->text && strlen(n->text) == len && !memcmp(n->text, z, len);
	return n->op == OP_EQ ? same : n->op == OP_NE ? !same : false;
}

static bool compare_number(const struct filter_node *n, uint64_t v, bool is_signed)
{
	uint64_t w = n->number;
	bool less = is_signed ? (int64_t)v < (int64_t)w : v < w;
	switch (n->op) {
	case OP_EQ: return v == w;
	case OP_NE: return v != w;
	case OP_GE: return !less;
	case OP_LE: return less || v == w;
	case OP_GT: return !less && v != w;
	case OP_LT: return less;
	case OP_BITS: return v & w;
	default: return false;
	}
}

struct filter_asked { struct record_filter *f; struct tracedat *t; const struct tracedat_record *r; struct tp_format *format; };

static bool holds_compare(const struct filter_asked *q, const struct filter_node *n)
{
	const struct tracedat_record *r = q->r;
	if (!strcmp(n->field, "COMM")) {
		const char *comm = tracedat_comm(q->t, r->pid);
		return compare_text(n, comm, strlen(comm));
	}
	if (!strcmp(n->field, "CPU"))
		return compare_number(n, (uint64_t)r->cpu, false);
	const struct tp_field *fd = tp_format_field(q->format, n->field);
	if (!fd)
		return false;
	if (fd->kind == TP_NUMBER && !n->text)
		return compare_number(n, tp_field_number(fd, r->data, r->size), fd->is_signed);
	size_t len;
	const char *z = tp_field_bytes(fd, r->data, r->size, &len);
	return fd->kind == TP_STRING && compare_text(n, z, len);
}

static bool holds(const struct filter_asked *q, int i)
{
	const struct filter_node *n = &q->f->node.at[i];
	switch (n->what) {
	case IS_OR: return holds(q, n->a) || holds(q, n->b);
	case IS_AND: return holds(q, n->a) && holds(q, n->b);
	case IS_NOT: return !holds(q, n->a);
	case IS_TRUE: return true;
	default: return holds_compare(q, n);
	}
}

enum filter_says record_filter_ask(struct record_filter *f, struct tracedat *t, const struct tracedat_record *r)
{
	struct filter_event *e = r->type >= 0 ? event_of(f, t, r->type) : NULL;
	if (!e || !e->mine)
		return FILTER_NOT_MINE;
	struct filter_asked q = { f, t, r, e->format };
	return holds(&q, f->top) ? FILTER_YES : FILTER_NO;
}

static bool has_field(const struct record_filter *f, const char *field, struct nearest *near)
{
	if (!strcmp(field, "COMM") || !strcmp(field, "CPU"))
		return true;
	for (int id = 0; id < IDS; id++) {
		if (!f->event[id].mine)
			continue;
		size_t n;
		const struct tp_field *all = tp_format_fields(f->event[id].format, &n);
		if (tp_format_field(f->event[id].format, field))
			return true;
		for (size_t i = 0; i < n; i++)
			nearest_offer(near, all[i].name);
	}
	return false;
}

bool record_filter_fits(struct record_filter *f, struct tracedat *t)
{
	const struct tracedat_format *format;
	bool any = false;
	for (size_t i = 0; (format = tracedat_format_at(t, i)); i++)
		any |= format->id >= 0 && format->id < IDS && event_of(f, t, format->id)->mine;
	if (!any) {
		warn("filter '%s': the file has no such event", f->text);
		hint("sonde ftrace report --events lists those that it has");
		return false;
	}
	vec_each(&f->node, n) {
		struct nearest near;
		nearest_init(&near, n->field ? n->field : "");
		if (!n->field || has_field(f, n->field, &near))
			continue;
		warn("filter '%s': no such event has a field '%s'", f->text, n->field);
		if (near.best[0])
			hint("did you mean '%s'?", near.best[0]);
		return false;
	}
	return true;
}
