/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control groups by their numbers. */
#ifndef KERNEL_CGROUP_H
#define KERNEL_CGROUP_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

/* Appends the path of a cgroup below /sys/fs/cgroup (nothing for the root) by its number, which is its folder's inode.
 * False: there is none, and path is as it was. */
bool cgroup_path(uint64_t id, struct str *path);
#endif
