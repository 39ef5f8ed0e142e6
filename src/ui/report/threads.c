// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/threads.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void widen(int *width, int n)
{
	if (n > *width)
		*width = n;
}

static uint64_t count_at(const struct thread_row *r, size_t column)
{
	return column < r->count.n ? r->count.at[column] : 0;
}

void threads_print(struct out *out, const struct thread_counts *t, const struct perfdata *p)
{
	int pid = 3, tid = 3;
	VEC(int) width = { 0 };
	vec_each(&t->event, e)
		*vec_push(&width) = (int)strlen(perfdata_event_at(p, *e)->name);
	vec_each(&t->row, r) {
		widen(&pid, snprintf(NULL, 0, "%d", r->pid));
		widen(&tid, snprintf(NULL, 0, "%d", r->tid));
		for (size_t i = 0; i < t->event.n; i++)
			widen(&width.at[i], snprintf(NULL, 0, "%" PRIu64, count_at(r, i)));
	}
	out_printf(out, "# %*s  %*s", pid, "PID", tid, "TID");
	for (size_t i = 0; i < t->event.n; i++)
		out_printf(out, "  %*s", width.at[i], perfdata_event_at(p, t->event.at[i])->name);
	out_puts(out, "\n");
	vec_each(&t->row, r) {
		out_printf(out, "  %*d  %*d", pid, r->pid, tid, r->tid);
		for (size_t i = 0; i < t->event.n; i++)
			out_printf(out, "  %*" PRIu64, width.at[i], count_at(r, i));
		out_puts(out, "\n");
	}
	vec_release(&width);
}
