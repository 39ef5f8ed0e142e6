// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading does not trust the file: names are bounded and plain, folders are made one by one below the
 * given one, files are created with O_EXCL and O_NOFOLLOW, and no more comes out than RATIO_MAX times
 * what went in. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include "base/error.h"
#include "base/str.h"
#include "symbol/file/tar.h"
#include "symbol/file/tar_header.h"

enum { RATIO_MAX = 2000 };

struct tar_reader {
	const char *path;
	int fd;
	ZSTD_DStream *z;
	char *in_buf;
	ZSTD_inBuffer in;
	uint64_t taken, given;
};

/* n bytes, or -errno with a pending error; 0 only at a clean end when nothing was read yet. */
static int get(struct tar_reader *r, void *to, size_t n)
{
	ZSTD_outBuffer out = { to, n, 0 };
	while (out.pos < n) {
		size_t before = out.pos;
		size_t left = ZSTD_decompressStream(r->z, &out, &r->in);
		if (ZSTD_isError(left))
			return error_set(EBADMSG, "%s is damaged at offset %llu: %s", r->path, (unsigned long long)r->taken, ZSTD_getErrorName(left));
		r->given += out.pos - before;
		if (r->given > (r->taken + 4096) * RATIO_MAX)
			return error_set(EFBIG, "%s unpacks to more than %d times its size", r->path, RATIO_MAX);
		if (r->in.pos < r->in.size || out.pos > before)
			continue;
		ssize_t got = read(r->fd, r->in_buf, ZSTD_DStreamInSize());
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_sys(errno, "cannot read %s", r->path);
		if (!got)
			return error_set(EBADMSG, "%s is cut off at offset %llu", r->path, (unsigned long long)r->taken);
		r->in = (ZSTD_inBuffer){ r->in_buf, got, 0 };
		r->taken += got;
	}
	return 0;
}

static bool plain_name(const char *name)
{
	enum { DEEP = 4 }; /* .build-id/25/84.../elf; each folder is opened for each file */
	size_t n = strlen(name), deep = 0;
	if (!n || n > TAR_NAME_MAX || name[0] == '/' || name[n - 1] == '/')
		return false;
	for (const char *p = name; *p; p++) {
		if (!isalnum((unsigned char)*p) && !strchr("._-/", *p))
			return false;
		if ((p == name || p[-1] == '/') && (p[0] == '/' || (p[0] == '.' && (p[1] == '.' || p[1] == '/' || !p[1]))))
			return false;
		deep += *p == '/';
	}
	return deep <= DEEP;
}

/* Creates the file below dir, making folders on the way. */
static int create_below(int dir, const char *name)
{
	int at = dup(dir), fd = -1;
	const char *part = name;
	for (const char *slash; at >= 0 && (slash = strchr(part, '/')); part = slash + 1) {
		char folder[TAR_NAME_MAX + 1];
		memcpy(folder, part, slash - part);
		folder[slash - part] = 0;
		int next = mkdirat(at, folder, 0700) && errno != EEXIST ? -1 : openat(at, folder, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	if (at >= 0) {
		fd = openat(at, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		int err = errno;
		close(at);
		errno = err;
	}
	return fd;
}

static int unpack_one(struct tar_reader *r, int dir, const char *name, uint64_t size)
{
	enum { BLOCK = 1 << 18 };
	int fd = create_below(dir, name), err = 0;
	if (fd < 0)
		return error_sys(errno, "cannot unpack %s of %s", name, r->path);
	char *block = xmalloc(BLOCK);
	for (uint64_t left = size; left && !err;) {
		size_t n = left < BLOCK ? left : BLOCK;
		err = get(r, block, n);
		for (size_t done = 0; !err && done < n;) {
			ssize_t put = write(fd, block + done, n - done);
			if (put < 0 && errno != EINTR)
				err = error_sys(errno, "cannot unpack %s of %s", name, r->path);
			if (put > 0)
				done += put;
		}
		left -= n;
	}
	free(block);
	if (close(fd) && !err)
		err = error_sys(errno, "cannot unpack %s of %s", name, r->path);
	char skip[512];
	return err || size % 512 == 0 ? err : get(r, skip, 512 - size % 512);
}

static int unpack_all(struct tar_reader *r, int dir, const char *first_name)
{
	static const char zero[512];
	for (int files = 0;; files++) {
		struct tar_header h;
		uint64_t size;
		int err = get(r, &h, sizeof(h));
		if (err) {
			if (!files) {
				error_clear();
				return -ENOEXEC;
			}
			return err;
		}
		if (!memcmp(&h, zero, sizeof(h)))
			return 0;
		if (!tar_header_check(&h, &size))
			return files ? error_set(EBADMSG, "%s is damaged: the header of file %d is wrong", r->path, files + 1) : -ENOEXEC;
		if (!files && strcmp(h.name, first_name))
			return -ENOEXEC;
		if (files == TAR_FILES_MAX)
			return error_set(EBADMSG, "%s is no archive of sonde: it holds more than %d files", r->path, TAR_FILES_MAX);
		if ((h.type != '0' && h.type) || !plain_name(h.name))
			return error_set(EBADMSG, "%s is no archive of sonde: it holds '%.99s'", r->path, h.name);
		err = size || !files ? unpack_one(r, dir, h.name, size) : 0; /* an empty one has no names in it */
		if (err)
			return err;
	}
}

int tar_unpack(const char *path, const char *folder, const char *first_name)
{
	struct tar_reader r = { .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (r.fd < 0)
		return error_sys(errno, "cannot open %s", path);
	int dir = open(folder, O_DIRECTORY | O_RDONLY | O_CLOEXEC), err;
	r.z = ZSTD_createDStream();
	ZSTD_DCtx_setParameter(r.z, ZSTD_d_windowLogMax, 27);
	r.in_buf = xmalloc(ZSTD_DStreamInSize());
	err = dir < 0 ? error_sys(errno, "cannot open %s", folder) : unpack_all(&r, dir, first_name);
	ZSTD_freeDStream(r.z);
	free(r.in_buf);
	if (dir >= 0)
		close(dir);
	close(r.fd);
	return err;
}
