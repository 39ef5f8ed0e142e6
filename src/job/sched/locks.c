// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/sched/locks.h"
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "job/life.h"
#include "kernel/rights/caps.h"
#include "kernel/task/process.h"

struct locks_work {
	struct locks_job *j;
	struct life life;
	struct lockwait *w;
	struct u64map callers; /* caller and type to its row's number and 1 */
};

static void add_to(struct lock_row *r, const struct lockwait_sum *s)
{
	r->count += s->count;
	r->total += s->total;
	r->max = s->max > r->max ? s->max : r->max;
	r->min = s->min < r->min ? s->min : r->min;
}

/* The row that it belongs to: different stacks have the same caller. */
static struct lock_row *row_of(struct locks_work *w, const struct lockwait_place *p, const uint64_t *stack, size_t n, bool *is_new)
{
	struct lock_table *t = &w->j->table;
	uint64_t ip = t->by == LOCKWAIT_BY_CALLER ? lock_caller(t->syms, stack, n) : 0, key = ip * 64 + (p->flags & 63);
	size_t at = t->by == LOCKWAIT_BY_CALLER ? (uintptr_t)u64map_get(&w->callers, key) : 0;
	*is_new = !at;
	if (at)
		return &t->rows.at[at - 1];
	struct lock_row *r = vec_push(&t->rows);
	*r = (struct lock_row){ .id = p->id, .flags = p->flags, .min = UINT64_MAX, .ip = ip, .n_stack = n };
	memcpy(r->stack, stack, n * sizeof(*stack));
	if (t->by == LOCKWAIT_BY_CALLER)
		u64map_set(&w->callers, key, (void *)(uintptr_t)t->rows.n);
	return r;
}

static void take(void *ctx, const struct lockwait_place *p, const struct lockwait_sum *s, const uint64_t *stack, size_t n)
{
	struct locks_work *w = ctx;
	bool is_new;
	if (!s->count)
		return;
	struct lock_row *r = row_of(w, p, stack, n, &is_new);
	add_to(r, s);
	if (w->j->table.by == LOCKWAIT_BY_THREAD)
		memcpy(r->name, s->name, sizeof(s->name));
	else if (w->j->table.by == LOCKWAIT_BY_OWNER && p->id)
		process_comm((int)p->id, r->name);
}

static void say_loss(const struct lockwait_loss *l)
{
	if (l->waits) {
		warn("%llu waits are not in the table: there were too many different ones", (unsigned long long)l->waits);
		hint("fewer threads: -p PID, --tid TID; -Y for one type of lock");
	}
	if (l->stacks)
		warn("%llu waits have no caller: there were too many different stacks", (unsigned long long)l->stacks);
	if (l->left_out)
		warn("%llu times a wait began or ended while another did on that CPU, and was not seen", (unsigned long long)l->left_out);
}

/* Those of -p have all ended. */
static bool all_gone(const struct target *t)
{
	vec_each(&t->threads, th)
		if (!kill(th->tid, 0) || errno != ESRCH)
			return false;
	return t->threads.n && !t->workload;
}

static int measure(struct locks_work *w)
{
	struct lockwait_options how = { .target = &w->j->target, .inherit = !w->j->no_inherit, .at_exec = w->j->target.workload,
					.by = w->j->table.by, .types = w->j->types, .only_lock = w->j->only_lock };
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	w->w = lockwait_open(&how);
	if (!w->w)
		return error_code();
	life_give_up_rights(&w->life, CAP_BIT(CAP_BPF) | CAP_BIT(CAP_PERFMON) | CAP_BIT(CAP_SYSLOG) | CAP_BIT(CAP_DAC_READ_SEARCH));
	lockwait_turn(w->w, true);
	int err = life_start(&w->life);
	while (!err && !life_over(&w->life) && !life_ended(&w->life)) {
		(void)poll(&p, 1, life_sleep(&w->life, 500));
		signals_drain();
		if (all_gone(&w->j->target) || out_unread(w->j->table.out))
			life_enough(&w->life);
	}
	int end = lockwait_finish(w->w, take, w);
	struct lockwait_loss lost = lockwait_lost(w->w);
	life_finish(&w->life);
	if (!w->j->quiet)
		say_loss(&lost);
	return err ? err : end;
}

static int work(struct locks_work *w, char **command)
{
	struct workload_options how = { 0 };
	int err = life_fork(&w->life, command, &how);
	if (!err)
		err = target_resolve(&w->j->target, target_given(&w->j->target) ? 0 : w->life.command.pid);
	return err ? err : measure(w);
}

int locks_run(struct locks_job *j, char **command)
{
	struct symbols_options so = { .live = true, .vmlinux = j->vmlinux, .kallsyms = j->kallsyms };
	struct locks_work w = { .j = j };
	struct out out;
	int err = out_open(&out, j->output, false);
	if (err)
		return error_print();
	j->table.out = &out;
	j->table.syms = symbols_new(&so);
	err = work(&w, command);
	int code = err ? error_print() : life_code(&w.life);
	if (!err)
		lock_table_print(&j->table);
	if (out_close(&out))
		code = error_print();
	lockwait_close(w.w);
	life_release(&w.life);
	symbols_free(j->table.syms);
	u64map_release(&w.callers);
	return code;
}
