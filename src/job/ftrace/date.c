// SPDX-License-Identifier: GPL-2.0-or-later
/* A marker is written into the ring between two looks at the clock; the closest of some pairs counts. */
#include "job/ftrace/date.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "tracedat/ring.h"

enum { TRIES = 8, CPUS_MAX = 4096 };

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The time of the last record of any CPU's ring. */
static bool last_time(const struct ftrace_instance *i, uint64_t *time)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *page = xcalloc(1, size);
	struct ring_shape shape;
	struct ring_page p;
	struct ring_event e;
	bool any = false;
	ring_shape_default(&shape, false, false, sizeof(long));
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		int fd = open(ftrace_path(i, "per_cpu/cpu%d/trace_pipe_raw", cpu), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			break;
		if (read(fd, page, size) > 0 && ring_page_begin(&p, &shape, page, size))
			while (ring_page_next(&p, &e) > 0) {
				*time = e.time;
				any = true;
			}
		close(fd);
	}
	free(page);
	return any;
}

int ftrace_date(const struct ftrace_instance *i, char *text, size_t size)
{
	uint64_t best = UINT64_MAX, at = 0, time = 0;
	int fd = open(ftrace_path(i, "trace_marker"), O_WRONLY | O_CLOEXEC), err = 0;
	if (fd < 0)
		return ftrace_explain(-errno, i, "trace_marker", NULL);
	for (int k = 0; k < TRIES && !err; k++) {
		uint64_t t;
		if ((err = ftrace_set(i, "tracing_on", "1")))
			break;
		uint64_t before = now();
		ssize_t n = write(fd, "sonde\n", 6);
		uint64_t took = now() - before;
		err = ftrace_set(i, "tracing_on", "0");
		if (!err && n > 0 && took < best && last_time(i, &t)) {
			best = took;
			at = before + took / 2;
			time = t;
		}
		if (!err)
			err = ftrace_set(i, "trace", "");
	}
	close(fd);
	if (!err && best == UINT64_MAX)
		err = error_set(EIO, "--date: the ring did not keep a marker");
	if (!err)
		snprintf(text, size, "0x%llx", (unsigned long long)(at / 1000 - time / 1000));
	return err;
}
