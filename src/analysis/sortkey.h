/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report is sorted by and which columns it has. */
#ifndef ANALYSIS_SORTKEY_H
#define ANALYSIS_SORTKEY_H
#include <stdbool.h>
#include <stdint.h>
#include "base/vec.h"

enum sort_key {
	KEY_PID, KEY_TID, KEY_COMM, KEY_DSO, KEY_SYM, KEY_PARENT, KEY_CPU, KEY_SOCKET, KEY_SRCLINE, KEY_SRCFILE,
	KEY_LOCAL_WEIGHT, KEY_WEIGHT, KEY_TRACE, KEY_SYM_SIZE, KEY_CGROUP, KEY_TIME, KEY_ADDR, KEY_IPC,
	KEY_DSO_FROM, KEY_DSO_TO, KEY_SYM_FROM, KEY_SYM_TO, KEY_MISPREDICT, KEY_IN_TX, KEY_ABORT, KEY_CYCLES,
	KEY_SRCLINE_FROM, KEY_SRCLINE_TO, KEY_DSO_SIZE, KEY_CGROUP_ID, KEY_CODE_PAGE_SIZE, KEY_FIELD,
	KEY_SYM_DADDR, KEY_SYM_IADDR, KEY_DSO_DADDR, KEY_LOCKED, KEY_TLB, KEY_MEM, KEY_SNOOP, KEY_DCACHELINE, KEY_PHYS_DADDR,
	KEY_DATA_PAGE_SIZE, KEY_BLOCKED, KEY_LOCAL_INS_LAT, KEY_INS_LAT, KEY_LOCAL_RETIRE_LAT, KEY_RETIRE_LAT,
	KEY_TYPE, KEY_TYPEOFF, KEY_TYPECLN,
};
enum key_of { KEY_OF_SAMPLE, KEY_OF_PLACE, KEY_OF_BRANCH, KEY_OF_MEMORY };
struct key_row {
	const char *name;
	enum sort_key key;
	enum key_of of;
	const char *header;
	int min_width; /* perf's least width of that column */
};

enum column_kind {
	COLUMN_OVERHEAD, COLUMN_SYS, COLUMN_USR, COLUMN_GUEST_SYS, COLUMN_GUEST_USR, COLUMN_CHILDREN,
	COLUMN_SAMPLES, COLUMN_PERIOD, COLUMN_KEY,
};
struct column {
	enum column_kind kind;
	const struct key_row *row; /* of a key */
	char *field, *event; /* of KEY_FIELD: the tracepoint's field; the event, NULL: any */
	int slot; /* of all but KEY_OF_PLACE: which value of a context */
	bool elide; /* one value is left by a filter: not shown */
	int level; /* of --hierarchy */
};
typedef VEC(int) column_order;
struct layout {
	VEC(struct column) col;
	column_order out, sort; /* indices into col: as shown, and by which lines are ordered */
	int n_slot;
	bool self; /* overhead is headed "Self": children stand beside it */
};
struct layout_options {
	const char *sort, *fields; /* -s, -F; NULL: none */
	const char *def; /* default sort keys */
	const char *parent; /* -p: given, it makes parent a key; NULL: not */
	bool children, no_children /* refused, not merely absent */, branch, memory, utilization, samples, period, hierarchy;
	/* Is this the name of a tracepoint's field? NULL: none is. */
	bool (*is_field)(void *ctx, const char *event, const char *field);
	/* The i-th field of all tracepoints, for "trace_fields"; false: no more. Freed by the caller. */
	bool (*field_at)(void *ctx, size_t i, char **event, char **field);
	void *ctx;
};
int layout_make(struct layout *l, const struct layout_options *o); /* -EINVAL: no such key; -ENODATA: not in this recording; pending error */
void layout_release(struct layout *l);
bool layout_has(const struct layout *l, enum sort_key key);
const char *column_header(const struct layout *l, const struct column *c);
#endif
