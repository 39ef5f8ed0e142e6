/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The view from the inside: what it keeps for all forms of its lines, and what a form is. view.c decides which lines
 * are written and in which order (calls under way, a file for each thread); a form writes them:
 *   form_perf.c    as perf trace does
 *   form_strace.c  as strace does
 *   form_json.c    an object a line
 * The first two share form_text.c. */
#ifndef UI_TRACE_FORM_H
#define UI_TRACE_FORM_H
#include "base/vec.h"
#include "ui/trace/view.h"

struct call_under_way;
struct ms_text { /* a number of milliseconds, in so many columns with its decimals */
	uint64_t ms;
	unsigned width, len; /* len 0: none yet */
	char text[24];
};

struct trace_view {
	struct trace_view_options o;
	const struct trace_form_ops *form;
	struct out *out; /* where the next line goes */
	struct decoder *decoder;
	bool many; /* lines tell whose they are */
	int only_tid; /* the first one seen */
	uint64_t base; /* relative times count from here */
	uint64_t last; /* -r: when the last line was */
	struct u64map waits; /* tid -> struct call_under_way */
	VEC(struct call_under_way *) hidden; /* those not shown yet, oldest first; entries may be dead */
	struct str line;
	struct ms_text when, took; /* text: as they were told last */
	struct u64map modes; /* strace: tid -> enum sys_abi */
	struct u64map numbers; /* strace: tid -> its last call, for -n */
	bool schema_told; /* JSON */
};

struct trace_form_ops {
	unsigned column; /* where results begin, unless the user says so */
	/* Behind what under_way() wrote, when others' lines come before the call's end. NULL: it is shown at once. */
	const char *under_way_end;
	/* A call that has returned, with all that belongs below it. continued: that it began was shown, or not seen.
	 * view_takes_effect() comes in between, once what it changes may be shown. */
	void (*call)(struct trace_view *v, const struct sysevent *e, bool continued, struct str *s);
	void (*under_way)(struct trace_view *v, const struct sysevent *e, struct str *s);
	void (*other)(struct trace_view *v, const struct sysevent *e, struct str *s); /* signals, ends, execs, forks, losses */
	bool (*told)(const struct trace_view *v, const struct sysevent *e); /* has a call's own line said that? NULL: never */
	void (*event)(struct trace_view *v, const struct sysevent *e, struct str *s); /* tracepoints, probes, samples */
	/* Text: what a line begins with. when: 0 unknown. took: UINT64_MAX for what has no duration. */
	void (*head)(struct trace_view *v, const struct sysevent *e, uint64_t when, uint64_t took, struct str *s);
};
extern const struct trace_form_ops trace_form_perf, trace_form_strace, trace_form_json;

/* From now on the descriptors are as the call (or other event) has left them. */
static inline void view_takes_effect(struct trace_view *v, const struct sysevent *e)
{
	if (v->o.takes_effect)
		v->o.takes_effect(v->o.effect_ctx, e);
}
const char *view_call_name(const struct sysevent *e);

/* For the two of text (form_text.c). */
void text_under_way(struct trace_view *v, const struct sysevent *e, struct str *s);
void text_other(struct trace_view *v, const struct sysevent *e, struct str *s);
void text_event(struct trace_view *v, const struct sysevent *e, struct str *s);
/* The line above a call (--print-sample). */
void text_sample(struct trace_view *v, const struct sysevent *e, const char *name, struct str *s);
/* " = 3" in its column, counted from start on; takes effect before. */
void text_result(struct trace_view *v, const struct sysevent *e, struct str *s, size_t start);
void text_below(struct trace_view *v, const struct sysevent *e, struct str *s); /* a call's data, its stack */
/* Nanoseconds as milliseconds with three decimals, right-aligned. before: as they were last time. */
void text_ms(struct str *s, uint64_t ns, unsigned width, struct ms_text *before);
void text_seconds(struct str *s, uint64_t ns, unsigned digits);
void text_fraction(struct str *s, uint64_t ns, unsigned digits); /* ".123", of a second */
void text_wall(struct trace_view *v, struct str *s, uint64_t when); /* -tt, -ttt */
uint64_t text_since_last(struct trace_view *v, uint64_t when); /* -r */
static inline uint64_t text_took(const struct sysevent *e)
{
	return e->enter_time && !e->no_return ? e->time - e->enter_time : UINT64_MAX;
}
#endif
