// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "event/filter.h"
#include "symbol/archive.h"
#include "ui/recordtext.h"
#include "ui/script.h"

/* Records besides samples that are shown, a bit each. */
enum { SHOW_TASKS, SHOW_MMAPS, SHOW_SWITCHES, SHOW_NAMESPACES, SHOW_LOST, SHOW_CGROUPS, SHOW_BPF, SHOW_ROUNDS, SHOW_N };

static struct {
	const char *input, *output, *time, *run, *generate, *symfs, *vmlinux, *kallsyms, *archive;
	bool dump, header, header_only, info, hide_chains, force, json, reltime, deltatime, show[SHOW_N];
	bool quiet, demangle_set;
	enum inlines inlines;
	bool ns, latency, full_path, debug;
	int max_stack;
	struct sample_filter filter;
	wordlist symbols;
	struct field_set fields;
} o;

static const char *const usage[] = { "sonde script [OPTIONS]", "sonde script -g python", "sonde script -s FILE.py [ARGS]", NULL };

static int set_fields(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return fields_parse(&o.fields, arg);
}

static int set_inline(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)arg;
	o.inlines = unset ? INLINES_NONE : INLINES_ALL;
	return 0;
}

static int set_list(const struct option_row *opt, const char *arg, bool unset)
{
	static int (*const parse[])(struct sample_filter *, const char *) = { filter_comms, filter_pids, filter_tids, filter_cpus };
	(void)unset;
	if (opt->value == &o.symbols) {
		wordlist_split(&o.symbols, arg, ',');
		return 0;
	}
	return parse[(intptr_t)opt->value](&o.filter, arg);
}

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", &o.input, "the recording (perf.data; - is standard input)"),
	OPT_STRING('o', "output", "FILE", &o.output, "write there"),
	OPT_CALL('F', "fields", "LIST", NULL, set_fields, "fields to print: a list, or +FIELD and -FIELD; TYPE:LIST for one type of event"),
	OPT_STRING(0, "time", "SPANS", &o.time, "only samples in START,STOP (seconds), N%/K or A%-B%"),
	OPT_CALL('C', "cpu", "LIST", (void *)3, set_list, "only samples of these CPUs"),
	OPT_CALL('c', "comms", "LIST", (void *)0, set_list, "only samples of threads with these names"),
	OPT_CALL(0, "pid", "LIST", (void *)1, set_list, "only samples of these processes"),
	OPT_CALL(0, "tid", "LIST", (void *)2, set_list, "only samples of these threads"),
	OPT_CALL('S', "symbols", "LIST", &o.symbols, set_list, "only samples in these functions"),
	OPT_FLAG('G', "hide-call-graph", &o.hide_chains, "do not print call chains"),
	OPT_INT(0, "max-stack", "N", &o.max_stack, "print at most N frames of a call chain (127)"),
	OPT_CALL(0, "inline", NULL, NULL, set_inline, "print inlined functions in every call chain (else: in unwound ones; --no-inline: in none)"),
	OPT_FLAG(0, "ns", &o.ns, "times in nanoseconds"),
	OPT_FLAG(0, "reltime", &o.reltime, "times from the first sample on"),
	OPT_FLAG(0, "deltatime", &o.deltatime, "times since the sample before"),
	OPT_FLAG('L', "Latency", &o.latency, "short thread names and CPU numbers"),
	OPT_FLAG(0, "full-source-path", &o.full_path, "whole paths in source lines"),
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
	OPT_GROUP("Header"),
	OPT_FLAG(0, "header", &o.header, "print the recording's header first"),
	OPT_FLAG(0, "header-only", &o.header_only, "print only the header"),
	OPT_FLAG('I', "show-info", &o.info, "print all of the header"),
	OPT_GROUP("Scripts"),
	OPT_STRING('g', "gen-script", "python", &o.generate, "write a Python script for the recording's events (perf-script.py)"),
	OPT_STRING('s', "script", "FILE.py", &o.run, "run that script on the recording"),
	OPT_FLAG(0, "json", &o.json, "one JSON object per line"),
	OPT_GROUP("Symbols"),
	OPT_STRING(0, "symfs", "DIR", &o.symfs, "look for files below that folder"),
	OPT_STRING('k', "vmlinux", "FILE", &o.vmlinux, "the kernel's image"),
	OPT_STRING(0, "kallsyms", "FILE", &o.kallsyms, "the kernel's symbol list"),
	OPT_FLAG(0, "demangle", &o.demangle_set, "C++ and Rust names in readable form (on; --no-demangle turns it off)"),
	OPT_FLAG('f', "force", &o.force, "read files of other owners"),
	OPT_COUNT('v', "verbose", &verbosity, "tell more"),
	OPT_FLAG('q', "quiet", &o.quiet, "no warnings"),
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
	case 68: /* FINISHED_ROUND */
		return o.show[SHOW_ROUNDS];
	}
	return false;
}

static bool wanted(struct script *s, const struct perfdata_record *r, const struct thread *t)
{
	if (!filter_time(&o.filter, r->time) || !filter_cpu(&o.filter, r->cpu) || !filter_thread(&o.filter, t))
		return false;
	if (!o.symbols.n)
		return true;
	struct frame f;
	symbols_resolve(s->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	for (size_t i = 0; f.sym && i < o.symbols.n; i++)
		if (!strcmp(o.symbols.at[i], f.sym))
			return true;
	return false;
}

static void other_record(struct script *s, const struct script_view *v, const struct perfdata_record *r)
{
	bool leaves = r->header->type == PERF_RECORD_EXIT;
	if (leaves && is_shown(r->header->type) && filter_cpu(&o.filter, r->cpu))
		v->record(s, r);
	session_feed(s->session, r);
	if (v->seen)
		v->seen(s, r);
	if (!leaves && is_shown(r->header->type) && filter_cpu(&o.filter, r->cpu))
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
	bool begun = false;
	int err = 0, next;
	while ((next = perfdata_next(s->data, &r)) > 0 && !err) {
		if (o.dump) {
			record_dump(&s->out->buf, &r);
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
		if (o.debug)
			err = check_order(&r);
		else if (t && wanted(s, &r, t))
			err = v->sample(s, &r, t);
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

static int print_header(struct perfdata *p, struct out *out)
{
	struct str s = STR_INIT;
	perfdata_print_header(p, &s, o.info);
	out_str(out, &s);
	str_release(&s);
	return 0;
}

static const char *default_input(void)
{
	struct stat st;
	return !fstat(0, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static int run(struct perfdata *p, struct out *out, char **args)
{
	struct symbols_options so = { .symfs = o.symfs, .vmlinux = o.vmlinux, .kallsyms = o.kallsyms,
				      .archive = o.archive, .offline = o.archive,
				      .no_demangle = !o.demangle_set, .force = o.force };
	struct script s = { .data = p, .out = out, .fields = o.fields, .inlines = o.inlines, .nanosecs = o.ns,
		.latency = o.latency, .full_path = o.full_path, .max_stack = o.max_stack, .script = o.run, .script_args = args,
		.time = o.reltime ? TIME_RELATIVE : o.deltatime ? TIME_DELTA : TIME_ABSOLUTE, .text = STR_INIT, .head = { .text = STR_INIT } };
	if (o.time) {
		int err = filter_times_of(&o.filter, o.time, p, o.input);
		if (err)
			return err;
	}
	s.syms = symbols_new(&so);
	s.session = session_new(s.syms);
	session_header(s.session, p);
	s.chains = !o.hide_chains && any_chains(p);
	int err = read_all(&s, o.run ? &script_python : o.json ? &script_json : &script_text);
	if (s.truncated_stacks && !o.quiet)
		note(1, "%llu stacks were cut where the copied memory ended", (unsigned long long)s.truncated_stacks);
	script_release(&s);
	session_free(s.session);
	symbols_free(s.syms);
	return err;
}

static int open_and_run(int argc, char **argv)
{
	struct out out;
	struct perfdata *p = perfdata_open(o.input ? o.input : default_input(), o.force);
	if (!p)
		return error_print();
	if (o.generate) {
		int err = script_generate(p, "perf-script.py");
		perfdata_close(p);
		return err ? error_print() : 0;
	}
	int err = out_open(&out, o.output, false);
	if (!err && (o.header || o.header_only || o.info))
		print_header(p, &out);
	if (!err && !o.header_only) {
		if (!o.output && !o.run)
			out_pager(&out);
		err = run(p, &out, argc ? argv : NULL);
	}
	int closed = out_close(&out);
	perfdata_close(p);
	return (err && err != -EPIPE) || closed ? error_print() : 0;
}

int cmd_script(int argc, char **argv)
{
	o.max_stack = 127;
	o.demangle_set = true;
	o.inlines = INLINES_UNWOUND;
	fields_init(&o.fields);
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (o.generate && strcmp(o.generate, "python") && strcmp(o.generate, "py")) {
		error_set(EINVAL, "scripts are written in python, not in '%s'", o.generate);
		error_hint("sonde script -g python");
		return options_exit(-EINVAL, usage);
	}
	struct archive packed;
	int err = archive_open(&packed, o.input);
	if (!err) {
		o.input = packed.data;
		o.archive = packed.folder;
	}
	int code = err && err != -ENOEXEC ? error_print() : open_and_run(n, argv);
	archive_close(&packed);
	filter_release(&o.filter);
	wordlist_release(&o.symbols);
	return code;
}
