/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where stat's page goes, and in which form: the same for counts that are taken now and for a file of them. */
#ifndef JOB_STAT_PAGE_H
#define JOB_STAT_PAGE_H
#include "job/stat/job.h"
#include "ui/statprint.h"

int stat_page_open(struct stat_print *p, struct out *o, const struct stat_table *t, const struct stat_job *j);
#endif
