// SPDX-License-Identifier: GPL-2.0-or-later
/* tracepoint:SYSTEM:EVENT. Where `args` is not used it is the raw tracepoint of that name, which is cheaper and much quicker
 * to take off; else the event. Those of system calls are syscalls.c's. */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/bpf_programs.h"
#include "kernel/tracefs.h"
#include "script/list.h"
#include "script/load.h"
#include "script/provider/format.h"
#include "script/provider/links.h"
#include "script/provider/provider.h"
#include "script/provider/syscalls.h"

/* A number of kernel frames counts from where the event is: the program for all calls sees those of the way to it first. */
static bool counts_frames(const struct run_script *s, const struct attach *a)
{
	const struct probe *p = probe_of(s, a);
	return p && probe_cuts_stack(p);
}

static void add(struct run_script *s, const struct attach *a, const char *system, const char *event, bool args)
{
	if (!strcmp(system, "syscalls") && !counts_frames(s, a) && syscalls_point(s, a, event, args))
		return;
	char *name = xasprintf("tracepoint:%s:%s", system, event);
	struct point *p = provider_point(s, &provider_tracepoint, a, name);
	p->system = arena_text(&s->source->memory, system, strlen(system));
	p->event = arena_text(&s->source->memory, event, strlen(event));
	if (args)
		s->points.at[s->points.n - 1].args = format_record(s, system, event, !strcmp(system, "syscalls"));
	free(name);
}

static void add_matching(struct run_script *s, const struct attach *a, const char *system, const char *event, bool args)
{
	const wordlist *all = tracefs_all();
	for (size_t i = 0; i < all->n; i++) {
		char *name = xstrdup(all->at[i]), *colon = strchr(name, ':');
		if (colon) {
			*colon = 0;
			if (glob_match(system, name) && glob_match(event, colon + 1))
				add(s, a, name, colon + 1, args);
		}
		free(name);
	}
}

static void add_of_system(struct run_script *s, const struct attach *a, const char *system, const char *event, bool args)
{
	wordlist events = { 0 };
	if (tracefs_events_list(system, &events))
		error_clear();
	for (size_t i = 0; i < events.n; i++)
		if (glob_match(event, events.at[i]))
			add(s, a, system, events.at[i], args);
	wordlist_release(&events);
}

static int expand(struct run_script *s, const struct attach *a, const char *rest)
{
	const char *colon = strchr(rest, ':');
	if (!colon || colon == rest || !colon[1]) {
		source_error(s->source, a->at, "a tracepoint has two names: tracepoint:SYSTEM:EVENT");
		return error_hint("for example tracepoint:sched:sched_switch; sonde list tracepoint shows all");
	}
	int err = tracefs_ready();
	if (err)
		return err;
	char *system = xstrndup(rest, (size_t)(colon - rest));
	bool args = probe_uses(probe_of(s, a), "args");
	if (glob_has(system))
		add_matching(s, a, system, colon + 1, args);
	else if (glob_has(colon + 1))
		add_of_system(s, a, system, colon + 1, args);
	else if (tracefs_event_id(system, colon + 1) >= 0)
		add(s, a, system, colon + 1, args);
	free(system);
	return 0;
}

/* Without args and probe all that share a block are alike. */
static bool together(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b)
{
	(void)s;
	return !a->args && !b->args && !probe_uses(p, "probe");
}

/* Text is where the word says, behind the record's begin. */
static int field(struct lower *l, const struct type_field *f)
{
	struct script_mem at = { l->context, (int32_t)f->at };
	if (f->data_loc)
		return low_alu(l, ALU_ADD, l->context, low_alu_k(l, ALU_AND, low_load(l, at, 4, false), 0xffff));
	if (!type_is_word(f->type))
		return low_alu_k(l, ALU_ADD, l->context, f->at);
	return low_load(l, at, f->size, f->type->is_signed);
}

static int attach(struct run_script *s, struct script_unit *u)
{
	int err = 0;
	for (size_t i = 0; i < u->points.n && !err; i++) {
		const struct point *p = &s->points.at[u->points.at[i]];
		int fd = u->type == BPF_PROG_TYPE_RAW_TRACEPOINT ? bpf_raw_tracepoint_open(p->event, u->fd) : -1;
		if (fd >= 0) {
			*vec_push(&u->links) = fd;
			continue;
		}
		if (u->type != BPF_PROG_TYPE_TRACEPOINT)
			err = load_again(s, u, BPF_PROG_TYPE_TRACEPOINT);
		if (!err)
			err = links_tracepoint(u, p, p->system, p->event);
	}
	return err;
}

/* Raw tracepoints whose programs are preempted leave out others' runs; those of events are not (bpf/trace_tp.bpf.c). */
static void plan(struct run_script *s, struct script_unit *u)
{
	(void)s;
	if (bpf_programs_preempted())
		u->type = BPF_PROG_TYPE_TRACEPOINT;
}

/* Fields as the kernel declares them: "char prev_comm[16]". */
static void list_fields(struct probe_list *l, const char *system, const char *event)
{
	struct str text = STR_INIT;
	char *save = NULL;
	if (!tracefs_event_format(system, event, &text))
		for (char *line = strtok_r(text.buf, "\n", &save); line && !str_starts(line, "print fmt"); line = strtok_r(NULL, "\n", &save)) {
			char *field = strstr(line, "field:"), *semi = field ? strchr(field, ';') : NULL;
			if (!semi || strstr(field, " common_"))
				continue;
			*semi = 0;
			list_arg(l, field + 6);
		}
	error_clear();
	str_release(&text);
}

static int list(struct probe_list *l)
{
	int err = tracefs_ready();
	const wordlist *all = err ? NULL : tracefs_all();
	for (size_t i = 0; all && i < all->n; i++) {
		char *name = xasprintf("tracepoint:%s", all->at[i]), *system = xstrdup(all->at[i]), *colon = strchr(system, ':');
		if (list_probe(l, name) && colon) {
			*colon = 0;
			list_fields(l, system, colon + 1);
		}
		free(system);
		free(name);
	}
	return err;
}

const struct provider provider_tracepoint = { "tracepoint", "t", .expand = expand, .together = together, .field = field,
	.plan = plan, .attach = attach, .list = list };
