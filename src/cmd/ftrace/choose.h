/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that several verbs share. What to trace: trace-cmd's -e -f -R -p -l -n -g -O -P -C -b ...; the options of such a
 * verb begin with a struct ftrace_setup. Which session: -B NAME, -t; those begin with a struct ftrace_which. */
#ifndef CMD_FTRACE_CHOOSE_H
#define CMD_FTRACE_CHOOSE_H
#include "base/options.h"
#include "ftrace/setup.h"

extern const struct option_row ftrace_setup_rows[];

struct ftrace_which {
	const char *name; /* -B; NULL: the session's own */
	bool top; /* -t */
	bool all; /* -a */
};
extern const struct option_row ftrace_which_rows[];
/* The instance that is meant. -errno with a pending error. */
int ftrace_which_find(const struct ftrace_which *w, struct ftrace_instance *i);

/* Several at once: -B NAME -B NAME, -a, -t. */
struct ftrace_several {
	wordlist names;
	bool top, all;
};
extern const struct option_row ftrace_several_rows[];
/* Each that is meant, sonde's own session if nothing says another. -errno with a pending error, the first one. */
int ftrace_several_each(const struct ftrace_several *s, int (*does)(struct ftrace_instance *i));
/* A verb that has only these options, and no words: what it does to each, and the exit code. top_too: -a has the top one. */
int ftrace_several_run(int argc, char **argv, const char *const *usage, bool top_too, int (*does)(struct ftrace_instance *i));
/* Is it the instance of a sonde that lives? */
bool ftrace_is_running(const char *name);
#endif
