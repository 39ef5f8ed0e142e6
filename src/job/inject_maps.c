// SPDX-License-Identifier: GPL-2.0-or-later
/* A map that is held back comes with the time of the sample that needs it, since readers sort by time. By then another may have
 * taken its place in part: what is new cuts out of what is held, so that no late record hides a newer one. The kernel's maps stay as
 * they are. */
#include "job/inject_maps.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "perfdata/body.h"
#include "perfdata/format.h"

enum { PATH_LIMIT = 8192 };

struct held_map {
	uint32_t pid, tid, prot, flags;
	uint64_t start, end, off;
	uint8_t which[24]; /* device and inode, or the build-id, as MMAP2 has them */
	uint16_t misc;
	bool written;
	char *path;
};
typedef VEC(struct held_map) held_maps;
struct held_process {
	held_maps map;
	uint64_t threads; /* 0: not known, its start was not seen */
};

struct inject_maps {
	bool used;
	inject_id *find;
	void *ctx;
	struct u64map processes; /* pid to struct held_process */
};

struct inject_maps *inject_maps_new(bool used, inject_id *find, void *ctx)
{
	struct inject_maps *m = xcalloc(1, sizeof(*m));
	*m = (struct inject_maps){ .used = used, .find = find, .ctx = ctx };
	return m;
}

static void process_free(struct held_process *p)
{
	if (!p)
		return;
	vec_each(&p->map, h)
		free(h->path);
	vec_release(&p->map);
	free(p);
}

void inject_maps_free(struct inject_maps *m)
{
	size_t cursor = 0;
	uint64_t pid;
	void *p;
	if (!m)
		return;
	while (u64map_next(&m->processes, &cursor, &pid, &p))
		process_free(p);
	u64map_release(&m->processes);
	free(m);
}

static struct held_process *process_of(struct inject_maps *m, uint32_t pid)
{
	struct held_process *p = u64map_get(&m->processes, pid);
	if (!p) {
		p = xcalloc(1, sizeof(*p));
		u64map_set(&m->processes, pid, p);
	}
	return p;
}

/* path points into the record. */
static bool read_map(const struct perfdata_record *r, struct held_map *h)
{
	bool two = r->header->type == PERF_RECORD_MMAP2;
	struct body b = body_of(r);
	size_t at = two ? 64 : 32;
	if (b.n <= at || strnlen((const char *)b.at + at, b.n - at) == b.n - at || strnlen((const char *)b.at + at, PATH_LIMIT) == PATH_LIMIT)
		return false;
	*h = (struct held_map){ .pid = u32_at(&b, 0), .tid = u32_at(&b, 4), .start = u64_at(&b, 8), .off = u64_at(&b, 24), .misc = r->misc,
				.prot = PROT_READ | (r->misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC), .flags = MAP_PRIVATE };
	h->path = (char *)b.at + at;
	h->end = h->start + u64_at(&b, 16);
	if (two) {
		memcpy(h->which, b.at + 32, sizeof(h->which));
		h->prot = u32_at(&b, 56);
		h->flags = u32_at(&b, 60);
	}
	return h->end > h->start;
}

/* As MMAP2, with the build-id where there is one; without trailer. */
static void build(struct inject_maps *m, const struct held_map *h, struct str *s)
{
	struct { struct perf_event_header h; uint32_t pid, tid; uint64_t start, len, off; uint8_t which[24]; uint32_t prot, flags; } r = {
		{ PERF_RECORD_MMAP2, h->misc, 0 }, h->pid, h->tid, h->start, h->end - h->start, h->off, { 0 }, h->prot, h->flags };
	struct build_id given = { .n = 0 }, id = { .n = 0 };
	size_t n = strlen(h->path) + 1;
	if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && h->which[0] <= sizeof(given.id)) {
		given.n = h->which[0];
		memcpy(given.id, h->which + 4, given.n);
	}
	memcpy(r.which, h->which, sizeof(r.which));
	if (m->find(m->ctx, h->path, &given, &id) && id.n) {
		memset(r.which, 0, sizeof(r.which));
		r.which[0] = id.n;
		memcpy(r.which + 4, id.id, id.n);
		r.h.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	}
	r.h.size = (uint16_t)(sizeof(r) + (n + 7) / 8 * 8);
	str_addn(s, &r, sizeof(r));
	str_addn(s, h->path, n);
	while (s->len < r.h.size)
		str_addc(s, 0);
}

/* At once, in the record's place: its own trailer goes with it. */
static int write_now(struct inject_maps *m, struct perfdata_writer *w, const struct perfdata_record *r, const struct held_map *h)
{
	struct str s = STR_INIT;
	build(m, h, &s);
	str_addn(&s, (const char *)r->header + r->header->size - r->trailer_size, r->trailer_size);
	((struct perf_event_header *)s.buf)->size = (uint16_t)s.len;
	int err = perfdata_put_record(w, (const struct perf_event_header *)s.buf);
	str_release(&s);
	return err ? err : 1;
}

static void hold(held_maps *all, const struct held_map *h, uint64_t start, uint64_t end)
{
	struct held_map *new = vec_push(all);
	*new = *h;
	new->path = xstrdup(h->path);
	new->off += start - h->start;
	new->start = start;
	new->end = end;
}

/* What is new takes its place from what was there. */
static void add(held_maps *all, const struct held_map *h)
{
	size_t n = all->n;
	for (size_t i = 0; i < n; i++) {
		struct held_map old = all->at[i];
		if (old.start >= h->end || old.end <= h->start)
			continue;
		if (old.end > h->end)
			hold(all, &old, h->end, old.end);
		all->at[i].end = old.start < h->start ? h->start : old.start; /* empty: nothing lies in it */
	}
	size_t kept = 0;
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].end > all->at[i].start)
			all->at[kept++] = all->at[i];
		else
			free(all->at[i].path);
	all->n = kept;
	hold(all, h, h->start, h->end);
}

/* A process has its parent's maps at first; a thread is one more that must end. */
static void forked(struct inject_maps *m, uint32_t pid, uint32_t parent)
{
	struct held_process *from = u64map_get(&m->processes, parent);
	if (pid == parent) {
		if (from && from->threads)
			from->threads++;
		return;
	}
	process_free(u64map_del(&m->processes, pid));
	struct held_process *to = process_of(m, pid);
	to->threads = 1;
	for (size_t i = 0; from && i < from->map.n; i++) {
		hold(&to->map, &from->map.at[i], from->map.at[i].start, from->map.at[i].end);
		vec_last(&to->map)->pid = vec_last(&to->map)->tid = pid;
	}
}

static void ended(struct inject_maps *m, uint32_t pid)
{
	struct held_process *p = u64map_get(&m->processes, pid);
	if (p && p->threads && !--p->threads)
		process_free(u64map_del(&m->processes, pid));
}

/* One thread is left. The old maps stay until new ones cover them, as the session has it: a sample inside execve still stands in the
 * old program. */
static void executed(struct inject_maps *m, uint32_t pid)
{
	struct held_process *p = u64map_get(&m->processes, pid);
	if (p)
		p->threads = p->threads ? 1 : 0;
}

int inject_maps(struct inject_maps *m, struct perfdata_writer *w, const struct perfdata_record *r)
{
	uint32_t type = r->header->type;
	struct body b = body_of(r);
	struct held_map h;
	if (m->used && type == PERF_RECORD_FORK)
		forked(m, u32_at(&b, 0), u32_at(&b, 4));
	else if (m->used && type == PERF_RECORD_EXIT)
		ended(m, u32_at(&b, 0));
	else if (m->used && type == PERF_RECORD_COMM && r->misc & PERF_RECORD_MISC_COMM_EXEC)
		executed(m, u32_at(&b, 0));
	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) ||
	    (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER || !read_map(r, &h))
		return 0;
	if (!m->used)
		return write_now(m, w, r, &h);
	add(&process_of(m, h.pid)->map, &h);
	return 1;
}

int inject_maps_hit(struct inject_maps *m, struct perfdata_writer *w, const struct perfdata_record *sample, uint64_t addr)
{
	struct held_process *p = m->used && sample->pid > 0 ? u64map_get(&m->processes, (uint32_t)sample->pid) : NULL;
	struct str s = STR_INIT;
	int err = 0;
	if (!p)
		return 0;
	vec_each(&p->map, h) {
		if (addr < h->start || addr >= h->end || h->written)
			continue;
		h->written = true;
		build(m, h, &s);
		err = perfdata_put_at(w, (const struct perf_event_header *)s.buf, 0, sample->time, -1);
		break;
	}
	str_release(&s);
	return err;
}
