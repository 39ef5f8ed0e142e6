/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by name: the grammar that stat, record, top and trace --event share.
 * Text in, a list of perf_event_attr with names, groups and filters out. Nothing is opened here. */
#ifndef SPEC_SPEC_H
#define SPEC_SPEC_H
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/vec.h"

enum event_kind { EVENT_HARDWARE, EVENT_SOFTWARE, EVENT_CACHE, EVENT_RAW, EVENT_PMU, EVENT_BREAKPOINT, EVENT_TRACEPOINT,
	EVENT_TOOL /* duration_time and the like: stat's own figures, nothing to open */ };

struct event {
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip, pinned..., sample_period/freq if given */
	enum event_kind kind;
	char *name; /* as shown: "cycles:u", "sched:sched_switch" */
	bool name_given; /* by name= */
	char *system, *tracepoint; /* of a tracepoint, else NULL */
	char *filter; /* tracepoint filter, NULL: none */
	char *sample_filter; /* of another event (samplefilter.h), NULL: none */
	char *pmu; /* "cpu", "msr"; NULL for generic events */
	char *unit; double scale; /* from sysfs; scale 1 and NULL by default */
	int group; /* index of the leader in the list; itself when alone */
	bool group_sample; /* {..}:S */
	bool weak_group; /* :W */
	bool exclude_user_given; /* u/k/h was written */
	intptr_t tag; /* the caller's */
	const int *cpus; /* PMU's cpumask, -1 terminated; NULL: any CPU */
	bool missing; /* the kernel has no such event: counts as <not supported> */
	bool elsewhere; /* counted by other means (attach/syscount.h): events_open leaves it out */
	char *text; /* the piece of text it came from */
	int cgroup; /* from 1: index in target.cgroups; 0: none */
	unsigned batch; /* which -e it came from, from 0 */
	bool precise_max; /* :P: the most precise that opens */
	/* Terms between slashes that only a recorder heeds; NULL or 0: not given. */
	char *call_graph; /* call-graph=fp|dwarf|lbr|no */
	unsigned stack_size, max_stack;
	int inherit; /* 1 inherit, -1 no-inherit, 0 not given */
};
typedef VEC(struct event) event_list;

enum { EVENTS_MAX = 65536 }; /* in one list; more is an error */

/* Appends the events of one -e argument. A wrong name is a pending error with the text, a caret
 * under the place (error_detail) and the nearest names; -errno. */
int events_parse(event_list *l, const char *text);
/* --filter: applies to the tracepoints of the last -e. */
int events_filter(event_list *l, const char *filter);
/* The same for a recorder: where there is no tracepoint, it is a filter of samples (samplefilter.h). */
int events_sample_filter(event_list *l, const char *filter);
void events_release(event_list *l);
/* "instructions" -> the generic event with that type and config, however it was spelt. */
bool event_is(const struct event *e, uint32_t type, uint64_t config);
/* After a PERF_EVENT_IOC_SET_FILTER that failed: which part of the filter is wrong. Pending error. */
int event_filter_explain(int err, const struct event *e);
/* For the reader of a filter or a list: the fields of a tracepoint's format, common ones left out. */
struct tracepoint_field { char *decl, *name; unsigned offset, size; bool is_signed; };
typedef VEC(struct tracepoint_field) tp_fields;
int tracepoint_fields(const char *system, const char *name, tp_fields *out);
void tp_fields_release(tp_fields *f);
#endif
