// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/pid_space.h"
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/root.h"

#define PID_NS_FIRST 0xeffffffcu /* the first namespace's inode, the same on every kernel */

bool pid_space_own(uint32_t *inode)
{
	struct stat st;
	if (stat(root_path(ROOT_PROC, "self/ns/pid"), &st))
		return false;
	*inode = st.st_ino == PID_NS_FIRST ? 0 : (uint32_t)st.st_ino;
	return true;
}

bool pid_space_shown(void)
{
	char self[16] = "";
	return readlink(root_path(ROOT_PROC, "self"), self, sizeof(self) - 1) > 0 && atoi(self) == getpid();
}

/* Bytes from the struct's beginning; *type becomes the member's. */
static int offset_of(const struct btf *b, int *type, const char *member)
{
	const struct btf_type *t = *type > 0 ? btf__type_by_id(b, *type) : NULL;
	for (int i = 0; t && i < btf_vlen(t); i++) {
		const char *name = btf__name_by_offset(b, btf_members(t)[i].name_off);
		if (!name || strcmp(name, member))
			continue;
		*type = btf_members(t)[i].type;
		return btf_member_bit_offset(t, i) / 8;
	}
	return -ENOENT;
}

static int in_struct(const struct btf *b, const char *name, const char *member)
{
	int type = btf__find_by_name_kind(b, name, BTF_KIND_STRUCT);
	return offset_of(b, &type, member);
}

/* By hand, not by relocations of the program: the kernel looks for a type's name among all of its types whenever its
 * cache of 31 names has lost it, which these names cause, in each program. */
int pid_space_layout(struct pid_space_layout *l)
{
	struct btf *b = btf__load_vmlinux_btf();
	if (!b)
		return error_sys(errno, "cannot read the kernel's types");
	int space = btf__find_by_name_kind(b, "pid_namespace", BTF_KIND_STRUCT);
	int level = in_struct(b, "pid", "level"), numbers = in_struct(b, "pid", "numbers");
	int common = offset_of(b, &space, "ns"), inode = offset_of(b, &space, "inum");
	btf__free(b);
	if (level < 0 || numbers < 0 || common < 0 || inode < 0)
		return error_set(ENOENT, "the kernel's types do not say how processes are numbered in a pid namespace");
	*l = (struct pid_space_layout){ level, numbers, common + inode };
	return 0;
}
