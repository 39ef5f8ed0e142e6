/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bound script at work: blocks are run when their records come, when their time has come, at the begin and at the end. */
#ifndef SCRIPT_STAP_RUN_H
#define SCRIPT_STAP_RUN_H
#include "base/map.h"
#include "script/interp/interp.h"
#include "script/run.h"
#include "script/stap/stap.h"

struct stap_timer { const struct stap_block *block; uint64_t due; /* ns, CLOCK_MONOTONIC */ };
struct stap_run {
	struct stap *st;
	struct runner *runner; /* NULL: nothing of the script is in the kernel */
	struct out *out;
	struct interp ip;
	const struct stap_block *block; /* that runs now */
	VEC(struct stap_timer) timers;
	struct u64map family; /* processes that the target has started */
	struct u64map indents; /* of threads: struct indent */
	struct str line; /* typed, until its end */
	const char *typed; size_t n_typed; /* what a block of input is run for */
	int64_t realtime; /* what makes of the kernel's clock since boot the time since 1970 */
	bool over; /* exit(), or an error: nothing but end blocks is run any more */
	int code; /* 1: it ended by an error */
	unsigned errors;
	bool warned_cycles;
};
int stap_run_open(struct stap_run *r, struct stap *st, struct out *out);
void stap_run_close(struct stap_run *r);
int stap_run_begin(struct stap_run *r); /* begin blocks; timers start. -errno: output failed */
/* A record of a block. */
int stap_run_event(struct stap_run *r, const struct site *s, const uint8_t *payload, size_t n);
int stap_run_timers(struct stap_run *r); /* those that are due */
bool stap_run_reads(const struct stap_run *r, enum stap_kind kind); /* has it blocks of that kind, STAP_CHAR or STAP_LINE? */
int stap_run_input(struct stap_run *r, const char *p, size_t n); /* that was typed */
int stap_run_sleep(const struct stap_run *r, int ms); /* how long until the next one, at most ms (-1: no bound) */
void stap_run_end(struct stap_run *r); /* end (or error) blocks, then what was counted and never looked at */
int64_t stap_slot_number(const struct stap_run *r, const char *name, bool *is); /* of the record at hand */
const struct interp_value *stap_slot_named(const struct stap_run *r, const char *name); /* NULL */
#endif
