/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a program finds out that a system call is a 32-bit one, whose number means another call. */
#ifndef SCRIPT_PROVIDER_COMPAT_H
#define SCRIPT_PROVIDER_COMPAT_H
enum { COMPAT_STATUS = 2 }; /* the bit of thread_info.status */
/* Where the word thread_info.status is in a task, from the kernel's own types (some milliseconds, once); -1: nobody can tell. */
int compat_status_at(void);
#endif
