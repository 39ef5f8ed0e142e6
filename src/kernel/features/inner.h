/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between features.c and the files that hold the probes; nobody else includes this. */
#ifndef KERNEL_FEATURES_INNER_H
#define KERNEL_FEATURES_INNER_H
#include "kernel/features/features.h"

/* A probe fills the state through these. */
void feature_yes(struct feature_state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void feature_moot(struct feature_state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void feature_no(struct feature_state *s, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void feature_remedy(struct feature_state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A no by EPERM/EACCES: denied_explain() fills in the rest. */
void feature_denied(struct feature_state *s, int err, int cap);
/* A no because the kernel was built without (option: without CONFIG_, may be NULL). */
void feature_absent(struct feature_state *s, int err, const char *option, const char *what);
/* On a made-up machine (SONDE_KERNEL_ROOT) calls other than perf_event_open are answered by
 * DIR/features, lines "NAME ok" or "NAME ERRNO-NAME"; a name that is not there is EPERM.
 * True when it was answered, with 0 or -errno in *result. */
bool feature_fake(const char *name, int *result);

void probe_bpf_tracepoint(struct feature_state *s);
void probe_bpf_raw_tracepoint(struct feature_state *s);
void probe_bpf_tp_btf(struct feature_state *s);
void probe_bpf_kprobe(struct feature_state *s);
void probe_bpf_perf_event(struct feature_state *s);
void probe_bpf_fentry(struct feature_state *s);
void probe_bpf_ringbuf(struct feature_state *s);
void probe_bpf_mmap(struct feature_state *s);
void probe_bpf_loop(struct feature_state *s);
void probe_btf(struct feature_state *s);
void probe_btf_modules(struct feature_state *s);

void probe_tracepoints(struct feature_state *s);
void probe_syscall_tracepoints(struct feature_state *s);
void probe_user_events(struct feature_state *s);
void probe_kernel_events(struct feature_state *s);
void probe_cpu_wide(struct feature_state *s);
void probe_hardware(struct feature_state *s);
void probe_precise(struct feature_state *s);
void probe_branch_stack(struct feature_state *s);
void probe_breakpoints(struct feature_state *s);
void probe_kprobes(struct feature_state *s);
void probe_kretprobes(struct feature_state *s);
void probe_uprobes(struct feature_state *s);
void probe_uretprobes(struct feature_state *s);
#endif
