/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The generic events of perf_event_open by the names that perf's users know. */
#ifndef SPEC_NAMES_H
#define SPEC_NAMES_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

/* Not of the kernel: attr.type of the figures that stat itself takes. */
enum { EVENT_TYPE_TOOL = 0x7ffffffe };
enum { TOOL_DURATION, TOOL_USER, TOOL_SYSTEM };

struct event_name {
	const char *name, *alias; /* alias may be NULL */
	uint32_t type;
	uint64_t config;
	const char *help;
};
/* Each ends with a row whose name is NULL. */
extern const struct event_name hardware_names[], software_names[], tool_names[];
const struct event_name *event_name_find(const struct event_name *rows, const char *word);

/* "LLC-load-misses", "dTLB-prefetch-misses", "L1-dcache-stores": true and the config. */
bool cache_name_parse(const char *word, uint64_t *config);
/* The i-th cache event worth listing, as text; false after the last. */
bool cache_name_at(unsigned i, struct str *name, uint64_t *config);
#endif
