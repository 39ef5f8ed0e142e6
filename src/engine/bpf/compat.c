// SPDX-License-Identifier: GPL-2.0-or-later
/* One chosen call that is rare is seen by its own tracepoints, which 32-bit calls do not pass. The programs that take
 * those would slow every call of everybody, so they are attached when the first traced program is found that needs
 * them. The kernel's half wakes us for that, and the program waits there on a CPU that nobody else gets: so two threads
 * stand by, on two CPUs, beside the reader, which may be busy or stuck with its output. As attaching may take long (other
 * tracers come and go), the program is stopped for it by way of ptrace, which its parent does not notice. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "engine/bpf/inner.h"
#include "kernel/rights/caps.h"

static void attach(struct bpf_compat *n)
{
	n->err = bpf_programs_compat(n->programs);
	if (!n->err)
		__atomic_store_n(&n->programs->compat->on, 1, __ATOMIC_RELEASE);
}

/* How often this thread has given up its CPU. */
static long times_slept(void)
{
	struct rusage u;
	getrusage(RUSAGE_THREAD, &u);
	return u.ru_nvcsw;
}

static bool stop(int pid)
{
	return pid && !ptrace(PTRACE_SEIZE, pid, 0, 0) && !ptrace(PTRACE_INTERRUPT, pid, 0, 0);
}

/* Its end is ours to take before its parent sees it, if that is another. */
static bool has_ended(int pid, int child)
{
	siginfo_t i = { 0 };
	if (waitid(P_PID, pid, &i, WEXITED | WNOHANG | WNOWAIT | __WALL))
		return true;
	if (i.si_pid != pid || (i.si_code != CLD_EXITED && i.si_code != CLD_KILLED && i.si_code != CLD_DUMPED))
		return false;
	if (pid != child)
		waitid(P_PID, pid, &i, WEXITED | WNOHANG | __WALL);
	return true;
}

/* It stops on its way out of the kernel, and can be left only then. */
static void let_go(int pid, int child)
{
	while (ptrace(PTRACE_DETACH, pid, 0, 0) && !has_ended(pid, child))
		nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
}

static void attach_in_time(struct bpf_compat *n)
{
	struct compat_calls *c = n->programs->compat;
	long slept = times_slept();
	int pid = c->waits;
	bool stopped = stop(pid);
	if (stopped)
		__atomic_store_n(&c->stopped, pid, __ATOMIC_RELEASE);
	attach(n);
	if (stopped)
		let_go(pid, n->child);
	else if (c->alone && times_slept() != slept)
		c->late = pid;
}

static void *wait_for_bell(void *ctx)
{
	struct bpf_compat *n = ctx;
	struct pollfd fds[2] = { { .fd = n->programs->bell, .events = POLLIN }, { .fd = n->end, .events = POLLIN } };
	caps_drop_all_but(CAP_BIT(CAP_BPF) | CAP_BIT(CAP_SYS_PTRACE));
	while (poll(fds, 2, -1) < 0)
		;
	if (!fds[1].revents && !__atomic_exchange_n(&n->taken, true, __ATOMIC_RELAXED))
		attach_in_time(n);
	return NULL;
}

/* Real-time, so that it runs as soon as it is woken; else as we are. */
static bool start_thread(struct bpf_compat *n, int cpu)
{
	struct sched_param first = { .sched_priority = 2 }; /* the reader has 1 */
	cpu_set_t one;
	pthread_attr_t prompt;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pthread_attr_init(&prompt);
	pthread_attr_setaffinity_np(&prompt, sizeof(one), &one);
	pthread_attr_setinheritsched(&prompt, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&prompt, SCHED_RR);
	pthread_attr_setschedparam(&prompt, &first);
	int err = pthread_create(&n->thread[n->n_threads], &prompt, wait_for_bell, n);
	if (err) {
		pthread_attr_setinheritsched(&prompt, PTHREAD_INHERIT_SCHED);
		n->programs->compat->alone = 0;
		err = pthread_create(&n->thread[n->n_threads], &prompt, wait_for_bell, n);
	}
	pthread_attr_destroy(&prompt);
	n->n_threads += !err;
	return !err;
}

static bool start_threads(struct bpf_compat *n)
{
	cpu_set_t allowed;
	sigset_t all, before;
	bool ok = n->end >= 0 && !sched_getaffinity(0, sizeof(allowed), &allowed);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (int i = 0; ok && i < CPU_SETSIZE && n->n_threads < COMPAT_THREADS; i++)
		ok = !CPU_ISSET(i, &allowed) || start_thread(n, i);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return n->n_threads > 0;
}

static bool wants_compat(const struct sysset *calls)
{
	uint64_t any = 0;
	for (int i = 0; i < 16; i++)
		any |= calls->compat[i];
	return any;
}

int bpf_compat_watch(struct engine *g, const struct engine_options *o, const char *call)
{
	struct bpf_compat *n = &g->compat;
	if (!wants_compat(o->calls)) {
		g->programs.compat->on = 1; /* nobody is to wait */
		return 0;
	}
	n->programs = &g->programs;
	n->call = call;
	n->child = o->workload ? o->workload->pid : 0;
	if (bpf_follow_has_compat(g, o)) {
		attach(n);
		return n->err ? error_sys(n->err, "cannot attach for 32-bit calls") : 0;
	}
	n->programs->compat->alone = sysconf(_SC_NPROCESSORS_ONLN) == 1;
	n->end = eventfd(0, EFD_CLOEXEC);
	if (!start_threads(n)) {
		n->programs->compat->on = 1;
		warn("cannot start a thread: the calls of 32-bit programs may be missing (-e %s,%s@32 sees all)", call, call);
	}
	return 0;
}

void bpf_compat_tell(struct bpf_compat *n)
{
	const struct compat_calls *c = n->programs ? n->programs->compat : NULL;
	if (!c || n->told || (!c->late && !c->odd && !n->err))
		return;
	n->told = true;
	if (n->err)
		warn("the calls of 32-bit programs are missing: cannot attach for them (%s)", strerror(-n->err));
	else if (c->late)
		warn("process %u started a 32-bit program: its first calls may be missing (-e %s,%s@32 sees all)", c->late, n->call, n->call);
	else
		warn("process %u is a 64-bit program that makes 32-bit calls (int 0x80): those before now may be missing "
		     "(-e %s,%s@32 sees all)", c->odd, n->call, n->call);
}

void bpf_compat_end(struct bpf_compat *n)
{
	if (n->n_threads) {
		eventfd_write(n->end, 1);
		while (n->n_threads)
			pthread_join(n->thread[--n->n_threads], NULL);
		close(n->end);
	}
}
