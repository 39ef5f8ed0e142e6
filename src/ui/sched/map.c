// SPDX-License-Identifier: GPL-2.0-or-later
/* Who runs on which CPU, a line for each switch: two letters stand for a task. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "ui/sched/sched.h"

struct map_cpu { bool active; int running, left; }; /* task numbers; -1: nobody yet */
struct map_task { char name[3]; bool renamed; };

static struct map_task *short_of(struct sched_map *m, int tid)
{
	struct sched_task *t = sched_task(&m->tasks, tid);
	if (!t->priv)
		t->priv = xcalloc(1, sizeof(struct map_task));
	return t->priv;
}

static bool chosen(const struct sched_map *m, const char *name)
{
	bool any = !m->names.n;
	vec_each(&m->names, w)
		any |= m->fuzzy ? strstr(name, *w) != NULL : !strcmp(name, *w);
	return any;
}

/* A0 to Z9, then from the start. True: it has just been given. */
static bool name_it(struct sched_map *m, struct map_task *s, const struct sched_task *t)
{
	if (s->name[0])
		return false;
	if (!t->tid) {
		memcpy(s->name, ". ", 3);
	} else if (chosen(m, t->name)) {
		s->name[0] = (char)('A' + m->next % 26);
		s->name[1] = (char)('0' + m->next / 26 % 10);
		m->next++;
	} else {
		memcpy(s->name, "- ", 3);
	}
	return true;
}

static struct map_cpu *cpu_of(struct sched_map *m, int cpu)
{
	while (m->cpu.n <= (size_t)cpu)
		*vec_push(&m->cpu) = (struct map_cpu){ .running = -1, .left = -1 };
	return &m->cpu.at[cpu];
}

static void coloured(struct sched_map *m, bool on, enum out_colour c, const char *text)
{
	if (on)
		out_puts(m->out, out_colour(m->out, c));
	out_puts(m->out, text);
	if (on)
		out_puts(m->out, out_colour(m->out, OUT_PLAIN));
}

static void print_cpus(struct sched_map *m, int here, bool out)
{
	size_t n = m->compact ? m->order.n : (size_t)m->n_cpus;
	out_puts(m->out, "  ");
	for (size_t i = 0; i < n; i++) {
		int cpu = m->compact ? m->order.at[i] : (int)i;
		const struct map_cpu *c = cpu_of(m, cpu);
		int of = out ? c->left : c->running;
		char cell[8] = "   ";
		coloured(m, cpu == here && intlist_has(&m->color_cpus, cpu), OUT_RED, cpu == here ? "*" : " ");
		if (of >= 0 && out && cpu == here)
			memcpy(cell, "-  ", 4);
		else if (of >= 0)
			snprintf(cell, sizeof(cell), "%2s ", short_of(m, c->running)->name);
		coloured(m, of >= 0 && intlist_has(&m->color_pids, of), OUT_BLUE, cell);
	}
}

static void print_time(struct sched_map *m, uint64_t time)
{
	out_printf(m->out, "  %5" PRIu64 ".%06" PRIu64 " secs ", time / 1000000000, time / 1000 % 1000000);
}

static void print_legend(struct sched_map *m, const struct map_task *s, const struct sched_task *t)
{
	struct str text = STR_INIT;
	str_addf(&text, "%s => ", s->name);
	str_add_safez(&text, t->name);
	str_addf(&text, ":%d", t->tid);
	coloured(m, intlist_has(&m->color_pids, t->tid), OUT_BLUE, text.buf);
	str_release(&text);
}

static void on_switch(struct sched_map *m, const struct sched_event *e)
{
	struct map_cpu *c = cpu_of(m, e->cpu);
	const struct sched_task *in = sched_task(&m->tasks, e->next), *out = sched_task(&m->tasks, e->task);
	bool new_cpu = !c->active;
	m->bugs += c->running >= 0 && c->running != e->task;
	c->active = true;
	c->running = e->next;
	c->left = e->task;
	if (new_cpu)
		*vec_push(&m->order) = e->cpu;
	if (e->cpu >= m->n_cpus)
		m->n_cpus = e->cpu + 1;
	struct map_task *s = short_of(m, e->next);
	bool new_name = name_it(m, s, in), comes = chosen(m, in->name), leaves = chosen(m, out->name);
	if ((m->cpus.n && !intlist_has(&m->cpus, e->cpu)) || (!comes && !leaves))
		return;
	if (comes) {
		print_cpus(m, e->cpu, false);
		print_time(m, e->time);
		if (new_name || s->renamed || (verbosity > 0 && in->tid))
			print_legend(m, s, in);
		s->renamed = false;
		if (m->compact && new_cpu)
			out_printf(m->out, " (CPU %d)", e->cpu);
		out_puts(m->out, "\n");
	}
	if (leaves && m->names.n && short_of(m, e->task)->name[0]) {
		print_cpus(m, e->cpu, true);
		print_time(m, e->time);
		out_puts(m->out, "\n");
	}
}

void sched_map_feed(struct sched_map *m, const struct sched_event *e)
{
	sched_tasks_feed(&m->tasks, e);
	if (e->kind == SCHED_SWITCH && e->cpu >= 0 && e->cpu < SCHED_CPUS_MAX)
		on_switch(m, e);
	else if (e->kind == SCHED_NAME && e->task)
		short_of(m, e->task)->renamed = true;
	else if (e->kind == SCHED_LOST)
		out_printf(m->out, "  -- %" PRIu64 " events of CPU %d were lost here\n", e->amount, e->cpu);
	m->timestamps += e->kind == SCHED_WAKING || e->kind == SCHED_WAKEUP;
}

void sched_map_release(struct sched_map *m)
{
	sched_tasks_release(&m->tasks);
	wordlist_release(&m->names);
	vec_release(&m->cpus);
	vec_release(&m->color_cpus);
	vec_release(&m->color_pids);
	vec_release(&m->cpu);
	vec_release(&m->order);
}
