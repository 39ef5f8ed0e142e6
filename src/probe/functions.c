// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/functions.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "probe/filter.h"
#include "probe/usdt.h"
#include "symbol/demangle.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* -F '%*': markers instead of functions. */
static int list_markers(struct probe_target *t, const char *pattern, struct out *o)
{
	usdt_markers all = { 0 };
	struct str line = STR_INIT;
	size_t shown = 0;
	if (t->user)
		(void)usdt_read(t, &all);
	vec_each(&all, m) {
		str_addf(&line, "%%%s:%s", m->provider, m->name);
		if (glob_match(pattern, line.buf)) {
			struct str safe = STR_INIT;
			str_add_safez(&safe, line.buf);
			str_addc(&safe, '\n');
			out_str(o, &safe);
			str_release(&safe);
			shown++;
		}
		str_clear(&line);
	}
	usdt_release(&all);
	str_release(&line);
	return shown ? 0 : error_set(ENOENT, "no marker matches '%s' in %s", pattern, t->path ? t->path : "the kernel");
}

/* Names go out as a probe takes them: C++'s and Rust's in readable form. A pattern of mangled names starts with _. */
static void add_name(wordlist *names, const char *filter, const char *name, bool as_it_is)
{
	char *plain = as_it_is || !demangle_wanted(name) ? NULL : demangle(name, false);
	bool raw = plain && filter && filter[0] == '_';
	if (filter_passes(filter, plain && !raw ? plain : name))
		wordlist_add(names, plain ? plain : name);
	free(plain);
}

static int none_found(const char *filter)
{
	if (!filter)
		return error_set(ENOENT, "no functions are known here: the file has no symbols");
	error_set(ENOENT, "no function matches '%s'", filter);
	return strpbrk(filter, "*?[") ? -ENOENT : error_hint("a part of a name needs wildcards: -F '*%s*'", filter);
}

int probe_functions_list(struct probe_target *t, const char *filter, struct out *o)
{
	wordlist names = { 0 };
	struct str line = STR_INIT;
	if (filter && *filter == '%')
		return list_markers(t, filter, o);
	int err = filter ? filter_check(filter) : 0;
	if (err)
		return err;
	err = probe_target_symbols(t);
	if (err) {
		if (!error_pending())
			error_sys(err, "cannot read the symbols of %s", t->module ? t->module : t->path ? t->path : "the kernel");
		return err;
	}
	vec_each(&t->syms.syms, s)
		if (!s->data)
			add_name(&names, filter, s->name, t->options.no_demangle);
	if (names.n)
		qsort(names.at, names.n, sizeof(*names.at), by_name);
	for (size_t i = 0; i < names.n; i++) {
		if (i && !strcmp(names.at[i], names.at[i - 1]))
			continue;
		str_add_safez(&line, names.at[i]);
		str_addc(&line, '\n');
		out_str(o, &line);
	}
	if (!names.n)
		err = none_found(filter);
	wordlist_release(&names);
	str_release(&line);
	return err;
}
