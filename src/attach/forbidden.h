/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel does not take one of our programs, when that is for want of rights. */
#ifndef ATTACH_FORBIDDEN_H
#define ATTACH_FORBIDDEN_H
#include <stdbool.h>

/* err is of loading or attaching. true: a pending error says which rights are missing, or that they were only lent
 * (kernel/rights/lent.h). what: whose program it is; as_root: the command that root would type; without: what works without a
 * program, NULL: nothing. */
bool bpf_forbidden(int err, const char *what, const char *as_root, const char *without);
#endif
