// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints in Perfetto's trace: ftrace's messages for the scheduler's, track events for the rest. */
#include "ui/export/pb.h"
#include "ui/export/perfetto.h"

static uint64_t track_id(const struct thread *t)
{
	return idmap_mix((uint32_t)t->tid, (uint32_t)t->pid) | 1;
}

void perfetto_thread_track(struct str *s, const struct thread *t, uint64_t time)
{
	size_t packet = perfetto_packet(s, time, 0), track = pb_open(s, PACKET_TRACK);
	pb_u64(s, TRACK_ID, track_id(t));
	size_t of = pb_open(s, TRACK_THREAD);
	pb_u64(s, TRACK_THREAD_PID, t->pid);
	pb_u64(s, TRACK_THREAD_TID, t->tid);
	pb_text(s, TRACK_THREAD_NAME, t->comm);
	pb_close(s, of);
	pb_close(s, track);
	pb_close(s, packet);
}

/* ---- ftrace's own ---- */

static void add_text(const struct track *k, const struct perfdata_record *r, int field, struct str *s, unsigned number)
{
	size_t at = pb_open(s, number);
	track_text(k, r, field, s);
	pb_close(s, at);
}

static void add_number(const struct track *k, const struct perfdata_record *r, int field, struct str *s, unsigned number)
{
	pb_u64(s, number, track_number(k, r, field));
}

/* Their fields are numbered in the order of ours. */
static void add_switch(const struct track *k, const struct perfdata_record *r, struct str *s)
{
	size_t at = pb_open(s, FTRACE_SWITCH);
	for (int i = 0; i < TRACK_FIELDS; i++)
		(i == SWITCH_PREV_COMM || i == SWITCH_NEXT_COMM ? add_text : add_number)(k, r, i, s, i + 1);
	pb_close(s, at);
}

static void add_wakeup(const struct track *k, const struct perfdata_record *r, struct str *s)
{
	enum { THEIR_COMM = 1, THEIR_PID, THEIR_PRIO, THEIR_SUCCESS, THEIR_CPU };
	size_t at = pb_open(s, k->kind == TRACK_WAKEUP ? FTRACE_WAKEUP : FTRACE_WAKING);
	add_text(k, r, WAKE_COMM, s, THEIR_COMM);
	add_number(k, r, WAKE_PID, s, THEIR_PID);
	add_number(k, r, WAKE_PRIO, s, THEIR_PRIO);
	pb_u64(s, THEIR_SUCCESS, 1);
	add_number(k, r, WAKE_CPU, s, THEIR_CPU);
	pb_close(s, at);
}

static void add_frequency(const struct track *k, const struct perfdata_record *r, struct str *s)
{
	size_t at = pb_open(s, FTRACE_FREQUENCY);
	add_number(k, r, FREQ_STATE, s, 1);
	add_number(k, r, FREQ_CPU, s, 2);
	pb_close(s, at);
}

static void add_ftrace(struct str *s, const struct track *k, const struct perfdata_record *r)
{
	size_t packet = pb_open(s, TRACE_PACKET), bundle, event;
	pb_u64(s, PACKET_SEQUENCE, r->event_index + 1);
	bundle = pb_open(s, PACKET_FTRACE);
	pb_u64(s, BUNDLE_CPU, r->cpu >= 0 ? r->cpu : 0);
	event = pb_open(s, BUNDLE_EVENT);
	pb_u64(s, FTRACE_TIME, r->time);
	pb_u64(s, FTRACE_PID, r->tid);
	if (k->kind == TRACK_SWITCH)
		add_switch(k, r, s);
	else if (k->kind == TRACK_FREQUENCY)
		add_frequency(k, r, s);
	else
		add_wakeup(k, r, s);
	pb_close(s, event);
	pb_close(s, bundle);
	pb_close(s, packet);
}

/* ---- slices and marks of a thread ---- */

static void add_note(struct str *s, const struct track_value *v)
{
	size_t at = pb_open(s, EVENT_ANNOTATION);
	pb_text(s, NOTE_NAME, v->name);
	if (v->text)
		pb_text(s, NOTE_STRING, v->text);
	else
		pb_u64(s, v->is_signed ? NOTE_INT : NOTE_UINT, v->number);
	pb_close(s, at);
}

static void add_notes(struct str *s, const struct track *k, const struct perfdata_record *r)
{
	struct track_value v;
	struct str room = STR_INIT;
	for (size_t cursor = 0; track_value(k, r, &cursor, &room, &v);)
		add_note(s, &v);
	str_release(&room);
}

static void add_event(struct str *s, const struct export_sample *sample, uint64_t time, unsigned type, const char *name, const struct track *k)
{
	const struct perfdata_record *r = sample->r;
	size_t packet = perfetto_packet(s, time, r->event_index), at = pb_open(s, PACKET_EVENT);
	pb_u64(s, EVENT_TYPE, type);
	pb_u64(s, EVENT_TRACK, track_id(sample->t));
	if (type != EVENT_SLICE_END) {
		pb_text(s, EVENT_CATEGORY, type == EVENT_SLICE_BEGIN ? "system calls" : "tracepoints");
		pb_text(s, EVENT_NAME, name);
	}
	if (k)
		add_notes(s, k, r);
	pb_close(s, at);
	pb_close(s, packet);
}

static void add_call(struct str *s, const struct export_sample *sample)
{
	struct sysevent e;
	const char *name;
	if (!track_whole_call(sample->r, &e, &name))
		return;
	struct track_value ret = { .name = "ret", .number = e.ret, .is_signed = true };
	add_event(s, sample, e.enter_time ? e.enter_time : e.time, EVENT_SLICE_BEGIN, name, NULL);
	size_t packet = perfetto_packet(s, e.time, sample->r->event_index), at = pb_open(s, PACKET_EVENT);
	pb_u64(s, EVENT_TYPE, EVENT_SLICE_END);
	pb_u64(s, EVENT_TRACK, track_id(sample->t));
	if (!e.no_return)
		add_note(s, &ret);
	pb_close(s, at);
	pb_close(s, packet);
}

int perfetto_lost(struct exporter *x, const struct perfdata_record *r)
{
	struct track_value lost = { .name = "lost" }, cpu = { .name = "cpu", .number = r->cpu };
	struct str *s = &x->text;
	uint64_t time;
	if (!track_lost(x, r, &time, &lost.number))
		return 0;
	size_t packet = perfetto_packet(s, time, 0), at = pb_open(s, PACKET_EVENT);
	pb_u64(s, EVENT_TYPE, EVENT_INSTANT);
	pb_u64(s, EVENT_TRACK, 0); /* of all */
	pb_text(s, EVENT_CATEGORY, "lost");
	pb_text(s, EVENT_NAME, "events lost");
	add_note(s, &lost);
	if (r->cpu >= 0)
		add_note(s, &cpu);
	pb_close(s, at);
	pb_close(s, packet);
	return 0;
}

bool perfetto_track(struct exporter *x, const struct track *k, const struct export_sample *s)
{
	switch (k->kind) {
	case TRACK_SAMPLE:
		return false;
	case TRACK_SWITCH:
	case TRACK_WAKEUP:
	case TRACK_WAKING:
	case TRACK_FREQUENCY:
		add_ftrace(&x->text, k, s->r);
		return true;
	case TRACK_ENTER:
		add_event(&x->text, s, s->r->time, EVENT_SLICE_BEGIN, track_call(k, s->r), k);
		return true;
	case TRACK_EXIT:
		add_event(&x->text, s, s->r->time, EVENT_SLICE_END, NULL, k);
		return true;
	case TRACK_CALL:
		add_call(&x->text, s);
		return true;
	default:
		add_event(&x->text, s, s->r->time, EVENT_INSTANT, s->r->event->name, k);
		return true;
	}
}
