/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one interface between main and the sub-commands: a row in sonde.c's table. */
#ifndef SONDE_H
#define SONDE_H
struct command {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit code */
	const char *help; /* one line */
};
#endif
