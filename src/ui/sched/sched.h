/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the scheduler's doings look. Names that come from outside are escaped. */
#ifndef UI_SCHED_SCHED_H
#define UI_SCHED_SCHED_H
#include "analysis/sched/latency.h"
#include "analysis/sched/timehist.h"
#include "base/out.h"
#include "base/words.h"

/* The table of perf sched latency, and what may be wrong with it. */
void sched_latency_print(struct out *o, const struct latency *l);
/* A sentence on what lost events mean; nothing when none were. */
void sched_gaps_print(struct out *o, const struct sched_tasks *t);

struct symbols;
struct timehist_view {
	struct out *out;
	struct timehist *h;
	bool wakeups, migrations, next, visual, state, prio, lines, summary; /* lines: each single run */
	bool chains; /* the events have them, and they are wanted */
	int max_stack;
	struct symbols *syms;
	int width; /* of names, grows */
	struct str text;
};
void timehist_print_head(struct timehist_view *v);
void timehist_print_line(struct timehist_view *v, const struct timehist_line *l, const struct sched_event *e);
void timehist_print_summary(struct timehist_view *v);
/* chains.c: " <- " between the functions of a sample's call chain, without those that only switch. */
void timehist_print_chain(struct timehist_view *v, const struct sched_event *e);
/* With -I: the chain with which a CPU became idle, and how long it stayed so. */
void timehist_keep_chain(struct timehist_view *v, struct timehist_task *idle, const struct sched_event *e);
void timehist_add_idle(struct timehist_view *v, struct timehist_task *idle, uint64_t ns);
void timehist_print_idle_chains(struct timehist_view *v);
void timehist_free_chains(struct timehist_view *v);

struct sched_map {
	struct out *out;
	bool compact, fuzzy;
	intlist cpus, color_cpus, color_pids;
	wordlist names;
	int n_cpus;
	struct sched_tasks tasks;
	/* map.c's own */
	VEC(struct map_cpu) cpu;
	VEC(int) order; /* of a compact one */
	int next; /* the next short name */
	uint64_t bugs, timestamps;
};
void sched_map_feed(struct sched_map *m, const struct sched_event *e);
void sched_map_release(struct sched_map *m);
#endif
