/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's stack tracer, which keeps the deepest stack that it saw: one for the whole machine, no instance has its own. */
#ifndef FTRACE_STACK_H
#define FTRACE_STACK_H
#include <stdbool.h>
#include "base/str.h"

bool ftrace_stack_running(void);
bool ftrace_stack_holds(void); /* a stack that was seen */
/* These stay, as trace-cmd's. -errno with a pending error. */
int ftrace_stack_switch(bool on);
int ftrace_stack_clear(void);
/* On, and empty, until we end; -EBUSY when somebody else has it, or has left a stack in it. */
int ftrace_stack_borrow(void);
/* Appends the kernel's text. -errno with a pending error. */
int ftrace_stack_read(struct str *out);
#endif
