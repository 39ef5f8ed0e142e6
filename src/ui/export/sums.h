/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Equal samples added up, for formats that have no times: by stack, thread with its name, CPU and event. */
#ifndef UI_EXPORT_SUMS_H
#define UI_EXPORT_SUMS_H
#include "ui/export/export.h"

struct export_who { int pid, tid, cpu; const char *comm, *command; };
struct export_sum { uint32_t stack, who; int event; uint64_t weight, samples; };
struct export_sums {
	VEC(struct export_sum) sum; /* in the order in which they were first met */
	VEC(struct export_who) who;
	struct idmap index, whos;
};
void sums_add(struct export_sums *u, struct exporter *x, const struct export_sample *s);
/* Sorts them, so that all events of one stack and who are neighbours. */
void sums_sort(struct export_sums *u);
void sums_release(struct export_sums *u);
#endif
