// SPDX-License-Identifier: GPL-2.0-or-later
/* Which engine a trace uses. */
#include "engine/engine.h"
#include <errno.h>
#include <string.h>
#include "base/error.h"

const struct engine_ops *const engines[] = { &engine_bpf, &engine_perf, &engine_ptrace, NULL };

/* usable()'s text as the pending error: its first line is the sentence, the others are hints. */
static const struct engine_ops *refuse(const struct engine_ops *g, char *why)
{
	char *line = strchr(why, '\n');
	if (line)
		*line++ = 0;
	error_set(EPERM, "--engine=%s: %s", g->name, why);
	for (char *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		error_hint("%s", line);
	}
	return NULL;
}

static bool usable(const struct engine_ops *g, const struct engine_options *o, struct str *why)
{
	if (o && o->injects && g != &engine_ptrace) {
		str_add(why, "it only looks on: -e inject= and fault= need an engine that stops the program\n--engine=ptrace does");
		return false;
	}
	return g->usable(o, why);
}

static const struct engine_ops *if_usable(const struct engine_ops *g, const struct engine_options *o)
{
	struct str why = STR_INIT;
	const struct engine_ops *r = !o || usable(g, o, &why) ? g : refuse(g, why.buf);
	str_release(&why);
	return r;
}

const struct engine_ops *engine_named(const char *name, const struct engine_options *o)
{
	struct str names = STR_INIT;
	for (int i = 0; engines[i]; i++) {
		if (!strcmp(engines[i]->name, name))
			return if_usable(engines[i], o);
		str_addf(&names, "%s%s", i ? ", " : "", engines[i]->name);
	}
	error_set(EINVAL, "no engine is called '%s'", name);
	error_hint("the engines are: %s", names.buf);
	str_release(&names);
	return NULL;
}

const struct engine_ops *engine_after(const struct engine_ops *g, const struct engine_options *o)
{
	struct str why = STR_INIT, all = STR_INIT;
	int i = 0;
	while (g && engines[i] && engines[i++] != g)
		;
	for (; engines[i]; i++) {
		str_clear(&why);
		if (usable(engines[i], o, &why)) {
			str_release(&why);
			str_release(&all);
			return engines[i];
		}
		str_addf(&all, "  %s: ", engines[i]->name);
		for (const char *p = why.buf; *p; p++) { /* hints go below, indented */
			str_addc(&all, *p);
			if (*p == '\n')
				str_add(&all, "    ");
		}
		str_addc(&all, '\n');
	}
	error_set(EPERM, "no way to trace system calls works here");
	error_detail(all.buf);
	error_hint("sonde doctor tells what each one needs");
	str_release(&why);
	str_release(&all);
	return NULL;
}

const struct engine_ops *engine_pick(const struct engine_options *o)
{
	return engine_after(NULL, o);
}

/* Two buckets per power of two: the width of one is at most 50 % of its floor. */
uint64_t summary_bucket_floor(unsigned i)
{
	if (!i)
		return 0;
	uint64_t base = 1ull << (5 + i / 2);
	return i & 1 ? base + base / 2 : base;
}

unsigned summary_bucket(uint64_t ns)
{
	if (ns < 32)
		return 0;
	unsigned log = 63 - __builtin_clzll(ns);
	unsigned i = (log - 5) * 2 + (ns >> (log - 1) & 1);
	return i < SUMMARY_BUCKETS ? i : SUMMARY_BUCKETS - 1;
}
