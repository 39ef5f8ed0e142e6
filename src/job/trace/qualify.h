/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strace's qualifiers of -e beside trace=SET: which signals, results and descriptors, what is left out, how arguments look.
 * What strace has beyond that is refused with a word on what does the same here. */
#ifndef JOB_TRACE_QUALIFY_H
#define JOB_TRACE_QUALIFY_H
#include "engine/inject.h"
#include "syscall/sysevent.h"
#include "syscall/decode.h"
#include "syscall/fdset.h"

enum { STATUS_SUCCESSFUL = 1, STATUS_FAILED = 2, STATUS_UNFINISHED = 4, STATUS_UNAVAILABLE = 8, STATUS_DETACHED = 16, STATUS_ALL = 31 };
enum { QUIET_ATTACH = 1, QUIET_EXIT = 2, QUIET_PATHS = 4, QUIET_MODE = 8, QUIET_EXECVE = 16, QUIET_ALL = 31 };
struct callset {
	bool has;
	struct sysset calls;
};
struct trace_qualify {
	bool has_signals, has_status;
	uint64_t signals; /* bit n: signal n is shown */
	unsigned status;
	unsigned quiet; /* lines that are left out */
	struct fdset fds;
	struct fdset reads, writes; /* whose data are dumped */
	struct callset raw, abbrev, verbose;
	inject_list injects;
	unsigned fd_info; /* decode-fds=: enum fd_info */
	bool pid_names; /* decode-pids=comm */
};
/* "signal=INT,TERM" and the like. 1: taken; 0: no such word before a '=', so calls or events; -errno: pending error. */
int trace_qualify_parse(struct trace_qualify *q, const char *text);
void trace_qualify_release(struct trace_qualify *q);
/* Does a call pass (q may be NULL)? Its end counts if it is there. */
bool trace_qualify_call(const struct trace_qualify *q, const struct sysevent *e);
bool trace_qualify_signal(const struct trace_qualify *q, int sig);
bool trace_qualify_calls(const struct trace_qualify *q); /* is any test on calls there? */
bool trace_qualify_quiet(const struct trace_qualify *q, unsigned lines); /* are these left out? */
#endif
