// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/threadcounts.h"
#include <string.h>

static size_t column_of(struct thread_counts *t, int event)
{
	for (size_t i = 0; i < t->event.n; i++)
		if (t->event.at[i] == event)
			return i;
	*vec_push(&t->event) = event;
	return t->event.n - 1;
}

static struct thread_row *row_of(struct thread_counts *t, uint32_t pid, uint32_t tid)
{
	uint64_t key = (uint64_t)pid << 32 | tid;
	uintptr_t i = (uintptr_t)u64map_get(&t->index, key);
	if (!i) {
		*vec_push(&t->row) = (struct thread_row){ .pid = (int)pid, .tid = (int)tid };
		i = t->row.n;
		u64map_set(&t->index, key, (void *)i);
	}
	return &t->row.at[i - 1];
}

/* Body: pid, tid, then the value as read() gives it. A group's values never come this way: the kernel refuses
 * to inherit them. */
void thread_counts_feed(struct thread_counts *t, const struct perfdata_record *r)
{
	struct { uint32_t pid, tid; uint64_t value; } body;
	if (r->header->type != PERF_RECORD_READ || !r->event || r->header->size < sizeof(*r->header) + sizeof(body) ||
	    r->event->attr.read_format & PERF_FORMAT_GROUP)
		return;
	memcpy(&body, r->header + 1, sizeof(body));
	size_t column = column_of(t, r->event_index);
	struct thread_row *row = row_of(t, body.pid, body.tid);
	while (row->count.n <= column)
		*vec_push(&row->count) = 0;
	row->count.at[column] += body.value;
}

void thread_counts_release(struct thread_counts *t)
{
	vec_each(&t->row, row)
		vec_release(&row->count);
	vec_release(&t->row);
	vec_release(&t->event);
	u64map_release(&t->index);
}
