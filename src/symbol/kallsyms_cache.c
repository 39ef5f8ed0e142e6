// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel takes some 40 ms to print /proc/kallsyms, which is a good part of a short report. Its own
 * symbols stay where they are until the next boot, so they are kept in one file of the user's cache: the
 * sorted lines, then the boot's id and the first page of /proc/kallsyms (which tells whether this user may
 * see addresses now). Modules and BPF programs come and go and are not kept: an address outside the kernel
 * itself makes the caller read all of /proc/kallsyms. */
#include "symbol/kernel.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/map.h"
#include "kernel/root.h"

enum { HEAD = 4096, CACHE_MAX = 64 << 20 };

/* Behind the lines, so that they are used where they were read. */
struct trailer {
	char magic[16], boot[40];
	uint64_t text, sum; /* address of _text; hash of the lines */
	char head[HEAD];
};
static const char magic[16] = "sonde kallsyms 1";

static int make_trailer(struct trailer *h)
{
	struct str boot = STR_INIT;
	int err = file_read(root_path(ROOT_PROC, "sys/kernel/random/boot_id"), &boot, 4096);
	int fd = err ? -1 : open(root_path(ROOT_PROC, "kallsyms"), O_RDONLY | O_CLOEXEC);
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, magic, sizeof(magic));
	if (!err)
		memcpy(h->boot, boot.buf, boot.len < sizeof(h->boot) ? boot.len : sizeof(h->boot));
	str_release(&boot);
	ssize_t n = fd < 0 ? -1 : read(fd, h->head, HEAD);
	if (fd >= 0)
		close(fd);
	return n > 0 ? 0 : -ENOENT;
}

static int open_own(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid())) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

static bool is_of_now(const struct trailer *kept, const struct str *all)
{
	struct trailer now;
	return !make_trailer(&now) && !memcmp(kept->magic, now.magic, sizeof(now.magic)) &&
	       !memcmp(kept->boot, now.boot, sizeof(now.boot)) && !memcmp(kept->head, now.head, HEAD) &&
	       kept->sum == hash_bytes(all->buf, all->len - sizeof(now), kept->text);
}

int kallsyms_cache_load(struct symtab *t)
{
	struct trailer kept;
	struct str path = STR_INIT, all = STR_INIT;
	int err = dir_cache(&path);
	if (!err)
		str_add(&path, "/kallsyms");
	int fd = err ? -1 : open_own(path.buf);
	str_release(&path);
	if (fd < 0)
		return -ENOENT;
	str_grow(&all, 8 << 20);
	err = file_read_fd(fd, &all, CACHE_MAX);
	close(fd);
	if (!err && all.len > sizeof(kept))
		memcpy(&kept, all.buf + all.len - sizeof(kept), sizeof(kept));
	if (err || all.len <= sizeof(kept) || !is_of_now(&kept, &all)) {
		str_release(&all);
		return -ENOENT;
	}
	size_t n = all.len - sizeof(kept);
	err = symtab_load_kallsyms(t, str_detach(&all), n);
	t->text = kept.text;
	return err;
}

static int write_all(const char *path, const struct trailer *h, const struct str *lines)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	bool good = write(fd, lines->buf, lines->len) == (ssize_t)lines->len && write(fd, h, sizeof(*h)) == (ssize_t)sizeof(*h);
	return close(fd) || !good ? -EIO : 0;
}

void kallsyms_cache_save(const struct symtab *t)
{
	struct trailer h;
	struct str dir = STR_INIT, lines = STR_INIT;
	if (!t->text || dir_cache(&dir) || dir_make(dir.buf) || make_trailer(&h)) {
		str_release(&dir);
		return;
	}
	char *path = xasprintf("%s/kallsyms", dir.buf), *own = xasprintf("%s.%d", path, (int)getpid());
	str_grow(&lines, 8 << 20);
	for (size_t i = 0; i < t->sym.n; i++)
		if (!t->sym.at[i].module)
			str_addf(&lines, "%016llx t %s\n", (unsigned long long)t->sym.at[i].start, t->sym.at[i].name);
	h.text = t->text;
	h.sum = hash_bytes(lines.buf, lines.len, h.text);
	if (write_all(own, &h, &lines) || rename(own, path))
		unlink(own);
	free(own);
	free(path);
	str_release(&lines);
	str_release(&dir);
}
