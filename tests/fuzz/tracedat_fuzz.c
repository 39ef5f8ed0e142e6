// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a trace.dat: its records as lines, its facts, in parts, and as a recording of another kind. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "memory.h"
#include "quiet.h"
#include "perfdata/reader.h"
#include "tracedat/writer.h"
#include "ui/tracedat/filter.h"
#include "ui/tracedat/view.h"

/* Tables by event id; two blocks of each CPU, which take 64 KiB of pages at least; a packed piece (16 MiB) and part (256 MiB). */
enum { FIXED = 8 << 20, UNPACKED = 300 << 20, RECORDS = 20000 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	memory_watch();
	quiet_init();
	return 0;
}

static void lines(const char *path, const struct tracedat_view_options *o)
{
	struct tracedat *t = tracedat_open(path);
	struct tracedat_view *v = NULL;
	struct record_filter *f = NULL;
	struct tracedat_record r;
	struct str out = STR_INIT;
	if (t && !tracedat_view_new(&v, t, o, NULL, NULL) && !record_filter_new(&f, "sched : next_pid > 1 && COMM != \"x\" || prev_comm =~ \"a\"")) {
		for (int i = 0; i < RECORDS && tracedat_next(t, &r) > 0; i++) {
			(void)record_filter_ask(f, t, &r);
			tracedat_view_record(v, &out, &r, "");
			str_clear(&out);
		}
		tracedat_view_end(v, &out);
	}
	str_release(&out);
	record_filter_free(f);
	tracedat_view_free(v);
	tracedat_close(t);
	error_clear();
}

static void facts(const char *path)
{
	struct tracedat *t = tracedat_open(path);
	struct tracedat_new n;
	struct str text = STR_INIT;
	if (t) {
		tracedat_new_init(&n);
		tracedat_new_from_file(&n, t);
		tracedat_new_release(&n);
		tracedat_text(t, 0, &text);
	}
	str_release(&text);
	tracedat_close(t);
	error_clear();
}

static void as_recording(const char *path)
{
	struct perfdata *p = perfdata_open(path, true);
	struct perfdata_record r;
	uint64_t sum = 0;
	for (int i = 0; p && i < RECORDS && perfdata_next(p, &r) > 0; i++)
		for (uint32_t k = 0; k < r.raw_size; k++)
			sum += ((const uint8_t *)r.raw)[k];
	__asm__ volatile("" : : "r"(sum));
	perfdata_close(p);
	error_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct tracedat_view_options plain = { .wakeup = true }, all = { .raw = true, .latency = true, .diff = true, .full = true },
		own = { .plain = true };
	char path[64];
	int fd = n ? memfd_create("fuzz", MFD_CLOEXEC) : -1;
	if (fd < 0 || write(fd, data, n) != (ssize_t)n) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memory_begin();
	lines(path, &plain);
	memory_check(err_fd, n, FIXED + UNPACKED);
	lines(path, &all);
	lines(path, &own);
	facts(path);
	as_recording(path);
	close(fd);
	return 0;
}
