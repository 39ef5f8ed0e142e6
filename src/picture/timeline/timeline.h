/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tasks and CPUs did over time, as one HTML page without network: a row for each CPU and for chosen tasks, the list of all
 * events below. Runs, waits and delays are those of sched timehist (analysis/sched/timehist.h).
 *
 * Events go into columns, a number of seven bits a byte for each, deflated: about five bytes an event. The page (timeline.js)
 * reads the columns in the order of `enum timeline_column`. Texts of fields are kept in blocks, which are unpacked when one is looked at. */
#ifndef PICTURE_TIMELINE_TIMELINE_H
#define PICTURE_TIMELINE_TIMELINE_H
#include "analysis/sched/timehist.h"
#include "base/out.h"
#include "perfdata/reader.h"
#include "session/filter.h"

enum timeline_type { TIMELINE_SWITCH, TIMELINE_WAKEUP, TIMELINE_MIGRATE, TIMELINE_LOST, TIMELINE_TICK, TIMELINE_SAMPLE, TIMELINE_CALL };
enum timeline_column {
	/* of every event */
	COLUMN_TIME, /* ns since the one before */
	COLUMN_KIND, /* number in the table of kinds */
	COLUMN_CPU, /* and 1; 0: unknown */
	COLUMN_TASK, /* who ran there; of a switch who leaves */
	/* of a switch */
	COLUMN_NEXT,
	COLUMN_PRIO, /* and 1; of a switch of who leaves, then of who comes; of a wakeup or a migration of that task */
	COLUMN_STATE, COLUMN_RUN, COLUMN_DELAY, COLUMN_WAIT, COLUMN_DOUBT,
	/* of a wakeup or a migration */
	COLUMN_OTHER, COLUMN_FROM, COLUMN_TO, /* CPUs and 1 */
	COLUMN_AMOUNT, /* of LOST: how many, then how long the gap is; of a CALL, which stands where it ends: how long it took; of a SAMPLE
			* its weight */
	COLUMN_TEXT, /* of TICK, SAMPLE, CALL: bytes of its text */
	COLUMN_N,
};

struct timeline_kind { char *name; enum timeline_type type; };
struct timeline {
	/* options */
	const char *title;
	uint64_t most; /* events; those after are left out. 0: TIMELINE_MOST */
	size_t busiest; /* rows for so many tasks; those in `rows` come first */
	intlist rows; /* thread ids that have a row */
	const struct sample_filter *only; /* these threads and CPUs alone are drawn; NULL: all */
	/* made */
	struct timehist runs; /* its options are the caller's */
	uint64_t first, last, events, left_out; /* left_out: events after the most */
	VEC(struct timeline_kind) kinds;
	struct str column[COLUMN_N];
	struct str texts; /* of the present block */
	VEC(struct str) blocks; /* packed */
	struct u64map numbers; /* struct sched_task to its number and 1 */
	VEC(const struct sched_task *) tasks; /* 0: idle */
	uint64_t before; /* the time of the event before */
	int next_switch, n_cpus;
};
enum { TIMELINE_MOST = 5000000 };

void timeline_init(struct timeline *t);
int timeline_kind(struct timeline *t, const char *name, enum timeline_type type); /* its number; made once for each event */
/* Every event of the recording, in order of time. kind: as above, -1: of the scheduler, but none that is drawn. text: what is known of
 * a TICK, SAMPLE or CALL; amount of a CALL: ns, of a SAMPLE: its weight. */
void timeline_add(struct timeline *t, const struct sched_event *e, int kind, const struct str *text, uint64_t amount);
/* read.c: all of a recording. syms names samples. -errno and a pending error. */
struct timeline_source {
	struct perfdata *p;
	const char *path;
	struct symbols *syms;
	const wordlist *symbols; /* samples in these functions alone; NULL: in any */
	bool force;
	uint64_t from, to; /* 0: no bound */
};
int timeline_read(struct timeline *t, const struct timeline_source *s);
/* Is that thread one of those to be drawn? */
bool timeline_takes(const struct timeline *t, const struct sched_task *task);
void timeline_write(struct timeline *t, struct out *o);
void timeline_release(struct timeline *t);
#endif
