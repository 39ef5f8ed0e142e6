/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's switches that decide what a tracer may do, and how the kernel was built. */
#ifndef KERNEL_SETTINGS_H
#define KERNEL_SETTINGS_H
#include <stdbool.h>
#include <stdint.h>

enum { SETTING_ABSENT = INT32_MIN }; /* this kernel has no such switch, or hides it */

struct settings {
	int paranoid; /* kernel.perf_event_paranoid */
	int kptr_restrict;
	int perf_mlock_kb; /* per user and CPU, beyond the memlock limit */
	int perf_max_rate; /* samples per second */
	int ptrace_scope; /* Yama */
	int unprivileged_bpf_disabled;
	int64_t memlock; /* RLIMIT_MEMLOCK in bytes; -1 unlimited */
	int64_t nofile; /* RLIMIT_NOFILE */
	char lockdown[20]; /* "none", "integrity", "confidentiality"; "" without the module */
};
const struct settings *settings(void); /* read once */

/* CONFIG_NAME of the running kernel (/proc/config.gz, /boot/config-RELEASE): 'y', 'm', 'n', or 0 when nobody
 * tells. For explanations only, never for decisions. */
char kernel_config(const char *name);
const char *kernel_release(void);

/* Room for more descriptors: to the hard limit, and as root beyond it. False when there is none. */
bool files_limit_raise(void);
/* To the pending error, about too many open files: how to allow more. Returns its code. */
int files_limit_hint(void);
#endif
