// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF has no places, only types: at the entry of a function the calling convention tells where each
 * parameter is, so that is where its values can be had. */
#include "symbol/btf.h"
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "arch/dwarf_regs.h"
#include "base/error.h"
#include "kernel/root.h"

enum { DEPTH_MAX = 32, MEMBERS_MAX = 100000 };

struct btf_kernel { struct btf *base, *btf; /* the same unless a module's */ };

static int parse(struct btf **out, const char *path, struct btf *base, bool elf)
{
	struct btf *b = elf ? btf__parse_elf_split(path, base) : btf__parse_raw_split(path, base);
	long err = libbpf_get_error(b);
	if (err)
		return (int)err;
	*out = b;
	return 0;
}

int btf_kernel_open(struct btf_kernel **out, const char *module, const char *file, const char *vmlinux)
{
	const char *base = module ? vmlinux : file;
	struct btf_kernel *b = xcalloc(1, sizeof(*b));
	libbpf_print_fn_t old = libbpf_set_print(NULL); /* its complaints are ours to word */
	int err = parse(&b->base, base ? base : root_path(ROOT_SYS, "kernel/btf/vmlinux"), NULL, base);
	b->btf = b->base;
	if (!err && module) {
		err = base ? -ENOENT : parse(&b->btf, root_path(ROOT_SYS, "kernel/btf/%s", module), b->base, false);
		if (err && file)
			err = parse(&b->btf, file, b->base, true);
	}
	libbpf_set_print(old);
	if (err) {
		if (module)
			b->btf = b->base;
		btf_kernel_close(b);
		return err;
	}
	*out = b;
	return 0;
}

void btf_kernel_close(struct btf_kernel *b)
{
	if (!b)
		return;
	if (b->btf != b->base)
		btf__free(b->btf);
	btf__free(b->base);
	free(b);
}

static const struct btf_type *type_at(struct btf_kernel *b, uint32_t id)
{
	return btf__type_by_id(b->btf, id);
}

static const char *name_of(struct btf_kernel *b, const struct btf_type *t)
{
	return t && t->name_off ? btf__name_by_offset(b->btf, t->name_off) : "";
}

/* Typedefs and qualifiers off. NULL: void or broken. */
static const struct btf_type *strip(struct btf_kernel *b, uint32_t id, bool typedefs)
{
	const struct btf_type *t = id ? type_at(b, id) : NULL;
	for (int i = 0; t && i < DEPTH_MAX; i++) {
		if (!btf_is_mod(t) && !(typedefs && btf_is_typedef(t)))
			return t;
		t = t->type ? type_at(b, t->type) : NULL;
	}
	return NULL;
}

/* Static functions of the same name may differ: then none of them is trusted. */
static const struct btf_type *find_proto(struct btf_kernel *b, const char *func)
{
	const struct btf_type *found = NULL;
	uint32_t n = btf__type_cnt(b->btf), from = b->btf != b->base ? btf__type_cnt(b->base) : 1;
	for (int pass = 0; pass < 2 && !found; pass++) {
		for (uint32_t i = pass ? 1 : from; i < n; i++) {
			const struct btf_type *t = type_at(b, i);
			if (!t || !btf_is_func(t) || strcmp(name_of(b, t), func))
				continue;
			const struct btf_type *proto = type_at(b, t->type);
			if (found && found != proto)
				return NULL;
			found = proto && btf_is_func_proto(proto) ? proto : found;
		}
		if (b->btf == b->base)
			break;
	}
	return found;
}

static void type_name(struct btf_kernel *b, uint32_t id, struct str *out, int depth)
{
	const struct btf_type *t = strip(b, id, false);
	if (!t || depth > DEPTH_MAX) {
		str_add(out, "void");
		return;
	}
	if (btf_is_ptr(t) || btf_is_array(t)) {
		type_name(b, btf_is_ptr(t) ? t->type : btf_array(t)->type, out, depth + 1);
		str_add(out, "*");
		return;
	}
	if (btf_is_func_proto(t)) {
		str_add(out, "(function_type)");
		return;
	}
	uint32_t kind = btf_kind(t);
	if (kind == BTF_KIND_STRUCT)
		str_add(out, "struct ");
	else if (kind == BTF_KIND_UNION)
		str_add(out, "union ");
	else if (btf_is_any_enum(t))
		str_add(out, "enum ");
	else if (kind == BTF_KIND_FWD)
		str_add(out, btf_kflag(t) ? "union " : "struct ");
	str_add_safez(out, *name_of(b, t) ? name_of(b, t) : "(unknown_type)");
}

static int unknown_function(const char *func)
{
	error_set(ENOENT, "the kernel's own type information (BTF) has no function '%s', or several different ones", func);
	return error_hint("with the kernel's debug package every function is known");
}

int btf_list_args(struct btf_kernel *b, const char *func, btf_args *out)
{
	const struct btf_type *proto = find_proto(b, func);
	if (!proto)
		return unknown_function(func);
	const struct btf_param *p = btf_params(proto);
	for (uint16_t i = 0; i < btf_vlen(proto); i++) {
		const char *name = btf__name_by_offset(b->btf, p[i].name_off);
		struct str type = STR_INIT;
		if (!name || !*name)
			continue; /* "..." */
		type_name(b, p[i].type, &type, 0);
		*vec_push(out) = (struct btf_arg){ .type = str_detach(&type), .name = xstrdup(name) };
	}
	return 0;
}

void btf_args_release(btf_args *a)
{
	vec_each(a, i) {
		free(i->type);
		free(i->name);
	}
	vec_release(a);
}

/* ---- members ---- */

struct btf_walk { struct btf_kernel *b; const struct fetch_want *w; struct fetch *f; const struct btf_type *t; };

static int64_t size_of(struct btf_kernel *b, const struct btf_type *t)
{
	uint64_t n = 1;
	for (int i = 0; t && btf_is_array(t) && i < DEPTH_MAX; i++) { /* damaged types may go round */
		n *= btf_array(t)->nelems;
		t = strip(b, btf_array(t)->type, true);
	}
	if (!t)
		return (int64_t)n;
	if (btf_is_ptr(t))
		return (int64_t)(n * sizeof(void *));
	return btf_is_int(t) || btf_is_composite(t) || btf_is_any_enum(t) || btf_is_float(t) ? (int64_t)(n * t->size) : 0;
}

struct btf_place { const struct btf_type *type; int64_t bits; int size; /* of a bit field, or 0 */ };

/* left: how many members are still looked at, since unnamed structures of a module's BTF may hold each other twice
 * over, again and again. */
static bool find_member(struct btf_kernel *b, const struct btf_type *t, const char *name, int depth, int *left, struct btf_place *m)
{
	const struct btf_member *mem = btf_members(t);
	for (uint16_t i = 0; depth < DEPTH_MAX && i < btf_vlen(t) && --*left > 0; i++) {
		const char *own = btf__name_by_offset(b->btf, mem[i].name_off);
		int64_t at = btf_member_bit_offset(t, i);
		const struct btf_type *type = strip(b, mem[i].type, true);
		if (own && *own && !strcmp(own, name)) {
			*m = (struct btf_place){ type, at, (int)btf_member_bitfield_size(t, i) };
			return true;
		}
		if (own && !*own && type && btf_is_composite(type) && find_member(b, type, name, depth + 1, left, m)) {
			m->bits += at;
			return true;
		}
	}
	return false;
}

static int enter_pointer(struct btf_walk *k)
{
	if (fetch_load(k->f))
		return error_set(E2BIG, "the chain of pointers is too long");
	k->f->memory = true;
	k->t = strip(k->b, k->t->type, true);
	return k->t ? 0 : error_set(EINVAL, "a void pointer has no members: use +OFF(...)");
}

/* A structure that this module only declares: the kernel's own BTF may define it. */
static void complete(struct btf_walk *k)
{
	if (!btf_is_fwd(k->t))
		return;
	int id = btf__find_by_name_kind(k->b->btf, name_of(k->b, k->t), btf_kflag(k->t) ? BTF_KIND_UNION : BTF_KIND_STRUCT);
	if (id > 0)
		k->t = type_at(k->b, (uint32_t)id);
}

static int take_bits(struct btf_walk *k, const struct btf_place *m)
{
	int64_t box = size_of(k->b, m->type) * 8;
	if (box <= 0 || box > 64)
		box = 64;
	int64_t start = m->bits / box * box;
	if (m->bits - start + m->size > box) {
		box = 64;
		start = m->bits / 8 * 8;
	}
	if (m->bits - start + m->size > box)
		return error_set(ENOTSUP, "the bit field is spread over more than 64 bits");
	k->f->add += start / 8;
	k->f->bit_off = (int)(m->bits - start);
	k->f->bit_size = m->size;
	k->f->bit_box = (int)box;
	return 0;
}

static int step_member(struct btf_walk *k, const char *name)
{
	struct btf_place m;
	struct str s = STR_INIT;
	int err, left = MEMBERS_MAX;
	if (btf_is_ptr(k->t) && (err = enter_pointer(k)))
		return err;
	complete(k);
	if (btf_is_composite(k->t) && find_member(k->b, k->t, name, 0, &left, &m)) {
		if (!m.type)
			return error_set(EINVAL, "member '%s' has no type", name);
		k->t = m.type;
		if (m.size)
			return take_bits(k, &m);
		k->f->add += m.bits / 8;
		return 0;
	}
	uint32_t id = (uint32_t)btf__find_by_name_kind(k->b->btf, name_of(k->b, k->t), btf_kind(k->t));
	type_name(k->b, id, &s, 0);
	if (btf_is_composite(k->t))
		error_set(ENOENT, "%s has no member '%s'", s.buf, name);
	else
		error_set(EINVAL, "'%s' cannot be a member: %s is not a structure, or it is not defined here", name, s.buf);
	str_release(&s);
	return error_code();
}

static int step_index(struct btf_walk *k, int64_t index)
{
	int err;
	if (btf_is_array(k->t)) {
		const struct btf_array *a = btf_array(k->t);
		if (a->nelems > 1 && index >= (int64_t)a->nelems)
			return error_set(ERANGE, "index %lld is outside of the array: it has %u elements", (long long)index, a->nelems);
		k->t = strip(k->b, a->type, true);
	} else if (btf_is_ptr(k->t)) {
		if ((err = enter_pointer(k)))
			return err;
	} else {
		return error_set(EINVAL, "[%lld] needs an array or a pointer", (long long)index);
	}
	int64_t size = size_of(k->b, k->t);
	if (size <= 0)
		return error_set(EINVAL, "the size of the elements is not known");
	k->f->add += index * size;
	return 0;
}

/* ---- parameters ---- */

/* Which register holds the parameter; structures by value end what can be told. */
static int locate(struct btf_kernel *b, const struct btf_type *proto, const char *name, struct fetch *f,
		  const struct btf_type **type)
{
	const struct btf_param *p = btf_params(proto);
	struct nearest near;
	nearest_init(&near, name);
	const struct btf_type *ret = strip(b, proto->type, true);
	if (ret && btf_is_composite(ret))
		return error_set(ENOTSUP, "the function returns a structure: the registers of its parameters are not known");
	for (uint16_t i = 0; i < btf_vlen(proto); i++) {
		const char *own = btf__name_by_offset(b->btf, p[i].name_off);
		const struct btf_type *t = strip(b, p[i].type, true);
		if (!t || btf_is_composite(t) || btf_is_float(t))
			return error_set(ENOTSUP, "a parameter passed by value comes before '%s': its register is not known", name);
		if (own && *own)
			nearest_offer(&near, own);
		if (!own || strcmp(own, name))
			continue;
		*type = t;
		if (i < ARCH_ARG_REGS)
			fetch_reg(f, arch_arg_regs[i], 0, false);
		else
			fetch_reg(f, ARCH_SP, ARCH_ENTRY_CFA + 8 * (i - ARCH_ARG_REGS), true);
		return 0;
	}
	error_set(ENOENT, "'%s' is not a parameter", name);
	if (!nearest_hint(&near))
		error_hint("without debug information only the parameters of functions are known (BTF), no local variables");
	return -ENOENT;
}

static bool is_char(const struct btf_type *t)
{
	return t && btf_is_int(t) && t->size == 1 && !(btf_int_encoding(t) & BTF_INT_BOOL);
}

static int as_string(struct btf_walk *k, char **out)
{
	const char *name = k->w->n_steps && k->w->steps[k->w->n_steps - 1].name ? k->w->steps[k->w->n_steps - 1].name : k->w->var;
	const struct btf_type *inner = btf_is_ptr(k->t)	? strip(k->b, k->t->type, true) :
				       btf_is_array(k->t) ? strip(k->b, btf_array(k->t)->type, true) : NULL;
	if (!is_char(inner)) {
		error_set(EINVAL, "%s is not a string: only char * and arrays of char are", name);
		return error_hint("name the member that holds the text: %s->MEMBER:%s", k->w->var, k->w->type);
	}
	if (btf_is_ptr(k->t)) {
		if (fetch_load(k->f))
			return error_set(E2BIG, "the chain of pointers is too long");
		k->f->memory = true;
	}
	*out = xstrdup(k->w->type);
	return 0;
}

static int choose_type(struct btf_walk *k, char **out)
{
	const char *cast = k->w->type;
	bool letter = cast && strlen(cast) == 1;
	bool is_signed = btf_is_int(k->t) ? (btf_int_encoding(k->t) & BTF_INT_SIGNED) : btf_is_any_enum(k->t) && btf_kflag(k->t);
	char prefix = letter ? *cast : is_signed ? 's' : k->w->have_x ? 'x' : 'u';
	*out = NULL;
	if (cast && (!strcmp(cast, "string") || !strcmp(cast, "ustring")))
		return as_string(k, out);
	if (k->f->bit_size) {
		*out = fetch_bits_type(k->f, cast, is_signed);
		return *out ? 0 : error_set(EINVAL, "'%s' is a bit field: it cannot be fetched as %s", k->w->var, cast);
	}
	if (cast && !letter) {
		*out = xstrdup(cast);
		return 0;
	}
	int64_t size = size_of(k->b, k->t);
	if (!btf_is_array(k->t) && size > 0)
		*out = xasprintf("%c%d", prefix, size >= 8 ? 64 : size > 2 ? 32 : size == 2 ? 16 : 8);
	return 0;
}

int btf_fetch(struct btf_kernel *b, const char *func, const struct fetch_want *w, struct fetch *out, char **type)
{
	const struct btf_type *proto = find_proto(b, func);
	struct btf_walk k = { .b = b, .w = w, .f = out };
	if (!proto)
		return unknown_function(func);
	int err = locate(b, proto, w->var, out, &k.t);
	for (size_t i = 0; i < w->n_steps && !err; i++)
		err = w->steps[i].name ? step_member(&k, w->steps[i].name) : step_index(&k, w->steps[i].index);
	if (!err && !k.t)
		err = error_set(EINVAL, "'%s' has no type", w->var);
	return err ? err : choose_type(&k, type);
}
