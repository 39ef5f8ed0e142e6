// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/dynevents.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"
#include "kernel/tracefs.h"

enum { EVENTS_MAX = 16 << 20 };

static const struct dynevent_kind {
	const char *events, *profile, *config[2], *what, *instead;
} kinds[] = {
	[DYNEVENTS_KPROBE] = { "kprobe_events", "kprobe_profile", { "KPROBES", "KPROBE_EVENTS" }, "kernel probes",
		"still there: probes in programs and libraries (sonde probe -x FILE FUNC) and the kernel's "
		"tracepoints (sonde list tracepoint)" },
	[DYNEVENTS_UPROBE] = { "uprobe_events", "uprobe_profile", { "UPROBES", "UPROBE_EVENTS" },
		"probes in programs", "still there: the kernel's tracepoints (sonde list tracepoint)" },
};

/* tracefs is there but the file is not: says which option of the kernel is off. */
static int explain_absent(const struct dynevent_kind *k)
{
	const char *off = NULL;
	for (int i = 0; i < 2 && !off; i++)
		if (kernel_config(k->config[i]) == 'n')
			off = k->config[i];
	if (off)
		error_set(ENOTSUP, "CONFIG_%s is not set in this kernel: it has no %s", off, k->what);
	else
		error_set(ENOTSUP, "this kernel has no %s (tracefs has no %s)", k->what, k->events);
	return error_hint("%s", k->instead);
}

int dynevents_supported(enum dynevents kind)
{
	const struct dynevent_kind *k = &kinds[kind];
	int err = tracefs_ready();
	bool off = kernel_config(k->config[0]) == 'n' || kernel_config(k->config[1]) == 'n';
	if (err) /* who may not look there is told what no permission would change */
		return err == -EACCES && off ? explain_absent(k) : err;
	return file_exists(tracefs_path("%s", k->events)) ? 0 : explain_absent(k);
}

int dynevents_read(enum dynevents kind, struct str *out)
{
	return file_read(tracefs_path("%s", kinds[kind].events), out, EVENTS_MAX);
}

int dynevents_profile(enum dynevents kind, struct str *out)
{
	return file_read(tracefs_path("%s", kinds[kind].profile), out, EVENTS_MAX);
}

/* The kernel's log of refused commands ends with ours, if it wrote a reason:
 *     [ 12.3] trace_uprobe: error: Invalid probed address or symbol
 *       Command: p:...
 *                ^                                                    */
static void quote_kernel_reason(const char *line)
{
	struct str s = STR_INIT;
	if (!file_read(tracefs_path("error_log"), &s, 1 << 20)) {
		const char *cmd = NULL, *p = s.buf, *err, *nl;
		while ((p = strstr(p, "Command: "))) {
			p += 9;
			if (!strncmp(p, line, strlen(line)))
				cmd = p;
		}
		for (err = cmd; err && err > s.buf && strncmp(err, "error: ", 7); err--)
			;
		nl = err ? strchr(err, '\n') : NULL;
		if (err && err > s.buf && nl)
			error_hint("the kernel's reason: %.*s", (int)(nl - err - 7), err + 7);
	}
	str_release(&s);
}

static int explain_write(int err, const struct dynevent_kind *k, const char *line)
{
	const char *path = tracefs_path("%s", k->events);
	switch (-err) {
	case EACCES:
	case EPERM:
		error_set(EACCES, "no permission to write %s", path);
		return geteuid() ? error_hint("run as root: sudo sonde probe ...") :
			error_hint("root is refused too: the kernel is locked down (/sys/kernel/security/lockdown) or this is a container");
	case EROFS:
		error_set(EROFS, "tracefs is mounted read-only: %s cannot be written", path);
		return error_hint("containers have it so; outside of one: sudo mount -o remount,rw /sys/kernel/tracing");
	case ENOENT:
		error_set(ENOENT, "the kernel does not find what '%s' refers to", line);
		break;
	case EBUSY:
		error_set(EBUSY, "the event is in use");
		error_hint("end what uses it (a record, stat or trace; or events/.../enable is 1), then try again");
		break;
	case EEXIST:
		error_set(EEXIST, "an event of that name exists with other arguments");
		break;
	default:
		error_sys(err, "the kernel refused '%s'", line);
	}
	quote_kernel_reason(line);
	return error_code();
}

int dynevents_write(enum dynevents kind, const char *line)
{
	const struct dynevent_kind *k = &kinds[kind];
	int fd = open(tracefs_path("%s", k->events), O_WRONLY | O_APPEND | O_CLOEXEC), err = 0;
	size_t len = strlen(line);
	if (fd >= 0 && line[strcspn(line, "\n\r#")]) { /* it would be more than this one definition, or less */
		close(fd);
		return error_set(EINVAL, "'%s' is no definition of one event", line);
	}
	if (fd < 0)
		return errno == ENOENT ? explain_absent(k) : explain_write(-errno, k, line);
	char *text = xasprintf("%s\n", line);
	if (write(fd, text, len + 1) < 0)
		err = -errno;
	free(text);
	close(fd);
	return err ? explain_write(err, k, line) : 0;
}

int dynevents_lock(void)
{
	int fd = open(tracefs_path("%s", ""), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "cannot open %s", tracefs_path("%s", ""));
	while (flock(fd, LOCK_EX)) {
		if (errno == EINTR)
			continue;
		close(fd);
		return error_sys(errno, "cannot lock %s", tracefs_path("%s", ""));
	}
	return fd;
}

void dynevents_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

bool dynevents_readme_has(const char *word)
{
	struct str s = STR_INIT;
	bool has = file_read(tracefs_path("README"), &s, 1 << 20) || strstr(s.buf, word);
	str_release(&s);
	return has;
}
