/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets and their addresses in words, for the names of descriptors. */
#ifndef SYSCALL_SOCKNAME_H
#define SYSCALL_SOCKNAME_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

const char *sock_kind(uint32_t family, uint32_t type); /* "TCP", "UNIX"; "socket" when there is no better word */
/* A sockaddr: "127.0.0.1:80", "[::1]:80", "/run/x", "@abstract"; empty when there is nothing to say. */
void sock_address(struct str *out, const uint8_t *p, size_t n);
bool sock_leaves_choice(const uint8_t *p, size_t n); /* port 0 (netlink: number 0): the kernel will choose one */
#endif
