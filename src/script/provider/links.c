// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/links.h"
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <pthread.h>
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

enum { UPROBE_MULTI = 48 /* BPF_TRACE_UPROBE_MULTI */, MULTI_RETURN = 1 };

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
	if (fd == -EINVAL || fd == -ENOTSUP || fd == -EOPNOTSUPP || fd == -EIO) {
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

/* Those of one file, from the first on. Marks what it has taken in `done`. */
static int many_uprobes(struct run_script *s, struct script_unit *u, size_t first, bool *done, bool ret)
{
	const char *path = s->points.at[u->points.at[first]].path;
	uint64_t *words = xcalloc(u->points.n * 3, sizeof(*words)), *offset = words, *ref = words + u->points.n, *cookie = ref + u->points.n;
	uint32_t n = 0;
	bool refs = false;
	for (size_t i = first; i < u->points.n; i++) {
		const struct point *p = &s->points.at[u->points.at[i]];
		if (done[i] || strcmp(p->path, path))
			continue;
		offset[n] = p->offset;
		ref[n] = p->ref_ctr;
		cookie[n++] = p->id;
		refs |= p->ref_ctr;
		done[i] = true;
	}
	struct multi_request r = { .prog = (uint32_t)u->fd, .type = UPROBE_MULTI, .path = (uintptr_t)path, .offsets = (uintptr_t)offset,
		.ref_ctrs = refs ? (uintptr_t)ref : 0, .cookies = (uintptr_t)cookie, .n = n, .multi_flags = ret ? MULTI_RETURN : 0 };
	r.pid = (uint32_t)only_of(s);
	int fd = r.pid && !means_processes(&r) ? -ENOTSUP : link_many(&r);
	free(words);
	if (fd >= 0)
		*vec_push(&u->links) = fd;
	return fd < 0 ? fd : 0;
}

/* One place that the kernel does not take makes it refuse all of them: then each by itself tells which. */
static int by_link(struct run_script *s, struct script_unit *u, bool ret)
{
	bool *done = xcalloc(u->points.n, sizeof(*done));
	int err = 0;
	for (size_t i = 0; i < u->points.n && !err; i++)
		if (!done[i])
			err = many_uprobes(s, u, i, done, ret);
	free(done);
	return err;
}

static void drop_links(struct script_unit *u)
{
	vec_each(&u->links, fd)
		close(*fd);
	vec_clear(&u->links);
}

int links_uprobes(struct run_script *s, struct script_unit *u, bool ret)
{
	int err = 0;
	size_t missing = 0;
	if (u->attach_type) {
		if (!by_link(s, u, ret))
			return 0;
		drop_links(u);
		u->attach_type = 0;
		err = load_again(s, u, u->type);
	}
	for (size_t i = 0; i < u->points.n && !err; i++) {
		const struct point *p = &s->points.at[u->points.at[i]];
		err = one_uprobe(s, u, p, ret);
		if (err && u->points.n > 1 && (err == -EINVAL || err == -ENOTSUP || err == -EOPNOTSUPP || err == -EIO)) {
			note(1, "%s", error_message());
			error_clear();
			missing++;
			err = missing == u->points.n ? one_uprobe(s, u, p, ret) : 0;
		}
	}
	if (!err && missing)
		source_warn(s->source, u->probe->at, "the kernel takes no probe at %zu of these %zu places (-v names them)", missing, u->points.n);
	return err;
}

int links_kprobes(struct run_script *s, struct script_unit *u, bool ret)
{
	unsigned long *addrs = xcalloc(u->points.n, sizeof(*addrs));
	__u64 *cookies = xcalloc(u->points.n, sizeof(*cookies));
	for (size_t i = 0; i < u->points.n; i++) {
		addrs[i] = s->points.at[u->points.at[i]].addr;
		cookies[i] = u->points.at[i];
	}
	LIBBPF_OPTS(bpf_link_create_opts, o, .kprobe_multi = { .flags = ret ? BPF_F_KPROBE_MULTI_RETURN : 0, .cnt = (__u32)u->points.n, .addrs = addrs, .cookies = cookies });
	int fd = bpf_link_create(u->fd, 0, BPF_TRACE_KPROBE_MULTI, &o);
	int err = fd < 0 ? -errno : 0;
	if (fd >= 0)
		*vec_push(&u->links) = fd;
	else
		note(1, "%zu kprobes at once: %s", u->points.n, strerror(-err));
	free(addrs);
	free(cookies);
	return err;
}
