/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording never fills a disk. What is written stops while the file system still has room for others (file_room,
 * base/file.h), the file is ended cleanly, and the command goes on without being recorded. */
#ifndef JOB_DISK_H
#define JOB_DISK_H
#include <stdbool.h>
#include <stdint.h>

enum { DISK_FAST_MB = 100 }; /* a second */

struct disk_pace { uint64_t since, bytes; bool told; };
/* bytes: written until now, in all. True once: when more than DISK_FAST_MB a second came during a second or more. */
bool disk_pace_fast(struct disk_pace *p, uint64_t bytes, uint64_t now);
/* Writing was stopped; other: options by which a command writes less, for the hint. */
void disk_say_full(const char *path, const char *other);
#endif
