/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands from another process, one a line, by way of a descriptor or a named pipe (perf's --control);
 * each that was understood is answered with a line "ack". */
#ifndef JOB_CONTROL_H
#define JOB_CONTROL_H
#include "base/str.h"

struct control {
	int fd, ack; /* -1: none */
	bool own; /* opened here */
	struct str text; /* what came and is no whole line yet */
};

/* "fd:3", "fd:3,4", "fifo:PATH", "fifo:PATH,PATH". -errno with a pending error. */
int control_open(struct control *c, const char *spec);
/* The next command; NULL when there is none now. The caller frees it. fd becomes -1 when the other side is gone. */
char *control_next(struct control *c);
void control_ack(const struct control *c);
void control_close(struct control *c);
#endif
