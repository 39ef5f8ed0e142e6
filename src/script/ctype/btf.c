// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of the kernel and its modules, out of BTF. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "kernel/root.h"
#include "script/ctype/inner.h"
#include "symbol/btftypes.h"

enum { MODULES_MOST = 512 };

static struct script_type *type_at(struct ctype_source *s, uint32_t id);

static const char *name_of(const struct ctype_source *s, const struct btf_type *t)
{
	return btf_file_name(s->btf, t->name_off);
}

/* Of the same name another, when only a declaration is there. */
static uint32_t definition(const struct ctype_source *s, const struct btf_type *fwd)
{
	return btf_file_find(s->btf, name_of(s, fwd), 1u << (BTF_INFO_KFLAG(fwd->info) ? BTF_KIND_UNION : BTF_KIND_STRUCT), 1);
}

static struct script_type *composite(struct ctype_source *s, uint32_t id, const struct btf_type *t)
{
	if (BTF_INFO_KIND(t->info) == BTF_KIND_FWD) {
		uint32_t whole = definition(s, t);
		if (whole)
			return type_at(s, whole);
		struct script_type *unknown = ctype_shell(s, id, BTF_INFO_KFLAG(t->info) ? "union" : "struct", name_of(s, t), 0);
		unknown->source = NULL;
		return unknown;
	}
	return ctype_shell(s, id, BTF_INFO_KIND(t->info) == BTF_KIND_UNION ? "union" : "struct", name_of(s, t), t->size);
}

static struct script_type *enumeration(struct ctype_source *s, const struct btf_type *t)
{
	uint32_t n = BTF_INFO_VLEN(t->info);
	bool is_signed = BTF_INFO_KFLAG(t->info);
	struct script_type *e = ctype_enum(s->set, name_of(s, t), t->size, is_signed, n);
	const struct btf_enum *v32 = (const struct btf_enum *)(t + 1);
	const struct btf_enum64 *v64 = (const struct btf_enum64 *)(const void *)(t + 1);
	for (uint32_t i = 0; i < n && e->kind == TYPE_INT; i++) {
		bool wide = BTF_INFO_KIND(t->info) == BTF_KIND_ENUM64;
		const char *name = btf_file_name(s->btf, wide ? v64[i].name_off : v32[i].name_off);
		int64_t v = wide ? (int64_t)((uint64_t)v64[i].val_hi32 << 32 | v64[i].val_lo32) : is_signed ? v32[i].val : (int64_t)(uint32_t)v32[i].val;
		e->constants[i] = (struct type_constant){ arena_text(s->set->memory, name, strlen(name)), v };
	}
	ctype_enum_done(s->set, e);
	return e;
}

static struct script_type *number(const struct ctype_source *s, const struct btf_type *t)
{
	uint32_t info;
	memcpy(&info, t + 1, sizeof(info));
	if (t->size == 1 && !strcmp(name_of(s, t), "char"))
		return ctype_base("char");
	if (t->size == 16)
		return type_array(s->set->memory, ctype_number(8, false), 2);
	return ctype_number(t->size, BTF_INT_ENCODING(info) & BTF_INT_SIGNED);
}

/* Is it marked __user, on its way to what it points to? */
static bool is_user(const struct ctype_source *s, uint32_t id)
{
	for (int i = 0; i < CTYPE_DEPTH; i++) {
		const struct btf_type *t = btf_file_type(s->btf, id);
		if (!t)
			return false;
		if (BTF_INFO_KIND(t->info) == BTF_KIND_TYPE_TAG && !strcmp(name_of(s, t), "user"))
			return true;
		if (BTF_INFO_KIND(t->info) != BTF_KIND_TYPE_TAG && BTF_INFO_KIND(t->info) != BTF_KIND_CONST &&
		    BTF_INFO_KIND(t->info) != BTF_KIND_VOLATILE && BTF_INFO_KIND(t->info) != BTF_KIND_TYPEDEF)
			return false;
		id = t->type;
	}
	return false;
}

static struct script_type *make(struct ctype_source *s, uint32_t id, const struct btf_type *t)
{
	struct arena *m = s->set->memory;
	struct btf_array a;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT: return number(s, t);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return enumeration(s, t);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FWD: return composite(s, id, t);
	case BTF_KIND_ARRAY:
		memcpy(&a, t + 1, sizeof(a));
		return type_array(m, type_at(s, a.type), a.nelems);
	case BTF_KIND_PTR: {
		struct script_type *to = type_at(s, t->type);
		return type_pointer(m, to->kind == TYPE_NONE ? NULL : to, is_user(s, t->type) ? SPACE_USER : SPACE_ANY);
	}
	case BTF_KIND_FLOAT: return ctype_float(t->size);
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO: {
		struct script_type *f = arena_get(m, sizeof(*f));
		f->kind = TYPE_FUNCTION;
		return f;
	}
	default: return &type_none;
	}
}

static struct script_type *type_at(struct ctype_source *s, uint32_t id)
{
	id = btf_file_strip(s->btf, id, true);
	const struct btf_type *t = btf_file_type(s->btf, id);
	struct script_type *known = id ? u64map_get(&s->known, id) : &type_none;
	if (known || !t)
		return known ? known : &type_none;
	if (ctype_deeper(s->set)) {
		known = make(s, id, t);
		u64map_set(&s->known, id, known);
	}
	s->set->depth--;
	return known ? known : &type_none;
}

static void complete(struct script_type *t)
{
	struct ctype_source *s = t->source;
	const struct btf_type *b = btf_file_type(s->btf, (uint32_t)t->id);
	const struct btf_member *m = (const struct btf_member *)(b + 1);
	struct member_list list = { .set = s->set };
	for (uint32_t i = 0; i < BTF_INFO_VLEN(b->info); i++) {
		bool packed = BTF_INFO_KFLAG(b->info);
		uint32_t bit = packed ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset, bits = packed ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0;
		members_add(&list, btf_file_name(s->btf, m[i].name_off), type_at(s, m[i].type), bit, bits);
	}
	members_take(&list, t);
}

/* ---- files ---- */

static bool open_kernel(struct ctypes *c)
{
	if (!c->kernel_tried) {
		c->kernel_tried = true;
		c->kernel.complete = complete;
		if (btf_file_open(&c->kernel.btf, NULL, NULL))
			c->kernel.btf = NULL;
	}
	return c->kernel.btf;
}

bool ctype_have_kernel(struct ctypes *c)
{
	return open_kernel(c);
}

static struct ctype_source *open_module(struct ctypes *c, const char *name)
{
	struct btf_file *btf;
	for (size_t i = 0; i < c->modules.n; i++)
		if (!strcmp(c->modules.at[i]->module, name))
			return c->modules.at[i];
	if (!open_kernel(c) || btf_file_open(&btf, name, c->kernel.btf))
		return NULL;
	struct ctype_source *s = xcalloc(1, sizeof(*s));
	*s = (struct ctype_source){ .set = c, .complete = complete, .btf = btf, .module = arena_text(c->memory, name, strlen(name)) };
	*vec_push(&c->modules) = s;
	return s;
}

/* All of them: only when vmlinux does not have what is asked for. */
static void open_modules(struct ctypes *c)
{
	DIR *d = c->modules_tried || !open_kernel(c) ? NULL : opendir(root_path(ROOT_SYS, "kernel/btf"));
	c->modules_tried = true;
	for (struct dirent *e; d && (e = readdir(d)) && c->modules.n < MODULES_MOST;)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "vmlinux"))
			open_module(c, e->d_name);
	if (d)
		closedir(d);
}

void ctype_close_kernel(struct ctypes *c)
{
	for (size_t i = 0; i < c->modules.n; i++)
		btf_file_close(c->modules.at[i]->btf);
	btf_file_close(c->kernel.btf);
}

/* ---- names ---- */

static uint32_t kinds_of(const char *kind)
{
	return !strcmp(kind, "struct") ? 1u << BTF_KIND_STRUCT : !strcmp(kind, "union") ? 1u << BTF_KIND_UNION :
	       !strcmp(kind, "enum") ? 1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64 : 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_INT;
}

static struct script_type *find(struct ctypes *c, const char *kind, const char *name)
{
	uint32_t id = btf_file_find(c->kernel.btf, name, kinds_of(kind), 1);
	if (id)
		return type_at(&c->kernel, id);
	open_modules(c);
	for (size_t i = 0; i < c->modules.n; i++)
		if ((id = btf_file_find(c->modules.at[i]->btf, name, kinds_of(kind), 1)))
			return type_at(c->modules.at[i], id);
	return NULL;
}

/* A name is looked up once. */
struct script_type *ctype_find_kernel(struct ctypes *c, const char *kind, const char *name)
{
	char *full = xasprintf("%s %s", kind, name);
	struct script_type *t = strmap_get(&c->found, full);
	if (!strmap_has(&c->found, full)) {
		t = open_kernel(c) ? find(c, kind, name) : NULL;
		strmap_set(&c->found, full, t);
	}
	free(full);
	return t;
}

struct script_type *ctype_kernel_constant(struct ctypes *c, const char *name, int64_t *value)
{
	struct found_constant *k = strmap_get(&c->found_constants, name);
	if (!k) {
		k = arena_get(c->memory, sizeof(*k));
		uint32_t id = open_kernel(c) ? btf_file_find_constant(c->kernel.btf, name, &k->value) : 0;
		k->type = id ? type_at(&c->kernel, id) : NULL;
		strmap_set(&c->found_constants, name, k);
	}
	*value = k->value;
	return k->type;
}

void ctype_offer_kernel(struct ctypes *c, struct nearest *near, const char *kind)
{
	uint32_t kinds = kinds_of(kind);
	for (uint32_t id = 1; open_kernel(c) && id < btf_file_count(c->kernel.btf); id++) {
		const struct btf_type *t = btf_file_type(c->kernel.btf, id);
		if (t && kinds >> BTF_INFO_KIND(t->info) & 1 && t->name_off)
			nearest_offer(near, btf_file_name(c->kernel.btf, t->name_off));
	}
}

/* ---- functions ---- */

static bool describe(struct ctype_source *s, uint32_t proto, unsigned skip, struct ctype_function *out)
{
	const struct btf_type *t = btf_file_type(s->btf, proto);
	if (!t || BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO)
		return false;
	const struct btf_param *p = (const struct btf_param *)(t + 1);
	uint32_t n = BTF_INFO_VLEN(t->info);
	*out = (struct ctype_function){ .result = type_at(s, t->type), .module = s->module };
	out->params = arena_get(s->set->memory, n * sizeof(*out->params) + 1);
	for (uint32_t i = skip; i < n; i++) {
		const char *name = btf_file_name(s->btf, p[i].name_off);
		if (!p[i].type && !*name) {
			out->variadic = true;
			break;
		}
		struct script_type *type = type_at(s, p[i].type);
		out->params[out->n_params++] = (struct type_field){ .name = arena_text(s->set->memory, name, strlen(name)), .type = type,
			.at = i - skip, .size = type_bytes(type) };
	}
	return true;
}

/* Static functions of one name may differ: then none of them is trusted. */
static bool function_in(struct ctype_source *s, const char *name, struct ctype_function *out)
{
	uint32_t id = btf_file_find(s->btf, name, 1u << BTF_KIND_FUNC, 1), again = id;
	const struct btf_type *t = btf_file_type(s->btf, id), *o;
	while (t && again && (again = btf_file_find(s->btf, name, 1u << BTF_KIND_FUNC, again + 1))) {
		o = btf_file_type(s->btf, again);
		if (again <= id || !o)
			break;
		if (o->type != t->type)
			return false;
	}
	if (!t || !describe(s, t->type, 0, out))
		return false;
	out->id = id;
	return true;
}

bool ctype_function(struct ctypes *c, const char *module, const char *name, struct ctype_function *out)
{
	struct ctype_source *s = module ? open_module(c, module) : NULL;
	if (s)
		return function_in(s, name, out);
	if (!open_kernel(c))
		return false;
	if (function_in(&c->kernel, name, out))
		return true;
	if (btf_file_find(c->kernel.btf, name, 1u << BTF_KIND_FUNC, 1) || module)
		return false;
	open_modules(c);
	for (size_t i = 0; i < c->modules.n; i++)
		if (function_in(c->modules.at[i], name, out))
			return true;
	return false;
}

bool ctype_tracepoint(struct ctypes *c, const char *name, struct ctype_function *out)
{
	char *full = xasprintf("btf_trace_%s", name);
	bool found = false;
	if (open_kernel(c)) {
		struct ctype_source *s = &c->kernel;
		uint32_t id = btf_file_find(s->btf, full, 1u << BTF_KIND_TYPEDEF, 1);
		if (!id)
			open_modules(c);
		for (size_t i = 0; !id && i < c->modules.n; i++) {
			s = c->modules.at[i];
			id = btf_file_find(s->btf, full, 1u << BTF_KIND_TYPEDEF, 1);
		}
		const struct btf_type *p = btf_file_type(s->btf, btf_file_strip(s->btf, id, true));
		found = p && BTF_INFO_KIND(p->info) == BTF_KIND_PTR && describe(s, btf_file_strip(s->btf, p->type, true), 1, out);
		if (found)
			out->id = id;
	}
	free(full);
	return found;
}
