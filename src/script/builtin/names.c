// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers that are shown as names: errors, signals, system calls, control groups; and the numbers of names, which are
 * known when the script is compiled: cgroupid. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "kernel/cgroup.h"
#include "script/builtin/builtin.h"
#include "syscall/decode.h"

static uint64_t word_at(const uint8_t *value)
{
	uint64_t v;
	memcpy(&v, value, sizeof(v));
	return v;
}

static void error_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	int64_t v = (int64_t)word_at(value);
	(void)nm, (void)t;
	str_add(out, strerror((int)(v < 0 && v > INT32_MIN ? -v : v)));
}

static void signal_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	uint64_t v = word_at(value);
	const char *name = v <= 64 ? signal_name((int)v) : NULL;
	(void)nm, (void)t;
	if (name)
		str_add(out, name);
	else
		str_addf(out, "%llu", (unsigned long long)v);
}

static void call_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	uint64_t v = word_at(value);
	const struct syscall_row *row = v < INT32_MAX ? syscall_find(ABI_NATIVE, (int)v) : NULL;
	(void)nm, (void)t;
	if (row && syscall_name(row))
		str_add(out, syscall_name(row));
	else
		str_addf(out, "syscall_%llu", (unsigned long long)v);
}

/* As bpftrace has it: the hierarchy and the path in it; all there is today is "unified". t->format: a pattern for that. */
static void cgroup_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	struct str path = STR_INIT;
	(void)nm;
	if (t->format && fnmatch(t->format, "unified", 0))
		return;
	if (cgroup_path(word_at(value), &path))
		str_addf(out, "unified:%s", path.len ? path.buf : "/");
	str_release(&path);
}

static const struct shown shown_error = { "strerror", error_text }, shown_signal = { "signal_name", signal_text },
	shown_call = { "syscall_name", call_text }, shown_cgroup = { "cgroup_path", cgroup_text };

static struct script_type *check_named(struct checker *c, struct script_node *n, const struct shown *how, const char *what)
{
	return check_number(c, n->args, what) ? type_shown(&c->s->source->memory, how, 8) : &type_none;
}

static struct script_type *check_strerror(struct checker *c, struct script_node *n) { return check_named(c, n, &shown_error, "an error"); }
static struct script_type *check_signal_name(struct checker *c, struct script_node *n) { return check_named(c, n, &shown_signal, "a signal"); }
static struct script_type *check_call_name(struct checker *c, struct script_node *n) { return check_named(c, n, &shown_call, "a system call"); }

static struct script_type *check_cgroup_path(struct checker *c, struct script_node *n)
{
	struct script_type *t = check_named(c, n, &shown_cgroup, "a control group");
	if (n->args->next && n->args->next->kind != NODE_STRING)
		return check_fail(c, n->args->next->at, "the second argument of cgroup_path() is a pattern, a string");
	if (n->args->next && t->kind == TYPE_SHOWN)
		t->format = n->args->next->name;
	return t;
}

static int lower_named(struct lower *l, struct script_node *n)
{
	return lower_word(l, n->args);
}

/* ---- cgroupid ---- */

static struct script_type *check_cgroupid(struct checker *c, struct script_node *n)
{
	struct stat st;
	if (n->args->kind != NODE_STRING)
		return check_fail(c, n->args->at, "cgroupid() takes the folder of a control group, a string");
	if (stat(n->args->name, &st))
		return check_fail(c, n->args->at, "cannot find the control group %s: %s", n->args->name, strerror(errno));
	n->value = st.st_ino;
	return &type_u64;
}

static int lower_cgroupid(struct lower *l, struct script_node *n)
{
	return low_const(l, (int64_t)n->value);
}

const struct builtin builtins_names[] = {
	{ "strerror", true, 1, 1, .check = check_strerror, .lower = lower_named },
	{ "signal_name", true, 1, 1, .check = check_signal_name, .lower = lower_named },
	{ "syscall_name", true, 1, 1, .check = check_call_name, .lower = lower_named },
	{ "cgroup_path", true, 1, 2, .check = check_cgroup_path, .lower = lower_named },
	{ "cgroupid", true, 1, 1, .check = check_cgroupid, .lower = lower_cgroupid },
	{ 0 },
};
