/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may be traced with ptrace, and why not. */
#ifndef ENGINE_PTRACE_ATTACH_H
#define ENGINE_PTRACE_ATTACH_H
#include <stdbool.h>
#include "base/str.h"
#include "base/words.h"

int ptrace_tgid(int tid); /* the process of a thread; tid itself when unknown */
bool ptrace_default(int tid, int sig); /* does it neither catch nor ignore the signal? */
int ptrace_threads(int pid, intlist *tids); /* -errno with a pending error */
/* Turns an errno of PTRACE_SEIZE into a pending error: goes through the causes one by one. */
int ptrace_explain(int err, int tid);
/* May this user trace at all? If not, why gets a sentence and hints after a newline. */
bool ptrace_allowed(struct str *why);
#endif
