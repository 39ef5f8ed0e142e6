// SPDX-License-Identifier: GPL-2.0-or-later
/* The formats of the recorded tracepoints, packed the way trace-cmd began and perf reads it. */
#include <stdlib.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/tracefs.h"
#include "perfdata/writer_inner.h"

enum { FILE_MAX = 16 << 20 };

/* Its size in front, little end first, as the header says. Absent or not to be read: a size of 0. */
static void put_text(struct str *s, struct str *text, int err, size_t size_bytes)
{
	uint64_t n = err ? 0 : text->len;
	str_addn(s, &n, size_bytes);
	str_addn(s, text->buf, n);
	str_release(text);
}

static void put_file(struct str *s, const char *path, size_t size_bytes)
{
	struct str f = STR_INIT;
	int err = file_read(path, &f, FILE_MAX);
	put_text(s, &f, err, size_bytes);
}

static void put_format(struct str *s, const struct written_event *e)
{
	struct str f = STR_INIT;
	int err = tracefs_event_format(e->system, e->tracepoint, &f);
	put_text(s, &f, err, 8);
}

static int by_system(const void *a, const void *b)
{
	const struct written_event *x = *(const struct written_event *const *)a, *y = *(const struct written_event *const *)b;
	int d = strcmp(x->system, y->system);
	return d ? d : strcmp(x->tracepoint, y->tracepoint);
}

static void put_formats(struct str *s, const struct written_event *const *e, uint32_t n)
{
	uint32_t systems = 0;
	for (uint32_t i = 0; i < n; i++)
		systems += !i || strcmp(e[i]->system, e[i - 1]->system);
	str_addn(s, &systems, 4);
	for (uint32_t i = 0; i < n;) {
		uint32_t end = i;
		while (end < n && !strcmp(e[end]->system, e[i]->system))
			end++;
		str_addn(s, e[i]->system, strlen(e[i]->system) + 1);
		uint32_t count = end - i;
		str_addn(s, &count, 4);
		for (; i < end; i++)
			put_format(s, e[i]);
	}
}

int writer_tracing(struct perfdata_writer *w)
{
	static const char magic[] = "\027\010\104tracing0.6";
	struct str *s = &w->tracing;
	const struct written_event **e = xcalloc(w->events.n + 1, sizeof(*e));
	uint32_t n = 0, zero = 0, page = sysconf(_SC_PAGESIZE);
	if (w->source)
		perfdata_feature_bytes(w->source, FEATURE_TRACING_DATA, s);
	vec_each(&w->events, x)
		if (x->system)
			e[n++] = x;
	if (!n)
		goto out;
	qsort(e, n, sizeof(*e), by_system);
	uint32_t unique = 0;
	for (uint32_t i = 0; i < n; i++) /* the same tracepoint may be recorded twice */
		if (!unique || by_system(&e[i], &e[unique - 1]))
			e[unique++] = e[i];
	str_addn(s, magic, sizeof(magic)); /* its NUL ends the version */
	str_addc(s, 0); /* little-endian */
	str_addc(s, sizeof(long));
	str_addn(s, &page, 4);
	str_addn(s, "header_page", 12);
	put_file(s, tracefs_path("events/header_page"), 8);
	str_addn(s, "header_event", 13);
	put_file(s, tracefs_path("events/header_event"), 8);
	str_addn(s, &zero, 4); /* ftrace's own formats: none needed */
	put_formats(s, e, unique);
	str_addn(s, &zero, 4); /* kallsyms: the symbols are found otherwise */
	put_file(s, tracefs_path("printk_formats"), 4);
	put_file(s, tracefs_path("saved_cmdlines"), 8);
out:
	free(e);
	return 0;
}
