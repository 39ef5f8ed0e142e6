// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/tracefs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/argformat.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

enum { FORMAT_MAX = 1 << 20 };

static bool kernel_has_tracefs(void)
{
	struct str s = STR_INIT;
	bool has = file_read(root_path(ROOT_PROC, "filesystems"), &s, 1 << 16) || strstr(s.buf, "\ttracefs\n");
	str_release(&s);
	return has;
}

static bool events_there(void)
{
	return !access(root_path(ROOT_TRACEFS, "events"), F_OK);
}

const char *tracefs_open_up(void)
{
	static char text[96];
	snprintf(text, sizeof(text), "sudo mount -o remount,mode=750,gid=%u /sys/kernel/tracing", getegid());
	return text;
}

static int explain_missing(int err)
{
	if (!kernel_has_tracefs()) {
		error_set(ENOENT, "this kernel has no tracefs (CONFIG_FTRACE is not set)");
		return error_hint("tracepoints and probes need it; counting and sampling of PMU and software events do not");
	}
	if (err == EACCES) {
		error_set(EACCES, "no permission to read tracefs at %s", root_path(ROOT_TRACEFS, "%s", ""));
		return error_hint("run as root, or let your group read it: %s", tracefs_open_up());
	}
	error_set(ENOENT, "tracefs is not mounted at /sys/kernel/tracing");
	return error_hint("as root: mount -t tracefs nodev /sys/kernel/tracing");
}

static int check(void)
{
	if (!root_is_fake() && !events_there() && geteuid() == 0 && kernel_has_tracefs())
		(void)mount("nodev", "/sys/kernel/tracing", "tracefs", 0, NULL);
	DIR *d = opendir(root_path(ROOT_TRACEFS, "events"));
	if (d) {
		closedir(d);
		return 0;
	}
	/* A folder that may not be searched hides whether events exists. */
	int err = errno;
	if (err == ENOENT && access(root_path(ROOT_TRACEFS, "%s", ""), X_OK) && errno == EACCES)
		err = EACCES;
	return -err;
}

int tracefs_ready(void)
{
	static bool ready;
	if (ready)
		return 0;
	int err = check();
	if (err)
		return explain_missing(-err);
	ready = true;
	return 0;
}

const char *tracefs_path(const char *fmt, ...)
{
	char tail[4096];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(tail, sizeof(tail), fmt, ap);
	va_end(ap);
	return root_path(ROOT_TRACEFS, "%s", tail);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folders in a folder, sorted. */
static int folders(const char *path, wordlist *out)
{
	DIR *d = opendir(path);
	struct dirent *e;
	if (!d)
		return -errno;
	size_t first = out->n;
	while ((e = readdir(d))) {
		struct stat st;
		if (e->d_name[0] == '.')
			continue;
		if (e->d_type == DT_DIR ||
		    (e->d_type == DT_UNKNOWN && !fstatat(dirfd(d), e->d_name, &st, 0) && S_ISDIR(st.st_mode)))
			wordlist_add(out, e->d_name);
	}
	closedir(d);
	if (out->n > first)
		qsort(out->at + first, out->n - first, sizeof(char *), by_name);
	return 0;
}

int tracefs_systems_list(wordlist *out)
{
	int err = tracefs_ready();
	if (err)
		return err;
	err = folders(tracefs_path("events"), out);
	return err ? error_sys(err, "cannot list %s", tracefs_path("events")) : 0;
}

/* No name from a user may climb out of events/. */
static bool plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

int tracefs_events_list(const char *system, wordlist *out)
{
	int err = tracefs_ready();
	if (err)
		return err;
	if (!plain(system))
		return error_set(EINVAL, "'%s' is not the name of a tracepoint system", system);
	err = folders(tracefs_path("events/%s", system), out);
	return err ? error_sys(err, "cannot list %s", tracefs_path("events/%s", system)) : 0;
}

static VEC(int64_t) ids_read;

bool tracefs_id_was_read(int64_t id)
{
	vec_each(&ids_read, i)
		if (*i == id)
			return true;
	return false;
}

int64_t tracefs_event_id(const char *system, const char *name)
{
	int64_t id;
	if (!plain(system) || !plain(name))
		return -EINVAL;
	int err = file_read_s64(tracefs_path("events/%s/%s/id", system, name), &id);
	if (!err && lent() && !tracefs_id_was_read(id))
		*vec_push(&ids_read) = id;
	return err ? err : id;
}

int tracefs_event_format(const char *system, const char *name, struct str *out)
{
	if (!plain(system) || !plain(name))
		return -EINVAL;
	int err = file_read(tracefs_path("events/%s/%s/format", system, name), out, FORMAT_MAX);
	if (!err)
		argformat_find(out, system, name);
	return err;
}

int tracefs_put(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags), err = 0;
	if (fd < 0)
		return -errno;
	char *line = *text ? xasprintf("%s\n", text) : NULL;
	for (size_t n = line ? strlen(line) : 0, done = 0; done < n && !err;) { /* lists of functions take a word at a time */
		ssize_t k = write(fd, line + done, n - done);
		err = k > 0 ? 0 : k < 0 ? -errno : -EIO;
		done += k > 0 ? (size_t)k : 0;
	}
	free(line);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* The kernel's list takes several reads: while probes come and go it may have an event twice. */
static void drop_twins(wordlist *sorted)
{
	size_t n = 0;
	vec_each(sorted, w)
		if (n && !strcmp(sorted->at[n - 1], *w))
			free(*w);
		else
			sorted->at[n++] = *w;
	sorted->n = n;
}

/* available_events is one read; the folders are the fall-back (some events are missing from neither). */
static void read_all(wordlist *all)
{
	struct str s = STR_INIT;
	if (!file_read(tracefs_path("available_events"), &s, 16 << 20) && s.len) {
		wordlist_split(all, s.buf, '\n');
	} else {
		wordlist systems = { 0 };
		if (!tracefs_systems_list(&systems))
			vec_each(&systems, sys) {
				wordlist names = { 0 };
				if (!tracefs_events_list(*sys, &names))
					vec_each(&names, n)
						*vec_push(all) = xasprintf("%s:%s", *sys, *n);
				wordlist_release(&names);
			}
		wordlist_release(&systems);
		error_clear();
	}
	str_release(&s);
	if (all->n)
		qsort(all->at, all->n, sizeof(char *), by_name);
	drop_twins(all);
}

const wordlist *tracefs_all(void)
{
	static wordlist all;
	static bool done;
	if (!done && !tracefs_ready()) {
		read_all(&all);
		done = true;
	}
	return &all;
}
