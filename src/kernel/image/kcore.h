/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's own code. */
#ifndef KERNEL_IMAGE_KCORE_H
#define KERNEL_IMAGE_KCORE_H

/* Copies it from /proc/kcore into the folder dir, which is made, with the lists that name it: kcore (an ELF core file that has the
 * kernel's code and that of its modules), kallsyms and modules. -errno and a pending error; what was begun is removed. */
int kcore_copy(const char *dir);
#endif
