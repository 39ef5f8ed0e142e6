/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `stat record`: the counts as a perf.data file, which perf stat report reads. */
#ifndef JOB_STAT_FILE_H
#define JOB_STAT_FILE_H
#include "job/stat/job.h"

struct stat_file;
/* The events are open, nothing is counted yet. NULL: pending error. */
struct stat_file *stat_file_create(const struct stat_job *j, const struct counting *c);
/* What was read last, `elapsed` ns after the start; final: there are no more. From here on -errno and a pending error. */
int stat_file_round(struct stat_file *f, const struct counting *c, uint64_t elapsed, bool final);
int stat_file_finish(struct stat_file *f);
void stat_file_free(struct stat_file *f);

/* As in the file (STAT_CONFIG): how perf counts together. Its numbers of cores and threads changed twice. */
enum { STAT_CONFIG_AGGR, STAT_CONFIG_INTERVAL, STAT_CONFIG_SCALE, STAT_CONFIG_LEVEL };
enum { STAT_ROUND_INTERVAL, STAT_ROUND_FINAL };
extern const enum stat_aggr stat_file_aggr[10]; /* as perf 6.12 has them; STAT_ALL for those that are none */
#endif
