/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes of one run: made in the group sonde_PID, noted with the guardian first, so that they are gone when we are. */
#ifndef JOB_FTRACE_PROBES_H
#define JOB_FTRACE_PROBES_H
#include "ftrace/setup.h"
#include "probe/resolve.h"

struct own_probe {
	const char *text; /* "p:NAME FUNC ARGS", "r:FILE:FUNC", "FUNC ARGS": perf-tools' form, or sonde probe's */
	bool user, exact;
	/* made of it */
	char *file; /* user: the program or library */
	bool ret;
	char *name; /* NULL: after the function */
	char *place; /* the function, with what stands behind it */
	probe_defs defs;
	struct probe_spec spec;
};
/* Takes the text apart. -EINVAL and a pending error. */
int own_probe_parse(struct own_probe *p);
/* Finds the places, makes the events, and puts them into the setup with the filter (NULL: none). */
int own_probe_add(struct own_probe *p, struct ftrace_setup *setup, const char *filter);
/* The format of its first event, as the kernel has it. */
int own_probe_format(const struct own_probe *p, struct str *out);
/* The file that a word means: a path, a program of $PATH, a library by its short name. Owned; NULL: pending error. */
char *own_probe_file(const char *word);
void own_probe_release(struct own_probe *p);
#endif
