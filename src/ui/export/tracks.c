// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/tracks.h"
#include <string.h>
#include "engine/syspack.h"
#include "perfdata/body.h"
#include "syscall/decode.h"

static const struct track_row {
	const char *event;
	enum track_kind kind;
	const char *field[TRACK_FIELDS];
} track_rows[] = {
	{ "sched:sched_switch", TRACK_SWITCH, { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio" } },
	{ "sched:sched_wakeup", TRACK_WAKEUP, { "comm", "pid", "prio", "target_cpu" } },
	{ "sched:sched_wakeup_new", TRACK_WAKEUP, { "comm", "pid", "prio", "target_cpu" } },
	{ "sched:sched_waking", TRACK_WAKING, { "comm", "pid", "prio", "target_cpu" } },
	{ "power:cpu_frequency", TRACK_FREQUENCY, { "state", "cpu_id" } },
	{ "raw_syscalls:sys_enter", TRACK_ENTER, { "id" } },
	{ "raw_syscalls:sys_exit", TRACK_EXIT, { "id", "ret" } },
};

static bool find_fields(struct track *k, const char *const *names)
{
	for (int i = 0; i < TRACK_FIELDS && names[i]; i++)
		if (!(k->field[i] = tp_format_field(k->format, names[i])))
			return false;
	return true;
}

static enum track_kind kind_of(struct track *k, const struct perfdata_event *e)
{
	static const char enter[] = "syscalls:sys_enter_", leave[] = "syscalls:sys_exit_";
	static const char *const result[TRACK_FIELDS] = { "__syscall_nr", "ret" };
	if (!k->format)
		return strcmp(e->name, SYSPACK_EVENT) ? TRACK_SAMPLE : TRACK_CALL;
	for (size_t i = 0; i < sizeof(track_rows) / sizeof(track_rows[0]); i++)
		if (!strcmp(e->name, track_rows[i].event))
			return find_fields(k, track_rows[i].field) ? track_rows[i].kind : TRACK_POINT;
	if (str_starts(e->name, enter)) {
		k->call = e->name + strlen(enter);
		return TRACK_ENTER;
	}
	if (str_starts(e->name, leave) && find_fields(k, result)) {
		k->call = e->name + strlen(leave);
		return TRACK_EXIT;
	}
	return TRACK_POINT;
}

const struct track *track_of(struct tracks *t, struct exporter *x, int event)
{
	while (t->at.n <= (size_t)event)
		vec_push(&t->at);
	struct track *k = &t->at.at[event];
	if (!k->known) {
		k->known = true;
		k->format = profile_format(x->profile, event);
		k->kind = kind_of(k, perfdata_event_at(x->data, event));
	}
	return k;
}

void tracks_release(struct tracks *t)
{
	vec_release(&t->at);
}

uint64_t track_number(const struct track *k, const struct perfdata_record *r, int field)
{
	return tp_field_number(k->field[field], r->raw, r->raw_size);
}

void track_text(const struct track *k, const struct perfdata_record *r, int field, struct str *out)
{
	size_t n;
	const char *p = tp_field_bytes(k->field[field], r->raw, r->raw_size, &n);
	str_add_safe(out, p, p ? n : 0);
}

const char *track_call(const struct track *k, const struct perfdata_record *r)
{
	if (k->call)
		return k->call;
	const struct syscall_row *row = syscall_find(ABI_NATIVE, track_number(k, r, CALL_NUMBER));
	return row ? syscall_name(row) : "system call";
}

bool track_lost(const struct exporter *x, const struct perfdata_record *r, uint64_t *time, uint64_t *n)
{
	struct body b = body_of(r);
	if (r->header->type != PERF_RECORD_LOST || b.n < 16)
		return false;
	*n = u64_at(&b, 8);
	*time = r->time ? r->time : x->last;
	return *n && filter_time(x->o->filter, *time);
}

bool track_whole_call(const struct perfdata_record *r, struct sysevent *e, const char **name)
{
	struct syspack_room room;
	/* perf puts the length before the bytes and fills up behind them: r->raw is the bytes */
	if (!r->raw || !syspack_read(r->raw, r->raw_size, e, &room) || e->type != SYS_CALL || e->silent)
		return false;
	const struct syscall_row *row = syscall_find(e->abi, e->nr);
	e->copied = NULL;
	e->kstack = e->ustack = NULL;
	*name = row ? syscall_name(row) : "system call";
	return true;
}

bool track_value(const struct track *k, const struct perfdata_record *r, size_t *cursor, struct str *room, struct track_value *out)
{
	size_t n;
	const struct tp_field *fd = k->format ? tp_format_fields(k->format, &n) : NULL;
	while (fd && *cursor < n && fd[*cursor].common)
		++*cursor;
	if (!fd || *cursor >= n || !r->raw)
		return false;
	fd += (*cursor)++;
	*out = (struct track_value){ .name = fd->name, .is_signed = fd->is_signed };
	if (fd->kind == TP_NUMBER) {
		out->number = tp_field_number(fd, r->raw, r->raw_size);
		return true;
	}
	str_clear(room);
	tp_field_raw(fd, room, r->raw, r->raw_size);
	out->text = room->buf;
	return true;
}
