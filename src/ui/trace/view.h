/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `sonde trace` shows what happens: as perf trace does, as strace does, or a JSON object per line. */
#ifndef UI_TRACE_VIEW_H
#define UI_TRACE_VIEW_H
#include "base/map.h"
#include "base/out.h"
#include "syscall/sysevent.h"
#include "syscall/decode.h"
#include "syscall/fdstate.h"
#include "ui/trace/files.h"
#include "job/trace/qualify.h"

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
	bool many; /* more than one thread from the start */
	bool plain_pid; /* strace's form: "1234  " and not "[pid  1234] ", as in its files */
	bool no_comm;
	bool failure; /* only calls that failed */
	uint64_t min_ns; /* --duration */
	uint64_t base; /* the time that relative ones count from; 0: the first event's */
	bool quiet; /* only calls: no signals, exits, forks */
	bool exec_lines; /* execve itself is not among the calls shown */
	struct decode_style style;
	enum fd_trust fds; /* what is known of descriptors */
	/* --where: the part that only user space can judge; NULL: everything passes. */
	bool (*passes)(void *ctx, const struct sysevent *e, struct fd_state *fds);
	void *passes_ctx;
	const struct trace_qualify *qualify; /* -e signal=, status=, fd=; NULL: none */
	trace_stack *stack;
	trace_stack *stack_now; /* of a call under way; NULL: not to be had */
	void *stack_ctx;
	unsigned min_stack; /* calls with fewer frames are not shown */
	bool samples; /* --print-sample: a line with the bare facts before each event */
	trace_fields *fields;
	const char *(*event_name)(void *ctx, const struct sysevent *e);
	void *fields_ctx;
};
struct trace_view *trace_view_new(const struct trace_view_options *o, struct out *out);
void trace_view_free(struct trace_view *v);
/* This process is about to be traced: what it has open now is read. execs: a child of ours, before its exec. */
void trace_view_attach(struct trace_view *v, int pid, bool execs);
/* Returns 1 if it wrote something for it (for --max-events), else 0. */
int trace_view_event(struct trace_view *v, const struct sysevent *e);
/* Would this call be shown (--failure, --duration, --where...)? For a summary of those alone. */
bool trace_view_wants(struct trace_view *v, const struct sysevent *e);
bool trace_view_passes(struct trace_view *v, const struct sysevent *e); /* --where alone, which may be asked at a call's entry */
/* Nothing came for a while: shows which calls are waited in. now: CLOCK_MONOTONIC. */
void trace_view_idle(struct trace_view *v, uint64_t now);
void trace_view_end(struct trace_view *v); /* the unfinished ones */
#endif
