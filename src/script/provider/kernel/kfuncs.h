/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the running kernel and its modules, by name. */
#ifndef SCRIPT_PROVIDER_KFUNCS_H
#define SCRIPT_PROVIDER_KFUNCS_H
#include <stdbool.h>
#include <stdint.h>

struct kfunc {
	const char *name, *module; /* module NULL: the kernel itself */
	uint64_t addr; /* 0: the kernel hides it */
	bool traceable; /* by the function tracer, as the kernel's list has it; true when there is no list to be had */
};
typedef bool kfunc_taker(const struct kfunc *f, void *ctx); /* false: enough */
/* Those whose names fit, globs or not; module NULL: any. Reads /proc/kallsyms once: some tenths of a second on a slow machine.
 * -errno, pending error. */
int kfuncs_each(const char *module, const char *name, kfunc_taker *fn, void *ctx);
bool kfuncs_listed(void); /* is there a list of those that can be traced? */
void kfuncs_near(const char *name); /* hints: the nearest names */
void kfuncs_forget(void);
#endif
