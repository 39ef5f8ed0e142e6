// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/target.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/user.h"
#include "kernel/root.h"

enum { PID_LIMIT = 4194304, CPU_LIMIT = 65535, CGROUPS_MAX = 4096 };

int target_pids(struct target *t, const char *text)
{
	return intlist_parse(&t->pids, text, PID_LIMIT, "process ID");
}

int target_tids(struct target *t, const char *text)
{
	return intlist_parse(&t->tids, text, PID_LIMIT, "thread ID");
}

int target_cpus(struct target *t, const char *text)
{
	return intlist_parse(&t->cpus, text, CPU_LIMIT, "CPU");
}

int target_cgroups(struct target *t, const char *text)
{
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		if (t->cgroups.n >= CGROUPS_MAX)
			return error_set(E2BIG, "more than %d cgroups", CGROUPS_MAX);
		struct target_cgroup *g = vec_push(&t->cgroups);
		g->name = n ? xstrndup(p, n) : NULL;
		g->fd = -1;
		p += n;
		if (!*p)
			return 0;
	}
}

bool target_by_task(const struct target *t)
{
	return t->pids.n || t->tids.n || t->user || t->every_task || (!t->system_wide && !t->cpus.n);
}

bool target_given(const struct target *t)
{
	return t->pids.n || t->tids.n || t->user || t->system_wide || t->cpus.n;
}

static void thread_add(struct target *t, int pid, int tid)
{
	struct target_thread *th = vec_push(&t->threads);
	struct str s = STR_INIT;
	th->pid = pid;
	th->tid = tid;
	if (!file_read(root_path(ROOT_PROC, "%d/task/%d/comm", pid, tid), &s, 256))
		snprintf(th->comm, sizeof(th->comm), "%.*s", (int)strcspn(s.buf, "\n"), s.buf);
	str_release(&s);
}

static int by_tid(const void *a, const void *b)
{
	const struct target_thread *x = a, *y = b;
	return x->tid - y->tid;
}

/* All threads of a process; -ESRCH when it is gone. */
static int add_process(struct target *t, int pid)
{
	DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
	if (!d)
		return errno == ENOENT ? -ESRCH : -errno;
	size_t before = t->threads.n;
	for (struct dirent *e; (e = readdir(d));)
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
			thread_add(t, pid, atoi(e->d_name));
	closedir(d);
	return t->threads.n > before ? 0 : -ESRCH;
}

/* The process a thread belongs to, from Tgid: in its status. */
static int process_of(int tid)
{
	struct str s = STR_INIT;
	int err = file_read(root_path(ROOT_PROC, "%d/status", tid), &s, 1 << 16);
	const char *tgid = err ? NULL : strstr(s.buf, "\nTgid:");
	int pid = tgid ? atoi(tgid + 6) : -1;
	str_release(&s);
	return pid > 0 ? pid : -ESRCH;
}

static int gone(const char *what, int id)
{
	error_set(ESRCH, "%s %d does not exist", what, id);
	return error_hint("it may have ended; pgrep -a NAME finds a process by its name");
}

/* Every process, or those of one user; never sonde itself. */
static int add_processes(struct target *t, const uid_t *uid)
{
	struct stat st;
	DIR *d = opendir(root_path(ROOT_PROC, "%s", ""));
	if (!d)
		return error_sys(errno, "cannot list processes");
	for (struct dirent *e; (e = readdir(d));) {
		int pid = atoi(e->d_name);
		if (pid <= 0 || pid == getpid())
			continue;
		if (!uid || (!stat(root_path(ROOT_PROC, "%d", pid), &st) && st.st_uid == *uid))
			(void)add_process(t, pid); /* one that ended meanwhile is no error */
	}
	closedir(d);
	return 0;
}

static int add_user(struct target *t)
{
	uid_t uid;
	int err = user_id(t->user, &uid);
	err = err ? err : add_processes(t, &uid);
	if (err || t->threads.n)
		return err;
	error_set(ESRCH, "no process of user '%s' is running", t->user);
	return error_hint("-u takes the processes that run now; where a command follows (record, stat, trace), it runs that as the user");
}

static int add_threads(struct target *t)
{
	vec_each(&t->pids, pid)
		if (add_process(t, *pid) < 0)
			return gone("process", *pid);
	vec_each(&t->tids, tid) {
		int pid = process_of(*tid);
		if (pid < 0)
			return gone("thread", *tid);
		thread_add(t, pid, *tid);
	}
	if (t->user && add_user(t) < 0)
		return error_code();
	if (t->every_task && add_processes(t, NULL) < 0)
		return error_code();
	if (t->threads.n < 2)
		return 0;
	qsort(t->threads.at, t->threads.n, sizeof(t->threads.at[0]), by_tid);
	size_t n = 0;
	vec_each(&t->threads, th)
		if (!n || t->threads.at[n - 1].tid != th->tid)
			t->threads.at[n++] = *th;
	t->threads.n = n;
	return 0;
}

static int read_online(struct target *t)
{
	struct str s = STR_INIT;
	int err = file_read(root_path(ROOT_SYS, "devices/system/cpu/online"), &s, 1 << 16);
	if (!err) {
		s.buf[strcspn(s.buf, "\n")] = 0;
		err = intlist_parse(&t->online, s.buf, CPU_LIMIT, "CPU");
	}
	str_release(&s);
	if (err || !t->online.n) { /* sysfs may be hidden: what the C library counts */
		error_clear();
		long n = sysconf(_SC_NPROCESSORS_ONLN);
		for (int i = 0; i < (n > 0 ? n : 1); i++)
			*vec_push(&t->online) = i;
	}
	return 0;
}

static int check_up(const intlist *cpus, const intlist *online)
{
	vec_each(cpus, c)
		if (!intlist_has(online, *c)) {
			bool there = file_exists(root_path(ROOT_SYS, "devices/system/cpu/cpu%d", *c));
			error_set(ENODEV, there ? "CPU %d is offline" : "there is no CPU %d", *c);
			return error_hint("the CPUs that are up: %d to %d, %zu in all", online->at[0], *vec_last(online), online->n);
		}
	return 0;
}

static int check_cpus(struct target *t)
{
	int err = check_up(&t->cpus, &t->online);
	if (!err && !t->cpus.n)
		vec_each(&t->online, c)
			*vec_push(&t->cpus) = *c;
	return err;
}

int target_cpus_up(const intlist *cpus)
{
	struct target t = { 0 };
	read_online(&t);
	int err = check_up(cpus, &t.online);
	vec_release(&t.online);
	return err;
}

/* Where cgroups that perf events know are mounted: v1's perf_event hierarchy, or v2. Owned; NULL: none. */
char *target_cgroup_mount(void)
{
	struct str s = STR_INIT;
	char dir[1024], type[64], opts[1024], *v1 = NULL, *v2 = NULL;
	if (file_read(root_path(ROOT_PROC, "self/mounts"), &s, 4 << 20)) {
		str_release(&s);
		return NULL;
	}
	for (char *line = s.buf; *line && !v1; line += strcspn(line, "\n"), line += *line == '\n') {
		if (sscanf(line, "%*s %1023s %63s %1023s", dir, type, opts) != 3)
			continue;
		if (!strcmp(type, "cgroup") && strstr(opts, "perf_event"))
			v1 = xstrdup(dir);
		else if (!strcmp(type, "cgroup2") && !v2)
			v2 = xstrdup(dir);
	}
	str_release(&s);
	if (v1)
		free(v2);
	return v1 ? v1 : v2;
}

static int open_cgroups(struct target *t)
{
	char *top = target_cgroup_mount();
	if (!top) {
		error_set(ENOENT, "no cgroup file system is mounted that perf events know");
		return error_hint("as root: mount -t cgroup2 none /sys/fs/cgroup");
	}
	int err = 0;
	vec_each(&t->cgroups, g) {
		if (!g->name || g->fd >= 0)
			continue;
		char *path = str_starts(g->name, top) ? xstrdup(g->name) : xasprintf("%s/%s", top, g->name);
		g->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (g->fd < 0) {
			err = error_sys(errno, "cannot open the cgroup '%s' (%s)", g->name, path);
			if (err == -ENOENT)
				error_hint("the cgroups are the folders below %s; systemd-cgls shows them", top);
			else if (err == -EACCES)
				error_hint("run as root: the folder is not readable for this user");
		}
		free(path);
		if (err)
			break;
	}
	free(top);
	return err;
}

int target_resolve(struct target *t, pid_t workload)
{
	int err;
	read_online(t);
	if (!target_by_task(t)) {
		if ((err = check_cpus(t)))
			return err;
		return t->cgroups.n ? open_cgroups(t) : 0;
	}
	if (t->cgroups.n) {
		error_set(EINVAL, "a cgroup is measured on CPUs, not on tasks");
		return error_hint("use -a or -C with -G");
	}
	if (t->pids.n || t->tids.n || t->user || t->every_task)
		return add_threads(t);
	if (workload) {
		thread_add(t, workload, workload);
		t->workload = true;
	}
	return 0;
}

void target_unresolve(struct target *t)
{
	vec_clear(&t->threads);
	vec_clear(&t->online);
	t->workload = false;
}

void target_release(struct target *t)
{
	vec_each(&t->cgroups, g) {
		free(g->name);
		if (g->fd >= 0)
			close(g->fd);
	}
	vec_release(&t->cgroups);
	vec_release(&t->pids);
	vec_release(&t->tids);
	vec_release(&t->cpus);
	vec_release(&t->threads);
	vec_release(&t->online);
}

static void add_ints(struct str *s, const intlist *l)
{
	vec_each(l, i)
		str_addf(s, "%s%d", i == l->at ? "" : ",", *i);
}

void target_describe(const struct target *t, struct str *s)
{
	if (t->pids.n) {
		str_add(s, "process id '");
		add_ints(s, &t->pids);
		str_addc(s, '\'');
	} else if (t->tids.n) {
		str_add(s, "thread id '");
		add_ints(s, &t->tids);
		str_addc(s, '\'');
	} else if (t->user) {
		str_addf(s, "user '%s'", t->user);
	} else if (t->system_wide) {
		str_add(s, "'system wide'");
	} else if (t->cpus.n) {
		str_add(s, "'CPU(s) ");
		add_ints(s, &t->cpus);
		str_addc(s, '\'');
	}
}
