/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sonde ftrace hist 'hist:...' EVENT: hist triggers while a command runs or until Ctrl-C, then their tables. */
#ifndef CMD_FTRACE_TRIGGERS_H
#define CMD_FTRACE_TRIGGERS_H
#include "base/words.h"

struct hist_triggers {
	wordlist synth; /* --synth */
	wordlist triggers, events; /* side by side */
	const char *output;
	int timeout;
	bool json;
};
/* command NULL: none. The exit code; errors were printed. */
int hist_triggers_run(struct hist_triggers *h, char **command);
void hist_triggers_release(struct hist_triggers *h);
#endif
