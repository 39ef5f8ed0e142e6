/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc tells of a process or thread. */
#ifndef KERNEL_TASK_PROCESS_H
#define KERNEL_TASK_PROCESS_H
#include <stdbool.h>
bool process_comm(int tid, char comm[16]); /* its name, padded with zeros; false: it is gone, and comm as it was */
int process_parent(int pid); /* the process that it is a child of; 0: it has none in our sight, or is gone */
int process_of(int tid); /* that has this thread; 0: it is gone */
/* The own address of a socket that a process has, as a struct sockaddr of so many bytes (IPv4 and IPv6). 0: it is of another
 * kind, has none yet, or that cannot be found out. */
unsigned process_socket(int pid, int fd, void *addr, unsigned size);
#endif
