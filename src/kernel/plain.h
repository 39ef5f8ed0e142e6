/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths that somebody else chose: a recording, an archive, a debug file. Whoever wrote those may have put the name of a device
 * there, a FIFO, or a file of the kernel's that does something when it is opened or read (/dev/watchdog, /proc/kmsg,
 * trace_pipe). Only files that are no more than bytes on a disk are opened: the look comes first, and it is the thing
 * looked at that is opened, whatever has the name by then. What the user names himself needs none of this. */
#ifndef KERNEL_PLAIN_H
#define KERNEL_PLAIN_H
#include <stdbool.h>
#include <stddef.h>
#include "base/str.h"

/* For reading. flags: 0, or O_NOFOLLOW (the last part is no link). A descriptor, or -errno: -EINVAL when it is no plain file. */
int plain_open(const char *path, int flags);
int plain_read(const char *path, struct str *s, size_t max); /* file_read() of one */
/* The same, and files of proc, sysfs and the like too: who chose the path meant one, or may have been led to one. Does not wait
 * for what one has to say: -EAGAIN. */
int plain_or_kernels_read(const char *path, struct str *s, size_t max);
/* No harm can come from a library that opens it: it is a plain file, or not there. */
bool plain_or_absent(const char *path);
#endif
