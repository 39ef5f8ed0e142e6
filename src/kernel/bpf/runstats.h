/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's account of how often BPF programs run and how long that takes (run_cnt, run_time_ns). It is kept only while
 * somebody wants it, since it costs every run of every program a little, and to want it takes CAP_SYS_ADMIN. So that sonde
 * itself can give that up, a child keeps it, which does nothing else: it holds the kernel's descriptor while it is told to,
 * and ends with us, however we end. */
#ifndef KERNEL_BPF_RUNSTATS_H
#define KERNEL_BPF_RUNSTATS_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct runstats { int fd; pid_t child; }; /* fd -1: there is none */

/* Before rights are given up. -errno, no pending error: the kernel (5.8) or our rights do not allow it. */
int runstats_open(struct runstats *r);
bool runstats_keep(struct runstats *r, bool on); /* from now on; false: it did not work, and never will */
void runstats_close(struct runstats *r);

struct runcost { uint64_t runs, ns, missed; }; /* missed: runs that the kernel left out, since one was under way on the CPU */
void runstats_add(int program, struct runcost *sum); /* adds a program's; of one that cannot be asked nothing */
#endif
