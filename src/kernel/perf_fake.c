// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/perf_fake.h"
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/root.h"

static const struct { const char *name; int err; } errors[] = {
	{ "EACCES", EACCES }, { "EPERM", EPERM }, { "ENOENT", ENOENT }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "EINVAL", EINVAL }, { "ENODEV", ENODEV }, { "EBUSY", EBUSY }, { "EMFILE", EMFILE },
	{ "ESRCH", ESRCH }, { "E2BIG", E2BIG },
};

static bool fits(const char *word, uint64_t v)
{
	return !strcmp(word, "*") || strtoull(word, NULL, 0) == v;
}

static int errno_of(const char *word)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(errors[i].name, word))
			return errors[i].err;
	return EINVAL;
}

/* A descriptor that reads like a counter with the given value: count, time enabled, time running, id
 * as far as the read format asks for them. */
static int counter(const struct perf_event_attr *attr, uint64_t value, uint64_t enabled, uint64_t running)
{
	uint64_t v[5], n = 0;
	if (attr->read_format & PERF_FORMAT_GROUP)
		v[n++] = 1;
	else
		v[n++] = value;
	if (attr->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		v[n++] = enabled;
	if (attr->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		v[n++] = running;
	if (attr->read_format & PERF_FORMAT_GROUP)
		v[n++] = value;
	if (attr->read_format & PERF_FORMAT_ID)
		v[n++] = 1;
	int fd = memfd_create("fake-perf-event", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, v, n * 8) < 0 || lseek(fd, 0, SEEK_SET) < 0) {
		int err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

int perf_fake_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	struct str rules = STR_INIT;
	char *path = xasprintf("%s/perf_event_open", root_fake_dir());
	int result = -ENOENT;
	(void)pid, (void)cpu, (void)group_fd, (void)flags;
	file_read(path, &rules, 1 << 20);
	free(path);
	for (char *line = rules.buf, *next; line && *line; line = next) {
		char type[32], config[32], word[32];
		uint64_t value = 0, enabled = 1000000, running = 1000000;
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, "%31s %31s %31s %" SCNu64 " %" SCNu64 " %" SCNu64, type, config, word, &value, &enabled,
			   &running) < 3 || *line == '#')
			continue;
		if (!fits(type, attr->type) || !fits(config, attr->config))
			continue;
		result = !strcmp(word, "ok") ? counter(attr, value, enabled, running) : -errno_of(word);
		break;
	}
	str_release(&rules);
	return result;
}
