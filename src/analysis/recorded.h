/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the events of a recording allow to be shown. */
#ifndef ANALYSIS_RECORDED_H
#define ANALYSIS_RECORDED_H
#include "perfdata/reader.h"

uint64_t recorded_sample_types(const struct perfdata *p); /* those of all events */
bool recorded_has_chains(const struct perfdata *p); /* or may have, where a pipe tells only later */
bool recorded_only_tracepoints(const struct perfdata *p);
/* Events of a group side by side: is this the one that stands for it, or another of its events? */
bool recorded_leads(const struct perfdata *p, size_t i);
bool recorded_follows(const struct perfdata *p, size_t i);
/* The socket that a CPU of the recording's machine is in; -1: not told. */
int recorded_socket(const struct perfdata *p, int cpu);
/* "4K", "2M", "N/A" */
const char *recorded_page_size(uint64_t size, char *buf, size_t n);
/* Does the word name that event: its name, a part of it, or "%3" for the third? */
bool recorded_is_event(const struct perfdata *p, size_t i, const char *word);
/* A tracepoint's fields as sort keys (layout_options). event: NULL for any. field_at: the n-th of all, for suggestions. */
bool recorded_has_field(void *perfdata, const char *event, const char *field);
bool recorded_field_at(void *perfdata, size_t n, char **event, char **field);
#endif
