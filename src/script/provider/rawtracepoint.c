// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/tracefs.h"
#include "script/ctype/ctype.h"
#include "script/list.h"
#include "script/provider/kernel/kargs.h"
#include "script/provider/provider.h"

enum { WORDS = 12 };

/* The type of a tracepoint's programs has no names for its arguments; the functions that call them have. */
static bool arguments(struct run_script *s, const char *event, struct ctype_function *f)
{
	static const char *const callers[] = { "__traceiter_", "__probestub_", "__bpf_trace_" };
	for (size_t i = 0; i < sizeof(callers) / sizeof(callers[0]); i++) {
		char *name = xasprintf("%s%s", callers[i], event);
		bool found = ctype_function(s->types, NULL, name, f) && f->n_params;
		free(name);
		if (found) { /* the first is the tracepoint's own */
			f->params++;
			f->n_params--;
			return true;
		}
	}
	return ctype_tracepoint(s->types, event, f);
}

static void add(struct run_script *s, const struct attach *a, const char *event)
{
	struct ctype_function f;
	const struct probe *block = probe_of(s, a);
	bool args = probe_uses(block, "args"), known = args && arguments(s, event, &f);
	if (args && !known && block->attach->next) /* none of this name, or nothing is known of it: the others remain */
		return;
	char *name = xasprintf("rawtracepoint:%s", event);
	struct point *p = provider_point(s, &provider_rawtracepoint, a, name);
	p->event = arena_text(&s->source->memory, event, strlen(event));
	if (known)
		p->args = kargs_record(s, &f);
	free(name);
}

/* A name of its own need not be an event's: sys_enter. With a glob it is what the events are called. */
static int expand(struct run_script *s, const struct attach *a, const char *rest)
{
	const char *colon = strrchr(rest, ':'), *event = colon ? colon + 1 : rest;
	if (!*event)
		return source_error(s->source, a->at, "the name of a tracepoint is missing");
	if (!glob_has(event)) {
		add(s, a, event);
		return 0;
	}
	int err = tracefs_ready();
	const wordlist *all = err ? NULL : tracefs_all();
	for (size_t i = 0; all && i < all->n; i++) {
		const char *name = strchr(all->at[i], ':');
		if (name && !str_starts(all->at[i], "syscalls:") && glob_match(event, name + 1))
			add(s, a, name + 1);
	}
	return err;
}

static bool together(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b)
{
	(void)s;
	return !a->args && !b->args && !probe_uses(p, "probe");
}

static int arg(struct lower *l, unsigned n)
{
	return n < WORDS ? low_load(l, (struct script_mem){ l->context, (int32_t)n * 8 }, 8, false) : low_const(l, 0);
}

static int field(struct lower *l, const struct type_field *f)
{
	int v = arg(l, f->at);
	return f->type->kind == TYPE_INT ? low_cut(l, v, f->type->size, f->type->is_signed) : v;
}

/* Others of the block are there: told, and left out. */
static bool spared(struct run_script *s, const struct script_unit *u, const struct point *p, size_t *missing)
{
	bool others = u->probe->attach->next || u->points.n > 1;
	if (others)
		source_warn(s->source, p->attach->at, "rawtracepoint:%s is not here", p->event);
	++*missing;
	return others && *missing < u->points.n;
}

static int unknown(const struct run_script *s, const struct point *p)
{
	struct nearest near;
	const wordlist *all = tracefs_ready() ? NULL : tracefs_all();
	error_clear();
	source_error(s->source, p->attach->at, "there is no raw tracepoint '%s'", p->event);
	nearest_init(&near, p->event);
	for (size_t i = 0; all && i < all->n; i++)
		if (strchr(all->at[i], ':') && !str_starts(all->at[i], "syscalls:"))
			nearest_offer(&near, strchr(all->at[i], ':') + 1);
	if (!nearest_hint(&near))
		error_hint("they are called as the events of sonde list tracepoint, without the system's name");
	return -ENOENT;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	size_t missing = 0;
	for (size_t i = 0; i < u->points.n; i++) {
		const struct point *p = &s->points.at[u->points.at[i]];
		int fd = bpf_raw_tracepoint_open(p->event, u->fd);
		if (fd < 0 && errno == ENOENT && spared(s, u, p, &missing))
			continue;
		if (fd < 0 && errno == ENOENT) {
			return unknown(s, p);
		}
		if (fd < 0)
			return error_sys(errno, "cannot attach a program to %s", p->name);
		*vec_push(&u->links) = fd;
	}
	return 0;
}

static int list(struct probe_list *l)
{
	int err = tracefs_ready();
	const wordlist *all = err ? NULL : tracefs_all();
	for (size_t i = 0; all && i < all->n; i++) {
		struct ctype_function f;
		if (str_starts(all->at[i], "syscalls:") || str_starts(all->at[i], "ftrace:"))
			continue;
		const char *event = strchr(all->at[i], ':') + 1;
		char *name = xasprintf("rawtracepoint:%s", event);
		if (list_probe(l, name) && arguments(l->s, event, &f))
			for (unsigned k = 0; k < f.n_params; k++)
				list_field(l, &f.params[k]);
		free(name);
	}
	return err;
}

const struct provider provider_rawtracepoint = { "rawtracepoint", "rt", .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .expand = expand,
	.together = together, .space = SPACE_KERNEL, .field = field, .arg = arg, .attach = attach, .list = list };
