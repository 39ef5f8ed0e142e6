// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/probes.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "ftrace/cheap.h"
#include "ftrace/undo.h"
#include "kernel/dynevents.h"
#include "kernel/tracefs.h"
#include "symbol/file/library.h"

static bool in_path(const char *word)
{
	wordlist dirs = { 0 };
	bool found = false;
	wordlist_split(&dirs, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin", ':');
	for (size_t i = 0; i < dirs.n && !found; i++) {
		char *full = xasprintf("%s/%s", dirs.at[i], word);
		found = !access(full, X_OK);
		free(full);
	}
	wordlist_release(&dirs);
	return found;
}

char *own_probe_file(const char *word)
{
	if (strchr(word, '/') || in_path(word)) /* probe_target_open finds it */
		return xstrdup(word);
	char *found = library_find(word);
	if (found || file_exists(word))
		return found ? found : xstrdup(word);
	error_set(ENOENT, "there is no program '%s' in $PATH, and no library of that name", word);
	error_hint("name its file; ldconfig -p lists libraries");
	return NULL;
}

/* ---- the text ---- */

static const char *blanks(const char *p)
{
	return p + strspn(p, " \t");
}

static int incomplete(const struct own_probe *p)
{
	error_set(EINVAL, "'%s' is no definition of a probe", p->text);
	return error_hint(p->user ? "p:FILE:FUNC [ARG...], r:FILE:FUNC [ARG...], p:NAME FILE:FUNC [ARG...]" :
				    "p:FUNC [ARG...], r:FUNC [ARG...], p:NAME FUNC [ARG...], or FUNC [ARG...]");
}

/* "NAME FUNC": two words of which the first is a plain name and the second no argument. */
static bool named(const char *p, bool user)
{
	size_t n = strcspn(p, " \t");
	const char *next = blanks(p + n);
	size_t m = strcspn(next, " \t");
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)p[i]) && p[i] != '_')
			return false;
	if (!m || memchr(next, '=', m))
		return false;
	return user ? memchr(next, ':', m) != NULL && !strchr("+-@$%\\", *next) :
		      !memchr(next, ':', m) && !strchr("+-@$%\\0123456789", *next);
}

int own_probe_parse(struct own_probe *p)
{
	const char *t = blanks(p->text);
	bool raw = (*t == 'p' || *t == 'r') && (t[1] == ':' || isdigit((unsigned char)t[1]) || t[1] == ' ');
	p->ret = raw && *t == 'r';
	if (raw) {
		t += 1 + strspn(t + 1, "0123456789"); /* r10:...: sonde asks for no maxactive */
		t += *t == ':';
		t = blanks(t);
	}
	if (raw && named(t, p->user)) {
		size_t n = strcspn(t, " \t");
		p->name = xstrndup(t, n);
		t = blanks(t + n);
	}
	if (p->user) {
		size_t n = strcspn(t, ": \t");
		if (t[n] != ':' || !n)
			return incomplete(p);
		char *word = xstrndup(t, n);
		p->file = own_probe_file(word);
		free(word);
		if (!p->file)
			return error_code();
		t = blanks(t + n + 1);
	}
	if (!*t)
		return incomplete(p);
	p->place = xstrdup(t);
	return 0;
}

/* An event's name, of letters, digits and _, after the function. */
static char *event_name(const char *place)
{
	size_t n = strcspn(place, " \t@:;%+");
	char *name = n ? xstrndup(place, n) : xstrdup("probe");
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	if (isdigit((unsigned char)*name)) {
		char *longer = xasprintf("abs_%s", name);
		free(name);
		name = longer;
	}
	if (strlen(name) > 48)
		name[48] = 0;
	return name;
}

/* As sonde probe takes it: "readline%return +0($retval):string". */
static char *as_spec(const struct own_probe *p)
{
	size_t n = strcspn(p->place, " \t");
	bool ret = p->ret && !memmem(p->place, n, "%return", 7);
	return xasprintf("%.*s%s%s", (int)n, p->place, ret ? "%return" : "", p->place + n);
}

/* ---- adding ---- */

/* All events have names of their own: places are told apart by the kernel's address behind the name anyway, but the guardian
 * takes them away by name. */
static void name_all(struct own_probe *p)
{
	char *base = p->name ? xstrdup(p->name) : event_name(p->place);
	for (size_t i = 0; i < p->defs.n; i++) {
		struct probe_def *d = &p->defs.at[i];
		free(d->group);
		free(d->event);
		d->group = xasprintf("sonde_%d", (int)getpid());
		d->event = p->defs.n == 1 ? xstrdup(base) : xasprintf("%s_%zu", base, i);
	}
	free(base);
}

static int add_one(const struct probe_def *d)
{
	enum dynevents kind = d->user ? DYNEVENTS_UPROBE : DYNEVENTS_KPROBE;
	struct str line = STR_INIT;
	char *gone = xasprintf("-:%s/%s", d->group, d->event);
	probe_def_line(d, &line);
	note(1, "writing: %s", line.buf);
	int err = undo_write(tracefs_path(d->user ? "uprobe_events" : "kprobe_events"), gone, true);
	if (!err)
		err = dynevents_write(kind, line.buf);
	free(gone);
	str_release(&line);
	return err;
}

static void move_all(struct own_probe *p, struct probe_target *t)
{
	vec_each(&p->defs, d) {
		unsigned by = p->spec.has_offset || p->spec.has_line || p->spec.is_addr ? 0 : cheap_move(t, d);
		if (by)
			note(1, "moved by %u bytes, to an instruction that the kernel need not single-step (--exact: not)", by);
	}
}

static int resolve(struct own_probe *p)
{
	struct probe_target_options how = { .exec = p->file };
	struct probe_options opt = { .no_inlines = false };
	struct probe_target t;
	char *text = as_spec(p);
	int err = probe_target_open(&t, &how);
	if (err) {
		free(text);
		return err;
	}
	err = probe_spec_parse(&p->spec, text);
	if (!err)
		err = probe_resolve(&t, &p->spec, &opt, &p->defs);
	if (!err && p->user && !p->exact)
		move_all(p, &t);
	probe_target_release(&t);
	free(text);
	return err;
}

int own_probe_add(struct own_probe *p, struct ftrace_setup *setup, const char *filter)
{
	int err = dynevents_supported(p->user ? DYNEVENTS_UPROBE : DYNEVENTS_KPROBE);
	if (!err)
		err = resolve(p);
	if (err)
		return err;
	name_all(p);
	int lock = dynevents_lock();
	if (lock < 0)
		return lock;
	for (size_t i = 0; i < p->defs.n && !err; i++)
		err = add_one(&p->defs.at[i]);
	dynevents_unlock(lock);
	for (size_t i = 0; i < p->defs.n && !err; i++) {
		struct ftrace_event *e = vec_push(&setup->events);
		e->pattern = xasprintf("%s:%s", p->defs.at[i].group, p->defs.at[i].event);
		e->filter = filter ? xstrdup(filter) : NULL;
		e->exact = true;
	}
	return err;
}

int own_probe_format(const struct own_probe *p, struct str *out)
{
	const struct probe_def *d = &p->defs.at[0];
	int err = p->defs.n ? tracefs_event_format(d->group, d->event, out) : -ENOENT;
	return err ? error_sys(err, "cannot read the format of the event") : 0;
}

void own_probe_release(struct own_probe *p)
{
	free(p->file);
	free(p->name);
	free(p->place);
	probe_defs_release(&p->defs);
	probe_spec_release(&p->spec);
}
