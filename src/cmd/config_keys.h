/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of perf's configuration that sonde heeds. Most stand for an option of a command: it is put before those that were
 * typed, which therefore win. */
#ifndef CMD_CONFIG_KEYS_H
#define CMD_CONFIG_KEYS_H
#include <stdbool.h>

/* The arguments with what the configuration adds behind the name of the command; *argc follows. Owned, its words stay. */
char **config_arguments(const char *command, int *argc, char **argv);
/* What concerns every command: buildid.dir, and pager.COMMAND. */
void config_apply(const char *command);
/* Is it one of sonde's? For `config`, which tells otherwise. */
bool config_heeded(const char *key);
#endif
