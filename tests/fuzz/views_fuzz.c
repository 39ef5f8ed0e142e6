// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a recording, through what is shown of one: report, diff, annotate's samples, sched's folds. Nothing is looked for on
 * this machine. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "analysis/annotate/hits.h"
#include "analysis/sched/latency.h"
#include "analysis/sched/perf.h"
#include "base/error.h"
#include "quiet.h"
#include "ui/diff/diff.h"
#include "ui/sched/sched.h"

static const struct symbols_options nowhere = { .offline = true };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	quiet_init();
	return 0;
}

/* Of two files that are one, so that every row has its pair. Each event twice, as the browser may ask. */
static void compare(const char *path, unsigned how)
{
	static const char *const keys[] = { "dso,symbol", "comm,pid,symbol", "cpu,srcline", "parent,symbol" };
	struct diff_options o = { .compute = how & 3, .weight_base = 1, .weight_new = 2, .order = 1, .period = true, .formula = true,
				  .baseline_only = how & 4, .relative = how & 8, .sort = keys[how >> 4 & 3] };
	struct diff_file file[2] = { { .path = path }, { .path = path } };
	struct diff d = { .o = &o, .file = file, .n = 2 };
	struct out out;
	bool opened = true;
	for (int i = 0; i < 2; i++) {
		file[i].data = perfdata_open(path, true);
		file[i].syms = symbols_new(&nowhere);
		opened &= file[i].data != NULL;
	}
	if (opened && !out_open(&out, "/dev/null", false)) {
		if (!diff_read(&d)) {
			diff_print(&d, &out);
			diff_print(&d, &out);
		}
		(void)out_close(&out);
	}
	diff_release(&d);
	for (int i = 0; i < 2; i++) {
		symbols_free(file[i].syms);
		perfdata_close(file[i].data);
	}
	error_clear();
}

static void samples_of_functions(const char *path)
{
	struct perfdata *p = perfdata_open(path, true);
	struct symbols *syms = symbols_new(&nowhere);
	struct hits *h = p ? hits_new(syms, perfdata_n_events(p)) : NULL;
	hit_list list = { 0 };
	struct hits_choice all = { 0 };
	int event = 0;
	if (h && !hits_read(h, p, &all) && perfdata_n_events(p))
		hits_sorted(h, &event, 1, &list);
	vec_release(&list);
	hits_free(h);
	symbols_free(syms);
	perfdata_close(p);
	error_clear();
}

struct folds { struct latency l; struct timehist h; struct timehist_view v; struct sched_map m; };

static void fold(struct folds *f, struct perfdata *p)
{
	struct sched_perf *s = sched_perf_new(p);
	struct perfdata_record r;
	struct sched_event e;
	struct timehist_line line;
	while (perfdata_next(p, &r) > 0) {
		sched_perf_event(s, &r, &e);
		latency_feed(&f->l, &e);
		sched_map_feed(&f->m, &e);
		timehist_feed(&f->h, &e, &line);
		timehist_print_line(&f->v, &line, &e);
	}
	latency_finish(&f->l);
	timehist_print_summary(&f->v);
	sched_perf_free(s);
}

static void schedule(const char *path, unsigned how)
{
	struct out out;
	struct folds f = { .l = { .by_task = how & 1, .one_cpu = how & 2 }, .h = { .idle = how & 4 }, .m = { .compact = how & 8 } };
	struct perfdata *p = perfdata_open(path, true);
	if (p && !out_open(&out, "/dev/null", false)) {
		timehist_begin(&f.h, 1);
		f.v = (struct timehist_view){ .h = &f.h, .out = &out, .lines = true, .wakeups = true, .migrations = true, .next = how & 16,
					      .visual = how & 32, .state = how & 64, .prio = how & 128, .text = STR_INIT };
		f.m.out = &out;
		timehist_print_head(&f.v);
		fold(&f, p);
		str_release(&f.v.text);
		(void)out_close(&out);
	}
	latency_release(&f.l);
	timehist_release(&f.h);
	sched_map_release(&f.m);
	perfdata_close(p);
	error_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	unsigned how = n ? (data[n - 1] ^ n) & 0xff : 0;
	int fd = n ? memfd_create("fuzz", MFD_CLOEXEC) : -1;
	if (fd < 0 || write(fd, data, n) != (ssize_t)n) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	quiet(true);
	compare(path, how);
	samples_of_functions(path);
	schedule(path, how);
	quiet(false);
	close(fd);
	return 0;
}
