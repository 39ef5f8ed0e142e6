// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/callsum.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/file.h"
#include "kernel/root.h"

/* The number of a process's cgroup, as the kernel counts them: the inode of its folder. 0: unknown. */
static uint64_t read_cgroup(int pid)
{
	struct str s = STR_INIT;
	struct stat st;
	uint64_t id = 0;
	char *line = file_read(root_path(ROOT_PROC, "%d/cgroup", pid), &s, 65536) ? NULL : strstr(s.buf, "0::/");
	if (line) {
		line[strcspn(line, "\n")] = 0;
		if (!stat(root_path(ROOT_SYS, "fs/cgroup/unified%s", line + 3), &st) || !stat(root_path(ROOT_SYS, "fs/cgroup%s", line + 3), &st))
			id = st.st_ino;
		if (!strcmp(line + 3, "/"))
			id = 1;
	}
	str_release(&s);
	return id;
}

/* Asked once; a child that is gone before we look is in its parent's. */
static uint64_t cgroup_of(struct callsum *c, const struct sysevent *e)
{
	uint64_t id = (uintptr_t)u64map_get(&c->cgroups, e->pid);
	if (!id && c->live) {
		id = read_cgroup(e->pid);
		u64map_set(&c->cgroups, e->pid, (void *)(uintptr_t)id);
	}
	return id;
}

void callsum_know(struct callsum *c, int pid)
{
	if (c->mode == SUMMARY_CGROUP && c->live)
		u64map_set(&c->cgroups, pid, (void *)(uintptr_t)read_cgroup(pid));
}

static void on_fork(struct callsum *c, const struct sysevent *e)
{
	uint64_t child = e->child_pid != e->pid && c->live ? read_cgroup(e->child_pid) : 0;
	if (e->child_pid != e->pid)
		u64map_set(&c->cgroups, e->child_pid, (void *)(uintptr_t)(child ? child : cgroup_of(c, e)));
}

static uint64_t id_of(struct callsum *c, const struct sysevent *e)
{
	switch (c->mode) {
	case SUMMARY_CGROUP: return cgroup_of(c, e);
	case SUMMARY_THREAD: return e->tid;
	case SUMMARY_COMM: return hash_bytes(e->comm, strnlen(e->comm, sizeof(e->comm)), 0);
	default: return 0;
	}
}

struct callsum_group *callsum_group_of(struct callsum *c, const struct sysevent *e)
{
	uint64_t id = id_of(c, e);
	struct callsum_group *g = u64map_get(&c->groups, id);
	if (!g) {
		g = xcalloc(1, sizeof(*g));
		u64map_set(&c->groups, id, g);
	}
	return g;
}

const struct callsum_group *callsum_group(const struct callsum *c, uint64_t id)
{
	return u64map_get(&c->groups, id);
}

static struct engine_sum *row_of(struct callsum *c, const struct sysevent *e)
{
	struct { uint64_t id; int abi, nr; } key = { id_of(c, e), e->abi, e->nr };
	uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	size_t at = (size_t)u64map_get(&c->index, hash);
	if (at)
		return &c->rows.at[at - 1];
	struct engine_sum *r = vec_push(&c->rows);
	u64map_set(&c->index, hash, (void *)c->rows.n);
	r->id = key.id;
	r->abi = e->abi;
	r->nr = e->nr;
	r->min = UINT64_MAX;
	return r;
}

static void count_errno(struct engine_sum *r, uint64_t err)
{
	uint32_t *n = (uint32_t *)r->errnos; /* ours, and const for readers */
	if (!n)
		r->errnos = n = xcalloc(ERRNOS, sizeof(*n));
	n[err < ERRNOS ? err : 0]++;
}

void callsum_add(struct callsum *c, const struct sysevent *e)
{
	if (e->type == SYS_FORK && c->mode == SUMMARY_CGROUP)
		on_fork(c, e);
	if ((e->type != SYS_CALL && e->type != SYS_RESUMED) || !e->enter_time || e->no_return)
		return;
	struct engine_sum *r = row_of(c, e);
	uint64_t took = e->time - e->enter_time;
	if (c->mode == SUMMARY_THREAD) {
		r->pid = e->pid;
		r->tid = e->tid;
		memcpy(r->comm, e->comm, sizeof(r->comm));
		u64map_set(&c->latest, e->tid, (void *)(uintptr_t)(r - c->rows.at + 1));
	} else if (c->mode == SUMMARY_COMM) {
		memcpy(r->comm, e->comm, sizeof(r->comm));
	}
	r->count++;
	bool failed = (uint64_t)e->ret >= (uint64_t)-4095;
	r->errors += failed;
	if (failed && c->errnos)
		count_errno(r, -(uint64_t)e->ret);
	r->total += took;
	r->min = took < r->min ? took : r->min;
	r->max = took > r->max ? took : r->max;
	summary_add(r, summary_bucket(took), 1);
}

void callsum_end(struct callsum *c)
{
	for (size_t i = 0; c->mode == SUMMARY_THREAD && i < c->rows.n; i++) {
		struct engine_sum *r = &c->rows.at[i];
		memcpy(r->comm, c->rows.at[(uintptr_t)u64map_get(&c->latest, r->tid) - 1].comm, sizeof(r->comm));
	}
}

void callsum_release(struct callsum *c)
{
	size_t cursor = 0;
	uint64_t id;
	void *group;
	u64map_release(&c->index);
	u64map_release(&c->latest);
	u64map_release(&c->cgroups);
	while (u64map_next(&c->groups, &cursor, &id, &group))
		free(group);
	u64map_release(&c->groups);
	vec_each(&c->rows, r) {
		free((void *)r->errnos);
		summary_release(r);
	}
	vec_release(&c->rows);
}

static uint64_t round_to(uint64_t ns, uint64_t unit)
{
	return (ns + unit / 2) / unit * unit;
}

struct callsum_estimate callsum_percentile(const struct engine_sum *r, unsigned percent)
{
	uint64_t rank = (r->count * percent + 99) / 100, seen = 0, lo = r->max, hi = r->max, unit = 1;
	for (unsigned i = 0; i < SUMMARY_BUCKETS && rank < r->count; i++) {
		seen += summary_count(r, i);
		if (seen < rank || !seen)
			continue;
		lo = summary_bucket_floor(i);
		hi = i + 1 < SUMMARY_BUCKETS ? summary_bucket_floor(i + 1) - 1 : UINT64_MAX;
		break;
	}
	lo = lo < r->min ? r->min : lo;
	hi = rank <= 1 ? lo : hi > r->max ? r->max : hi;
	uint64_t ns = lo + (hi - lo) / 2;
	while (lo != hi && ns / unit >= 1000)
		unit *= 10;
	while (unit > 1 && (round_to(ns, unit) < r->min || round_to(ns, unit) > r->max))
		unit /= 10;
	return (struct callsum_estimate){ round_to(ns, unit), unit };
}
