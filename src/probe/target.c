// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/target.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/words.h"
#include "kernel/plain.h"
#include "kernel/root.h"
#include "probe/def.h"
#include "symbol/file/module.h"
#include "symbol/btf.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/debuginfod.h"
#include "symbol/dwarf/dwarf.h"

static bool is_file(const char *path, const struct stat *want)
{
	struct stat st;
	return !stat(path, &st) && st.st_dev == want->st_dev && st.st_ino == want->st_ino;
}

/* The path by which we, and the kernel on our behalf, reach what another process calls so. */
static char *find_as_seen_by(int pid, const char *name)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	char *root = xstrdup(root_path(ROOT_PROC, "%d/root", pid)), link[PATH_MAX], *found = NULL;
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = dir < 0 ? -1 : (int)syscall(SYS_openat2, dir, name, &how, sizeof(how));
	int err = errno;
	struct stat st;
	if (fd >= 0 && !fstat(fd, &st)) {
		ssize_t n = readlink(root_own("fd/%d", fd), link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = 0;
		found = xasprintf("%s%s", root, link);
		if (!is_file(found, &st)) { /* a changed root, no other namespace */
			free(found);
			found = is_file(link, &st) ? xstrdup(link) : NULL;
		}
	}
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	free(root);
	errno = err;
	return found;
}

static char *resolve_path(const char *path, int ns_pid)
{
	int pid;
	const char *theirs = ns_pid ? NULL : root_split_process(path, &pid);
	if (theirs) {
		ns_pid = pid; /* a link that no text can follow */
		path = theirs;
	}
	return ns_pid ? find_as_seen_by(ns_pid, path) : realpath(path, NULL);
}

/* A name without a slash that is no file here is looked up as the shell would. */
static char *find_exec(const char *name, const char *symfs, int ns_pid)
{
	char *full = symfs && *symfs ? xasprintf("%s/%s", symfs, name) : xstrdup(name);
	char *real = resolve_path(full, ns_pid);
	free(full);
	if (real || strchr(name, '/'))
		return real;
	wordlist dirs = { 0 };
	wordlist_split(&dirs, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin", ':');
	for (size_t i = 0; i < dirs.n && !real; i++) {
		full = xasprintf("%s/%s", dirs.at[i], name);
		real = !ns_pid && access(full, X_OK) ? NULL : resolve_path(full, ns_pid);
		free(full);
	}
	wordlist_release(&dirs);
	return real;
}

static int open_elf(struct probe_target *t)
{
	GElf_Ehdr eh;
	elf_version(EV_CURRENT);
	t->fd = t->user ? plain_open(t->path, 0) : module_open(t->path);
	if (t->fd == -EBADMSG)
		return error_set(EBADMSG, "cannot unpack '%s': it is damaged or cut short", t->path);
	if (t->fd < 0 && t->fd != -EINVAL)
		return error_sys(-t->fd, "cannot open '%s'", t->path);
	if (t->fd < 0)
		return error_set(EINVAL, "'%s' is not a regular file", t->path);
	t->elf = elf_begin(t->fd, ELF_C_READ_MMAP, NULL);
	if (!t->elf || elf_kind(t->elf) != ELF_K_ELF || !gelf_getehdr(t->elf, &eh))
		return error_set(ENOEXEC, "'%s' is not an ELF file (a program, a library or a module)", t->path);
	return 0;
}

static int open_user(struct probe_target *t)
{
	int pid = t->options.ns_pid;
	t->user = true;
	t->path = find_exec(t->options.exec, t->options.symfs, pid);
	if (!t->path && pid) {
		int err = errno;
		error_sys(err, "cannot find '%s' as process %d sees it", t->options.exec, pid);
		return err == EACCES || err == EPERM ? error_hint("run as root, or as the owner of that process") : -err;
	}
	if (!t->path) {
		int err = error_sys(ENOENT, "cannot find '%s'", t->options.exec);
		bool library = !strchr(t->options.exec, '/') && strstr(t->options.exec, ".so");
		return library ? error_hint("libraries go by their path, which ldconfig -p and ldd PROGRAM tell") : err;
	}
	return open_elf(t);
}

static int open_kernel(struct probe_target *t)
{
	t->live = !t->options.vmlinux;
	if (!t->options.vmlinux)
		return 0;
	t->path = realpath(t->options.vmlinux, NULL);
	if (!t->path)
		return error_sys(errno, "cannot find '%s'", t->options.vmlinux);
	return open_elf(t);
}

static bool module_loaded(const char *name)
{
	return file_exists(root_path(ROOT_SYS, "module/%s", name));
}

/* A file may be called anything; the kernel knows the module by the name that is in it. */
static int open_module_file(struct probe_target *t)
{
	int err = open_elf(t);
	char *own = err ? NULL : module_own_name(t->elf);
	if (own) {
		free(t->module);
		t->module = own;
		t->live = module_loaded(own);
	}
	return err;
}

/* By name: a loaded module, or one of the running kernel's files. By path: that file. */
static int open_module(struct probe_target *t)
{
	const char *m = t->options.module;
	bool by_path = strchr(m, '/') || strstr(m, ".ko");
	t->module = module_name(m);
	t->live = module_loaded(t->module);
	t->path = by_path ? realpath(m, NULL) : module_find(m, NULL, NULL);
	if (t->path && t->live && !by_path && access(t->path, F_OK)) {
		free(t->path);
		t->path = NULL;
	}
	if (t->path)
		return open_module_file(t);
	if (by_path || !t->live) {
		error_set(ENOENT, "there is no module '%s'", m);
		return error_hint("'lsmod' lists those that are loaded; others by path: -m /lib/modules/.../NAME.ko");
	}
	return 0; /* loaded, its file is gone: kallsyms knows it */
}

int probe_target_open(struct probe_target *t, const struct probe_target_options *o)
{
	int err;
	memset(t, 0, sizeof(*t));
	t->fd = -1;
	t->options = *o;
	if (o->exec)
		err = open_user(t);
	else if (o->module)
		err = open_module(t);
	else
		err = open_kernel(t);
	if (err)
		probe_target_release(t);
	return err;
}

void probe_target_release(struct probe_target *t)
{
	elfsyms_release(&t->syms);
	elfsyms_release(&t->debug_syms);
	dwarf_file_close(t->dwarf);
	btf_kernel_close(t->btf);
	if (t->elf)
		elf_end(t->elf);
	if (t->fd >= 0)
		close(t->fd);
	free(t->path);
	free(t->module);
	free(t->dwarf_why);
	free(t->dwarf_hint);
	memset(t, 0, sizeof(*t));
	t->fd = -1;
}

int probe_target_symbols(struct probe_target *t)
{
	int err = 0;
	if (t->have_syms)
		return 0;
	if (!t->user && t->live && (!t->module || !t->elf))
		err = elfsyms_add_kallsyms(&t->syms, t->module);
	else if (t->elf)
		elfsyms_add_elf(&t->syms, t->elf);
	t->have_syms = !err || err == -EPERM;
	return t->have_syms ? 0 : err;
}

/* ---- debug information ---- */

static void remember_why(struct probe_target *t, const struct debugfile *d)
{
	const char *what = t->path ? t->path : t->module ? t->module : "the running kernel";
	t->dwarf_why = xasprintf("there is no debug information for %s", what);
	if (d->package)
		t->dwarf_hint = xasprintf("package %s would bring it (apt install %s)", d->package, d->package);
	else if (!t->user)
		t->dwarf_hint = xasprintf("install the kernel's debug package, or name its vmlinux with -k FILE");
}

static int find_module_debug(struct probe_target *t, struct debugfile *d)
{
	struct build_id id = { .n = 0 };
	char *self = xstrdup(root_own("fd/%d", t->fd));
	if (build_id_of_file(self, &id) && t->live)
		(void)build_id_of_module(t->module, &id);
	int err = debugfile_find(d, self, &id, 'd', t->options.symfs);
	free(self);
	if (!err)
		return 0;
	debugfile_release(d);
	*d = (struct debugfile){ .looked = STR_INIT };
	return debugfile_find(d, t->path, &id, 'd', t->options.symfs);
}

static int find_debug_file(struct probe_target *t, struct debugfile *d)
{
	struct build_id id = { .n = 0 };
	if (!t->user && !t->module)
		return debugfile_kernel(d, t->options.vmlinux, 'd');
	if (!t->path)
		return -ENOENT;
	if (!t->user) /* perhaps unpacked */
		return find_module_debug(t, d);
	(void)build_id_of_file(t->path, &id);
	return debugfile_find(d, t->path, &id, 'd', t->options.symfs);
}

int probe_target_dwarf(struct probe_target *t)
{
	struct debugfile d = { .looked = STR_INIT };
	if (t->dwarf || t->dwarf_err)
		return t->dwarf ? 0 : t->dwarf_err;
	int err = find_debug_file(t, &d);
	if (!err) {
		note(1, "debug information from %s", d.path);
		err = dwarf_file_open(&t->dwarf, d.path, t->user ? t->elf : NULL);
	}
	error_clear();
	if (err) {
		remember_why(t, &d);
		note(2, "looked at: %s", d.looked.buf);
	}
	t->dwarf_err = err;
	debugfile_release(&d);
	return err;
}

struct elfsyms *probe_target_debug_symbols(struct probe_target *t)
{
	if (t->user)
		return probe_target_symbols(t) ? NULL : &t->syms;
	if (!t->have_debug_syms && t->dwarf) {
		elfsyms_add_elf(&t->debug_syms, dwarf_file_elf(t->dwarf));
		t->have_debug_syms = true;
	}
	return t->dwarf ? &t->debug_syms : NULL;
}

/* A module's types go on where those of its own kernel end: over any other kernel's they would mean anything. */
static int refuse_foreign_types(struct probe_target *t)
{
	struct utsname u;
	char *release = t->module && t->elf && !t->options.vmlinux ? module_release(t->elf) : NULL;
	bool foreign = release && !uname(&u) && strcmp(release, u.release);
	if (foreign) {
		free(t->dwarf_why);
		free(t->dwarf_hint);
		t->dwarf_why = xasprintf("%s is built for kernel %s and has no debug information of its own", t->path, release);
		t->dwarf_hint = xasprintf("its types need that kernel's vmlinux: -k FILE (this kernel is %s)", u.release);
	}
	free(release);
	return foreign ? -EXDEV : 0;
}

int probe_target_btf(struct probe_target *t)
{
	if (t->user)
		return -ENOENT;
	if (t->btf)
		return 0;
	if (refuse_foreign_types(t))
		return -EXDEV;
	char *self = t->fd >= 0 ? xstrdup(root_own("fd/%d", t->fd)) : NULL;
	int err = btf_kernel_open(&t->btf, t->module, self, t->options.vmlinux);
	free(self);
	return err;
}

int probe_target_no_dwarf(struct probe_target *t)
{
	error_set(ENODATA, "%s", t->dwarf_why ? t->dwarf_why : "there is no debug information");
	char *package = t->dwarf_hint || !t->path ? NULL : debugfile_package(t->path);
	if (package)
		error_hint("package %s would bring it (apt install %s)", package, package);
	else
		error_hint("%s", t->dwarf_hint ? t->dwarf_hint :
			   debuginfod_loads() ? "build it with -g, or set DEBUGINFOD_URLS" : "build it with -g");
	free(package);
	const char *remedy, *why = debuginfod_unasked(&remedy);
	if (why)
		error_hint("no debuginfod server was asked, %s: %s", why, remedy);
	return -ENODATA;
}

void probe_target_in(const struct probe_target *t, struct probe_def *d)
{
	struct stat st;
	d->user = true;
	d->target = xstrdup(t->path);
	if (fstat(t->fd, &st))
		return;
	d->dev = st.st_dev;
	d->ino = st.st_ino;
	d->mtime = st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
}

int probe_target_offset(const struct probe_target *t, uint64_t addr, uint64_t *off)
{
	size_t n;
	GElf_Phdr ph;
	if (!t->elf || elf_getphdrnum(t->elf, &n))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(t->elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (addr >= ph.p_vaddr && addr - ph.p_vaddr < ph.p_memsz) {
			*off = addr - ph.p_vaddr + ph.p_offset;
			return 0;
		}
	}
	return -ERANGE;
}

int probe_target_addr(const struct probe_target *t, uint64_t off, uint64_t *addr)
{
	size_t n;
	GElf_Phdr ph;
	if (!t->elf || elf_getphdrnum(t->elf, &n))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(t->elf, (int)i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		if (off >= ph.p_offset && off - ph.p_offset < ph.p_filesz) {
			*addr = off - ph.p_offset + ph.p_vaddr;
			return 0;
		}
	}
	return -ERANGE;
}

bool probe_target_is_go(const struct probe_target *t)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	if (!t->elf || elf_getshdrstrndx(t->elf, &names))
		return false;
	while ((scn = elf_nextscn(t->elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(t->elf, names, sh.sh_name) : NULL;
		if (name && (!strcmp(name, ".gopclntab") || !strcmp(name, ".note.go.buildid")))
			return true;
	}
	return false;
}
