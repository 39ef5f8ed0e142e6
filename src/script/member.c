// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/member.h"
#include <string.h>
#include "symbol/btftypes.h"

static int offset_of(const struct btf_file *b, const struct btf_type *t, const char *member)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (!strcmp(btf_file_name(b, m[i].name_off), member))
			return (int)((BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset) / 8);
	return -1;
}

int member_at(const char *type, const char *member)
{
	struct btf_file *b;
	if (btf_file_open(&b, NULL, NULL))
		return -1;
	const struct btf_type *t = btf_file_type(b, btf_file_find(b, type, 1u << BTF_KIND_STRUCT, 1));
	int at = t ? offset_of(b, t, member) : -1;
	btf_file_close(b);
	return at;
}
