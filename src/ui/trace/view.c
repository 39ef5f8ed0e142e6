// SPDX-License-Identifier: GPL-2.0-or-later
/* One line per call, at its return. A call that left its CPU is first kept as text; only if another
 * thread's line comes before its return, or nothing comes at all for a while, is it shown as under way
 * and its return as continued. So a lone blocking program reads as if it never blocked. */
#include "ui/trace/view.h"
#include <stdlib.h>
#include <string.h>
#include "ui/trace/form.h"

enum { FLUSH = 64 * 1024, FLUSH_FILE = 16 * 1024 };
static const uint64_t patience = 100000000; /* ns until a waiting call is shown */

struct call_under_way {
	int pid, tid, nr;
	enum sys_abi abi;
	uint64_t since; /* when it was told */
	bool began; /* while we watched */
	bool shown;
	bool live; /* still under way */
	char *text; /* head and call, without the end */
};

struct trace_view *trace_view_new(const struct trace_view_options *o, struct out *out)
{
	static const struct trace_form_ops *const forms[] = { [TRACE_PERF] = &trace_form_perf, [TRACE_STRACE] = &trace_form_strace,
							       [TRACE_JSON] = &trace_form_json };
	struct trace_view *v = xcalloc(1, sizeof(*v));
	v->o = *o;
	v->form = forms[o->form];
	if (!o->column)
		v->o.column = v->form->column;
	v->out = out;
	v->base = o->base;
	v->many = o->many && !o->files;
	v->decoder = decoder_new(&o->style, o->fds);
	str_init(&v->line);
	return v;
}

static void under_way_free(struct call_under_way *w)
{
	if (w)
		free(w->text);
	free(w);
}

void trace_view_free(struct trace_view *v)
{
	uint64_t tid;
	void *w;
	size_t cursor = 0;
	if (!v)
		return;
	while (u64map_next(&v->waits, &cursor, &tid, &w))
		under_way_free(w);
	u64map_release(&v->waits);
	u64map_release(&v->modes);
	u64map_release(&v->numbers);
	vec_release(&v->hidden);
	decoder_free(v->decoder);
	str_release(&v->line);
	free(v);
}

const char *view_call_name(const struct sysevent *e)
{
	const struct syscall_row *r = syscall_find(e->abi == ABI_32 ? ABI_32 : ABI_NATIVE, e->nr);
	return r ? syscall_name(r) : "syscall";
}

/* ---- calls under way ---- */

/* still: it waits there now, so its stack can be had. */
static void show_under_way(struct trace_view *v, struct call_under_way *w, bool still)
{
	struct str *s = &(v->o.files ? trace_files_of(v->o.files, w->tid, NULL) : v->out)->buf;
	str_add(s, w->text);
	str_add(s, v->form->under_way_end);
	if (v->o.stack_now && (still || !w->began)) {
		struct sysevent e = { .type = SYS_UNFINISHED, .pid = w->pid, .tid = w->tid, .nr = w->nr, .abi = w->abi };
		v->o.stack_now(v->o.stack_ctx, &e, s, NULL);
	}
	w->shown = true;
}

/* Shows what is under way, but for one thread. still: it is so now, not only at the time of the last event. */
static void show_hidden(struct trace_view *v, int but_tid, uint64_t told_before, bool still)
{
	size_t keep = 0;
	for (size_t i = 0; i < v->hidden.n; i++) {
		struct call_under_way *w = v->hidden.at[i];
		if (!w->live || w->shown)
			continue;
		if (w->tid == but_tid || w->since > told_before)
			v->hidden.at[keep++] = w;
		else
			show_under_way(v, w, still);
	}
	v->hidden.n = keep;
}

/* Another line is about to be written: what is under way comes first. In a file of its own it need not. */
static void make_way(struct trace_view *v, const struct sysevent *e)
{
	if (v->hidden.n && !v->o.files)
		show_hidden(v, e->type == SYS_LOST ? 0 : e->tid, UINT64_MAX, false);
}

static struct call_under_way *under_way_of(struct trace_view *v, int tid)
{
	struct call_under_way *w = v->waits.n ? u64map_get(&v->waits, tid) : NULL;
	return w && w->live ? w : NULL;
}

static void keep_under_way(struct trace_view *v, const struct sysevent *e)
{
	struct call_under_way *w = u64map_get(&v->waits, e->tid);
	if (!w) {
		w = xcalloc(1, sizeof(*w));
		u64map_set(&v->waits, e->tid, w);
		w->tid = e->tid;
	}
	str_clear(&v->line);
	v->form->under_way(v, e, &v->line);
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

static void forget_hidden(struct trace_view *v, const struct call_under_way *w)
{
	size_t keep = 0;
	for (size_t i = 0; i < v->hidden.n; i++)
		if (v->hidden.at[i] != w)
			v->hidden.at[keep++] = v->hidden.at[i];
	v->hidden.n = keep;
}

/* Its call has returned. True: that it was under way has been shown. */
static bool end_under_way(struct trace_view *v, int tid)
{
	struct call_under_way *w = under_way_of(v, tid);
	if (!w)
		return false;
	w->live = false;
	if (!w->shown)
		forget_hidden(v, w);
	return w->shown;
}

static void forget_under_way(struct trace_view *v, int tid)
{
	struct call_under_way *w = u64map_del(&v->waits, tid);
	if (w)
		forget_hidden(v, w);
	under_way_free(w);
}

/* A thread that execs goes on as the leader of its process. */
static void rename_under_way(struct trace_view *v, int from, int to)
{
	struct call_under_way *w = u64map_del(&v->waits, from);
	if (!w)
		return;
	forget_under_way(v, to);
	w->tid = to;
	u64map_set(&v->waits, to, w);
}

/* ---- lines ---- */

static int on_call(struct trace_view *v, const struct sysevent *e)
{
	bool continued = end_under_way(v, e->tid);
	make_way(v, e);
	continued |= e->type == SYS_RESUMED && !e->seen_enter; /* under way when we came */
	v->form->call(v, e, continued, &v->out->buf);
	return 1;
}

static void on_unfinished(struct trace_view *v, const struct sysevent *e)
{
	if (v->form->under_way_end)
		keep_under_way(v, e);
	else
		v->form->under_way(v, e, &v->out->buf);
}

static int on_other(struct trace_view *v, const struct sysevent *e)
{
	if (v->form->told && v->form->told(v, e)) {
		view_takes_effect(v, e);
		return 0;
	}
	make_way(v, e);
	v->form->other(v, e, &v->out->buf);
	view_takes_effect(v, e);
	if (e->type == SYS_EXIT)
		forget_under_way(v, e->tid);
	else if (e->type == SYS_EXEC && e->old_tid)
		rename_under_way(v, e->old_tid, e->tid);
	return 1;
}

static int on_tracepoint(struct trace_view *v, const struct sysevent *e)
{
	make_way(v, e);
	v->form->event(v, e, &v->out->buf);
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

static int dispatch(struct trace_view *v, const struct sysevent *e)
{
	switch (e->type) {
	case SYS_CALL:
	case SYS_RESUMED:
		return on_call(v, e);
	case SYS_UNFINISHED:
		on_unfinished(v, e);
		return 0;
	case SYS_TRACEPOINT:
		return on_tracepoint(v, e);
	default:
		return on_other(v, e);
	}
}

/* Where it goes, and what its line begins with. */
static void take_note(struct trace_view *v, const struct sysevent *e)
{
	if (v->o.files) {
		choose_file(v, e);
	} else if (!v->many && e->type != SYS_LOST) {
		v->many = e->type == SYS_FORK || (v->only_tid && e->tid != v->only_tid); /* a second thread */
		v->only_tid = e->tid;
	}
	if (!v->base && e->type != SYS_LOST)
		v->base = e->enter_time ? e->enter_time : e->time;
}

int trace_view_event(struct trace_view *v, const struct sysevent *e)
{
	take_note(v, e);
	int wrote = dispatch(v, e);
	if (v->out->buf.len >= (v->o.files ? FLUSH_FILE : FLUSH))
		out_flush(v->out);
	if (v->o.files && e->type == SYS_EXIT)
		trace_files_end(v->o.files, e->tid);
	return wrote;
}

void trace_view_leave_out(struct trace_view *v, const struct sysevent *e)
{
	take_note(v, e);
	if (e->type == SYS_CALL || e->type == SYS_RESUMED)
		end_under_way(v, e->tid);
	if (v->o.files && e->type == SYS_EXIT)
		trace_files_end(v->o.files, e->tid);
}

void trace_view_idle(struct trace_view *v, uint64_t now)
{
	if (v->hidden.n && now > patience && !v->o.files)
		show_hidden(v, 0, now - patience, true);
}

void trace_view_end(struct trace_view *v)
{
	show_hidden(v, 0, UINT64_MAX, true);
}
