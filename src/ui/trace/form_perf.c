// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines as perf trace writes them: time, duration, thread, call, result. */
#include <string.h>
#include "ui/trace/form.h"

static void duration(struct trace_view *v, uint64_t took, struct str *s)
{
	if (took == UINT64_MAX) {
		str_add(s, " (         ): ");
		return;
	}
	bool slow = v->out->colour && took >= 1000000;
	str_addn(s, " (", 2);
	if (slow)
		str_add(s, out_colour(v->out, took >= 10000000 ? OUT_RED : OUT_YELLOW));
	text_ms(s, took, 6, &v->took);
	if (slow)
		str_add(s, out_colour(v->out, OUT_PLAIN));
	str_addn(s, " ms): ", 6);
}

static void head(struct trace_view *v, const struct sysevent *e, uint64_t when, uint64_t took, struct str *s)
{
	if (when && v->o.clock)
		text_wall(v, s, when);
	else if (when)
		text_ms(s, v->o.since_last ? text_since_last(v, when) : v->o.absolute ? when : when > v->base ? when - v->base : 0, 10, &v->when);
	else
		str_add(s, "         ?");
	duration(v, took, s);
	if (!v->many || e->type == SYS_LOST) /* nobody's in particular */
		return;
	if (!v->o.no_comm) {
		str_add_safe(s, e->comm, strnlen(e->comm, 15));
		str_addc(s, '/');
	}
	str_add_s64(s, e->tid);
	str_addc(s, ' ');
}

static void call(struct trace_view *v, const struct sysevent *e, bool continued, struct str *s)
{
	if (v->o.samples)
		text_sample(v, e, "raw_syscalls:sys_exit", s);
	head(v, e, continued ? e->time : e->enter_time, text_took(e), s);
	size_t start = s->len;
	if (e->abi != ABI_NATIVE)
		str_add(s, e->abi == ABI_32 ? "[32-bit] " : "[x32] ");
	if (continued)
		str_add(s, " ... [continued]: ");
	decode_call(v->decoder, e, s);
	text_result(v, e, s, start);
	decode_parent(e, s);
	str_addc(s, '\n');
	text_below(v, e, s);
}

static bool told(const struct trace_view *v, const struct sysevent *e)
{
	return e->type == SYS_EXEC && !e->old_tid && !v->o.exec_lines; /* by the execve itself */
}

const struct trace_form_ops trace_form_perf = {
	.column = 70,
	.under_way_end = ") ...\n",
	.call = call,
	.under_way = text_under_way,
	.other = text_other,
	.told = told,
	.event = text_event,
	.head = head,
};
