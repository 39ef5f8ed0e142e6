/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the options of `export` and `data convert` to a file in another tool's format. */
#ifndef CMD_EXPORT_WRITE_H
#define CMD_EXPORT_WRITE_H
#include "cmd/reading.h"
#include "job/push/push.h"
#include "ui/export/export.h"

struct export_job {
	struct reading in;
	wordlist events;
	const struct export_format *format;
	bool wall_clock; /* export_options' */
	struct push push; /* url NULL: nothing is sent */
};
void export_job_init(struct export_job *j); /* before the options are parsed */
/* Reads, writes, says what there is to say, releases; the exit code. */
int export_job_run(struct export_job *j, const char *const *usage);
#endif
