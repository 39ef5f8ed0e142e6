/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are not samples, as one line each in perf's words. */
#ifndef UI_RECORDTEXT_H
#define UI_RECORDTEXT_H
#include "perfdata/reader.h"

const char *record_name(uint32_t type); /* "MMAP2"; "UNKNOWN" */
/* "PERF_RECORD_MMAP2 1/1: [...]: r-xp /bin/ls\n" */
void record_text(struct str *out, const struct perfdata_record *r);
/* pid and tid that the record is about; false: it says none. */
bool record_thread(const struct perfdata_record *r, int *pid, int *tid);
/* -D: header, bytes and meaning of any record. */
void record_dump(struct str *out, const struct perfdata_record *r, const char *file);
#endif
