/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who we are: user and capabilities; and giving up what is no longer needed. */
#ifndef KERNEL_RIGHTS_CAPS_H
#define KERNEL_RIGHTS_CAPS_H
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

#define CAP_BIT(cap) (1ull << (cap))

uint64_t caps_effective(void); /* with lent rights (lent.h): those that can be raised */
uint64_t caps_all(void); /* every capability that this kernel knows */
bool caps_has(int cap); /* in effect; says nothing of user namespaces: see caps_in_user_namespace */
bool caps_can_trace(void); /* CAP_PERFMON, or CAP_SYS_ADMIN which implies it */
bool caps_can_bpf(void); /* CAP_BPF, or CAP_SYS_ADMIN */
unsigned caps_uid(void); /* the effective user */
/* In a user namespace (rootless container) a capability counts for the container's own things only. */
bool caps_in_user_namespace(void);
const char *caps_name(int cap); /* "cap_perfmon"; NULL: none */
/* Appends "none", "all", "all but cap_x" or "cap_a, cap_b". */
void caps_add_names(struct str *s, uint64_t set);

/* Gives up every capability that is not in keep, for good (effective, permitted, inheritable and
 * ambient sets of the calling thread): call it when everything is armed, before threads are made and
 * after the traced command was forked, which must keep its own. 0 or -errno. */
int caps_drop_all_but(uint64_t keep);
#endif
