/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event is on a time line: a sample, a mark, or one of those that make slices and counters of a viewer's own:
 * context switches, wake-ups, system calls, CPU frequencies. */
#ifndef UI_EXPORT_TRACKS_H
#define UI_EXPORT_TRACKS_H
#include "syscall/sysevent.h"
#include "ui/export/export.h"

enum track_kind {
	TRACK_SAMPLE, /* of a counter or a clock: its stack is what matters */
	TRACK_POINT, /* a tracepoint or probe */
	TRACK_SWITCH, TRACK_WAKEUP, TRACK_WAKING, TRACK_ENTER, TRACK_EXIT, TRACK_FREQUENCY,
	TRACK_CALL, /* a whole system call, of `trace record` */
};
/* Fields of the kinds that have some of their own. */
enum { SWITCH_PREV_COMM, SWITCH_PREV_PID, SWITCH_PREV_PRIO, SWITCH_PREV_STATE, SWITCH_NEXT_COMM, SWITCH_NEXT_PID, SWITCH_NEXT_PRIO };
enum { WAKE_COMM, WAKE_PID, WAKE_PRIO, WAKE_CPU };
enum { FREQ_STATE, FREQ_CPU };
enum { CALL_NUMBER, CALL_RESULT };
enum { TRACK_FIELDS = 7 };
struct track {
	bool known;
	enum track_kind kind;
	struct tp_format *format; /* NULL: no tracepoint */
	const char *call; /* of one call's own event: its name */
	const struct tp_field *field[TRACK_FIELDS]; /* all there, or the kind would be another */
};
struct tracks { VEC(struct track) at; };
const struct track *track_of(struct tracks *t, struct exporter *x, int event); /* until the next call */
void tracks_release(struct tracks *t);
uint64_t track_number(const struct track *k, const struct perfdata_record *r, int field);
/* Appended, safe to show. */
void track_text(const struct track *k, const struct perfdata_record *r, int field, struct str *out);
/* TRACK_ENTER and TRACK_EXIT: the call's name. */
const char *track_call(const struct track *k, const struct perfdata_record *r);
/* Were events lost, as that record tells, in the chosen time: when, how many? */
bool track_lost(const struct exporter *x, const struct perfdata_record *r, uint64_t *time, uint64_t *n);
/* TRACK_CALL: false: it is no call, or not ours to read. name: the call's. */
bool track_whole_call(const struct perfdata_record *r, struct sysevent *e, const char **name);
/* A tracepoint's fields but the common ones, one after the other. Text, where it has some, is safe to show and until the
 * next call. False: no more. cursor: 0 at first. */
struct track_value { const char *name, *text; uint64_t number; bool is_signed; };
bool track_value(const struct track *k, const struct perfdata_record *r, size_t *cursor, struct str *room, struct track_value *out);
#endif
