// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls on files with many kinds of arguments, the same at every run. Traced by interop/strace-*. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

int main(void)
{
	char dir[] = "/tmp/sonde-calls.dir", buf[256];
	struct stat st;
	struct statfs fs;
	struct statx sx;
	mkdir(dir, 0755);
	if (chdir(dir))
		return 1;
	int fd = open("a", O_RDWR | O_CREAT | O_TRUNC, 0640);
	write(fd, "hello\nworld\t\"q\"\\ \1\0017\xff", 20);
	pwrite(fd, "abc", 3, 100);
	pread(fd, buf, 10, 2);
	lseek(fd, 0, SEEK_SET);
	lseek(fd, -3, SEEK_END);
	lseek(fd, 0, SEEK_DATA);
	struct iovec v[3] = { { "one", 3 }, { "two-two", 7 }, { NULL, 0 } };
	writev(fd, v, 3);
	v[0] = (struct iovec){ buf, 5 }, v[1] = (struct iovec){ buf + 5, 100 };
	lseek(fd, 0, SEEK_SET);
	readv(fd, v, 2);
	preadv(fd, v, 2, 1);
	pwritev2(fd, v, 2, 3, RWF_DSYNC);
	fstat(fd, &st);
	stat("a", &st);
	lstat("/dev/null", &st);
	stat("/nonexistent", &st);
	syscall(SYS_stat, "a", &st);
	syscall(SYS_lstat, "/dev/null", &st);
	syscall(SYS_fstat, fd, &st);
	statx(AT_FDCWD, "a", AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_BTIME, &sx);
	statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &sx);
	statfs("/proc", &fs);
	fstatfs(fd, &fs);
	fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
	fcntl(fd, F_GETFD);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_GETFD);
	int d2 = fcntl(fd, F_DUPFD_CLOEXEC, 20);
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 10 };
	fcntl(fd, F_SETLK, &l);
	fcntl(fd, F_GETLK, &l);
	l.l_type = F_UNLCK;
	fcntl(fd, F_SETLKW, &l);
	l.l_pid = 0;
	fcntl(fd, F_OFD_SETLK, &l);
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_GETOWN);
	struct f_owner_ex ox = { F_OWNER_TID, 1 };
	fcntl(fd, F_GETOWN_EX, &ox);
	fcntl(fd, F_SETSIG, SIGUSR1);
	fcntl(fd, F_GETPIPE_SZ);
	fcntl(fd, 999, 5);
	flock(fd, LOCK_EX | LOCK_NB);
	flock(fd, LOCK_UN);
	dup(fd);
	dup2(fd, 30);
	dup3(fd, 31, O_CLOEXEC);
	syscall(SYS_close_range, 30, 31, 0);
	syscall(SYS_close_range, 20, 20, 4);
	close(d2);
	close(d2);
	fsync(fd);
	fdatasync(fd);
	ftruncate(fd, 1000);
	truncate("a", 2000);
	fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0, 100);
	posix_fadvise(fd, 0, 100, POSIX_FADV_SEQUENTIAL);
	readahead(fd, 0, 4096);
	sync_file_range(fd, 0, 100, SYNC_FILE_RANGE_WRITE);
	off_t off = 3;
	int out = open("b", O_WRONLY | O_CREAT | O_EXCL | O_SYNC | O_NOFOLLOW, 0600);
	sendfile(out, fd, &off, 50);
	loff_t in = 0, to = 10;
	copy_file_range(fd, &in, out, &to, 20, 0);
	int p[2];
	pipe(p);
	pipe2(p, O_CLOEXEC | O_NONBLOCK);
	in = 0;
	splice(fd, &in, p[1], NULL, 30, SPLICE_F_MOVE | SPLICE_F_MORE);
	tee(p[0], p[1], 10, SPLICE_F_NONBLOCK);
	vmsplice(p[1], (struct iovec[]){ { "xyz", 3 } }, 1, 0);
	fcntl(p[1], F_SETPIPE_SZ, 65536);
	access("a", R_OK | W_OK);
	access("a", F_OK);
	faccessat(AT_FDCWD, "a", X_OK, 0);
	syscall(SYS_faccessat2, AT_FDCWD, "a", R_OK, AT_EACCESS);
	chmod("a", 04755);
	fchmod(fd, 0);
	fchmodat(AT_FDCWD, "a", 01644, 0);
	chown("a", -1, 0);
	fchown(fd, 0, -1);
	lchown("a", 0, 0);
	fchownat(AT_FDCWD, "a", 0, 0, AT_SYMLINK_NOFOLLOW);
	symlink("a", "s");
	symlink("/a/link/that/leads/to/a/place/farther/than/thirty-two/bytes", "far");
	readlink("far", buf, sizeof(buf));
	unlink("far");
	readlink("s", buf, sizeof(buf));
	readlinkat(AT_FDCWD, "s", buf, 1);
	readlink("a", buf, sizeof(buf));
	link("a", "h");
	linkat(AT_FDCWD, "s", AT_FDCWD, "h2", AT_SYMLINK_FOLLOW);
	rename("h", "h3");
	renameat(AT_FDCWD, "h3", AT_FDCWD, "h4");
	syscall(SYS_renameat2, AT_FDCWD, "h4", AT_FDCWD, "h2", 2);
	unlink("h4");
	unlinkat(AT_FDCWD, "h2", 0);
	mkdirat(AT_FDCWD, "d", 0700);
	unlinkat(AT_FDCWD, "d", AT_REMOVEDIR);
	mknod("f", S_IFIFO | 0600, 0);
	mknod("n", S_IFCHR | 0600, makedev(1, 3));
	unlink("f");
	unlink("n");
	struct utimbuf ub = { 1000000000, 1100000000 };
	utime("a", &ub);
	struct timeval tv[2] = { { 1000000000, 5 }, { 1, 0 } };
	syscall(SYS_utimes, "a", tv);
	syscall(SYS_utimes, "a", NULL);
	struct timespec ts[2] = { { 0, UTIME_NOW }, { 0, UTIME_OMIT } };
	utimensat(AT_FDCWD, "a", ts, 0);
	ts[0] = (struct timespec){ 1234567890, 123456789 };
	utimensat(AT_FDCWD, "a", ts, AT_SYMLINK_NOFOLLOW);
	futimens(fd, NULL);
	setxattr("a", "user.x", "val\0ue", 6, XATTR_CREATE);
	fsetxattr(fd, "user.y", "v", 1, XATTR_REPLACE);
	getxattr("a", "user.x", buf, sizeof(buf));
	getxattr("a", "user.x", NULL, 0);
	getxattr("a", "user.none", buf, sizeof(buf));
	listxattr("a", buf, sizeof(buf));
	removexattr("a", "user.x");
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	syscall(SYS_openat2, AT_FDCWD, "a", &how, sizeof(how));
	how = (struct open_how){ .flags = O_CREAT | O_WRONLY, .mode = 0644 };
	syscall(SYS_openat2, AT_FDCWD, "c", &how, sizeof(how));
	creat("c", 0666);
	int df = open(".", O_RDONLY | O_DIRECTORY);
	openat(df, "c", O_PATH);
	open(".", O_TMPFILE | O_RDWR, 0600);
	open((char *)1, O_RDONLY);
	open(NULL, O_WRONLY | O_ASYNC | 0x10000000);
	DIR *dd = opendir(".");
	while (readdir(dd))
		;
	closedir(dd);
	syscall(SYS_getdents, df, buf, sizeof(buf));
	fchdir(df);
	getcwd(buf, sizeof(buf));
	syscall(SYS_getcwd, buf, 2);
	umask(077);
	umask(022);
	int ino = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	inotify_add_watch(ino, ".", IN_MODIFY | IN_CREATE | IN_ONLYDIR);
	inotify_rm_watch(ino, 1);
	inotify_rm_watch(ino, 77);
	mount("none", "/nonexistent", "tmpfs", MS_NOSUID | MS_NODEV, "size=1k");
	umount2("/nonexistent", MNT_DETACH | UMOUNT_NOFOLLOW);
	int m = syscall(SYS_memfd_create, "sealed", 3);
	fcntl(m, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	fcntl(m, F_GET_SEALS);
	struct { struct file_handle h; char b[128]; } fh = { .h.handle_bytes = 128 };
	int mid;
	name_to_handle_at(AT_FDCWD, "a", &fh.h, &mid, 0);
	chroot("/nonexistent");
	syscall(SYS_pivot_root, "/nonexistent1", "/nonexistent2");
	sync();
	syncfs(fd);
	system("rm -rf /tmp/sonde-calls.dir");
	return 0;
}
