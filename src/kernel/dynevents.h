/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kprobe_events and uprobe_events: the only writer of these files. */
#ifndef KERNEL_DYNEVENTS_H
#define KERNEL_DYNEVENTS_H
#include <stdbool.h>
#include "base/str.h"
#include "kernel/settings.h" /* kernel_config */

enum dynevents { DYNEVENTS_KPROBE, DYNEVENTS_UPROBE };

/* Can this kernel have such events at all? 0, or -ENOTSUP with a sentence that names the missing
 * configuration option and what works instead. */
int dynevents_supported(enum dynevents kind);
/* The definitions, as the kernel shows them. -errno without a pending error. */
int dynevents_read(enum dynevents kind, struct str *out);
int dynevents_profile(enum dynevents kind, struct str *out); /* hit counts */
/* One definition, or "-:GROUP/EVENT". -errno with a pending error that quotes the kernel's own reason. */
int dynevents_write(enum dynevents kind, const char *line);
/* Keeps other sondes from choosing names and adding at the same time. -errno with a pending error. */
int dynevents_lock(void);
void dynevents_unlock(int lock);
/* Is the word in the kernel's list of what a definition may hold (tracefs README)? */
bool dynevents_readme_has(const char *word);
#endif
