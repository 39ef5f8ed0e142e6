// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes, memory, IPC, limits, scheduling, keys, bpf. Traced by interop/strace-*. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void processes(void)
{
	int st;
	struct rusage ru;
	siginfo_t si;
	pid_t p = fork();
	if (!p)
		_exit(3);
	waitpid(p, &st, 0);
	p = vfork();
	if (!p)
		_exit(0);
	wait4(p, &st, WNOHANG | __WALL, &ru);
	waitpid(p, &st, 0);
	p = fork();
	if (!p) {
		raise(SIGKILL);
		_exit(1);
	}
	waitid(P_PID, p, &si, WEXITED | WNOWAIT);
	wait4(p, &st, 0, &ru);
	waitid(P_ALL, 0, &si, WEXITED | WNOHANG);
	p = fork();
	if (!p) {
		raise(SIGSTOP);
		for (;;)
			pause();
	}
	waitpid(p, &st, WUNTRACED);
	kill(p, SIGCONT);
	waitpid(p, &st, WCONTINUED);
	kill(p, SIGKILL);
	waitpid(p, &st, 0);
	struct clone_args ca = { .exit_signal = SIGCHLD };
	p = syscall(SYS_clone3, &ca, sizeof(ca));
	if (!p)
		_exit(0);
	waitpid(-1, NULL, 0);
	p = fork();
	if (!p) {
		execl("/nonexistent", "a", "b c", NULL);
		execve("/bin/true", (char *[]){ "true", NULL }, (char *[]){ "A=1", "B=2", NULL });
	}
	waitpid(p, &st, 0);
	getpid(), getppid(), getpgrp(), getsid(0), getpgid(0), gettid();
	setpgid(0, 0);
	unshare(CLONE_FS);
	syscall(SYS_pidfd_open, getpid(), 0);
}

static void memory(void)
{
	void *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	mprotect(m, 4096, PROT_NONE);
	mprotect(m, 4096, PROT_READ | PROT_EXEC);
	madvise(m, 8192, MADV_DONTNEED);
	madvise(m, 8192, 999);
	m = mremap(m, 1 << 20, 1 << 19, MREMAP_MAYMOVE);
	msync(m, 4096, MS_SYNC | MS_INVALIDATE);
	mlock(m, 4096);
	munlock(m, 4096);
	mlockall(MCL_ONFAULT | MCL_CURRENT);
	munlockall();
	mmap((void *)0x10000, 4096, 7, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_POPULATE | MAP_STACK, -1, 0);
	mmap(NULL, 1 << 21, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << 26, -1, 0);
	munmap(m, 1 << 19);
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	void *s = shmat(id, NULL, SHM_RDONLY);
	struct shmid_ds ds;
	shmctl(id, IPC_STAT, &ds);
	shmdt(s);
	shmctl(id, IPC_RMID, NULL);
	id = semget(IPC_PRIVATE, 2, 0600);
	semctl(id, 0, SETVAL, 1);
	semop(id, (struct sembuf[]){ { 0, -1, SEM_UNDO | IPC_NOWAIT }, { 1, 1, 0 } }, 2);
	semctl(id, 0, GETVAL, 0);
	semctl(id, 0, IPC_RMID, 0);
	id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
	struct { long type; char text[64]; } mb = { 5, "a message" };
	msgsnd(id, &mb, 10, IPC_NOWAIT);
	msgrcv(id, &mb, 64, 0, MSG_NOERROR);
	msgctl(id, IPC_RMID, NULL);
	syscall(SYS_membarrier, 0, 0, 0);
	syscall(SYS_getrandom, &mb, 4, 1);



	return;
}

static void limits(void)
{
	struct rlimit r;
	struct rusage u;
	struct sysinfo si;
	struct utsname n;
	struct tms t;
	getrlimit(RLIMIT_NOFILE, &r);
	setrlimit(RLIMIT_CORE, &r);
	prlimit(0, RLIMIT_STACK, &(struct rlimit){ 8 << 20, RLIM_INFINITY }, &r);
	syscall(SYS_getrlimit, RLIMIT_AS, &r);
	getrusage(RUSAGE_SELF, &u);
	getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, 1);
	sysinfo(&si);
	uname(&n);
	times(&t);
	cpu_set_t c;
	sched_getaffinity(0, sizeof(c), &c);
	sched_setaffinity(0, sizeof(c), &c);
	struct sched_param sp = { 0 };
	sched_setscheduler(0, SCHED_BATCH, &sp);
	sched_getscheduler(0);
	sched_getparam(0, &sp);
	sched_get_priority_max(SCHED_FIFO);
	struct timespec ts;
	sched_rr_get_interval(0, &ts);
	sched_yield();
	struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t prio; uint64_t a, b, c; uint32_t d, e; } at = { 0 };
	syscall(SYS_sched_getattr, 0, &at, sizeof(at), 0);
	syscall(SYS_sched_setattr, 0, &at, 0);
	prctl(PR_SET_NAME, "exactly-fifteen");
	prctl(PR_SET_NAME, "a name that is longer than the kernel keeps");
	prctl(PR_SET_NAME, "renamed");
	char name[16];
	prctl(PR_GET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_GET_DUMPABLE);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN);
	int sig;
	prctl(PR_GET_PDEATHSIG, &sig);
	personality(0xffffffff);
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2];
	syscall(SYS_capget, &h, d);
	uid_t a, b, e;
	getresuid(&a, &b, &e);
	getresgid(&a, &b, &e);
	gid_t g[16];
	int ng = getgroups(16, g);
	setgroups(ng, g);
	setuid(getuid());
	setreuid(-1, -1);
	setresgid(-1, -1, -1);
	syscall(SYS_ioprio_get, 1, 0);
	syscall(SYS_getcpu, &a, &b, NULL);
	syscall(SYS_kcmp, getpid(), getpid(), 0, 1, 2);
}

static void kernel_things(void)
{
	union bpf_attr at = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1 };
	strcpy(at.map_name, "m");
	int fd = syscall(SYS_bpf, BPF_MAP_CREATE, &at, 72);
	memset(&at, 0, sizeof(at));
	at.map_fd = fd;
	syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &at, 32);
	syscall(SYS_bpf, 200, &at, 32);
	struct perf_event_attr pe = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(pe), .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IP, .disabled = 1, .exclude_kernel = 1 };
	syscall(SYS_perf_event_open, &pe, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	struct io_uring_params ip = { .flags = IORING_SETUP_CLAMP };
	syscall(SYS_io_uring_setup, 4, &ip);
	struct sock_filter f[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog fp = { 1, f };
	syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &(uint32_t){ SECCOMP_RET_TRAP });
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG, &fp);
	struct termios t;
	tcgetattr(0, &t);
	struct winsize ws;
	ioctl(0, TIOCGWINSZ, &ws);
	ioctl(0, 0x12345678, 9);
	ptrace(PTRACE_CONT, 999999, 0, SIGINT);
	ptrace(PTRACE_SETOPTIONS, 999999, 0, PTRACE_O_TRACEFORK);
	struct mq_attr ma = { .mq_maxmsg = 2, .mq_msgsize = 32 };
	mqd_t q = mq_open("/sonde-mq", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &ma);
	mq_send(q, "queued", 6, 3);
	char buf[32];
	unsigned prio;
	mq_receive(q, buf, 32, &prio);
	mq_getattr(q, &ma);
	mq_unlink("/sonde-mq");
	syscall(SYS_keyctl, 0, -3, 0);
	syscall(SYS_add_key, "user", "sonde", "payload", 7, -2);
	syscall(SYS_request_key, "user", "sonde-none", NULL, -2);
	syscall(SYS_rseq, NULL, 0, 0, 0);
	syscall(SYS_arch_prctl, 0x1003, &ma);
	syscall(SYS_set_robust_list, NULL, 24);
	void *head;
	size_t len;
	syscall(SYS_get_robust_list, 0, &head, &len);
	syscall(999, 1, 2, 3, 4, 5, 6);
}

int main(void)
{
	processes();
	memory();
	limits();
	kernel_things();
	return 0;
}
