// SPDX-License-Identifier: GPL-2.0-or-later
/* Files for results. In a folder that others may write to, a name may be theirs: a link that leads elsewhere, a second name of a
 * file of ours, a file of theirs that waits to be filled. The kernel's fs.protected_* see to some of that, in some folders, if
 * they are on. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/out.h"

enum { LINKS_MAX = 16 };

static bool is_trusted(uid_t owner)
{
	return !owner || owner == geteuid();
}

static int refuse_link(const char *path, const char *link, uid_t owner)
{
	error_set(EPERM, "%s is not written: %s is a link of another user (uid %u)", path, link, (unsigned)owner);
	return error_hint("who made it decides what is overwritten: name another file with -o, or remove the link");
}

/* The folders of the path as it is written. */
int path_trusted(const char *path)
{
	int err = 0;
	char *p = xstrdup(path);
	for (char *c = strchr(p + (*p == '/'), '/'); c && !err; c = strchr(c + 1, '/')) {
		struct stat st;
		*c = 0;
		if (!lstat(p, &st) && S_ISLNK(st.st_mode) && !is_trusted(st.st_uid))
			err = refuse_link(path, p, st.st_uid);
		*c = '/';
	}
	free(p);
	return err;
}

/* Where our own links lead, in place of *path (owned). A link of the kernel's in /proc stays: it leads to what is open. */
static int follow(char **path)
{
	for (int i = 0; i < LINKS_MAX; i++) {
		struct stat st;
		struct statfs fs;
		char to[PATH_MAX];
		int err = path_trusted(*path);
		if (err)
			return err;
		int at = open(*path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (at < 0)
			return 0; /* not there, or the one who opens it is told why not */
		bool link = !fstat(at, &st) && S_ISLNK(st.st_mode) && !fstatfs(at, &fs) && fs.f_type != PROC_SUPER_MAGIC;
		ssize_t n = link ? readlinkat(at, "", to, sizeof(to) - 1) : 0;
		close(at);
		if (!link || n <= 0)
			return 0;
		if (!is_trusted(st.st_uid))
			return refuse_link(*path, *path, st.st_uid);
		to[n] = 0;
		char *slash = strrchr(*path, '/');
		char *next = *to == '/' || !slash ? xstrdup(to) : xasprintf("%.*s/%s", (int)(slash - *path), *path, to);
		free(*path);
		*path = next;
	}
	return error_sys(ELOOP, "cannot write to %s", *path);
}

static bool is_kernels_link(const char *path)
{
	struct stat st;
	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

static int refuse_file(const char *path, const struct stat *st)
{
	if (!is_trusted(st->st_uid))
		error_set(EPERM, "%s is not written: the file belongs to another user (uid %u)", path, (unsigned)st->st_uid);
	else if (st->st_nlink > 1)
		error_set(EPERM, "%s is not written: the file has another name too", path);
	else
		error_set(EPERM, "%s is not written: others may read it", path);
	if (is_trusted(st->st_uid) && st->st_nlink == 1)
		return error_hint("chmod 600 %s first; what is traced may hold secrets", path);
	return error_hint("remove it, or name another file with -o");
}

int file_replaceable(const char *path)
{
	struct stat st;
	return lstat(path, &st) || is_trusted(st.st_uid) ? 0 : refuse_file(path, &st);
}

/* What root writes may hold others' secrets. */
static bool is_fit(const struct stat *st)
{
	return is_trusted(st->st_uid) && st->st_nlink == 1 && (geteuid() || !(st->st_mode & 077));
}

static int cannot(const char *path, int err)
{
	error_sys(err, "cannot write to %s", path);
	return out_explain(err);
}

/* -EAGAIN: it is not there any more; any other -errno has its pending error. */
static int open_there(const char *path, int flags)
{
	struct stat st;
	bool link = is_kernels_link(path); /* to what is open already, by whoever started us */
	int fd = open(path, flags | O_NOCTTY | O_CLOEXEC | (link ? 0 : O_NOFOLLOW));
	if (fd < 0)
		return errno == ENOENT ? -EAGAIN : cannot(path, errno);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fd; /* a terminal, a pipe, a FIFO, a device: the user's wish */
	int err = 0;
	if (!link && !is_fit(&st)) /* a file of ours that is unfit makes room for a new one of that name */
		err = flags & O_APPEND || !is_trusted(st.st_uid) || unlink(path) ? refuse_file(path, &st) : -EAGAIN;
	else if (!(flags & O_APPEND) && ftruncate(fd, 0))
		err = cannot(path, errno);
	if (err)
		close(fd);
	return err ? err : fd;
}

int file_create(const char *name, int flags, mode_t mode)
{
	char *path = xstrdup(name);
	int fd = follow(&path);
	if (!fd)
		fd = -EAGAIN;
	for (int tries = 0; fd == -EAGAIN && tries < 8; tries++) {
		fd = open(path, flags | O_CREAT | O_EXCL | O_CLOEXEC, geteuid() ? mode : mode & 0600);
		if (fd < 0)
			fd = errno == EEXIST ? open_there(path, flags) : cannot(name, errno);
	}
	if (fd == -EAGAIN)
		fd = cannot(name, EAGAIN);
	free(path);
	return fd;
}

void file_say_private(const char *path)
{
	const char *user = getenv("SUDO_USER");
	struct stat st;
	if (user && *user && !geteuid() && !stat(path, &st) && S_ISREG(st.st_mode) && !st.st_uid && !(st.st_mode & 0044))
		hint("%s is root's alone: sudo chown %s %s, and a browser can open it", path, user, path);
}
