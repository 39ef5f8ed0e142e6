// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/read.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "perfdata/format.h"
#include "ui/framelines.h"
#include "ui/recordtext.h"

static bool is_shown(const struct script_choice *o, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return o->show[SHOW_TASKS];
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return o->show[SHOW_MMAPS];
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return o->show[SHOW_SWITCHES];
	case PERF_RECORD_NAMESPACES:
		return o->show[SHOW_NAMESPACES];
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return o->show[SHOW_LOST];
	case PERF_RECORD_CGROUP:
		return o->show[SHOW_CGROUPS];
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return o->show[SHOW_BPF];
	case PERF_RECORD_TEXT_POKE:
		return o->show[SHOW_TEXT_POKES];
	case 68: /* FINISHED_ROUND */
		return o->show[SHOW_ROUNDS];
	}
	return false;
}

/* -S: the function's name, or an address. */
static bool in_symbols(const struct script_choice *o, const char *sym, uint64_t ip)
{
	if (wordlist_has(o->symbols, sym))
		return true;
	for (size_t i = 0; i < o->symbols->n; i++) {
		char *end;
		uint64_t from = strtoull(o->symbols->at[i], &end, 16);
		if (end != o->symbols->at[i] && !*end && (ip == from || (ip > from && ip - from < o->addr_range)))
			return true;
	}
	return false;
}

static bool wanted(const struct script_choice *o, struct script *s, const struct perfdata_record *r, const struct thread *t)
{
	if (!filter_time(o->filter, r->time) || !filter_event(o->filter, r->event_index) || !filter_cpu(o->filter, r->cpu) ||
	    !filter_thread(o->filter, t))
		return false;
	if (o->symbols->n || o->dsos->n) {
		struct frame f;
		symbols_resolve(s->syms, r->pid, r->ip, sample_mode(r->misc), &f);
		if (o->symbols->n && !in_symbols(o, f.sym, r->ip))
			return false;
		if (o->dsos->n && !(f.dso && (wordlist_has(o->dsos, f.dso->name) || wordlist_has(o->dsos, f.dso->path))))
			return false;
	}
	return true;
}

/* Where the lines of an event go. */
static int dump_of(struct script_reader *rd, const struct perfdata_record *r)
{
	while (rd->dumps.n <= (size_t)r->event_index)
		*vec_push(&rd->dumps) = (struct event_dump){ 0 };
	struct event_dump *d = &rd->dumps.at[r->event_index];
	if (!d->opened) {
		d->path = xasprintf("%s.%s.dump", rd->o->input, r->event->name);
		for (char *c = d->path + strlen(rd->o->input) + 1; *c; c++)
			if (*c == '/')
				*c = '_'; /* not into other folders */
		int err = out_open(&d->out, d->path, false);
		if (err)
			return err;
		d->opened = true;
	}
	d->samples++;
	rd->s->out = &d->out;
	return 0;
}

int script_close(struct script_reader *rd)
{
	int err = 0;
	vec_each(&rd->dumps, d) {
		struct stat st;
		if (d->opened && out_close(&d->out) && !err)
			err = error_code();
		if (!err && d->opened && !stat(d->path, &st))
			fprintf(stderr, "[ sonde script: wrote %.3f MB %s (%llu samples) ]\n", st.st_size / 1024.0 / 1024.0, d->path,
				(unsigned long long)d->samples);
		free(d->path);
	}
	vec_release(&rd->dumps);
	return err;
}

static void other_record(const struct script_reader *rd, const struct perfdata_record *r)
{
	struct script *s = rd->s;
	const struct script_view *v = rd->v;
	bool leaves = r->header->type == PERF_RECORD_EXIT;
	bool shown = is_shown(rd->o, r->header->type) && filter_cpu(rd->o->filter, r->cpu);
	if (leaves && shown)
		v->record(s, r);
	session_feed(s->session, r);
	if (v->seen)
		v->seen(s, r);
	if (!leaves && shown)
		v->record(s, r);
}

static void check_order(struct script_reader *rd, const struct perfdata_record *r)
{
	if (r->time < rd->last)
		warn("a sample at %llu comes after one at %llu (%llu so far)", (unsigned long long)r->time,
		     (unsigned long long)rd->last, (unsigned long long)++rd->unordered);
	rd->last = r->time;
}

/* -D: records as they are. */
static int dump_all(struct script_reader *rd)
{
	struct script *s = rd->s;
	struct perfdata_record r;
	int err = 0, next;
	perfdata_keep_groups(s->data);
	while ((next = perfdata_next(s->data, &r)) > 0 && !err) {
		record_dump(&s->out->buf, &r, rd->o->input);
		out_write(s->out, "", 0);
		session_feed(s->session, &r);
		err = s->out->err;
	}
	return err ? err : next;
}

static int one_sample(struct script_reader *rd, const struct perfdata_record *r)
{
	struct script *s = rd->s;
	const struct thread *t = r->event ? session_thread(s->session, r->pid, r->tid) : NULL;
	struct out *out = s->out;
	int err = 0;
	if (t && session_time(s->session, r) && s->lines)
		frame_lines_forget(s->lines, r->pid);
	if (rd->o->debug)
		check_order(rd, r);
	else if (t && wanted(rd->o, s, r, t) && !(rd->o->graph->n && ++rd->no_calls))
		err = (rd->o->per_event ? dump_of(rd, r) : 0) ?: rd->v->sample(s, r, t);
	s->out = out;
	return err;
}

static int refuse_aux(void)
{
	error_set(ENOTSUP, "the recording has an AUX area trace (Intel PT, ARM SPE), which is not decoded here");
	return error_hint("perf inject --itrace decodes it; its output is a recording that sonde reads");
}

int script_read(struct script_reader *rd)
{
	struct script *s = rd->s;
	const struct script_view *v = rd->v;
	struct perfdata_record r;
	bool begun = false;
	int err = 0, next;
	if (rd->o->dump)
		return dump_all(rd);
	while ((next = perfdata_next(s->data, &r)) > 0 && !err) {
		if (!begun && r.event) { /* pipes tell their events as they go */
			begun = true;
			err = fields_check(&s->fields, s->data, s->chains);
			if (!err)
				err = v->begin(s);
		}
		if (!err && r.header->type == RECORD_AUXTRACE_INFO && (rd->o->decoded || rd->o->graph->n))
			err = refuse_aux();
		if (err)
			break;
		if (r.header->type == PERF_RECORD_SAMPLE)
			err = one_sample(rd, &r);
		else if (begun)
			other_record(rd, &r);
		else
			session_feed(s->session, &r);
	}
	if (!begun && !err && next >= 0)
		err = v->begin(s);
	int end = v->end && (s->lines || v != &script_text) ? v->end(s) : 0;
	return err ? err : next < 0 ? next : end;
}
