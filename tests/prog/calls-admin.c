// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls that administer: processes' settings, keys, quotas, mounts, IPC limits, names of memory and of files. Most are
 * refused, and what they were given is shown all the same. Traced by interop/strace.sh. */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fanotify.h>
#include <linux/io_uring.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/quota.h>
#include <linux/sched.h>
#include <linux/securebits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void settings(void)
{
	int n;
	char name[32];
	unsigned long long bits;
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_DUMPABLE, 7);
	prctl(PR_GET_DUMPABLE);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	prctl(PR_GET_PDEATHSIG, &n);
	prctl(PR_SET_SECUREBITS, SECBIT_KEEP_CAPS | SECBIT_NOROOT | 0x10000);
	prctl(PR_GET_SECUREBITS);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, 13, 0, 0);
	prctl(PR_MCE_KILL, PR_MCE_KILL_SET, PR_MCE_KILL_DEFAULT, 0, 0);
	prctl(PR_MCE_KILL_GET, 0, 0, 0, 0);
	prctl(PR_GET_TSC, &n);
	prctl(PR_SET_TIMERSLACK, 50000);
	prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
	prctl(PR_SET_NAME, "a name that is longer than it may be");
	prctl(PR_GET_NAME, name);
	prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, 0, 4096, "a name longer than sixteen");
	prctl(PR_SET_PTRACER, -1);
	prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0);
	prctl(0);
	syscall(SYS_arch_prctl, ARCH_GET_XCOMP_SUPP, &bits);
	syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, 18);
	syscall(SYS_kcmp, 1, 1, KCMP_FILE, 0, 1);
	syscall(SYS_membarrier, 99, 0, 0);
}

static void keys(void)
{
	char text[64];
	unsigned char caps[4];
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, ".a keyring that nobody may join");
	syscall(SYS_keyctl, KEYCTL_DESCRIBE, KEY_SPEC_PROCESS_KEYRING, NULL, 0);
	syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING, text, 0);
	syscall(SYS_keyctl, KEYCTL_SETPERM, KEY_SPEC_SESSION_KEYRING, 0x3f3f0001);
	syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", "a description that is long", 0);
	syscall(SYS_keyctl, KEYCTL_REJECT, 1, 5, EKEYREJECTED, KEY_SPEC_THREAD_KEYRING);
	syscall(SYS_keyctl, KEYCTL_SET_REQKEY_KEYRING, -1);
	syscall(SYS_keyctl, KEYCTL_MOVE, 1, 2, 3, KEYCTL_MOVE_EXCL);
	syscall(SYS_keyctl, KEYCTL_CAPABILITIES, caps, sizeof(caps));
}

static void mounts(void)
{
	struct if_dqblk limits = { .dqb_bhardlimit = 5, .dqb_valid = QIF_BLIMITS };
	struct if_dqinfo info = { .dqi_bgrace = 7, .dqi_valid = 1 };
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY, .attr_clr = MOUNT_ATTR_NOEXEC, .propagation = 1 << 18 };
	struct landlock_path_beneath_attr rule = { .allowed_access = LANDLOCK_ACCESS_FS_EXECUTE, .parent_fd = 7 };
	struct landlock_ruleset_attr set = { .handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE };
	struct { struct open_how how; uint64_t more; } how = { { .flags = O_CREAT, .mode = 0600, .resolve = RESOLVE_BENEATH }, 7 };
	syscall(SYS_quotactl, QCMD(Q_QUOTAON, USRQUOTA), "/dev/sonde-none", 2, "/some/file");
	syscall(SYS_quotactl, QCMD(Q_QUOTAOFF, GRPQUOTA), "/dev/sonde-none", 0, NULL);
	syscall(SYS_quotactl, QCMD(Q_SETQUOTA, USRQUOTA), "/dev/sonde-none", 1000, &limits);
	syscall(SYS_quotactl, QCMD(Q_SETINFO, USRQUOTA), "/dev/sonde-none", 0, &info);
	syscall(SYS_quotactl, QCMD(Q_GETINFO, USRQUOTA), "/dev/sonde-none", 0, &info);
	int fs = syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "size", "1m", 0);
	syscall(SYS_fsconfig, fs, FSCONFIG_SET_FLAG, "ro", NULL, 0);
	syscall(SYS_fsconfig, fs, FSCONFIG_SET_PATH, "source", "/a/path", AT_FDCWD);
	syscall(SYS_fsconfig, fs, FSCONFIG_SET_BINARY, "data", "\1\2\3", 3);
	syscall(SYS_fsconfig, fs, FSCONFIG_SET_FD, "fd", NULL, fs);
	syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	syscall(SYS_mount_setattr, -1, "x", AT_RECURSIVE, &attr, sizeof(attr));
	syscall(SYS_mount_setattr, -1, "x", 0, &attr, 8);
	syscall(SYS_openat2, -1, "x", &how, sizeof(how));
	syscall(SYS_openat2, -1, "x", &how, 8);
	syscall(SYS_landlock_create_ruleset, &set, 8, 1);
	syscall(SYS_landlock_add_rule, -1, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	syscall(SYS_fanotify_init, FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_REPORT_TID, O_RDONLY | O_LARGEFILE | 0x40000000);
	syscall(SYS_fanotify_mark, -1, FAN_MARK_ADD | FAN_MARK_MOUNT, FAN_OPEN | FAN_ONDIR | FAN_EVENT_ON_CHILD, FAN_NOFD, "x");
	swapon("/dev/sonde-none", SWAP_FLAG_PREFER | 5);
	syscall(SYS_reboot, 1, 2, 0xa1b2c3d4, "fast");
	syscall(SYS_reboot, 1, 2, 0, NULL);
	klogctl(10, NULL, 0);
	close(fs);
}

static void objects(void)
{
	char file[] = "sonde-calls.file", value[64], vec[4];
	struct { struct file_handle h; char room[128]; } handle = { .h.handle_bytes = 128 };
	int mount_id, nodes[2] = { 0, 0 }, status[2], fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	void *pages[2] = { map, map + 4096 };
	setxattr(file, "user.sonde", "value\0", 6, XATTR_CREATE);
	getxattr(file, "user.sonde", value, sizeof(value));
	getxattr(file, "user.sonde", NULL, 0);
	listxattr(file, value, sizeof(value));
	listxattr(file, NULL, 0);
	handle.h.handle_bytes = 0;
	name_to_handle_at(AT_FDCWD, file, &handle.h, &mount_id, 0);
	handle.h.handle_bytes = 128;
	name_to_handle_at(AT_FDCWD, "/proc/sys", &handle.h, &mount_id, AT_SYMLINK_FOLLOW);
	close(memfd_create("a name", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	memfd_create("huge", MFD_HUGETLB | 30u << 26);
	mincore(map, 8192, (unsigned char *)vec);
	syscall(SYS_move_pages, 0, 2, pages, nodes, status, 0);
	syscall(SYS_move_pages, 0, 2, pages, NULL, status, 0);
	fcntl(fd, F_GETLEASE);
	fcntl(fd, F_SETSIG, SIGUSR2);
	fcntl(fd, F_GETSIG);
	close(fd);
	unlink(file);
}

static void limits(void)
{
	union { struct msginfo msg; struct seminfo sem; struct shminfo shm; struct shm_info used; struct msqid_ds q; } u;
	syscall(SYS_msgctl, 0, 3, &u);
	syscall(SYS_semctl, 0, 0, 3, &u);
	syscall(SYS_shmctl, 0, 3, &u);
	int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
	msgctl(id, IPC_STAT, &u.q);
	msgctl(id, IPC_SET, &u.q);
	msgctl(id, IPC_RMID, NULL);
	shmget(1, 4096, SHM_HUGETLB | 21 << 26 | 0600);
}

static void rings(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_CQSIZE, .cq_entries = 8 };
	struct { struct io_uring_probe p; struct io_uring_probe_op op[4]; } probe;
	int fds[2] = { 0, -1 };
	char byte[16];
	struct iovec buffers[1] = { { byte, sizeof(byte) } };
	struct io_uring_files_update update = { .offset = 1, .fds = (uintptr_t)fds };
	struct io_uring_rsrc_update ring = { .offset = -1u, .data = 1 };
	int fd = syscall(SYS_io_uring_setup, 4, &p);
	memset(&probe, 0, sizeof(probe));
	syscall(SYS_io_uring_register, fd, IORING_REGISTER_PROBE, &probe, 4);
	syscall(SYS_io_uring_register, fd, IORING_REGISTER_FILES, fds, 2);
	syscall(SYS_io_uring_register, fd, IORING_REGISTER_FILES_UPDATE, &update, 1);
	syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, buffers, 1);
	syscall(SYS_io_uring_register, fd, IORING_UNREGISTER_BUFFERS, NULL, 0);
	syscall(SYS_io_uring_register, -1, IORING_REGISTER_RING_FDS, &ring, 1);
	syscall(SYS_io_uring_enter, fd, 0, 0, IORING_ENTER_GETEVENTS, NULL, 8);
	close(fd);
}

int main(void)
{
	settings();
	keys();
	mounts();
	objects();
	limits();
	rings();
	return 0;
}
