// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "base/error.h"
#include "base/user.h"

int file_read_fd(int fd, struct str *s, size_t max)
{
	size_t start = s->len;
	for (;;) {
		size_t room = max - (s->len - start);
		if (!room) { /* full: is there more? */
			char c;
			ssize_t n = read(fd, &c, 1);
			return n > 0 ? -EFBIG : n < 0 ? -errno : 0;
		}
		size_t step = room < 65536 ? room : 65536;
		str_grow(s, step);
		ssize_t n = read(fd, s->buf + s->len, step);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		s->len += n;
		s->buf[s->len] = 0;
	}
}

int file_read(const char *path, struct str *s, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int err = file_read_fd(fd, s, max);
	close(fd);
	return err;
}

int file_read_foreign(const char *path, int64_t owner, struct str *s, size_t max)
{
	struct stat st;
	int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	else if (owner != OWNER_ANY && st.st_uid && st.st_uid != geteuid() && st.st_uid != owner)
		err = -EPERM;
	if (!err)
		err = file_read_fd(fd, s, max);
	close(fd);
	return err;
}

int file_check_owner(const char *path, uid_t owner, const char *how)
{
	if (!owner || owner == geteuid())
		return 0;
	error_set(EPERM, "%s is not owned by the current user or root (but by uid %u)", path, (unsigned)owner);
	return error_hint("who made it can have written anything into it: %s", how);
}

int file_read_s64(const char *path, int64_t *v)
{
	struct str s = STR_INIT;
	int err = file_read(path, &s, 4096);
	if (!err) {
		char *end;
		errno = 0;
		long long x = strtoll(s.buf, &end, 0);
		if (end == s.buf || errno)
			err = -EINVAL;
		else
			*v = x;
	}
	str_release(&s);
	return err;
}

static uint64_t room_on(const struct statvfs *v)
{
	uint64_t size = (uint64_t)v->f_blocks * v->f_frsize, left = (uint64_t)v->f_bavail * v->f_frsize;
	uint64_t keep = size / 20 < 1000000000 ? size / 20 : 1000000000;
	return !size ? UINT64_MAX : left > keep ? left - keep : 0;
}

uint64_t file_room(int fd)
{
	struct stat st;
	struct statvfs v;
	return fstat(fd, &st) || !S_ISREG(st.st_mode) || fstatvfs(fd, &v) ? UINT64_MAX : room_on(&v);
}

uint64_t file_room_for(const char *path)
{
	struct stat st;
	struct statvfs v;
	const char *slash = strrchr(path, '/');
	if (!strcmp(path, "-") || (!lstat(path, &st) && !S_ISREG(st.st_mode)))
		return UINT64_MAX;
	char *folder = slash ? xstrndup(path, slash - path + 1) : xstrdup(".");
	bool known = !statvfs(folder, &v);
	free(folder);
	return known ? room_on(&v) : UINT64_MAX;
}

/* access() asks for the real user, without capabilities that a service or capsh gave him. */
bool file_exists(const char *path)
{
	struct stat st;
	return !stat(path, &st);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void dir_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int dir_make(const char *path)
{
	char *p = xstrdup(path);
	int err = 0;
	for (char *c = p + 1; *p && !err; c++) {
		if (*c != '/' && *c)
			continue;
		char end = *c;
		*c = 0;
		if (mkdir(p, 0700) && errno != EEXIST)
			err = -errno;
		if (!end)
			break;
		*c = end;
	}
	free(p);
	return err;
}

/* Whether what is there of the path belongs to us or root: whoever owns a folder can put links into it, and would find files
 * there that are not theirs. */
static bool is_own(const char *path)
{
	struct stat st;
	char *part = xstrdup(path), *slash;
	while (stat(part, &st) && (slash = strrchr(part, '/')) && slash > part)
		*slash = 0;
	bool own = !stat(part, &st) && (st.st_uid == geteuid() || !st.st_uid);
	free(part);
	return own;
}

int dir_cache(struct str *s)
{
	const char *x = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct account self = { 0 };
	if (!home || *home != '/') {
		user_of_id(getuid(), &self);
		home = self.home;
	}
	bool xdg = x && *x == '/';
	int err = -ENOENT;
	if (xdg || (home && *home == '/')) {
		char *path = xdg ? xasprintf("%s/sonde", x) : xasprintf("%s/.cache/sonde", home);
		err = is_own(xdg ? x : home) && is_own(path) ? 0 : -EPERM;
		if (!err)
			str_add(s, path);
		free(path);
	}
	user_release(&self);
	return err;
}
