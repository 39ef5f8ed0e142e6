// SPDX-License-Identifier: GPL-2.0-or-later
/* A JSON object a line; the first has the schema's number. */
#include <string.h>
#include "ui/trace/form.h"

static void begin(struct trace_view *v, struct json *j, struct str *s, const struct sysevent *e, const char *type)
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

static void end(struct json *j, struct str *s)
{
	json_close(j, '}');
	str_addc(s, '\n');
}

static void parent_members(const struct sysevent *e, struct json *j)
{
	if (!e->ppid)
		return;
	json_ks64(j, "ppid", e->ppid);
	json_key(j, "parent");
	json_str(j, e->parent, strnlen(e->parent, sizeof(e->parent)));
}

static void call_members(struct trace_view *v, const struct sysevent *e, struct json *j, trace_stack *stack)
{
	json_kstr(j, "syscall", view_call_name(e));
	json_ks64(j, "nr", e->nr);
	if (e->abi != ABI_NATIVE)
		json_kstr(j, "abi", e->abi == ABI_32 ? "i386" : "x32");
	decode_json(v->decoder, e, j);
	if (stack)
		stack(v->o.stack_ctx, e, NULL, j);
}

static void call(struct trace_view *v, const struct sysevent *e, bool continued, struct str *s)
{
	struct json j;
	(void)continued; /* the object tells it all */
	begin(v, &j, s, e, "syscall");
	if (e->enter_time) {
		json_ku64(&j, "enter", e->enter_time);
		json_ku64(&j, "duration", e->time - e->enter_time);
	}
	parent_members(e, &j);
	call_members(v, e, &j, v->o.stack);
	end(&j, s);
	view_takes_effect(v, e);
}

static void under_way(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	struct json j;
	begin(v, &j, s, e, "unfinished");
	if (e->enter_time)
		json_ku64(&j, "enter", e->enter_time);
	/* one that it was in when we came has its stack still */
	call_members(v, e, &j, !e->enter_time && v->o.stack_now ? v->o.stack_now : v->o.stack);
	end(&j, s);
}

static void signal_members(const struct sysevent *e, struct json *j)
{
	json_kstr(j, "signal", signal_name(e->sig));
	json_ks64(j, "code", e->sig_code);
	if (e->sig_pid)
		json_ks64(j, "from", e->sig_pid);
	if (e->stops)
		json_kbool(j, "stops", true);
}

static void other(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	static const char *const type[] = { [SYS_SIGNAL] = "signal", [SYS_EXIT] = "exit", [SYS_EXEC] = "exec",
					    [SYS_FORK] = "fork", [SYS_LOST] = "lost" };
	struct json j;
	begin(v, &j, s, e, type[e->type]);
	if (e->type == SYS_SIGNAL) {
		signal_members(e, &j);
	} else if (e->type == SYS_EXIT) {
		if (e->exit_code >= 0)
			json_ks64(&j, "code", e->exit_code);
		if (e->sig)
			json_kstr(&j, "signal", signal_name(e->sig));
		json_kbool(&j, "process", e->group_exit);
	} else if (e->type == SYS_EXEC) {
		parent_members(e, &j);
		if (e->old_tid)
			json_ks64(&j, "old_tid", e->old_tid);
	} else if (e->type == SYS_FORK) {
		json_ks64(&j, "child_pid", e->child_pid);
		json_ks64(&j, "child_tid", e->child_tid);
	} else if (e->type == SYS_LOST && e->enter_time) {
		json_ku64(&j, "untraced", e->time - e->enter_time);
	} else if (e->type == SYS_LOST) {
		json_ku64(&j, "lost", e->lost);
	}
	end(&j, s);
}

static void event(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	struct json j;
	begin(v, &j, s, e, "event");
	if (v->o.fields)
		v->o.fields(v->o.fields_ctx, e, NULL, &j);
	if (v->o.stack)
		v->o.stack(v->o.stack_ctx, e, NULL, &j);
	end(&j, s);
}

const struct trace_form_ops trace_form_json = {
	.call = call,
	.under_way = under_way,
	.other = other,
	.event = event,
};
