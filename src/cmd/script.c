// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/reading_perf.h"
#include "ui/framelines.h"
#include "ui/recordtext.h"
#include "ui/script/script.h"

/* Records besides samples that are shown, a bit each. */
enum { SHOW_TASKS, SHOW_MMAPS, SHOW_SWITCHES, SHOW_NAMESPACES, SHOW_LOST, SHOW_CGROUPS, SHOW_BPF, SHOW_ROUNDS, SHOW_TEXT_POKES, SHOW_N };

/* --per-event-dump */
struct dump { struct out out; char *path; bool opened; uint64_t samples; };

static struct {
	struct reading in;
	const char *run, *generate;
	wordlist dsos, stop;
	VEC(struct dump) dumps; /* of --per-event-dump, one for each event */
	bool per_event;
	bool dump, hide_chains, json, reltime, deltatime, show[SHOW_N], quiet, latency, debug;
	struct field_set fields;
} o;

static const char *const usage[] = { "sonde script [OPTIONS]", "sonde script -g python", "sonde script -s FILE.py [ARGS]", NULL };

static int set_fields(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return fields_parse(&o.fields, arg);
}

static const struct option_row rows[] = {
	READING_FILE_ROWS(o.in),
	OPT_CALL('F', "fields", "LIST", NULL, set_fields, "fields to print: a list, or +FIELD and -FIELD; TYPE:LIST for one type of event"),
	READING_SAMPLE_ROWS(o.in),
	OPT_CALL(0, "dsos", "LIST", &o.dsos, reading_words, "only samples in these files"),
	READING_SWITCH_ROWS(o.in),
	OPT_FLAG('G', "hide-call-graph", &o.hide_chains, "do not print call chains"),
	READING_CHAIN_ROWS(o.in),
	OPT_CALL(0, "stop-bt", "LIST", &o.stop, reading_words, "end call chains at these functions"),
	READING_FORM_ROWS(o.in),
	OPT_FLAG(0, "per-event-dump", &o.per_event, "a file for each event: perf.data.EVENT.dump"),
	OPT_FLAG(0, "reltime", &o.reltime, "times from the first sample on"),
	OPT_FLAG(0, "deltatime", &o.deltatime, "times since the sample before"),
	OPT_FLAG('L', "Latency", &o.latency, "short thread names and CPU numbers"),
	OPT_FLAG('D', "dump-raw-trace", &o.dump, "dump every record: bytes and meaning"),
	OPT_FLAG('d', "debug-mode", &o.debug, "check that samples come in order of time"),
	OPT_GROUP("Other records"),
	OPT_FLAG(0, "show-task-events", &o.show[SHOW_TASKS], "fork, exec, exit"),
	OPT_FLAG(0, "show-mmap-events", &o.show[SHOW_MMAPS], "mapped files"),
	OPT_FLAG(0, "show-switch-events", &o.show[SHOW_SWITCHES], "context switches"),
	OPT_FLAG(0, "show-namespace-events", &o.show[SHOW_NAMESPACES], "namespaces"),
	OPT_FLAG(0, "show-lost-events", &o.show[SHOW_LOST], "lost records"),
	OPT_FLAG(0, "show-cgroup-events", &o.show[SHOW_CGROUPS], "control groups"),
	OPT_FLAG(0, "show-bpf-events", &o.show[SHOW_BPF], "BPF programs and kernel symbols that come and go"),
	OPT_FLAG(0, "show-round-events", &o.show[SHOW_ROUNDS], "ends of rounds"),
	OPT_FLAG(0, "show-text-poke-events", &o.show[SHOW_TEXT_POKES], "changes of the kernel's code"),
	OPT_GROUP("Header"),
	READING_HEADER_ROWS(o.in),
	OPT_GROUP("Scripts"),
	OPT_STRING('g', "gen-script", "python", &o.generate, "write a Python script for the recording's events (perf-script.py)"),
	OPT_STRING('s', "script", "FILE.py", &o.run, "run that script on the recording"),
	OPT_FLAG(0, "json", &o.json, "one JSON object per line"),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(o.in),
	OPT_COUNT('v', "verbose", &verbosity, "tell more: why names are missing"),
	OPT_FLAG('q', "quiet", &o.quiet, "no warnings"),
	SCRIPT_PERF_ROWS,
	OPT_END(),
};

static bool is_shown(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return o.show[SHOW_TASKS];
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return o.show[SHOW_MMAPS];
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return o.show[SHOW_SWITCHES];
	case PERF_RECORD_NAMESPACES:
		return o.show[SHOW_NAMESPACES];
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return o.show[SHOW_LOST];
	case PERF_RECORD_CGROUP:
		return o.show[SHOW_CGROUPS];
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return o.show[SHOW_BPF];
	case PERF_RECORD_TEXT_POKE:
		return o.show[SHOW_TEXT_POKES];
	case 68: /* FINISHED_ROUND */
		return o.show[SHOW_ROUNDS];
	}
	return false;
}

static bool wanted(struct script *s, const struct perfdata_record *r, const struct thread *t)
{
	if (!filter_time(&o.in.filter, r->time) || !filter_cpu(&o.in.filter, r->cpu) || !filter_thread(&o.in.filter, t))
		return false;
	if (o.in.symbols.n || o.dsos.n) {
		struct frame f;
		symbols_resolve(s->syms, r->pid, r->ip, sample_mode(r->misc), &f);
		if (o.in.symbols.n && !wordlist_has(&o.in.symbols, f.sym))
			return false;
		if (o.dsos.n && !(f.dso && (wordlist_has(&o.dsos, f.dso->name) || wordlist_has(&o.dsos, f.dso->path))))
			return false;
	}
	return filter_event(&o.in.filter, r->event_index);
}

/* Where the lines of an event go. */
static int dump_of(struct script *s, const struct perfdata_record *r)
{
	while (o.dumps.n <= (size_t)r->event_index)
		*vec_push(&o.dumps) = (struct dump){ 0 };
	struct dump *d = &o.dumps.at[r->event_index];
	if (!d->opened) {
		d->path = xasprintf("%s.%s.dump", o.in.input, r->event->name);
		for (char *c = d->path + strlen(o.in.input) + 1; *c; c++)
			if (*c == '/')
				*c = '_'; /* not into other folders */
		int err = out_open(&d->out, d->path, false);
		if (err)
			return err;
		d->opened = true;
	}
	d->samples++;
	s->out = &d->out;
	return 0;
}

static int close_dumps(void)
{
	int err = 0;
	vec_each(&o.dumps, d) {
		struct stat st;
		if (d->opened && out_close(&d->out) && !err)
			err = error_code();
		if (!err && d->opened && !stat(d->path, &st))
			fprintf(stderr, "[ sonde script: wrote %.3f MB %s (%llu samples) ]\n", st.st_size / 1024.0 / 1024.0, d->path,
				(unsigned long long)d->samples);
		free(d->path);
	}
	vec_release(&o.dumps);
	return err;
}

static void other_record(struct script *s, const struct script_view *v, const struct perfdata_record *r)
{
	bool leaves = r->header->type == PERF_RECORD_EXIT;
	if (leaves && is_shown(r->header->type) && filter_cpu(&o.in.filter, r->cpu))
		v->record(s, r);
	session_feed(s->session, r);
	if (v->seen)
		v->seen(s, r);
	if (!leaves && is_shown(r->header->type) && filter_cpu(&o.in.filter, r->cpu))
		v->record(s, r);
}

static int check_order(const struct perfdata_record *r)
{
	static uint64_t last, bad;
	if (r->time < last)
		warn("a sample at %llu comes after one at %llu (%llu so far)", (unsigned long long)r->time,
		     (unsigned long long)last, (unsigned long long)++bad);
	last = r->time;
	return 0;
}

static int read_all(struct script *s, const struct script_view *v)
{
	struct perfdata_record r;
	struct out *out = s->out;
	bool begun = false;
	int err = 0, next;
	if (o.dump)
		perfdata_keep_groups(s->data);
	while ((next = perfdata_next(s->data, &r)) > 0 && !err) {
		if (o.dump) {
			record_dump(&s->out->buf, &r, o.in.input);
			out_write(s->out, "", 0);
			session_feed(s->session, &r);
			err = s->out->err;
			continue;
		}
		if (!begun && r.event) { /* pipes tell their events as they go */
			begun = true;
			err = fields_check(&s->fields, s->data, s->chains);
			if (!err)
				err = v->begin(s);
		}
		if (err)
			break;
		if (r.header->type != PERF_RECORD_SAMPLE) {
			if (begun)
				other_record(s, v, &r);
			else
				session_feed(s->session, &r);
			continue;
		}
		const struct thread *t = r.event ? session_thread(s->session, r.pid, r.tid) : NULL;
		if (t && session_time(s->session, &r) && s->lines)
			frame_lines_forget(s->lines, r.pid);
		if (o.debug)
			err = check_order(&r);
		else if (t && wanted(s, &r, t))
			err = (o.per_event ? dump_of(s, &r) : 0) ?: v->sample(s, &r, t);
		s->out = out;
	}
	if (!begun && !err && next >= 0 && !o.dump)
		err = v->begin(s);
	int end = o.dump ? 0 : v->end && s->lines ? v->end(s) : v->end && v != &script_text ? v->end(s) : 0;
	return err ? err : next < 0 ? next : end;
}

static bool any_chains(const struct perfdata *p)
{
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (perfdata_event_at(p, i)->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return perfdata_is_pipe(p);
}

static int run(struct perfdata *p, struct out *out, char **args)
{
	struct script s = { .data = p, .out = out, .fields = o.fields, .inlines = o.in.inlines, .nanosecs = o.in.ns,
		.latency = o.latency, .full_path = o.in.full_path, .stop = &o.stop, .max_stack = o.in.max_stack, .script = o.run, .script_args = args,
		.time = o.reltime ? TIME_RELATIVE : o.deltatime ? TIME_DELTA : TIME_ABSOLUTE, .text = STR_INIT, .head = { .text = STR_INIT } };
	int err = reading_filters(&o.in, p);
	if (err)
		return err;
	s.syms = reading_symbols(&o.in);
	s.session = session_new(s.syms);
	session_header(s.session, p);
	s.chains = !o.hide_chains && any_chains(p);
	err = read_all(&s, o.run ? &script_python : o.json ? &script_json : &script_text);
	if (s.truncated_stacks && !o.quiet)
		note(1, "%llu stacks were cut where the copied memory ended", (unsigned long long)s.truncated_stacks);
	if (!o.quiet)
		reading_say_missing(s.syms);
	script_release(&s);
	session_free(s.session);
	symbols_free(s.syms);
	return err;
}

static int open_and_run(struct perfdata *p, void *args)
{
	struct out out;
	if (o.generate)
		return script_generate(p, o.in.output ?: "perf-script.py") ? error_print() : 0;
	int err = reading_output(&o.in, p, &out);
	if (!err && !o.in.header_only) {
		if (!o.in.output && !o.run)
			out_pager(&out);
		err = run(p, &out, args);
	}
	int closed = close_dumps();
	closed = out_close(&out) ?: closed;
	if (err && o.in.usage)
		return options_exit(err, usage);
	return (err && err != -EPIPE) || closed ? error_print() : 0;
}

int cmd_script(int argc, char **argv)
{
	reading_init(&o.in);
	fields_init(&o.fields);
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (o.generate && strcmp(o.generate, "python") && strcmp(o.generate, "py")) {
		error_set(EINVAL, "scripts are written in python, not in '%s'", o.generate);
		error_hint("sonde script -g python");
		return options_exit(-EINVAL, usage);
	}
	return reading_run(&o.in, open_and_run, n ? argv : NULL);
}
