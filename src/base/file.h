/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading small files whole (proc, sysfs, tracefs), always with a bound. */
#ifndef BASE_FILE_H
#define BASE_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/str.h"

/* Appends the file to s; at most max bytes (-EFBIG beyond). No pending error: returns -errno. */
int file_read(const char *path, struct str *s, size_t max);
int file_read_fd(int fd, struct str *s, size_t max);
/* A file that anybody may have put there, such as one in /tmp: regular and no link (-ELOOP, -EINVAL), and of owner, this
 * user or root (-EPERM). It never blocks. */
enum { OWNER_NONE = -1 /* but this user and root */, OWNER_ANY = -2 };
int file_read_foreign(const char *path, int64_t owner, struct str *s, size_t max);
/* What another user made may say anything: 0 when owner is this user or root; else -EPERM with a pending error, whose hint ends
 * with what reads it nevertheless ("use -f to read it nevertheless"). */
int file_check_owner(const char *path, uid_t owner, const char *how);
int file_read_s64(const char *path, int64_t *v); /* first number of the file */
bool file_exists(const char *path);
/* How many bytes may still go into an open regular file before its file system has less than a twentieth or 1 GB left for
 * this user, whichever is less: beyond that the machine is at stake. UINT64_MAX: no such file, or nobody can say. */
uint64_t file_room(int fd);
uint64_t file_room_for(const char *path); /* the same before a new file of that name is made */
/* create.c: a file for results, empty unless flags (O_WRONLY or O_RDWR) have O_APPEND. Never by way of another user's link,
 * never into a file that another user owns, that has a second name or, as root, that others may read: one of ours is replaced,
 * another's refused. Root's are made with 0600. Terminals, pipes, FIFOs and devices are opened as they are.
 * -errno with a pending error. */
int file_create(const char *path, int flags, mode_t mode);
/* A hint, where what sudo has made here is not for the user's own programs. */
void file_say_private(const char *path);
int file_replaceable(const char *path); /* by rename(): not when it is another user's; -EPERM, pending error */
int path_trusted(const char *path); /* none of its folders is another user's link; -EPERM, pending error */
/* mkdir -p, mode 0700. */
int dir_make(const char *path);
/* rm -rf, links not followed. */
void dir_remove(const char *path);
/* The user's cache folder for sonde: $XDG_CACHE_HOME/sonde or ~/.cache/sonde. Appends to s; -ENOENT when there is
 * none, -EPERM when it would be in a folder of somebody else (sudo may leave HOME as it was). */
int dir_cache(struct str *s);
#endif
