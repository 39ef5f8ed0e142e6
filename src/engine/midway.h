/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call that a thread was in before anybody watched, as /proc tells it, and what its arguments point to now: the
 * nearest to its entry that can still be had. */
#ifndef ENGINE_MIDWAY_H
#define ENGINE_MIDWAY_H
#include "engine/copier.h"

struct midway {
	enum sys_abi abi;
	int nr;
	uint64_t args[6];
	struct copier copy; /* of the memory that the kernel reads */
};
/* False: the thread runs, or may not be looked at. limits NULL: no memory. Zero m before its first use. */
bool midway_read(struct midway *m, int tid, const struct copier_limits *limits);
void midway_release(struct midway *m);
/* Whether a process runs a 32-bit program. */
enum sys_abi program_abi(int pid);
enum sys_abi file_abi(const char *path);
#endif
