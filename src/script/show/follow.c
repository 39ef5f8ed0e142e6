// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/follow.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/perf.h"
#include "kernel/root.h"
#include "kernel/topology.h"
#include "symbol/symbols.h"

enum { RING_PAGES = 128, TAIL = 16 /* of each record: who and when */ };

struct follow_ring { int fd; struct perf_ring ring; };
struct follow_event { uint64_t time; size_t at; }; /* a record in `bytes` */
struct follow {
	struct symbols *symbols;
	VEC(struct follow_ring) rings;
	VEC(struct follow_event) events; /* read and not fed yet; sorted from `next` on */
	struct str bytes;
	size_t next;
	struct u64map known; /* pids */
};

static void know(struct follow *f, int pid)
{
	u64map_set(&f->known, (uint64_t)(uint32_t)pid, f);
}

static int open_cpu(int cpu)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1, .mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1, .task = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.exclude_kernel = 1, .watermark = 1, .wakeup_watermark = 1u << 30 };
	return perf_open(&a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool open_rings(struct follow *f)
{
	int cpus = topology_cpus();
	for (int cpu = 0; cpu < cpus; cpu++) {
		struct follow_ring r = { .fd = open_cpu(cpu) };
		if (r.fd < 0)
			continue; /* it is off */
		if (perf_ring_map(&r.ring, r.fd, RING_PAGES, false)) {
			close(r.fd);
			return false;
		}
		*vec_push(&f->rings) = r;
	}
	return f->rings.n > 0;
}

static void know_all(struct follow *f)
{
	DIR *d = opendir(root_path(ROOT_PROC, "."));
	for (struct dirent *e; d && (e = readdir(d));)
		if (isdigit((unsigned char)e->d_name[0])) {
			int pid = atoi(e->d_name);
			if (!symbols_live(f->symbols, pid))
				know(f, pid);
		}
	if (d)
		closedir(d);
}

struct follow *follow_open(struct symbols *s)
{
	struct follow *f = xcalloc(1, sizeof(*f));
	f->symbols = s;
	str_init(&f->bytes);
	if (!open_rings(f)) {
		follow_close(f);
		return NULL;
	}
	know_all(f);
	return f;
}

void follow_close(struct follow *f)
{
	if (!f)
		return;
	vec_each(&f->rings, r) {
		perf_ring_unmap(&r->ring);
		close(r->fd);
	}
	vec_release(&f->rings);
	vec_release(&f->events);
	str_release(&f->bytes);
	u64map_release(&f->known);
	free(f);
}

/* ---- records ---- */

static uint64_t time_of(const struct perf_event_header *h)
{
	uint64_t t = 0;
	if (h->size >= sizeof(*h) + TAIL)
		memcpy(&t, (const uint8_t *)h + h->size - 8, sizeof(t));
	return t;
}

static bool is_wanted(uint32_t type)
{
	return type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT;
}

static void read_ring(struct follow *f, struct perf_ring *r)
{
	struct perf_event_header *h;
	perf_ring_begin(r);
	while ((h = perf_ring_next(r))) {
		if (!is_wanted(h->type))
			continue;
		*vec_push(&f->events) = (struct follow_event){ time_of(h), f->bytes.len };
		str_addn(&f->bytes, h, h->size);
		while (f->bytes.len % 8)
			str_addc(&f->bytes, 0);
	}
	perf_ring_end(r);
}

static int by_time(const void *a, const void *b)
{
	const struct follow_event *x = a, *y = b;
	return x->time != y->time ? (x->time < y->time ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

static void feed_map(struct follow *f, const uint8_t *p, size_t n)
{
	struct { int32_t pid, tid; uint64_t addr, len, pgoff; uint32_t maj, min; uint64_t ino, gen; uint32_t prot, flags; } m;
	if (n <= sizeof(m) || !memchr(p + sizeof(m), 0, n - sizeof(m)))
		return;
	memcpy(&m, p, sizeof(m));
	symbols_map(f->symbols, m.pid, m.addr, m.len, m.pgoff, m.prot, (const char *)p + sizeof(m), NULL);
	know(f, m.pid);
}

static void feed(struct follow *f, const struct perf_event_header *h)
{
	const uint8_t *p = (const uint8_t *)(h + 1);
	size_t n = h->size - sizeof(*h);
	int32_t w[4];
	if (n < sizeof(w) + TAIL)
		return;
	n -= TAIL;
	memcpy(w, p, sizeof(w));
	switch (h->type) {
	case PERF_RECORD_MMAP2: feed_map(f, p, n); break;
	case PERF_RECORD_COMM:
		if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
			symbols_exec(f->symbols, w[0]);
		break;
	case PERF_RECORD_FORK: /* pid, ppid, tid, ptid */
		if (w[0] != w[1] && w[0] == w[2]) {
			follow_know(f, w[1]);
			symbols_fork(f->symbols, w[0], w[1]);
			know(f, w[0]);
		}
		break;
	default:
		if (w[0] == w[2])
			symbols_exit(f->symbols, w[0]);
		break;
	}
}

void follow_until(struct follow *f, uint64_t time)
{
	size_t before = f->events.n;
	vec_each(&f->rings, r)
		read_ring(f, &r->ring);
	if (f->events.n > before)
		qsort(f->events.at + f->next, f->events.n - f->next, sizeof(f->events.at[0]), by_time);
	for (; f->next < f->events.n && f->events.at[f->next].time <= time; f->next++)
		feed(f, (const struct perf_event_header *)(const void *)(f->bytes.buf + f->events.at[f->next].at));
	if (f->next == f->events.n) {
		vec_clear(&f->events);
		str_clear(&f->bytes);
		f->next = 0;
	}
}

void follow_know(struct follow *f, int pid)
{
	if (u64map_get(&f->known, (uint64_t)(uint32_t)pid))
		return;
	know(f, pid);
	(void)symbols_live(f->symbols, pid);
}
