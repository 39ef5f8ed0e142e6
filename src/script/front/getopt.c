// SPDX-License-Identifier: GPL-2.0-or-later
/* getopt("name", default [, "what it is for"]): what --name=value on the command line says, known before anything is compiled. */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "script/front/parse_inner.h"

static const char *given(const struct script_parser *p, const char *name)
{
	size_t n = strlen(name);
	const char *value = NULL;
	for (unsigned i = 0; p->params && i < p->params->n_named; i++) {
		const char *text = p->params->named[i].text;
		if (strncmp(text, name, n) || (text[n] && text[n] != '='))
			continue;
		p->params->named[i].used = true;
		value = text[n] ? text + n + 1 : "";
	}
	return value;
}

static bool is_switch(const struct script_node *d)
{
	return !d || (d->kind == NODE_WORD && (!strcmp(d->name, "true") || !strcmp(d->name, "false")));
}

/* true, false, 1, 0, or nothing behind the name */
static struct script_node *switched(struct script_parser *p, struct script_node *n, const struct script_node *d, const char *value)
{
	bool yes = d && !strcmp(d->name, "true");
	if (value && *value && strcmp(value, "true") && strcmp(value, "false") && strcmp(value, "1") && strcmp(value, "0")) {
		error_set(EINVAL, "--%s=%s: it is true or false", n->args->name, value);
		return NULL;
	}
	if (value)
		yes = !*value || !strcmp(value, "true") || !strcmp(value, "1");
	struct script_node *k = node_new(p->source, NODE_INT, n->at);
	k->value = yes;
	return k;
}

static struct script_node *number(struct script_parser *p, const struct script_node *n, const char *value)
{
	struct script_node *k = node_new(p->source, NODE_INT, n->at);
	int64_t v;
	if (parse_s64(value, &v)) {
		error_set(EINVAL, "--%s=%s: it is a number", n->args->name, value);
		return NULL;
	}
	k->value = (uint64_t)v;
	k->op = v < 0 ? '-' : 0;
	return k;
}

struct script_node *parse_getopt(struct script_parser *p, struct script_node *n)
{
	struct script_node *name = n->args, *d = name ? name->next : NULL;
	if (!name || name->kind != NODE_STRING || n->n_args > 3) {
		source_error(p->source, n->at, "getopt() takes the name of an option, and what it is when it is not given");
		error_hint("getopt(\"limit\", 10) is 20 after sonde run SCRIPT -- --limit=20");
		return NULL;
	}
	const char *value = given(p, name->name);
	if (is_switch(d))
		return switched(p, n, d, value);
	bool negative = d->kind == NODE_UNARY && d->op == '-' && d->a->kind == NODE_INT;
	if (d->kind != NODE_INT && d->kind != NODE_STRING && !negative) {
		source_error(p->source, d->at, "what an option is when it is not given is a number, a string, true or false");
		return NULL;
	}
	d->next = NULL;
	if (!value)
		return d;
	if (d->kind != NODE_STRING)
		return number(p, n, value);
	struct script_node *k = node_new(p->source, NODE_STRING, n->at);
	k->name = value;
	k->len = strlen(value);
	return k;
}

int parse_unasked(const struct params *params, const struct script_source *s)
{
	for (unsigned i = 0; params && i < params->n_named; i++)
		if (!params->named[i].used) {
			error_set(EINVAL, "%s has no option --%s", s->name, params->named[i].text);
			return error_hint("a script asks for options by getopt(\"name\", default); sonde's own stand before the script");
		}
	return 0;
}
