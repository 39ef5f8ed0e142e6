// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/files.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"

struct thread_file { int tid; bool open; struct out out; };
struct trace_files {
	const char *name;
	bool append, spare, full;
	struct u64map files; /* tid -> struct thread_file, also of those that have ended: their number may come again */
	struct thread_file *last;
	int err; /* of the first that failed */
};

struct trace_files *trace_files_new(const char *name, bool append, bool spare)
{
	struct trace_files *f = xcalloc(1, sizeof(*f));
	f->name = name;
	f->append = append;
	f->spare = spare;
	return f;
}

/* An error is told when the file is closed. */
static void open_file(struct trace_files *f, struct thread_file *file, bool again)
{
	char *path = xasprintf("%s.%d", f->name, file->tid);
	file->out.err = out_open(&file->out, path, f->append || again);
	file->out.spare = f->spare;
	file->open = true;
	if (file->out.err && !f->err)
		f->err = file->out.err;
	error_clear();
	free(path);
}

struct out *trace_files_of(struct trace_files *f, int tid, bool *fresh)
{
	struct thread_file *file = f->last && f->last->tid == tid ? f->last : u64map_get(&f->files, tid);
	bool again = file;
	if (!file) {
		file = xcalloc(1, sizeof(*file));
		file->tid = tid;
		u64map_set(&f->files, tid, file);
	}
	if (fresh)
		*fresh = !file->open;
	if (!file->open)
		open_file(f, file, again);
	f->last = file;
	return &file->out;
}

static void note_error(struct trace_files *f, const struct out *o, int err)
{
	if (o->full)
		f->full = true;
	else if (!f->err)
		f->err = err;
}

void trace_files_flush(struct trace_files *f)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&f->files, &cursor, NULL, &v)) {
		struct thread_file *file = v;
		if (file->open && file->out.buf.len && out_flush(&file->out))
			note_error(f, &file->out, file->out.err);
	}
}

static void close_file(struct trace_files *f, struct thread_file *file)
{
	if (!file->open)
		return;
	file->open = false;
	int err = out_close(&file->out);
	if (err || file->out.full)
		note_error(f, &file->out, err);
}

void trace_files_end(struct trace_files *f, int tid)
{
	struct thread_file *file = u64map_get(&f->files, tid);
	if (file)
		close_file(f, file);
}

int trace_files_error(const struct trace_files *f)
{
	return f ? f->err : 0;
}

bool trace_files_full(const struct trace_files *f)
{
	return f && f->full;
}

int trace_files_free(struct trace_files *f)
{
	size_t cursor = 0;
	void *v;
	if (!f)
		return 0;
	while (u64map_next(&f->files, &cursor, NULL, &v)) {
		close_file(f, v);
		free(v);
	}
	u64map_release(&f->files);
	int err = f->err;
	free(f);
	return err;
}
