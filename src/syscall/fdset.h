/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of descriptors, as strace's -e fd=SET, read=SET, write=SET name one. */
#ifndef SYSCALL_FDSET_H
#define SYSCALL_FDSET_H
#include "base/words.h"

struct fdset {
	bool has; /* one was named; if none was, there is nothing to ask */
	bool not; /* all but these */
	intlist fds;
};
/* "1,3", "!0", "all", "none"; replaces what was there. -errno, pending error. */
int fdset_parse(struct fdset *s, const char *text);
void fdset_release(struct fdset *s);
bool fdset_has(const struct fdset *s, int fd);
#endif
