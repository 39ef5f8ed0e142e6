// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/rings.h"
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"

int rings_find(const struct rings *r, const struct opened_fd *f)
{
	for (size_t i = 0; i < r->place.n; i++)
		if (r->place.at[i].cpu == f->cpu && (f->cpu >= 0 || r->place.at[i].thread == f->thread))
			return i;
	return -1;
}

static int explain(int err, size_t bytes)
{
	struct rlimit lock = { 0 };
	int64_t kb = 516;
	error_sys(err, "cannot map a ring of %zu KiB", bytes >> 10);
	if (err != -EPERM)
		return err;
	getrlimit(RLIMIT_MEMLOCK, &lock);
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/perf_event_mlock_kb"), &kb);
	return error_hint("the limit on locked memory is %llu KiB (ulimit -l) plus %lld KiB (kernel.perf_event_mlock_kb): "
			  "raise one of them, take smaller rings with -m, or run as root",
			  (unsigned long long)lock.rlim_cur >> 10, (long long)kb);
}

static int map_one(struct rings *r, const struct opened_fd *f, bool overwrite, bool shrink)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct perf_ring *ring = vec_push(&r->at);
	int err = perf_ring_map(ring, f->fd, r->bytes / page, overwrite);
	/* Only while nothing is mapped yet: all rings have one size. */
	while (err == -EPERM && shrink && r->at.n == 1 && r->bytes > RINGS_BYTES_MIN) {
		r->bytes /= 2;
		err = perf_ring_map(ring, f->fd, r->bytes / page, overwrite);
	}
	if (err) {
		r->at.n--;
		return err;
	}
	*vec_push(&r->place) = (struct rings_place){ .cpu = f->cpu, .thread = f->thread, .fd = f->fd };
	return 0;
}

static int map_all(struct rings *r, const struct opened *o, bool overwrite, bool shrink)
{
	vec_each(&o->fds, f) {
		int i = rings_find(r, f), err = 0;
		if (i < 0)
			err = map_one(r, f, overwrite, shrink);
		else if (ioctl(f->fd, PERF_EVENT_IOC_SET_OUTPUT, r->place.at[i].fd))
			err = -errno;
		if (err)
			return err;
	}
	return 0;
}

int rings_map(struct rings *r, const struct opened *o, size_t bytes, bool overwrite, bool shrink)
{
	int err;
	for (r->bytes = bytes;; r->bytes /= 2) {
		err = map_all(r, o, overwrite, shrink);
		if (err != -EPERM || !shrink || r->bytes <= RINGS_BYTES_MIN)
			break;
		size_t keep = r->bytes; /* the limit was met at a later CPU: all again, smaller */
		rings_release(r);
		r->bytes = keep;
	}
	if (!err)
		return 0;
	size_t refused = r->bytes;
	rings_release(r);
	return explain(err, refused);
}

void rings_release(struct rings *r)
{
	vec_each(&r->at, ring)
		perf_ring_unmap(ring);
	vec_release(&r->at);
	vec_release(&r->place);
	r->bytes = 0;
}
