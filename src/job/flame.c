// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/flame.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"

struct drawer { pid_t pid; int go; char *path; };

static char *make_path(void)
{
	const char *tmp = getenv("TMPDIR");
	char *folder = xasprintf("%s/sonde-flame.XXXXXX", tmp && *tmp ? tmp : "/tmp"), *path = NULL;
	if (mkdtemp(folder)) {
		path = xasprintf("%s/perf.data", folder);
	} else {
		error_sys(errno, "cannot make a folder for the recording in %s", tmp && *tmp ? tmp : "/tmp");
		error_hint("TMPDIR=FOLDER names another");
	}
	free(folder);
	return path;
}

void flame_recorded(const char *path)
{
	char *folder = xstrdup(path), *slash = strrchr(folder, '/');
	unlink(path);
	if (slash) {
		*slash = 0;
		rmdir(folder);
	}
	free(folder);
}

/* Ctrl-C is the recorder's while there is one. */
static void ignore_ends(bool ignore)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		signal(ends[i], ignore ? SIG_IGN : SIG_DFL);
}

static int wait_and_draw(int fd, const char *path, int (*draw)(void *ctx, const char *path), void *ctx)
{
	char go = 0;
	ssize_t n;
	ignore_ends(true);
	while ((n = read(fd, &go, 1)) < 0 && errno == EINTR)
		;
	ignore_ends(false);
	int code = n == 1 ? draw(ctx, path) : 0;
	flame_recorded(path);
	return code;
}

static int start_drawer(struct drawer *d, int (*draw)(void *ctx, const char *path), void *ctx)
{
	int fd[2];
	d->path = make_path();
	if (!d->path)
		return error_code();
	if (pipe2(fd, O_CLOEXEC))
		return error_sys(errno, "cannot make a pipe");
	d->pid = fork();
	if (!d->pid) {
		close(fd[1]);
		exit(wait_and_draw(fd[0], d->path, draw, ctx));
	}
	close(fd[0]);
	d->go = fd[1];
	return d->pid < 0 ? error_sys(errno, "cannot start a process") : 0;
}

/* Its exit code. */
static int end_drawer(struct drawer *d, bool go)
{
	int status = 0;
	if (d->pid <= 0)
		return 0;
	if (go && write(d->go, "", 1) != 1)
		go = false;
	close(d->go);
	while (waitpid(d->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SONDE;
}

int flame_record(struct recorder_options *o, event_list *l, struct target *t, int (*draw)(void *ctx, const char *path), void *ctx)
{
	struct drawer d = { 0 };
	struct stat st;
	int code = EXIT_SONDE;
	if (start_drawer(&d, draw, ctx)) {
		error_print();
	} else {
		o->output = d.path;
		code = recorder_run(o, l, t);
		bool recorded = !stat(d.path, &st) && st.st_size;
		int drawn = end_drawer(&d, recorded);
		code = drawn ? drawn : code;
	}
	if (d.path && d.pid <= 0)
		flame_recorded(d.path);
	free(d.path);
	return code;
}
