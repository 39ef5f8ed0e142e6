// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/inject_jit.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/out.h"
#include "base/vec.h"
#include "perfdata/body.h"
#include "symbol/file/elfwrite.h"

enum { FILES_MAX = 200000 };

/* Code that is in one place from a time on. */
struct jit_map {
	uint64_t time, addr, size;
	uint32_t pid, tid;
	char *path; /* owned by the first with it */
	bool owner;
	struct build_id id;
};

struct inject_jit {
	bool force;
	VEC(struct jit_map) map; /* in order of time, from `next` on not yet told */
	size_t next;
	struct u64map pids; /* whose dump was read */
	struct strmap told; /* paths whose build-id is told */
	uint64_t files, dumps;
};

struct inject_jit *inject_jit_new(const struct perfdata *p, bool force)
{
	const struct perfdata_event *e = perfdata_n_events(p) ? perfdata_event_at(p, 0) : NULL;
	if (e && (!e->attr.use_clockid || e->attr.clockid != CLOCK_MONOTONIC)) {
		error_set(EINVAL, "--jit: the recording's times are not those of CLOCK_MONOTONIC, by which JITs tell when code was made");
		error_hint("record with -k mono");
		return NULL;
	}
	struct inject_jit *j = xcalloc(1, sizeof(*j));
	j->force = force;
	return j;
}

void inject_jit_free(struct inject_jit *j)
{
	if (!j)
		return;
	if (j->dumps)
		note(1, "%llu files were made of %llu dumps", (unsigned long long)j->files, (unsigned long long)j->dumps);
	vec_each(&j->map, m)
		if (m->owner)
			free(m->path);
	vec_release(&j->map);
	u64map_release(&j->pids);
	strmap_release(&j->told);
	free(j);
}

/* ---- files ---- */

static int write_file(const char *path, const struct str *s)
{
	int fd = file_create(path, O_WRONLY | O_TRUNC, 0644), err = fd < 0 ? fd : 0;
	if (err)
		return err;
	if (file_room(fd) < s->len)
		err = error_set(ENOSPC, "%s is not written: the disk is nearly full", path);
	for (size_t at = 0; !err && at < s->len;) {
		ssize_t n = write(fd, s->buf + at, s->len - at);
		if (n > 0)
			at += n;
		else if (n < 0 && errno != EINTR)
			err = error_sys(-errno, "cannot write %s", path);
	}
	if (close(fd) && !err)
		err = error_sys(-errno, "cannot write %s", path);
	if (err)
		unlink(path);
	return err;
}

/* "jitted-PID-N.so" beside the dump, as perf calls it. */
static char *file_name(const char *dump, const struct jit_record *r)
{
	struct str s = STR_INIT;
	str_addn(&s, dump, strrchr(dump, '/') - dump);
	str_addf(&s, "/jitted-%u-%llu.so", r->pid, (unsigned long long)r->index);
	return str_detach(&s);
}

static int make_file(struct inject_jit *j, const struct jitdump *d, const struct jit_record *r, const struct jit_record *lines, struct jit_map *m)
{
	struct elf_function f = { .machine = d->machine, .name = r->name, .code = r->code, .size = r->size, .addr = r->addr,
				  .lines = lines->kind == JIT_DEBUG && lines->addr == r->addr ? &lines->lines : NULL };
	struct str s = STR_INIT;
	if (++j->files > FILES_MAX)
		return error_set(E2BIG, "the dumps have more than %d functions", FILES_MAX);
	elf_function_make(&s, &f, &m->id);
	int err = write_file(m->path, &s);
	str_release(&s);
	return err;
}

/* ---- dumps ---- */

struct dump_reading {
	struct inject_jit *j;
	struct jitdump d;
	const char *path;
	uint32_t pid, tid; /* as the recording has them */
	struct jit_record lines; /* of the function that comes next */
	struct u64map files; /* address to 1 + the map of what was put there last */
};

static void add_map(struct dump_reading *g, const struct jit_record *r, struct jit_map m)
{
	struct inject_jit *j = g->j;
	m.time = r->time;
	m.addr = r->addr;
	m.size = r->size;
	m.pid = g->pid;
	m.tid = g->tid;
	*vec_push(&j->map) = m;
	u64map_set(&g->files, r->addr, (void *)(uintptr_t)j->map.n);
}

static int take_record(struct dump_reading *g, const struct jit_record *r)
{
	struct jit_map m = { 0 };
	int err = 0;
	if (r->kind == JIT_DEBUG) {
		g->lines = *r;
	} else if (r->kind == JIT_LOAD && r->code && r->size && r->addr + r->size > r->addr) {
		m.path = file_name(g->path, r);
		m.owner = true;
		err = make_file(g->j, &g->d, r, &g->lines, &m);
		if (err)
			free(m.path);
		else
			add_map(g, r, m);
		g->lines = (struct jit_record){ .kind = JIT_CLOSE };
	} else if (r->kind == JIT_MOVE) { /* the same file, elsewhere */
		size_t at = (uintptr_t)u64map_get(&g->files, r->old);
		if (!at)
			return 0;
		m = g->j->map.at[at - 1];
		m.owner = false;
		add_map(g, r, m);
	}
	return err;
}

static int by_time(const void *x, const void *y)
{
	const struct jit_map *a = x, *b = y;
	return a->time < b->time ? -1 : a->time > b->time;
}

/* Why a dump is not read is told, and the recording goes on without it. */
static bool open_dump(struct dump_reading *g)
{
	int err = jitdump_open(&g->d, g->path, g->j->force ? OWNER_ANY : OWNER_NONE);
	if (!err && g->d.own_clock) {
		warn("%s counts time by the CPU's own counter: what it tells cannot be placed", g->path);
		jitdump_close(&g->d);
		return false;
	}
	if (err)
		warn("%s is not read: %s", g->path, err == -EPERM ? "it is another user's (-f believes it)" : err == -EBADMSG ? "it is no JIT's dump" : strerror(-err));
	return !err;
}

static int read_dump(struct inject_jit *j, const char *path, uint32_t pid, uint32_t tid)
{
	struct dump_reading g = { .j = j, .path = path, .pid = pid, .tid = tid, .lines = { .kind = JIT_CLOSE } };
	struct jit_record r;
	int err = 0;
	if (!open_dump(&g))
		return 0;
	while (!err && jitdump_next(&g.d, &r))
		err = take_record(&g, &r);
	u64map_release(&g.files);
	jitdump_close(&g.d);
	if (j->map.n > j->next)
		qsort(j->map.at + j->next, j->map.n - j->next, sizeof(*j->map.at), by_time);
	u64map_set(&j->pids, pid, j);
	j->dumps++;
	return err ? err : 1;
}

/* ---- records ---- */

static int put_map(struct inject_jit *j, struct perfdata_writer *w, const struct jit_map *m, bool to_pipe)
{
	struct { struct perf_event_header h; uint32_t pid, tid; uint64_t addr, len, off; uint32_t maj, min; uint64_t ino, gen; uint32_t prot, flags; } r = {
		{ PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0 }, m->pid, m->tid, m->addr, m->size, ELF_FUNCTION_AT, 0, 0, 0, 0, PROT_READ | PROT_EXEC, MAP_PRIVATE };
	struct str s = STR_INIT;
	size_t n = strlen(m->path) + 1;
	int err = 0;
	r.h.size = sizeof(r) + (n + 7) / 8 * 8;
	str_addn(&s, &r, sizeof(r));
	str_addn(&s, m->path, n);
	while (s.len < r.h.size)
		str_addc(&s, 0);
	if (!strmap_has(&j->told, m->path)) {
		strmap_set(&j->told, m->path, NULL);
		if (to_pipe)
			err = perfdata_put_build_id(w, m->path, &m->id, false);
		else
			perfdata_saw_build_id(w, m->path, &m->id, false);
	}
	if (!err)
		err = perfdata_put_at(w, (const struct perf_event_header *)s.buf, 0, m->time, -1);
	str_release(&s);
	return err;
}

static bool is_memory(const char *path)
{
	return str_starts(path, "//anon") || str_starts(path, "[anon:") || str_starts(path, "/memfd:");
}

static bool is_dump(const char *path)
{
	const char *base = strrchr(path, '/');
	return base && str_starts(base, "/jit-") && str_ends(base, ".dump");
}

int inject_jit(struct inject_jit *j, struct perfdata_writer *w, const struct perfdata_record *r, bool to_pipe)
{
	bool two = r->header->type == PERF_RECORD_MMAP2;
	struct body b = body_of(r);
	size_t at = two ? 64 : 32;
	int err = 0;
	while (!err && j->next < j->map.n && r->time && j->map.at[j->next].time <= r->time)
		err = put_map(j, w, &j->map.at[j->next++], to_pipe);
	if (err || !(two || r->header->type == PERF_RECORD_MMAP) || b.n <= at || !memchr(b.at + at, 0, b.n - at))
		return err;
	const char *path = (const char *)b.at + at;
	if (is_dump(path) && !u64map_get(&j->pids, u32_at(&b, 0)))
		return read_dump(j, path, u32_at(&b, 0), u32_at(&b, 4));
	return (is_dump(path) || is_memory(path)) && u64map_get(&j->pids, u32_at(&b, 0));
}
