/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Something in tracefs that is set up, left alone while a command runs (or for a time, or until Ctrl-C), and then shown. What was
 * set up is taken back. */
#ifndef JOB_FTRACE_DURING_H
#define JOB_FTRACE_DURING_H

struct ftrace_during {
	int (*set_up)(void *ctx); /* -errno and a pending error, both */
	int (*show)(void *ctx);
	void *ctx;
	int timeout_ms; /* 0: none */
};
/* command NULL: none. The exit code; errors were printed. */
int ftrace_during_run(const struct ftrace_during *d, char **command);
#endif
