/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefs: found, mounted by root when missing, and read. Probes are written here and nowhere else. */
#ifndef KERNEL_TRACEFS_H
#define KERNEL_TRACEFS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "base/words.h"

/* 0 when usable; else a pending error with the exact remedy (mount, permission, not built in).
 * As root mounts it at /sys/kernel/tracing when nothing is there. Cached. */
int tracefs_ready(void);
/* The command that lets the present user read it: newer kernels want the group, older ones the mode. */
const char *tracefs_open_up(void);
const char *tracefs_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Systems and events, sorted. -errno with a pending error. */
int tracefs_systems_list(wordlist *out);
int tracefs_events_list(const char *system, wordlist *out);
/* The event's numeric id, or -errno (no pending error). */
int64_t tracefs_event_id(const char *system, const char *name);
bool tracefs_id_was_read(int64_t id); /* by that, with the caller's rights; noted with lent rights alone */
/* As the kernel has it, but for the signs of bits that our probes cut out (argformat.h). */
int tracefs_event_format(const char *system, const char *name, struct str *out);
/* Writes a knob, with a newline as echo does (lists of functions judge a word only when it has ended), or empties it ("").
 * flags: O_TRUNC, O_APPEND or 0. -errno, no pending error. */
int tracefs_put(const char *path, const char *text, int flags);
/* Every event of the kernel as "system:name", sorted; read once. */
const wordlist *tracefs_all(void);
#endif
