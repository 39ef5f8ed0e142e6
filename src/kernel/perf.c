// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/perf.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "kernel/rights/caps.h"
#include "kernel/features/features.h"
#include "kernel/rights/events.h"
#include "kernel/rights/lent.h"
#include "kernel/perf_fake.h"
#include "kernel/root.h"
#include "kernel/settings.h"
#include "kernel/tracefs.h"

static int event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags | PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* With lent rights: for samples and counts of the whole machine and for what the caller might trace himself. In any other
 * case the kernel judges by his own rights. A process is looked at when it is attached to: from there on the kernel ends
 * the event when the process execs a program that has other rights. */
static int event_open_lent(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	int fd = -EACCES;
	bool whole = pid < 0 || flags & PERF_FLAG_PID_CGROUP; /* of a cgroup pid is a descriptor */
	if (lent_event(attr, whole)) {
		uint64_t before = lent_raise();
		fd = event_open(attr, pid, cpu, group_fd, flags);
		lent_lower(before);
		if (fd < 0 || whole || !pid || lent_may_see(pid))
			return fd;
		close(fd);
	}
	return event_open(attr, pid, cpu, group_fd, flags);
}

int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	if (!attr->size)
		attr->size = sizeof(*attr);
	if (root_is_fake())
		return perf_fake_open(attr, pid, cpu, group_fd, flags);
	return (lent() ? event_open_lent : event_open)(attr, pid, cpu, group_fd, flags);
}

int perf_read(int fd, uint64_t *words, size_t n)
{
	if (root_is_fake()) /* a plain file stands in for the counter */
		(void)lseek(fd, 0, SEEK_SET);
	ssize_t got = read(fd, words, n * sizeof(*words));
	return got < 0 ? -errno : got == (ssize_t)(n * sizeof(*words)) ? 0 : -EIO;
}

static int64_t paranoid_level(void)
{
	int64_t v = 2;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/perf_event_paranoid"), &v);
	return v;
}

/* What the kernel would have wanted for this event, by the rules of each paranoid level. */
static int explain_permission(int err, const struct perf_event_attr *attr, const char *name, pid_t pid, int cpu)
{
	int64_t level = paranoid_level();
	int needs = attr->type == PERF_TYPE_TRACEPOINT ? -1 : pid == -1 && cpu >= 0 ? 0 : !attr->exclude_kernel ? 1 : 2;
	error_set(err, "no permission to open %s%s", name,
		  pid == -1 ? " on a whole CPU" : !attr->exclude_kernel ? " with kernel events" : "");
	if (pid > 0 && !lent_may_see(pid))
		return lent_refuse(pid);
	if (lent_event_refuse(attr, name, pid == -1))
		return -abs(err);
	if (pid > 0 && kill(pid, 0) && errno == EPERM)
		return error_hint("process %d belongs to another user: run sonde as root", pid);
	if (lent_once() && !lent())
		return error_hint("the capabilities of sonde's file are for trace, stat and record (record -a, then report, flame, ...); or sudo sonde ...");
	if (level > needs && !caps_can_trace()) {
		error_hint("perf_event_paranoid is %lld and this needs %d or less%s: run as root, or: "
			   "sudo sysctl kernel.perf_event_paranoid=%d", (long long)level, needs,
			   level > 2 ? "" : " (or CAP_PERFMON)", needs);
		if (needs == 1)
			error_hint("user space alone needs no more rights: %s:u", name);
		return -abs(err);
	}
	struct str cause = STR_INIT, remedy = STR_INIT;
	denied_explain(CAP_PERFMON, &cause, &remedy);
	error_hint("%s", cause.buf);
	error_hint("%s", remedy.buf);
	str_release(&cause);
	str_release(&remedy);
	return -abs(err);
}

const char *perf_refusal(int err, const struct perf_event_attr *attr)
{
	bool code = attr->type == PERF_TYPE_BREAKPOINT && attr->bp_type == HW_BREAKPOINT_X;
	/* the list of places that must not be stopped at belongs to the kernel's probes: without them all of it counts as such */
	if (abs(err) == EINVAL && code && attr->bp_addr >> 63 && !file_exists(tracefs_path("kprobe_events")))
		return "a kernel without kernel probes (CONFIG_KPROBES) refuses breakpoints on its own code; those on its data "
		       "and in programs work";
	return NULL;
}

static int explain_unsupported(int err, const struct perf_event_attr *attr, const char *name)
{
	error_set(err, "%s is not supported by this machine", name);
	if (attr->branch_sample_type)
		return error_hint("the CPU, or the virtual machine, has no branch stack");
	if (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE || attr->type == PERF_TYPE_RAW)
		return error_hint("no hardware PMU here (a virtual machine without one?): use cpu-clock, or another "
				  "event that sonde list shows");
	return error_hint("sonde list shows the events of this machine");
}

int perf_explain(int err, const struct perf_event_attr *attr, const char *name, pid_t pid, int cpu)
{
	err = abs(err);
	switch (err) {
	case EACCES:
	case EPERM:
		return explain_permission(err, attr, name, pid, cpu);
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		if (err == ENODEV && cpu >= 0 && !file_exists(root_path(ROOT_SYS, "devices/system/cpu/cpu%d", cpu))) {
			error_set(err, "cannot open %s: there is no CPU %d", name, cpu);
			return -err;
		}
		return explain_unsupported(err, attr, name);
	case ESRCH:
		error_set(err, "cannot open %s: process %d is gone", name, pid);
		return -err;
	case EMFILE:
		error_set(err, "cannot open %s: too many open files", name);
		return files_limit_hint();
	case ENOSYS:
		error_set(err, "cannot open %s: this kernel has no perf events", name);
		return error_hint("boot a kernel with CONFIG_PERF_EVENTS=y; sonde trace --engine ptrace works without");
	case EBUSY:
		error_sys(err, "cannot open %s", name);
		return error_hint("another tool holds the counter exclusively");
	case EINTR: /* what the kernel says of a uprobe that tracefs has */
		error_set(err, "cannot open %s: ftrace records it", name);
		return error_hint("a uprobe's event is for ftrace or for perf, not for both at once: end that trace, or set a probe of your own "
				  "at the place (sonde probe -x)");
	case EINVAL:
		error_sys(err, "cannot open %s", name);
		if (perf_refusal(err, attr))
			return error_hint("%s", perf_refusal(err, attr));
		return error_hint("the kernel refuses this combination of event, modifiers and target; -v shows them");
	default:
		return error_sys(err, "cannot open %s", name);
	}
}

int perf_ring_map(struct perf_ring *r, int fd, size_t pages, bool overwrite)
{
	size_t page = sysconf(_SC_PAGESIZE);
	memset(r, 0, sizeof(*r));
	if (!pages || (pages & (pages - 1)))
		return -EINVAL;
	if (pages > (SIZE_MAX >> 1) / page - 1)
		return -E2BIG;
	void *p = mmap(NULL, (pages + 1) * page, PROT_READ | (overwrite ? 0 : PROT_WRITE), MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->page = p;
	r->data = (uint8_t *)p + page;
	r->size = pages * page;
	r->mask = r->size - 1;
	r->overwrite = overwrite;
	return 0;
}

void perf_ring_unmap(struct perf_ring *r)
{
	if (r->page)
		munmap(r->page, r->size + sysconf(_SC_PAGESIZE));
	free(r->wrap);
	memset(r, 0, sizeof(*r));
}

void perf_ring_begin(struct perf_ring *r)
{
	r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	if (r->overwrite) { /* written backward: from head on, at most a whole ring */
		r->tail = r->head;
		r->head += r->size;
	}
}

struct perf_event_header *perf_ring_next(struct perf_ring *r)
{
	uint64_t left = r->head - r->tail;
	if (left < sizeof(struct perf_event_header))
		return NULL;
	size_t at = r->tail & r->mask, size;
	struct perf_event_header *h = (void *)(r->data + at); /* headers never wrap: records are 8-byte aligned */
	size = h->size;
	if (size < sizeof(*h) || size > left || (r->overwrite && !h->type)) {
		r->tail = r->head;
		return NULL;
	}
	if (at + size > r->size) {
		if (r->wrap_cap < size) {
			free(r->wrap);
			r->wrap = xmalloc(r->wrap_cap = 65536);
		}
		size_t first = r->size - at;
		memcpy(r->wrap, r->data + at, first);
		memcpy(r->wrap + first, r->data, size - first);
		h = (void *)r->wrap;
	}
	r->tail += size;
	return h;
}

void perf_ring_end(struct perf_ring *r)
{
	if (!r->overwrite)
		__atomic_store_n(&r->page->data_tail, r->tail, __ATOMIC_RELEASE);
}

size_t perf_ring_pieces(struct perf_ring *r, const void *piece[2], size_t len[2])
{
	size_t n = r->head - r->tail, at = r->tail & r->mask;
	if (n > r->size)
		n = r->size;
	size_t first = n < r->size - at ? n : r->size - at;
	piece[0] = r->data + at;
	len[0] = first;
	piece[1] = r->data;
	len[1] = n - first;
	return n;
}

void perf_ring_consume(struct perf_ring *r, size_t n)
{
	r->tail += n;
	perf_ring_end(r);
}
