// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/events.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/dynevents.h"
#include "kernel/root.h"
#include "kernel/tracefs.h"

static void parse_all(const struct str *text, bool user, probe_defs *out)
{
	for (const char *p = text->buf; *p;) {
		size_t n = strcspn(p, "\n");
		struct probe_def d;
		if (!probe_def_parse(&d, p, n, user))
			*vec_push(out) = d;
		p += n + (p[n] == '\n');
	}
}

int probe_events_read(probe_defs *out)
{
	int found = 0, last = -ENOENT;
	int err = tracefs_ready();
	if (err)
		return err;
	for (int kind = DYNEVENTS_KPROBE; kind <= DYNEVENTS_UPROBE; kind++) {
		struct str s = STR_INIT;
		err = dynevents_read(kind, &s);
		if (!err) {
			found++;
			parse_all(&s, kind == DYNEVENTS_UPROBE, out);
		} else if (err != -ENOENT) {
			last = err;
		}
		str_release(&s);
	}
	if (found)
		return 0;
	if (last == -EACCES || last == -EPERM) {
		error_set(EACCES, "no permission to read the probes in %s", tracefs_path("uprobe_events"));
		return error_hint("run as root: sudo sonde probe ...");
	}
	return dynevents_supported(DYNEVENTS_UPROBE);
}

/* "group:event" of all of them. */
static void event_names(wordlist *out)
{
	probe_defs all = { 0 };
	if (probe_events_read(&all))
		error_clear();
	vec_each(&all, d)
		*vec_push(out) = xasprintf("%s:%s", d->group, d->event);
	probe_defs_release(&all);
}

static enum dynevents kind_of(const struct probe_def *d)
{
	return d->user ? DYNEVENTS_UPROBE : DYNEVENTS_KPROBE;
}

/* Takes back the first n, newest first. Places that share an event go with it. */
static void undo(probe_defs *defs, size_t n)
{
	struct str line = STR_INIT;
	while (n-- > 0) {
		const struct probe_def *d = &defs->at[n];
		bool shared = n && !strcmp(d[-1].event, d->event) && !strcmp(d[-1].group, d->group);
		if (shared)
			continue;
		str_clear(&line);
		str_addf(&line, "-:%s/%s", d->group, d->event);
		(void)dynevents_write(kind_of(d), line.buf);
	}
	str_release(&line);
}

/* The error that stopped us must outlive the clean-up's own errors. */
static int undo_keeping_error(probe_defs *defs, size_t n)
{
	int err = error_code();
	char *message = xstrdup(error_message()), *hints = xstrdup(error_hints());
	undo(defs, n);
	error_set(err, "%s", message);
	if (*hints)
		error_hint("%s", hints);
	free(message);
	free(hints);
	return err;
}

/* Whoever may read tracefs may still not write there: a remount is no remedy. */
static int only_root(int err)
{
	if (err != -EACCES || !geteuid())
		return err;
	error_set(EACCES, "no permission to add or remove probes: only root may write to %s", tracefs_path("%s", ""));
	error_hint("sudo sonde probe ..., or a sonde with the capability cap_dac_override");
	return error_hint("-n, -D, -L, -V and -F need no permission");
}

/* An offset in one file is anything in the next that takes its name. */
static int check_files(const probe_defs *defs)
{
	vec_each(defs, d) {
		struct stat st;
		if (!d->ino || (!stat(d->target, &st) && st.st_dev == d->dev && st.st_ino == d->ino &&
				st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec == d->mtime))
			continue;
		error_set(ESTALE, "%s was replaced or written to meanwhile", d->target);
		return error_hint("nothing was added; ask again when it stays as it is");
	}
	return 0;
}

static int write_all(probe_defs *defs)
{
	struct str line = STR_INIT;
	sigset_t block, old;
	int err = check_files(defs);
	if (err)
		return err;
	sigfillset(&block); /* an interrupt between two writes must not leave half a set */
	sigprocmask(SIG_BLOCK, &block, &old);
	for (size_t i = 0; i < defs->n && !err; i++) {
		str_clear(&line);
		probe_def_line(&defs->at[i], &line);
		note(1, "writing: %s", line.buf);
		err = only_root(dynevents_write(kind_of(&defs->at[i]), line.buf));
		if (err)
			undo_keeping_error(defs, i);
	}
	if (!err && (err = check_files(defs)))
		undo_keeping_error(defs, defs->n);
	sigprocmask(SIG_SETMASK, &old, NULL);
	str_release(&line);
	for (size_t i = 0; i < defs->n && !err; i++) /* fixes the folder's time, which -l compares with the file's */
		(void)access(root_path(ROOT_TRACEFS, "events/%s/%s", defs->at[i].group, defs->at[i].event), F_OK);
	return err;
}

static void show_lines(probe_defs *defs)
{
	struct str line = STR_INIT;
	vec_each(defs, d) {
		str_clear(&line);
		probe_def_line(d, &line);
		note(1, "would write to %s: %s", d->user ? "uprobe_events" : "kprobe_events", line.buf);
	}
	str_release(&line);
}

int probe_events_add(probe_defs *defs, const struct probe_spec *specs, bool force, bool dry)
{
	wordlist taken = { 0 };
	int lock = -1, err = 0;
	for (size_t i = 0; i < defs->n && !dry && !err; i++)
		err = only_root(dynevents_supported(kind_of(&defs->at[i])));
	if (!err && !dry) {
		lock = dynevents_lock();
		err = lock < 0 ? lock : 0;
	}
	if (!err) {
		event_names(&taken);
		err = probe_names(defs, specs, &taken, force);
	}
	if (!err && dry)
		show_lines(defs);
	else if (!err)
		err = write_all(defs);
	dynevents_unlock(lock);
	wordlist_release(&taken);
	return err;
}

/* "malloc", "probe_libc:*", "*:malloc": without a group any of sonde's and perf's own groups. */
bool probe_event_matches(const struct probe_def *d, const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	if (!colon)
		return glob_match(pattern, d->event);
	char *group = xstrndup(pattern, (size_t)(colon - pattern));
	bool yes = glob_match(*group ? group : "*", d->group) && glob_match(colon[1] ? colon + 1 : "*", d->event);
	free(group);
	return yes;
}

static int no_match(const char *pattern, const probe_defs *all)
{
	struct nearest n;
	wordlist names = { 0 };
	error_set(ENOENT, "no probe matches '%s'", pattern);
	nearest_init(&n, pattern);
	vec_each(all, d) {
		*vec_push(&names) = xasprintf("%s:%s", d->group, d->event);
		nearest_offer(&n, *vec_last(&names));
	}
	if (!nearest_hint(&n))
		error_hint(all->n ? "'sonde probe -l' lists them" : "there are no probes now");
	wordlist_release(&names);
	return -ENOENT;
}

static int check_patterns(const probe_defs *all, const wordlist *patterns)
{
	vec_each(patterns, p) {
		bool hit = false;
		vec_each(all, d)
			hit |= probe_event_matches(d, *p);
		if (!hit)
			return no_match(*p, all);
	}
	return 0;
}

static bool wanted(const struct probe_def *d, const wordlist *patterns)
{
	vec_each(patterns, p)
		if (probe_event_matches(d, *p))
			return true;
	return false;
}

static int remove_one(const struct probe_def *d, bool dry, wordlist *removed)
{
	char *full = xasprintf("%s:%s", d->group, d->event);
	vec_each(removed, r)
		if (!strcmp(*r, full)) { /* another place of an event that is gone */
			free(full);
			return 0;
		}
	char *line = xasprintf("-:%s/%s", d->group, d->event);
	note(1, dry ? "would write: %s" : "writing: %s", line);
	int err = dry ? 0 : only_root(dynevents_write(kind_of(d), line));
	if (err)
		error_context("%s", full);
	else
		wordlist_add(removed, full);
	free(line);
	free(full);
	return err;
}

int probe_events_remove(const wordlist *patterns, bool dry, wordlist *removed)
{
	probe_defs all = { 0 };
	int lock = -1, err = only_root(tracefs_ready());
	if (!err && !dry) { /* what is read must still be there when it is removed */
		lock = dynevents_lock();
		err = lock < 0 ? lock : 0;
	}
	if (!err)
		err = probe_events_read(&all);
	if (!err)
		err = check_patterns(&all, patterns);
	for (size_t i = 0; i < all.n && !err; i++)
		if (wanted(&all.at[i], patterns))
			err = remove_one(&all.at[i], dry, removed);
	dynevents_unlock(lock);
	probe_defs_release(&all);
	return err;
}
