// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/blktrace.h"
#include <dirent.h>
#include <errno.h>
#include "base/file.h"
#include "kernel/root.h"

int blktrace_switches(wordlist *off, bool *any_on)
{
	DIR *d = opendir(root_path(ROOT_SYS, "block"));
	struct str s = STR_INIT;
	*any_on = false;
	if (!d)
		return -errno;
	for (struct dirent *e; (e = readdir(d));) {
		const char *path = *e->d_name == '.' ? NULL : root_path(ROOT_SYS, "block/%s/trace/enable", e->d_name);
		str_clear(&s);
		if (!path || file_read(path, &s, 64) || !s.len)
			continue;
		if (*s.buf == '0')
			wordlist_add(off, path);
		else
			*any_on = true;
	}
	closedir(d);
	str_release(&s);
	return off->n || *any_on ? 0 : -ENOENT;
}
