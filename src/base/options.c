// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/options.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"

/* Does one of the '|'-separated names start with (or equal) the n bytes at word? */
static bool name_is(const char *names, const char *word, size_t n, bool whole)
{
	while (names && *names) {
		size_t m = strcspn(names, "|");
		if ((whole ? m == n : m >= n) && !strncmp(names, word, n))
			return true;
		names += m + (names[m] == '|');
	}
	return false;
}

/* All rows, those of the tables that stand in the table (OPT_TABLE) in their place. */
struct row_walk { const struct option_row *row, *back; };

static void walk_settle(struct row_walk *w)
{
	for (;;) {
		if (w->row->kind == OPTION_TABLE) {
			w->back = w->row + 1;
			w->row = w->row->data;
		} else if (w->row->kind == OPTION_END && w->back) {
			w->row = w->back;
			w->back = NULL;
		} else {
			return;
		}
	}
}

static struct row_walk walk_begin(const struct option_row *rows)
{
	struct row_walk w = { rows, NULL };
	walk_settle(&w);
	return w;
}

static void walk_next(struct row_walk *w)
{
	w->row++;
	walk_settle(w);
}

#define each_row(w, rows) (struct row_walk w = walk_begin(rows); (w).row->kind != OPTION_END; walk_next(&(w)))

static const struct option_row *find_exact(const struct option_row *rows, const char *word, size_t n)
{
	for each_row(w, rows)
		if (name_is(w.row->long_name, word, n, true))
			return w.row;
	return NULL;
}

/* By the beginning of its name. A table that stands first is asked first: what comes later does not make it ambiguous. */
static const struct option_row *find_long(const struct option_row *rows, const char *word, size_t n)
{
	const struct option_row *hit = find_exact(rows, word, n), *table = NULL;
	if (hit || !n)
		return hit;
	for each_row(w, rows) {
		if (hit && w.back != table)
			break;
		if (!name_is(w.row->long_name, word, n, false))
			continue;
		if (hit) {
			error_set(EINVAL, "--%.*s could be --%.*s or --%.*s", (int)n, word, (int)strcspn(hit->long_name, "|"), hit->long_name,
				  (int)strcspn(w.row->long_name, "|"), w.row->long_name);
			return NULL;
		}
		hit = w.row;
		table = w.back;
	}
	return hit;
}

static const struct option_row *find_short(const struct option_row *rows, char name)
{
	for each_row(w, rows)
		if (w.row->short_name == name)
			return w.row;
	return NULL;
}

static void show_name(struct str *s, const struct option_row *r, bool short_form)
{
	if (short_form)
		str_addf(s, "-%c", r->short_name);
	else
		str_addf(s, "--%.*s", (int)strcspn(r->long_name, "|"), r->long_name);
}

static int bad_value(const struct option_row *r, bool short_form, const char *arg, const char *why)
{
	struct str s = STR_INIT;
	show_name(&s, r, short_form);
	error_set(EINVAL, "%s: '%s' %s", s.buf, arg, why);
	str_release(&s);
	return -EINVAL;
}

/* One option and what was given for it. */
struct given { void *options; const struct option_row *row; bool short_form; };

static int store(const struct given *g, const char *arg, bool unset)
{
	const struct option_row *r = g->row;
	void *value = r->value ? r->value : (char *)g->options + r->at;
	int64_t v;
	char *end;
	switch (r->kind) {
	case OPTION_FLAG:
		*(bool *)value = !unset;
		return 0;
	case OPTION_COUNT:
		*(int *)value = unset ? 0 : *(int *)value + 1;
		return 0;
	case OPTION_STRING:
		*(const char **)value = unset ? NULL : arg;
		return 0;
	case OPTION_INT:
		if (parse_s64(arg, &v) || v > INT_MAX || v < INT_MIN)
			return bad_value(r, g->short_form, arg, "is not a number");
		*(int *)value = v;
		return 0;
	case OPTION_U64:
		if (parse_u64(arg, value))
			return bad_value(r, g->short_form, arg, "is not a number");
		return 0;
	case OPTION_DOUBLE:
		*(double *)value = strtod(arg, &end);
		if (end == arg || *end || !isfinite(*(double *)value))
			return bad_value(r, g->short_form, arg, "is not a number");
		return 0;
	case OPTION_CALL:
		return r->call(value, r, arg, unset);
	default:
		return 0;
	}
}

static bool is_optional(const struct option_row *r)
{
	return r->arg && r->arg[0] == '[';
}

/* --no-NAME. A number or a list has no opposite; options that are not sonde's own do not mind. */
static int turn_off(const struct given *g)
{
	const struct option_row *r = g->row;
	bool lists = r->kind == OPTION_CALL && r->arg && !is_optional(r) && !r->has_no && !r->data;
	if (!lists && r->kind != OPTION_INT && r->kind != OPTION_U64 && r->kind != OPTION_DOUBLE)
		return store(g, NULL, true);
	struct str s = STR_INIT;
	show_name(&s, r, false);
	error_set(EINVAL, "--no-%s: %s takes a value (%s) and is left out instead", s.buf + 2, s.buf, r->arg);
	str_release(&s);
	return -EINVAL;
}

/* attached: the text glued to the option, or NULL. *taken: the next word was used. */
static int apply(const struct given *g, const char *attached, const char *next, bool *taken)
{
	const struct option_row *r = g->row;
	*taken = false;
	if (!r->arg) {
		if (attached)
			return bad_value(r, g->short_form, attached, "is too much: the option takes no value");
		return store(g, NULL, false);
	}
	if (attached)
		return store(g, attached, false);
	if (is_optional(r)) {
		*taken = r->takes_next && next && r->takes_next(next);
		return store(g, *taken ? next : NULL, false);
	}
	if (!next) {
		struct str s = STR_INIT;
		show_name(&s, r, g->short_form);
		error_set(EINVAL, "%s needs a value (%s)", s.buf, r->arg);
		str_release(&s);
		return -EINVAL;
	}
	*taken = true;
	return store(g, next, false);
}

static int parse_long(void *options, const char *word, const char *next, const struct option_row *rows, bool *taken)
{
	size_t n = strcspn(word, "=");
	const char *attached = word[n] == '=' ? word + n + 1 : NULL;
	const struct option_row *r = find_long(rows, word, n);
	*taken = false;
	if (!r && !error_pending() && n > 3 && !strncmp(word, "no-", 3)) {
		r = find_long(rows, word + 3, n - 3);
		if (r && attached)
			return bad_value(r, false, attached, "is too much: --no- takes no value");
		if (r)
			return turn_off(&(struct given){ options, r, false });
	}
	if (r)
		return apply(&(struct given){ options, r, false }, attached, next, taken);
	if (error_pending())
		return -EINVAL;
	char *name = xstrndup(word, n);
	struct nearest near;
	error_set(EINVAL, "unknown option --%s", name);
	nearest_init(&near, name);
	for each_row(w, rows)
		if (w.row->long_name && !strchr(w.row->long_name, '|'))
			nearest_offer(&near, w.row->long_name);
	nearest_hint_of(&near, "--");
	free(name);
	return -EINVAL;
}

static int parse_shorts(void *options, const char *word, const char *next, const struct option_row *rows, bool *taken)
{
	*taken = false;
	for (; *word; word++) {
		const struct option_row *r = find_short(rows, *word);
		if (!r)
			return error_set(EINVAL, "unknown option -%c", *word);
		const char *rest = word[1] ? word + 1 : NULL;
		if (!r->arg || (is_optional(r) && rest && r->takes_next && !r->takes_next(rest))) {
			int err = store(&(struct given){ options, r, true }, NULL, false); /* bundled: -ag */
			if (err)
				return err;
			continue;
		}
		return apply(&(struct given){ options, r, true }, rest, next, taken);
	}
	return 0;
}

/* Of a row whose names an earlier table has too, what is left of them. */
static bool has_short(const struct option_row *rows, const struct option_row *r)
{
	return r->short_name && find_short(rows, r->short_name) == r;
}

static bool has_long(const struct option_row *rows, const struct option_row *r)
{
	return r->long_name && find_exact(rows, r->long_name, strcspn(r->long_name, "|")) == r;
}

static void show_row(const struct option_row *rows, const struct option_row *r)
{
	struct str s = STR_INIT;
	bool letter = has_short(rows, r), word = has_long(rows, r);
	if (r->kind == OPTION_GROUP)
		printf("\n%s\n", r->help);
	if (!r->help || (!letter && !word)) /* an alias that is not advertised */
		return;
	str_add(&s, "  ");
	if (letter)
		str_addf(&s, "-%c", r->short_name);
	str_add(&s, letter && word ? ", " : letter ? "" : "    ");
	if (word)
		show_name(&s, r, false);
	if (r->arg)
		str_addf(&s, "%s%s", is_optional(r) ? "" : " ", r->arg);
	if (s.len >= 30) {
		puts(s.buf);
		str_clear(&s);
	}
	str_pad(&s, 30, ' ');
	printf("%s %s\n", s.buf, r->help);
	str_release(&s);
}

static void show_usage(const struct option_row *rows, const char *const *usage)
{
	for (int i = 0; usage && usage[i]; i++)
		printf("%s %s\n", i ? "   or:" : "usage:", usage[i]);
	if (walk_begin(rows).row->kind != OPTION_GROUP) /* a heading brings its own */
		putchar('\n');
	for each_row(w, rows)
		show_row(rows, w.row);
}

/* "--long -s ..." words, for the completion script. */
static void show_words(const struct option_row *rows)
{
	for each_row(w, rows) {
		if (has_short(rows, w.row))
			printf("-%c\n", w.row->short_name);
		if (has_long(rows, w.row))
			printf("--%.*s\n", (int)strcspn(w.row->long_name, "|"), w.row->long_name);
	}
}

int options_parse(void *options, int argc, char **argv, const struct option_row *rows, const char *const *usage, int flags)
{
	int left = 0, i = 1;
	for (; i < argc; i++) {
		char *w = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
		bool taken = false;
		if (!strcmp(w, "--")) {
			i++;
			break;
		}
		if (w[0] != '-' || !w[1]) {
			if (flags & OPTIONS_STOP_AT_ARG)
				break;
			argv[left++] = w;
			continue;
		}
		if (!strcmp(w, "--help") || !strcmp(w, "-h")) {
			show_usage(rows, usage);
			return -ECANCELED;
		}
		if (!strcmp(w, "--option-words")) {
			show_words(rows);
			return -ECANCELED;
		}
		int err = w[1] == '-' ? parse_long(options, w + 2, next, rows, &taken) : parse_shorts(options, w + 1, next, rows, &taken);
		if (err)
			return err;
		i += taken;
	}
	while (i < argc)
		argv[left++] = argv[i++];
	argv[left] = NULL;
	return left;
}

/* "--name", or "-n" for one that has no long name. */
static void foreign_name(const struct option_row *opt, char *name, size_t size)
{
	if (opt->long_name)
		snprintf(name, size, "--%.*s", (int)strcspn(opt->long_name, "|"), opt->long_name);
	else
		snprintf(name, size, "-%c", opt->short_name);
}

static int changes_nothing(const struct option_row *opt, int level)
{
	const struct option_foreign *f = opt->data;
	char name[64];
	foreign_name(opt, name, sizeof(name));
	note(level, "%s changes nothing: %s", name, f->why);
	return 0;
}

int option_ms(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	uint64_t ms = 0;
	if (!unset && (parse_u64(arg, &ms) || ms > INT_MAX))
		return error_set(EINVAL, "--%s takes a number of milliseconds, not '%s'", opt->long_name, arg);
	*(int *)value = (int)ms;
	return 0;
}

int option_needless(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)value;
	(void)arg;
	(void)unset;
	return changes_nothing(opt, 1);
}

int option_ignored(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)value;
	(void)arg;
	(void)unset;
	return changes_nothing(opt, 0);
}

int option_refused(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	const struct option_foreign *f = opt->data;
	char name[64];
	(void)value;
	(void)arg;
	if (unset)
		return 0;
	foreign_name(opt, name, sizeof(name));
	error_set(EINVAL, "%s: %s", name, f->why);
	return error_hint("%s", f->hint);
}

/* The command is the second word of its usage. */
static void hint_help(const char *line)
{
	size_t n = strcspn(line, " ");
	n += line[n] ? 1 + strcspn(line + n + 1, " ") : 0;
	error_hint("%.*s -h lists the options", (int)n, line);
}

int options_exit(int err, const char *const *usage)
{
	if (err == -ECANCELED)
		return 0;
	if (usage && usage[0] && !*error_hints())
		hint_help(usage[0]);
	error_print();
	if (usage && usage[0])
		fprintf(stderr, "usage: %s\n", usage[0]);
	return EXIT_USAGE;
}
