// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines as strace writes them. */
#include <string.h>
#include "ui/trace/form.h"

static void comm(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	if (!v->o.style.pid_names)
		return;
	str_addc(s, '<');
	str_add_safe(s, e->comm, strnlen(e->comm, 15));
	str_addc(s, '>');
}

static void thread(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	size_t start = s->len;
	if (v->o.plain_pid) {
		str_add_s64(s, e->tid);
		comm(v, e, s);
		str_pad(s, start + 5, ' ');
		str_addc(s, ' ');
		return;
	}
	str_addn(s, "[pid ", 5);
	for (int wide = 10000; e->tid < wide && wide > 1; wide /= 10)
		str_addc(s, ' '); /* right-aligned in five columns */
	str_add_s64(s, e->tid);
	comm(v, e, s);
	str_addn(s, "] ", 2);
}

/* -n. Lines that are no calls have the number of the thread's last that was seen. */
static void number(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED || e->type == SYS_UNFINISHED;
	if (call)
		u64map_set(&v->numbers, e->tid, (void *)(uintptr_t)(e->nr + 1));
	uintptr_t above = (uintptr_t)u64map_get(&v->numbers, e->tid);
	if (above)
		str_addf(s, "[%4d] ", (int)above - 1);
	else
		str_add(s, "[????] ");
}

/* -i */
static void place(const struct sysevent *e, struct str *s)
{
	uint64_t ip = e->n_ustack ? e->ustack[0] : e->uregs ? e->uregs[15] : 0;
	if (ip)
		str_addf(s, "[%016llx] ", (unsigned long long)ip);
	else
		str_add(s, "[????????????????] ");
}

static void head(struct trace_view *v, const struct sysevent *e, uint64_t when, uint64_t took, struct str *s)
{
	(void)took; /* has its place at the end */
	if (v->many && e->type != SYS_LOST) /* which is nobody's in particular */
		thread(v, e, s);
	bool clock = v->o.clock || v->o.absolute;
	if (when && clock) {
		if (v->o.clock)
			text_wall(v, s, when);
		else
			text_seconds(s, when, 6);
		str_addc(s, ' ');
	}
	if (when && v->o.since_last) {
		uint64_t ns = text_since_last(v, when);
		str_addf(s, clock ? "(+%6llu" : "%6llu", (unsigned long long)(ns / 1000000000));
		text_fraction(s, ns, v->o.digits.since);
		str_add(s, clock ? ") " : " ");
	}
	if (v->o.numbers)
		number(v, e, s);
	if (v->o.ips)
		place(e, s);
}

/* A thread that changes between 64- and 32-bit calls. */
static void tell_mode(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	static const char *const name[] = { [ABI_NATIVE] = "64 bit", [ABI_32] = "32 bit", [ABI_X32] = "x32" };
	if ((e->abi == ABI_NATIVE && !v->modes.n) || v->o.no_modes)
		return;
	enum sys_abi before = (enum sys_abi)(uintptr_t)u64map_get(&v->modes, e->tid);
	if (before == e->abi)
		return;
	u64map_set(&v->modes, e->tid, (void *)(uintptr_t)e->abi);
	str_addf(s, "[ Process PID=%d runs in %s mode. ]\n", e->tid, name[e->abi]);
}

static void call(struct trace_view *v, const struct sysevent *e, bool continued, struct str *s)
{
	if (v->o.samples)
		text_sample(v, e, "raw_syscalls:sys_exit", s);
	tell_mode(v, e, s);
	size_t start = s->len; /* columns count from the line's start */
	head(v, e, continued ? e->time : e->enter_time, 0, s);
	if (continued) {
		str_addf(s, "<... %s resumed>", view_call_name(e));
		decode_rest(v->decoder, e, s);
	} else {
		decode_call(v->decoder, e, s);
	}
	text_result(v, e, s, start);
	if (v->o.durations && e->enter_time && !e->no_return) {
		str_add(s, " <");
		text_seconds(s, text_took(e), v->o.digits.durations);
		str_addc(s, '>');
	}
	str_addc(s, '\n');
	text_below(v, e, s);
}

static bool told(const struct trace_view *v, const struct sysevent *e)
{
	if (e->type == SYS_FORK)
		return true; /* by the clone */
	return e->type == SYS_EXEC && !e->old_tid && !v->o.exec_lines; /* by the execve itself */
}

const struct trace_form_ops trace_form_strace = {
	.column = 40,
	.under_way_end = " <unfinished ...>\n",
	.call = call,
	.under_way = text_under_way,
	.other = text_other,
	.told = told,
	.event = text_event,
	.head = head,
};
