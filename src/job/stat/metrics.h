/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat --openmetrics: the counts of each interval in a file, or for whoever asks by HTTP. */
#ifndef JOB_STAT_METRICS_H
#define JOB_STAT_METRICS_H
#include "job/stat/job.h"

struct stat_metrics;
/* where: "9100", "ADDRESS:PORT", "[ADDRESS]:PORT", else a file. The port is taken at once. NULL: pending error. */
struct stat_metrics *stat_metrics_open(const char *where);
/* After the rights are given up, before the first round: answers from here on. -errno and a pending error. */
int stat_metrics_start(struct stat_metrics *m);
/* What was read last, elapsed ns after the start. -errno and a pending error. */
int stat_metrics_round(struct stat_metrics *m, const struct stat_job *j, const struct counting *c, uint64_t elapsed);
void stat_metrics_close(struct stat_metrics *m);
#endif
