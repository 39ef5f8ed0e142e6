// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/tasks.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/map.h"
#include "session/session.h"
#include "perfdata/body.h"

struct mapping { uint64_t start, end, pgoff, ino; uint32_t prot, flags; const char *path; };
typedef VEC(struct mapping) mappings;
struct task { int pid, tid, ppid; const char *comm; mappings *maps; };
struct tasks {
	struct session *session;
	struct u64map spaces; /* pid to mappings */
	struct strmap paths; /* to themselves, once each */
	VEC(struct task) task; /* by pid, then tid */
};

static mappings *space_of(struct tasks *t, int pid)
{
	mappings *m = u64map_get(&t->spaces, (uint32_t)pid);
	if (!m) {
		m = xcalloc(1, sizeof(*m));
		u64map_set(&t->spaces, (uint32_t)pid, m);
	}
	return m;
}

static const char *path_of(struct tasks *t, const struct body *b, size_t at)
{
	char *z = at < b->n ? xstrndup((const char *)b->at + at, b->n - at) : xstrdup("");
	char *known = strmap_get(&t->paths, z);
	if (!known)
		strmap_set(&t->paths, z, known = xstrdup(z));
	free(z);
	return known;
}

/* What a new mapping covers is gone; the rest of a mapping that it cuts stays. */
static void add_mapping(mappings *m, struct mapping one)
{
	mappings kept = { 0 };
	vec_each(m, x) {
		struct mapping head = *x, tail = *x;
		if (x->end <= one.start || x->start >= one.end) {
			*vec_push(&kept) = *x;
			continue;
		}
		head.end = one.start;
		tail.start = one.end;
		tail.pgoff += one.end - x->start;
		if (head.start < head.end)
			*vec_push(&kept) = head;
		if (tail.start < tail.end)
			*vec_push(&kept) = tail;
	}
	*vec_push(&kept) = one;
	vec_release(m);
	*m = kept;
}

static void feed(struct tasks *t, const struct perfdata_record *r)
{
	struct body b = body_of(r);
	bool two = r->header->type == PERF_RECORD_MMAP2;
	if (two || r->header->type == PERF_RECORD_MMAP) {
		if ((r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL || b.n < (two ? 64u : 32u))
			return;
		bool id = two && r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
		struct mapping m = { .start = u64_at(&b, 8), .end = u64_at(&b, 8) + u64_at(&b, 16), .pgoff = u64_at(&b, 24),
			.ino = two && !id ? u64_at(&b, 40) : 0, .prot = two ? u32_at(&b, 56) : PROT_READ | PROT_EXEC,
			.flags = two ? u32_at(&b, 60) : MAP_PRIVATE, .path = path_of(t, &b, two ? 64 : 32) };
		if (m.end > m.start)
			add_mapping(space_of(t, (int)u32_at(&b, 0)), m);
	} else if (r->header->type == PERF_RECORD_FORK && b.n >= 16) {
		int pid = (int)u32_at(&b, 0), parent = (int)u32_at(&b, 4);
		session_thread(t->session, parent, (int)u32_at(&b, 12));
		if (pid == parent || r->misc & PERF_RECORD_MISC_FORK_EXEC)
			return;
		mappings *to = space_of(t, pid), *from = space_of(t, parent);
		to->n = 0;
		vec_each(from, m)
			*vec_push(to) = *m;
	}
}

static int by_number(const void *a, const void *b)
{
	const struct task *x = a, *y = b;
	return x->tid != y->tid ? (x->tid > y->tid) - (x->tid < y->tid) : (x->pid > y->pid) - (x->pid < y->pid);
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

static void print_maps(struct out *out, const mappings *m, int indent)
{
	struct str s = STR_INIT;
	qsort(m->at, m->n, sizeof(*m->at), by_start);
	vec_each(m, x) {
		str_addf(&s, "%*s  %" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %" PRIu64 " ", indent, "", x->start, x->end,
			 x->prot & PROT_READ ? 'r' : '-', x->prot & PROT_WRITE ? 'w' : '-', x->prot & PROT_EXEC ? 'x' : '-',
			 x->flags & MAP_SHARED ? 's' : 'p', x->pgoff, x->ino);
		str_add_safez(&s, x->path);
		str_addc(&s, '\n');
	}
	out_str(out, &s);
	str_release(&s);
}

/* perf's form: the name stands one further to the right at each level. */
static void print_one(struct out *out, const struct task *k, int level, bool maps)
{
	struct str s = STR_INIT;
	int width;
	str_addf(&s, "  %8d %8d %8d |%*s", k->pid, k->tid, k->ppid, level, "");
	width = (int)s.len;
	str_add_safez(&s, k->comm);
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
	if (maps && k->maps)
		print_maps(out, k->maps, width);
}

static void print_task(struct tasks *t, struct out *out, const struct task *k, int level, bool maps);

/* Threads of a process are children of its parent. */
static void print_children(struct tasks *t, struct out *out, const struct task *k, int level, bool maps)
{
	vec_each(&t->task, child)
		if (child->ppid == k->pid && k->pid == k->tid && child->tid != k->tid)
			print_task(t, out, child, level + 1, maps);
}

static void print_task(struct tasks *t, struct out *out, const struct task *k, int level, bool maps)
{
	if (level > 1000)
		return; /* damaged: parents that go round */
	print_one(out, k, level, maps);
	print_children(t, out, k, level, maps);
}

static bool has_parent(const struct tasks *t, const struct task *k)
{
	vec_each(&t->task, p)
		if (p->pid == k->ppid && p->pid == p->tid && p->tid != k->tid)
			return true;
	return false;
}

static void print_tree(struct tasks *t, struct out *out, bool maps)
{
	size_t cursor = 0;
	const struct thread *th;
	while ((th = session_next(t->session, &cursor)))
		*vec_push(&t->task) = (struct task){ th->pid, th->tid, th->ppid, th->comm, u64map_get(&t->spaces, (uint32_t)th->pid) };
	qsort(t->task.at, t->task.n, sizeof(*t->task.at), by_number);
	out_printf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	const struct task *idle = NULL; /* its children come behind those whose parent is not known */
	vec_each(&t->task, k)
		if (!k->tid && !idle)
			print_one(out, idle = k, 0, maps);
	vec_each(&t->task, k)
		if (k != idle && (k->ppid == -1 || !has_parent(t, k)))
			print_task(t, out, k, 1, maps);
	if (idle)
		print_children(t, out, idle, 0, maps);
}

static void release(struct tasks *t)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&t->spaces, &cursor, NULL, &v)) {
		vec_release((mappings *)v);
		free(v);
	}
	u64map_release(&t->spaces);
	for (cursor = 0; strmap_next(&t->paths, &cursor, NULL, &v);)
		free(v);
	strmap_release(&t->paths);
	vec_release(&t->task);
	session_free(t->session);
}

int tasks_print(struct perfdata *p, struct out *out, bool maps)
{
	struct tasks t = { .session = session_new(NULL) };
	struct perfdata_record r;
	int err;
	while ((err = perfdata_next(p, &r)) > 0) {
		if (r.header->type == PERF_RECORD_SAMPLE) {
			if (r.event && r.tid >= 0)
				session_thread(t.session, r.pid, r.tid);
		} else if (r.header->type < 64) {
			feed(&t, &r);
			session_feed(t.session, &r);
		}
	}
	print_tree(&t, out, maps);
	release(&t);
	return err;
}
