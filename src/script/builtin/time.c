// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/run.h"
#include "script/show/value.h"

static struct script_type *number(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_u64;
}

/* Which clock; 0: none is called so. */
static int clock_helper(const struct script_node *n)
{
	static const struct { const char *name; int helper; } clocks[] = { { "boot", BPF_FUNC_ktime_get_boot_ns },
		{ "monotonic", BPF_FUNC_ktime_get_ns }, { "tai", BPF_FUNC_ktime_get_tai_ns } };
	if (!n->n_args)
		return BPF_FUNC_ktime_get_boot_ns;
	for (size_t i = 0; n->args->kind == NODE_WORD && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(n->args->name, clocks[i].name))
			return clocks[i].helper;
	return 0;
}

static struct script_type *check_nsecs(struct checker *c, struct script_node *n)
{
	if (clock_helper(n))
		return &type_u64;
	if (n->args->kind == NODE_WORD && !strcmp(n->args->name, "sw_tai"))
		return check_later(c, n->args->at, "this clock");
	return check_fail(c, n->args->at, "the clocks of nsecs() are boot, monotonic and tai");
}

static int nsecs(struct lower *l, struct script_node *n)
{
	return LOW_CALL(l, clock_helper(n), { 0 });
}

static int elapsed(struct lower *l, struct script_node *n)
{
	int started = low_load(l, low_global(l, offsetof(struct globals, started)), 8, false);
	(void)n;
	return low_alu(l, ALU_SUB, LOW_CALL(l, BPF_FUNC_ktime_get_boot_ns, { 0 }), started);
}

static bool format_given(struct checker *c, const struct script_node *n)
{
	if (n->kind == NODE_STRING)
		return true;
	check_fail(c, n->at, "the format of a time is a string");
	return false;
}

static struct script_type *check_strftime(struct checker *c, struct script_node *n)
{
	if (!format_given(c, n->args) || !check_number(c, n->args->next, "a time"))
		return &type_none;
	struct script_type *t = arena_get(&c->s->source->memory, sizeof(*t));
	*t = (struct script_type){ TYPE_CLOCK, .size = 8, .format = n->args->name };
	return t;
}

static int strftime_word(struct lower *l, struct script_node *n)
{
	return lower_word(l, n->args->next);
}

/* ---- time("%H:%M:%S\n") ---- */

static struct script_type *check_time(struct checker *c, struct script_node *n)
{
	if (n->n_args && !format_given(c, n->args))
		return &type_none;
	check_site(c, n, NULL);
	return &type_none;
}

static int lower_time(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, NULL);
	return IR_NO;
}

static int show_time(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	struct str text = STR_INIT;
	struct timespec now;
	(void)payload, (void)n;
	clock_gettime(CLOCK_REALTIME, &now);
	show_clock(&text, s->call->n_args ? s->call->args->name : "%H:%M:%S\n", now);
	run_text(r, "time", &text);
	str_release(&text);
	return 0;
}

const struct builtin builtins_time[] = {
	{ "nsecs", true, 0, 1, .check = check_nsecs, .lower = nsecs },
	{ "elapsed", .check = number, .lower = elapsed },
	{ "strftime", true, 2, 2, .check = check_strftime, .lower = strftime_word },
	{ "time", true, 0, 1, .check = check_time, .lower = lower_time, .show = show_time },
	{ 0 },
};
