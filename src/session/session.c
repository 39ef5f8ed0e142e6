// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/map.h"
#include "perfdata/body.h"

struct session {
	struct symbols *syms;
	struct u64map threads; /* tid -> struct thread */
	struct strmap comms; /* name -> its only copy */
	struct u64map cgroups; /* id -> path */
	struct thread *last; /* most records are of the same thread as the one before */
};

/* The one copy of a thread's name, so that names compare by address. */
static const char *intern(struct session *s, const char *z, size_t n)
{
	char name[256];
	n = n < sizeof(name) ? strnlen(z, n) : strnlen(z, sizeof(name) - 1);
	memcpy(name, z, n);
	name[n] = 0;
	char *copy = strmap_get(&s->comms, name);
	if (!copy) {
		copy = xstrdup(name);
		strmap_set(&s->comms, name, copy);
	}
	return copy;
}

/* ":1234" stands for a name that was never told. There is one thread of each number, so the address names it too. */
static const char *unnamed(struct thread *t)
{
	snprintf(t->number, sizeof(t->number), ":%d", t->tid);
	return t->number;
}

static bool is_unnamed(const char *comm)
{
	return comm[0] == ':' && comm[1] >= '0' && comm[1] <= '9';
}

static struct thread *thread_new(struct session *s, int pid, int tid)
{
	struct thread *t = xcalloc(1, sizeof(*t));
	*t = (struct thread){ .pid = pid, .tid = tid, .ppid = -1 };
	t->comm = unnamed(t);
	u64map_set(&s->threads, (uint32_t)tid, t);
	return t;
}

struct session *session_new(struct symbols *syms)
{
	struct session *s = xcalloc(1, sizeof(*s));
	s->syms = syms;
	thread_new(s, 0, 0)->comm = intern(s, "swapper", 8);
	return s;
}

void session_free(struct session *s)
{
	size_t cursor = 0;
	void *v;
	if (!s)
		return;
	while (u64map_next(&s->threads, &cursor, NULL, &v))
		free(v);
	for (cursor = 0; strmap_next(&s->comms, &cursor, NULL, &v);)
		free(v);
	for (cursor = 0; u64map_next(&s->cgroups, &cursor, NULL, &v);)
		free(v);
	u64map_release(&s->threads);
	u64map_release(&s->cgroups);
	strmap_release(&s->comms);
	free(s);
}

struct thread *session_thread(struct session *s, int pid, int tid)
{
	struct thread *t = s->last;
	if (!t || t->tid != tid) {
		t = u64map_get(&s->threads, (uint32_t)tid);
		if (!t)
			t = thread_new(s, pid, tid);
		s->last = t;
	}
	if (t->pid < 0)
		t->pid = pid;
	return t;
}

void session_forget_ended(struct session *s)
{
	VEC(struct thread *) ended = { 0 };
	size_t cursor = 0;
	void *v;
	while (u64map_next(&s->threads, &cursor, NULL, &v))
		if (((struct thread *)v)->ended)
			*vec_push(&ended) = v;
	vec_each(&ended, t) {
		u64map_del(&s->threads, (uint32_t)(*t)->tid);
		free(*t);
	}
	vec_release(&ended);
	s->last = NULL;
}

const struct thread *session_next(const struct session *s, size_t *cursor)
{
	void *v;
	return u64map_next(&s->threads, cursor, NULL, &v) ? v : NULL;
}

const char *session_cgroup(struct session *s, uint64_t id)
{
	return u64map_get(&s->cgroups, id);
}

void session_header(struct session *s, const struct perfdata *p)
{
	const struct perfdata_build_id *b;
	size_t n = perfdata_build_ids(p, &b);
	if (s->syms && perfdata_info(p)->osrelease)
		symbols_set_release(s->syms, perfdata_info(p)->osrelease);
	for (size_t i = 0; s->syms && i < n; i++)
		symbols_build_id(s->syms, b[i].path, &b[i].id, b[i].misc == PERF_RECORD_MISC_KERNEL);
}

/* ---- records ---- */

/* The text from an offset on, as a copy that surely ends; NULL when there is none. */
static char *text_at(const struct body *b, size_t at)
{
	return at < b->n ? xstrndup((const char *)b->at + at, strnlen((const char *)b->at + at, b->n - at)) : NULL;
}

static void feed_comm(struct session *s, const struct perfdata_record *r, const struct body *b)
{
	int pid = (int)u32_at(b, 0), tid = (int)u32_at(b, 4);
	if (b->n <= 8)
		return; /* no name at all */
	struct thread *t = session_thread(s, pid, tid);
	t->comm = intern(s, (const char *)b->at + 8, b->n - 8);
	t->pid = pid;
	t->ended = false;
	/* The old maps stay until new ones cover them: a sample inside execve still stands in the old program. */
	if (r->misc & PERF_RECORD_MISC_COMM_EXEC)
		t->exec = true;
}

static void feed_fork(struct session *s, const struct perfdata_record *r, const struct body *b)
{
	int pid = (int)u32_at(b, 0), ppid = (int)u32_at(b, 4), tid = (int)u32_at(b, 8), ptid = (int)u32_at(b, 12);
	const struct thread *parent = u64map_get(&s->threads, (uint32_t)ptid);
	const char *comm = parent ? parent->comm : ":0";
	struct thread *t = session_thread(s, pid, tid);
	t->pid = pid;
	t->ppid = ppid;
	t->exec = t->ended = false;
	t->comm = is_unnamed(comm) ? unnamed(t) : comm; /* a parent without a name has none to give */
	/* the bit says: made up for a process that already ran; its maps follow */
	if (s->syms && pid != ppid && !(r->misc & PERF_RECORD_MISC_FORK_EXEC))
		symbols_fork(s->syms, pid, ppid);
}

static void feed_exit(struct session *s, const struct body *b)
{
	struct thread *t = u64map_get(&s->threads, u32_at(b, 8));
	if (t)
		t->ended = t->tid != 0;
}

/* Kernels up to 6.18 at least leave the bit on for a second recorder that did not ask for build-ids, when
 * a first one did: then device and inode numbers stand there. */
static bool has_build_id(const struct perfdata_record *r, uint8_t size)
{
	if (!(r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || size > sizeof(((struct build_id *)0)->id))
		return false;
	return !r->event || r->event->attr.build_id || (!r->id && size >= 16);
}

static void feed_map(struct session *s, const struct perfdata_record *r, const struct body *b)
{
	enum { PROT_R = 1, PROT_X = 4 };
	bool two = r->header->type == PERF_RECORD_MMAP2;
	struct build_id id = { .n = 0 };
	uint32_t prot = r->misc & PERF_RECORD_MISC_MMAP_DATA ? PROT_R : PROT_R | PROT_X;
	if (two)
		prot = u32_at(b, 56);
	if (two && has_build_id(r, b->at[32])) {
		id.n = b->at[32];
		memcpy(id.id, b->at + 36, id.n);
	}
	char *path = text_at(b, two ? 64 : 32);
	int pid = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL ? -1 : (int)u32_at(b, 0);
	if (path)
		symbols_map(s->syms, pid, u64_at(b, 8), u64_at(b, 16), u64_at(b, 24), prot, path, id.n ? &id : NULL);
	free(path);
}

static void feed_ksymbol(struct session *s, const struct body *b)
{
	enum { UNREGISTER = 1 };
	char *name = text_at(b, 16);
	if (name)
		symbols_ksymbol(s->syms, u64_at(b, 0), u32_at(b, 8), name, u32_at(b, 12) >> 16 & UNREGISTER);
	free(name);
}

static void feed_cgroup(struct session *s, const struct body *b)
{
	char *path = text_at(b, 8);
	if (path)
		free(u64map_set(&s->cgroups, u64_at(b, 0), path));
}

static void feed_namespaces(struct session *s, const struct body *b)
{
	enum { CGROUP = 6, FIRST = 16, EACH = 16 };
	if (b->n < FIRST + (CGROUP + 1) * EACH || u64_at(b, 8) <= CGROUP)
		return;
	struct thread *t = session_thread(s, (int)u32_at(b, 0), (int)u32_at(b, 4));
	t->cgroup_dev = u64_at(b, FIRST + CGROUP * EACH);
	t->cgroup_ino = u64_at(b, FIRST + CGROUP * EACH + 8);
}

void session_feed(struct session *s, const struct perfdata_record *r)
{
	uint32_t type = r->header->type;
	if (type == PERF_RECORD_SAMPLE || type >= 64)
		return;
	struct body b = body_of(r);
	if (type == PERF_RECORD_COMM)
		feed_comm(s, r, &b);
	else if (type == PERF_RECORD_FORK)
		feed_fork(s, r, &b);
	else if (type == PERF_RECORD_CGROUP)
		feed_cgroup(s, &b);
	else if (type == PERF_RECORD_NAMESPACES)
		feed_namespaces(s, &b);
	else if (type == PERF_RECORD_EXIT)
		feed_exit(s, &b);
	if (!s->syms)
		return;
	if (type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2)
		feed_map(s, r, &b);
	else if (type == PERF_RECORD_KSYMBOL)
		feed_ksymbol(s, &b);
	else if (type == PERF_RECORD_EXIT && u32_at(&b, 0) == u32_at(&b, 8))
		symbols_exit(s->syms, (int)u32_at(&b, 0));
}

/* The times of a jitdump are CLOCK_MONOTONIC's; a recording on another clock cannot be compared. */
bool session_time(struct session *s, const struct perfdata_record *r)
{
	const struct perf_event_attr *a = r->event ? &r->event->attr : NULL;
	return s->syms && a && a->use_clockid && a->clockid == CLOCK_MONOTONIC && symbols_time(s->syms, r->pid, r->time);
}
