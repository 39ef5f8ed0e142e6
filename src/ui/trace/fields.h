/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of tracepoints and probes among the lines of a trace. */
#ifndef UI_TRACE_FIELDS_H
#define UI_TRACE_FIELDS_H
#include "base/json.h"
#include "base/str.h"
#include "syscall/sysevent.h"
#include "perfdata/reader.h"
#include "symbol/symbols.h"

struct trace_field_events;
enum fault_kind { FAULT_NONE, FAULT_ANY, FAULT_MINOR, FAULT_MAJOR };
enum fault_kind fault_kind(const struct perf_event_attr *a);
struct trace_field_events *trace_fields_new(void);
/* The next event, by its number from 0 on. format: the kernel's, of that tracepoint; system NULL: only its name is shown. */
void trace_fields_add(struct trace_field_events *t, const char *shown, enum fault_kind fault, const char *system,
		      const char *tracepoint, const struct str *format);
/* The same of a recording: all its events, by their number there. p must live as long. */
struct trace_field_events *trace_fields_recorded(struct perfdata *p);
void trace_fields_free(struct trace_field_events *t);
/* Who names the places of page faults and samples; borrowed. live: /proc tells what was mapped before. */
void trace_fields_symbols(struct trace_field_events *t, struct symbols *syms, bool live);
const char *trace_fields_name(void *ctx, const struct sysevent *e);
/* The number of an event by its name; -1: none. t is a struct trace_field_events. */
int trace_fields_find(void *t, const char *name);
enum fault_kind trace_fields_fault(const struct trace_field_events *t, const struct sysevent *e);
/* A number in a tracepoint's record; false: it has no such field. */
bool trace_fields_number(const struct trace_field_events *t, const struct sysevent *e, const char *field, uint64_t *v);
/* A trace_fields (ui/trace/view.h). */
void trace_fields_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
#endif
