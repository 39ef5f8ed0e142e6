/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The seam to the kernel's file systems. Every path below /proc, /sys and tracefs is made here, so
 * that tests can point sonde at a recorded or made-up tree (SONDE_KERNEL_ROOT=DIR, with DIR/proc,
 * DIR/sys, DIR/sys/kernel/tracing and DIR/perf_event_open, see doc/TESTING.md). */
#ifndef KERNEL_ROOT_H
#define KERNEL_ROOT_H
#include <stdbool.h>
enum root { ROOT_PROC, ROOT_SYS, ROOT_TRACEFS };
/* A path in a per-thread rotating buffer (8 of them): use at once or copy. */
const char *root_path(enum root r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A file of this process below /proc/self, in such a buffer too: the real one also on a made-up machine. */
const char *root_own(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "/proc/PID/root/FILE": what that process calls /FILE, and its number; NULL: no such path. */
const char *root_split_process(const char *path, int *pid);
bool root_is_fake(void); /* SONDE_KERNEL_ROOT is in force */
const char *root_fake_dir(void); /* NULL when real */
/* The file that sonde was started from, whatever link led there, also on a made-up machine; NULL when nobody can tell. The
 * caller's to free. */
char *self_path(void);
#endif
