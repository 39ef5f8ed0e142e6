// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/instance.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "ftrace/undo.h"
#include "kernel/tracefs.h"

enum { FILE_MAX = 64 << 20 };

const char *ftrace_path(const struct ftrace_instance *i, const char *fmt, ...)
{
	char tail[4096];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(tail, sizeof(tail), fmt, ap);
	va_end(ap);
	return i->name ? tracefs_path("instances/%s/%s", i->name, tail) : tracefs_path("%s", tail);
}

static void name_it(struct ftrace_instance *i, const char *name)
{
	*i = (struct ftrace_instance){ .name = name ? xstrdup(name) : NULL };
	i->dir = xstrdup(name ? tracefs_path("instances/%s", name) : tracefs_path("%s", ""));
	size_t n = strlen(i->dir);
	if (n > 1 && i->dir[n - 1] == '/')
		i->dir[n - 1] = 0;
}

void ftrace_instance_release(struct ftrace_instance *i)
{
	free(i->name);
	free(i->dir);
	*i = (struct ftrace_instance){ 0 };
}

int ftrace_get(const struct ftrace_instance *i, const char *file, struct str *out)
{
	int err = file_read(ftrace_path(i, "%s", file), out, FILE_MAX);
	while (!err && out->len && out->buf[out->len - 1] == '\n')
		out->buf[--out->len] = 0;
	return err;
}

bool ftrace_lists(const struct ftrace_instance *i, const char *file, const char *word)
{
	struct str s = STR_INIT;
	bool found = false;
	char *save = NULL;
	if (!ftrace_get(i, file, &s) && s.len)
		for (char *w = strtok_r(s.buf, " \n[]", &save); w && !found; w = strtok_r(NULL, " \n[]", &save))
			found = !strcmp(w, word);
	str_release(&s);
	return found;
}

/* ---- refusals ---- */

static bool of_functions(const char *file)
{
	return !strncmp(file, "set_ftrace", 10) || !strncmp(file, "set_graph", 9) || !strcmp(file, "current_tracer") ||
		!strncmp(file, "available_filter", 16) || !strcmp(file, "max_graph_depth") || !strncmp(file, "stack_", 6);
}

static int explain_closed(int err, const char *path, const char *file)
{
	if (geteuid()) {
		error_set(EACCES, "no permission for %s: the kernel's tracers are for root", path);
		return error_hint("run as root: sudo sonde ...");
	}
	error_sys(err, "the policy of this machine closes %s", path);
	if (of_functions(file))
		error_hint("the kernel's function tracers need it; events, and probes in programs, still work: sonde ftrace -e EVENT, sonde uprobe");
	return error_hint("lockdown (/sys/kernel/security/lockdown), a security module or the container decides; sonde doctor tells");
}

int ftrace_explain(int err, const struct ftrace_instance *i, const char *file, const char *what)
{
	const char *path = ftrace_path(i, "%s", file);
	switch (-err) {
	case EACCES:
	case EPERM: return explain_closed(err, path, file);
	case EROFS:
		error_set(EROFS, "tracefs is mounted read-only: %s cannot be written", path);
		return error_hint("containers have it so; outside of one: sudo mount -o remount,rw /sys/kernel/tracing");
	case ENOENT:
		error_set(ENOENT, "this kernel has no %s", path);
		if (strstr(file, "snapshot"))
			return error_hint("it was built without CONFIG_TRACER_SNAPSHOT; sonde ftrace extract takes what the buffer has");
		return error_hint(of_functions(file) ? "it was built without the function tracer (CONFIG_FUNCTION_TRACER)" :
						       "another kernel may have it; sonde ftrace list tells what is here");
	case EBUSY:
		error_set(EBUSY, "%s is in use", path);
		return error_hint("end what reads or traces there, then try again");
	case EINTR: /* what the kernel says of a uprobe that perf has */
		error_set(EINTR, "perf's half of the kernel has the uprobe of %s", path);
		return error_hint("a uprobe's event is for one of the two at a time: end the sonde record, stat, trace or perf that uses it");
	case EINVAL:
		if (what)
			return error_set(EINVAL, "the kernel does not take '%s' in %s", what, path);
		/* fall through */
	default: return error_sys(err, "cannot %s %s", what ? "write" : "read", path);
	}
}

/* ---- writing ---- */

/* What is to be written to have again what was read: of an empty list the kernel prints a remark, of a filter "none". */
static const char *as_written(const char *file, const struct str *old)
{
	const char *slash = strrchr(file, '/');
	if (slash && !strcmp(slash, "/filter") && (!old->len || old->buf[0] == '#' || !strcmp(old->buf, "none")))
		return "0";
	return !old->len || old->buf[0] == '#' || !strcmp(old->buf, "no pid") ? "" : old->buf;
}

/* Before the first change of a borrowed knob. */
static int note_old(const struct ftrace_instance *i, const char *file)
{
	struct str old = STR_INIT;
	int err = ftrace_get(i, file, &old);
	if (!err)
		err = undo_write(ftrace_path(i, "%s", file), as_written(file, &old), false);
	else
		err = ftrace_explain(err, i, file, NULL);
	str_release(&old);
	return err;
}

static int change(const struct ftrace_instance *i, const char *file, const char *text, int flags)
{
	int err = i->borrowed ? note_old(i, file) : 0;
	if (err)
		return err;
	err = tracefs_put(ftrace_path(i, "%s", file), text, flags);
	return err ? ftrace_explain(err, i, file, text) : 0;
}

int ftrace_set(const struct ftrace_instance *i, const char *file, const char *text)
{
	return change(i, file, text, O_TRUNC);
}

int ftrace_add(const struct ftrace_instance *i, const char *file, const char *text)
{
	return change(i, file, text, O_APPEND);
}

int ftrace_setf(const struct ftrace_instance *i, const char *file, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	int err = ftrace_set(i, file, s.buf);
	str_release(&s);
	return err;
}

static const struct { const char *name, *since; } young[] = {
	{ "funcgraph-retval", "6.5" }, { "funcgraph-retval-hex", "6.5" }, { "funcgraph-args", "6.15" }, { "func-args", "6.15" },
	{ "funcgraph-retaddr", "6.13" },
};

static int no_such_option(const struct ftrace_instance *i, const char *name)
{
	struct nearest n;
	struct str s = STR_INIT;
	error_set(EINVAL, "the kernel has no trace option '%s'", name);
	nearest_init(&n, name);
	for (size_t k = 0; k < sizeof(young) / sizeof(*young); k++)
		if (!strcmp(young[k].name, name))
			return error_hint("Linux %s and later have it", young[k].since);
	char *save = NULL;
	if (!ftrace_get(i, "trace_options", &s) && s.len)
		for (char *w = strtok_r(s.buf, "\n", &save); w; w = strtok_r(NULL, "\n", &save))
			nearest_offer(&n, str_starts(w, "no") && !str_starts(name, "no") ? w + 2 : w);
	if (!nearest_hint(&n))
		error_hint("sonde ftrace list -O lists them; some are there only while their tracer is set (-p)");
	str_release(&s);
	return -EINVAL;
}

/* Options of a tracer, which kernels have but once, whichever instance sets them. on: as they are after boot. */
static const struct tracer_option { const char *name; bool on; } of_tracers[] = {
	{ "func_stack_trace", false }, { "func-no-repeats", false }, { "func-args", false },
	{ "funcgraph-overrun", false }, { "funcgraph-cpu", true }, { "funcgraph-overhead", true }, { "funcgraph-proc", false },
	{ "funcgraph-duration", true }, { "funcgraph-abstime", false }, { "funcgraph-irqs", true }, { "funcgraph-tail", false },
	{ "funcgraph-exit", false }, { "funcgraph-retval", false }, { "funcgraph-retval-hex", false }, { "funcgraph-args", false },
	{ "funcgraph-retaddr", false }, { "sleep-time", true }, { "graph-time", true },
	{ "blk_classic", false }, { "blk_cgroup", false }, { "blk_cgname", false },
};

static bool of_tracer(const char *name)
{
	for (size_t k = 0; k < sizeof(of_tracers) / sizeof(*of_tracers); k++)
		if (!strcmp(of_tracers[k].name, name))
			return true;
	return false;
}

void ftrace_tracer_defaults(const struct ftrace_instance *i)
{
	for (size_t k = 0; k < sizeof(of_tracers) / sizeof(*of_tracers); k++) {
		const struct tracer_option *t = &of_tracers[k];
		char *shown = xasprintf("%s%s", t->on ? "no" : "", t->name); /* when it is not as after boot */
		char *file = xasprintf("options/%s", t->name);
		if (ftrace_lists(i, "trace_options", shown) && ftrace_set(i, file, t->on ? "1" : "0"))
			error_clear();
		free(shown);
		free(file);
	}
}

/* What an own instance sets of a tracer stays when it has gone: as in the top one it is put back, and set by one at a time. */
static int put_option(const struct ftrace_instance *i, const char *name, const char *file, const char *value)
{
	if (i->name && of_tracer(name)) {
		int err = undo_lock_top();
		if (!err)
			err = note_old(i, file);
		if (err)
			return err;
	}
	return ftrace_set(i, file, value);
}

int ftrace_option(const struct ftrace_instance *i, const char *name)
{
	char file[160];
	snprintf(file, sizeof(file), "options/%s", name);
	if (strchr(name, '/'))
		return no_such_option(i, name);
	if (!access(ftrace_path(i, "%s", file), F_OK))
		return put_option(i, name, file, "1");
	if (str_starts(name, "no")) {
		snprintf(file, sizeof(file), "options/%s", name + 2);
		if (!access(ftrace_path(i, "%s", file), F_OK))
			return put_option(i, name + 2, file, "0");
	}
	return no_such_option(i, name);
}

/* ---- the top one's buffer ---- */

/* Nobody has traced there since boot: its buffer has a few kB, and gets the usual size at the first use. But kernels before 6.7
 * take the first use of any instance for that, and others would then trace into the few kB. */
static int usual_kb; /* of the top one that was never used; 0: it was */

static void look_at_top(void)
{
	struct ftrace_instance top = { 0 };
	struct str s = STR_INIT;
	if (!usual_kb && !ftrace_get(&top, "buffer_size_kb", &s) && sscanf(s.buf, "%*d (expanded: %d)", &usual_kb) != 1)
		usual_kb = 0;
	str_release(&s);
}

void ftrace_top_keeps_size(void)
{
	struct ftrace_instance top = { 0 };
	struct str s = STR_INIT;
	if (usual_kb > 0 && !ftrace_get(&top, "buffer_size_kb", &s) && s.len && !strchr(s.buf, '(')) {
		if (strtol(s.buf, NULL, 10) < usual_kb && ftrace_setf(&top, "buffer_size_kb", "%d", usual_kb))
			error_clear();
		usual_kb = 0;
	}
	str_release(&s);
}

/* ---- the three kinds ---- */

static int explain_no_instances(int err)
{
	if (err == -ENOENT) {
		error_set(ENOENT, "this kernel has no instances of tracefs");
		return error_hint("Linux has them from 3.10 on");
	}
	if (err == -EACCES || err == -EPERM || err == -EROFS) {
		struct ftrace_instance top = { 0 };
		return ftrace_explain(err, &top, "instances", "");
	}
	return error_sys(err, "cannot make an instance in %s", tracefs_path("instances"));
}

static int make(struct ftrace_instance *i)
{
	look_at_top();
	int err = undo_instance(i->dir);
	if (err)
		return err;
	if (mkdir(i->dir, 0750)) {
		err = -errno;
		undo_forget();
		return err;
	}
	return 0;
}

int ftrace_instance_own(struct ftrace_instance *i)
{
	static int number;
	char name[40];
	int err = tracefs_ready();
	*i = (struct ftrace_instance){ 0 };
	if (err)
		return err;
	do {
		if (number)
			snprintf(name, sizeof(name), "sonde-%d-%d", (int)getpid(), number);
		else
			snprintf(name, sizeof(name), "sonde-%d", (int)getpid());
		ftrace_instance_release(i);
		name_it(i, name);
		err = make(i);
	} while (err == -EEXIST && ++number < 100);
	number++;
	if (!err)
		return ftrace_set(i, "tracing_on", "0");
	ftrace_instance_release(i);
	return error_pending() ? err : explain_no_instances(err);
}

/* Somebody's trace that was not read yet. */
static bool holds_entries(const struct ftrace_instance *i)
{
	struct str s = STR_INIT;
	int n = 0;
	if (!ftrace_get(i, "trace", &s) && s.len)
		for (char *p = s.buf, *nl; p && *p; p = nl ? nl + 1 : NULL) {
			nl = strchr(p, '\n');
			n += *p != '#' && *p != '\n';
		}
	str_release(&s);
	return n > 0;
}

static int check_unused(const struct ftrace_instance *i, bool force)
{
	struct str tracer = STR_INIT, events = STR_INIT;
	int err = ftrace_get(i, "current_tracer", &tracer);
	if (err)
		err = ftrace_explain(err, i, "current_tracer", NULL);
	else if (strcmp(tracer.buf, "nop")) {
		err = error_set(EBUSY, "the global tracer is in use: current_tracer is %s, which no sonde has set", tracer.buf);
		error_hint("end what set it, or: sonde ftrace reset -t");
	} else if (!ftrace_get(i, "set_event", &events) && events.len) {
		events.buf[strcspn(events.buf, "\n")] = 0;
		err = error_set(EBUSY, "the global tracer is in use: events are enabled there (%s)", events.buf);
		error_hint("end what enabled them, or: sonde ftrace reset -t");
	} else if (!force && holds_entries(i)) {
		err = error_set(EBUSY, "the global buffer holds a trace that somebody made and did not read");
		error_hint("trace-cmd extract saves it, sonde ftrace clear -t throws it away");
	}
	str_release(&tracer);
	str_release(&events);
	return err;
}

int ftrace_instance_borrow(struct ftrace_instance *i, bool force)
{
	int err = tracefs_ready();
	*i = (struct ftrace_instance){ 0 };
	if (err)
		return err;
	err = undo_lock_top();
	if (err)
		return err;
	name_it(i, NULL);
	err = check_unused(i, force);
	if (!err) {
		i->borrowed = true;
		err = ftrace_set(i, "tracing_on", "0");
	}
	if (err)
		ftrace_instance_release(i);
	return err;
}

static bool plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static int no_such_instance(const char *name)
{
	if (!strcmp(name, FTRACE_SESSION)) {
		error_set(ENOENT, "there is no session: nothing was started");
		return error_hint("sonde ftrace start -e EVENT starts one; -t is the kernel's top instance, -B NAME another");
	}
	error_set(ENOENT, "there is no instance '%s'", name);
	return error_hint("sonde ftrace list -B lists them");
}

int ftrace_instance_find(struct ftrace_instance *i, const char *name)
{
	int err = tracefs_ready();
	*i = (struct ftrace_instance){ 0 };
	if (err)
		return err;
	if (name && !plain(name))
		return error_set(EINVAL, "'%s' is not the name of an instance", name);
	name_it(i, name);
	if (file_exists(i->dir))
		return 0;
	ftrace_instance_release(i);
	return no_such_instance(name);
}

int ftrace_instance_make(struct ftrace_instance *i, const char *name, bool *made)
{
	int err = tracefs_ready();
	bool ours = false;
	*i = (struct ftrace_instance){ 0 };
	if (err)
		return err;
	if (name && !plain(name))
		return error_set(EINVAL, "'%s' is not the name of an instance", name);
	name_it(i, name);
	if (!file_exists(i->dir)) {
		err = make(i);
		ours = !err;
		err = err == -EEXIST ? 0 : err;
		if (ours)
			err = ftrace_set(i, "tracing_on", "0");
	}
	if (made)
		*made = ours;
	if (!err)
		return 0;
	ftrace_instance_release(i);
	return error_pending() ? err : explain_no_instances(err);
}

int ftrace_instance_remove(struct ftrace_instance *i)
{
	int err = i->name ? undo_instance(i->dir) : 0;
	return err ? err : undo_run();
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int ftrace_instances_list(wordlist *out)
{
	int err = tracefs_ready();
	if (err)
		return err;
	DIR *d = opendir(tracefs_path("instances"));
	if (!d)
		return explain_no_instances(-errno);
	for (struct dirent *e; (e = readdir(d));)
		if (e->d_name[0] != '.')
			wordlist_add(out, e->d_name);
	closedir(d);
	if (out->n)
		qsort(out->at, out->n, sizeof(char *), by_name);
	return 0;
}
