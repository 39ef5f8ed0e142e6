// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/guard.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "kernel/clock.h"
#include "script/provider/links.h"
#include "script/provider/provider.h"
#include "script/stap/stap.h"

#define MEASURE_NS 100000000ull
#define EVERY_NS 1000000000ull

static struct runcost cost_of_all(const struct run_script *s)
{
	struct runcost sum = { 0 };
	vec_each(&s->units, u)
		runstats_add(u->fd, &sum);
	return sum;
}

static bool is_attached(const struct run_script *s)
{
	vec_each(&s->units, u)
		if (u->links.n)
			return true;
	return false;
}

static void begin(struct guard *g, uint64_t now)
{
	g->on = runstats_keep(&g->stats, true);
	if (!g->on)
		return;
	g->since = now;
	g->before = cost_of_all(g->s);
}

void guard_open(struct guard *g, const struct run_script *s, unsigned most, bool always)
{
	*g = (struct guard){ .s = s, .most = most, .always = always, .stats.fd = -1 };
	if ((!most && !always) || !is_attached(s))
		return;
	int err = runstats_open(&g->stats);
	if (!err)
		begin(g, clock_ns());
	if (!g->on)
		note(1, "nobody measures what the probes cost: the kernel (5.8) and CAP_SYS_ADMIN are needed");
}

/* The unit that took most of the time, since each was loaded. */
static const struct script_unit *costliest(const struct run_script *s)
{
	const struct script_unit *worst = &s->units.at[0];
	uint64_t most = 0;
	vec_each(&s->units, u) {
		struct runcost c = { 0 };
		runstats_add(u->fd, &c);
		if (c.ns > most) {
			most = c.ns;
			worst = u;
		}
	}
	return worst;
}

/* As the script has it. */
static const char *name_of(const struct guard *g, const struct script_unit *u)
{
	const struct stap *st = g->s->stap;
	for (size_t i = 0; st && i < st->blocks.n; i++)
		if (st->blocks.at[i]->probe == u->probe)
			return st->blocks.at[i]->word_of_script;
	return st ? u->probe->attach->text : g->s->points.at[u->points.at[0]].name;
}

/* What a script of SystemTap's counts by itself cannot be multiplied. */
static const char *fewer(const struct guard *g)
{
	return g->s->stap ? "" : "--sample 10 lets one of ten hits through; ";
}

static int too_much(const struct guard *g, unsigned percent)
{
	const struct script_unit *u = costliest(g->s);
	error_set(EBUSY, "probe overhead exceeded threshold: the probes take %u %% of a CPU, most of it %s", percent, g->s->stap ? name_of(g, u) : u->probe->attach->text);
	return error_hint("%s--max-overhead %u allows more (now %u), --suppress-time-limits anything", fewer(g), (percent / 100 + 1) * 100, g->most);
}

static int judge(struct guard *g, uint64_t now)
{
	struct runcost c = cost_of_all(g->s);
	unsigned percent = (unsigned)((c.ns - g->before.ns) * 100 / (now - g->since));
	g->over = g->most && percent > g->most ? g->over + 1 : 0;
	if (g->over > 1)
		return too_much(g, percent);
	if (percent > GUARD_WARN && g->most && !g->warned) {
		g->warned = true;
		warn("the probes take %u %% of a CPU, most of it %s", percent, g->s->stap ? name_of(g, costliest(g->s)) : costliest(g->s)->probe->attach->text);
		hint("%sabove %u %% the script ends (--max-overhead)", fewer(g), g->most);
	}
	return 0;
}

int guard_tick(struct guard *g)
{
	uint64_t now = clock_ns();
	if (g->stats.fd < 0)
		return 0;
	if (!g->on) {
		if (now >= g->next)
			begin(g, now);
		return 0;
	}
	if (now - g->since < MEASURE_NS)
		return 0;
	int err = judge(g, now);
	if (err || g->always || g->over) { /* once more at once: a moment is no reason to end */
		g->since = now;
		g->before = cost_of_all(g->s);
		return err;
	}
	g->on = false;
	g->next = g->since + EVERY_NS;
	runstats_keep(&g->stats, false);
	return 0;
}

int guard_sleep(const struct guard *g, int ms)
{
	if (g->stats.fd < 0)
		return ms;
	uint64_t now = clock_ns(), then = g->on ? g->since + MEASURE_NS : g->next;
	int most = then > now ? (int)((then - now) / 1000000) + 1 : 0;
	return ms < 0 || ms > most ? most : ms;
}

/* Returns that were left out are told by newer kernels alone (6.7). */
static bool is_unknown(const struct script_unit *u)
{
	bool told = false;
	if (u->provider != &provider_kretprobe)
		return false;
	vec_each(&u->links, fd)
		told |= links_tells_missed(*fd);
	return !told;
}

static void tell(const struct guard *g, const struct script_unit *u)
{
	struct runcost c = { 0 };
	char missed[32];
	runstats_add(u->fd, &c);
	vec_each(&u->links, fd)
		c.missed += links_missed(*fd);
	snprintf(missed, sizeof(missed), is_unknown(u) ? "%llu+?" : "%llu", (unsigned long long)c.missed);
	note(1, "%12llu %10s %10llu %12.3f  %s%s", (unsigned long long)c.runs, missed, (unsigned long long)(c.runs ? c.ns / c.runs : 0),
	     (double)c.ns / 1e6, name_of(g, u), u->points.n > 1 ? " and others" : u->provider == &provider_syscalls ? " (every system call runs it)" : "");
}

void guard_tell(const struct guard *g)
{
	if (!g->always || g->stats.fd < 0)
		return;
	note(1, "%12s %10s %10s %12s  %s", "hits", "missed", "ns a hit", "ms in all", "probe");
	vec_each(&g->s->units, u)
		tell(g, u);
}

void guard_close(struct guard *g)
{
	if (g->s)
		runstats_close(&g->stats);
}
