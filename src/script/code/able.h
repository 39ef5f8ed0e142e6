/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel takes from a script's programs, tried when the compiler first has to know, never read from a version.
 * SONDE_RUN_WITHOUT=loop,fetch has one be missing, for tests of what stands in for it. */
#ifndef SCRIPT_ABLE_H
#define SCRIPT_ABLE_H
#include "script/script.h"

enum able {
	ABLE_FETCH, /* atomic operations that give the value before */
	ABLE_LOOP, /* bpf_loop */
	ABLE_FOR_EACH, /* bpf_for_each_map_elem */
	ABLE_PERCPU, /* bpf_map_lookup_percpu_elem: another CPU's entry */
	ABLE_TASK, /* members of the running task by plain loads */
	ABLE_SLOTS, /* ours: without it there are so few that threads must share them (slots.h) */
	ABLES,
};
bool able(struct run_script *s, enum able a);
#endif
