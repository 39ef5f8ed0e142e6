// SPDX-License-Identifier: GPL-2.0-or-later
/* The same as trace.bpf.c without what most traces do not ask for (summaries, stacks, tests, -u, -G, -C, --comm, pid
 * namespaces). Constants would switch that off as well, but only after the kernel
 * has looked at it, which is most of what start-up takes. */
#define PLAIN
#include "bpf/trace.bpf.c"
