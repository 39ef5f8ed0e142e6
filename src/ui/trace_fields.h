/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of tracepoints and probes among the lines of a trace. */
#ifndef UI_TRACE_FIELDS_H
#define UI_TRACE_FIELDS_H
#include "base/json.h"
#include "base/str.h"
#include "event/sysevent.h"
#include "perfdata/reader.h"

struct trace_field_events;
/* n events by system and name (NULL system: no tracepoint, only its name is shown). Reads their formats. */
struct trace_event_name { const char *system, *tracepoint, *shown; };
struct trace_field_events *trace_fields_new(const struct trace_event_name *names, size_t n);
/* The same of a recording: all its events, by their number there. p must live as long. */
struct trace_field_events *trace_fields_recorded(struct perfdata *p);
void trace_fields_free(struct trace_field_events *t);
/* A trace_fields (ui/trace_view.h). */
void trace_fields_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
#endif
