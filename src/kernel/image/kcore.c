// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/image/kcore.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/root.h"

enum { LIST_MAX = 256 << 20, PIECES_MAX = 4096, PAGE = 4096, CHUNK = 1 << 20 };

/* Code that goes into the copy. */
struct kcore_piece { uint64_t start, end; off_t from; };
struct kcore {
	const char *dir;
	int in, out;
	Elf64_Ehdr head;
	VEC(Elf64_Phdr) segment;
	VEC(struct kcore_piece) piece;
};

static char *in_dir(const char *dir, const char *name)
{
	struct str s = STR_INIT;
	str_addf(&s, "%s/%s", dir, name);
	return str_detach(&s);
}

static int write_all(int fd, const void *data, size_t n)
{
	for (const char *at = data; n;) {
		ssize_t k = write(fd, at, n);
		if (k < 0 && errno != EINTR)
			return -errno;
		if (k > 0) {
			at += k;
			n -= k;
		}
	}
	return 0;
}

/* One of the kernel's lists; its text stays in s. */
static int copy_list(const struct kcore *c, const char *name, struct str *s)
{
	char *to = in_dir(c->dir, name);
	int err = file_read(root_path(ROOT_PROC, "%s", name), s, LIST_MAX), fd = -1;
	if (err)
		err = error_sys(-err, "cannot read the kernel's %s", name);
	else if ((fd = file_create(to, O_WRONLY | O_TRUNC, 0600)) < 0)
		err = fd;
	else if ((err = write_all(fd, s->buf, s->len)))
		err = error_sys(-err, "cannot write %s", to);
	if (fd >= 0 && close(fd) && !err)
		err = error_sys(errno, "cannot write %s", to);
	free(to);
	return err;
}

/* ---- which code ---- */

static void add_piece(struct kcore *c, uint64_t start, uint64_t end)
{
	start &= -(uint64_t)PAGE;
	end = (end + PAGE - 1) & -(uint64_t)PAGE;
	vec_each(&c->segment, p) {
		if (start < p->p_vaddr || start >= end || end - p->p_vaddr > p->p_memsz || c->piece.n >= PIECES_MAX)
			continue;
		*vec_push(&c->piece) = (struct kcore_piece){ start, end, (off_t)(p->p_offset + (start - p->p_vaddr)) };
		return;
	}
}

/* " T _stext": the address at the beginning of that line; 0: there is none, or it is hidden. */
static uint64_t address_of(const char *list, const char *what)
{
	const char *at = strstr(list, what);
	while (at && at > list && at[-1] != '\n')
		at--;
	return at ? strtoull(at, NULL, 16) : 0;
}

static int find_text(struct kcore *c, const char *kallsyms)
{
	uint64_t start = address_of(kallsyms, " T _stext\n"), end = address_of(kallsyms, " T _etext\n");
	if (!start || end <= start) {
		error_set(EPERM, "the kernel does not tell where its code is");
		return error_hint("sudo sysctl kernel.kptr_restrict=1, as root; sonde doctor tells");
	}
	add_piece(c, start, end);
	return c->piece.n ? 0 : error_set(ENODATA, "/proc/kcore has not the kernel's code");
}

/* "name size refs deps state 0xaddress" */
static void find_modules(struct kcore *c, const char *modules)
{
	for (const char *line = modules; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		unsigned long long size, addr;
		if (sscanf(line, "%*s %llu %*s %*s %*s %llx", &size, &addr) == 2 && addr && size < (1ull << 30))
			add_piece(c, addr, addr + size);
	}
}

/* ---- the copy ---- */

static int open_kcore(struct kcore *c)
{
	const char *path = root_path(ROOT_PROC, "kcore");
	c->in = open(path, O_RDONLY | O_CLOEXEC);
	if (c->in < 0) {
		int err = errno;
		error_sys(err, "cannot read /proc/kcore");
		return error_hint(err == ENOENT ? "this kernel was built without it (CONFIG_PROC_KCORE)" : "it takes root, and no lockdown");
	}
	if (pread(c->in, &c->head, sizeof(c->head), 0) != sizeof(c->head) || memcmp(c->head.e_ident, ELFMAG, SELFMAG) ||
	    c->head.e_ident[EI_CLASS] != ELFCLASS64 || c->head.e_phentsize != sizeof(Elf64_Phdr))
		return error_set(EINVAL, "/proc/kcore is not what it should be");
	for (int i = 0; i < c->head.e_phnum; i++) {
		Elf64_Phdr p;
		if (pread(c->in, &p, sizeof(p), (off_t)(c->head.e_phoff + i * sizeof(p))) != sizeof(p))
			break;
		if (p.p_type == PT_LOAD)
			*vec_push(&c->segment) = p;
	}
	return 0;
}

static int copy_piece(struct kcore *c, const struct kcore_piece *p, char *buf)
{
	for (uint64_t done = 0, size = p->end - p->start; done < size;) {
		size_t want = size - done < CHUNK ? size - done : CHUNK;
		ssize_t n = pread(c->in, buf, want, p->from + (off_t)done);
		if (n <= 0)
			return error_sys(n ? errno : EIO, "cannot read /proc/kcore");
		int err = write_all(c->out, buf, n);
		if (err)
			return error_sys(-err, "cannot write %s/kcore", c->dir);
		done += n;
	}
	return 0;
}

static int put_heads(struct kcore *c, uint64_t *total)
{
	struct str s = STR_INIT;
	Elf64_Ehdr e = c->head;
	uint64_t first = (sizeof(e) + c->piece.n * sizeof(Elf64_Phdr) + PAGE - 1) & -(uint64_t)PAGE, at = first;
	e.e_phoff = sizeof(e);
	e.e_phnum = c->piece.n;
	e.e_shoff = e.e_shnum = e.e_shstrndx = 0;
	str_addn(&s, &e, sizeof(e));
	vec_each(&c->piece, p) {
		Elf64_Phdr h = { .p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_offset = at, .p_vaddr = p->start, .p_filesz = p->end - p->start,
				 .p_memsz = p->end - p->start, .p_align = PAGE };
		str_addn(&s, &h, sizeof(h));
		at += h.p_filesz;
	}
	while (s.len < first)
		str_addc(&s, 0);
	*total = at;
	int err = write_all(c->out, s.buf, s.len);
	str_release(&s);
	return err ? error_sys(-err, "cannot write %s/kcore", c->dir) : 0;
}

static int copy_code(struct kcore *c)
{
	char *path = in_dir(c->dir, "kcore"), *buf = xmalloc(CHUNK);
	uint64_t total = 0;
	c->out = file_create(path, O_WRONLY | O_TRUNC, 0600);
	int err = c->out < 0 ? c->out : put_heads(c, &total);
	if (!err && file_room(c->out) < total)
		err = error_set(ENOSPC, "the kernel's code is not copied: the disk is nearly full");
	for (size_t i = 0; i < c->piece.n && !err; i++)
		err = copy_piece(c, &c->piece.at[i], buf);
	if (c->out >= 0 && close(c->out) && !err)
		err = error_sys(errno, "cannot write %s", path);
	free(path);
	free(buf);
	return err;
}

int kcore_copy(const char *dir)
{
	struct kcore c = { .dir = dir, .in = -1, .out = -1 };
	struct str kallsyms = STR_INIT, modules = STR_INIT;
	int err = open_kcore(&c);
	if (!err && (err = dir_make(dir)))
		err = error_sys(-err, "cannot make the folder %s", dir);
	if (!err)
		err = copy_list(&c, "kallsyms", &kallsyms) ?: copy_list(&c, "modules", &modules);
	if (!err)
		err = find_text(&c, kallsyms.buf);
	if (!err) {
		find_modules(&c, modules.buf);
		err = copy_code(&c);
	}
	if (err)
		dir_remove(dir);
	if (c.in >= 0)
		close(c.in);
	vec_release(&c.segment);
	vec_release(&c.piece);
	str_release(&kallsyms);
	str_release(&modules);
	return err;
}
