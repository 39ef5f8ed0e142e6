// SPDX-License-Identifier: GPL-2.0-or-later
/* One line per call, at its return. A call that left its CPU is first kept as text; only if another
 * thread's line comes before its return, or nothing comes at all for a while, is it shown as under way
 * and its return as continued. So a lone blocking program reads as if it never blocked. */
#include "ui/trace/view.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/vec.h"
#include "syscall/multiplex.h"
#include "ui/trace_dump.h"

enum { FLUSH = 64 * 1024, FLUSH_FILE = 16 * 1024 };
static const uint64_t patience = 100000000; /* ns until a waiting call is shown */

struct waiting { /* a call under way */
	int pid, tid, nr;
	enum sys_abi abi;
	uint64_t since; /* when it was told */
	bool began; /* while we watched */
	bool shown;
	bool live; /* still under way */
	char *text; /* head and call, without the end */
};

struct ms_text { /* a number of milliseconds, in so many columns with its decimals */
	uint64_t ms;
	unsigned width, len; /* len 0: none yet */
	char text[24];
};

struct trace_view {
	struct trace_view_options o;
	struct out *out;
	struct decoder *decoder;
	struct fd_state *fds;
	struct u64map modes; /* tid -> enum sys_abi, for strace's form */
	struct u64map numbers; /* tid -> its last call, for -n */
	struct u64map waits; /* tid -> struct waiting */
	VEC(struct waiting *) hidden; /* those not shown yet, oldest first; entries may be dead */
	struct str line;
	struct ms_text when, took; /* as they were told last */
	uint64_t base, last;
	int only_tid; /* the first one seen */
	bool many, schema_told;
};

struct trace_view *trace_view_new(const struct trace_view_options *o, struct out *out)
{
	struct trace_view *v = xcalloc(1, sizeof(*v));
	v->o = *o;
	if (!o->column)
		v->o.column = o->form == TRACE_STRACE ? 40 : 70;
	v->out = out;
	v->base = o->base;
	v->many = o->many && !o->files;
	v->fds = fd_state_new(o->fds);
	if (o->form == TRACE_STRACE && o->style.fd_info)
		fd_state_real_paths(v->fds);
	v->decoder = decoder_new(&o->style, v->fds);
	str_init(&v->line);
	return v;
}

static void waiting_free(struct waiting *w)
{
	if (w)
		free(w->text);
	free(w);
}

void trace_view_attach(struct trace_view *v, int pid, bool execs)
{
	fd_state_attach(v->fds, pid, execs);
}

void trace_view_free(struct trace_view *v)
{
	uint64_t tid;
	void *w;
	size_t cursor = 0;
	if (!v)
		return;
	while (u64map_next(&v->waits, &cursor, &tid, &w))
		waiting_free(w);
	u64map_release(&v->waits);
	u64map_release(&v->modes);
	u64map_release(&v->numbers);
	vec_release(&v->hidden);
	decoder_free(v->decoder);
	fd_state_free(v->fds);
	str_release(&v->line);
	free(v);
}

/* ---- pieces of a line ---- */

/* Nanoseconds as milliseconds with three decimals, right-aligned. `before` has the whole milliseconds of the last time
 * as text: thousands of calls may fall into one. */
static void add_ms(struct str *s, uint64_t ns, unsigned width, struct ms_text *before)
{
	uint64_t us = ns / 1000, ms = us / 1000;
	unsigned rest = us - ms * 1000;
	if (ms != before->ms || width != before->width || !before->len) {
		char b[24];
		unsigned i = sizeof(b);
		before->ms = ms;
		do
			b[--i] = '0' + ms % 10;
		while (ms /= 10);
		while (sizeof(b) - i + 4 < width && i)
			b[--i] = ' ';
		before->width = width;
		before->len = sizeof(b) - i;
		memcpy(before->text, b + i, before->len);
	}
	char decimals[4] = { '.', '0' + rest / 100, '0' + rest / 10 % 10, '0' + rest % 10 };
	str_addn(s, before->text, before->len);
	str_addn(s, decimals, 4);
}

static void add_spaces(struct str *s, size_t from, size_t column)
{
	str_pad(s, from + column, ' ');
}

static void add_fraction(struct str *s, uint64_t ns, unsigned digits)
{
	static const unsigned scale[] = { 1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1 };
	if (digits)
		str_addf(s, ".%0*u", digits, (unsigned)(ns % 1000000000 / scale[digits]));
}

static void add_seconds(struct str *s, uint64_t ns, unsigned digits)
{
	str_add_u64(s, ns / 1000000000);
	add_fraction(s, ns, digits);
}

/* -tt, -ttt */
static void add_wall(struct trace_view *v, struct str *s, uint64_t when)
{
	uint64_t ns = when + v->o.wall;
	time_t seconds = ns / 1000000000;
	struct tm tm;
	if (v->o.clock == CLOCK_SECONDS) {
		add_seconds(s, ns, v->o.digits.clock);
	} else if (localtime_r(&seconds, &tm)) {
		str_addf(s, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
		add_fraction(s, ns, v->o.digits.clock);
	}
}

/* -r */
static uint64_t since_last(struct trace_view *v, uint64_t when)
{
	uint64_t since = v->last && when > v->last ? when - v->last : 0;
	v->last = when;
	return since;
}

/* enter: the time a call began, 0 unknown. took: UINT64_MAX for what has no duration. */
static void head_perf(struct trace_view *v, const struct sysevent *e, uint64_t when, uint64_t took, struct str *s)
{
	if (when && v->o.clock)
		add_wall(v, s, when);
	else if (when)
		add_ms(s, v->o.since_last ? since_last(v, when) : v->o.absolute ? when : when > v->base ? when - v->base : 0, 10, &v->when);
	else
		str_add(s, "         ?");
	if (took == UINT64_MAX) {
		str_add(s, " (         ): ");
	} else {
		bool slow = v->out->colour && took >= 1000000;
		str_addn(s, " (", 2);
		if (slow)
			str_add(s, out_colour(v->out, took >= 10000000 ? OUT_RED : OUT_YELLOW));
		add_ms(s, took, 6, &v->took);
		if (slow)
			str_add(s, out_colour(v->out, OUT_PLAIN));
		str_addn(s, " ms): ", 6);
	}
	if (!v->many)
		return;
	if (!v->o.no_comm) {
		str_add_safe(s, e->comm, strnlen(e->comm, 15));
		str_addc(s, '/');
	}
	str_add_s64(s, e->tid);
	str_addc(s, ' ');
}

static void comm_strace(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	if (!v->o.style.pid_names)
		return;
	str_addc(s, '<');
	str_add_safe(s, e->comm, strnlen(e->comm, 15));
	str_addc(s, '>');
}

static void pid_strace(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	size_t start = s->len;
	if (v->o.plain_pid) {
		str_add_s64(s, e->tid);
		comm_strace(v, e, s);
		str_pad(s, start + 5, ' ');
		str_addc(s, ' ');
		return;
	}
	str_addn(s, "[pid ", 5);
	for (int wide = 10000; e->tid < wide && wide > 1; wide /= 10)
		str_addc(s, ' '); /* right-aligned in five columns */
	str_add_s64(s, e->tid);
	comm_strace(v, e, s);
	str_addn(s, "] ", 2);
}

/* -n. Lines that are no calls have the number of the thread's last that was seen. */
static void number_strace(struct trace_view *v, const struct sysevent *e, struct str *s)
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

static void head_strace(struct trace_view *v, const struct sysevent *e, uint64_t when, struct str *s)
{
	if (v->many)
		pid_strace(v, e, s);
	bool clock = v->o.clock || v->o.absolute;
	if (when && clock) {
		if (v->o.clock)
			add_wall(v, s, when);
		else
			add_seconds(s, when, 6);
		str_addc(s, ' ');
	}
	if (when && v->o.since_last) {
		uint64_t ns = since_last(v, when);
		str_addf(s, clock ? "(+%6llu" : "%6llu", (unsigned long long)(ns / 1000000000));
		add_fraction(s, ns, v->o.digits.since);
		str_add(s, clock ? ") " : " ");
	}
	if (v->o.numbers)
		number_strace(v, e, s);
	uint64_t ip = e->n_ustack ? e->ustack[0] : e->uregs ? e->uregs[15] : 0;
	if (v->o.ips && ip)
		str_addf(s, "[%016llx] ", (unsigned long long)ip);
	else if (v->o.ips)
		str_add(s, "[????????????????] ");
}

static void head(struct trace_view *v, const struct sysevent *e, uint64_t when, uint64_t took, struct str *s)
{
	if (v->o.form == TRACE_STRACE)
		head_strace(v, e, when, s);
	else
		head_perf(v, e, when, took, s);
}

static const char *name_of(const struct sysevent *e)
{
	const struct syscall_row *r = syscall_find(e->abi == ABI_32 ? ABI_32 : ABI_NATIVE, e->nr);
	return r ? syscall_name(r) : "syscall";
}

static void add_result(struct trace_view *v, const struct sysevent *e, struct str *s, size_t start)
{
	bool strace = v->o.form == TRACE_STRACE;
	add_spaces(s, start, v->o.column - 1);
	str_addn(s, " = ", 3);
	fd_state_feed(v->fds, e); /* the result names the descriptor that the call made */
	if (e->no_return)
		str_addc(s, '?');
	else
		decode_result(v->decoder, e, s);
	if (strace && v->o.durations && e->enter_time && !e->no_return) {
		str_add(s, " <");
		add_seconds(s, e->time - e->enter_time, v->o.digits.durations);
		str_addc(s, '>');
	}
	str_addc(s, '\n');
}

/* ---- calls under way ---- */

/* long_ago: it still waits, so its stack can be had. */
static void show_waiting(struct trace_view *v, struct waiting *w, bool long_ago)
{
	struct str *s = &(v->o.files ? trace_files_of(v->o.files, w->tid, NULL) : v->out)->buf;
	str_add(s, w->text);
	str_add(s, v->o.form == TRACE_STRACE ? " <unfinished ...>\n" : ") ...\n");
	if (v->o.stack_now && (long_ago || !w->began)) {
		struct sysevent e = { .type = SYS_UNFINISHED, .pid = w->pid, .tid = w->tid, .nr = w->nr, .abi = w->abi };
		v->o.stack_now(v->o.stack_ctx, &e, s, NULL);
	}
	w->shown = true;
}

/* Another line is about to be written: shows what is under way first. In a file of its own it need not be. */
static void show_hidden(struct trace_view *v, int but_tid, uint64_t told_before)
{
	size_t keep = 0;
	if (v->o.files && but_tid)
		return;
	for (size_t i = 0; i < v->hidden.n; i++) {
		struct waiting *w = v->hidden.at[i];
		if (!w->live || w->shown)
			continue;
		if (w->tid == but_tid || w->since > told_before)
			v->hidden.at[keep++] = w;
		else
			show_waiting(v, w, told_before != UINT64_MAX || !but_tid);
	}
	v->hidden.n = keep;
}

static struct waiting *waiting_of(struct trace_view *v, int tid)
{
	struct waiting *w = v->waits.n ? u64map_get(&v->waits, tid) : NULL;
	return w && w->live ? w : NULL;
}

static void on_unfinished(struct trace_view *v, const struct sysevent *e)
{
	struct waiting *w = u64map_get(&v->waits, e->tid);
	if (!w) {
		w = xcalloc(1, sizeof(*w));
		u64map_set(&v->waits, e->tid, w);
		w->tid = e->tid;
	}
	str_clear(&v->line);
	head(v, e, e->enter_time, UINT64_MAX, &v->line);
	decode_call(v->decoder, e, &v->line);
	if (v->line.len && v->line.buf[v->line.len - 1] == ')')
		v->line.buf[--v->line.len] = 0;
	free(w->text);
	w->text = xstrdup(v->line.buf);
	w->since = e->time;
	w->began = e->enter_time;
	w->pid = e->pid;
	w->nr = e->nr;
	w->abi = e->abi;
	w->live = true;
	w->shown = false;
	for (size_t i = 0; i < v->hidden.n; i++)
		if (v->hidden.at[i] == w)
			return;
	*vec_push(&v->hidden) = w;
}

static void forget_hidden(struct trace_view *v, const struct waiting *w)
{
	size_t keep = 0;
	for (size_t i = 0; i < v->hidden.n; i++)
		if (v->hidden.at[i] != w)
			v->hidden.at[keep++] = v->hidden.at[i];
	v->hidden.n = keep;
}

static void forget_waiting(struct trace_view *v, int tid)
{
	struct waiting *w = u64map_del(&v->waits, tid);
	if (w)
		forget_hidden(v, w);
	waiting_free(w);
}

/* A thread that execs goes on as the leader of its process. */
static void rename_waiting(struct trace_view *v, int from, int to)
{
	struct waiting *w = u64map_del(&v->waits, from);
	if (!w)
		return;
	forget_waiting(v, to);
	w->tid = to;
	u64map_set(&v->waits, to, w);
}

/* ---- lines ---- */

static void call_body(struct trace_view *v, const struct sysevent *e, struct str *s, bool continued)
{
	if (!continued) {
		decode_call(v->decoder, e, s);
		return;
	}
	if (v->o.form == TRACE_STRACE) {
		str_addf(s, "<... %s resumed>", name_of(e));
		decode_rest(v->decoder, e, s);
	} else {
		str_add(s, " ... [continued]: ");
		decode_call(v->decoder, e, s);
	}
}

/* When, who and where, as perf trace --print-sample. */
static void sample_line(struct trace_view *v, const struct sysevent *e, const char *name)
{
	struct str *s = &v->out->buf;
	size_t n = strlen(name);
	str_pad(s, s->len + (n < 22 ? 22 - n : 0), ' ');
	str_add_safez(s, name);
	str_addc(s, ' ');
	add_ms(s, e->time, 1, &v->when);
	str_addc(s, ' ');
	str_add_safe(s, e->comm, strnlen(e->comm, 15));
	str_addf(s, " %d/%d [%d]\n", e->pid, e->tid, e->cpu);
}

bool trace_view_passes(struct trace_view *v, const struct sysevent *e)
{
	return !v->o.passes || v->o.passes(v->o.passes_ctx, e, v->fds);
}

bool trace_view_wants(struct trace_view *v, const struct sysevent *e)
{
	if (!trace_qualify_call(v->o.qualify, e))
		return false;
	if (v->o.failure && (e->no_return || (uint64_t)e->ret < (uint64_t)-4095))
		return false;
	if (v->o.min_ns && (!e->enter_time || e->time - e->enter_time < v->o.min_ns))
		return false;
	if (v->o.min_stack && e->n_kstack + e->n_ustack < v->o.min_stack)
		return false;
	return trace_view_passes(v, e);
}

static void json_head(struct trace_view *v, struct json *j, struct str *s, const struct sysevent *e, const char *type)
{
	json_init(j, s);
	json_open(j, '{');
	if (!v->schema_told)
		json_ku64(j, "schema", JSON_SCHEMA);
	v->schema_told = true;
	json_kstr(j, "type", type);
	json_ku64(j, "time", e->time);
	json_ks64(j, "pid", e->pid);
	json_ks64(j, "tid", e->tid);
	json_key(j, "comm");
	json_str(j, e->comm, strnlen(e->comm, 16));
	json_ks64(j, "cpu", e->cpu);
}

static void call_json(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	struct json j;
	json_head(v, &j, s, e, e->type == SYS_UNFINISHED ? "unfinished" : "syscall");
	if (e->enter_time) {
		json_ku64(&j, "enter", e->enter_time);
		if (e->type != SYS_UNFINISHED)
			json_ku64(&j, "duration", e->time - e->enter_time);
	}
	json_kstr(&j, "syscall", name_of(e));
	json_ks64(&j, "nr", e->nr);
	if (e->abi != ABI_NATIVE)
		json_kstr(&j, "abi", e->abi == ABI_32 ? "i386" : "x32");
	decode_json(v->decoder, e, &j);
	bool before = e->type == SYS_UNFINISHED && !e->enter_time; /* it was in there when we came */
	trace_stack *stack = before && v->o.stack_now ? v->o.stack_now : v->o.stack;
	if (stack)
		stack(v->o.stack_ctx, e, NULL, &j);
	json_close(&j, '}');
	str_addc(s, '\n');
}

/* strace's word on a thread that changes between 64- and 32-bit calls. */
static void tell_mode(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	static const char *const name[] = { [ABI_NATIVE] = "64 bit", [ABI_32] = "32 bit", [ABI_X32] = "x32" };
	if ((e->abi == ABI_NATIVE && !v->modes.n) || trace_qualify_quiet(v->o.qualify, QUIET_MODE))
		return;
	enum sys_abi before = (enum sys_abi)(uintptr_t)u64map_get(&v->modes, e->tid);
	if (before == e->abi)
		return;
	u64map_set(&v->modes, e->tid, (void *)(uintptr_t)e->abi);
	str_addf(s, "[ Process PID=%d runs in %s mode. ]\n", e->tid, name[e->abi]);
}

static void call_text(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	struct waiting *w = waiting_of(v, e->tid);
	bool continued = w && w->shown;
	if (w) {
		w->live = false;
		if (!w->shown)
			forget_hidden(v, w);
	}
	if (v->hidden.n)
		show_hidden(v, e->tid, UINT64_MAX);
	if (e->type == SYS_RESUMED && !e->seen_enter)
		continued = true; /* under way when we came */
	uint64_t took = e->enter_time && !e->no_return ? e->time - e->enter_time : UINT64_MAX;
	if (v->o.form == TRACE_STRACE)
		tell_mode(v, e, s);
	size_t start = s->len;
	head(v, e, continued ? e->time : e->enter_time, took, s);
	if (v->o.form == TRACE_PERF)
		start = s->len; /* strace counts columns from the line's start */
	if (e->abi != ABI_NATIVE && v->o.form == TRACE_PERF)
		str_add(s, e->abi == ABI_32 ? "[32-bit] " : "[x32] ");
	call_body(v, e, s, continued);
	add_result(v, e, s, start);
}

static int on_call(struct trace_view *v, const struct sysevent *e)
{
	struct str *s = &v->out->buf;
	int wrote = 0;
	if (trace_view_wants(v, e)) {
		if (v->o.samples && v->o.form != TRACE_JSON)
			sample_line(v, e, "raw_syscalls:sys_exit");
		if (v->o.form == TRACE_JSON)
			call_json(v, e, s);
		else
			call_text(v, e, s);
		if (v->o.qualify && v->o.form != TRACE_JSON)
			trace_dump(v->o.qualify, e, s);
		if (v->o.stack && v->o.form != TRACE_JSON)
			v->o.stack(v->o.stack_ctx, e, s, NULL);
		wrote = 1;
	} else {
		struct waiting *w = waiting_of(v, e->tid);
		if (w) {
			w->live = false;
			forget_hidden(v, w);
		}
	}
	if (!wrote || v->o.form == TRACE_JSON)
		fd_state_feed(v->fds, e);
	return wrote;
}

static void other_json(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	static const char *const type[] = { [SYS_SIGNAL] = "signal", [SYS_EXIT] = "exit", [SYS_EXEC] = "exec",
					    [SYS_FORK] = "fork", [SYS_LOST] = "lost" };
	struct json j;
	json_head(v, &j, s, e, type[e->type]);
	if (e->type == SYS_SIGNAL) {
		json_kstr(&j, "signal", signal_name(e->sig));
		json_ks64(&j, "code", e->sig_code);
		if (e->sig_pid)
			json_ks64(&j, "from", e->sig_pid);
		if (e->stops)
			json_kbool(&j, "stops", true);
	} else if (e->type == SYS_EXIT) {
		if (e->exit_code >= 0)
			json_ks64(&j, "code", e->exit_code);
		if (e->sig)
			json_kstr(&j, "signal", signal_name(e->sig));
		json_kbool(&j, "process", e->group_exit);
	} else if (e->type == SYS_EXEC && e->old_tid) {
		json_ks64(&j, "old_tid", e->old_tid);
	} else if (e->type == SYS_FORK) {
		json_ks64(&j, "child_pid", e->child_pid);
		json_ks64(&j, "child_tid", e->child_tid);
	} else if (e->type == SYS_LOST) {
		json_ku64(&j, "lost", e->lost);
	}
	json_close(&j, '}');
	str_addc(s, '\n');
}

static void stop_line(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	head(v, e, e->time, UINT64_MAX, s);
	str_addf(s, "--- stopped by %s ---\n", signal_name(e->sig));
}

/* -q, -e quiet=... */
static bool left_out(const struct trace_view *v, const struct sysevent *e)
{
	if (e->type == SYS_LOST)
		return false;
	unsigned line = e->type == SYS_EXIT ? QUIET_EXIT : e->type == SYS_EXEC ? QUIET_EXECVE : 0;
	return v->o.quiet || trace_qualify_quiet(v->o.qualify, line);
}

static int on_other(struct trace_view *v, const struct sysevent *e)
{
	struct str *s = &v->out->buf;
	if (e->type == SYS_FORK && !v->o.files)
		v->many = true;
	bool told = e->type == SYS_EXEC && !e->old_tid && !v->o.exec_lines; /* by the execve itself */
	told |= e->type == SYS_FORK && v->o.form == TRACE_STRACE; /* by the clone */
	if (e->type == SYS_SIGNAL && !trace_qualify_signal(v->o.qualify, e->sig))
		return 0;
	if (left_out(v, e) || (told && v->o.form != TRACE_JSON)) {
		fd_state_feed(v->fds, e);
		return 0;
	}
	if (v->o.form == TRACE_JSON) {
		other_json(v, e, s);
	} else {
		if (v->hidden.n)
			show_hidden(v, e->tid, UINT64_MAX);
		head(v, e, e->time, UINT64_MAX, s);
		if (e->type == SYS_LOST)
			str_addf(s, "!!! %llu events lost on CPU %d !!!", (unsigned long long)e->lost, e->cpu);
		else
			decode_other(v->decoder, e, s);
		str_addc(s, '\n');
		if (e->stops)
			stop_line(v, e, s);
	}
	fd_state_feed(v->fds, e);
	if (e->type == SYS_EXIT)
		forget_waiting(v, e->tid);
	else if (e->type == SYS_EXEC && e->old_tid)
		rename_waiting(v, e->old_tid, e->tid);
	return 1;
}

static int on_tracepoint(struct trace_view *v, const struct sysevent *e)
{
	struct str *s = &v->out->buf;
	struct json j;
	if (v->o.form == TRACE_JSON) {
		json_head(v, &j, s, e, "event");
		if (v->o.fields)
			v->o.fields(v->o.fields_ctx, e, NULL, &j);
		if (v->o.stack)
			v->o.stack(v->o.stack_ctx, e, NULL, &j);
		json_close(&j, '}');
		str_addc(s, '\n');
		return 1;
	}
	if (v->hidden.n)
		show_hidden(v, e->tid, UINT64_MAX);
	if (v->o.samples)
		sample_line(v, e, v->o.event_name ? v->o.event_name(v->o.fields_ctx, e) : "?");
	head(v, e, e->time, UINT64_MAX, s);
	if (v->o.fields)
		v->o.fields(v->o.fields_ctx, e, s, NULL);
	str_addc(s, '\n');
	if (v->o.stack)
		v->o.stack(v->o.stack_ctx, e, s, NULL);
	return 1;
}

/* Losses are told where the last line went. */
static void choose_file(struct trace_view *v, const struct sysevent *e)
{
	bool fresh = false;
	if (e->type != SYS_LOST)
		v->out = trace_files_of(v->o.files, e->tid, &fresh);
	if (fresh)
		v->schema_told = false; /* each file begins with it */
}

int trace_view_event(struct trace_view *v, const struct sysevent *e)
{
	int wrote = 0;
	struct sysevent real;
	if (e->abi == ABI_32 && multiplex_event(e, &real))
		e = &real;
	fd_state_expect(v->fds, e);
	if (e->silent) {
		fd_state_feed(v->fds, e);
		return 0;
	}
	if (v->o.files) {
		choose_file(v, e);
	} else if (!v->many && e->type != SYS_LOST && e->tid != v->only_tid) {
		v->many = v->only_tid; /* a second thread */
		v->only_tid = e->tid;
	}
	if (!v->base && e->type != SYS_LOST)
		v->base = e->enter_time ? e->enter_time : e->time;
	switch (e->type) {
	case SYS_CALL:
	case SYS_RESUMED:
		wrote = on_call(v, e);
		break;
	case SYS_UNFINISHED:
		if (v->o.failure || v->o.min_ns || v->o.passes || !trace_qualify_call(v->o.qualify, e))
			break; /* its end will tell */
		if (v->o.form == TRACE_JSON)
			call_json(v, e, &v->out->buf);
		else
			on_unfinished(v, e);
		break;
	case SYS_TRACEPOINT:
		wrote = on_tracepoint(v, e);
		break;
	default:
		wrote = on_other(v, e);
		break;
	}
	if (v->out->buf.len >= (v->o.files ? FLUSH_FILE : FLUSH))
		out_flush(v->out);
	if (v->o.files && e->type == SYS_EXIT)
		trace_files_end(v->o.files, e->tid);
	return wrote;
}

void trace_view_idle(struct trace_view *v, uint64_t now)
{
	if (v->hidden.n && now > patience && !v->o.files)
		show_hidden(v, 0, now - patience);
}

void trace_view_end(struct trace_view *v)
{
	show_hidden(v, 0, UINT64_MAX);
}
