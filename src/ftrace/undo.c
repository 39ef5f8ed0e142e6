// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/undo.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/rights/caps.h"
#include "kernel/root.h"
#include "kernel/task/process.h"
#include "kernel/tracefs.h"

enum { PATIENCE_MS = 10000, LONG_PATIENCE_MS = 3600000, PAUSE_MS = 20, LONG_PAUSE_MS = 1000 };
enum undo_what { UNDO_SET, UNDO_APPEND, UNDO_INSTANCE, UNDO_FORGET, UNDO_KEEP };

/* A note: this head, the path and the text, all in one write of at most PIPE_BUF bytes. */
struct undo_head {
	unsigned char what;
	unsigned short path, text;
};

struct undo_note {
	enum undo_what what;
	char *path, *text;
};
typedef VEC(struct undo_note) undo_notes;

static struct {
	pid_t pid; /* 0: there is no guardian */
	int notes, answer, lock;
	bool locked;
} guardian = { .notes = -1, .answer = -1, .lock = -1 };

/* ---- in the guardian ---- */

static void put_in(const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	(void)tracefs_put(path, text, 0);
}

static int remove_instance(const char *dir)
{
	put_in(dir, "tracing_on", "0");
	put_in(dir, "events/enable", "0");
	put_in(dir, "current_tracer", "nop");
	return rmdir(dir) ? -errno : 0;
}

static int undo_one(const struct undo_note *n)
{
	if (n->what == UNDO_INSTANCE)
		return remove_instance(n->path);
	return tracefs_put(n->path, n->text, n->what == UNDO_APPEND ? O_APPEND : O_TRUNC);
}

/* Who reads an instance or records an event keeps it: it is tried again for a while. */
static int undo_patiently(const struct undo_note *n, int patience, int pause)
{
	int err = undo_one(n);
	for (int ms = 0; err == -EBUSY && ms < patience; ms += pause) {
		usleep((useconds_t)pause * 1000);
		err = undo_one(n);
	}
	return err;
}

static void drop_last(undo_notes *l)
{
	struct undo_note *n = vec_last(l);
	free(n->path);
	free(n->text);
	l->n--;
}

static void take_note(undo_notes *l, const struct undo_head *h, const char *body)
{
	if (h->what == UNDO_FORGET || h->what == UNDO_KEEP) {
		while (l->n) {
			drop_last(l);
			if (h->what == UNDO_FORGET)
				break;
		}
		return;
	}
	*vec_push(l) = (struct undo_note){ h->what, xstrndup(body, h->path), xstrndup(body + h->path, h->text) };
}

/* What somebody keeps for long is told of, so that sonde need not wait, and taken back when he has ended. */
static void undo_all(undo_notes *l, int answer)
{
	undo_notes kept = { 0 };
	for (; l->n; drop_last(l)) {
		struct undo_note *n = vec_last(l);
		int err = undo_patiently(n, PATIENCE_MS, PAUSE_MS);
		if (err && err != -ENOENT)
			dprintf(answer, "%s: %s\n", n->path, strerror(-err));
		if (err == -EBUSY)
			*vec_push(&kept) = (struct undo_note){ n->what, xstrdup(n->path), xstrdup(n->text) };
	}
	close(answer);
	vec_each(&kept, n)
		(void)undo_patiently(n, LONG_PATIENCE_MS, LONG_PAUSE_MS);
}

static bool read_whole(int fd, void *p, size_t n)
{
	char *at = p;
	while (n) {
		ssize_t got = read(fd, at, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static void let_go_of_all_but(int a, int b, int c)
{
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	for (int fd = 3; fd < 1024; fd++)
		if (fd != a && fd != b && fd != c)
			close(fd);
	close_range(1024, ~0U, 0);
}

static _Noreturn void guard(int notes, int answer, int lock)
{
	undo_notes l = { 0 };
	struct undo_head h;
	char body[PIPE_BUF];
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	(void)!chdir("/");
	prctl(PR_SET_NAME, "sonde-guard");
	let_go_of_all_but(notes, answer, lock);
	(void)caps_drop_all_but(CAP_BIT(CAP_DAC_OVERRIDE));
	while (read_whole(notes, &h, sizeof(h)) && (size_t)h.path + h.text <= sizeof(body) && read_whole(notes, body, (size_t)h.path + h.text))
		take_note(&l, &h, body);
	undo_all(&l, answer);
	_exit(0);
}

/* ---- in sonde ---- */

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int undo_start(void)
{
	int notes[2], answer[2];
	if (guardian.pid)
		return 0;
	if (pipe2(notes, O_CLOEXEC))
		return error_sys(errno, "cannot make a pipe");
	if (pipe2(answer, O_CLOEXEC)) {
		int err = errno;
		close(notes[0]), close(notes[1]);
		return error_sys(err, "cannot make a pipe");
	}
	guardian.lock = open(tracefs_path("README"), O_RDONLY | O_CLOEXEC);
	guardian.pid = fork();
	if (!guardian.pid) {
		close(notes[1]);
		guard(notes[0], answer[1], guardian.lock);
	}
	int err = errno;
	close(notes[0]);
	close(answer[1]);
	guardian.notes = notes[1];
	guardian.answer = answer[0];
	if (guardian.pid > 0)
		return 0;
	guardian.pid = 0;
	close_one(&guardian.notes);
	close_one(&guardian.answer);
	close_one(&guardian.lock);
	return error_sys(err, "cannot start the process that cleans up after sonde");
}

static int tell(enum undo_what what, const char *path, const char *text)
{
	struct undo_head h = { .what = (unsigned char)what };
	struct str s = STR_INIT;
	int err = undo_start();
	if (err)
		return err;
	if (strlen(path) + strlen(text) + sizeof(h) > PIPE_BUF)
		return error_set(E2BIG, "what %s has now is too long to be put back later", path);
	h.path = (unsigned short)strlen(path);
	h.text = (unsigned short)strlen(text);
	str_addn(&s, &h, sizeof(h));
	str_add(&s, path);
	str_add(&s, text);
	if (write(guardian.notes, s.buf, s.len) != (ssize_t)s.len)
		err = error_sys(errno, "cannot reach the process that cleans up after sonde");
	str_release(&s);
	return err;
}

int undo_write(const char *path, const char *text, bool append)
{
	return tell(append ? UNDO_APPEND : UNDO_SET, path, text);
}

int undo_instance(const char *path)
{
	return tell(UNDO_INSTANCE, path, "");
}

void undo_forget(void)
{
	(void)tell(UNDO_FORGET, "", "");
}

void undo_keep(void)
{
	if (guardian.pid)
		(void)tell(UNDO_KEEP, "", "");
}

int undo_run(void)
{
	struct str left = STR_INIT;
	int err = 0;
	if (!guardian.pid)
		return 0;
	close_one(&guardian.notes);
	(void)file_read_fd(guardian.answer, &left, 1 << 16);
	while (waitpid(guardian.pid, NULL, left.len ? WNOHANG : 0) < 0 && errno == EINTR)
		;
	guardian.pid = 0;
	guardian.locked = false;
	close_one(&guardian.answer);
	close_one(&guardian.lock);
	if (left.len) {
		left.buf[strcspn(left.buf, "\n")] = 0;
		err = error_set(EBUSY, "could not be put back: %s", left.buf);
		error_hint("somebody else uses it; within a second of his end it is taken back, by a process that waits an hour for that");
	}
	str_release(&left);
	return err;
}

/* The process that has the lock, from the kernel's list of them; 0: not found. */
static int lock_holder(int fd)
{
	struct stat st;
	struct str s = STR_INIT;
	int holder = 0;
	if (!fstat(fd, &st) && !file_read(root_path(ROOT_PROC, "locks"), &s, 4 << 20)) {
		char *save = NULL;
		for (char *line = strtok_r(s.buf, "\n", &save); line && !holder; line = strtok_r(NULL, "\n", &save)) {
			int pid;
			unsigned long long ino;
			if (sscanf(line, "%*d: FLOCK %*s WRITE %d %*x:%*x:%llu", &pid, &ino) == 2 && ino == (unsigned long long)st.st_ino)
				holder = pid;
		}
	}
	str_release(&s);
	return holder;
}

int undo_lock_top(void)
{
	int err = undo_start();
	char comm[17] = "";
	if (err || guardian.locked)
		return err;
	if (guardian.lock < 0)
		return error_set(EACCES, "cannot read %s", tracefs_path("README"));
	if (!flock(guardian.lock, LOCK_EX | LOCK_NB)) {
		guardian.locked = true;
		return 0;
	}
	int holder = lock_holder(guardian.lock);
	if (holder)
		(void)process_comm(holder, comm);
	if (*comm)
		error_set(EBUSY, "the global tracer is in use by process %d (%s)", holder, comm);
	else
		error_set(EBUSY, "the global tracer is in use by another sonde");
	return error_hint("this tracer works for one at a time in this kernel: wait until that has ended");
}
