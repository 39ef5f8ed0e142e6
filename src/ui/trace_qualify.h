/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strace's other qualifiers of -e: signal=SET, status=SET, fd=SET. What strace has beyond that is refused with a word on
 * what does the same here. */
#ifndef UI_TRACE_QUALIFY_H
#define UI_TRACE_QUALIFY_H
#include "base/words.h"
#include "event/sysevent.h"

enum { STATUS_SUCCESSFUL = 1, STATUS_FAILED = 2, STATUS_UNFINISHED = 4, STATUS_UNAVAILABLE = 8, STATUS_DETACHED = 16, STATUS_ALL = 31 };
struct trace_qualify {
	bool has_signals, has_status, has_fds;
	uint64_t signals; /* bit n: signal n is shown */
	unsigned status;
	bool not_fds; /* all but these */
	intlist fds;
};
/* "signal=INT,TERM" and the like. 1: taken; 0: no such word before a '=', so calls or events; -errno: pending error. */
int trace_qualify_parse(struct trace_qualify *q, const char *text);
void trace_qualify_release(struct trace_qualify *q);
/* Does a call pass (q may be NULL)? Its end counts if it is there. */
bool trace_qualify_call(const struct trace_qualify *q, const struct sysevent *e);
bool trace_qualify_signal(const struct trace_qualify *q, int sig);
bool trace_qualify_calls(const struct trace_qualify *q); /* is any test on calls there? */
#endif
