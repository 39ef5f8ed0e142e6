/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options before the command: sonde --no-pager report. */
#ifndef CMD_GLOBAL_H
#define CMD_GLOBAL_H
#include <stdbool.h>

struct global_options {
	bool help, version, list_commands, list_options, paginate, pager;
	const char *buildid_dir, *debug_file;
	int v; /* -v: the version; -vv: with what it was built with */
};
/* Takes them off argv (argv[0] is sonde's own name), and does what is to be done for every command. How many words are left,
 * moved to argv[0...]; -errno and a pending error. */
int global_parse(struct global_options *g, int argc, char **argv);
int global_apply(const struct global_options *g);
int global_list(void); /* --list-opts; the exit code */
#endif
