/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine can do for us, found by trying it once, never by the kernel's version.
 *
 * Each ability is a row: a name, what it is, and a probe that tries the real thing in a way nobody
 * else notices (an event on ourselves, a program that is loaded and dropped). The answer says whether
 * it works; if not, the cause that was found, and the command that changes it. `sonde doctor` shows
 * all rows; other commands ask single ones, and take their hints from here. */
#ifndef KERNEL_FEATURES_FEATURES_H
#define KERNEL_FEATURES_FEATURES_H
#include <stdbool.h>
#include "base/str.h"

enum feature {
	FEATURE_TRACEFS,
	FEATURE_TRACEPOINTS, /* recorded with their fields */
	FEATURE_SYSCALL_TRACEPOINTS,
	FEATURE_USER_EVENTS, /* perf events on our own processes, user side */
	FEATURE_KERNEL_EVENTS, /* ... and what the kernel does for them */
	FEATURE_CPU_WIDE, /* -a, -C */
	FEATURE_HARDWARE,
	FEATURE_PRECISE,
	FEATURE_BRANCH_STACK,
	FEATURE_BREAKPOINTS,
	FEATURE_KPROBES,
	FEATURE_KRETPROBES,
	FEATURE_UPROBES,
	FEATURE_URETPROBES,
	FEATURE_KPROBE_EVENTS, /* probes with a name, in tracefs */
	FEATURE_UPROBE_EVENTS,
	FEATURE_FUNCTION_GRAPH,
	FEATURE_BPF_TRACEPOINT,
	FEATURE_BPF_RAW_TRACEPOINT,
	FEATURE_BPF_TP_BTF,
	FEATURE_BPF_KPROBE,
	FEATURE_BPF_PERF_EVENT,
	FEATURE_BPF_FENTRY,
	FEATURE_BPF_RINGBUF,
	FEATURE_BPF_MMAP,
	FEATURE_BPF_LOOP,
	FEATURE_BTF,
	FEATURE_BTF_MODULES,
	FEATURE_KERNEL_SYMBOLS,
	FEATURE_PTRACE,
	FEATURE_PTRACE_OTHERS, /* programs that we did not start */
	N_FEATURES,
};

enum feature_answer { FEATURE_NO, FEATURE_YES, FEATURE_MOOT /* nothing to be had, and nothing lost */ };

struct feature_state {
	enum feature_answer answer;
	int err; /* -errno of the probe, 0 */
	char *detail; /* what was found, or why not; never NULL */
	char *remedy; /* the command that changes a no; never NULL after a no */
};

const char *feature_name(enum feature f); /* "uprobes", as in doctor --json */
const char *feature_title(enum feature f); /* a few words */
const struct feature_state *feature_state(enum feature f); /* probed at the first call */
bool feature_works(enum feature f);

/* Adds f's cause and remedy as a hint to the pending error if f does not work; true if it did. */
bool feature_hint(enum feature f);

/* For probes, and for others that were refused something: why did the kernel say EPERM or EACCES to
 * a thing that needs this capability? Appends cause and remedy, each of which may be NULL. */
void denied_explain(int cap, struct str *cause, struct str *remedy);
#endif
