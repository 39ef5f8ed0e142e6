/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open against a made-up machine (SONDE_KERNEL_ROOT). DIR/perf_event_open has rules, a line each:
 *     TYPE CONFIG RESULT [VALUE [ENABLED RUNNING]]
 * TYPE and CONFIG are numbers or *; RESULT is "ok" or an errno name; VALUE is what read() gives
 * (default 0), ENABLED and RUNNING its times in ns (a million each). The first rule that fits decides; none: ENOENT. */
#ifndef KERNEL_PERF_FAKE_H
#define KERNEL_PERF_FAKE_H
#include <linux/perf_event.h>
#include <sys/types.h>
int perf_fake_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);
#endif
