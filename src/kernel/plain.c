// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/plain.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/root.h"

/* File systems whose files are the kernel's ears and mouths. */
static bool is_the_kernels(long type)
{
	static const unsigned long types[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, TRACEFS_MAGIC, DEBUGFS_MAGIC, SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
		BPF_FS_MAGIC, EFIVARFS_MAGIC, PSTOREFS_MAGIC, SELINUX_MAGIC, SMACK_MAGIC, BINFMTFS_MAGIC, DEVPTS_SUPER_MAGIC,
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((unsigned)type == (unsigned)types[i])
			return true;
	return false;
}

/* A descriptor that stands for the file without its having been opened; -errno. */
static int look(const char *path, int flags, bool kernels)
{
	struct stat st;
	struct statfs fs;
	int at = open(path, O_PATH | O_CLOEXEC | flags), err = at < 0 ? -errno : 0;
	if (!err && (fstat(at, &st) || fstatfs(at, &fs)))
		err = -errno;
	else if (!err && (!S_ISREG(st.st_mode) || (!kernels && is_the_kernels(fs.f_type))))
		err = -EINVAL;
	if (err && at >= 0)
		close(at);
	return err ? err : at;
}

static int open_looked(const char *path, int flags, bool kernels)
{
	struct stat st;
	int at = look(path, flags, kernels);
	if (at < 0)
		return at;
	int how = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, fd = open(root_own("fd/%d", at), how);
	if (fd < 0 && errno == ENOENT) /* no /proc here */
		fd = open(path, how | flags);
	int err = fd < 0 ? -errno : !fstat(fd, &st) && S_ISREG(st.st_mode) ? 0 : -EINVAL;
	close(at);
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

int plain_open(const char *path, int flags)
{
	return open_looked(path, flags, false);
}

static int read_looked(const char *path, bool kernels, struct str *s, size_t max)
{
	int fd = open_looked(path, 0, kernels);
	if (fd < 0)
		return fd;
	int err = file_read_fd(fd, s, max);
	close(fd);
	return err;
}

int plain_read(const char *path, struct str *s, size_t max)
{
	return read_looked(path, false, s, max);
}

int plain_or_kernels_read(const char *path, struct str *s, size_t max)
{
	return read_looked(path, true, s, max);
}

bool plain_or_absent(const char *path)
{
	int at = look(path, 0, false);
	if (at >= 0)
		close(at);
	return at != -EINVAL;
}
