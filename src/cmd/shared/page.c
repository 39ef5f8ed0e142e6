// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/shared/page.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

int page_graph_word(struct report_options *o, const char *w, int *numbers, bool *order)
{
	static const struct { const char *name; enum chain_mode mode; } modes[] = {
		{ "graph", CHAIN_GRAPH }, { "fractal", CHAIN_FRACTAL }, { "flat", CHAIN_FLAT }, { "folded", CHAIN_FOLDED },
	};
	static const char *const values[] = { "percent", "period", "count" };
	char *end;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(w, modes[i].name)) {
			o->graph.mode = modes[i].mode;
			o->no_graph = false;
			return 0;
		}
	for (int i = 0; i < 3; i++)
		if (!strcmp(w, values[i])) {
			o->graph.value = i;
			return 0;
		}
	if (!strcmp(w, "none")) {
		o->no_graph = true;
	} else if (!strcmp(w, "caller") || !strcmp(w, "callee")) {
		o->caller = !strcmp(w, "caller");
		*order = true;
	} else if (!strcmp(w, "function") || !strcmp(w, "address") || !strcmp(w, "srcline")) {
		o->by_address = *w == 'a';
		o->by_line = *w == 's' || *w == 'a';
	} else if (strcmp(w, "branch")) {
		double v = strtod(w, &end);
		if (end == w || *end || v < 0)
			return -EINVAL;
		if ((*numbers)++)
			o->graph.print_limit = v;
		else
			o->graph_percent = v;
	}
	return 0;
}

int page_on_children(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_options *o = options;
	(void)opt;
	(void)arg;
	o->children = !unset;
	o->no_children = unset;
	return 0;
}

int page_on_limit(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_options *o = options;
	char *end;
	(void)opt;
	(void)unset;
	o->min_percent = o->graph_percent = strtod(arg, &end);
	return end == arg || *end || o->min_percent < 0 ? error_set(EINVAL, "'%s' is not a percentage", arg) : 0;
}

int page_on_percentage(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_options *o = options;
	(void)opt;
	(void)unset;
	o->relative = !strcmp(arg, "relative");
	return o->relative || !strcmp(arg, "absolute") ? 0 : error_set(EINVAL, "--percentage is relative or absolute, not '%s'", arg);
}

int page_on_widths(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_options *o = options;
	wordlist w = { 0 };
	(void)opt;
	(void)unset;
	wordlist_split(&w, arg, ',');
	for (size_t i = 0; i < w.n; i++)
		*vec_push(&o->widths) = atoi(w.at[i]) > 0 ? atoi(w.at[i]) : 0; /* 0: as wide as it comes */
	wordlist_release(&w);
	return 0;
}
