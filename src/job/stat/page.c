// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/stat/page.h"
#include <time.h>

int stat_page_open(struct stat_print *p, struct out *o, const struct stat_table *t, const struct stat_job *j)
{
	int err = 0;
	if (j->output || j->quiet)
		err = out_open(o, j->quiet ? "/dev/null" : j->output, j->append);
	else
		out_fd(o, j->log_fd >= 0 ? j->log_fd : 2, j->log_fd >= 0 ? "the log descriptor" : "standard error");
	o->whole = !j->interval; /* a part of a page is none; of intervals, those that fit are kept */
	*p = (struct stat_print){ .o = o, .runs = j->repeat, .interval = -1, .target = &j->target, .table = t,
		.format = j->json ? STAT_JSON : j->separator ? STAT_CSV : STAT_TEXT, .separator = j->separator,
		.group_digits = j->group_digits, .each_run = j->each_run,
		.metric_only = j->metric_only };
	stat_print_init(p);
	if (!err && j->output && p->format == STAT_TEXT) {
		char when[64];
		time_t t = time(NULL);
		out_printf(o, "# started on %s\n", ctime_r(&t, when) ? when : "");
	}
	return err;
}
