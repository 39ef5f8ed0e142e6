// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/ptrace_attach.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"

/* A number from /proc/TID/status: "Tgid", "TracerPid", "Uid" (the real one). -1: not to be had. */
static long status_field(int tid, const char *field)
{
	struct str s = STR_INIT;
	long v = -1;
	size_t n = strlen(field);
	if (!file_read(root_path(ROOT_PROC, "%d/status", tid), &s, 1 << 16))
		for (const char *line = s.buf; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
			if (!strncmp(line, field, n) && line[n] == ':')
				v = strtol(line + n + 1, NULL, 10);
	str_release(&s);
	return v;
}

int ptrace_tgid(int tid)
{
	long v = status_field(tid, "Tgid");
	return v > 0 ? v : tid;
}

bool ptrace_default(int tid, int sig)
{
	struct str s = STR_INIT;
	bool plain = true;
	if (!file_read(root_path(ROOT_PROC, "%d/status", tid), &s, 1 << 16)) {
		const char *ignored = strstr(s.buf, "\nSigIgn:"), *caught = strstr(s.buf, "\nSigCgt:");
		uint64_t set = (ignored ? strtoull(ignored + 8, NULL, 16) : 0) | (caught ? strtoull(caught + 8, NULL, 16) : 0);
		plain = !(set >> (sig - 1) & 1);
	}
	str_release(&s);
	return plain;
}

int ptrace_threads(int pid, intlist *tids)
{
	DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
	struct dirent *e;
	if (!d) {
		error_set(errno == ENOENT ? ESRCH : errno, "there is no process %d", pid);
		return error_hint("it may have ended; pgrep -a NAME finds a process by its name");
	}
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			*vec_push(tids) = atoi(e->d_name);
	closedir(d);
	return 0;
}

static int64_t yama(void)
{
	int64_t scope = 0;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/yama/ptrace_scope"), &scope);
	return scope;
}

int ptrace_explain(int err, int tid)
{
	long tracer = status_field(tid, "TracerPid"), uid = status_field(tid, "Uid");
	if (err == ESRCH) {
		error_set(err, "there is no process %d", tid);
		return -err;
	}
	error_set(err, "cannot trace process %d", tid);
	if (tracer > 0)
		return error_hint("process %ld (gdb, strace?) traces it already: end that one first", tracer);
	if (uid >= 0 && uid != (long)getuid() && geteuid())
		return error_hint("it belongs to uid %ld, you are %d: run sonde as root", uid, (int)getuid());
	if (yama() == 1 && geteuid())
		return error_hint("kernel.yama.ptrace_scope is 1, only descendants may be traced: start the program under sonde, "
				  "run as root, or: sudo sysctl kernel.yama.ptrace_scope=0");
	if (yama() >= 2)
		return error_hint("kernel.yama.ptrace_scope is %d: %s", (int)yama(),
				  yama() == 2 ? "run as root, or: sudo sysctl kernel.yama.ptrace_scope=0" :
						"no ptrace until the next boot");
	return error_hint("the program may not be traced (it gained rights by set-uid, or a security module refuses): run as root");
}

bool ptrace_allowed(struct str *why)
{
	if (yama() >= 3 || (yama() == 2 && geteuid())) {
		str_addf(why, "kernel.yama.ptrace_scope is %d\n", (int)yama());
		str_add(why, yama() == 2 ? "run as root, or: sudo sysctl kernel.yama.ptrace_scope=0" : "it can be changed only by a reboot");
		return false;
	}
	return true;
}
