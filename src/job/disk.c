// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/disk.h"
#include "base/error.h"

static const uint64_t second = 1000000000;

bool disk_pace_fast(struct disk_pace *p, uint64_t bytes, uint64_t now)
{
	if (p->since && now < p->since + second)
		return false;
	bool fast = p->since && !p->told && bytes > p->bytes &&
		    (double)(bytes - p->bytes) * 1e3 / (double)(now - p->since) > DISK_FAST_MB;
	*p = (struct disk_pace){ now, bytes, p->told || fast };
	return fast;
}

void disk_say_full(const char *path, const char *other)
{
	warn("stopped writing to %s: less than 5 %% or 1 GB of its file system is left", path);
	hint("%s, a file elsewhere (-o), or --no-disk-guard to write until the disk is full", other);
}
