// SPDX-License-Identifier: GPL-2.0-or-later
/* `script -g python`: a script with one function for each tracepoint of the recording, ready to change. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include "base/error.h"
#include "ui/script/script.h"

static const char head[] =
	"# Functions for the events of a recording, written by: sonde script -g python\n"
	"# Run it with: sonde script -s perf-script.py (perf script -s runs it too)\n"
	"import os\n"
	"import sys\n\n"
	"sys.path.append(os.environ.get('PERF_EXEC_PATH', '/usr/libexec/perf-core') +\n"
	"\t'/scripts/python/Perf-Trace-Util/lib/Perf/Trace')\n\n"
	"from perf_trace_context import *\n"
	"from Core import *\n\n\n"
	"def trace_begin():\n"
	"\tprint('in trace_begin')\n\n\n"
	"def trace_end():\n"
	"\tprint('in trace_end')\n\n\n";
static const char tail[] =
	"def process_event(param_dict):\n"
	"\tsample = param_dict['sample']\n"
	"\tprint_header(param_dict['ev_name'], sample['cpu'], sample['time'] // 1000000000, sample['time'] % 1000000000,\n"
	"\t\tsample['pid'], param_dict['comm'])\n"
	"\tprint('%x %s' % (sample['ip'], param_dict.get('symbol', '[unknown]')))\n"
	"\tprint_callchain(param_dict['callchain'])\n\n\n"
	"def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):\n"
	"\tprint(event_name, ' '.join('%s=%s' % f for f in sorted(event_fields_dict.items())))\n\n\n"
	"def print_header(event_name, cpu, secs, nsecs, pid, comm):\n"
	"\tprint('%-20s %5d %05u.%09u %8u %-20s ' % (event_name, cpu, secs, nsecs, pid, comm), end='')\n\n\n"
	"def print_callchain(callchain):\n"
	"\tfor node in callchain:\n"
	"\t\tif 'sym' in node:\n"
	"\t\t\tprint('\\t[%x] %s+0x%x (%s)' % (node['ip'], node['sym']['name'], node.get('sym_off', 0), node.get('dso', '')))\n"
	"\t\telse:\n"
	"\t\t\tprint('\\t[%x]' % node['ip'])\n";

static bool mentions(const struct tep_print_arg *a, const char *field, int depth)
{
	if (!a || depth > 16)
		return false;
	if (a->type == TEP_PRINT_FIELD)
		return !strcmp(a->field.name, field);
	if (a->type == TEP_PRINT_TYPE)
		return mentions(a->typecast.item, field, depth + 1);
	return a->type == TEP_PRINT_OP && (mentions(a->op.left, field, depth + 1) || mentions(a->op.right, field, depth + 1));
}

/* 'f' when the format prints that field's flags, 's' when its symbols, 0 for neither. */
static char named(const struct tep_print_arg *a, const char *field, int depth)
{
	char k;
	for (; a && depth < 16; a = a->next) {
		if (a->type == TEP_PRINT_FLAGS && mentions(a->flags.field, field, 0))
			return 'f';
		if (a->type == TEP_PRINT_SYMBOL && mentions(a->symbol.field, field, 0))
			return 's';
		if (a->type == TEP_PRINT_OP && ((k = named(a->op.left, field, depth + 1)) || (k = named(a->op.right, field, depth + 1))))
			return k;
	}
	return 0;
}

static void add_word(struct str *out, const char *z)
{
	for (; *z; z++)
		str_addc(out, isalnum((unsigned char)*z) ? *z : '_');
}

static void add_event(struct str *out, struct tep_handle *tep, const struct perfdata_event *e)
{
	struct tp_format *f = tp_format_new(tep, e->tep, NULL);
	struct str name = STR_INIT, fmt = STR_INIT, values = STR_INIT;
	size_t n;
	const struct tp_field *fd = tp_format_fields(f, &n);
	add_word(&name, tp_format_system(f));
	str_add(&name, "__");
	add_word(&name, tp_format_name(f));
	str_addf(out, "def %s(event_name, context, common_cpu,\n\tcommon_secs, common_nsecs, common_pid, common_comm,\n\tcommon_callchain", name.buf);
	for (size_t i = 0; i < n; i++) {
		if (fd[i].common)
			continue;
		char kind = named(e->tep->print_fmt.args, fd[i].name, 0);
		str_add(out, ", ");
		add_word(out, fd[i].name);
		str_add(&fmt, fmt.len ? ", " : "");
		add_word(&fmt, fd[i].name);
		str_add(&fmt, fd[i].kind == TP_NUMBER && !kind ? "=%d" : "=%s");
		str_add(&values, values.len ? ", " : "");
		if (kind) {
			str_addf(&values, "%s('%s', '", kind == 'f' ? "flag_str" : "symbol_str", name.buf);
			add_word(&values, fd[i].name);
			str_add(&values, "', ");
		}
		add_word(&values, fd[i].name);
		str_add(&values, kind ? ")" : "");
	}
	str_addf(out, ", perf_sample_dict):\n\tprint_header(event_name, common_cpu, common_secs, common_nsecs, common_pid, common_comm)\n"
		 "\tprint('%s' %% (%s%s))\n\tprint_callchain(common_callchain)\n\n\n", fmt.buf, values.buf, values.len ? "," : "");
	str_release(&name);
	str_release(&fmt);
	str_release(&values);
	tp_format_free(f);
}

int script_generate(struct perfdata *p, const char *path)
{
	struct str text = STR_INIT;
	struct out out;
	int err = out_open(&out, path, false);
	if (err) {
		out_close(&out);
		return err;
	}
	str_add(&text, head);
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (perfdata_event_at(p, i)->tep)
			add_event(&text, perfdata_tep(p), perfdata_event_at(p, i));
	str_add(&text, tail);
	out_str(&out, &text);
	str_release(&text);
	err = out_close(&out);
	if (!err)
		printf("generated Python script: %s\n", path);
	return err;
}
