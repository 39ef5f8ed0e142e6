/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of ioctl's families share. */
#ifndef SYSCALL_IOCTL_IOCTL_H
#define SYSCALL_IOCTL_IOCTL_H
#include "syscall/table.h"

static inline uint8_t ioctl_type(uint32_t cmd) { return cmd >> 8; }
static inline unsigned ioctl_size(uint32_t cmd) { return cmd >> 16 & 0x3fff; }

/* The argument of an input device's command whose length is in its number. False: not known. */
bool v_evdev(struct dc *c, uint64_t addr);
#endif
