/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a stack looks under a line of `sonde trace --call-graph`: a function a line, innermost first. */
#ifndef UI_TRACE_STACK_H
#define UI_TRACE_STACK_H
#include "base/json.h"
#include "base/str.h"
#include "symbol/symbols.h"

struct stack_look {
	struct symbols *syms; /* names the places; borrowed */
	unsigned max; /* frames shown, 0: all */
	bool strace; /* its lines */
};
struct stack_frames { /* addresses, innermost first; return addresses of user space are of the calls, not behind them */
	int pid;
	const uint64_t *kernel, *user;
	unsigned n_kernel, n_user;
};
/* Lines, or json: members of the call's object instead. */
void stack_show(const struct stack_look *l, const struct stack_frames *f, struct str *out, struct json *json);
#endif
