// SPDX-License-Identifier: GPL-2.0-or-later
/* -l: from the kernel's definitions back to places in the source. The kernel keeps the file that a probe was set in, not
 * what is at its path now: a path whose file changed since then says nothing about the probe. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/map.h"
#include "kernel/dynevents.h"
#include "kernel/root.h"
#include "probe/events.h"
#include "symbol/dwarf/dwarf.h"

/* Files are opened once, however many probes they have. */
struct targets {
	struct strmap by_name;
	const struct probe_target_options *options;
};

static struct probe_target *target_for(struct targets *ts, const struct probe_def *d)
{
	char *key = xasprintf("%c%s", d->user ? 'u' : 'k', d->target ? d->target : "");
	struct probe_target *t = strmap_get(&ts->by_name, key);
	if (!t && !strmap_has(&ts->by_name, key)) {
		struct probe_target_options o = *ts->options;
		o.exec = d->user ? d->target : NULL;
		o.module = d->user ? NULL : d->target;
		t = xcalloc(1, sizeof(*t));
		if (probe_target_open(t, &o)) {
			note(1, "%s", error_message());
			error_clear();
			free(t);
			t = NULL;
		}
		strmap_set(&ts->by_name, key, t);
	}
	free(key);
	return t;
}

static void targets_release(struct targets *ts)
{
	size_t cursor = 0;
	const char *key;
	void *val;
	while (strmap_next(&ts->by_name, &cursor, &key, &val)) {
		if (val)
			probe_target_release(val);
		free(val);
	}
	strmap_release(&ts->by_name);
}

/* Where symbol+offset lies in the file's own space. */
static int kernel_addr(struct probe_target *t, const struct probe_def *d, uint64_t *addr)
{
	struct elfsyms *syms = d->symbol ? probe_target_debug_symbols(t) : NULL;
	const struct elfsym *s = syms ? elfsyms_first(syms, d->symbol) : NULL;
	*addr = s ? s->addr + d->offset : 0;
	return s ? 0 : -ENOENT;
}

/* By symbol: "malloc+4", or the raw offset when there is none. */
static void place_by_symbol(struct probe_target *t, const struct probe_def *d, struct str *out)
{
	uint64_t addr = 0;
	if (!d->user) {
		str_add_safez(out, d->symbol ? d->symbol : "");
		if (!d->symbol || d->offset)
			str_addf(out, d->symbol ? "+%llu" : "0x%llx", (unsigned long long)d->offset);
	} else if (t && !probe_target_symbols(t) && !probe_target_addr(t, d->offset, &addr)) {
		const struct elfsym *s = elfsyms_at(&t->syms, addr, d->event);
		if (s) {
			str_add_safez(out, s->name);
			if (addr != s->addr)
				str_addf(out, "+%llu", (unsigned long long)(addr - s->addr));
		} else {
			str_addf(out, "0x%llx", (unsigned long long)d->offset);
		}
	} else {
		str_addf(out, "0x%llx", (unsigned long long)d->offset);
	}
	error_clear();
	if (d->ret)
		str_add(out, "%return");
}

/* malloc and __libc_malloc are one function: the event's name tells which one was meant. */
static const char *alias_of_event(struct probe_target *t, const struct probe_def *d, uint64_t entry)
{
	size_t n = strlen(d->event);
	if (n > 8 && !strcmp(d->event + n - 8, "__return"))
		n -= 8;
	char *name = xstrndup(d->event, n);
	const struct elfsym *s = d->user && !probe_target_symbols(t) ? elfsyms_at(&t->syms, entry, name) : NULL;
	bool same = s && s->addr == entry && !strcmp(s->name, name);
	free(name);
	return same ? s->name : NULL;
}

/* By debug information: "getname_flags:65@fs/namei.c". */
static bool place_by_source(struct probe_target *t, const struct probe_def *d, struct str *out)
{
	uint64_t addr = 0;
	struct dwarf_spot spot;
	if (!t || probe_target_dwarf(t))
		return false;
	if (d->user ? probe_target_addr(t, d->offset, &addr) : kernel_addr(t, d, &addr))
		return false;
	if (dwarf_describe(t->dwarf, addr, &spot))
		return false;
	const char *alias = alias_of_event(t, d, addr - spot.offset);
	str_add_safez(out, alias ? alias : spot.function);
	if (spot.line > 0)
		str_addf(out, ":%d", spot.line);
	else if (spot.offset) /* line 0 does not say which of its instructions */
		str_addf(out, "+%llu", (unsigned long long)spot.offset);
	if (d->ret)
		str_add(out, "%return");
	if (spot.file) {
		str_addc(out, '@');
		str_add_safez(out, spot.file);
	}
	dwarf_spot_release(&spot);
	return true;
}

static bool later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* What became of a program's file after the probe was set. The event's folder is as old as the event, or younger where the
 * kernel makes it when it is first looked at: so an old probe may be missed, but what is said holds. A second link (perf makes
 * one in ~/.debug) sets the time of change alone, as the replacement by a package does, which keeps the time of its contents. */
enum since { AS_IT_WAS, LINKED, CHANGED, GONE };

static enum since since_then(const struct probe_def *d)
{
	struct stat file, event;
	if (!d->user || !d->target)
		return AS_IT_WAS;
	if (stat(d->target, &file))
		return errno == ENOENT ? GONE : AS_IT_WAS;
	if (stat(root_path(ROOT_TRACEFS, "events/%s/%s", d->group, d->event), &event) || !later(&file.st_ctim, &event.st_ctim))
		return AS_IT_WAS;
	return file.st_nlink > 1 && !later(&file.st_mtim, &event.st_ctim) ? LINKED : CHANGED;
}

static const char *const since_text[] = {
	[LINKED] = "that file has another link since, or was replaced: then set it again",
	[CHANGED] = "that file was changed or replaced after the probe was set: set it again",
	[GONE] = "that file is gone: only programs that still run from it are seen",
};

static void add_line(struct out *o, struct targets *ts, const struct probe_def *d)
{
	struct str s = STR_INIT, name = STR_INIT;
	enum since since = since_then(d);
	bool other = since == CHANGED || since == GONE; /* its names are not the probe's */
	struct probe_target *t = other ? NULL : target_for(ts, d);
	str_addf(&name, "%s:%s", d->group, d->event);
	str_add(&s, "  ");
	str_add_safez(&s, name.buf);
	str_pad(&s, 22, ' ');
	str_add(&s, " (on ");
	if (other)
		str_addf(&s, "0x%llx%s", (unsigned long long)d->offset, d->ret ? "%return" : "");
	else if (!place_by_source(t, d, &s))
		place_by_symbol(t, d, &s);
	if (d->target) {
		str_add(&s, " in ");
		str_add_safez(&s, d->target);
	}
	for (size_t i = 0; i < d->args.n; i++) {
		const struct probe_defarg *a = &d->args.at[i];
		str_add(&s, i ? " " : " with ");
		str_add_safez(&s, a->name ? a->name : a->value);
	}
	str_add(&s, ")");
	if (since_text[since])
		str_addf(&s, "  %s", since_text[since]);
	out_str(o, &s);
	str_release(&s);
	str_release(&name);
}

/* kprobe_profile: "name hits misses"; uprobe_profile: "path name hits". By event name alone: that
 * is all the kernel tells. */
static bool profile_hits(const char *text, const struct probe_def *d, uint64_t *hits, uint64_t *missed)
{
	bool found = false;
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n");
		char *line = xstrndup(p, n), *save = NULL, *w[8] = { 0 };
		int k = 0;
		for (char *t = strtok_r(line, " \t", &save); t && k < 8; t = strtok_r(NULL, " \t", &save))
			w[k++] = t;
		int at = d->user ? k - 2 : 0;
		if (k >= 2 && at >= 0 && !strcmp(w[at], d->event) && (!d->user || !strcmp(w[0], d->target))) {
			found = true;
			*hits += strtoull(w[at + 1], NULL, 10);
			*missed += !d->user && k > 2 ? strtoull(w[2], NULL, 10) : 0;
		}
		free(line);
		p += n + (p[n] == '\n');
	}
	return found;
}

static void add_counts(struct out *o, const struct probe_def *d, struct str profile[2])
{
	uint64_t hits = 0, missed = 0;
	const char *text = profile[d->user ? DYNEVENTS_UPROBE : DYNEVENTS_KPROBE].buf;
	if (!profile_hits(text, d, &hits, &missed))
		return;
	out_printf(o, "  hits: %llu", (unsigned long long)hits);
	if (missed)
		out_printf(o, ", missed: %llu", (unsigned long long)missed);
}

static bool shown(const struct probe_def *d, const wordlist *patterns)
{
	if (!patterns->n)
		return true;
	vec_each(patterns, p)
		if (probe_event_matches(d, *p))
			return true;
	return false;
}

int probe_events_list(struct out *o, const struct probe_list_options *opt)
{
	probe_defs all = { 0 };
	struct targets ts = { .options = opt->target };
	struct str profile[2] = { STR_INIT, STR_INIT };
	int err = probe_events_read(&all);
	for (int k = 0; k < 2 && !err && opt->counts; k++)
		(void)dynevents_profile(k, &profile[k]);
	for (size_t i = 0; i < all.n && !err; i++) {
		if (!shown(&all.at[i], opt->patterns))
			continue;
		add_line(o, &ts, &all.at[i]);
		if (opt->counts)
			add_counts(o, &all.at[i], profile);
		out_puts(o, "\n");
	}
	str_release(&profile[0]);
	str_release(&profile[1]);
	targets_release(&ts);
	probe_defs_release(&all);
	return err;
}
