// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/out.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/signals.h"

enum { BLOCK = 64 * 1024 };

void out_fd(struct out *o, int fd, const char *name)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
	memset(o, 0, sizeof(*o));
	str_init(&o->buf);
	o->fd = fd;
	o->name = xstrdup(name);
	o->tty = isatty(fd);
	o->colour = o->tty && !(no && *no) && !(term && !strcmp(term, "dumb"));
	signal(SIGPIPE, SIG_IGN);
}

int out_explain(int err)
{
	switch (err) {
	case ENOSPC:
	case EDQUOT:
		return error_hint("the disk is full: what was written is not whole");
	case EFBIG:
		return error_hint("the limit on the size of files was met (ulimit -f): what was written is not whole");
	case EACCES:
	case EPERM:
	case EROFS:
		return error_hint("write to a folder of your own: -o FILE");
	case EISDIR:
		return error_hint("a file's name is wanted, not a folder's");
	case ENOENT:
		return error_hint("the folder must exist");
	case EMFILE:
		return error_hint("too many files at once for this user's limit: ulimit -n N");
	case EINTR:
		return error_hint("whoever reads it did not take it in time: what was written is not whole");
	case EBADF:
		return error_hint("it was closed by whoever started sonde");
	default:
		return error_hint("what was written is not whole");
	}
}

int out_open(struct out *o, const char *path, bool append)
{
	if (!path || !strcmp(path, "-")) {
		out_fd(o, 1, "standard output");
		return 0;
	}
	int fd = file_create(path, O_WRONLY | (append ? O_APPEND : 0), 0666);
	if (fd < 0) {
		out_fd(o, -1, path);
		return fd;
	}
	struct stat st;
	out_fd(o, fd, path);
	o->owned = true;
	o->before = !fstat(fd, &st) && S_ISREG(st.st_mode) ? st.st_size : -1;
	return 0;
}

/* Starts a shell command that reads from a pipe. Its pid, and the pipe's other end; -errno. */
static int start_reader(const char *command, int *to)
{
	int fd[2];
	if (pipe2(fd, O_CLOEXEC))
		return -errno;
	int pid = fork(), err = errno;
	if (!pid) {
		dup2(fd[0], 0);
		signal(SIGPIPE, SIG_DFL);
		setuid(getuid());
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		execlp("cat", "cat", (char *)NULL);
		_exit(127);
	}
	close(fd[0]);
	if (pid < 0)
		close(fd[1]);
	*to = fd[1];
	return pid < 0 ? -err : pid;
}

int out_command(struct out *o, const char *command)
{
	int fd, pid = start_reader(command, &fd);
	if (pid < 0)
		return error_sys(-pid, "cannot start '%s'", command);
	out_fd(o, fd, command);
	o->owned = true;
	o->pager_pid = pid;
	o->before = -1;
	return 0;
}

/* Small containers have no less, and a PAGER that is not there must not swallow the report. */
static char *or_cat(const char *pager)
{
	size_t word = strcspn(pager, " \t");
	if (strcspn(pager, "=;|&<>()$`\"'\\*?[#~%\n") < word)
		return xstrdup(pager);
	return xasprintf("command -v %.*s >/dev/null 2>&1 || exec cat; %s", (int)word, pager, pager);
}

static bool pager_off;
static int pager_of_all; /* its pid; 0: none */

void out_pager_off(void)
{
	pager_off = true;
}

void out_pager(struct out *o)
{
	const char *pager = getenv("SONDE_PAGER");
	int fd;
	if (!o->tty || o->pager_pid || pager_off)
		return;
	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = "less -RFX";
	if (!*pager || !strcmp(pager, "cat"))
		return;
	char *command = or_cat(pager);
	int pid = start_reader(command, &fd);
	free(command);
	if (pid < 0)
		return;
	o->fd = fd;
	o->owned = true;
	o->pager_pid = pid;
}

void out_pager_all(void)
{
	struct out o;
	bool errors = isatty(2);
	out_fd(&o, 1, "standard output");
	out_pager(&o);
	if (o.pager_pid && dup2(o.fd, 1) == 1 && (!errors || dup2(o.fd, 2) == 2))
		pager_of_all = o.pager_pid;
	if (o.pager_pid)
		close(o.fd);
	free(o.name);
}

void out_pager_end(void)
{
	if (!pager_of_all)
		return;
	fflush(stdout);
	close(1);
	close(2);
	while (waitpid(pager_of_all, NULL, 0) < 0 && errno == EINTR)
		;
	pager_of_all = 0;
}

/* A terminal that was closed has no reader any more either. If that came before us it does not even say that it is one. */
static int write_error(const struct out *o)
{
	int err = errno;
	return err == EIO && (o->tty || (!isatty(o->fd) && errno == EIO)) ? -EPIPE : -err;
}

int out_flush(struct out *o)
{
	size_t done = 0;
	if (o->spare && !o->err && o->buf.len > file_room(o->fd)) {
		o->full = true;
		o->err = -ENOSPC;
	}
	while (done < o->buf.len && !o->err) {
		struct iovec rest = { o->buf.buf + done, o->buf.len - done };
		ssize_t n = signals_writev(o->fd, &rest, 1);
		if (n <= 0)
			o->err = n < 0 ? write_error(o) : -EIO;
		else
			done += n;
	}
	str_clear(&o->buf);
	return o->err;
}

bool fd_unread(int fd)
{
	struct pollfd p = { .fd = fd };
	return fd >= 0 && poll(&p, 1, 0) > 0 && p.revents & (POLLERR | POLLHUP);
}

bool out_unread(struct out *o)
{
	if (!o->err && fd_unread(o->fd))
		o->err = -EPIPE;
	return o->err == -EPIPE;
}

void out_write(struct out *o, const void *p, size_t n)
{
	if (o->err)
		return;
	str_addn(&o->buf, p, n);
	if (o->buf.len >= BLOCK)
		out_flush(o);
}

void out_puts(struct out *o, const char *z)
{
	out_write(o, z, strlen(z));
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap;
	if (o->err)
		return;
	va_start(ap, fmt);
	str_vaddf(&o->buf, fmt, ap);
	va_end(ap);
	if (o->buf.len >= BLOCK)
		out_flush(o);
}

void out_str(struct out *o, struct str *s)
{
	out_write(o, s->buf, s->len);
	str_clear(s);
}

int out_close(struct out *o)
{
	out_flush(o);
	bool undone = o->err && o->owned && o->whole && o->before >= 0 && !ftruncate(o->fd, o->before);
	if (o->owned && o->fd >= 0 && close(o->fd) && !o->err)
		o->err = -errno;
	if (o->pager_pid > 0)
		while (waitpid(o->pager_pid, NULL, 0) < 0 && errno == EINTR && !signals_again())
			;
	int err = o->err == -EPIPE || o->full ? 0 : o->err;
	if (err) {
		error_sys(err, "cannot write to %s", o->name);
		if (undone)
			error_hint(o->before ? "the file is as it was before" : "the file is left empty");
		else
			out_explain(-err);
	}
	str_release(&o->buf);
	free(o->name);
	o->name = NULL;
	o->fd = -1;
	o->owned = false;
	return err;
}

const char *out_colour(const struct out *o, enum out_colour c)
{
	static const char *const code[] = { "\033[0m", "\033[1m", "\033[31m", "\033[32m",
					    "\033[33m", "\033[34m", "\033[36m", "\033[90m" };
	return o->colour ? code[c] : "";
}

/* What the environment says comes first. Behind a pager it is still the same terminal. */
static unsigned size_of(const struct out *o, const char *name, bool lines)
{
	const char *given = getenv(name);
	struct winsize size = { 0 };
	uint64_t n;
	if (!o->tty)
		return 0;
	if (given && !parse_u64(given, &n) && n > 0 && n < 10000)
		return n;
	if (ioctl(o->fd, TIOCGWINSZ, &size) && ioctl(STDERR_FILENO, TIOCGWINSZ, &size))
		return 0;
	return lines ? size.ws_row : size.ws_col;
}

unsigned out_width(const struct out *o)
{
	return size_of(o, "COLUMNS", false);
}

unsigned out_height(const struct out *o)
{
	return size_of(o, "LINES", true);
}
