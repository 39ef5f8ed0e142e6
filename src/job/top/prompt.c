// SPDX-License-Identifier: GPL-2.0-or-later
/* The keys of --stdio on a terminal: a letter, and where it has one its question, with the terminal's own modes while its line is
 * typed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "job/top/inner.h"

enum { MOST = 256 /* of a line */ };

/* A line; empty: nothing was typed, or an end was asked for. */
static void ask(struct keys *p, const char *question, char line[static MOST])
{
	size_t n = 0;
	char c;
	keys_lines(p, true);
	printf("\n%s: ", question);
	fflush(stdout);
	while (n + 1 < MOST && read(0, &c, 1) == 1 && c != '\n')
		line[n++] = c;
	line[n] = 0;
	keys_lines(p, false);
}

static bool ask_number(struct keys *p, const char *question, double least, double most, double *out)
{
	char line[MOST], *end;
	ask(p, question, line);
	double v = strtod(line, &end);
	if (end == line || *end || !(v >= least && v <= most)) /* not a number is none of them */
		return false;
	*out = v;
	return true;
}

static void list(const struct top *t)
{
	const struct top_options *o = t->o;
	const char *const yes[] = { "no", "yes" };
	printf("\nKeys:\n"
	       "\t[d]     seconds between tables               (%g)\n"
	       "\t[e]     lines of a table                     (%d)\n"
	       "\t[E]     one event alone                      (%d)\n"
	       "\t[f]     only lines of more samples than that (%llu)\n"
	       "\t[F]     least percentage of an instruction   (%g)\n"
	       "\t[s]     the instructions of a function       (%s)\n"
	       "\t[S]     the table again\n"
	       "\t[K]     hide the kernel                      (%s)\n"
	       "\t[U]     hide programs                        (%s)\n"
	       "\t[z]     start from zero at each table        (%s)\n"
	       "\t[qQ]    quit\n"
	       "A key, or any other to go on: ",
	       o->delay, o->entries, t->only_event, (unsigned long long)o->count_filter, t->least_percent, t->shown ? t->shown : "none", yes[o->hide_kernel],
	       yes[o->hide_user], yes[t->browse.zeroing]);
	fflush(stdout);
}

static void ask_event(struct top *t, struct keys *p)
{
	double v;
	printf("\nevents:\n");
	for (size_t i = 0; i < perfdata_n_events(t->data); i++)
		printf("\t%zu %s\n", i, perfdata_event_at(t->data, i)->name);
	if (ask_number(p, "number of the event, -1 for all", -1, (double)perfdata_n_events(t->data) - 1, &v))
		t->only_event = (int)v;
}

static void ask_symbol(struct top *t, struct keys *p)
{
	char line[MOST];
	ask(p, "function", line);
	if (!*line)
		return;
	free(t->shown);
	t->shown = xstrdup(line);
}

/* True: the key is one of the list. The lock is not held, and what is changed here the reading thread reads as single words. */
static bool take(struct top *t, struct keys *p, char c)
{
	struct top_options *o = t->o;
	double v;
	switch (c) {
	case 'd': ask_number(p, "seconds between tables", 0.05, 86400, &o->delay); break;
	case 'e':
		if (ask_number(p, "lines of a table", 0, 100000, &v))
			o->entries = (int)v;
		break;
	case 'E': ask_event(t, p); break;
	case 'f':
		if (ask_number(p, "only lines of more samples than", 0, 1e15, &v))
			t->browse.count_filter = o->count_filter = (uint64_t)v;
		break;
	case 'F': ask_number(p, "least percentage of an instruction", 0, 100, &t->least_percent); break;
	case 's': ask_symbol(t, p); break;
	case 'S':
		free(t->shown);
		t->shown = NULL;
		break;
	case 'K': o->hide_kernel = !o->hide_kernel && !o->hide_user; break;
	case 'U': o->hide_user = !o->hide_user && !o->hide_kernel; break;
	case 'z': t->browse.zeroing = !t->browse.zeroing; break;
	default: return false;
	}
	return true;
}

bool top_prompt_key(struct top *t, struct keys *p)
{
	char c;
	if (read(0, &c, 1) != 1)
		return errno == EINTR;
	if (c != 'q' && c != 'Q' && !take(t, p, c)) {
		list(t);
		if (read(0, &c, 1) != 1)
			return errno == EINTR;
		if (c != 'q' && c != 'Q')
			take(t, p, c);
	}
	return c != 'q' && c != 'Q';
}
