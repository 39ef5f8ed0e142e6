/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `report` and `script` have in common: the recording, which of its samples, where symbols are looked
 * for; the rows of these options, and the steps around reading. */
#ifndef CMD_READING_H
#define CMD_READING_H
#include "base/options.h"
#include "base/out.h"
#include "session/callchain.h"
#include "session/filter.h"
#include "perfdata/reader.h"

struct reading {
	const char *input, *output, *time, *symfs, *vmlinux, *kallsyms;
	char *own_kallsyms; /* of a recording that is a folder; NULL: none */
	const char *archive; /* folder of an unpacked archive; NULL: none */
	struct event_switch events;
	bool ignore_vmlinux;
	bool borrowed; /* the filter and the symbols are another reading's, which frees them */
	bool usage; /* what failed is the command line's fault: exit 129 */
	bool header, header_only, info, force, demangle, quiet, ns, full_path;
	bool relative; /* --time counts from the first sample on */
	enum inlines inlines;
	int max_stack;
	struct sample_filter filter;
	wordlist symbols, event_names; /* of --event */
};

option_call reading_on_inline, reading_on_comms, reading_on_pids, reading_on_tids, reading_on_cpus, reading_on_words;

#define READING_FILE_ROWS(r) \
	OPT_STRING('i', "input", "FILE", r.input, "the recording (perf.data; - is standard input)"), \
	OPT_STRING('o', "output", "FILE", r.output, "write there")
#define READING_FORM_ROWS(r) \
	OPT_FLAG(0, "ns", r.ns, "times in nanoseconds"), \
	OPT_FLAG(0, "full-source-path", r.full_path, "whole paths in source lines")
#define READING_CHAIN_ROWS(r) \
	OPT_INT(0, "max-stack", "N", r.max_stack, "at most N frames of a call chain (127)"), \
	OPT_CALL_ON(0, "inline", NULL, r.inlines, reading_on_inline, \
		 "inlined functions in every call chain (else: in unwound ones; --no-inline: in none)")
#define READING_SAMPLE_ROWS(r) \
	OPT_CALL_ON('c', "comms", "LIST", r.filter, reading_on_comms, "only samples of threads with these names"), \
	OPT_CALL_ON(0, "pid", "LIST", r.filter, reading_on_pids, "only samples of these processes"), \
	OPT_CALL_ON(0, "tid", "LIST", r.filter, reading_on_tids, "only samples of these threads"), \
	OPT_CALL_ON('C', "cpu", "LIST", r.filter, reading_on_cpus, "only samples of these CPUs"), \
	OPT_CALL_ON('S', "symbols", "LIST", r.symbols, reading_on_words, "only samples in these functions"), \
	OPT_STRING(0, "time", "SPANS", r.time, "only samples in START,STOP (seconds), N%/K or A%-B%")
#define READING_EVENT_ROW(names) OPT_CALL_ON(0, "event", "LIST", names, reading_on_words, "only samples of these events")
#define READING_SWITCH_ROWS(r) \
	OPT_STRING(0, "switch-on", "EVENT", r.events.on, "only samples after one of that event"), \
	OPT_STRING(0, "switch-off", "EVENT", r.events.off, "only samples before one of that event"), \
	OPT_FLAG(0, "show-on-off-events", r.events.show, "these events too")
#define READING_HEADER_ROWS(r) \
	OPT_FLAG(0, "header", r.header, "print the recording's header first"), \
	OPT_FLAG(0, "header-only", r.header_only, "print only the header"), \
	OPT_FLAG('I', "show-info", r.info, "print all of the header")
#define READING_SYMBOL_ROWS(r) \
	OPT_STRING(0, "symfs", "DIR", r.symfs, "look for files below that folder"), \
	OPT_STRING('k', "vmlinux", "FILE", r.vmlinux, "the kernel's image"), \
	OPT_FLAG(0, "ignore-vmlinux", r.ignore_vmlinux, "do not look for the kernel's image"), \
	OPT_STRING(0, "kallsyms", "FILE", r.kallsyms, "the kernel's symbol list"), \
	OPT_FLAG(0, "demangle", r.demangle, "C++ and Rust names in readable form (on; --no-demangle turns it off)"), \
	OPT_FLAG('f', "force", r.force, "read files of other owners")

void reading_init(struct reading *r); /* defaults, before the options are parsed */
/* Unpacks an archive, opens the recording (or standard input, when that is a pipe) and calls run with it;
 * the exit code. */
int reading_run(struct reading *r, int (*run)(struct perfdata *p, void *ctx), void *ctx);
/* Opens the output and writes the header to it, as asked. */
int reading_output(const struct reading *r, struct perfdata *p, struct out *out);
/* Of the events that a recording has only those with these names; no names: all. -EINVAL with a pending error: it has none such. */
int reading_events(struct sample_filter *f, const wordlist *names, const struct perfdata *p);
/* The filters that need the recording: -EINVAL with a pending error when it does not hold what they ask. */
int reading_filters(struct reading *r, const struct perfdata *p);
struct symbols *reading_symbols(const struct reading *r);
#endif
