// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/collect.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/vec.h"

enum { PIPE = 1 << 20, PAGE_MAX = 1 << 20, WAIT_MS = 200, IDLE_US = 10000, STATS_MAX = 1 << 16 };

struct spool {
	struct spools *c;
	struct collected at;
	int raw, stats, pipe[2];
	size_t page;
	pthread_t thread;
	bool running;
	atomic_int tid;
	int err; /* of the thread: -errno */
	const char *what; /* it was doing */
};
struct spools {
	const struct ftrace_instance *i;
	struct collect_options o;
	VEC(struct spool *) spool;
	int stop; /* an eventfd: readable at the end */
	atomic_bool ended;
	VEC(struct collected) out;
};

/* ---- one CPU ---- */

static int fail(struct spool *s, int err, const char *what)
{
	if (!s->err) {
		s->err = -err;
		s->what = what;
	}
	return -err;
}

/* Of a recording that keeps the latest alone, what was before them. */
static void forget_old(struct spool *s)
{
	uint64_t keep = s->c->o.keep / s->page * s->page, from = s->at.size > keep ? s->at.size - keep : 0;
	if (!s->c->o.keep || from < s->at.from + keep / 4)
		return;
	s->at.from = from;
	(void)fallocate(s->at.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)from);
}

static int empty_pipe(struct spool *s, size_t n)
{
	while (n) {
		ssize_t r = splice(s->pipe[0], NULL, s->at.fd, NULL, n, SPLICE_F_MOVE);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return fail(s, r ? errno : EIO, "write the pages of CPU");
		s->at.size += (size_t)r;
		n -= (size_t)r;
	}
	forget_old(s);
	return 0;
}

/* The full pages that are there. How many bytes, or -errno. */
static int64_t move_pages(struct spool *s)
{
	int64_t all = 0;
	for (;;) {
		ssize_t n = splice(s->raw, NULL, s->pipe[1], NULL, PIPE, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return fail(s, errno, "read the ring of CPU");
		if (n <= 0)
			return all;
		int err = empty_pipe(s, (size_t)n);
		if (err)
			return err;
		all += n;
	}
}

/* And the one that is not full yet. */
static int move_rest(struct spool *s)
{
	uint8_t *page = xmalloc(s->page);
	int err = 0;
	for (ssize_t n; !err && (n = read(s->raw, page, s->page)) != 0;) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err = errno == EAGAIN ? 1 : fail(s, errno, "read the ring of CPU");
			break;
		}
		memset(page + n, 0, s->page - (size_t)n);
		for (size_t done = 0; done < s->page && !err;) {
			ssize_t w = write(s->at.fd, page + done, s->page - done);
			if (w < 0 && errno != EINTR)
				err = fail(s, errno, "write the pages of CPU");
			else if (w > 0)
				done += (size_t)w;
		}
		if (!err)
			s->at.size += s->page;
		forget_old(s);
	}
	free(page);
	return err > 0 ? 0 : err;
}

static void pause_us(struct spool *s, int us)
{
	struct pollfd p = { .fd = s->c->stop, .events = POLLIN };
	struct timespec t = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L };
	(void)ppoll(&p, 1, &t, NULL);
}

static void *reader(void *arg)
{
	struct spool *s = arg;
	struct pollfd p[] = { { .fd = s->raw, .events = POLLIN }, { .fd = s->c->stop, .events = POLLIN } };
	atomic_store(&s->tid, (int)syscall(SYS_gettid));
	while (!atomic_load(&s->c->ended)) {
		if (s->c->o.sleep_us)
			pause_us(s, s->c->o.sleep_us);
		else
			(void)poll(p, 2, WAIT_MS);
		int64_t n = move_pages(s);
		if (n < 0)
			break;
		if (!n && p[0].revents && !s->c->o.sleep_us) /* an older kernel tells of pages that are not full, too */
			pause_us(s, IDLE_US);
	}
	return NULL;
}

/* ---- all of them ---- */

static int spool_file(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	char *name = xasprintf("%s/.sonde-XXXXXX", dir);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	int err = errno;
	free(name);
	return fd >= 0 ? fd : -err;
}

static int spool_open(struct spools *c, int cpu)
{
	struct spool *s = xcalloc(1, sizeof(*s));
	char file[64];
	*vec_push(&c->spool) = s;
	*s = (struct spool){ .c = c, .at = { .cpu = cpu, .fd = -1 }, .stats = -1, .pipe = { -1, -1 }, .page = (size_t)sysconf(_SC_PAGESIZE) };
	snprintf(file, sizeof(file), "per_cpu/cpu%d/%s", cpu, c->o.snapshot ? "snapshot_raw" : "trace_pipe_raw");
	s->raw = open(ftrace_path(c->i, "%s", file), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->raw < 0)
		return ftrace_explain(-errno, c->i, file, NULL);
	if (!c->o.snapshot) /* whose counts nobody has */
		s->stats = open(ftrace_path(c->i, "per_cpu/cpu%d/stats", cpu), O_RDONLY | O_CLOEXEC);
	s->at.fd = spool_file(c->o.dir);
	if (s->at.fd < 0) {
		error_sys(-s->at.fd, "cannot keep the pages of CPU %d in %s", cpu, c->o.dir);
		return error_hint("--temp DIR names a folder that can be written");
	}
	if (pipe2(s->pipe, O_CLOEXEC))
		return error_sys(errno, "cannot make a pipe");
	(void)fcntl(s->pipe[1], F_SETPIPE_SZ, PIPE); /* a smaller one does as well */
	return 0;
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int collect_open(struct spools **out, const struct ftrace_instance *i, const struct collect_options *o)
{
	struct spools *c = xcalloc(1, sizeof(*c));
	VEC(int) cpus = { 0 };
	const char *per_cpu = ftrace_path(i, "per_cpu");
	DIR *d = opendir(per_cpu);
	int err = d ? 0 : ftrace_explain(-errno, i, "per_cpu", NULL), cpu;
	*c = (struct spools){ .i = i, .o = *o, .stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	for (struct dirent *e; d && (e = readdir(d));)
		if (sscanf(e->d_name, "cpu%d", &cpu) == 1 && cpu >= 0)
			*vec_push(&cpus) = cpu;
	if (d)
		closedir(d);
	if (cpus.n)
		qsort(cpus.at, cpus.n, sizeof(int), by_number);
	for (size_t k = 0; k < cpus.n && !err; k++)
		err = spool_open(c, cpus.at[k]);
	vec_release(&cpus);
	if (err)
		collect_free(c);
	else
		*out = c;
	return err;
}

/* What the readers do would be events, too, which they would read ... */
static int hide(struct spools *c)
{
	static const char *const files[] = { "set_event_notrace_pid", "set_ftrace_notrace_pid" };
	char pid[16];
	vec_each(&c->spool, p) {
		struct spool *s = *p;
		while (!atomic_load(&s->tid))
			sched_yield();
		snprintf(pid, sizeof(pid), "%d", atomic_load(&s->tid));
		for (size_t k = 0; k < 2; k++)
			if (file_exists(ftrace_path(c->i, "%s", files[k])) && ftrace_add(c->i, files[k], pid))
				error_clear(); /* this kernel cannot: they are seen then */
	}
	return 0;
}

int collect_start(struct spools *c, bool quiet)
{
	sigset_t all, before;
	int nice_before = getpriority(PRIO_PROCESS, 0), err = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the main thread's */
	(void)setpriority(PRIO_PROCESS, 0, -20); /* they inherit it */
	vec_each(&c->spool, p) {
		struct spool *s = *p;
		if ((err = pthread_create(&s->thread, NULL, reader, s)))
			break;
		s->running = true;
		/* Niceness counts within a session alone where sessions are grouped; and who has to wait for a CPU loses events. */
		struct sched_param prio = { .sched_priority = c->o.priority ? c->o.priority : 1 };
		if (pthread_setschedparam(s->thread, SCHED_RR, &prio) && c->o.priority)
			warn("no right to read at real-time priority %d (-r)", c->o.priority);
	}
	(void)setpriority(PRIO_PROCESS, 0, nice_before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return error_sys(err, "cannot start a thread");
	return quiet ? hide(c) : 0;
}

int collect_file(const struct spools *c)
{
	return c->spool.n ? c->spool.at[0]->at.fd : -1;
}

static void end_threads(struct spools *c)
{
	uint64_t one = 1;
	atomic_store(&c->ended, true);
	if (c->stop >= 0 && write(c->stop, &one, sizeof(one)) < 0)
		return; /* full: it is readable anyway */
	vec_each(&c->spool, p) {
		if ((*p)->running)
			pthread_join((*p)->thread, NULL);
		(*p)->running = false;
	}
}

static int take_rest(struct spool *s)
{
	struct str text = STR_INIT;
	if (!s->err && move_pages(s) >= 0)
		(void)move_rest(s);
	if (s->stats >= 0)
		(void)file_read_fd(s->stats, &text, STATS_MAX);
	s->at.stats = str_detach(&text);
	*vec_push(&s->c->out) = s->at;
	return s->err;
}

int collect_rest(struct spools *c)
{
	int err = 0;
	vec_each(&c->spool, p) {
		struct spool *s = *p;
		if (take_rest(s) && !err) {
			error_sys(-s->err, "cannot %s %d", s->what, s->at.cpu);
			err = s->err;
		}
	}
	return err;
}

int collect_end(struct spools *c)
{
	end_threads(c);
	return collect_rest(c);
}

size_t collect_cpus(const struct spools *c, const struct collected **out)
{
	*out = c->out.at;
	return c->out.n;
}

uint64_t collect_lost(const struct spools *c)
{
	static const char *const words[] = { "\noverrun: ", "\ncommit overrun: ", "\ndropped events: " };
	uint64_t n = 0;
	vec_each(&c->out, at)
		for (size_t k = 0; k < 3; k++) {
			const char *z = at->stats ? strstr(at->stats, words[k]) : NULL;
			n += z ? strtoull(z + strlen(words[k]), NULL, 10) : 0;
		}
	return n;
}

void collect_free(struct spools *c)
{
	if (!c)
		return;
	end_threads(c);
	vec_each(&c->spool, p) {
		struct spool *s = *p;
		int fds[] = { s->raw, s->stats, s->at.fd, s->pipe[0], s->pipe[1] };
		for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
			if (fds[i] >= 0)
				close(fds[i]);
		free(s);
	}
	vec_each(&c->out, at)
		free(at->stats);
	vec_release(&c->spool);
	vec_release(&c->out);
	if (c->stop >= 0)
		close(c->stop);
	free(c);
}
