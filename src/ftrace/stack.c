// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/stack.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "ftrace/instance.h"
#include "ftrace/undo.h"
#include "kernel/root.h"
#include "kernel/tracefs.h"

static const struct ftrace_instance top;

static const char *knob(void)
{
	return root_path(ROOT_PROC, "sys/kernel/stack_tracer_enabled");
}

bool ftrace_stack_running(void)
{
	int64_t on = 0;
	return !file_read_s64(knob(), &on) && on;
}

bool ftrace_stack_holds(void)
{
	int64_t bytes = 0;
	return !file_read_s64(tracefs_path("stack_max_size"), &bytes) && bytes > 0;
}

static int explain(int err)
{
	if (err == -ENOENT) {
		error_set(ENOENT, "this kernel has no stack tracer");
		return error_hint("it was built without CONFIG_STACK_TRACER; Debian's have it: sudo apt-get install linux-image-amd64");
	}
	if (err == -EACCES && geteuid()) {
		error_set(EACCES, "no permission for %s: the kernel's tracers are for root", knob());
		return error_hint("run as root: sudo sonde ...");
	}
	error_sys(err, "cannot write %s", knob());
	return error_hint("lockdown (/sys/kernel/security/lockdown), a security module or the container decides; sonde doctor tells");
}

int ftrace_stack_switch(bool on)
{
	int fd = open(knob(), O_WRONLY | O_CLOEXEC), err = 0;
	if (fd < 0)
		return explain(-errno);
	if (write(fd, on ? "1\n" : "0\n", 2) != 2)
		err = explain(-errno);
	close(fd);
	return err;
}

int ftrace_stack_clear(void)
{
	int err = tracefs_ready();
	if (err)
		return err;
	return access(tracefs_path("stack_max_size"), F_OK) ? explain(-ENOENT) : ftrace_set(&top, "stack_max_size", "0");
}

static int check_unused(void)
{
	if (!file_exists(knob()))
		return explain(-errno);
	if (ftrace_stack_running()) {
		error_set(EBUSY, "the stack tracer is in use: somebody has switched it on");
		return error_hint("sonde ftrace stack shows what it has seen, sonde ftrace stack --stop switches it off");
	}
	if (ftrace_stack_holds()) {
		error_set(EBUSY, "the stack tracer holds a stack that somebody else may want");
		return error_hint("sonde ftrace stack shows it, sonde ftrace stack --reset throws it away");
	}
	return 0;
}

int ftrace_stack_borrow(void)
{
	int err = tracefs_ready();
	if (!err)
		err = undo_lock_top();
	if (!err)
		err = check_unused();
	if (!err)
		err = undo_write(tracefs_path("stack_max_size"), "0", false);
	if (!err)
		err = undo_write(knob(), "0", false);
	return err ? err : ftrace_stack_switch(true);
}

int ftrace_stack_read(struct str *out)
{
	int err = tracefs_ready();
	if (err)
		return err;
	err = ftrace_get(&top, "stack_trace", out);
	return err == -ENOENT ? explain(err) : err ? ftrace_explain(err, &top, "stack_trace", NULL) : 0;
}
