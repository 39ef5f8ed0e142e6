// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/sched/perf.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/vec.h"
#include "perfdata/body.h"
#include "session/tpformat.h"

enum { F_TASK, F_NEXT, F_PRIO, F_NEXT_PRIO, F_STATE, F_NAME, F_NEXT_NAME, F_FROM, F_TO, F_AMOUNT, N_FIELDS };

/* The fields that each of them is read from. */
static const struct kind_row { const char *event; enum sched_kind kind; bool born; const char *field[N_FIELDS]; } kinds[] = {
	{ "sched:sched_switch", SCHED_SWITCH, false,
	  { "prev_pid", "next_pid", "prev_prio", "next_prio", "prev_state", "prev_comm", "next_comm" } },
	{ "sched:sched_wakeup", SCHED_WAKEUP, false, { "pid", [F_PRIO] = "prio", [F_NAME] = "comm", [F_TO] = "target_cpu" } },
	{ "sched:sched_wakeup_new", SCHED_WAKEUP, true, { "pid", [F_PRIO] = "prio", [F_NAME] = "comm", [F_TO] = "target_cpu" } },
	{ "sched:sched_waking", SCHED_WAKING, false, { "pid", [F_PRIO] = "prio", [F_NAME] = "comm", [F_TO] = "target_cpu" } },
	{ "sched:sched_migrate_task", SCHED_MIGRATE, false,
	  { "pid", [F_PRIO] = "prio", [F_NAME] = "comm", [F_FROM] = "orig_cpu", [F_TO] = "dest_cpu" } },
	{ "sched:sched_stat_runtime", SCHED_RUNTIME, false, { "pid", [F_NAME] = "comm", [F_AMOUNT] = "runtime" } },
};

struct event_fields {
	const struct kind_row *row; /* NULL: none of them */
	struct tp_format *format;
	const struct tp_field *field[N_FIELDS];
};
struct sched_perf {
	struct perfdata *p;
	VEC(struct event_fields) event;
	char name[2][64];
};

struct sched_perf *sched_perf_new(struct perfdata *p)
{
	struct sched_perf *s = xcalloc(1, sizeof(*s));
	s->p = p;
	return s;
}

void sched_perf_free(struct sched_perf *s)
{
	if (!s)
		return;
	vec_each(&s->event, e)
		tp_format_free(e->format);
	vec_release(&s->event);
	free(s);
}

bool sched_perf_has(const struct perfdata *p, const char *name)
{
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (!strcmp(perfdata_event_at(p, i)->name, name))
			return true;
	return false;
}

int sched_perf_check(const struct perfdata *p)
{
	if (perfdata_is_pipe(p) || sched_perf_has(p, "sched:sched_switch"))
		return 0;
	error_set(ENODATA, "the recording has no sched:sched_switch events");
	return error_hint("sonde sched record makes one that has them");
}

static void learn(struct sched_perf *s, const struct perfdata_event *e, struct event_fields *f)
{
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && e->tep; k++) {
		if (strcmp(e->name, kinds[k].event))
			continue;
		f->format = tp_format_new(perfdata_tep(s->p), e->tep, NULL);
		for (int i = 0; i < N_FIELDS && f->format; i++)
			f->field[i] = kinds[k].field[i] ? tp_format_field(f->format, kinds[k].field[i]) : NULL;
		if (f->field[F_TASK])
			f->row = &kinds[k];
	}
}

/* A pipe tells of its events only as it is read. */
static const struct event_fields *fields_of(struct sched_perf *s, int index)
{
	while (s->event.n <= (size_t)index) {
		size_t i = s->event.n;
		struct event_fields f = { 0 };
		learn(s, perfdata_event_at(s->p, i), &f);
		*vec_push(&s->event) = f;
	}
	return &s->event.at[index];
}

static int64_t number(const struct event_fields *f, int which, const struct perfdata_record *r, int64_t absent)
{
	return f->field[which] ? (int64_t)tp_field_number(f->field[which], r->raw, r->raw_size) : absent;
}

static const char *text(struct sched_perf *s, const struct event_fields *f, int which, const struct perfdata_record *r)
{
	char *to = s->name[which == F_NEXT_NAME];
	size_t n = 0;
	const void *at = f->field[which] ? tp_field_bytes(f->field[which], r->raw, r->raw_size, &n) : NULL;
	if (!at)
		return NULL;
	n = n < sizeof(s->name[0]) ? n : sizeof(s->name[0]) - 1;
	memcpy(to, at, n);
	to[n] = 0;
	return to;
}

/* The lowest bit that is set, by the letter that Linux prints for it since 4.14; none: it could run on. */
static char state_letter(int64_t state)
{
	static const char letters[] = "SDTtXZPI";
	int bit = state ? __builtin_ctzll((uint64_t)state) : 64;
	return bit < 8 ? letters[bit] : 'R';
}

static void from_sample(struct sched_perf *s, const struct perfdata_record *r, struct sched_event *e)
{
	const struct event_fields *f = r->event_index >= 0 && r->raw ? fields_of(s, r->event_index) : NULL;
	if (!f || !f->row)
		return;
	e->kind = f->row->kind;
	e->born = f->row->born;
	e->task = (int)number(f, F_TASK, r, -1);
	e->next = (int)number(f, F_NEXT, r, -1);
	e->prio = (int)number(f, F_PRIO, r, -1);
	e->next_prio = (int)number(f, F_NEXT_PRIO, r, -1);
	e->state = state_letter(number(f, F_STATE, r, 0));
	e->name = text(s, f, F_NAME, r);
	e->next_name = text(s, f, F_NEXT_NAME, r);
	e->from_cpu = (int)number(f, F_FROM, r, -1);
	e->to_cpu = (int)number(f, F_TO, r, -1);
	e->amount = (uint64_t)number(f, F_AMOUNT, r, 0);
}

static void from_life(struct sched_perf *s, const struct perfdata_record *r, struct sched_event *e)
{
	struct body b = body_of(r);
	size_t n = b.n > 8 ? strnlen((const char *)b.at + 8, b.n - 8) : 0;
	uint32_t type = r->header->type;
	e->kind = type == PERF_RECORD_COMM ? SCHED_NAME : type == PERF_RECORD_FORK ? SCHED_FORK : SCHED_EXIT;
	e->task_pid = (int)u32_at(&b, 0);
	e->task = (int)u32_at(&b, type == PERF_RECORD_COMM ? 4 : 8);
	if (type == PERF_RECORD_FORK)
		e->next = (int)u32_at(&b, 12);
	if (type != PERF_RECORD_COMM)
		return;
	n = n < sizeof(s->name[0]) ? n : sizeof(s->name[0]) - 1;
	memcpy(s->name[0], b.at + 8, n);
	s->name[0][n] = 0;
	e->name = s->name[0];
}

void sched_perf_event(struct sched_perf *s, const struct perfdata_record *r, struct sched_event *e)
{
	uint32_t type = r->header->type;
	*e = (struct sched_event){ .time = r->time, .cpu = r->cpu, .pid = r->pid, .tid = r->tid, .task = -1, .next = -1,
				   .task_pid = -1, .prio = -1, .next_prio = -1, .record = r };
	if (type == PERF_RECORD_SAMPLE) {
		from_sample(s, r, e);
	} else if (type == PERF_RECORD_COMM || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT) {
		from_life(s, r, e);
	} else if (type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES) {
		struct body b = body_of(r);
		e->kind = SCHED_LOST;
		e->amount = u64_at(&b, type == PERF_RECORD_LOST ? 8 : 0);
	}
}
