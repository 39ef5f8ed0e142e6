/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own names. */
#ifndef SYMBOL_KERNEL_H
#define SYMBOL_KERNEL_H
#include "symbol/image.h"

/* Fills the kernel image's table: --kallsyms, -k, the archive, /proc/kallsyms of the same build,
 * perf's cache, vmlinux by build-id; sets reloc and why_no_symbols. */
void kernel_load(struct image *im);
/* Makes sure that the table covers addr: one from the cache has the kernel itself alone. */
void kernel_cover(struct image *im, uint64_t addr);
/* The running kernel's own symbols as they were kept in this boot: 0, or -ENOENT. */
int kallsyms_cache_load(struct symtab *t);
void kallsyms_cache_save(const struct symtab *t);
/* A module's table out of its file: addresses count from where it was loaded. */
void kmodule_load(struct image *im);
#endif
