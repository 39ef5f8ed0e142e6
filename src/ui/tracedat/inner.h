/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the view share. */
#ifndef UI_TRACEDAT_INNER_H
#define UI_TRACEDAT_INNER_H
#include "base/map.h"
#include "session/tpformat.h"
#include "ui/tracedat/view.h"

struct view_row;
/* What stands behind an event's name. True: the print format comes after it. */
typedef bool view_text(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r);

enum { VIEW_FIELDS = 8 };
struct view_row { /* of an event */
	char *head; /* " sched_switch:         " */
	struct tp_format *format; /* NULL: the file has none, or not a kernel's */
	view_text *text; /* NULL: only the print format */
	const struct tp_field *field[VIEW_FIELDS]; /* that text() asks for; none is NULL where text is set */
	bool raw;
};

struct view_stack { wordlist names; }; /* of the functions on a CPU, as the function tracer tells them */
struct view_wakeups { struct u64map at; struct view_latency { uint64_t sum, n, max, max_at, min, min_at; } all, rt; };

struct tracedat_view {
	struct tracedat *t;
	struct tracedat_view_options o;
	struct view_row **row; /* by event id */
	const wordlist *raw_events, *plain_events;
	VEC(struct view_stack) stack; /* by CPU */
	struct view_wakeups wake;
	uint64_t last; /* time of the line before, for --ts-diff */
	bool any;
	int graph_exit; /* the event's id; -1: none */
	int err; /* of a peek */
};

/* texts.c: sets text and fields of the row, if this event has a text of its own */
void view_texts_find(struct view_row *row, const char *system, const char *name);
/* graph.c */
view_text view_graph_entry, view_graph_exit, view_function, view_kernel_stack, view_user_stack;
/* wakeup.c */
void view_wakeup(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r);

static inline uint64_t view_number(const struct view_row *row, int i, const struct tracedat_record *r)
{
	return tp_field_number(row->field[i], r->data, r->size);
}
#endif
