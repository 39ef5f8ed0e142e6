// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/delay.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"

/* Its parent; 0: it is gone. */
static int parent_of(int pid)
{
	struct str s = STR_INIT;
	int parent = 0;
	if (!file_read(root_path(ROOT_PROC, "%d/stat", pid), &s, 4096) && s.len) {
		char *paren = strrchr(s.buf, ')'); /* behind the name, whatever is in it: state and parent */
		parent = paren && paren[1] && paren[2] ? atoi(paren + 3) : 0;
	}
	str_release(&s);
	return parent;
}

void trace_delay_tree(intlist *pids, int pid)
{
	intlist all = { 0 }, parents = { 0 };
	DIR *d = opendir(root_path(ROOT_PROC, "."));
	for (struct dirent *e; d && (e = readdir(d));)
		if (atoi(e->d_name) > 0) {
			*vec_push(&all) = atoi(e->d_name);
			*vec_push(&parents) = parent_of(atoi(e->d_name));
		}
	if (d)
		closedir(d);
	*vec_push(pids) = pid;
	for (size_t i = 0; i < pids->n; i++)
		for (size_t k = 0; k < all.n; k++)
			if (parents.at[k] == pids->at[i])
				*vec_push(pids) = all.at[k];
	vec_release(&all);
	vec_release(&parents);
}
