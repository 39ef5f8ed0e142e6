// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/term/guard.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct guard_word { bool held; struct termios ours; };

static void give_back(int tty, const struct termios *before, const struct termios *ours, const char *reset)
{
	struct termios now;
	/* A shell that was quicker has its own modes by now. */
	if (!tcgetattr(tty, &now) && now.c_lflag == ours->c_lflag && now.c_iflag == ours->c_iflag && now.c_oflag == ours->c_oflag)
		tcsetattr(tty, TCSANOW, before);
	for (size_t n = strlen(reset); n;) {
		ssize_t k = write(tty, reset, n);
		if (k <= 0)
			break;
		reset += k;
		n -= k;
	}
}

static _Noreturn void stand(int told, int tty, const struct termios *before, const char *reset)
{
	static const int deaf[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE };
	struct guard_word w = { 0 }, in;
	ssize_t n;
	for (size_t i = 0; i < sizeof(deaf) / sizeof(*deaf); i++)
		signal(deaf[i], SIG_IGN);
	setpgid(0, 0);
	prctl(PR_SET_NAME, "sonde-guard");
	if (dup2(told, 0) != 0 || dup2(tty, 1) != 1)
		_exit(1);
	close_range(2, UINT32_MAX, 0);
	while ((n = read(0, &in, sizeof(in))) == sizeof(in) || (n < 0 && errno == EINTR))
		if (n > 0)
			w = in;
	if (w.held)
		give_back(1, before, &w.ours, reset);
	_exit(0);
}

void guard_post_open(struct guard_post *g, const struct termios *before, const char *reset)
{
	int p[2];
	*g = (struct guard_post){ 0, -1 };
	if (pipe2(p, O_CLOEXEC))
		return;
	int tty = fcntl(1, F_DUPFD_CLOEXEC, 10), told = fcntl(p[0], F_DUPFD_CLOEXEC, 10);
	if (tty >= 0 && told >= 0)
		g->pid = fork();
	if (!g->pid && tty >= 0 && told >= 0)
		stand(told, tty, before, reset);
	close(p[0]);
	if (tty >= 0)
		close(tty);
	if (told >= 0)
		close(told);
	if (g->pid > 0) {
		g->fd = p[1];
		setpgid(g->pid, g->pid); /* whichever of us is first */
		return;
	}
	g->pid = 0;
	close(p[1]);
}

void guard_post_tell(const struct guard_post *g, const struct termios *ours)
{
	struct guard_word w = { .held = ours };
	if (ours)
		w.ours = *ours;
	if (g->pid && write(g->fd, &w, sizeof(w)) < 0) { /* then it is gone, and nobody guards */
	}
}

void guard_post_close(struct guard_post *g)
{
	if (!g->pid)
		return;
	guard_post_tell(g, NULL);
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
