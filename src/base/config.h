/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's configuration, which both tools read: /etc/perfconfig, then ~/.perfconfig; $PERF_CONFIG instead of the two.
 *	[report]
 *		children = false
 * is the key report.children. Which keys mean something to sonde is in cmd/config_keys.h. */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H
#include <stdbool.h>
#include "base/vec.h"

enum config_file { CONFIG_SYSTEM, CONFIG_USER, CONFIG_FILES };
struct config_item { char *key, *value; };
typedef VEC(struct config_item) config_items;

/* Appends what the file has; a file that is not there has nothing. One that belongs to somebody else or is damaged is an
 * error: -errno, pending. */
int config_read(config_items *l, enum config_file f);
void config_release(config_items *l);
/* Puts the key into the file, or in its place there; all other lines stay as they are. */
int config_write(enum config_file f, const char *key, const char *value);
/* What is in force; NULL: nothing. A file that cannot be read is told once. The string stays. */
const char *config_get(const char *key);
/* "true", "yes", "on", "1" and their opposites; false: it is neither. */
bool config_bool(const char *value, bool *out);
#endif
