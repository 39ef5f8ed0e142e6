// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting: poll, select, epoll, timers, signals, futexes, threads. Traced by interop/strace-*. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nothing(int sig) { (void)sig; }

static void waiting(void)
{
	int p[2];
	char c;
	pipe(p);
	struct pollfd f[3] = { { p[0], POLLIN | POLLPRI, 0 }, { p[1], POLLOUT, 0 }, { -1, POLLIN, 0 } };
	poll(f, 3, 100);
	poll(f, 1, 1);
	poll(NULL, 0, 0);
	struct timespec ts = { 0, 1000 };
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN + 2);
	ppoll(f, 2, &ts, &set);
	ppoll(f, 1, &ts, NULL);
	write(p[1], "x", 1);
	fd_set in, out;
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(p[0], &in);
	FD_SET(p[1], &out);
	struct timeval tv = { 1, 0 };
	select(p[1] + 1, &in, &out, NULL, &tv);
	read(p[0], &c, 1);
	FD_ZERO(&in);
	FD_SET(p[0], &in);
	tv = (struct timeval){ 0, 1000 };
	syscall(SYS_select, p[1] + 1, &in, NULL, NULL, &tv);
	pselect(p[1] + 1, &in, &out, NULL, &ts, &set);
	int e = epoll_create1(EPOLL_CLOEXEC), ev = eventfd(3, EFD_NONBLOCK | EFD_SEMAPHORE);
	syscall(SYS_epoll_create, 5);
	struct epoll_event x = { EPOLLIN | EPOLLET | EPOLLONESHOT, { .u64 = 0x1122334455667788 } }, got[4];
	epoll_ctl(e, EPOLL_CTL_ADD, ev, &x);
	x.events = EPOLLOUT;
	epoll_ctl(e, EPOLL_CTL_ADD, p[1], &x);
	epoll_wait(e, got, 4, 100);
	epoll_pwait(e, got, 1, 0, &set);
	epoll_ctl(e, EPOLL_CTL_MOD, ev, &x);
	epoll_ctl(e, EPOLL_CTL_DEL, ev, NULL);
	epoll_wait(e, (void *)8, 0, 0);
	uint64_t v = 1;
	write(ev, &v, 8);
	read(ev, &v, 8);
	int tf = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	struct itimerspec it = { { 0, 0 }, { 5, 6 } }, old;
	timerfd_settime(tf, 0, &it, &old);
	timerfd_gettime(tf, &old);
	signalfd(-1, &set, SFD_CLOEXEC);
}

static void signals(void)
{
	struct sigaction a = { .sa_handler = nothing, .sa_flags = SA_RESTART | SA_NODEFER }, old;
	sigaddset(&a.sa_mask, SIGTERM);
	sigaction(SIGUSR1, &a, &old);
	a.sa_handler = SIG_IGN;
	sigaction(SIGUSR2, &a, NULL);
	sigaction(SIGUSR1, NULL, &old);
	raise(SIGUSR1);
	kill(getpid(), SIGUSR1);
	kill(getpid(), 0);
	kill(999999, SIGTERM);
	sigset_t s, o;
	sigfillset(&s);
	sigprocmask(SIG_BLOCK, &s, &o);
	sigqueue(getpid(), SIGRTMIN + 1, (union sigval){ .sival_int = 42 });
	sigpending(&o);
	siginfo_t si;
	struct timespec ts = { 1, 0 };
	sigtimedwait(&s, &si, &ts);
	ts.tv_sec = 0;
	sigtimedwait(&s, &si, &ts);
	sigprocmask(SIG_SETMASK, &(sigset_t){ 0 }, NULL);
	char stack[SIGSTKSZ];
	stack_t st = { .ss_sp = stack, .ss_size = sizeof(stack) };
	sigaltstack(&st, NULL);
	sigaltstack(NULL, &st);
	struct itimerval iv = { { 0, 20000 }, { 0, 20000 } }; /* again and again: on a busy machine one may come too early */
	a.sa_handler = nothing;
	a.sa_flags = 0;
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &iv, NULL);
	pause();
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	getitimer(ITIMER_REAL, &iv);
	alarm(0);
	iv = (struct itimerval){ { 0, 0 }, { 0, 20000 } };
	setitimer(ITIMER_REAL, &iv, NULL);
	nanosleep(&(struct timespec){ 1, 0 }, &ts);
	timer_t t;
	struct sigevent se = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7 };
	timer_create(CLOCK_MONOTONIC, &se, &t);
	struct itimerspec is = { { 0, 0 }, { 100, 0 } };
	timer_settime(t, TIMER_ABSTIME, &is, NULL);
	timer_gettime(t, &is);
	timer_getoverrun(t);
	timer_delete(t);
}

static void *thread(void *arg)
{
	(void)arg;
	struct timespec ts = { 0, 1000000 };
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	return NULL;
}

static void times(void)
{
	struct timespec ts;
	struct timeval tv;
	struct timezone tz;
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts);
	syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &ts);
	syscall(SYS_clock_gettime, 77, &ts);
	syscall(SYS_clock_getres, CLOCK_MONOTONIC_RAW, &ts);
	syscall(SYS_gettimeofday, &tv, &tz);
	syscall(SYS_time, NULL);
	clockid_t id;
	clock_getcpuclockid(getpid(), &id);
	syscall(SYS_clock_gettime, id, &ts);
	uint32_t word = 1;
	struct timespec soon = { 0, 1000 };
	syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2, NULL);
	syscall(SYS_futex, &word, FUTEX_WAIT, 1, &soon);
	syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1);
	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &soon, NULL, -1);
	syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 5);
	syscall(SYS_futex, &word, FUTEX_REQUEUE, 1, 2, &word);
	syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, 2, &word, 3);
	syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &word, FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_GT, 0));
	syscall(SYS_futex, &word, 99, 1);
}

int main(void)
{
	waiting();
	signals();
	times();
	pthread_t t;
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
