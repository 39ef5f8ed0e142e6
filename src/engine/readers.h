/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who reads what sonde writes: the other end of a pipe, or the program behind a terminal. To hold such a
 * process back would hold sonde back; to trace it would give new lines for each line. */
#ifndef ENGINE_READERS_H
#define ENGINE_READERS_H
#include <stdbool.h>
#include "base/words.h"
/* Appends the processes. *terminal: they show a terminal. */
void readers_of(int fd, intlist *pids, bool *terminal);
#endif
