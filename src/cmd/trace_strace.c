// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/trace_strace.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "cmd/trace_options.h"
#include "kernel/workload.h"

int trace_strace_option(const struct option_row *opt, const char *arg, bool unset)
{
	struct trace *t = opt->value;
	(void)arg;
	switch (opt->short_name) {
	case 'c':
		t->summary_only = !unset;
		t->summary_mode = unset ? NULL : "total";
		return 0;
	case 'k':
		t->job.engine.user_graph = unset ? GRAPH_NONE : GRAPH_DWARF;
		return 0;
	case 'z':
		return trace_qualify_parse(&t->qualify, unset ? "status=all" : "status=successful") < 0 ? error_code() : 0;
	default:
		t->failure = !unset;
		return 0;
	}
}

/* Any of the arguments that are paths or descriptors. Several -P: any of the files. */
int trace_strace_path(const struct option_row *opt, const char *arg, bool unset)
{
	static const char *const names[] = { "filename", "pathname", "path", "name", "oldname", "newname", "from_pathname", "to_pathname",
					     "specialfile", "special", "dir_name", "dev_name", "new_root", "put_old", "library",
					     "fd", "dfd", "olddfd", "newdfd", "fildes", "oldfd", "newfd", "in_fd", "out_fd", "fd_in",
					     "fd_out", "fdin", "fdout" };
	struct trace *t = opt->value;
	struct str quoted = STR_INIT;
	(void)unset;
	str_add_quoted(&quoted, arg, strlen(arg));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		str_addf(&t->paths, "%s%s == %s", t->paths.len ? " || " : "", names[i], quoted.buf);
	str_release(&quoted);
	return 0;
}

int trace_strace_env(const struct option_row *opt, const char *arg, bool unset)
{
	const char *value = strchr(arg, '=');
	(void)opt;
	(void)unset;
	char *name = xstrndup(arg, value ? (size_t)(value - arg) : strlen(arg));
	int err = value ? setenv(name, value + 1, 1) : unsetenv(name);
	if (err)
		err = error_sys(errno, "-E %s", arg);
	free(name);
	return err;
}

bool trace_strace_clock(const char *threads, enum trace_clock *clock)
{
	if (strcmp(threads, "t") && strcmp(threads, "tt"))
		return false;
	*clock = threads[1] ? CLOCK_SECONDS : CLOCK_OF_DAY;
	return true;
}

int trace_hint_strace(const char *threads)
{
	if (isdigit((unsigned char)threads[0]))
		return error_code();
	return error_hint("-t TID names threads; -tt shows the time of day, -T absolute times, and each line has the call's duration");
}

void trace_warn_files(const struct trace_job *j)
{
	if (j->output && !j->record)
		warn("-ff: all lines go to %s, each with its thread", j->output);
}

int trace_check_command(bool summary, const char *command)
{
	uint64_t n;
	char *path;
	if (!summary || !command || parse_u64(command, &n))
		return 0;
	path = workload_find(command);
	free(path);
	if (path)
		return 0;
	error_set(EINVAL, "-s makes a summary and takes no number, and there is no program '%s'", command);
	return error_hint("--string-limit %s shows so much of each string", command);
}
