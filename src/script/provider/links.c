// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/links.h"
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/features/features.h"
#include "kernel/perf.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"
#include "script/load.h"
#include "script/provider/regs.h"

enum { UPROBE_MULTI = 48 /* BPF_TRACE_UPROBE_MULTI */, MULTI_RETURN = 1, ENOTSUPP = 524 /* the kernel's own */ };

/* BPF_LINK_CREATE of many uprobes, which is newer than our headers. The last word is ours. */
struct multi_request {
	uint32_t prog, target, type, flags;
	uint64_t path, offsets, ref_ctrs, cookies;
	uint32_t n, multi_flags, pid, pad;
};

void links_plan_uprobes(struct run_script *s, struct script_unit *u)
{
	(void)s;
	u->attach_type = UPROBE_MULTI;
}

int links_event(struct script_unit *u, const struct point *p, int fd)
{
	LIBBPF_OPTS(bpf_link_create_opts, o, .perf_event.bpf_cookie = p->id);
	*vec_push(&u->links) = fd;
	int link = bpf_link_create(u->fd, fd, BPF_PERF_EVENT, &o);
	if (link >= 0)
		*vec_push(&u->links) = link;
	else if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, u->fd)) /* before 5.15 */
		return error_sys(errno, "cannot attach a program to %s", p->name);
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? error_sys(errno, "cannot attach a program to %s", p->name) : 0;
}

int links_tracepoint(struct script_unit *u, const struct point *p, const char *system, const char *event)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .sample_period = 1, .sample_type = PERF_SAMPLE_RAW, .wakeup_events = 1 };
	int64_t id = tracefs_event_id(system, event);
	attr.config = (uint64_t)id;
	int fd = id < 0 ? (int)id : perf_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return perf_explain(fd, &attr, p->name, -1, 0);
	*vec_push(&u->links) = fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, u->fd) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return error_sys(errno, "cannot attach a program to %s", p->name);
	return 0;
}

static int only_of(const struct run_script *s)
{
	return s->pid ? s->pid : s->cpid;
}

static int one_uprobe(struct run_script *s, struct script_unit *u, const struct point *p, bool ret)
{
	const struct pmu *pmu = pmu_find("uprobe");
	int pid = only_of(s) ? only_of(s) : -1;
	struct perf_event_attr attr = { .uprobe_path = (uintptr_t)p->path, .probe_offset = p->offset, .config = ret | p->ref_ctr << 32, .sample_period = 1, .wakeup_events = 1 };
	if (!pmu || p->ref_ctr > UINT32_MAX) {
		error_set(ENOTSUP, pmu ? "the semaphore of %s is too far into its file" : "this kernel has no uprobes: %s", p->name);
		feature_hint(FEATURE_UPROBES);
		return -ENOTSUP;
	}
	attr.type = pmu->type;
	int fd = perf_open(&attr, pid, pid > 0 ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		return links_event(u, p, fd);
	if (links_refused(fd)) {
		error_set(-fd, "the kernel takes no probe at %s", p->name);
		return error_hint("there may be no instruction at this place, or one that cannot be run elsewhere");
	}
	perf_explain(fd, &attr, p->name, pid, 0);
	feature_hint(FEATURE_UPROBES);
	return fd;
}

static int link_many(struct multi_request *r)
{
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, r, sizeof(*r));
	return fd < 0 ? -errno : fd;
}

/* In a thread that is not our first. */
static void *try_thread(void *ctx)
{
	struct multi_request *r = ctx;
	r->pid = (uint32_t)syscall(SYS_gettid);
	int fd = link_many(r);
	r->pad = fd == -ESRCH;
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* The first kernels with such links (6.6) took the number for that of one thread: a process's others were not seen. Those of
 * today do not know the number of a thread that is not the first of its process. */
static bool means_processes(const struct multi_request *like)
{
	static int known;
	pthread_t thread;
	struct multi_request r = *like;
	if (!known && !pthread_create(&thread, NULL, try_thread, &r)) {
		pthread_join(thread, NULL);
		known = r.pad ? 1 : -1;
	}
	return known > 0;
}

/* Many places by one link. */
struct many { struct run_script *s; struct script_unit *u; bool ret; size_t missing; int (*link)(const struct many *m, const unsigned *points, size_t n); };

static int link_uprobes(const struct many *m, const unsigned *points, size_t n)
{
	uint64_t *words = xcalloc(n * 3, sizeof(*words)), *offset = words, *ref = words + n, *cookie = ref + n;
	bool refs = false;
	for (size_t i = 0; i < n; i++) {
		const struct point *p = &m->s->points.at[points[i]];
		offset[i] = p->offset;
		ref[i] = p->ref_ctr;
		cookie[i] = p->id;
		refs |= p->ref_ctr;
	}
	struct multi_request r = { .prog = (uint32_t)m->u->fd, .type = UPROBE_MULTI, .path = (uintptr_t)m->s->points.at[points[0]].path,
		.offsets = (uintptr_t)offset, .ref_ctrs = refs ? (uintptr_t)ref : 0, .cookies = (uintptr_t)cookie, .n = (uint32_t)n,
		.multi_flags = m->ret ? MULTI_RETURN : 0 };
	r.pid = (uint32_t)only_of(m->s);
	int fd = r.pid && !means_processes(&r) ? -EPERM : link_many(&r);
	free(words);
	return fd;
}

static int link_kprobes(const struct many *m, const unsigned *points, size_t n)
{
	unsigned long *addrs = xcalloc(n, sizeof(*addrs));
	__u64 *cookies = xcalloc(n, sizeof(*cookies));
	for (size_t i = 0; i < n; i++) {
		addrs[i] = m->s->points.at[points[i]].addr;
		cookies[i] = points[i];
	}
	LIBBPF_OPTS(bpf_link_create_opts, o, .kprobe_multi = { .flags = m->ret ? BPF_F_KPROBE_MULTI_RETURN : 0, .cnt = (__u32)n, .addrs = addrs, .cookies = cookies });
	int fd = bpf_link_create(m->u->fd, 0, BPF_TRACE_KPROBE_MULTI, &o);
	fd = fd < 0 ? -errno : fd;
	free(addrs);
	free(cookies);
	return fd;
}

bool links_refused(int err)
{
	return err == -EINVAL || err == -EILSEQ || err == -ENOTSUP || err == -EIO || err == -EBUSY || err == -ENOTSUPP;
}

/* One place that the kernel does not take makes it refuse all of them: halves find it. */
static int link_range(struct many *m, const unsigned *points, size_t n)
{
	int fd = m->link(m, points, n);
	if (fd >= 0) {
		*vec_push(&m->u->links) = fd;
		return 0;
	}
	if (fd == -EOPNOTSUPP && m->link == link_kprobes) /* built without: no function is to blame */
		return fd;
	bool not_traced = m->link == link_kprobes && (fd == -ENOENT || fd == -ESRCH || fd == -EADDRNOTAVAIL);
	if (!links_refused(fd) && !not_traced)
		return fd;
	if (n == 1) {
		note(1, "the kernel takes no probe at %s", m->s->points.at[*points].name);
		m->missing++;
		return 0;
	}
	int err = link_range(m, points, n / 2);
	return err ? err : link_range(m, points + n / 2, n - n / 2);
}

static void tell_missing(const struct many *m)
{
	if (m->missing)
		source_warn(m->s->source, m->u->probe->at, "the kernel takes no probe at %zu of these %zu places (-v names them)", m->missing, m->u->points.n);
}

/* 0: all that can be are attached. */
static int by_link(struct many *m)
{
	const struct script_unit *u = m->u;
	int err = 0;
	for (size_t i = 0, n; i < u->points.n && !err; i += n) { /* a file each */
		const char *path = m->s->points.at[u->points.at[i]].path;
		for (n = 1; i + n < u->points.n; n++) {
			const char *other = m->s->points.at[u->points.at[i + n]].path;
			if (m->link == link_uprobes && strcmp(other, path))
				break;
		}
		err = link_range(m, u->points.at + i, n);
	}
	return err ? err : m->missing == u->points.n ? -ENOTSUP : 0;
}

static void drop_links(struct script_unit *u)
{
	vec_each(&u->links, fd)
		close(*fd);
	vec_clear(&u->links);
}

int links_uprobes(struct run_script *s, struct script_unit *u, bool ret)
{
	struct many m = { .s = s, .u = u, .ret = ret, .link = link_uprobes };
	int err = 0;
	if (u->attach_type) {
		if (!by_link(&m)) {
			tell_missing(&m);
			return 0;
		}
		drop_links(u);
		u->attach_type = 0;
		m.missing = 0;
		err = load_again(s, u, u->type);
	}
	for (size_t i = 0; i < u->points.n && !err; i++) {
		const struct point *p = &s->points.at[u->points.at[i]];
		err = one_uprobe(s, u, p, ret);
		if (err && links_refused(err) && ++m.missing < u->points.n) {
			note(1, "%s", error_message());
			error_clear();
			err = 0;
		}
	}
	if (!err)
		tell_missing(&m);
	return err;
}

int links_kprobes(struct run_script *s, struct script_unit *u, bool ret)
{
	struct many m = { .s = s, .u = u, .ret = ret, .link = link_kprobes };
	int err = by_link(&m);
	if (err)
		drop_links(u);
	else
		tell_missing(&m);
	if (!err)
		note(1, "%zu functions at once (kprobe_multi)", u->points.n - m.missing);
	return err;
}

/* struct bpf_link_info, of which our headers know less. */
struct link_told {
	uint32_t type, id, prog, pad;
	union {
		struct { uint64_t addrs; uint32_t count, flags; uint64_t missed; } many;
		struct { uint32_t kind, pad; uint64_t name; uint32_t name_len, offset; uint64_t addr, missed; } event;
		char room[256];
	};
};

/* Where the kernel tells it; NULL: it does not. */
static const uint64_t *missed_in(int fd, struct link_told *t)
{
	enum { LINK_EVENT = 7, LINK_KPROBES = 8, KPROBE = 3, KRETPROBE = 4 };
	uint32_t len = sizeof(*t);
	if (bpf_obj_get_info_by_fd(fd, t, &len))
		return NULL;
	if (t->type == LINK_KPROBES && len >= offsetof(struct link_told, many.missed) + 8)
		return &t->many.missed;
	bool kprobe = t->type == LINK_EVENT && (t->event.kind == KPROBE || t->event.kind == KRETPROBE);
	return kprobe && len >= offsetof(struct link_told, event.missed) + 8 ? &t->event.missed : NULL;
}

uint64_t links_missed(int fd)
{
	struct link_told t = { 0 };
	const uint64_t *n = missed_in(fd, &t);
	return n ? *n : 0;
}

bool links_tells_missed(int fd)
{
	struct link_told t = { 0 };
	return missed_in(fd, &t);
}
