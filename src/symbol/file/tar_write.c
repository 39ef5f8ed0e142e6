// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/out.h"
#include "base/str.h"
#include "kernel/plain.h"
#include "symbol/file/tar.h"
#include "symbol/file/tar_header.h"

struct tar_writer {
	int fd;
	char *path;
	ZSTD_CStream *z;
	char *out;
	size_t out_cap;
	uint64_t bytes, packed;
	int err;
};

struct tar_writer *tar_create(const char *path)
{
	int fd = file_create(path, O_WRONLY, 0600);
	if (fd < 0)
		return NULL;
	struct tar_writer *w = xcalloc(1, sizeof(*w));
	w->fd = fd;
	w->path = xstrdup(path);
	w->z = ZSTD_createCStream();
	w->out_cap = ZSTD_CStreamOutSize();
	w->out = xmalloc(w->out_cap);
	ZSTD_CCtx_setParameter(w->z, ZSTD_c_compressionLevel, 3);
	ZSTD_CCtx_setParameter(w->z, ZSTD_c_checksumFlag, 1);
	return w;
}

/* An archive that is not whole is of no use: tar_close removes it. */
static int failed(struct tar_writer *w, int err)
{
	error_sys(err, "cannot write to %s", w->path);
	return err == ENOSPC || err == EDQUOT ? error_hint("the disk is full: choose another place with -o FILE") : out_explain(err);
}

static void write_all(struct tar_writer *w, size_t n)
{
	for (size_t done = 0; done < n && !w->err;) {
		ssize_t r = write(w->fd, w->out + done, n - done);
		if (r < 0 && errno != EINTR)
			w->err = failed(w, errno);
		if (r > 0)
			done += r;
	}
	w->packed += n;
}

static void put(struct tar_writer *w, const void *p, size_t n, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { p, n, 0 };
	size_t left;
	do {
		ZSTD_outBuffer out = { w->out, w->out_cap, 0 };
		left = ZSTD_compressStream2(w->z, &out, &in, end);
		if (ZSTD_isError(left)) {
			w->err = error_set(EIO, "cannot compress %s: %s", w->path, ZSTD_getErrorName(left));
			return;
		}
		write_all(w, out.pos);
	} while (!w->err && (in.pos < in.size || (end == ZSTD_e_end && left)));
	w->bytes += n;
}

static void put_header(struct tar_writer *w, const char *name, uint64_t size)
{
	struct tar_header h;
	tar_header_make(&h, name, size);
	put(w, &h, sizeof(h), ZSTD_e_continue);
}

static void put_padding(struct tar_writer *w, uint64_t size)
{
	static const char zero[512];
	if (size % 512)
		put(w, zero, 512 - size % 512, ZSTD_e_continue);
}

int tar_add_memory(struct tar_writer *w, const char *name, const void *p, size_t n)
{
	put_header(w, name, n);
	put(w, p, n, ZSTD_e_continue);
	put_padding(w, n);
	return w->err;
}

int tar_add_file(struct tar_writer *w, const char *name, const char *path)
{
	int fd = plain_open(path, 0);
	struct stat st;
	if (fd < 0 || fstat(fd, &st)) {
		int err = error_sys(fd < 0 ? -fd : errno, "cannot read %s", path);
		if (fd >= 0)
			close(fd);
		return err;
	}
	enum { BLOCK = 1 << 18 };
	char *block = xmalloc(BLOCK);
	put_header(w, name, st.st_size);
	for (uint64_t left = st.st_size; left && !w->err;) {
		size_t want = left < BLOCK ? left : BLOCK;
		ssize_t n = read(fd, block, want);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			w->err = error_sys(errno, "cannot read %s", path);
		if (n <= 0) { /* it shrank: the header already promised the size */
			memset(block, 0, want);
			n = want;
		}
		put(w, block, n, ZSTD_e_continue);
		left -= n;
	}
	put_padding(w, st.st_size);
	free(block);
	close(fd);
	return w->err;
}

uint64_t tar_bytes(const struct tar_writer *w)
{
	return w->bytes;
}

int tar_close(struct tar_writer *w, int err, uint64_t *packed)
{
	static const char zero[1024];
	if (!err && !w->err)
		put(w, zero, sizeof(zero), ZSTD_e_end);
	err = err ?: w->err;
	if (close(w->fd) && !err)
		err = failed(w, errno);
	if (err)
		unlink(w->path);
	*packed = w->packed;
	ZSTD_freeCStream(w->z);
	free(w->out);
	free(w->path);
	free(w);
	return err;
}
