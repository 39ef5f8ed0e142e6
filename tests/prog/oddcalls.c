// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes every system call once with odd arguments: each number in a child of its own, so that whatever
 * it does to the process does not matter. Calls that could touch the machine or wait for long are left
 * out. usage: oddcalls ROUND [FIRST [LAST]]; rounds differ in what is odd about the arguments. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What changes the machine, other processes or never returns. */
static const int left_out[] = {
	SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_swapon, SYS_swapoff,
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
	SYS_sethostname, SYS_setdomainname, SYS_iopl, SYS_ioperm, SYS_acct, SYS_quotactl, SYS_quotactl_fd, SYS_syslog, SYS_vhangup,
	SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal, SYS_ptrace, SYS_pause,
	SYS_rt_sigsuspend, SYS_rt_sigreturn, SYS_fork, SYS_vfork, SYS_clone, SYS_clone3, SYS_exit, SYS_exit_group, SYS_execve,
	SYS_execveat, SYS_select, SYS_pselect6, SYS_poll, SYS_ppoll, SYS_nanosleep, SYS_clock_nanosleep, SYS_futex, SYS_bpf,
	SYS_sched_setscheduler, SYS_sched_setattr, SYS_setpriority, SYS_ioprio_set, SYS_unlink, SYS_rmdir, SYS_rename, SYS_sync,
	SYS_syncfs, SYS_nfsservctl, SYS_modify_ldt, SYS_setns, SYS_unshare, SYS_seccomp, SYS_prctl, SYS_arch_prctl, SYS_munmap,
	SYS_mprotect, SYS_brk, SYS_mremap, SYS_mmap, SYS_process_vm_writev, SYS_process_madvise, SYS_userfaultfd, SYS_fsconfig,
	SYS_move_mount, SYS_mount_setattr, SYS_open_tree, SYS_fsmount, SYS_fspick, SYS_perf_event_open, SYS_wait4, SYS_waitid,
	SYS_semtimedop, SYS_rt_sigtimedwait, SYS_setsid, SYS_setpgid, SYS_mlockall, SYS_remap_file_pages, SYS_shmat, SYS_madvise,
	SYS_prlimit64, SYS_setrlimit, SYS_alarm, SYS_setitimer, SYS_personality, SYS_rseq, SYS_set_robust_list, SYS_set_tid_address,
	SYS_io_uring_enter, SYS_landlock_restrict_self, SYS_migrate_pages, SYS_move_pages, SYS_add_key, SYS_keyctl, SYS_request_key,
	SYS_restart_syscall, SYS_close_range, SYS_shmctl, SYS_msgctl, SYS_semctl, SYS_shmget, SYS_msgget, SYS_semget, SYS_semop,
	SYS_sched_setaffinity, SYS_sched_setparam, SYS_process_mrelease, SYS_chmod, SYS_chown, SYS_lchown, 335, 336, 462, 453 /* uretprobe, uprobe, mseal, map_shadow_stack */,
};

static uint64_t odd[6];

static void choose(int round, int nr)
{
	static char text[4096];
	static uint64_t numbers[512];
	memset(text, 'A', sizeof(text) - 1);
	text[0] = '/', text[1] = '\n', text[2] = '\x1b', text[3] = '"';
	for (int i = 0; i < 512; i++)
		numbers[i] = 0x0101010101010101ull * (i + nr) * 7919 | 0x80; /* never an absolute path */
	char *edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(edge + 4096, 4096, PROT_NONE);
	memset(edge, 0x41, 4096);
	for (int i = 0; i < 6; i++) {
		switch (round) {
		case 0: odd[i] = 0; break;
		case 1: odd[i] = (uint64_t)-1; break;
		case 2: odd[i] = 0xdeadbeef00000000ull + i; break;
		case 3: odd[i] = i == 0 ? 9 : (uintptr_t)numbers + 8 * i; break;
		case 4: odd[i] = i == 1 ? (uintptr_t)text : i == 2 ? 0x7fffffff : i; break;
		case 5: odd[i] = i & 1 ? (uintptr_t)edge + 4090 : 77 + i; break;
		case 6: odd[i] = (uintptr_t)edge + 4095 - i; break;
		default: odd[i] = (uintptr_t)text; break;
		}
	}
}

static int skipped(int nr)
{
	for (unsigned i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (left_out[i] == nr)
			return 1;
	return 0;
}

static void child(int round, int nr)
{
	struct rlimit none = { 0, 0 }, files = { 64, 64 };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_FSIZE, &none);
	setrlimit(RLIMIT_NOFILE, &files);
	alarm(2);
	choose(round, nr);
	syscall(nr, odd[0], odd[1], odd[2], odd[3], odd[4], odd[5]);
	_exit(0);
}

int main(int argc, char **argv)
{
	int round = argc > 1 ? atoi(argv[1]) : 0, first = argc > 2 ? atoi(argv[2]) : 0, last = argc > 3 ? atoi(argv[3]) : 475;
	if (chdir("/proc/self/fdinfo"))
		return 1;
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	close(0);
	for (int nr = first; nr <= last; nr++) {
		if (skipped(nr))
			continue;
		pid_t p = fork();
		if (!p)
			child(round, nr);
		int st;
		waitpid(p, &st, 0);
	}
	return 0;
}
