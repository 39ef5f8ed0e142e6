/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples by thread and event, in order of time, for formats that want each thread's in one piece. Equal stacks that follow
 * each other are one, unless each is to keep its time. */
#ifndef UI_EXPORT_LANES_H
#define UI_EXPORT_LANES_H
#include "ui/export/export.h"

struct lane_sample { uint64_t time, weight; uint32_t stack; };
struct lane_mark { uint64_t from, to; uint32_t name; size_t data; /* in lane.data, with a NUL behind it */ };
struct export_lane {
	int pid, tid, event;
	const char *comm; /* the last one */
	const char *command;
	uint64_t weight;
	VEC(struct lane_sample) sample;
	VEC(struct lane_mark) mark;
	VEC(uint64_t) open; /* times of marks that have begun */
	struct str data;
};
struct lanes {
	VEC(struct export_lane *) at;
	struct idmap index;
	bool times; /* no two samples are made one */
};
/* The one that is of that thread and event; a mark's: those of one thread have one event, -1. */
struct export_lane *lanes_of(struct lanes *l, struct exporter *x, const struct export_sample *s, int event);
void lanes_add(struct lanes *l, struct exporter *x, const struct export_sample *s);
void lanes_release(struct lanes *l);
/* "comm (tid)", with the event where there are several; appended, safe to show. */
void lane_name(const struct export_lane *n, const struct exporter *x, struct str *out);
#endif
