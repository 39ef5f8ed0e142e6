// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/taskfilter.h"
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "kernel/root.h"

bool task_filter_needed(const struct engine_options *o)
{
	return o->has_uid || (o->cgroup && !o->all); /* a cgroup on all CPUs is the kernel's to choose */
}

bool task_filter_changes_user(const char *call)
{
	static const char *const names[] = { "setuid", "setreuid", "setresuid", "setuid32", "setreuid32", "setresuid32" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(call, names[i]))
			return true;
	return false;
}

/* "Uid:	real	effective	saved	file system" */
static bool read_uid(int tid, uint32_t *uid)
{
	struct str s = STR_INIT;
	const char *at = file_read(root_path(ROOT_PROC, "%d/status", tid), &s, 65536) ? NULL : strstr(s.buf, "\nUid:\t");
	if (at)
		*uid = strtoul(at + 6, NULL, 10);
	str_release(&s);
	return at;
}

/* Below the mount, without slashes around it. */
static const char *inner_path(const char *name, size_t *n)
{
	const char *const tops[] = { root_path(ROOT_SYS, "fs/cgroup/unified/"), root_path(ROOT_SYS, "fs/cgroup/perf_event/"),
				     root_path(ROOT_SYS, "fs/cgroup/") };
	for (size_t i = 0; i < 3; i++)
		if (str_starts(name, tops[i])) {
			name += strlen(tops[i]);
			break;
		}
	name += strspn(name, "/");
	for (*n = strlen(name); *n && name[*n - 1] == '/'; --*n)
		;
	return name;
}

static bool is_below(const char *path, const char *name)
{
	size_t n;
	name = inner_path(name, &n);
	return path[0] == '/' && (!n || (!strncmp(path + 1, name, n) && (path[n + 1] == '/' || !path[n + 1])));
}

/* "0::/path" of the second version, "5:perf_event:/path" of the first. */
static bool read_cgroup(int tid, const char *name, bool *in)
{
	struct str s = STR_INIT;
	if (file_read(root_path(ROOT_PROC, "%d/cgroup", tid), &s, 65536)) {
		str_release(&s);
		return false;
	}
	*in = false;
	for (char *save, *line = strtok_r(s.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *kinds = strchr(line, ':'), *path = kinds ? strchr(kinds + 1, ':') : NULL;
		if (path && (kinds + 1 == path || str_starts(kinds + 1, "perf_event:")) && is_below(path + 1, name))
			*in = true;
	}
	str_release(&s);
	return true;
}

bool task_filter_ask(const struct engine_options *o, int tid, bool *passes)
{
	uint32_t uid = 0;
	bool in = true;
	if (o->has_uid && !read_uid(tid, &uid))
		return false;
	if (o->cgroup && !o->all && !read_cgroup(tid, o->cgroup, &in))
		return false;
	*passes = (!o->has_uid || uid == o->uid) && in;
	return true;
}
