/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the file that holds a binary's symbols or DWARF: the binary itself, build-id under
 * /usr/lib/debug and ~/.debug, .gnu_debuglink, debuginfod when DEBUGINFOD_URLS is set. */
#ifndef SYMBOL_FILE_DEBUGFILE_H
#define SYMBOL_FILE_DEBUGFILE_H
#include "symbol/symbols.h"

int build_id_of_file(const char *path, struct build_id *id); /* -errno */
int build_id_of_kernel(struct build_id *id); /* the running one, /sys/kernel/notes */
int build_id_of_module(const char *name, struct build_id *id); /* /sys/module/NAME/notes */
int build_id_parse(const char *hex, struct build_id *id);
void build_id_hex(const struct build_id *id, char out[41]);
bool build_id_same(const struct build_id *a, const struct build_id *b); /* false when either is empty */

struct debugfile {
	char *path; /* owned; NULL when not found */
	struct str looked; /* every place tried, one per line, for messages */
	struct build_id other; /* of the file at the binary's own path when it is not the one asked for; n 0: none is */
	char *package; /* the kernel's: a Debian package that would help, or NULL (debugfile_package tells it of programs) */
};
/* want: 's' symbols (.symtab) or 'd' DWARF. 0 or -ENOENT (fields still tell where was looked). */
int debugfile_find(struct debugfile *d, const char *binary, const struct build_id *id, char want, const char *symfs);
int debugfile_kernel(struct debugfile *d, const char *vmlinux, char want); /* the running kernel's vmlinux */
void debugfile_release(struct debugfile *d);
/* A file that somebody brought along for that build-id: looked at before this machine's own debug files, until the end. */
void debugfile_give(const struct build_id *id, const char *path);
const char *debugfile_given(const struct build_id *id); /* NULL: none */

/* The same with all it may be asked. want also 'x': the mapped file itself (text and CFI). */
struct debugfile_query {
	const char *binary; /* NULL: only the build-id is known */
	const struct build_id *id; /* NULL or empty: not known, the file at the path is believed */
	char want;
	const char *symfs, *archive;
	int pid; /* > 0: /proc/PID/root is tried as well */
	bool offline; /* without a build-id, paths of this machine do not count */
};
int debugfile_search(struct debugfile *d, const struct debugfile_query *q);
/* vmlinux of a kernel by build-id and release (NULL: the running one's). */
struct kernel_query {
	const struct build_id *id;
	const char *release, *vmlinux; /* vmlinux: named by the user */
	char want;
	const char *symfs, *archive;
};
int debugfile_vmlinux(struct debugfile *d, const struct kernel_query *k);
/* Which Debian package would bring the debug file of that binary (coreutils-dbgsym, libc6-dbg); NULL when dpkg does not
 * know. Reads all of dpkg's lists: only for a message. */
char *debugfile_package(const char *binary);
/* Where this distribution keeps such packages and serves debug files. */
struct debugfile_source {
	char *archive; /* the line for apt, owned; NULL: not known */
	bool listed; /* apt knows it already */
	const char *server; /* debuginfod's URL; NULL: none known */
};
struct debugfile_source debugfile_source(void);
#endif
