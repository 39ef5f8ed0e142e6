// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/cgroup.h"
#include <dirent.h>
#include <sys/stat.h>
#include "kernel/root.h"

enum { DEPTH_MAX = 16 };

/* The folder with that inode, at path or below it. */
static bool find(struct str *path, uint64_t id, int depth)
{
	struct stat st;
	if (stat(path->buf, &st) || depth > DEPTH_MAX)
		return false;
	if (st.st_ino == id)
		return true;
	DIR *d = opendir(path->buf);
	bool found = false;
	for (struct dirent *e; d && !found && (e = readdir(d));) {
		size_t len = path->len;
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		str_addf(path, "/%s", e->d_name);
		found = find(path, id, depth + 1);
		if (!found) {
			path->len = len;
			path->buf[len] = 0;
		}
	}
	if (d)
		closedir(d);
	return found;
}

bool cgroup_path(uint64_t id, struct str *path)
{
	struct str at = STR_INIT;
	str_add(&at, root_path(ROOT_SYS, "fs/cgroup"));
	size_t top = at.len;
	bool found = find(&at, id, 0);
	if (found)
		str_addn(path, at.buf + top, at.len - top);
	str_release(&at);
	return found;
}
