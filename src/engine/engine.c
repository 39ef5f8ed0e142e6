// SPDX-License-Identifier: GPL-2.0-or-later
/* Which engine a trace uses. */
#include "engine/engine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "engine/engines.h"
#include "kernel/rights/lent.h"

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
	if (o && o->injects && !(g->can & ENGINE_INJECTS)) {
		str_add(why, "it only looks on: -e inject= and fault= need an engine that stops the program\n--engine=ptrace does");
		return false;
	}
	if (o && o->all && lent()) {
		str_add(why, "the calls of every process are not yours to see by way of sonde's file capabilities\nsudo sonde ...");
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
	return o->input ? &engine_file : engine_after(NULL, o);
}

const struct engine_ops *engine_able(unsigned abilities, const struct engine_options *o)
{
	const struct engine_ops *g = NULL;
	struct str why = STR_INIT;
	for (int i = 0; engines[i] && !g; i++)
		if ((engines[i]->can & abilities) == abilities && usable(engines[i], o, &why))
			g = engines[i];
	str_release(&why);
	return g;
}

/* The first octave has a bucket for each ns; the width of any other is at most 1/SUMMARY_STEPS of its floor. */
uint64_t summary_bucket_floor(unsigned i)
{
	unsigned octave = i / SUMMARY_STEPS;
	uint64_t step = i % SUMMARY_STEPS;
	return octave ? (SUMMARY_STEPS + step) << (octave - 1) : step;
}

unsigned summary_bucket(uint64_t ns)
{
	if (ns < SUMMARY_STEPS)
		return ns;
	unsigned shift = 63 - __builtin_clzll(ns) - __builtin_ctz(SUMMARY_STEPS);
	return shift * SUMMARY_STEPS + (ns >> shift);
}

uint64_t summary_count(const struct engine_sum *r, unsigned bucket)
{
	const uint64_t *at = r->octave[bucket / SUMMARY_STEPS];
	return at ? at[bucket % SUMMARY_STEPS] : 0;
}

void summary_add(struct engine_sum *r, unsigned bucket, uint64_t n)
{
	uint64_t **at = &r->octave[bucket / SUMMARY_STEPS];
	if (!*at && n)
		*at = xcalloc(SUMMARY_STEPS, sizeof(**at));
	if (n)
		(*at)[bucket % SUMMARY_STEPS] += n;
}

void summary_release(struct engine_sum *r)
{
	for (int i = 0; i < SUMMARY_OCTAVES; i++)
		free(r->octave[i]);
	memset(r->octave, 0, sizeof(r->octave));
}
