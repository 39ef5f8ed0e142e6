/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a socket is, by its inode: the tables in /proc/PID/net of the process that has it (so of its network namespace),
 * and for the other ends of UNIX sockets the kernel's socket diagnosis, which knows only our own namespace. */
#ifndef KERNEL_NET_SOCKETS_H
#define KERNEL_NET_SOCKETS_H
#include <stdint.h>

struct socket_name {
	const char *kind; /* "TCP", "UDPv6", "UNIX", "NETLINK", "PACKET" */
	int protocol; /* of a netlink socket; -1: another */
	char *local, *peer; /* "127.0.0.1:80", "/run/x"; NULL: none, or not known */
};
struct sockets;
struct sockets *sockets_new(void);
void sockets_free(struct sockets *s);
/* The tables are read when an inode is not known yet, at most twice a second for each namespace. NULL: not to be had.
 * Valid until the next call. */
const struct socket_name *sockets_find(struct sockets *s, int pid, uint64_t inode);
#endif
