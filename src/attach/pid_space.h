/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PID namespace that sonde runs in. Inside the kernel a thread has a number for each namespace that it lives in. */
#ifndef ATTACH_PID_SPACE_H
#define ATTACH_PID_SPACE_H
#include <stdbool.h>
#include <stdint.h>

bool pid_space_own(uint32_t *inode); /* 0: the first one. false: /proc does not say */
bool pid_space_shown(void); /* is /proc that of our own one? */

/* Where the kernel keeps the numbers: of a struct pid its depth and its numbers, of a struct pid_namespace its inode. */
struct pid_space_layout { uint32_t level, numbers, inode; };
int pid_space_layout(struct pid_space_layout *l); /* -errno, pending error */
#endif
