// SPDX-License-Identifier: GPL-2.0-or-later
/* Types that the script declares itself, laid out as this machine's compilers do. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/ctype/inner.h"
#include "script/front/lex.h"

static struct script_type *resolve(struct ctypes *c, const struct c_type *t);

/* ---- constant expressions ---- */

static bool value_of(struct ctypes *c, const struct script_node *n, int64_t *v);

static bool value_of_two(struct ctypes *c, const struct script_node *n, int64_t *v)
{
	int64_t a, b;
	if (!value_of(c, n->a, &a) || !value_of(c, n->b, &b))
		return false;
	switch (n->op) {
	case '+': *v = (int64_t)((uint64_t)a + (uint64_t)b); return true;
	case '-': *v = (int64_t)((uint64_t)a - (uint64_t)b); return true;
	case '*': *v = (int64_t)((uint64_t)a * (uint64_t)b); return true;
	case '/': *v = b && b != -1 ? a / b : 0; return b && b != -1;
	case '%': *v = b && b != -1 ? a % b : 0; return b && b != -1;
	case '|': *v = a | b; return true;
	case '&': *v = a & b; return true;
	case '^': *v = a ^ b; return true;
	case TOKEN_SHL: *v = (int64_t)((uint64_t)a << (b & 63)); return true;
	case TOKEN_SHR: *v = a >> (b & 63); return true;
	default: return false;
	}
}

static bool value_of(struct ctypes *c, const struct script_node *n, int64_t *v)
{
	switch (n->kind) {
	case NODE_INT: *v = (int64_t)n->value; return true;
	case NODE_WORD: return ctype_constant(c, c->dwarf, n->name, v);
	case NODE_UNARY:
		if (!value_of(c, n->a, v))
			return false;
		*v = n->op == '-' ? (int64_t)-(uint64_t)*v : n->op == '~' ? ~*v : !*v;
		return n->op == '-' || n->op == '~' || n->op == '!';
	case NODE_BINARY: return value_of_two(c, n, v);
	default: return false;
	}
}

static int no_constant(struct ctypes *c, const struct script_node *n, const char *what)
{
	if (error_pending())
		return error_code();
	return source_error(c->text, n->at, "%s", what);
}

/* ---- layout ---- */

static uint32_t align_of(struct ctypes *c, struct script_type *t)
{
	uint32_t most = 1;
	if (t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT) {
		bool deep = !ctype_deeper(c);
		if (!deep && t->kind == TYPE_ARRAY)
			most = align_of(c, t->to);
		for (unsigned i = 0; !deep && t->kind == TYPE_STRUCT && ctype_members(t) && i < t->n_fields; i++) {
			uint32_t a = align_of(c, t->fields[i].type);
			if (!t->fields[i].bits && t->fields[i].at % a) { /* packed */
				most = 1;
				break;
			}
			most = a > most ? a : most;
		}
		c->depth--;
		return most;
	}
	return t->kind == TYPE_INT || t->kind == TYPE_POINTER || t->kind == TYPE_FLOAT ? t->size : 1;
}

struct c_layout { struct member_list list; uint64_t bit, most; uint32_t align; bool is_union, packed; };

static uint64_t up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

/* A bit-field does not go over a border of its own type's size. */
static int place_bits(struct ctypes *c, struct c_layout *l, const struct c_field *f, struct script_type *t)
{
	int64_t bits;
	uint64_t box = (uint64_t)t->size * 8;
	if (t->kind != TYPE_INT || !value_of(c, f->bits, &bits) || bits < 0 || (uint64_t)bits > box || (!bits && f->name))
		return no_constant(c, f->bits, "the width of a bit-field is a constant, from 1 to the bits of its type, which is a number");
	if (l->is_union)
		l->bit = 0;
	if (!bits || (!l->packed && l->bit % box + (uint64_t)bits > box))
		l->bit = up(l->bit, box);
	if (bits && f->name)
		members_add(&l->list, f->name, t, l->bit, (unsigned)bits);
	if (bits && f->name && !l->packed && t->size > l->align)
		l->align = t->size;
	l->bit += (uint64_t)bits;
	return 0;
}

static int place_field(struct ctypes *c, struct c_layout *l, const struct c_field *f)
{
	struct script_type *t = resolve(c, f->type);
	if (!t)
		return -EINVAL;
	if (f->bits)
		return place_bits(c, l, f, t);
	uint32_t align = l->packed ? 1 : align_of(c, t), size = ctype_size(t);
	bool flexible = t->kind == TYPE_ARRAY && !t->count;
	if (!size && !flexible && !(t->kind == TYPE_STRUCT && t->complete)) {
		struct script_node at = { .at = f->at };
		return no_constant(c, &at, t->kind == TYPE_FUNCTION || t->kind == TYPE_NONE ? "a member is of a type that has no size" :
						"this member's type is only declared, so that its size is not known");
	}
	l->bit = l->is_union ? 0 : up(l->bit, (uint64_t)align * 8);
	members_add(&l->list, f->name, t, l->bit, 0);
	l->bit += (uint64_t)size * 8;
	l->align = align > l->align ? align : l->align;
	return 0;
}

static int lay_out(struct ctypes *c, struct c_decl *d)
{
	struct c_layout l = { .list.set = c, .align = 1, .is_union = d->kind == C_UNION, .packed = d->packed };
	int err = 0;
	for (const struct c_field *f = d->fields; f && !err; f = f->next) {
		err = place_field(c, &l, f);
		l.most = l.bit > l.most ? l.bit : l.most;
		if (!err && l.most > UINT32_MAX)
			err = source_error(c->text, f->at, "up to here the struct is larger than any memory of a script");
	}
	if (err) {
		vec_release(&l.list.fields);
		return err;
	}
	d->made->size = (uint32_t)up((l.most + 7) / 8, l.align);
	members_take(&l.list, d->made);
	return 0;
}

static int make_enum(struct ctypes *c, struct c_decl *d)
{
	int64_t next = 0;
	unsigned n = 0, k = 0;
	bool negative = false, wide = false;
	for (const struct c_constant *i = d->constants; i; i = i->next)
		n++;
	struct type_constant *all = arena_get(c->memory, n * sizeof(*all) + 1);
	struct found_constant *made = arena_get(c->memory, n * sizeof(*made) + 1);
	for (const struct c_constant *i = d->constants; i; i = i->next, k++) {
		if (i->value && !value_of(c, i->value, &next))
			return no_constant(c, i->value, "the value of a constant is made of constants");
		all[k] = (struct type_constant){ i->name, next };
		negative |= next < 0;
		wide |= next > UINT32_MAX || next < INT32_MIN;
		made[k] = (struct found_constant){ NULL, next };
		strmap_set(&c->constants, i->name, &made[k]);
		next = (int64_t)((uint64_t)next + 1);
	}
	d->made = ctype_enum(c, d->name, wide ? 8 : 4, negative, n);
	memcpy(d->made->constants, all, n * sizeof(*all));
	ctype_enum_done(c, d->made);
	for (k = 0; k < n; k++)
		made[k].type = d->made;
	return 0;
}

/* A declaration's type; what it needs is made first. NULL: pending error, or c->unknown. */
static struct script_type *make(struct ctypes *c, struct c_decl *d)
{
	int err = 0;
	if (d->made && !d->busy)
		return d->made;
	if (d->busy || !ctype_deeper(c)) {
		if (!d->busy)
			c->depth--;
		source_error(c->text, d->at, d->busy ? "this holds itself: only a pointer to it can be in it" : "this is nested too deep");
		return NULL;
	}
	d->busy = true;
	if (d->kind == C_ENUM) {
		err = make_enum(c, d);
	} else if (d->kind == C_TYPEDEF) {
		d->made = resolve(c, d->type);
	} else {
		d->made = ctype_shell(&c->declared, (uintptr_t)d, d->kind == C_UNION ? "union" : "struct", d->name, 0);
		err = lay_out(c, d);
	}
	d->busy = false;
	c->depth--;
	return err ? NULL : d->made;
}

/* ---- types as they are written ---- */

struct named_elsewhere { const char *name; struct dwarf_file *dwarf; };

/* A pointer to a struct that may be somebody else's: it is looked up when it is followed. */
static void complete(struct script_type *t)
{
	struct ctypes *c = t->source->set;
	const struct named_elsewhere *e = (const struct named_elsewhere *)(uintptr_t)t->id;
	struct script_type *found = ctype_find(c, e->dwarf, e->name);
	if (!found || found->kind != TYPE_STRUCT || !ctype_members(found))
		return;
	t->fields = found->fields;
	t->n_fields = found->n_fields;
	t->size = found->size;
	t->complete = true;
}

static struct script_type *pointer_to(struct ctypes *c, const struct c_type *to)
{
	struct script_type *t;
	struct c_decl *own = to->kind == C_NAMED && to->name && !to->body ? strmap_get(&c->names, to->name) : NULL;
	bool tagged = to->kind == C_NAMED && to->name && (str_starts(to->name, "struct ") || str_starts(to->name, "union "));
	if (to->kind == C_NAMED && to->name && !strcmp(to->name, "void"))
		return type_pointer(c->memory, NULL, SPACE_ANY);
	if (tagged && !to->body && (!own || own->busy || !own->made)) {
		if (own && own->made) {
			t = own->made; /* of itself */
		} else {
			const char *word = strchr(to->name, ' ');
			struct named_elsewhere *e = arena_get(c->memory, sizeof(*e));
			*e = (struct named_elsewhere){ to->name, c->dwarf };
			t = ctype_shell(&c->declared, (uintptr_t)e, str_starts(to->name, "union ") ? "union" : "struct", word + 1, 0);
		}
	} else {
		t = resolve(c, to);
	}
	return t ? type_pointer(c->memory, t->kind == TYPE_NONE ? NULL : t, SPACE_ANY) : NULL;
}

static struct script_type *array_of(struct ctypes *c, const struct c_type *t)
{
	struct script_type *of = resolve(c, t->to);
	int64_t n = 0;
	if (!of)
		return NULL;
	if (t->count && (!value_of(c, t->count, &n) || n < 0 || n > INT32_MAX)) {
		no_constant(c, t->count, "the length of an array is a constant");
		return NULL;
	}
	ctype_size(of);
	return type_array(c->memory, of, (uint32_t)n);
}

static struct script_type *named(struct ctypes *c, const struct c_type *t)
{
	if (t->body)
		return make(c, t->body);
	struct c_decl *own = strmap_get(&c->names, t->name);
	if (own)
		return make(c, own);
	if (!strcmp(t->name, "void"))
		return &type_none;
	struct script_type *found = ctype_find(c, c->dwarf, t->name);
	if (!found && !c->unknown)
		c->unknown = t;
	return found;
}

static struct script_type *resolve_inner(struct ctypes *c, const struct c_type *t)
{
	struct script_type *f;
	switch (t->kind) {
	case C_NAMED: return named(c, t);
	case C_TYPEOF:
		if (!t->is && !error_pending())
			source_error(c->text, t->at, "there is no value whose type typeof() could be here: it is for the blocks of probes");
		return t->is;
	case C_POINTER: return pointer_to(c, t->to);
	case C_ARRAY: return array_of(c, t);
	case C_FUNCTION:
		f = arena_get(c->memory, sizeof(*f));
		f->kind = TYPE_FUNCTION;
		return f;
	}
	return NULL;
}

static struct script_type *resolve(struct ctypes *c, const struct c_type *t)
{
	struct script_type *r = NULL;
	if (ctype_deeper(c))
		r = resolve_inner(c, t);
	else if (!error_pending())
		source_error(c->text, t->at, "this type is nested too deep");
	c->depth--;
	return r;
}

struct script_type *ctype_written(struct ctypes *c, struct dwarf_file *dwarf, struct c_type *t, const struct c_type **unknown)
{
	c->dwarf = dwarf;
	if (t->made && t->made_for == dwarf)
		return t->made;
	c->unknown = NULL;
	c->declared.complete = complete;
	t->made = resolve(c, t);
	t->made_for = dwarf;
	*unknown = c->unknown ? c->unknown : t;
	return t->made;
}

/* ---- the script's own ---- */

static char *name_of(const struct c_decl *d)
{
	static const char *const tags[] = { "struct ", "union ", "enum ", "" };
	return xasprintf("%s%s", tags[d->kind], d->name);
}

static int add_name(struct ctypes *c, struct c_decl *d)
{
	char *name = name_of(d);
	struct c_decl *first = strmap_set(&c->names, name, d);
	if (first)
		source_error(c->text, d->at, "%s is declared twice", name);
	free(name);
	return first ? -EINVAL : 0;
}

static int tell_unknown(struct ctypes *c)
{
	if (error_pending() || !c->unknown)
		return error_pending() ? error_code() : -EINVAL;
	const struct c_type *t = c->unknown;
	source_error(c->text, t->at, "nobody knows the type '%s'", t->name);
	ctype_hint(c, NULL, t->name);
	return -EINVAL;
}

int ctypes_declare(struct ctypes *c, const struct script_source *s)
{
	int err = 0;
	VEC(struct c_decl *) order = { 0 };
	c->text = s;
	c->declared.complete = complete;
	for (struct c_decl *d = s->declared; d; d = d->next)
		*vec_push(&order) = d;
	for (size_t i = order.n; i-- > 0 && !err;)
		if (order.at[i]->name)
			err = add_name(c, order.at[i]);
	for (size_t i = order.n; i-- > 0 && !err;)
		if (!make(c, order.at[i]))
			err = tell_unknown(c);
	vec_release(&order);
	return err;
}

void ctype_close_declared(struct ctypes *c)
{
	strmap_release(&c->names);
	strmap_release(&c->constants);
	strmap_release(&c->pointed);
	strmap_release(&c->found);
	strmap_release(&c->found_constants);
}

struct script_type *ctype_find_declared(struct ctypes *c, const char *kind, const char *name)
{
	char *full = xasprintf("%s%s%s", kind, *kind ? " " : "", name);
	struct c_decl *d = strmap_get(&c->names, full);
	free(full);
	return d ? make(c, d) : NULL;
}

struct script_type *ctype_declared_constant(struct ctypes *c, const char *name, int64_t *value)
{
	const struct found_constant *k = strmap_get(&c->constants, name);
	if (!k)
		return NULL;
	*value = k->value;
	return k->type ? k->type : &type_s64;
}

void ctype_offer_declared(const struct ctypes *c, struct nearest *near, const char *kind)
{
	size_t cursor = 0;
	const char *name;
	void *d;
	while (strmap_next(&c->names, &cursor, &name, &d)) {
		const struct c_decl *one = d;
		static const char *const tags[] = { "struct", "union", "enum", "" };
		if (!strcmp(tags[one->kind], kind))
			nearest_offer(near, one->name);
	}
}
