/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What processes have mapped, at each time: those that were there when the script began, and all they did since, as the
 * kernel tells it (fork, exec, mmap, exit). So addresses of processes that have ended still have names, and those from
 * before an exec have the names of the program that ran then. */
#ifndef SCRIPT_SHOW_FOLLOW_H
#define SCRIPT_SHOW_FOLLOW_H
#include <stdbool.h>
#include <stdint.h>

struct symbols;
struct follow;
/* From now on. NULL: the kernel does not tell (no pending error): names are those of processes that still run. */
struct follow *follow_open(struct symbols *s);
void follow_until(struct follow *f, uint64_t time); /* s becomes what was at that time, CLOCK_MONOTONIC; never goes back */
/* Makes sure that s knows the process: one that nobody told of is looked at as it is now. */
void follow_know(struct follow *f, int pid);
void follow_close(struct follow *f);
#endif
