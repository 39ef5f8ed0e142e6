/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a capture plan (syscall/plan.h) from user space with process_vm_readv: engine 3's half of
 * what the BPF program does in the kernel. One copier per call in progress; reset and reused. */
#ifndef ENGINE_COPIER_H
#define ENGINE_COPIER_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "base/vec.h"
#include "syscall/sysevent.h"
#include "syscall/plan.h"

struct copier_limits {
	unsigned string, data; /* bytes of a string or path; of a payload */
	bool environ; /* copy COPY_ENVIRON rows */
};
struct copier {
	uint64_t sp; /* the thread's stack pointer at entry, for COPY_STACK; 0 unknown */
	struct str arena; /* the bytes */
	VEC(struct copied) list; /* data is an offset into the arena */
	VEC(struct copied) view; /* what copier_list() gave out */
};
void copier_release(struct copier *c);
void copier_reset(struct copier *c);
/* What the plan wants at entry (at_exit false) or at exit (with ret). Calls by 32-bit programs have wide false. */
void copier_take(struct copier *c, int pid, const struct copy_plan *plan, const uint64_t args[6], int64_t ret,
		 bool at_exit, bool wide, const struct copier_limits *limits);
/* The list with its pointers in place; valid until the next call on c. */
struct copied *copier_list(struct copier *c, unsigned *n);
#endif
