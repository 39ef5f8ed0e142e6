/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The performance monitoring units of this machine, as sysfs tells of them: type number, the CPUs
 * an event is to be opened on, the bit fields of its config words, the events it names itself.
 * Nothing is assumed: a unit that is not there is not there. Read once, a unit's details when asked. */
#ifndef KERNEL_PMU_H
#define KERNEL_PMU_H
#include <stdbool.h>
#include <stdint.h>
#include "base/vec.h"

enum { PMU_WORDS = 4 }; /* config, config1, config2, config3 */

struct pmu_format { /* "config:0-7,32-35" */
	char *name;
	int word;
	uint64_t mask; /* the bits of the word, low value bits go to low mask bits */
};

struct pmu_alias { /* events/NAME: "event=0x3c,umask=0x01" */
	char *name, *terms;
	char *unit; /* NULL: none */
	double scale; /* 1 by default */
};

struct pmu {
	char *name;
	uint32_t type;
	int *cpus; /* -1 terminated; NULL: every CPU */
	bool core; /* one of several core PMUs: generic events are opened on each (hybrid CPUs) */
	bool loaded;
	VEC(struct pmu_format) formats;
	VEC(struct pmu_alias) aliases;
};
typedef VEC(struct pmu) pmu_list;

/* All of them, sorted by name, without formats and aliases. Never NULL. */
const pmu_list *pmus(void);
/* By exact name, details read; NULL when there is none. */
const struct pmu *pmu_find(const char *name);
/* Reads formats and aliases if that was not done. */
const struct pmu *pmu_load(const struct pmu *p);
const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name);
const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name);
/* Spreads value over the field's bits of word; -ERANGE when it does not fit. */
int pmu_format_set(const struct pmu_format *f, uint64_t word[PMU_WORDS], uint64_t value);
/* A name that some kernel on some machine has ("cpu", "uncore_imc_0"): absent here, not misspelt. */
bool pmu_known_elsewhere(const char *name);
/* Drops the cache, for tests that change the tree. */
void pmus_forget(void);
#endif
