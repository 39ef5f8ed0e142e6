// SPDX-License-Identifier: GPL-2.0-or-later
/* `script --json`: a first line with the schema and the events, then one object per line. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/json.h"
#include "ui/fieldjson.h"
#include "ui/recordtext.h"
#include "ui/script/script.h"

static void end_line(struct script *s)
{
	str_addc(&s->text, '\n');
	out_str(s->out, &s->text);
}

static int json_begin(struct script *s)
{
	struct json j;
	json_init(&j, &s->text);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	json_kstr(&j, "command", "script");
	json_key(&j, "events");
	json_open(&j, '[');
	for (size_t i = 0; i < perfdata_n_events(s->data); i++)
		json_strz(&j, perfdata_event_at(s->data, i)->name);
	json_close(&j, ']');
	json_close(&j, '}');
	end_line(s);
	return 0;
}

static void khex(struct json *j, const char *key, uint64_t v)
{
	char buf[24];
	snprintf(buf, sizeof(buf), "0x%" PRIx64, v);
	json_kstr(j, key, buf);
}

static void add_frame(struct json *j, const struct frame *f)
{
	khex(j, "ip", f->ip);
	if (f->sym) {
		json_kstr(j, "sym", f->sym);
		if (!f->inlined)
			json_ku64(j, "off", f->addr - f->sym_addr);
	}
	if (f->inlined)
		json_kbool(j, "inlined", true);
	if (f->dso)
		json_kstr(j, "dso", f->dso->path);
	if (f->file) {
		json_kstr(j, "file", f->file);
		json_ks64(j, "line", f->line);
	}
}

static void add_fields(struct script *s, struct json *j, const struct perfdata_record *r)
{
	struct tp_format *f = r->raw ? script_format(s, r->event_index) : NULL;
	if (!f)
		return;
	json_tp_fields(j, f, r->raw, r->raw_size);
	struct str text = STR_INIT;
	tp_format_print(f, &text, r->raw, r->raw_size, r->cpu);
	json_kstr(j, "text", text.buf);
	str_release(&text);
}

static void add_stack(struct script *s, struct json *j, const struct perfdata_record *r)
{
	struct frame frame[CALLCHAIN_MAX];
	int n = script_frames(s, r, frame, CALLCHAIN_MAX);
	json_key(j, "stack");
	json_open(j, '[');
	for (int i = 0; i < n; i++) {
		json_open(j, '{');
		add_frame(j, &frame[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static int json_sample(struct script *s, const struct perfdata_record *r, const struct thread *t)
{
	uint64_t type = r->event->attr.sample_type;
	struct json j;
	struct frame f;
	json_init(&j, &s->text);
	json_open(&j, '{');
	json_kstr(&j, "event", r->event->name);
	json_ku64(&j, "time_ns", r->time);
	json_kstr(&j, "comm", t->comm);
	json_ks64(&j, "pid", r->pid);
	json_ks64(&j, "tid", r->tid);
	if (type & PERF_SAMPLE_CPU)
		json_ks64(&j, "cpu", r->cpu);
	json_ku64(&j, "period", r->period);
	if (type & PERF_SAMPLE_ADDR)
		khex(&j, "addr", r->addr);
	if (type & PERF_SAMPLE_IP) {
		symbols_resolve(s->syms, r->pid, r->ip, sample_mode(r->misc), &f);
		add_frame(&j, &f);
	}
	if (r->cgroup)
		json_kstr(&j, "cgroup", session_cgroup(s->session, r->cgroup));
	add_fields(s, &j, r);
	if (s->chains && type & PERF_SAMPLE_CALLCHAIN)
		add_stack(s, &j, r);
	json_close(&j, '}');
	end_line(s);
	return s->out->err;
}

static void json_record(struct script *s, const struct perfdata_record *r)
{
	struct json j;
	struct str text = STR_INIT;
	int pid, tid;
	json_init(&j, &s->text);
	json_open(&j, '{');
	json_kstr(&j, "record", record_name(r->header->type));
	json_ku64(&j, "time_ns", r->time);
	if (record_thread(r, &pid, &tid)) {
		json_kstr(&j, "comm", session_thread(s->session, pid, tid)->comm);
		json_ks64(&j, "pid", pid);
		json_ks64(&j, "tid", tid);
	}
	record_text(&text, r);
	json_key(&j, "text");
	json_str(&j, text.buf, text.len ? text.len - 1 : 0);
	str_release(&text);
	json_close(&j, '}');
	end_line(s);
}

static int json_end(struct script *s)
{
	return out_flush(s->out);
}

const struct script_view script_json = { json_begin, json_sample, json_record, NULL, json_end };
