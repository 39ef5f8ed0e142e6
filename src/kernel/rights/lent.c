// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/rights/lent.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/rights/caps.h"

/* perf_event_open and bpf take these, the last where the kernel has no others or accepts no others. */
static const uint64_t useful = CAP_BIT(CAP_PERFMON) | CAP_BIT(CAP_BPF) | CAP_BIT(CAP_SYS_ADMIN);
static bool is_lent, was_lent;

static int sets_get(struct __user_cap_data_struct d[2])
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	return syscall(SYS_capget, &h, d) ? -errno : 0;
}

/* Of the calling thread; what is raised is permitted already. */
static uint64_t set_effective(uint64_t want)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { 0 };
	if (sets_get(d))
		return 0;
	uint64_t before = d[0].effective | (uint64_t)d[1].effective << 32;
	for (int i = 0; i < 2; i++)
		d[i].effective = d[i].permitted & (uint32_t)(want >> 32 * i);
	syscall(SYS_capset, &h, d);
	return before;
}

/* A user or a group of files, unlike a capability, cannot be put out of effect for good and got back. */
static int refuse_set_uid(void)
{
	error_set(EPERM, "sonde runs with another user's or group's rights than its caller's (is it set-uid or set-gid?)");
	return error_hint("chmod u-s,g-s on it; capabilities can be lent safely: see doc/SECURITY.md");
}

/* The kernel sets AT_SECURE when a program gets more than its caller has: not for root, not for ambient capabilities. */
int lent_begin(void)
{
	struct __user_cap_data_struct d[2] = { 0 };
	if (!getauxval(AT_SECURE) || !getuid())
		return 0;
	if (getuid() != geteuid() || getgid() != getegid())
		return refuse_set_uid();
	if (sets_get(d) || !(d[0].permitted | d[1].permitted))
		return 0;
	int err = caps_drop_all_but(useful);
	if (err)
		return error_sys(err, "cannot give up capabilities that the caller has not");
	set_effective(0);
	is_lent = was_lent = !sets_get(d) && (d[0].permitted | d[1].permitted);
	if (!is_lent) /* nothing is left that the caller must not get at */
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return 0;
}

bool lent(void)
{
	return is_lent;
}

bool lent_once(void)
{
	return was_lent;
}

uint64_t lent_raise(void)
{
	return is_lent ? set_effective(useful) : 0;
}

void lent_lower(uint64_t before)
{
	int keep = errno;
	if (is_lent)
		set_effective(before);
	errno = keep;
}

/* Opening this file is PTRACE_MODE_ATTACH with the rights in effect: the caller's. Always the kernel's own /proc: a
 * folder that the caller mounts over it would be in a user namespace of his, where nothing is lent. */
bool lent_may_see(pid_t tid)
{
	char path[32];
	if (!is_lent)
		return true;
	uint64_t before = set_effective(0);
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	lent_lower(before);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int lent_refuse(pid_t tid)
{
	error_set(EPERM, "process %d is not yours to trace", (int)tid);
	error_hint("the capabilities of sonde's file are for your own programs, and for samples and counts of the whole machine");
	return error_hint("sudo sonde ... traces every process");
}

void lent_give_up(void)
{
	if (!is_lent || caps_drop_all_but(0))
		return;
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	is_lent = false;
}

pid_t lent_fork(void)
{
	int left[2];
	char c;
	if (!is_lent)
		return fork();
	if (pipe2(left, O_CLOEXEC))
		return -1;
	pid_t pid = fork();
	int err = errno;
	if (!pid)
		lent_give_up();
	close(left[1]);
	while (pid > 0 && read(left[0], &c, 1) < 0 && errno == EINTR)
		;
	close(left[0]);
	errno = err;
	return pid;
}
