// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/trigger.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "ftrace/undo.h"
#include "kernel/tracefs.h"

/* The kernel's last word about that line, from its error_log. */
static void add_reason(const struct ftrace_instance *i, const char *line)
{
	struct str s = STR_INIT;
	const char *command = NULL, *said = NULL;
	if (!file_read(ftrace_path(i, "error_log"), &s, 1 << 20) && s.len) {
		for (char *p = s.buf; (p = strstr(p, "Command: ")); p++)
			command = p;
		for (char *p = s.buf; command && (p = strstr(p, "error: ")) && p < command; p++)
			said = p + 7;
	}
	if (said && str_starts(command + 9, line))
		error_hint("the kernel's reason: %.*s", (int)strcspn(said, "\n"), said);
	str_release(&s);
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), err = 0;
	if (fd < 0)
		return -errno;
	char *line = xasprintf("%s\n", text);
	if (write(fd, line, strlen(line)) < 0)
		err = -errno;
	free(line);
	close(fd);
	return err;
}

/* Noted first, so that it is taken back however we end. */
static int put_noted(const char *path, const char *text, const char *back)
{
	int err = undo_write(path, back, true);
	if (err)
		return err;
	err = put(path, text);
	if (err)
		undo_forget();
	return err;
}

int ftrace_trigger_add(const struct ftrace_instance *i, const char *dir, const char *text)
{
	char *path = xstrdup(ftrace_path(i, "events/%s/trigger", dir)), *back = xasprintf("!%s", text);
	bool hist = str_starts(text, "hist:");
	int err = 0;
	if (hist && access(ftrace_path(i, "events/%s/hist", dir), F_OK)) {
		char *colons = xstrdup(dir);
		*strchr(colons, '/') = ':';
		err = error_set(ENOTSUP, "this kernel has no hist triggers");
		error_hint("it was built without CONFIG_HIST_TRIGGERS; Debian's have them. Counts by eBPF: sonde run -e 'tracepoint:%s { @[pid] = count() }'", colons);
		free(colons);
	} else if ((err = put_noted(path, text, back)) && !error_pending()) {
		err = ftrace_explain(err, i, path + strlen(i->dir) + 1, text);
		if (hist && err == -EINVAL)
			error_hint("keys and values are fields of the event: sonde ftrace list -e %s -F; size is from 128 to 131072", strchr(dir, '/') + 1);
		add_reason(i, text);
	}
	free(path);
	free(back);
	return err;
}

/* ---- clearing ---- */

/* "stacktrace:unlimited", "hist:keys=pid:size=2048 [active]": what was written to set it. */
static char *as_written(const char *line)
{
	const char *state = strstr(line, " [");
	char *z = state ? xstrndup(line, (size_t)(state - line)) : xstrdup(line), *limit = strstr(z, ":unlimited");
	if (limit)
		memmove(limit, limit + 10, strlen(limit + 10) + 1);
	return z;
}

/* Whether there were any. */
static bool clear_event(const struct ftrace_instance *i, const char *event)
{
	char *path = xstrdup(ftrace_path(i, "events/%.*s/%s/trigger", (int)strcspn(event, ":"), event, event + strcspn(event, ":") + 1));
	struct str s = STR_INIT;
	bool any = false;
	char *save = NULL;
	if (!file_read(path, &s, 1 << 20) && s.len)
		for (char *line = strtok_r(s.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			if (*line == '#')
				continue;
			char *plain = as_written(line), *back = xasprintf("!%s", plain);
			any = true;
			(void)put(path, back); /* one that another refers to stays until that has gone */
			free(plain);
			free(back);
		}
	str_release(&s);
	free(path);
	return any;
}

void ftrace_triggers_clear(const struct ftrace_instance *i)
{
	enum { ROUNDS = 8 };
	bool any = true;
	for (int n = 0; n < ROUNDS && any; n++) {
		any = false;
		vec_each(tracefs_all(), e)
			if (strchr(*e, ':') && !str_starts(*e, "ftrace:"))
				any |= clear_event(i, *e);
	}
}

/* ---- synthetic events ---- */

int ftrace_synthetic_add(const char *definition)
{
	static const struct ftrace_instance top;
	const char *name = definition + strspn(definition, " \t");
	size_t n = strcspn(name, " \t;");
	int err = tracefs_ready();
	if (err)
		return err;
	if (!n || !name[n] || *name == '!')
		return error_set(EINVAL, "'%s' is no synthetic event: NAME TYPE FIELD; TYPE FIELD", definition);
	if (access(tracefs_path("synthetic_events"), F_OK)) {
		error_set(ENOTSUP, "this kernel has no synthetic events");
		return error_hint("it was built without CONFIG_SYNTH_EVENTS; Debian's have them: sudo apt-get install linux-image-amd64");
	}
	char *back = xasprintf("!%.*s", (int)n, name);
	err = put_noted(tracefs_path("synthetic_events"), definition, back);
	free(back);
	if (err == -EEXIST && !error_pending()) {
		error_set(EEXIST, "there is an event '%.*s' already", (int)n, name);
		return error_hint("choose another name; sonde ftrace stat -t shows the definitions");
	}
	if (err && !error_pending()) {
		ftrace_explain(err, &top, "synthetic_events", definition);
		add_reason(&top, definition);
	}
	return err;
}
