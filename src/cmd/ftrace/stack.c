// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace stack: the deepest stack of the kernel, as its stack tracer sees it: while a command runs, or by trace-cmd's
 * --start, --stop, --reset. */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/ftrace/verbs.h"
#include "ftrace/stack.h"
#include "job/ftrace/during.h"

static const char *const usage[] = { "sonde ftrace stack [--timeout MS] [--] [COMMAND [ARGS]]", "sonde ftrace stack --start | --stop | --reset", NULL };

struct stack_cmd { bool start, stop, reset; const char *output; int timeout; };

#define OPTIONS struct stack_cmd
static const struct option_row rows[] = {
	OPT_MS(0, "timeout", timeout, "end after so long"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_GROUP("for longer"),
	OPT_FLAG(0, "start", start, "switch it on, and return"),
	OPT_FLAG(0, "stop", stop, "switch it off; what it has seen stays"),
	OPT_FLAG(0, "reset", reset, "forget what it has seen"),
	OPT_VERBOSE("tell each step"),
	OPT_END(),
};

static int show(const struct stack_cmd *o, bool running)
{
	struct str text = STR_INIT, line = STR_INIT;
	struct out out;
	char *save = NULL;
	int err = ftrace_stack_read(&text);
	if (!err)
		err = out_open(&out, o->output, false);
	if (!err) {
		if (!running)
			out_puts(&out, "(stack tracer not running)\n");
		for (char *l = text.len ? strtok_r(text.buf, "\n", &save) : NULL; l; l = strtok_r(NULL, "\n", &save)) {
			str_add_safez(&line, l);
			str_addc(&line, '\n');
			out_str(&out, &line);
		}
		err = out_close(&out);
	}
	str_release(&text);
	str_release(&line);
	return err;
}

static int borrow(void *ctx)
{
	(void)ctx;
	return ftrace_stack_borrow();
}

static int show_running(void *ctx)
{
	return show(ctx, true);
}

static int persistent(const struct stack_cmd *o)
{
	int err = o->stop ? ftrace_stack_switch(false) : 0;
	if (!err && o->reset)
		err = ftrace_stack_clear();
	return !err && o->start ? ftrace_stack_switch(true) : err;
}

int ftrace_cmd_stack(int argc, char **argv)
{
	struct stack_cmd o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n >= 0 && o.start && o.stop)
		n = error_set(EINVAL, "--start and --stop: give one of them");
	if (n > 0 && (o.start || o.stop || o.reset))
		n = error_set(EINVAL, "'%s': --start, --stop and --reset take no command", argv[0]);
	if (n < 0)
		return options_exit(n, usage);
	if (o.start || o.stop || o.reset)
		return persistent(&o) ? error_print() : 0;
	if (!n && !o.timeout && (ftrace_stack_running() || ftrace_stack_holds()))
		return show(&o, ftrace_stack_running()) ? error_print() : 0;
	const struct ftrace_during d = { .set_up = borrow, .show = show_running, .ctx = &o, .timeout_ms = o.timeout };
	return ftrace_during_run(&d, n ? argv : NULL);
}
