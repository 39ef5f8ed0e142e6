// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace dump: what a trace.dat is made of. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/ftrace/verbs.h"
#include "tracedat/format.h"
#include "tracedat/reader.h"

struct dump_cmd {
	const char *input;
	bool validate, summary, page, event, own, systems, formats, kallsyms, printk, cmdlines, options, flyrecord, clock, all;
};
#define OPTIONS struct dump_cmd

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", input, "the recording (trace.dat)"),
	OPT_FLAG('v', "validate", validate, "tell whether it can be read, records and all"),
	OPT_FLAG(0, "summary", summary, "what is in it (as it is)"),
	OPT_FLAG(0, "head-page", page, "header_page"),
	OPT_FLAG(0, "head-event", event, "header_event"),
	OPT_FLAG(0, "ftrace-events", own, "formats of ftrace's own events"),
	OPT_FLAG(0, "systems", systems, "systems and their number of events"),
	OPT_FLAG(0, "events", formats, "formats of the events"),
	OPT_FLAG(0, "kallsyms", kallsyms, "the kernel's symbols"),
	OPT_FLAG(0, "printk", printk, "texts of trace_printk()"),
	OPT_FLAG(0, "cmd-lines", cmdlines, "names of threads"),
	OPT_FLAG(0, "options", options, "options"),
	OPT_FLAG(0, "flyrecord", flyrecord, "where the records of each CPU are"),
	OPT_FLAG(0, "clock", clock, "the clock"),
	OPT_FLAG(0, "all", all, "all of that"),
	OPT_NEEDLESS(0, "verbose", "[LEVEL]", "there are no log levels"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace dump [OPTIONS] [FILE]", NULL };

static void text(struct out *o, const char *z)
{
	struct str line = STR_INIT;
	for (size_t n; z && *z; z += n + !!z[n]) {
		n = strcspn(z, "\n\t"); /* formats have tabs */
		str_add_safe(&line, z, n);
		str_addc(&line, z[n] == '\t' ? '\t' : '\n');
		out_str(o, &line);
	}
	str_release(&line);
}

static void systems(struct tracedat *t, struct out *o, bool names, bool own, bool formats)
{
	const struct tracedat_format *f, *next;
	size_t n_own = 0, n_systems = 0, in_system = 0;
	for (size_t i = 0; (f = tracedat_format_at(t, i)); i++) {
		bool is_own = !strcmp(f->system, "ftrace");
		n_own += is_own;
		next = tracedat_format_at(t, i + 1);
		in_system++;
		if ((is_own && own) || (!is_own && formats))
			text(o, f->text);
		if (next && !strcmp(next->system, f->system))
			continue;
		n_systems += !is_own;
		if (names && !is_own) {
			struct str s = STR_INIT;
			str_add(&s, "\t\t");
			str_add_safez(&s, f->system);
			str_addf(&s, " %zu [system, events]\n", in_system);
			out_str(o, &s);
			str_release(&s);
		}
		in_system = 0;
	}
	if (!own && !formats)
		out_printf(o, "\t[Ftrace format, %zu events]\n\t[Events format, %zu systems]\n", n_own, n_systems);
}

static void options(struct tracedat *t, struct out *o)
{
	static const char *const names[] = { "DONE", "DATE", "CPUSTAT", "BUFFER", "TRACECLOCK", "UNAME", "HOOK", "OFFSET", "CPUCOUNT", "VERSION",
		"PROCMAPS", "TRACEID", "TIME_SHIFT", "GUEST", "TSC2NSEC" };
	struct tracedat_option op;
	for (size_t i = 0; tracedat_option_at(t, i, &op); i++) {
		const char *name = op.id < sizeof(names) / sizeof(*names) ? names[op.id] : op.id == PART_TEXT ? "BUFFER_TEXT" : "?";
		out_printf(o, "\t\t[Option %s, %u bytes]\n", name, op.size);
		bool is_text = op.size && memchr(op.data, 0, op.size) == op.data + op.size - 1;
		if (is_text && op.id != OPTION_BUFFER && op.id != OPTION_CPUCOUNT && op.id != OPTION_TRACEID)
			text(o, (const char *)op.data);
	}
}

static void buffers(struct tracedat *t, struct out *o, bool pages, bool clock)
{
	const struct tracedat_buffer *b;
	size_t n = tracedat_buffers(t, &b);
	for (size_t i = 0; i < n; i++) {
		struct str s = STR_INIT;
		uint64_t size = 0;
		for (size_t k = 0; k < b[i].n_cpu; k++)
			size += b[i].cpu[k].size;
		str_add(&s, "\t[buffer \"");
		str_add_safez(&s, b[i].name);
		str_add(&s, "\", \"");
		str_add_safez(&s, b[i].clock);
		str_addf(&s, "\" clock, %u page size, %zu cpus, %llu bytes %s]\n", b[i].page_size, b[i].n_cpu, (unsigned long long)size,
			 b[i].text ? "latency data" : "flyrecord data");
		for (size_t k = 0; pages && k < b[i].n_cpu; k++)
			str_addf(&s, "\t\t%llu %llu\t[offset, size of cpu %d]\n", (unsigned long long)b[i].cpu[k].offset,
				 (unsigned long long)b[i].cpu[k].size, b[i].cpu[k].cpu);
		if (!clock || pages)
			out_str(o, &s);
		else
			text(o, b[i].clock);
		str_release(&s);
	}
}

static void head(struct tracedat *t, struct out *o, const char *path)
{
	const struct tracedat_info *i = tracedat_info(t);
	struct str s = STR_INIT;
	str_add(&s, "\n Tracing meta data in file ");
	str_add_safez(&s, path);
	str_addf(&s, ":\n\t[Initial format]\n\t\t%d\t[Version]\n\t\t%d\t[%s endian]\n\t\t%d\t[Bytes in a long]\n\t\t%d\t[Page size, bytes]\n",
		 i->file_version, i->big_endian, i->big_endian ? "Big" : "Little", i->long_size, i->page_size);
	if (i->packing) {
		str_add(&s, "\t\t");
		str_add_safez(&s, i->packing);
		str_add(&s, "\t[Compression algorithm]\n");
	}
	out_str(o, &s);
	str_release(&s);
}

static void summary(struct tracedat *t, struct out *o, const struct dump_cmd *d)
{
	const struct tracedat_info *i = tracedat_info(t);
	size_t symbols;
	tracedat_kallsyms(t, &symbols);
	head(t, o, d->input);
	out_printf(o, "\t[Header page, %zu bytes]\n\t[Header event, %zu bytes]\n", i->header_page ? strlen(i->header_page) : 0,
		   i->header_event ? strlen(i->header_event) : 0);
	systems(t, o, d->systems || d->all, false, false);
	out_printf(o, "\t[Kallsyms, %zu bytes]\n\t[Trace printk, %zu bytes]\n\t[Saved command lines, %zu bytes]\n", symbols,
		   strlen(tracedat_printk(t)), strlen(tracedat_cmdlines(t)));
	out_printf(o, "\t%d [CPUs with tracing data]\n\t[%zu options]\n", i->cpus, i->options);
	buffers(t, o, d->flyrecord || d->all, false);
}

static int validate(struct tracedat *t, struct out *o, const char *path)
{
	struct tracedat_record r;
	int got;
	while ((got = tracedat_next(t, &r)) > 0)
		;
	if (!got)
		out_printf(o, "File %s is a valid trace-cmd file\n", path);
	return got;
}

static int dump(struct tracedat *t, struct out *o, struct dump_cmd *d)
{
	const struct tracedat_info *i = tracedat_info(t);
	size_t n;
	bool part = d->page || d->event || d->own || d->formats || d->kallsyms || d->printk || d->cmdlines || d->options || d->clock;
	if (d->validate)
		return validate(t, o, d->input);
	if (d->summary || d->all || (!part && !d->systems && !d->flyrecord))
		summary(t, o, d);
	else if (d->systems)
		systems(t, o, true, false, false);
	else if (d->flyrecord)
		buffers(t, o, true, false);
	if (d->page || d->all)
		text(o, i->header_page);
	if (d->event || d->all)
		text(o, i->header_event);
	if (d->own || d->formats || d->all)
		systems(t, o, false, d->own || d->all, d->formats || d->all);
	if (d->printk || d->all)
		text(o, tracedat_printk(t));
	if (d->cmdlines || d->all)
		text(o, tracedat_cmdlines(t));
	if (d->options || d->all)
		options(t, o);
	if (d->clock)
		buffers(t, o, false, true);
	if (d->kallsyms || d->all)
		text(o, tracedat_kallsyms(t, &n));
	return 0;
}

int ftrace_cmd_dump(int argc, char **argv)
{
	struct dump_cmd d = { 0 };
	struct out o;
	int n = options_parse(&d, argc, argv, rows, usage, 0);
	if (n < 0 || n > 1)
		return options_exit(n < 0 ? n : error_set(EINVAL, "'%s' is one word too many", argv[1]), usage);
	if (n)
		d.input = argv[0];
	d.input = d.input ? d.input : "trace.dat";
	struct tracedat *t = tracedat_open(d.input);
	int err = t ? out_open(&o, NULL, false) : error_code();
	if (err) {
		tracedat_close(t);
		return error_print();
	}
	err = dump(t, &o, &d);
	if (err) {
		out_flush(&o);
		error_print();
	}
	tracedat_close(t);
	return out_close(&o) ? error_print() : err ? EXIT_SONDE : 0;
}
