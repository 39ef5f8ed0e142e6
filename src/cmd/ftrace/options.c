// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"
#include "base/out.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"

static const char *const usage[] = { "sonde ftrace options [-B NAME | -t] [[no]OPTION]...", NULL };

/* As the kernel shows them: those that are off begin with "no". */
static int print(const struct ftrace_instance *i)
{
	struct str s = STR_INIT;
	struct out o;
	int err = ftrace_get(i, "trace_options", &s);
	if (err)
		err = ftrace_explain(err, i, "trace_options", NULL);
	else if (!(err = out_open(&o, NULL, false))) {
		out_printf(&o, "%s\n", s.buf);
		err = out_close(&o);
	}
	str_release(&s);
	return err;
}

int ftrace_cmd_options(int argc, char **argv)
{
	struct ftrace_which w = { 0 };
	struct ftrace_instance i;
	int n = options_parse(&w, argc, argv, ftrace_which_rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	int err = ftrace_which_find(&w, &i);
	if (err)
		return error_print();
	err = n ? 0 : print(&i);
	for (int k = 0; k < n && !err; k++)
		err = ftrace_option(&i, argv[k]);
	ftrace_instance_release(&i);
	return err ? error_print() : 0;
}
