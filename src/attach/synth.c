// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/synth.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/vec.h"
#include "kernel/bpf_programs.h"
#include "kernel/root.h"
#include "symbol/file/debugfile.h"

enum { PATH_LEN = 4096, MAPS_MAX = 64 << 20, CGROUP_DEPTH = 32 };

/* A record under construction: the longest is an MMAP2 with its path. */
struct synth_record {
	struct perf_event_header h;
	union {
		uint64_t w[8 + PATH_LEN / 8 + 2];
		uint32_t u[16];
	};
};

/* Ends the record with a text at byte offset at of the body, padded to a word; puts it. */
static int put_text(struct synth *s, struct synth_record *r, size_t at, const char *text)
{
	size_t n = strnlen(text, PATH_LEN);
	char *to = (char *)r->w + at;
	memcpy(to, text, n);
	memset(to + n, 0, 8 - n % 8);
	r->h.size = sizeof(r->h) + at + n + 8 - n % 8;
	return s->put(s->ctx, &r->h);
}

static void start(struct synth_record *r, uint32_t type, uint16_t misc)
{
	r->h = (struct perf_event_header){ .type = type, .misc = misc };
}

static void tell_build_id(struct synth *s, const char *path, const struct build_id *id, bool kernel)
{
	if (s->build_id && id && id->n)
		s->build_id(s->ctx, path, id, kernel);
}

/* ---- the kernel ---- */

/* The first of the symbols in kallsyms, which stand at its top; 0 when hidden or absent. */
static uint64_t kernel_start(void)
{
	struct str s = STR_INIT;
	uint64_t found = 0;
	int fd = open(root_path(ROOT_PROC, "kallsyms"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	file_read_fd(fd, &s, 256 << 10);
	close(fd);
	for (char *line = s.buf; line && *line && !found; line = strchr(line, '\n'), line += !!line) {
		unsigned long long addr;
		char name[128];
		if (sscanf(line, "%llx %*c %127s", &addr, name) == 2 && (!strcmp(name, "_text") || !strcmp(name, "_stext")))
			found = addr;
	}
	str_release(&s);
	return found;
}

/* Length of the kernel's code: from the memory map where it tells, else from kallsyms to its end. */
static uint64_t kernel_length(uint64_t start)
{
	struct str s = STR_INIT;
	unsigned long long a = 0, b = 0;
	if (!file_read(root_path(ROOT_PROC, "iomem"), &s, 4 << 20)) {
		const char *code = strstr(s.buf, ": Kernel code");
		while (code && code > s.buf && code[-1] != '\n')
			code--;
		if (code && sscanf(code, " %llx-%llx", &a, &b) == 2 && b > a) {
			str_release(&s);
			return b + 1 - a;
		}
	}
	str_clear(&s);
	file_read(root_path(ROOT_PROC, "kallsyms"), &s, 256 << 20);
	const char *end = strstr(s.buf, " _etext\n");
	while (end && end > s.buf && end[-1] != '\n')
		end--;
	if (end && sscanf(end, "%llx", &b) == 1 && b > start)
		a = b - start;
	str_release(&s);
	return a ? a : 16 << 20;
}

const char *synth_kernel_hidden(void)
{
	int64_t level = 0;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/kptr_restrict"), &level);
	if (kernel_start())
		return NULL;
	return level >= 2 ? "kernel.kptr_restrict is 2, which hides them from root too: sysctl kernel.kptr_restrict=0" :
	       level == 1 ? "kernel.kptr_restrict is 1: run as root, or: sudo sysctl kernel.kptr_restrict=0" :
			    "/proc/kallsyms shows zeros to this user: run as root";
}

static int put_kernel_map(struct synth *s, uint64_t start_at, uint64_t len, uint64_t pgoff, const char *name)
{
	struct synth_record r;
	start(&r, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	r.u[0] = (uint32_t)-1;
	r.u[1] = 0;
	r.w[1] = start_at;
	r.w[2] = len;
	r.w[3] = pgoff;
	return put_text(s, &r, 32, name);
}

/* kernel/net/foo.ko[.xz] of modules.dep for a module's name (where - and _ are one). */
static const char *module_path(const char *dep, const char *name, char *out, size_t n, const char *release)
{
	size_t len = strlen(name);
	for (const char *line = dep; line && *line; line = strchr(line, '\n'), line += !!line) {
		const char *end = line + strcspn(line, ":\n"), *base = end;
		while (base > line && base[-1] != '/')
			base--;
		size_t i = 0;
		while (i < len && base + i < end && (base[i] == '-' ? '_' : base[i]) == (name[i] == '-' ? '_' : name[i]))
			i++;
		if (i == len && !strncmp(base + i, ".ko", 3)) {
			snprintf(out, n, "/lib/modules/%s/%.*s", release, (int)(end - line), line);
			return out;
		}
	}
	snprintf(out, n, "[%s]", name);
	return out;
}

static int put_modules(struct synth *s)
{
	struct str list = STR_INIT, dep = STR_INIT;
	struct utsname u;
	int err = 0;
	if (uname(&u) || file_read(root_path(ROOT_PROC, "modules"), &list, 4 << 20))
		goto out;
	char *dep_path = xasprintf("/lib/modules/%s/modules.dep", u.release), path[PATH_LEN], name[128];
	file_read(dep_path, &dep, 32 << 20);
	free(dep_path);
	for (char *line = list.buf; line && *line && !err; line = strchr(line, '\n'), line += !!line) {
		unsigned long long size, addr;
		struct build_id id = { .n = 0 };
		if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &addr) != 3 || !addr)
			continue;
		module_path(dep.buf ? dep.buf : "", name, path, sizeof(path), u.release);
		err = put_kernel_map(s, addr, size, 0, path);
		if (s->build_id && !build_id_of_module(name, &id))
			tell_build_id(s, path, &id, true);
	}
out:
	str_release(&list);
	str_release(&dep);
	return err;
}

static int put_bpf_symbol(void *ctx, uint64_t addr, uint32_t len, const char *name)
{
	struct synth_record r;
	start(&r, PERF_RECORD_KSYMBOL, 0);
	r.w[0] = addr;
	r.u[2] = len;
	r.u[3] = PERF_RECORD_KSYMBOL_TYPE_BPF;
	return put_text(ctx, &r, 16, name);
}

int synth_kernel(struct synth *s)
{
	uint64_t from = kernel_start();
	struct build_id id = { .n = 0 };
	if (from) {
		int err = put_kernel_map(s, from, kernel_length(from), from, "[kernel.kallsyms]_text");
		if (err)
			return err;
	}
	if (s->build_id && !build_id_of_kernel(&id))
		tell_build_id(s, "[kernel.kallsyms]", &id, true);
	int err = from ? put_modules(s) : 0;
	return err ? err : bpf_programs_each(put_bpf_symbol, s);
}

/* ---- cgroups ---- */

static int put_cgroup(struct synth *s, uint64_t id, const char *path)
{
	struct synth_record r;
	start(&r, PERF_RECORD_CGROUP, 0);
	r.w[0] = id; /* the kernel's number of a cgroup is its folder's inode */
	return put_text(s, &r, 8, *path ? path : "/");
}

static int cgroup_tree(struct synth *s, const char *mount, const char *path, int depth)
{
	char *dir = xasprintf("%s%s", mount, path);
	struct stat st;
	DIR *d = depth < CGROUP_DEPTH ? opendir(dir) : NULL;
	int err = d && !fstat(dirfd(d), &st) ? put_cgroup(s, st.st_ino, path) : 0;
	for (struct dirent *e; d && !err && (e = readdir(d));) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		char *below = xasprintf("%s/%s", path, e->d_name);
		err = cgroup_tree(s, mount, below, depth + 1);
		free(below);
	}
	if (d)
		closedir(d);
	free(dir);
	return err;
}

int synth_cgroups(struct synth *s, const char *mount)
{
	return cgroup_tree(s, mount, "", 0);
}

/* ---- processes ---- */

static bool same_file(const char *path, uint64_t dev, uint64_t ino)
{
	struct stat st;
	return !stat(path, &st) && st.st_dev == dev && st.st_ino == ino;
}

const struct build_id *synth_file_build_id(struct synth *s, int pid, const char *path, uint64_t dev, uint64_t ino)
{
	uint64_t key = dev << 40 ^ ino;
	struct build_id *id = u64map_get(&s->files, key);
	if (!id) {
		id = xcalloc(1, sizeof(*id));
		u64map_set(&s->files, key, id);
		/* through the process's own root: it may live in a container; without the process if it has ended */
		if (build_id_of_file(root_path(ROOT_PROC, "%d/root%s", pid, path), id) &&
		    (!same_file(path, dev, ino) || build_id_of_file(path, id)))
			id->n = 0;
		error_clear();
	}
	return id->n ? id : NULL;
}

struct map_line { uint64_t from, to, pgoff, ino; unsigned major, minor, prot, flags; const char *path; };

/* "55..-55.. r-xp 00002000 fe:00 247241    /usr/bin/dd"; the line is cut at its end. */
static bool parse_map(char *line, struct map_line *m)
{
	unsigned long long from, to, off, ino;
	char perms[8];
	int at = 0;
	if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &from, &to, perms, &off, &m->major, &m->minor, &ino, &at) < 7)
		return false;
	m->from = from;
	m->to = to;
	m->pgoff = off;
	m->ino = ino;
	m->prot = (perms[0] == 'r') * PROT_READ | (perms[1] == 'w') * PROT_WRITE | (perms[2] == 'x') * PROT_EXEC;
	m->flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	m->path = at && line[at] ? line + at : "//anon";
	return true;
}

static int put_map(struct synth *s, int pid, const struct map_line *m)
{
	struct synth_record r;
	const struct build_id *id = NULL;
	start(&r, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (m->prot & PROT_EXEC ? 0 : PERF_RECORD_MISC_MMAP_DATA));
	r.u[0] = r.u[1] = pid;
	r.w[1] = m->from;
	r.w[2] = m->to - m->from;
	r.w[3] = m->pgoff;
	r.u[8] = m->major;
	r.u[9] = m->minor;
	r.w[5] = m->ino;
	r.w[6] = 0;
	if (m->ino && m->path[0] == '/' && (s->build_id_maps || s->build_id))
		id = synth_file_build_id(s, pid, m->path, makedev(m->major, m->minor), m->ino);
	if (id) {
		tell_build_id(s, m->path, id, false);
		if (s->build_id_maps) {
			uint8_t *b = (uint8_t *)(r.w + 4);
			r.h.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
			memset(b, 0, 24);
			b[0] = id->n;
			memcpy(b + 4, id->id, id->n);
		}
	}
	r.u[14] = m->prot;
	r.u[15] = m->flags;
	return put_text(s, &r, 64, m->path);
}

static int put_maps(struct synth *s, int pid)
{
	struct str text = STR_INIT;
	int err = 0;
	if (file_read(root_path(ROOT_PROC, "%d/maps", pid), &text, MAPS_MAX))
		goto out;
	for (char *line = text.buf, *next; line && *line && !err; line = next) {
		struct map_line m;
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (parse_map(line, &m) && (m.prot & PROT_EXEC || s->data_maps))
			err = put_map(s, pid, &m);
	}
out:
	str_release(&text);
	return err;
}

static int put_thread(struct synth *s, int pid, int tid, int ppid, const char *comm)
{
	struct synth_record r;
	bool leader = pid == tid;
	start(&r, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC);
	r.u[0] = pid;
	r.u[1] = leader ? ppid : pid;
	r.u[2] = tid;
	r.u[3] = leader ? ppid : pid;
	r.w[2] = 0;
	r.h.size = sizeof(r.h) + 24;
	int err = s->put(s->ctx, &r.h);
	if (err)
		return err;
	start(&r, PERF_RECORD_COMM, 0);
	r.u[0] = pid;
	r.u[1] = tid;
	return put_text(s, &r, 8, comm);
}

struct task_stat { char comm[64]; int ppid; long threads; };

/* Name, parent and number of threads, from one file. */
static int read_stat(int pid, int tid, struct task_stat *t)
{
	struct str s = STR_INIT;
	int err = file_read(root_path(ROOT_PROC, "%d/task/%d/stat", pid, tid), &s, 8192);
	char *open = err ? NULL : strchr(s.buf, '('), *close = err ? NULL : strrchr(s.buf, ')');
	if (!err && open && close > open &&
	    sscanf(close + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld", &t->ppid, &t->threads) == 2)
		snprintf(t->comm, sizeof(t->comm), "%.*s", (int)(close - open - 1), open + 1);
	else
		err = err ? err : -EINVAL;
	str_release(&s);
	return err;
}

static int put_other_threads(struct synth *s, int pid)
{
	DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
	int err = 0;
	if (!d)
		return 0;
	for (struct dirent *e; !err && (e = readdir(d));) {
		struct task_stat t;
		int tid = atoi(e->d_name);
		if (tid > 0 && tid != pid && !read_stat(pid, tid, &t))
			err = put_thread(s, pid, tid, t.ppid, t.comm);
	}
	closedir(d);
	return err;
}

int synth_name(struct synth *s, int pid)
{
	struct task_stat t;
	return read_stat(pid, pid, &t) ? 0 : put_thread(s, pid, pid, t.ppid, t.comm);
}

int synth_process(struct synth *s, int pid)
{
	struct task_stat t;
	if (read_stat(pid, pid, &t))
		return 0;
	int err = put_thread(s, pid, pid, t.ppid, t.comm);
	if (!err && t.threads != 1)
		err = put_other_threads(s, pid);
	return err || s->no_maps ? err : put_maps(s, pid);
}

struct kin { int pid, ppid; bool root; };
typedef VEC(struct kin) kin_list;

/* Whether one of a's ancestors is a root; each process has one parent, so this ends. */
static bool descends(const kin_list *l, const struct u64map *by_pid, const struct kin *a)
{
	for (size_t hops = 0; hops <= l->n; hops++) {
		const struct kin *parent = u64map_get(by_pid, (uint64_t)a->ppid);
		if (!parent)
			return false;
		if (parent->root)
			return true;
		a = parent;
	}
	return false;
}

static int list_kin(kin_list *l)
{
	DIR *d = opendir(root_path(ROOT_PROC, "."));
	if (!d)
		return error_sys(errno, "cannot list the processes in /proc");
	for (struct dirent *e; (e = readdir(d));) {
		struct task_stat t;
		int pid = atoi(e->d_name);
		if (pid > 0 && !read_stat(pid, pid, &t))
			*vec_push(l) = (struct kin){ .pid = pid, .ppid = t.ppid };
	}
	closedir(d);
	return 0;
}

int synth_all(struct synth *s)
{
	DIR *d = opendir(root_path(ROOT_PROC, "."));
	int err = 0;
	if (!d)
		return error_sys(errno, "cannot list the processes in /proc");
	for (struct dirent *e; !err && (e = readdir(d));)
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
			err = synth_process(s, atoi(e->d_name));
	closedir(d);
	return err;
}

int synth_tree(struct synth *s, const int *roots, size_t n)
{
	kin_list all = { 0 };
	struct u64map by_pid = { 0 };
	int err = list_kin(&all);
	vec_each(&all, k)
		u64map_set(&by_pid, (uint64_t)k->pid, k);
	for (size_t i = 0; i < n; i++) {
		struct kin *k = u64map_get(&by_pid, (uint64_t)roots[i]);
		if (k)
			k->root = true;
	}
	for (size_t i = 0; !err && i < all.n; i++)
		if (all.at[i].root || descends(&all, &by_pid, &all.at[i]))
			err = synth_process(s, all.at[i].pid);
	u64map_release(&by_pid);
	vec_release(&all);
	return err;
}

void synth_release(struct synth *s)
{
	size_t cursor = 0;
	void *id;
	while (u64map_next(&s->files, &cursor, NULL, &id))
		free(id);
	u64map_release(&s->files);
}
