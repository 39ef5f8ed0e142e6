// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/module.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "base/file.h"
#include "base/str.h"
#include "kernel/plain.h"

enum { MODULE_MAX = 1 << 28, CHUNK = 1 << 16 };

char *module_name(const char *path)
{
	const char *base = strrchr(path, '/');
	base = base ? base + 1 : path;
	const char *ko = strstr(base, ".ko");
	char *name = xstrndup(base, ko ? (size_t)(ko - base) : strlen(base));
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

char *module_find(const char *name, const char *symfs, const char *release)
{
	struct utsname u;
	struct str s = STR_INIT;
	if (!release && uname(&u))
		return NULL;
	char *folder = xasprintf("%s/lib/modules/%s", symfs ? symfs : "", release ? release : u.release);
	char *path = xasprintf("%s/modules.dep", folder), *want = module_name(name), *found = NULL;
	if (!file_read(path, &s, 64 << 20)) {
		for (const char *p = s.buf; *p && !found;) {
			size_t line = strcspn(p, "\n"), n = strcspn(p, ":\n");
			char *rel = xstrndup(p, n), *own = module_name(rel);
			if (!strcmp(own, want))
				found = rel[0] == '/' ? xstrdup(rel) : xasprintf("%s/%s", folder, rel);
			free(own);
			free(rel);
			p += line + (p[line] == '\n');
		}
	}
	str_release(&s);
	free(want);
	free(path);
	free(folder);
	return found;
}

static int put(int fd, const void *p, size_t n, size_t *total)
{
	*total += n;
	if (*total > MODULE_MAX)
		return -EFBIG;
	while (n) {
		ssize_t k = write(fd, p, n);
		if (k < 0)
			return -errno;
		p = (const char *)p + k;
		n -= (size_t)k;
	}
	return 0;
}

static int unpack_xz(const void *in, size_t len, int fd)
{
	lzma_stream z = LZMA_STREAM_INIT;
	uint8_t *buf = xmalloc(CHUNK);
	size_t total = 0;
	int err = lzma_stream_decoder(&z, 256 << 20, 0) == LZMA_OK ? 0 : -ENOMEM;
	lzma_ret r = LZMA_OK;
	z.next_in = in;
	z.avail_in = len;
	while (!err && r == LZMA_OK) {
		z.next_out = buf;
		z.avail_out = CHUNK;
		r = lzma_code(&z, LZMA_FINISH);
		if (r != LZMA_OK && r != LZMA_STREAM_END)
			err = -EBADMSG;
		else
			err = put(fd, buf, CHUNK - z.avail_out, &total);
	}
	lzma_end(&z);
	free(buf);
	return err;
}

static int unpack_zstd(const void *in, size_t len, int fd)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer src = { in, len, 0 };
	uint8_t *buf = xmalloc(CHUNK);
	size_t total = 0, left = 1;
	int err = z ? 0 : -ENOMEM;
	while (!err && left) {
		ZSTD_outBuffer dst = { buf, CHUNK, 0 };
		size_t before = src.pos;
		left = ZSTD_decompressStream(z, &dst, &src);
		if (ZSTD_isError(left) || (left && src.pos == src.size && !dst.pos && before == src.pos))
			err = -EBADMSG;
		else
			err = put(fd, buf, dst.pos, &total);
	}
	ZSTD_freeDStream(z);
	free(buf);
	return err;
}

static int unpack_gz(int from, int fd)
{
	int own = dup(from);
	gzFile z = own < 0 ? NULL : gzdopen(own, "rb");
	uint8_t *buf = xmalloc(CHUNK);
	size_t total = 0;
	int err = z ? 0 : -ENOMEM, n;
	if (!z && own >= 0)
		close(own);
	while (!err && (n = gzread(z, buf, CHUNK)) != 0)
		err = n < 0 ? -EBADMSG : put(fd, buf, (size_t)n, &total);
	if (z && gzclose(z) != Z_OK && !err) /* Z_BUF_ERROR: the end is missing */
		err = -EBADMSG;
	free(buf);
	return err;
}

/* What .modinfo says behind a key, up to the first of the characters in end. */
static char *modinfo(Elf *elf, const char *key, const char *end)
{
	size_t names, k = strlen(key);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		Elf_Data *d = name && !strcmp(name, ".modinfo") ? elf_rawdata(scn, NULL) : NULL;
		for (size_t i = 0; d && d->d_buf && i < d->d_size;) {
			const char *p = (const char *)d->d_buf + i;
			size_t n = strnlen(p, d->d_size - i);
			if (n > k && !memcmp(p, key, k)) {
				char *value = xstrndup(p + k, n - k);
				value[strcspn(value, end)] = 0;
				return value;
			}
			i += n + 1;
		}
	}
	return NULL;
}

char *module_release(Elf *elf)
{
	return modinfo(elf, "vermagic=", " ");
}

char *module_own_name(Elf *elf)
{
	char *name = modinfo(elf, "name=", "");
	bool good = name && *name && strlen(name) < 64;
	for (const char *p = name; good && *p; p++)
		good = isalnum((unsigned char)*p) || *p == '_';
	if (!good) {
		free(name);
		name = NULL;
	}
	return name;
}

enum module_packing { PLAIN, XZ, GZIP, ZSTD };

/* By what it begins with, since caches of build-ids keep no endings. */
static enum module_packing packing_of(int fd)
{
	static const struct { enum module_packing how; size_t n; const char *begin; } row[] = {
		{ XZ, 6, "\xfd" "7zXZ" }, { GZIP, 2, "\x1f\x8b" }, { ZSTD, 4, "\x28\xb5\x2f\xfd" } };
	char head[6] = { 0 };
	ssize_t n = pread(fd, head, sizeof(head), 0);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		if (n >= (ssize_t)row[i].n && !memcmp(head, row[i].begin, row[i].n))
			return row[i].how;
	return PLAIN;
}

static bool is_named_packed(const char *path)
{
	return str_ends(path, ".xz") || str_ends(path, ".gz") || str_ends(path, ".zst");
}

/* Read, not mapped: it may shrink meanwhile. */
static int unpack(int from, enum module_packing how, int fd)
{
	struct str s = STR_INIT;
	if (how == GZIP)
		return unpack_gz(from, fd);
	int err = file_read_fd(from, &s, MODULE_MAX);
	if (!err)
		err = how == XZ ? unpack_xz(s.buf, s.len, fd) : unpack_zstd(s.buf, s.len, fd);
	str_release(&s);
	return err;
}

int module_open(const char *path)
{
	int fd = plain_open(path, 0);
	if (fd < 0)
		return fd == -EINVAL ? -ENOEXEC : fd;
	enum module_packing how = packing_of(fd);
	bool lies = how == PLAIN && is_named_packed(path);
	if (how == PLAIN && !lies)
		return fd;
	int to = lies ? -1 : memfd_create("module", MFD_CLOEXEC);
	int err = lies ? -EBADMSG : to < 0 ? -errno : unpack(fd, how, to);
	close(fd);
	if (err && to >= 0)
		close(to);
	return err ? err : to;
}
