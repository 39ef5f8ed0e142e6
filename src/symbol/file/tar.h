/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tar files through zstd: plain files with short names, which is all an archive holds. */
#ifndef SYMBOL_FILE_TAR_H
#define SYMBOL_FILE_TAR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every file costs the reader tens of microseconds to make and to remove: whoever packs more than anybody needs is refused. */
enum { TAR_NAME_MAX = 99, TAR_FILES_MAX = 20000 };

struct tar_writer;
struct tar_writer *tar_create(const char *path); /* NULL: pending error */
/* -errno with a pending error. A file that shrinks while it is read is filled up with zeros. */
int tar_add_file(struct tar_writer *w, const char *name, const char *path);
int tar_add_memory(struct tar_writer *w, const char *name, const void *p, size_t n);
uint64_t tar_bytes(const struct tar_writer *w); /* put in so far */
/* Ends the file; packed: its size. On failure it is removed. */
int tar_close(struct tar_writer *w, int err, uint64_t *packed);

/* Unpacks into folder. Names with anything but letters, digits, . _ - and single slashes are refused,
 * and so are whatever is not a plain file and more than TAR_FILES_MAX of them; empty ones are not made. Not a zstd file: -ENOEXEC. Pending error otherwise. */
int tar_unpack(const char *path, const char *folder, const char *first_name);
#endif
