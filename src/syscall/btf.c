// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include "base/map.h"
#include "syscall/btf.h"
#include "syscall/table.h"

struct btf_types {
	struct btf *btf; /* NULL: this kernel has none, or it cannot be read */
	struct strmap ids; /* struct name -> type id + 1, or 1: no such type */
};

enum { DEPTH = 6, ARRAY_SHOWN = 16, MEMBERS_MAX = 512 };

void btf_types_free(struct btf_types *t)
{
	if (!t)
		return;
	btf__free(t->btf);
	strmap_release(&t->ids);
	free(t);
}

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

static struct btf_types *types(struct decoder *d)
{
	if (d->btf)
		return d->btf;
	d->btf = xcalloc(1, sizeof(*d->btf));
	libbpf_print_fn_t before = libbpf_set_print(quiet);
	struct btf *b = btf__load_vmlinux_btf();
	libbpf_set_print(before);
	d->btf->btf = b; /* libbpf 1: NULL on failure */
	return d->btf;
}

static int struct_id(struct btf_types *t, const char *name)
{
	uintptr_t known = (uintptr_t)strmap_get(&t->ids, name);
	if (!known) {
		int id = btf__find_by_name_kind(t->btf, name, BTF_KIND_STRUCT);
		known = id > 0 ? id + 1 : 1;
		strmap_set(&t->ids, name, (void *)known);
	}
	return known - 1;
}

static void value(struct dc *c, const struct btf *b, unsigned id, const struct mem *m, size_t off, unsigned depth);

static const struct btf_type *plain(const struct btf *b, unsigned *id)
{
	const struct btf_type *t = btf__type_by_id(b, *id);
	for (int i = 0; t && i < 16 && (btf_is_mod(t) || btf_is_typedef(t)); i++) {
		*id = t->type;
		t = btf__type_by_id(b, *id);
	}
	return t;
}

static void number(struct dc *c, const struct btf_type *t, const struct mem *m, size_t off)
{
	if (t->size > 8)
		v_word(c, "...");
	else if (btf_int_encoding(t) & BTF_INT_SIGNED)
		v_s(c, mem_s(m, off, t->size));
	else
		v_u(c, mem_u(m, off, t->size));
}

static void enumerated(struct dc *c, const struct btf *b, const struct btf_type *t, const struct mem *m, size_t off)
{
	uint64_t v = mem_u(m, off, t->size);
	const struct btf_enum *e = btf_enum(t);
	for (unsigned i = 0; btf_is_enum(t) && i < btf_vlen(t); i++) {
		if ((uint32_t)e[i].val == v) {
			v_word(c, btf__name_by_offset(b, e[i].name_off));
			return;
		}
	}
	v_u(c, v);
}

static void array(struct dc *c, const struct btf *b, const struct btf_type *t, const struct mem *m, size_t off, unsigned depth)
{
	const struct btf_array *a = btf_array(t);
	unsigned elem = a->type;
	const struct btf_type *e = plain(b, &elem);
	int64_t size = btf__resolve_size(b, elem);
	if (e && size == 1 && btf_is_int(e) && btf_int_encoding(e) & (BTF_INT_CHAR | BTF_INT_SIGNED)) {
		struct mem text = mem_sub(m, off, a->nelems);
		v_cstr(c, &text, 0);
		return;
	}
	v_open(c, '[');
	for (unsigned i = 0; size > 0 && i < a->nelems && off + (i + 1) * size <= m->n; i++) {
		v_item(c);
		if (i >= ARRAY_SHOWN && !c->json) {
			str_add(c->out, "...");
			break;
		}
		value(c, b, elem, m, off + i * size, depth + 1);
	}
	v_close(c, ']');
}

static void bits(struct dc *c, const struct mem *m, size_t bit, unsigned n)
{
	uint64_t v = mem_u(m, bit / 8, 8);
	if (!v && bit / 8 + 8 > m->n) /* near the end: byte by byte */
		for (unsigned i = 0; i < 8; i++)
			v |= mem_u(m, bit / 8 + i, 1) << 8 * i;
	v >>= bit % 8;
	v_u(c, n < 64 ? v & ((1ull << n) - 1) : v);
}

static void members(struct dc *c, const struct btf *b, const struct btf_type *t, const struct mem *m, size_t off, unsigned depth)
{
	const struct btf_member *f = btf_members(t);
	bool left_out = false;
	v_open(c, '{');
	for (unsigned i = 0; i < btf_vlen(t) && i < MEMBERS_MAX; i++) {
		const char *name = btf__name_by_offset(b, f[i].name_off);
		size_t bit = btf_member_bit_offset(t, i);
		unsigned n = btf_member_bitfield_size(t, i);
		int64_t size = btf__resolve_size(b, f[i].type);
		if (off + bit / 8 + (n ? 1 : size > 0 ? (size_t)size : 0) > m->n) {
			left_out = true;
			break;
		}
		if (!n && size <= 0) /* a flexible array at the end */
			continue;
		v_field(c, name && *name ? name : "union");
		if (n)
			bits(c, m, off * 8 + bit, n);
		else
			value(c, b, f[i].type, m, off + bit / 8, depth + 1);
	}
	if (left_out)
		v_more(c);
	v_close(c, '}');
}

static void value(struct dc *c, const struct btf *b, unsigned id, const struct mem *m, size_t off, unsigned depth)
{
	const struct btf_type *t = plain(b, &id);
	if (!t || depth > DEPTH)
		v_word(c, "...");
	else if (btf_is_int(t))
		number(c, t, m, off);
	else if (btf_is_ptr(t))
		v_addr(c, mem_u(m, off, c->word));
	else if (btf_is_any_enum(t))
		enumerated(c, b, t, m, off);
	else if (btf_is_array(t))
		array(c, b, t, m, off, depth);
	else if (btf_is_composite(t))
		members(c, b, t, m, off, depth);
	else
		v_word(c, "...");
}

/* Prints m as struct `name`; false, and nothing printed, when the kernel has no such type. */
static bool v_btf(struct dc *c, const char *name, const struct mem *m)
{
	struct btf_types *t = types(c->d);
	int id = t->btf ? struct_id(t, name) : 0;
	if (!id)
		return false;
	value(c, t->btf, id, m, 0, 0);
	return true;
}

void a_btf_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < a->size || !v_btf(c, a->type, &m))
		a_ptr(c, i, a);
}

void a_btf_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (c->failed || !mem_find(c, arg(c, i), MEM_OUT, &m) || m.n < a->size || !v_btf(c, a->type, &m))
		a_ptr(c, i, a);
}
