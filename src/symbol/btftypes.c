// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/btftypes.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"

enum { BTF_MOST = 256 << 20, STRIP_MOST = 32 };

struct btf_file {
	struct btf_file *base; /* NULL: of the kernel itself */
	struct str copy;
	void *map; /* or mapped */
	size_t map_len;
	const char *types, *strings;
	uint32_t types_len, strings_len;
	uint32_t first, n; /* numbers of its own types: first to below n */
	uint32_t first_string; /* offset of its own strings */
	uint32_t *at; /* where each of its own is */
};

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
	case BTF_KIND_ENUM64: return (int64_t)n * (int64_t)sizeof(struct btf_enum64);
	default: return BTF_INFO_KIND(t->info) <= BTF_KIND_ENUM64 ? 0 : -1;
	}
}

/* Where each type is; what comes behind one of an unknown kind is left out. */
static void make_index(struct btf_file *b)
{
	uint32_t cap = b->types_len / 16 + 1, n = 0;
	b->at = xmalloc(cap * sizeof(*b->at));
	for (uint32_t at = 0; b->types_len - at >= sizeof(struct btf_type) && n < cap;) {
		int64_t tail = tail_of((const struct btf_type *)(const void *)(b->types + at));
		if (tail < 0 || tail > (int64_t)(b->types_len - at - sizeof(struct btf_type)))
			break;
		b->at[n++] = at;
		at += (uint32_t)sizeof(struct btf_type) + (uint32_t)tail;
	}
	b->n = b->first + n;
}

static bool take(struct btf_file *b, const char *p, size_t n, struct btf_file *base)
{
	struct btf_header h;
	if (n < sizeof(h))
		return false;
	memcpy(&h, p, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len < sizeof(h) || h.hdr_len > n || h.type_off > n - h.hdr_len ||
	    h.type_len > n - h.hdr_len - h.type_off || h.str_off > n - h.hdr_len || h.str_len > n - h.hdr_len - h.str_off || !h.str_len ||
	    (h.hdr_len | h.type_off) & 3)
		return false;
	b->base = base;
	b->types = p + h.hdr_len + h.type_off;
	b->types_len = h.type_len;
	b->strings = p + h.hdr_len + h.str_off;
	b->strings_len = h.str_len;
	b->first = base ? base->n : 1;
	b->first_string = base ? base->first_string + base->strings_len : 0;
	if (b->strings[h.str_len - 1])
		return false;
	make_index(b);
	return true;
}

struct btf_file *btf_file_of(const void *bytes, size_t n, struct btf_file *base)
{
	struct btf_file *b = xcalloc(1, sizeof(*b));
	str_init(&b->copy);
	str_addn(&b->copy, bytes, n);
	if (take(b, b->copy.buf, n, base))
		return b;
	btf_file_close(b);
	return NULL;
}

/* The kernel lets its own be mapped since 6.16: no copy then. */
static bool try_map(struct btf_file *b, int fd, struct btf_file *base)
{
	struct stat st;
	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size > BTF_MOST)
		return false;
	void *m = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (m == MAP_FAILED)
		return false;
	b->map = m;
	b->map_len = (size_t)st.st_size;
	return take(b, m, b->map_len, base);
}

int btf_file_open(struct btf_file **out, const char *module, struct btf_file *base)
{
	int fd = open(root_path(ROOT_SYS, "kernel/btf/%s", module ? module : "vmlinux"), O_RDONLY | O_CLOEXEC), err = 0;
	if (fd < 0)
		return -errno;
	struct btf_file *b = xcalloc(1, sizeof(*b));
	str_init(&b->copy);
	if (!try_map(b, fd, base)) {
		err = b->map ? -EINVAL : file_read_fd(fd, &b->copy, BTF_MOST);
		if (!err && !take(b, b->copy.buf, b->copy.len, base))
			err = -EINVAL;
	}
	close(fd);
	if (err)
		btf_file_close(b);
	else
		*out = b;
	return err;
}

void btf_file_close(struct btf_file *b)
{
	if (!b)
		return;
	if (b->map)
		munmap(b->map, b->map_len);
	str_release(&b->copy);
	free(b->at);
	free(b);
}

uint32_t btf_file_count(const struct btf_file *b)
{
	return b->n;
}

const struct btf_type *btf_file_type(const struct btf_file *b, uint32_t id)
{
	while (b && id < b->first)
		b = b->base;
	return b && id && id < b->n ? (const struct btf_type *)(const void *)(b->types + b->at[id - b->first]) : NULL;
}

const char *btf_file_name(const struct btf_file *b, uint32_t off)
{
	while (b && off < b->first_string)
		b = b->base;
	return b && off - b->first_string < b->strings_len ? b->strings + (off - b->first_string) : "";
}

/* Where a string is: names are there once. 0: it is not. */
static uint32_t string_at(const struct btf_file *b, const char *name)
{
	size_t n = strlen(name) + 1;
	for (const char *p = b->strings, *end = p + b->strings_len; p && (size_t)(end - p) >= n;) {
		p = memmem(p, (size_t)(end - p), name, n);
		if (p && p > b->strings && !p[-1])
			return b->first_string + (uint32_t)(p - b->strings);
		p = p ? p + 1 : NULL;
	}
	return 0;
}

/* A module's types may be called by the kernel's strings. */
static uint32_t find_own(const struct btf_file *b, uint32_t string, uint32_t kinds, uint32_t from)
{
	for (uint32_t id = from < b->first ? b->first : from; string && id < b->n; id++) {
		const struct btf_type *t = (const struct btf_type *)(const void *)(b->types + b->at[id - b->first]);
		if (t->name_off == string && kinds >> BTF_INFO_KIND(t->info) & 1)
			return id;
	}
	return 0;
}

uint32_t btf_file_find(const struct btf_file *b, const char *name, uint32_t kinds, uint32_t from)
{
	if (!*name)
		return 0;
	uint32_t own = string_at(b, name), shared = b->base ? string_at(b->base, name) : 0;
	uint32_t id = find_own(b, own, kinds, from);
	if (!id)
		id = find_own(b, shared, kinds, from);
	return id || !b->base ? id : find_own(b->base, shared, kinds, from);
}

static bool constant_in(const struct btf_type *t, uint32_t string, int64_t *value)
{
	uint32_t n = BTF_INFO_VLEN(t->info);
	bool is_signed = BTF_INFO_KFLAG(t->info);
	if (BTF_INFO_KIND(t->info) == BTF_KIND_ENUM) {
		const struct btf_enum *e = (const struct btf_enum *)(t + 1);
		for (uint32_t i = 0; i < n; i++)
			if (e[i].name_off == string) {
				*value = is_signed ? e[i].val : (int64_t)(uint32_t)e[i].val;
				return true;
			}
	} else if (BTF_INFO_KIND(t->info) == BTF_KIND_ENUM64) {
		const struct btf_enum64 *e = (const struct btf_enum64 *)(const void *)(t + 1);
		for (uint32_t i = 0; i < n; i++)
			if (e[i].name_off == string) {
				*value = (int64_t)((uint64_t)e[i].val_hi32 << 32 | e[i].val_lo32);
				return true;
			}
	}
	return false;
}

uint32_t btf_file_find_constant(const struct btf_file *b, const char *name, int64_t *value)
{
	uint32_t string = *name ? string_at(b, name) : 0;
	for (uint32_t id = b->first; string && id < b->n; id++)
		if (constant_in((const struct btf_type *)(const void *)(b->types + b->at[id - b->first]), string, value))
			return id;
	return b->base ? btf_file_find_constant(b->base, name, value) : 0;
}

uint32_t btf_file_strip(const struct btf_file *b, uint32_t id, bool typedefs)
{
	for (int i = 0; i < STRIP_MOST; i++) {
		const struct btf_type *t = btf_file_type(b, id);
		switch (t ? BTF_INFO_KIND(t->info) : BTF_KIND_UNKN) {
		case BTF_KIND_UNKN: return 0;
		case BTF_KIND_TYPEDEF:
			if (!typedefs)
				return id;
			break;
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG: break;
		default: return id;
		}
		id = t->type;
	}
	return 0;
}
