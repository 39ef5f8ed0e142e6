// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events, by perf's rules: group "probe", or "probe_" and the file's name up to its first
 * odd character; event named after the function, without compiler suffixes; "_L3" for its third line, "__return" for
 * return probes. All places of one definition share a name where the kernel can hold several in one event;
 * else, and for --force, _1, _2... are appended. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "kernel/dynevents.h"
#include "probe/resolve.h"
#include "symbol/dwarf/dwarf.h"

enum { EVENT_NAME_MAX = 63, SUFFIX_MAX = 1024 };

static char *group_of(const struct probe_def *d, const struct probe_spec *s)
{
	if (s->group)
		return xstrdup(s->group);
	if (s->sdt)
		return xasprintf("sdt_%s", s->file);
	if (!d->user)
		return xstrdup("probe");
	const char *base = strrchr(d->target, '/');
	base = base ? base + 1 : d->target;
	size_t n = 0;
	while (isalnum((unsigned char)base[n]) || base[n] == '_')
		n++;
	return xasprintf("probe_%.*s", (int)(n < EVENT_NAME_MAX - 6 ? n : EVENT_NAME_MAX - 6), base);
}

/* Is it a line of a function, other than its first? "main.add:3" looks like a file to the grammar, but is a function in Go. */
static bool in_function(const struct probe_def *d, const struct probe_spec *s)
{
	return s->has_line && s->line > 0 && (s->function || (s->file && d->func && !strcmp(s->file, d->func)));
}

/* "foo.isra.0" and "memcpy@GLIBC_2.2.5" lose their tails; "ns::f(int)" and Go's "main.f" become C names. */
static char *event_base(const struct probe_def *d, const struct probe_spec *s)
{
	const char *name = s->event ? s->event : d->func && *d->func ? d->func : "abs";
	struct str o = STR_INIT;
	if (!s->event && s->function && !s->is_addr && !function_is_glob(s->function) && !s->sdt)
		name = s->function;
	size_t n = strcspn(name, "@");
	const char *dot = memchr(name, '.', n);
	static const char *const tails[] = { ".isra", ".constprop", ".part", ".cold", ".lto_priv", ".llvm", NULL };
	for (int i = 0; dot && tails[i]; i++) {
		const char *t = strstr(name, tails[i]);
		if (t && t > name && (size_t)(t - name) < n)
			n = (size_t)(t - name);
	}
	size_t paren = strcspn(name, "(<");
	if (paren && paren < n)
		n = paren;
	for (size_t i = 0; i < n && o.len < EVENT_NAME_MAX - 16; i++) {
		bool good = isalnum((unsigned char)name[i]) || name[i] == '_';
		if (good || (o.len && o.buf[o.len - 1] != '_'))
			str_addc(&o, good ? name[i] : '_');
	}
	while (o.len > 1 && o.buf[o.len - 1] == '_' && name[n - 1] != '_')
		o.buf[--o.len] = 0;
	if (!o.len || isdigit((unsigned char)o.buf[0])) {
		char *tail = xstrdup(o.buf);
		str_clear(&o);
		str_addf(&o, "_%s", tail);
		free(tail);
	}
	if (!s->event && in_function(d, s))
		str_addf(&o, "_L%d", s->line);
	if (d->ret && !s->event)
		str_add(&o, "__return");
	return str_detach(&o);
}

static bool free_name(const struct strmap *taken, const char *group, const char *event)
{
	char *full = xasprintf("%s:%s", group, event);
	bool has = strmap_has(taken, full);
	free(full);
	return !has;
}

static int already_there(const char *group, const char *event)
{
	error_set(EEXIST, "event %s:%s exists already", group, event);
	error_hint("remove it: sonde probe -d %s:%s", group, event);
	return error_hint("or add another beside it with --force, or name this one: 'NEWNAME=...'");
}

/* The name of the first place of a definition. */
static int first_name(struct probe_def *d, const struct strmap *taken, bool force)
{
	if (free_name(taken, d->group, d->event))
		return 0;
	if (!force)
		return already_there(d->group, d->event);
	char *base = d->event;
	for (int i = 1; i < SUFFIX_MAX; i++) {
		d->event = xasprintf("%s_%d", base, i);
		if (free_name(taken, d->group, d->event)) {
			free(base);
			return 0;
		}
		free(d->event);
	}
	d->event = base;
	return error_set(EEXIST, "no free name is left for event %s:%s", d->group, d->event);
}

/* Probes that share an event must have the same arguments in the same types. */
static bool same_shape(const struct probe_def *a, const struct probe_def *b)
{
	if (a->ret != b->ret || a->user != b->user || a->args.n != b->args.n || strcmp(a->group, b->group))
		return false;
	for (size_t i = 0; i < a->args.n; i++) {
		const struct probe_defarg *x = &a->args.at[i], *y = &b->args.at[i];
		if (strcmp(x->name ? x->name : "", y->name ? y->name : "") ||
		    strcmp(x->type ? x->type : "", y->type ? y->type : ""))
			return false;
	}
	return true;
}

/* before: an earlier place of the same definition and name, when both may share an event. */
static int give_name(struct probe_def *d, const struct probe_def *before, struct strmap *taken, bool force)
{
	int err = 0;
	if (before && same_shape(before, d)) {
		free(d->event);
		d->event = xstrdup(before->event);
		return 0;
	}
	err = first_name(d, taken, force);
	if (err)
		return err;
	char *full = xasprintf("%s:%s", d->group, d->event);
	strmap_set(taken, full, d);
	free(full);
	return 0;
}

int probe_names(probe_defs *defs, const struct probe_spec *specs, const wordlist *taken_list, bool force)
{
	struct strmap taken = { 0 }, bases = { 0 };
	bool multi = dynevents_readme_has("Create/append/");
	int err = 0;
	vec_each(taken_list, w)
		strmap_set(&taken, *w, defs);
	for (size_t i = 0; i < defs->n && !err; i++) {
		struct probe_def *d = &defs->at[i];
		d->group = group_of(d, &specs[d->spec]);
		d->event = event_base(d, &specs[d->spec]);
		/* places of one definition, not always next to each other: a line of a header is in many functions */
		char *key = xasprintf("%d %s", d->spec, d->event);
		struct probe_def *before = strmap_get(&bases, key);
		err = give_name(d, multi ? before : NULL, &taken, force || before);
		strmap_set(&bases, key, d);
		free(key);
	}
	strmap_release(&bases);
	strmap_release(&taken);
	return err;
}
