// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/member.h"
#include <linux/btf.h>
#include <stdint.h>
#include <string.h>
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"

enum { BTF_MOST = 64 << 20 };

/* Bytes behind a type's head; -1: a kind that is not known, so that nothing behind it can be found either. */
static int64_t tail_of(const struct btf_type *t)
{
	uint32_t n = BTF_INFO_VLEN(t->info);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG: return 4;
	case BTF_KIND_ARRAY: return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: return (int64_t)n * (int64_t)sizeof(struct btf_member);
	case BTF_KIND_ENUM: return (int64_t)n * (int64_t)sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO: return (int64_t)n * (int64_t)sizeof(struct btf_param);
	case BTF_KIND_DATASEC: return (int64_t)n * (int64_t)sizeof(struct btf_var_secinfo);
	case BTF_KIND_ENUM64: return (int64_t)n * 12;
	default: return BTF_INFO_KIND(t->info) <= BTF_KIND_ENUM64 ? 0 : -1;
	}
}

static bool is_named(const char *strings, uint32_t n, uint32_t at, const char *name)
{
	return at < n && n - at > strlen(name) && !strcmp(strings + at, name);
}

static int offset_of(const struct btf_type *t, const char *strings, uint32_t n, const char *name)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (is_named(strings, n, m[i].name_off, name))
			return (int)((BTF_INFO_KFLAG(t->info) ? m[i].offset & 0xffffff : m[i].offset) / 8);
	return -1;
}

static int find(const char *p, size_t n, const char *type, const char *member)
{
	struct btf_header h;
	if (n < sizeof(h))
		return -1;
	memcpy(&h, p, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len > n || h.type_off > n - h.hdr_len || h.type_len > n - h.hdr_len - h.type_off ||
	    h.str_off > n - h.hdr_len || h.str_len > n - h.hdr_len - h.str_off || !h.str_len || (h.hdr_len | h.type_off) & 3)
		return -1;
	const char *types = p + h.hdr_len + h.type_off, *strings = p + h.hdr_len + h.str_off;
	if (strings[h.str_len - 1])
		return -1;
	for (uint32_t at = 0; h.type_len - at >= sizeof(struct btf_type);) {
		const struct btf_type *t = (const struct btf_type *)(const void *)(types + at);
		int64_t tail = tail_of(t);
		at += sizeof(*t);
		if (tail < 0 || tail > h.type_len - at)
			return -1;
		if (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT && is_named(strings, h.str_len, t->name_off, type))
			return offset_of(t, strings, h.str_len, member);
		at += (uint32_t)tail;
	}
	return -1;
}

int member_at(const char *type, const char *member)
{
	struct str s = STR_INIT;
	int at = file_read(root_path(ROOT_SYS, "kernel/btf/vmlinux"), &s, BTF_MOST) ? -1 : find(s.buf, s.len, type, member);
	str_release(&s);
	return at;
}
