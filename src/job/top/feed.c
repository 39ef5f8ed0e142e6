// SPDX-License-Identifier: GPL-2.0-or-later
/* The thread that reads what the recorder writes, and what is made of it at a refresh. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/error.h"
#include "job/top/inner.h"
#include "kernel/clock.h"

static bool wanted(struct top *t, const struct perfdata_record *r)
{
	if (r->header->type != PERF_RECORD_SAMPLE)
		return true;
	bool kernel = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	t->samples++;
	*(kernel ? &t->kernel : &t->user) += 1;
	return !(kernel ? t->o->hide_kernel : t->o->hide_user);
}

static void feed(struct top *t, const struct perfdata_record *r)
{
	pthread_mutex_lock(&t->lock);
	if (wanted(t, r)) {
		if (r->header->type == PERF_RECORD_SAMPLE && r->event && r->event_index >= 0) {
			profile_hist(t->pr, r->event_index)->live = true;
			top_samples_add(t, r);
		}
		profile_feed(t->pr, r);
	}
	pthread_mutex_unlock(&t->lock);
}

static void *read_all(void *top)
{
	struct top *t = top;
	struct perfdata_record r;
	uint64_t one = 1;
	int err;
	setpriority(PRIO_PROCESS, gettid(), -20); /* where it may: what it is late for is lost */
	while ((err = perfdata_next(t->data, &r)) > 0 && !__atomic_load_n(&t->over, __ATOMIC_RELAXED))
		feed(t, &r);
	t->err = err;
	t->why = err < 0 && error_pending() ? xstrdup(error_message()) : NULL;
	__atomic_store_n(&t->over, true, __ATOMIC_RELEASE);
	if (write(t->over_fd, &one, sizeof(one)) < 0) { /* it is readable already */
	}
	return NULL;
}

int top_feed_start(struct top *t)
{
	sigset_t all, before;
	t->over_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&t->lock, NULL);
	t->since = clock_ns();
	t->cost = top_cost(t);
	sigfillset(&all); /* signals are for the thread that shows */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = pthread_create(&t->thread, NULL, read_all, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	t->reading = !err;
	return err ? error_sys(err, "cannot start the thread that reads") : 0;
}

/* The recorder has been told to end, or has: what it still wrote is read, and not looked at. */
void top_feed_end(struct top *t)
{
	__atomic_store_n(&t->over, true, __ATOMIC_RELAXED);
	if (t->reading)
		pthread_join(t->thread, NULL);
	t->reading = false;
	if (t->over_fd >= 0)
		close(t->over_fd);
	free(t->why);
}

static void measure(struct top *t)
{
	uint64_t now = clock_ns(), cost = top_cost(t), span = now - t->since;
	if (span < 1000000)
		return;
	t->rate = t->samples * 1e9 / span;
	t->share = cost >= t->cost ? (double)(cost - t->cost) / span : 0;
	t->kernel_share = t->samples ? (double)t->kernel / t->samples : 0;
	t->since = now;
	t->cost = cost;
	t->samples = t->kernel = t->user = 0;
}

/* Days of samples are not to fill the memory. */
static void bound_memory(struct top *t)
{
	if (!profile_is_large(t->pr))
		return;
	profile_forget(t->pr);
	t->browse.epoch++;
}

void top_refresh(struct top *t)
{
	measure(t);
	if (t->browse.frozen)
		return;
	vec_each(&t->pr->hist, h) {
		if (!*h)
			continue;
		hist_forget_lines(*h);
		(*h)->live = true;
		hist_settle(*h, t->browse.zeroing ? 0 : TOP_FADE_NUM, TOP_FADE_DEN);
	}
	bound_memory(t);
	profile_finish(t->pr, t->o->page.group, t->o->page.symbol_filter);
	for (size_t i = 0; t->o->page.hierarchy && i < perfdata_n_events(t->data); i++)
		hist_hierarchy(profile_hist(t->pr, i));
	t->browse.generation++;
}
