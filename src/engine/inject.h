/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strace's -e inject= and fault=: what happens to calls instead of what the kernel would do, or besides it. Only an engine
 * that stops the program can do that. */
#ifndef ENGINE_INJECT_H
#define ENGINE_INJECT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/map.h"
#include "base/vec.h"
#include "syscall/decode.h"

struct poke { unsigned arg; uint8_t *data; size_t n; }; /* bytes to be written where an argument points */
typedef VEC(struct poke) poke_list;
struct inject {
	struct sysset calls;
	bool returns; /* the call is not made, and gives ret (-errno, or any value) */
	bool plain_ret; /* ret is a value, whatever it looks like */
	int64_t ret;
	char *instead; /* a call without effect to be made in its place; NULL: none at all */
	int sig; /* sent at entry; 0: none */
	uint64_t delay_enter, delay_exit; /* ns */
	poke_list enter, exit;
	unsigned first, last, step; /* of a thread's such calls, counted from 1; last 0: no end */
};
typedef VEC(struct inject) inject_list;
/* "openat,read:error=EIO:when=3+". fault: error=ENOSYS unless said otherwise, and nothing else but when=. -errno, pending error. */
int inject_parse(inject_list *l, const char *text, bool fault);
void inject_release(inject_list *l);
bool inject_any(const inject_list *l, const struct sysset *calls); /* is any of these calls meant? NULL: all calls */

/* A thread that such rules apply to. */
struct tamper {
	struct u64map counts; /* how often it made each call */
	const struct inject *rule; /* in force for the call it is in; NULL: none */
	unsigned done; /* to that call: enum tamper_done */
	uint64_t delay; /* ns that it is to stand still, from now on; the engine takes it */
	int sig; /* to be sent when it runs on; the engine takes it */
};
/* Both with the thread stopped there. Entry: true when memory was changed. Exit: the result. */
bool tamper_enter(struct tamper *m, const inject_list *l, int tid, enum sys_abi abi, int nr, const uint64_t args[6]);
int64_t tamper_exit(struct tamper *m, int tid, const uint64_t args[6], int64_t ret);
void tamper_release(struct tamper *m);
#endif
