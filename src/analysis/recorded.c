// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/recorded.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/str.h"
#include "kernel/topology.h"
#include "session/tpformat.h"

uint64_t recorded_sample_types(const struct perfdata *p)
{
	uint64_t t = 0;
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		t |= perfdata_event_at(p, i)->attr.sample_type;
	return t;
}

bool recorded_has_chains(const struct perfdata *p)
{
	return recorded_sample_types(p) & PERF_SAMPLE_CALLCHAIN || perfdata_is_pipe(p);
}

bool recorded_only_tracepoints(const struct perfdata *p)
{
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (perfdata_event_at(p, i)->attr.type != PERF_TYPE_TRACEPOINT)
			return false;
	return perfdata_n_events(p) > 0 && !perfdata_is_pipe(p);
}

bool recorded_leads(const struct perfdata *p, size_t i)
{
	const struct perfdata_event *e = perfdata_event_at(p, i);
	return e->group_leader == (int)i && e->group_members > 1;
}

bool recorded_follows(const struct perfdata *p, size_t i)
{
	int leader = perfdata_event_at(p, i)->group_leader;
	return leader >= 0 && leader != (int)i;
}

bool recorded_is_event(const struct perfdata *p, size_t i, const char *word)
{
	const char *name = perfdata_event_at(p, i)->name;
	if (*word == '%')
		return strtoul(word + 1, NULL, 10) == i + 1;
	return strchr(word, ':') ? !strcmp(name, word) : !!strstr(name, word);
}

bool recorded_has_field(void *data, const char *event, const char *field)
{
	struct perfdata *p = data;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		if (!e->tep || (event && !recorded_is_event(p, i, event)))
			continue;
		struct tp_format *f = tp_format_new(perfdata_tep(p), e->tep, NULL);
		bool has = tp_format_field(f, field);
		tp_format_free(f);
		if (has)
			return true;
	}
	return false;
}

bool recorded_field_at(void *data, size_t n, char **event, char **field)
{
	struct perfdata *p = data;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		if (!e->tep)
			continue;
		struct tp_format *f = tp_format_new(perfdata_tep(p), e->tep, NULL);
		size_t k, count;
		const struct tp_field *fd = tp_format_fields(f, &count);
		for (k = 0; k < count; k++)
			if (!fd[k].common && !n--)
				break;
		if (k < count) {
			*event = xstrdup(e->name);
			*field = xstrdup(fd[k].name);
		}
		tp_format_free(f);
		if (k < count)
			return true;
	}
	return false;
}

int recorded_socket(const struct perfdata *p, int cpu)
{
	return cpu >= 0 && perfdata_says(p, PERFDATA_PLACES) ? perfdata_place(p, cpu).socket : -1;
}

const char *recorded_page_size(uint64_t size, char *buf, size_t n)
{
	static const char unit[] = " KMGT";
	int u = 0;
	if (!size)
		return "N/A";
	for (; size >= 1024 && u < 4; u++)
		size /= 1024;
	snprintf(buf, n, u ? "%" PRIu64 "%c" : "%" PRIu64, size, unit[u]);
	return buf;
}
