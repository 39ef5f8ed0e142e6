/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading small files whole (proc, sysfs, tracefs), always with a bound. */
#ifndef BASE_FILE_H
#define BASE_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

/* Appends the file to s; at most max bytes (-EFBIG beyond). No pending error: returns -errno. */
int file_read(const char *path, struct str *s, size_t max);
int file_read_at(int dirfd, const char *path, struct str *s, size_t max);
int file_read_fd(int fd, struct str *s, size_t max);
/* A file that anybody may have put there, such as one in /tmp: regular and no link (-ELOOP, -EINVAL), and unless
 * root asks, of this user or root (-EPERM). It never blocks. */
int file_read_foreign(const char *path, struct str *s, size_t max);
int file_read_s64(const char *path, int64_t *v); /* first number of the file */
bool file_exists(const char *path);
/* mkdir -p, mode 0700. */
int dir_make(const char *path);
/* rm -rf, links not followed. */
void dir_remove(const char *path);
/* The user's cache folder for sonde: $XDG_CACHE_HOME/sonde or ~/.cache/sonde. Appends to s; -ENOENT when there is
 * none, -EPERM when it would be in a folder of somebody else (sudo may leave HOME as it was). */
int dir_cache(struct str *s);
#endif
