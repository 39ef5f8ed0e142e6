/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs and their reader share: one memory that both have mapped, frames, and records in a ring buffer. */
#ifndef SCRIPT_GLOBALS_H
#define SCRIPT_GLOBALS_H
#include <stdint.h>

enum {
	FRAMES = 4, /* of a CPU: a thread's, a soft and a hard interrupt's, and one for who was preempted */
	MAPS_MAX = 128,
	LOOPS_MAX = 64,
	ZERO_MAX = 16384, /* the largest value of a map */
	RECORD_LONGEST = 24576,
	STACK_DEPTH = 127, /* as the kernel has it by default */
	STACK_DEPTH_OLD = 63, /* what fits a key before Linux 5.11 */
};
struct globals {
	uint64_t exiting; /* exit() was called: no block begins any more */
	uint64_t exit_code;
	uint64_t wake; /* flags of bpf_ringbuf_output: whether a record wakes the reader */
	uint64_t crowded, reader_seen; /* bytes in the ring from which on programs wait; when its reader last read, CLOCK_MONOTONIC */
	uint64_t started; /* for `elapsed` */
	uint64_t lost; /* records for which there was no room */
	uint64_t contended; /* changes of a map's entry that others were always quicker than */
	uint64_t missed; /* blocks that found no frame */
	uint64_t no_stack; /* stacks for which there was no room */
	uint64_t cut[LOOPS_MAX]; /* loops that did not come to their end */
	uint64_t full[MAPS_MAX]; /* entries for which a map had no room */
	uint64_t zero[ZERO_MAX / 8]; /* nobody writes here */
};
/* A frame: whether somebody has it, then what the compiler puts there. */
struct script_frame { uint64_t busy; };
/* The key of a stack, the longest one: of a user's whose it is, of the kernel's 0; what is behind its end is 0. */
struct stack_key { uint64_t pid, frame[STACK_DEPTH]; };
/* At the begin of each record. */
struct script_record { uint32_t site, size; };
/* One that no site has made: a stack that was not there before, and when (CLOCK_MONOTONIC). */
enum { SITE_STACK = INT32_MAX };
struct stack_record { struct script_record head; uint64_t id, time; struct stack_key key; };
#endif
