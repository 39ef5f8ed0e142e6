/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel modules as files: found by name, unpacked when compressed. */
#ifndef SYMBOL_FILE_MODULE_H
#define SYMBOL_FILE_MODULE_H
#include <libelf.h>
/* "nf-tables.ko.xz" and "nf_tables" are the same module: its name as the kernel has it. Owned. */
char *module_name(const char *path_or_name);
/* The file of a module, from the modules.dep of a release below symfs (NULL: the running kernel's, no
 * prefix). Owned; NULL: not found. */
char *module_find(const char *name, const char *symfs, const char *release);
/* Opens it, unpacked into memory when it is xz, gzip or zstd: a descriptor, or -errno, -EBADMSG when it
 * is damaged or cut short. */
int module_open(const char *path);
/* The kernel it was built for ("6.1.0-54-cloud-amd64", from its vermagic). Owned; NULL: it does not say. */
char *module_release(Elf *elf);
/* The name that the kernel gives it, whatever its file is called. Owned; NULL: it does not say. */
char *module_own_name(Elf *elf);
#endif
