// SPDX-License-Identifier: GPL-2.0-or-later
/* any := all { '|' all };  all := one { '&' one };  one := '!' one | '(' any ')' | WILDCARD. It is short and is read
 * anew for each name. A wildcard may hold spaces and operators between ( and ): ns::f(int &). */
#include "probe/filter.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"

enum { DEPTH_MAX = 32 };

struct filter_reader {
	const char *p, *name; /* name NULL: only the form is looked at */
	const char *wrong; /* where it is, and */
	const char *why;
	int depth;
};

static char next(struct filter_reader *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
	return *r->p;
}

static bool fails(struct filter_reader *r, const char *why)
{
	if (!r->why) {
		r->wrong = r->p;
		r->why = why;
	}
	return false;
}

static bool wildcard(struct filter_reader *r)
{
	const char *from = r->p;
	int depth = 0;
	for (; *r->p; r->p++) {
		if (!depth && (isspace((unsigned char)*r->p) || strchr("|&)", *r->p)))
			break;
		depth += (*r->p == '(') - (*r->p == ')');
	}
	if (r->p == from)
		return fails(r, "a name or a wildcard is wanted");
	if (!r->name)
		return true;
	char *word = xstrndup(from, (size_t)(r->p - from));
	bool yes = glob_match(word, r->name);
	free(word);
	return yes;
}

static bool any(struct filter_reader *r);

static bool one(struct filter_reader *r)
{
	char c = next(r);
	if (r->depth >= DEPTH_MAX)
		return fails(r, "it is nested too deeply");
	if (c != '!' && c != '(')
		return wildcard(r);
	r->p++;
	r->depth++;
	bool yes = c == '!' ? !one(r) : any(r);
	r->depth--;
	if (c == '(') {
		if (next(r) != ')')
			return fails(r, "')' is missing");
		r->p++;
	}
	return yes;
}

static bool all(struct filter_reader *r)
{
	bool yes = one(r);
	while (!r->why && next(r) == '&') {
		r->p++;
		yes = one(r) && yes;
	}
	return yes;
}

static bool any(struct filter_reader *r)
{
	bool yes = all(r);
	while (!r->why && next(r) == '|') {
		r->p++;
		yes = all(r) || yes;
	}
	return yes;
}

int filter_check(const char *text)
{
	struct filter_reader r = { .p = text };
	(void)any(&r);
	if (!r.why && next(&r))
		fails(&r, "'&' or '|' is wanted here");
	if (!r.why)
		return 0;
	return *r.wrong ? error_set(EINVAL, "the filter '%s': %s, at '%s'", text, r.why, r.wrong) :
			  error_set(EINVAL, "the filter '%s': %s, at its end", text, r.why);
}

bool filter_passes(const char *text, const char *name)
{
	struct filter_reader r = { .p = text, .name = name };
	return !text || any(&r);
}
