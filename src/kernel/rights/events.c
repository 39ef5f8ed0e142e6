// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/rights/events.h"
#include <errno.h>
#include "base/error.h"
#include "kernel/pmu.h"
#include "kernel/rights/lent.h"
#include "kernel/tracefs.h"

enum ground { LENT, MEMORY, CHAINS, REGISTERS, FIELDS, PROBE };

static bool is_of(const struct perf_event_attr *attr, const char *name)
{
	const struct pmu *p = pmu_find(name);
	return p && p->type == attr->type;
}

/* A tracepoint's number can be guessed (tracepoint/config=N/): its fields are for those who may read what it is. That goes for
 * counts too: with a filter they tell the fields. */
static enum ground ground_of(const struct perf_event_attr *attr, bool whole)
{
	if (whole && attr->sample_type & (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR))
		return MEMORY;
	if (whole && attr->sample_type & PERF_SAMPLE_CALLCHAIN && !attr->exclude_callchain_user)
		return CHAINS; /* the kernel reads what frame pointers, or whatever is in that register, lead to */
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR && !attr->exclude_kernel)
		return REGISTERS;
	if (attr->type == PERF_TYPE_TRACEPOINT)
		return tracefs_id_was_read((int64_t)attr->config) ? LENT : FIELDS;
	if (attr->type >= PERF_TYPE_MAX && (is_of(attr, "kprobe") || is_of(attr, "uprobe")))
		return PROBE;
	return LENT;
}

bool lent_event(const struct perf_event_attr *attr, bool whole)
{
	return !lent() || ground_of(attr, whole) == LENT;
}

int lent_event_refuse(const struct perf_event_attr *attr, const char *name, bool whole)
{
	switch (lent() ? ground_of(attr, whole) : LENT) {
	case LENT:
		return 0;
	case MEMORY:
		error_set(EPERM, "no permission to copy stacks and registers of the whole machine");
		return error_hint("the capabilities of sonde's file are not for others' memory: sudo sonde ...");
	case CHAINS:
		error_set(EPERM, "no permission to follow the stacks of all programs");
		return error_hint("the capabilities of sonde's file are not for others' memory: those of the kernel are --kernel-callchains; or sudo sonde ...");
	case REGISTERS:
		error_set(EPERM, "no permission to copy the kernel's registers");
		return error_hint("the capabilities of sonde's file are not for the kernel's data: those of user space are %s:u; or sudo sonde ...", name);
	case FIELDS:
		error_set(EPERM, "no permission to open %s: which tracepoint that is could not be read in tracefs", name);
		return error_hint("name it as SYSTEM:EVENT, with a tracefs that your group may read: %s; or sudo sonde ...", tracefs_open_up());
	case PROBE:
		error_set(EPERM, "no permission to open %s", name);
		return error_hint("the capabilities of sonde's file are not for probes: sudo sonde ...");
	}
	return 0;
}
