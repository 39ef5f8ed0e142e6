// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/bpf/runstats.h"
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kernel/rights/caps.h"

/* A byte says whether it is wanted; the answer is whether it is there. */
static void serve(int fd)
{
	int held = -1;
	char want;
	while (read(fd, &want, 1) == 1) {
		if (want && held < 0)
			held = bpf_enable_stats(BPF_STATS_RUN_TIME);
		if (!want && held >= 0) {
			close(held);
			held = -1;
		}
		char is = held >= 0;
		if (write(fd, &is, 1) != 1)
			break;
	}
}

static void child(int fd, pid_t parent)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL); /* Ctrl-C is for the parent; its end is ours */
	prctl(PR_SET_NAME, "sonde-stats");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fd != 3)
		dup2(fd, 3);
	close_range(4, ~0u, 0);
	for (int i = 0; i < 3; i++)
		close(i);
	if (getppid() == parent && !caps_drop_all_but(CAP_BIT(CAP_SYS_ADMIN)))
		serve(3);
	_exit(0);
}

int runstats_open(struct runstats *r)
{
	int pair[2];
	pid_t parent = getpid();
	*r = (struct runstats){ .fd = -1 };
	if (!caps_has(CAP_SYS_ADMIN))
		return -EPERM;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	pid_t pid = fork();
	if (!pid)
		child(pair[1], parent);
	int err = pid < 0 ? -errno : 0;
	close(pair[1]);
	if (err) {
		close(pair[0]);
		return err;
	}
	*r = (struct runstats){ pair[0], pid };
	return 0;
}

bool runstats_keep(struct runstats *r, bool on)
{
	char want = on, is = 0;
	if (r->fd < 0)
		return false;
	if (send(r->fd, &want, 1, MSG_NOSIGNAL) == 1 && read(r->fd, &is, 1) == 1 && is == want)
		return true;
	runstats_close(r);
	return false;
}

void runstats_close(struct runstats *r)
{
	if (r->fd < 0)
		return;
	close(r->fd);
	while (waitpid(r->child, NULL, 0) < 0 && errno == EINTR)
		;
	*r = (struct runstats){ .fd = -1 };
}

void runstats_add(int program, struct runcost *sum)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);
	if (program < 0 || bpf_obj_get_info_by_fd(program, &info, &len))
		return;
	sum->runs += info.run_cnt;
	sum->ns += info.run_time_ns;
	sum->missed += info.recursion_misses;
}
