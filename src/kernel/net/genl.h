/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generic netlink's families: numbers that the kernel gives out, and their names. */
#ifndef KERNEL_NET_GENL_H
#define KERNEL_NET_GENL_H
#include <stdint.h>

/* The name of a family; NULL: unknown. The kernel is asked once. */
const char *genl_family(uint16_t id);
#endif
