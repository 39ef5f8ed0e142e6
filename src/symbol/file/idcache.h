/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's cache of binaries by build-id, shared with perf:
 *     ~/.debug/usr/bin/ls/BUILDID/elf  (and debug, kallsyms, vdso, probes)
 *     ~/.debug/.build-id/ab/cdef...    a link to that folder */
#ifndef SYMBOL_FILE_IDCACHE_H
#define SYMBOL_FILE_IDCACHE_H
#include "base/str.h"
#include "symbol/symbols.h"

/* Where it is: ~/.debug, or the folder that was set; NULL when there is no home. Owned. */
char *idcache_root(void);
void idcache_set_root(const char *path); /* the first that is set stays; so must the string */
/* All: -errno with a pending error. */
int idcache_add(const char *path, bool again); /* with its debug file; again: even if it is there */
int idcache_remove(const char *path); /* the build-id that the file has now */
int idcache_purge(const char *path); /* every build-id it ever had; NULL: everything */
/* "BUILDID path" lines, sorted by build-id. */
int idcache_list(struct str *out);
bool idcache_has(const struct build_id *id);
#endif
