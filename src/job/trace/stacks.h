/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks of traced threads: unwound, from frame pointers or from a copy of the stack's bytes, or read while a thread
 * waits. How they look is ui/trace/stack.h's. */
#ifndef JOB_TRACE_STACKS_H
#define JOB_TRACE_STACKS_H
#include "syscall/sysevent.h"
#include "ui/trace/stack.h"

struct trace_stacks;
/* live: /proc tells what was mapped before, and where a thread is. */
struct trace_stacks *trace_stacks_new(const struct stack_look *look, bool live);
void trace_stacks_free(struct trace_stacks *s);
/* A trace_stack (ui/trace/view.h). */
void trace_stacks_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
/* The same of a call that a thread is in now, as far as its stack leads without registers. */
void trace_stacks_show_now(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
/* For a recording: replaces registers and a copied stack by the frames, while the program's files can be read. */
void trace_stacks_unwind(struct trace_stacks *s, struct sysevent *e);
/* How many frames there are, unwound if need be. */
unsigned trace_stacks_depth(struct trace_stacks *s, const struct sysevent *e);
#endif
