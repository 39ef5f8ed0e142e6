/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of sonde ftrace: a file and a row each. */
#ifndef CMD_FTRACE_VERBS_H
#define CMD_FTRACE_VERBS_H
#define VERB(name, function, help) int function(int argc, char **argv);
#include "cmd/ftrace/verbs.def"
#undef VERB
#endif
