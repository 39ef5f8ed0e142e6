/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file with a recording and all that naming its addresses takes, to be read on another machine.
 *
 * It is a tar file packed by zstd (`tar --zstd -tf` shows it):
 *     sonde-archive                "sonde archive 1\n", always first
 *     perf.data                    the recording
 *     .build-id/ab/cdef.../elf     a binary;  .../debug its debug file;  .../kallsyms the kernel's names
 *     build-ids                    "BUILDID path" lines, for files whose build-id the recording lacks
 *     files/HASH                   what has no build-id, by the hash of its path (perf-PID.map, [vdso]) */
#ifndef SYMBOL_FILE_ARCHIVE_H
#define SYMBOL_FILE_ARCHIVE_H
#include <stdint.h>
#include "symbol/symbols.h"

struct archive {
	char *data; /* path of the recording; owned */
	char *folder; /* for symbols_options.archive; owned. Removed by archive_close or at exit */
};
/* 0: unpacked. -ENOEXEC without a pending error: that is no archive, read the path as it is.
 * Other -errno: pending error. */
int archive_open(struct archive *a, const char *path, bool force); /* force: another user's too */
void archive_close(struct archive *a);

struct archive_stats { unsigned files; uint64_t bytes, packed; };
/* Writes data and every file behind the dsos of s that a frame was resolved in. Pending error. */
int archive_write(const char *path, const char *data, struct symbols *s, struct archive_stats *stats);

/* "FOLDER/files/HASH" for a path without build-id; the caller frees. */
char *archive_file(const char *folder, const char *path);
/* Tells s the build-ids listed in an unpacked archive (symbols_new does). */
void archive_build_ids(const char *folder, struct symbols *s);
#endif
