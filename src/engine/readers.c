// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/readers.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"

enum { PTS_MAJOR = 136, PTS_MAJORS = 8 };

struct wanted {
	char link[64]; /* what /proc/PID/fd/N shows */
	int tty; /* its number, -1: a pipe */
};

/* Does this descriptor lead to us? A pipe's other end must be open for reading, a terminal's master must be ours. */
static bool leads_here(const struct wanted *w, int pid, const char *fd)
{
	char link[128];
	struct str s = STR_INIT;
	ssize_t n = readlink(root_path(ROOT_PROC, "%d/fd/%s", pid, fd), link, sizeof(link) - 1);
	bool hit = false;
	if (n <= 0)
		return false;
	link[n] = 0;
	if (w->tty < 0 ? strcmp(link, w->link) : !str_ends(link, "/ptmx"))
		return false;
	if (!file_read(root_path(ROOT_PROC, "%d/fdinfo/%s", pid, fd), &s, 4096)) {
		const char *flags = strstr(s.buf, "flags:"), *index = strstr(s.buf, "tty-index:");
		if (w->tty < 0)
			hit = flags && !(strtol(flags + 6, NULL, 8) & 1); /* not O_WRONLY */
		else
			hit = index && strtol(index + 10, NULL, 10) == w->tty;
	}
	str_release(&s);
	return hit;
}

static bool reads(const struct wanted *w, int pid)
{
	DIR *d = opendir(root_path(ROOT_PROC, "%d/fd", pid));
	bool hit = false;
	for (struct dirent *e; d && !hit && (e = readdir(d));)
		hit = e->d_name[0] != '.' && leads_here(w, pid, e->d_name);
	if (d)
		closedir(d);
	return hit;
}

void readers_of(int fd, intlist *pids, bool *terminal)
{
	struct stat st;
	struct wanted w = { .tty = -1 };
	*terminal = false;
	if (fd < 0 || fstat(fd, &st))
		return;
	if (S_ISCHR(st.st_mode) && major(st.st_rdev) >= PTS_MAJOR && major(st.st_rdev) < PTS_MAJOR + PTS_MAJORS) {
		w.tty = (major(st.st_rdev) - PTS_MAJOR) * 256 + minor(st.st_rdev);
		*terminal = true;
	} else if (S_ISFIFO(st.st_mode)) {
		ssize_t n = readlink(root_path(ROOT_PROC, "self/fd/%d", fd), w.link, sizeof(w.link) - 1);
		if (n <= 0)
			return;
	} else {
		return;
	}
	DIR *d = opendir(root_path(ROOT_PROC, "."));
	for (struct dirent *e; d && (e = readdir(d));) {
		int pid = atoi(e->d_name);
		if (pid > 0 && pid != getpid() && reads(&w, pid))
			*vec_push(pids) = pid;
	}
	if (d)
		closedir(d);
}
