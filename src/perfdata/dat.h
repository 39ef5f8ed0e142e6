/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace.dat in place of a perf.data. */
#ifndef PERFDATA_DAT_H
#define PERFDATA_DAT_H
#include "perfdata/internal.h"

bool dat_is(const struct perfdata *p);
/* In place of perfdata_read_header(), perfdata_next(). */
int dat_open(struct perfdata *p);
int dat_next(struct perfdata *p, struct perfdata_record *r);
void dat_close(struct perfdata *p);
#endif
