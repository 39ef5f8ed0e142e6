/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack under a line of `sonde trace --call-graph`: a function a line, innermost first. */
#ifndef UI_TRACE_STACK_H
#define UI_TRACE_STACK_H
#include "syscall/sysevent.h"
#include "base/json.h"
#include "base/str.h"
#include "symbol/symbols.h"

struct trace_stacks;
/* syms is borrowed; max: frames shown, 0: all. live: /proc tells what was mapped before. strace: its lines. */
struct trace_stacks *trace_stacks_new(struct symbols *syms, unsigned max, bool live, bool strace);
void trace_stacks_free(struct trace_stacks *s);
/* A trace_stack (ui/trace_view.h). */
void trace_stacks_show(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
/* The same of a call that a thread is in now, as far as its stack leads without registers. */
void trace_stacks_show_now(void *ctx, const struct sysevent *e, struct str *out, struct json *json);
/* For a recording: replaces registers and a copied stack by the frames, while the program's files can be read. */
void trace_stacks_unwind(struct trace_stacks *s, struct sysevent *e);
/* How many frames there are, unwound if need be. */
unsigned trace_stacks_depth(struct trace_stacks *s, const struct sysevent *e);
#endif
