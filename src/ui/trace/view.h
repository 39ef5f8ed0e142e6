/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `sonde trace` shows what happens: as perf trace does, as strace does, or a JSON object per line. What is shown, and
 * what descriptors are, the job knows and tells. */
#ifndef UI_TRACE_VIEW_H
#define UI_TRACE_VIEW_H
#include "base/map.h"
#include "base/out.h"
#include "syscall/sysevent.h"
#include "syscall/decode.h"
#include "syscall/fdset.h"
#include "ui/trace/files.h"

enum trace_clock { CLOCK_SINCE_START, CLOCK_OF_DAY, CLOCK_SECONDS /* since 1970 */ };
enum trace_form { TRACE_PERF, TRACE_STRACE, TRACE_JSON };
struct trace_view;
/* Writes what belongs under a call's line (its stack); the lines are indented and end in newlines. json: members of the
 * call's object instead. */
typedef void trace_stack(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
/* "comm:tid" of a tracepoint and its fields; json: an object member list. */
typedef void trace_fields(void *ctx, const struct sysevent *e, struct str *out, struct json *json);

struct trace_view_options {
	enum trace_form form;
	struct trace_files *files; /* a file for each thread instead of out; NULL: one for all */
	bool absolute; /* -T */
	enum trace_clock clock; /* -tt, -ttt */
	uint64_t wall; /* CLOCK_REALTIME less CLOCK_MONOTONIC, for those */
	bool since_last; /* -r: times since the line before */
	bool durations; /* strace's form: <0.000012> behind each call */
	struct { uint8_t clock, since, durations; } digits; /* of seconds, in strace's form */
	bool numbers; /* [ 257] before each call, in strace's form */
	bool ips; /* [00007f3d9ea9ee67], in strace's form */
	unsigned column; /* where results begin */
	bool many; /* lines tell whose they are from the start */
	bool plain_pid; /* strace's form: "1234  " and not "[pid  1234] ", as in its files */
	bool no_comm;
	uint64_t base; /* the time that relative ones count from; 0: the first event's */
	bool exec_lines; /* execve itself is not among the calls shown */
	struct decode_style style;
	bool no_modes; /* strace's form: no word on threads that change between 64 and 32 bits */
	struct { const struct fdset *reads, *writes; } dump; /* -e read=, write=: whose data are shown below; NULL: nobody's */
	struct fd_state *fds; /* asked what descriptors are; borrowed. NULL: they are numbers */
	/* Called for each event that is shown when what it does counts: for a call before its result is written, which may
	 * be a descriptor that it made; else behind the line. May be NULL. */
	void (*takes_effect)(void *ctx, const struct sysevent *e);
	void *effect_ctx;
	trace_stack *stack;
	trace_stack *stack_now; /* of a call under way; NULL: not to be had */
	void *stack_ctx;
	bool samples; /* --print-sample: a line with the bare facts before each event */
	trace_fields *fields;
	const char *(*event_name)(void *ctx, const struct sysevent *e);
	void *fields_ctx;
};
struct trace_view *trace_view_new(const struct trace_view_options *o, struct out *out);
void trace_view_free(struct trace_view *v);
/* Returns 1 if it wrote something for it (for --max-events), else 0: a call under way may be shown later. */
int trace_view_event(struct trace_view *v, const struct sysevent *e);
/* One that is not to be shown. A call's end is one all the same, and it may be of a second thread. It does not take effect. */
void trace_view_leave_out(struct trace_view *v, const struct sysevent *e);
/* Nothing came for a while: shows which calls are waited in. now: CLOCK_MONOTONIC. */
void trace_view_idle(struct trace_view *v, uint64_t now);
void trace_view_end(struct trace_view *v); /* the unfinished ones */
#endif
