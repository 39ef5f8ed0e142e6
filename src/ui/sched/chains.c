// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include "session/callchain.h"
#include "ui/sched/sched.h"

/* What is kept of a CPU's idle task: the chain with which it became idle last, and the times by chain. */
struct idle_sum { uint64_t ns, n; };
struct idle_chains { struct str latest; struct strmap sums; };

/* They stand in every chain of a switch. */
static bool only_switches(const char *name)
{
	return !strcmp(name, "schedule") || !strcmp(name, "__schedule") || !strcmp(name, "preempt_schedule");
}

static void add_chain(struct timehist_view *v, const struct sched_event *e, struct str *s)
{
	struct chain_ip ips[CALLCHAIN_MAX];
	struct frame f;
	bool truncated, first = true;
	if (!e->record || !v->syms)
		return;
	int n = callchain_ips(v->syms, e->record, (struct chain_limit){ v->max_stack + 2, false }, ips, &truncated);
	for (int i = 0; i < n && i < v->max_stack + 2; i++) {
		symbols_resolve(v->syms, e->record->pid, ips[i].ip, ips[i].mode, &f);
		if (f.sym && only_switches(f.sym))
			continue;
		str_add(s, first ? "" : " <- ");
		if (f.sym)
			str_add_safez(s, f.sym);
		else
			str_add(s, "[unknown]");
		first = false;
	}
}

void timehist_print_chain(struct timehist_view *v, const struct sched_event *e)
{
	size_t from = v->text.len;
	add_chain(v, e, &v->text);
	if (v->text.len == from)
		return;
	str_addc(&v->text, ' ');
	memmove(v->text.buf + from + 1, v->text.buf + from, v->text.len - from - 1);
	v->text.buf[from] = ' ';
}

void timehist_keep_chain(struct timehist_view *v, struct timehist_task *idle, const struct sched_event *e)
{
	if (!idle->chains) {
		idle->chains = xcalloc(1, sizeof(struct idle_chains));
		str_init(&((struct idle_chains *)idle->chains)->latest);
	}
	struct idle_chains *c = idle->chains;
	str_clear(&c->latest);
	add_chain(v, e, &c->latest);
}

void timehist_add_idle(struct timehist_view *v, struct timehist_task *idle, uint64_t ns)
{
	struct idle_chains *c = idle->chains;
	(void)v;
	if (!c || !c->latest.len)
		return;
	struct idle_sum *sum = strmap_get(&c->sums, c->latest.buf);
	if (!sum) {
		sum = xcalloc(1, sizeof(*sum));
		strmap_set(&c->sums, c->latest.buf, sum);
	}
	sum->ns += ns;
	sum->n++;
}

struct idle_row { const char *chain; const struct idle_sum *sum; };
static int longest_first(const void *a, const void *b)
{
	const struct idle_row *x = a, *y = b;
	return x->sum->ns < y->sum->ns ? 1 : x->sum->ns > y->sum->ns ? -1 : strcmp(x->chain, y->chain);
}

static void print_cpu(struct timehist_view *v, size_t cpu, const struct timehist_task *t)
{
	struct idle_chains *c = t->chains;
	VEC(struct idle_row) rows = { 0 };
	struct idle_row r;
	size_t cursor = 0;
	void *sum;
	while (c && strmap_next(&c->sums, &cursor, &r.chain, &sum)) {
		r.sum = sum;
		*vec_push(&rows) = r;
	}
	if (rows.n)
		qsort(rows.at, rows.n, sizeof(rows.at[0]), longest_first);
	str_addf(&v->text, "  CPU %2zu:%6" PRIu64 ".%03" PRIu64 "  msec\n", cpu, t->sum.run / 1000000, t->sum.run / 1000 % 1000);
	str_addf(&v->text, "  %16s  %8s  %s\n  ", "Idle time (msec)", "Count", "Callchains");
	str_add(&v->text, "----------------  --------  --------------------------------------------------\n");
	vec_each(&rows, row) {
		str_addf(&v->text, "  %12" PRIu64 ".%03" PRIu64 "  %8" PRIu64 "  ", row->sum->ns / 1000000, row->sum->ns / 1000 % 1000, row->sum->n);
		str_add(&v->text, row->chain);
		str_addc(&v->text, '\n');
	}
	str_addc(&v->text, '\n');
	vec_release(&rows);
}

void timehist_print_idle_chains(struct timehist_view *v)
{
	str_add(&v->text, "\nIdle stats by callchain:\n");
	for (size_t i = 0; i < v->h->idles.n; i++)
		if (v->h->idles.at[i])
			print_cpu(v, i, v->h->idles.at[i]);
}

void timehist_free_chains(struct timehist_view *v)
{
	vec_each(&v->h->idles, t) {
		struct idle_chains *c = *t ? (*t)->chains : NULL;
		size_t cursor = 0;
		void *sum;
		if (!c)
			continue;
		while (strmap_next(&c->sums, &cursor, NULL, &sum))
			free(sum);
		strmap_release(&c->sums);
		str_release(&c->latest);
		free(c);
		(*t)->chains = NULL;
	}
}
