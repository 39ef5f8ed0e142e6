// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/tpformat.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include "base/vec.h"
#include "symbol/symbols.h"

enum { DEPTH_MAX = 32, VERIFY = 8, PAD = 70 * 1024 };

enum op {
	OP_CONST, OP_READ, OP_DYNLEN, OP_MASK, OP_INDEX, OP_COND,
	OP_NOT, OP_INV, OP_NE, OP_EQ, OP_OR, OP_LOR, OP_AND, OP_LAND, OP_LT, OP_LE, OP_GT, OP_GE,
	OP_SHL, OP_SHR, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
};

/* A number: children are indices into the plan's nodes. */
struct expr {
	enum op op;
	int a, b, c;
	uint32_t off, size;
	uint64_t val; /* constant, mask, or number of elements */
};

struct name { uint64_t val; const char *text; bool any; };

enum piece_kind { PIECE_TEXT, PIECE_NUMBER, PIECE_POINTER, PIECE_FUNCTION, PIECE_STRING };
enum string_kind { STRING_TEXT, STRING_FIELD, STRING_DYNAMIC, STRING_FLAGS, STRING_SYMBOL, STRING_COND };
struct string {
	enum string_kind kind;
	const char *text; /* literal, or the delimiter of flags */
	int num; /* expression of flags, symbols, conditions */
	int yes, no; /* of a condition: indices into strings */
	uint32_t off, size;
	bool relative;
	int name, names; /* first and number, of flags and symbols */
};
struct piece {
	enum piece_kind kind;
	char *text; /* literal; or the printf format of a number that needs one */
	size_t len;
	int num, str; /* expression or string */
	int width_num; /* expression of a '*', -1: none */
	int bits; /* 8, 16, 32, 64 */
	char conv;
	int width, prec; /* of strings; prec -1: none */
	bool left, star_prec;
};

struct tp_format {
	struct tep_handle *tep;
	struct tep_event *event;
	struct symbols *syms;
	bool compiled;
	int verified;
	VEC(struct expr) expr;
	VEC(struct name) name;
	VEC(struct string) string;
	VEC(struct piece) piece;
	VEC(struct tp_field) field;
	struct trace_seq seq; /* for libtraceevent */
	char *pad; /* a copy with zeros behind it, since libtraceevent trusts offsets */
	struct str check;
};

static inline uint64_t read_number(const uint8_t *raw, uint32_t raw_size, uint64_t off, uint32_t size)
{
	uint16_t h;
	uint32_t w;
	uint64_t d;
	if (off + size > raw_size || off > raw_size)
		return 0;
	switch (size) {
	case 1:
		return raw[off];
	case 2:
		memcpy(&h, raw + off, 2);
		return h;
	case 4:
		memcpy(&w, raw + off, 4);
		return w;
	case 8:
		memcpy(&d, raw + off, 8);
		return d;
	}
	return 0;
}

static uint64_t binary(enum op op, uint64_t l, uint64_t r)
{
	switch (op) {
	case OP_NE: return l != r;
	case OP_EQ: return l == r;
	case OP_OR: return l | r;
	case OP_LOR: return l || r;
	case OP_AND: return l & r;
	case OP_LAND: return l && r;
	case OP_LT: return l < r;
	case OP_LE: return l <= r;
	case OP_GT: return l > r;
	case OP_GE: return l >= r;
	case OP_SHL: return r < 64 ? l << r : 0;
	case OP_SHR: return r < 64 ? l >> r : 0;
	case OP_ADD: return l + r;
	case OP_SUB: return l - r;
	case OP_MUL: return l * r;
	case OP_DIV: return r ? l / r : 0;
	case OP_MOD: return r ? l % r : 0;
	default: return 0;
	}
}

static uint64_t eval(const struct tp_format *f, int i, const uint8_t *raw, uint32_t size)
{
	const struct expr *e = &f->expr.at[i];
	switch (e->op) {
	case OP_CONST:
		return e->val;
	case OP_READ:
		return read_number(raw, size, e->off, e->size);
	case OP_DYNLEN:
		return read_number(raw, size, e->off, e->size) >> 16;
	case OP_MASK:
		return eval(f, e->a, raw, size) & e->val;
	case OP_INDEX: {
		uint64_t at = eval(f, e->a, raw, size);
		return at < e->val ? read_number(raw, size, e->off + at * e->size, e->size) : 0;
	}
	case OP_COND:
		return eval(f, eval(f, e->a, raw, size) ? e->b : e->c, raw, size);
	case OP_NOT:
		return !eval(f, e->a, raw, size);
	case OP_INV:
		return ~eval(f, e->a, raw, size);
	default:
		return binary(e->op, eval(f, e->a, raw, size), eval(f, e->b, raw, size));
	}
}

/* ---- compiling ---- */

static int add_expr(struct tp_format *f, struct expr e)
{
	*vec_push(&f->expr) = e;
	return f->expr.n - 1;
}

static struct tep_format_field *arg_field(struct tp_format *f, struct tep_print_arg *a)
{
	if (!a->field.field)
		a->field.field = tep_find_any_field(f->event, a->field.name);
	return a->field.field;
}

static int compile(struct tp_format *f, struct tep_print_arg *a, int depth);

static int compile_cast(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	static const struct { const char *name; uint64_t mask; } types[] = {
		{ "u8", 0xff }, { "s8", 0xff }, { "char", 0xff }, { "unsigned char", 0xff },
		{ "u16", 0xffff }, { "s16", 0xffff }, { "short", 0xffff }, { "unsigned short", 0xffff },
		{ "u32", 0xffffffff }, { "s32", 0xffffffff }, { "int", 0xffffffff }, { "unsigned int", 0xffffffff },
	};
	int item = compile(f, a->typecast.item, depth + 1);
	if (item < 0)
		return -1;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(a->typecast.type, types[i].name))
			return add_expr(f, (struct expr){ .op = OP_MASK, .a = item, .val = types[i].mask });
	return item;
}

static int compile_index(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	struct tep_print_arg *l = a->op.left;
	struct tep_format_field *fd = l->type == TEP_PRINT_FIELD ? arg_field(f, l) : NULL;
	int at = compile(f, a->op.right, depth + 1);
	if (!fd || at < 0 || fd->elementsize < 1 || fd->elementsize > 8 || fd->offset < 0)
		return -1;
	uint64_t i = f->expr.at[at].val, n = fd->size / fd->elementsize;
	if (f->expr.at[at].op == OP_CONST && i < n)
		return add_expr(f, (struct expr){ .op = OP_READ, .off = fd->offset + i * fd->elementsize, .size = fd->elementsize });
	return add_expr(f, (struct expr){ .op = OP_INDEX, .a = at, .off = fd->offset,
			.size = fd->elementsize, .val = fd->size / fd->elementsize });
}

static int compile_op(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	static const struct { const char *name; enum op op; } ops[] = {
		{ "!=", OP_NE }, { "==", OP_EQ }, { "|", OP_OR }, { "||", OP_LOR }, { "&", OP_AND },
		{ "&&", OP_LAND }, { "<", OP_LT }, { "<=", OP_LE }, { ">", OP_GT }, { ">=", OP_GE },
		{ "<<", OP_SHL }, { ">>", OP_SHR }, { "+", OP_ADD }, { "-", OP_SUB }, { "*", OP_MUL },
		{ "/", OP_DIV }, { "%", OP_MOD },
	};
	const char *op = a->op.op;
	struct expr e = { 0 };
	if (!strcmp(op, "["))
		return compile_index(f, a, depth);
	if (!strcmp(op, "?")) {
		struct tep_print_arg *r = a->op.right;
		if (r->type != TEP_PRINT_OP)
			return -1;
		e = (struct expr){ .op = OP_COND, .a = compile(f, a->op.left, depth + 1),
				   .b = compile(f, r->op.left, depth + 1), .c = compile(f, r->op.right, depth + 1) };
		return e.a < 0 || e.b < 0 || e.c < 0 ? -1 : add_expr(f, e);
	}
	if (!strcmp(op, "!") || !strcmp(op, "~")) {
		e = (struct expr){ .op = *op == '!' ? OP_NOT : OP_INV, .a = compile(f, a->op.right, depth + 1) };
		return e.a < 0 ? -1 : add_expr(f, e);
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(op, ops[i].name))
			continue;
		e = (struct expr){ .op = ops[i].op, .a = compile(f, a->op.left, depth + 1),
				   .b = compile(f, a->op.right, depth + 1) };
		return e.a < 0 || e.b < 0 ? -1 : add_expr(f, e);
	}
	return -1;
}

/* The index of the expression, or -1: not for a plan. */
static int compile(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	struct tep_format_field *fd;
	if (!a || depth > DEPTH_MAX)
		return -1;
	switch (a->type) {
	case TEP_PRINT_NULL: /* the missing left side of ! and ~ */
		return add_expr(f, (struct expr){ .op = OP_CONST });
	case TEP_PRINT_ATOM:
		return add_expr(f, (struct expr){ .op = OP_CONST, .val = strtoull(a->atom.atom, NULL, 0) });
	case TEP_PRINT_FIELD:
		fd = arg_field(f, a);
		if (!fd || fd->offset < 0)
			return -1;
		return add_expr(f, (struct expr){ .op = OP_READ, .off = fd->offset, .size = fd->size });
	case TEP_PRINT_TYPE:
		return compile_cast(f, a, depth);
	case TEP_PRINT_OP:
		return compile_op(f, a, depth);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		fd = a->dynarray.field;
		return add_expr(f, (struct expr){ .op = OP_DYNLEN, .off = fd->offset, .size = fd->size });
	default:
		return -1;
	}
}

static int add_string(struct tp_format *f, struct string s)
{
	*vec_push(&f->string) = s;
	return f->string.n - 1;
}

static int compile_names(struct tp_format *f, struct string *s, struct tep_print_flag_sym *n)
{
	s->name = f->name.n;
	for (; n; n = n->next) {
		if (isalpha((unsigned char)n->value[0]) || n->value[0] == '_')
			return -1; /* an enum that libtraceevent may know */
		bool digit = isdigit((unsigned char)n->value[0]);
		*vec_push(&f->name) = (struct name){ digit ? strtoull(n->value, NULL, 0) : -1ull, n->str, !digit };
	}
	s->names = f->name.n - s->name;
	return 0;
}

static int compile_string(struct tp_format *f, struct tep_print_arg *a, int depth);

static int compile_string_cond(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	struct tep_print_arg *r = a->op.right;
	struct string s = { .kind = STRING_COND };
	if (strcmp(a->op.op, "?") || r->type != TEP_PRINT_OP)
		return -1;
	s.num = compile(f, a->op.left, depth + 1);
	s.yes = compile_string(f, r->op.left, depth + 1);
	s.no = compile_string(f, r->op.right, depth + 1);
	return s.num < 0 || s.yes < 0 || s.no < 0 ? -1 : add_string(f, s);
}

static int compile_string(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	struct string s = { 0 };
	struct tep_format_field *fd;
	if (!a || depth > DEPTH_MAX)
		return -1;
	switch (a->type) {
	case TEP_PRINT_ATOM:
	case TEP_PRINT_BSTRING:
		s.text = a->type == TEP_PRINT_ATOM ? a->atom.atom : a->string.string;
		return add_string(f, s);
	case TEP_PRINT_FIELD:
		fd = arg_field(f, a);
		if (!fd || !(fd->flags & TEP_FIELD_IS_ARRAY) || fd->flags & TEP_FIELD_IS_DYNAMIC ||
		    fd->size <= 0 || fd->offset < 0)
			return -1;
		return add_string(f, (struct string){ .kind = STRING_FIELD, .off = fd->offset, .size = fd->size });
	case TEP_PRINT_STRING:
		if (!a->string.field)
			a->string.field = tep_find_any_field(f->event, a->string.string);
		fd = a->string.field;
		if (!fd)
			return -1;
		return add_string(f, (struct string){ .kind = STRING_DYNAMIC, .off = fd->offset, .size = fd->size,
				.relative = fd->flags & TEP_FIELD_IS_RELATIVE });
	case TEP_PRINT_FLAGS:
		s = (struct string){ .kind = STRING_FLAGS, .text = a->flags.delim, .num = compile(f, a->flags.field, depth + 1) };
		return s.num < 0 || compile_names(f, &s, a->flags.flags) ? -1 : add_string(f, s);
	case TEP_PRINT_SYMBOL:
		s = (struct string){ .kind = STRING_SYMBOL, .num = compile(f, a->symbol.field, depth + 1) };
		return s.num < 0 || compile_names(f, &s, a->symbol.symbols) ? -1 : add_string(f, s);
	case TEP_PRINT_OP:
		return compile_string_cond(f, a, depth);
	default:
		return -1;
	}
}

static void end_text(struct tp_format *f, struct str *text)
{
	if (!text->len)
		return;
	struct piece *p = vec_push(&f->piece);
	p->kind = PIECE_TEXT;
	p->len = text->len;
	p->text = str_detach(text);
}

static char unescape(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* The flags, width and precision between % and the letter; false when a plan cannot say it. */
static bool parse_conversion(struct tp_format *f, const char **pp, struct piece *p, struct tep_print_arg **arg)
{
	int ls = 0;
	struct str fmt = STR_INIT;
	const char *s = *pp;
	bool dot = false, simple = true;
	p->prec = p->width_num = -1;
	str_addc(&fmt, '%');
	for (; *s && !strchr("duixXosp", *s); s++) {
		if (*s == 'l')
			ls++;
		else if (*s == 'h')
			ls--;
		else if (*s == 'L')
			ls = 2;
		else if (*s == 'z' || *s == 'Z')
			ls = 1;
		else if (*s == '*' && *arg && p->width_num < 0) {
			p->width_num = compile(f, *arg, 0);
			*arg = (*arg)->next;
			p->star_prec = dot;
			str_addc(&fmt, '*');
			simple = false;
			if (p->width_num < 0)
				break;
		} else if (strchr("#.-0123456789", *s)) {
			str_addc(&fmt, *s);
			simple = false;
			if (*s == '.') {
				dot = true;
				p->prec = 0;
			} else if (*s == '-') {
				p->left = true;
			} else if (isdigit((unsigned char)*s) && dot) {
				p->prec = p->prec < 4096 ? p->prec * 10 + *s - '0' : 4096;
			} else if (isdigit((unsigned char)*s)) {
				p->width = p->width < 4096 ? p->width * 10 + *s - '0' : 4096;
			}
		} else {
			break;
		}
	}
	bool good = *s && strchr("duixXosp", *s) && *arg && ls >= -2 && ls <= 2;
	p->conv = *s;
	p->bits = ls == -2 ? 8 : ls == -1 ? 16 : ls == 0 ? 32 : 64;
	str_addf(&fmt, "ll%c", *s ? *s : 'd');
	if (good && !simple && *s != 's' && *s != 'p')
		p->text = str_detach(&fmt);
	str_release(&fmt);
	*pp = *s ? s + 1 : s;
	return good;
}

static bool compile_conversion(struct tp_format *f, const char **pp, struct tep_print_arg **arg)
{
	struct piece p = { 0 };
	if (!parse_conversion(f, pp, &p, arg)) {
		free(p.text);
		return false;
	}
	p.kind = p.conv == 's' ? PIECE_STRING : p.conv == 'p' ? PIECE_POINTER : PIECE_NUMBER;
	if (p.kind == PIECE_STRING)
		p.str = compile_string(f, *arg, 0);
	else
		p.num = compile(f, *arg, 0);
	*arg = (*arg)->next;
	if (p.conv == 'p' && **pp && strchr("FfSs", **pp)) {
		p.kind = PIECE_FUNCTION;
		p.conv = *(*pp)++;
	}
	bool named = p.conv == 'p' && **pp && strchr("MmIiUh", **pp);
	if (named || ((p.conv == 'p' || p.kind == PIECE_FUNCTION) && (p.width || p.left || p.width_num >= 0)) || p.str < 0 || p.num < 0) {
		free(p.text);
		return false;
	}
	*vec_push(&f->piece) = p;
	return true;
}

static bool compile_plan(struct tp_format *f)
{
	struct tep_print_arg *arg = f->event->print_fmt.args;
	const char *s = f->event->print_fmt.format;
	struct str text = STR_INIT;
	bool good = true;
	if (!s || f->event->flags & (TEP_EVENT_FL_FAILED | TEP_EVENT_FL_PRINTRAW | TEP_EVENT_FL_ISBPRINT) ||
	    f->event->handler || tep_is_file_bigendian(f->tep) || tep_get_long_size(f->tep) != 8)
		return false;
	while (good && *s) {
		if (*s == '\\' && s[1]) {
			str_addc(&text, unescape(s[1]));
			s += 2;
		} else if (*s == '%' && s[1] == '%') {
			str_addc(&text, '%');
			s += 2;
		} else if (*s == '%') {
			end_text(f, &text);
			s++;
			good = compile_conversion(f, &s, &arg);
		} else {
			str_addc(&text, *s++);
		}
	}
	end_text(f, &text);
	str_release(&text);
	return good;
}

static void add_fields(struct tp_format *f, struct tep_format_field *fd, bool common)
{
	for (; fd; fd = fd->next) {
		if (fd->offset < 0 || fd->size < 0)
			continue;
		struct tp_field *o = vec_push(&f->field);
		*o = (struct tp_field){ .name = fd->name, .off = fd->offset, .size = fd->size, .elem = fd->elementsize,
			.is_signed = fd->flags & TEP_FIELD_IS_SIGNED, .dynamic = fd->flags & TEP_FIELD_IS_DYNAMIC,
			.relative = fd->flags & TEP_FIELD_IS_RELATIVE, .common = common,
			.pointer = fd->flags & TEP_FIELD_IS_POINTER, .is_long = fd->flags & TEP_FIELD_IS_LONG };
		o->kind = fd->flags & TEP_FIELD_IS_STRING ? TP_STRING : fd->flags & TEP_FIELD_IS_ARRAY ? TP_ARRAY : TP_NUMBER;
	}
}

/* libtraceevent asks for the function at an address: its name, and its start in *addr. */
static char *resolve(void *syms, unsigned long long *addr, char **module)
{
	struct frame f;
	symbols_resolve(syms, -1, *addr, SYM_KERNEL, &f);
	*module = NULL;
	if (!f.sym)
		return NULL;
	*addr -= f.addr - f.sym_addr;
	return (char *)(uintptr_t)f.sym;
}

struct tp_format *tp_format_new(struct tep_handle *tep, struct tep_event *event, struct symbols *syms)
{
	struct tp_format *f = xcalloc(1, sizeof(*f));
	f->tep = tep;
	f->event = event;
	f->syms = syms;
	if (syms)
		tep_set_function_resolver(tep, resolve, syms);
	str_init(&f->check);
	trace_seq_init(&f->seq);
	add_fields(f, event->format.common_fields, true);
	add_fields(f, event->format.fields, false);
	f->compiled = compile_plan(f);
	return f;
}

void tp_format_free(struct tp_format *f)
{
	if (!f)
		return;
	vec_each(&f->piece, p)
		free(p->text);
	vec_release(&f->piece);
	vec_release(&f->expr);
	vec_release(&f->string);
	vec_release(&f->name);
	vec_release(&f->field);
	str_release(&f->check);
	trace_seq_destroy(&f->seq);
	free(f->pad);
	free(f);
}

/* ---- printing ---- */

static void add_padded(struct str *out, const struct piece *p, const char *z, size_t n, int star)
{
	int width = p->width, prec = p->prec;
	bool left = p->left;
	if (p->width_num >= 0 && p->star_prec) {
		prec = star;
	} else if (p->width_num >= 0) {
		width = star < 0 ? -(star + 1) + 1 : star;
		left |= star < 0;
	}
	if (prec >= 0 && n > (size_t)prec)
		n = prec;
	if (!width) {
		str_add_safe(out, z, n);
		return;
	}
	size_t fill = width > 0 && (size_t)width > n && width <= 4096 ? width - n : 0;
	for (size_t i = 0; !left && i < fill; i++)
		str_addc(out, ' ');
	str_add_safe(out, z, n);
	for (size_t i = 0; left && i < fill; i++)
		str_addc(out, ' ');
}

static void add_number_hex(struct str *out, uint64_t v)
{
	int n = v ? (67 - __builtin_clzll(v)) / 4 : 1;
	if (out->len + 17 > out->cap)
		str_grow(out, 17);
	char *p = out->buf + out->len + n;
	out->len += n;
	*p = 0;
	do
		*--p = "0123456789abcdef"[v & 15];
	while (v >>= 4);
}

static void print_flags(struct tp_format *f, struct str *out, const struct piece *p, const struct string *s,
			uint64_t val, int star)
{
	bool printed = false;
	for (int i = 0; i < s->names; i++) {
		const struct name *n = &f->name.at[s->name + i];
		if (!val && (int64_t)n->val < 0) {
			add_padded(out, p, n->text, strlen(n->text), star);
			break;
		}
		if ((int64_t)n->val > 0 && (val & n->val) == n->val) {
			if (printed && s->text)
				str_add_safez(out, s->text);
			add_padded(out, p, n->text, strlen(n->text), star);
			printed = true;
			val &= ~n->val;
		}
	}
	if (val) {
		if (printed && s->text)
			str_add_safez(out, s->text);
		str_add(out, "0x");
		add_number_hex(out, val);
	}
}

static void print_symbol(struct tp_format *f, struct str *out, const struct piece *p, const struct string *s,
			 uint64_t val, int star)
{
	for (int i = 0; i < s->names; i++) {
		const struct name *n = &f->name.at[s->name + i];
		if (n->val == val) {
			add_padded(out, p, n->text, strlen(n->text), star);
			return;
		}
	}
	str_add(out, "0x");
	add_number_hex(out, val);
}

static void print_string(struct tp_format *f, struct str *out, const struct piece *p, int i,
			 const uint8_t *raw, uint32_t size, int star)
{
	const struct string *s = &f->string.at[i];
	uint64_t off;
	switch (s->kind) {
	case STRING_TEXT:
		add_padded(out, p, s->text, strlen(s->text), star);
		break;
	case STRING_FIELD:
		if (s->off + s->size <= size)
			add_padded(out, p, (const char *)raw + s->off, strnlen((const char *)raw + s->off, s->size), star);
		break;
	case STRING_DYNAMIC:
		off = (read_number(raw, size, s->off, 4) & 0xffff) + (s->relative ? s->off + s->size : 0);
		if (off < size)
			add_padded(out, p, (const char *)raw + off, strnlen((const char *)raw + off, size - off), star);
		break;
	case STRING_FLAGS:
		print_flags(f, out, p, s, eval(f, s->num, raw, size), star);
		break;
	case STRING_SYMBOL:
		print_symbol(f, out, p, s, eval(f, s->num, raw, size), star);
		break;
	case STRING_COND:
		print_string(f, out, p, eval(f, s->num, raw, size) ? s->yes : s->no, raw, size, star);
		break;
	}
}

static void print_formatted(struct str *out, const struct piece *p, uint64_t v, int star)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (p->width_num >= 0)
		str_addf(out, p->text, star > 4096 ? 4096 : star < -4096 ? -4096 : star, (unsigned long long)v);
	else
		str_addf(out, p->text, (unsigned long long)v);
#pragma GCC diagnostic pop
}

static void print_number(struct str *out, const struct piece *p, uint64_t v, int star)
{
	bool is_signed = p->conv == 'd' || p->conv == 'i';
	if (p->bits < 64) {
		v &= (1ull << p->bits) - 1;
		if (is_signed)
			v = (uint64_t)((int64_t)(v << (64 - p->bits)) >> (64 - p->bits));
	}
	if (p->text)
		print_formatted(out, p, v, star);
	else if (is_signed)
		str_add_s64(out, (int64_t)v);
	else if (p->conv == 'u')
		str_add_u64(out, v);
	else if (p->conv == 'x')
		add_number_hex(out, v);
	else
		str_addf(out, p->conv == 'X' ? "%llX" : "%llo", (unsigned long long)v);
}

static void print_function(struct tp_format *f, struct str *out, const struct piece *p, uint64_t v)
{
	struct frame fr = { 0 };
	if (f->syms)
		symbols_resolve(f->syms, -1, v, SYM_KERNEL, &fr);
	if (!fr.sym) {
		str_add(out, "0x");
		add_number_hex(out, v);
		return;
	}
	str_add_safez(out, fr.sym);
	if (p->conv == 'F' || p->conv == 'S') {
		str_add(out, "+0x");
		add_number_hex(out, fr.addr - fr.sym_addr);
	}
}

static void print_plan(struct tp_format *f, struct str *out, const uint8_t *raw, uint32_t size)
{
	for (const struct piece *p = f->piece.at, *end = p + f->piece.n; p < end; p++) {
		int star = p->width_num >= 0 && p->kind != PIECE_TEXT ? (int)eval(f, p->width_num, raw, size) : 0;
		const struct expr *e;
		uint64_t v;
		switch (p->kind) {
		case PIECE_TEXT:
			str_addn(out, p->text, p->len);
			break;
		case PIECE_NUMBER:
			e = &f->expr.at[p->num];
			v = e->op == OP_READ ? read_number(raw, size, e->off, e->size) : eval(f, p->num, raw, size);
			print_number(out, p, v, star);
			break;
		case PIECE_POINTER:
			v = eval(f, p->num, raw, size);
			str_add(out, v ? "0x" : "(nil)");
			if (v)
				add_number_hex(out, v);
			break;
		case PIECE_FUNCTION:
			print_function(f, out, p, eval(f, p->num, raw, size));
			break;
		case PIECE_STRING:
			print_string(f, out, p, p->str, raw, size, star);
			break;
		}
	}
}

static void print_library(struct tp_format *f, struct str *out, const void *raw, uint32_t size, int cpu)
{
	if (!f->pad)
		f->pad = xcalloc(1, 2 * PAD);
	if (size > PAD)
		size = PAD;
	memcpy(f->pad, raw, size);
	memset(f->pad + size, 0, PAD);
	struct tep_record rec = { .cpu = cpu, .size = size, .data = f->pad };
	trace_seq_reset(&f->seq);
	tep_print_event(f->tep, &f->seq, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&f->seq);
	str_add_safe(out, f->seq.buffer, f->seq.len);
}

void tp_format_print(struct tp_format *f, struct str *out, const void *raw, uint32_t size, int cpu)
{
	if (!f->compiled) {
		print_library(f, out, raw, size, cpu);
		return;
	}
	size_t start = out->len;
	print_plan(f, out, raw, size);
	if (f->verified >= VERIFY)
		return;
	f->verified++;
	str_clear(&f->check);
	print_library(f, &f->check, raw, size, cpu);
	if (f->check.len == out->len - start && !memcmp(f->check.buf, out->buf + start, f->check.len))
		return;
	f->compiled = false;
	out->len = start;
	str_addn(out, f->check.buf, f->check.len);
}

const char *tp_format_system(const struct tp_format *f)
{
	return f->event->system;
}

const char *tp_format_name(const struct tp_format *f)
{
	return f->event->name;
}

/* ---- fields ---- */

const struct tp_field *tp_format_fields(const struct tp_format *f, size_t *n)
{
	*n = f->field.n;
	return f->field.at;
}

const struct tp_field *tp_format_field(const struct tp_format *f, const char *name)
{
	vec_each(&f->field, fd)
		if (!strcmp(fd->name, name))
			return fd;
	return NULL;
}

uint64_t tp_field_number(const struct tp_field *fd, const void *raw, uint32_t size)
{
	uint64_t v = read_number(raw, size, fd->off, fd->size);
	int shift = 64 - 8 * (int)fd->size;
	if (fd->is_signed && shift > 0 && shift < 64)
		v = (uint64_t)((int64_t)(v << shift) >> shift);
	return v;
}

const void *tp_field_bytes(const struct tp_field *fd, const void *raw, uint32_t size, size_t *n)
{
	uint64_t off = fd->off, len = fd->size;
	if (fd->dynamic) {
		uint64_t loc = read_number(raw, size, fd->off, 4);
		off = (loc & 0xffff) + (fd->relative ? fd->off + fd->size : 0);
		len = loc >> 16;
	}
	if (off > size)
		off = size;
	if (len > size - off || (!fd->dynamic && !fd->size))
		len = size - off;
	const char *p = (const char *)raw + off;
	*n = fd->kind == TP_STRING ? strnlen(p, len) : len;
	return p;
}

static void add_raw_number(struct str *out, const struct tp_field *fd, uint64_t v)
{
	if (fd->pointer || (fd->is_long && !(fd->is_signed && fd->size != 4)))
		str_addf(out, "0x%llx", (unsigned long long)v);
	else if (fd->is_signed && fd->size == 2)
		str_addf(out, "%2lld", (long long)v);
	else
		str_addf(out, fd->is_signed ? "%lld" : "%llu", (long long)v);
}

void tp_format_raw(const struct tp_format *f, struct str *out, const void *raw, uint32_t size)
{
	size_t n;
	vec_each(&f->field, fd) {
		if (fd->common)
			continue;
		str_addf(out, " %s=", fd->name);
		if (fd->kind == TP_NUMBER) {
			add_raw_number(out, fd, tp_field_number(fd, raw, size));
			continue;
		}
		const uint8_t *b = tp_field_bytes(fd, raw, size, &n);
		if (fd->kind == TP_STRING) {
			str_add_safe(out, (const char *)b, n);
			continue;
		}
		str_add(out, "ARRAY[");
		for (size_t i = 0; i < n; i++)
			str_addf(out, "%s%02x", i ? ", " : "", b[i]);
		str_addc(out, ']');
	}
}
