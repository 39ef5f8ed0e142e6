/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report -D` and `--stats`: records as they are. */
#ifndef UI_REPORT_RECORDS_H
#define UI_REPORT_RECORDS_H
#include "base/out.h"
#include "perfdata/reader.h"

/* dump: the recording's path, for a dump of each record; NULL: none. stats: how many there were of each type.
 * -errno and a pending error. */
int records_print(struct perfdata *p, struct out *out, const char *dump, bool stats);
#endif
