// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/tpexpr.h"
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

enum { DEPTH_MAX = 32 };

enum op {
	OP_CONST, OP_READ, OP_DYNLEN, OP_CAST, OP_INDEX, OP_COND,
	OP_NOT, OP_INV, OP_NE, OP_EQ, OP_OR, OP_LOR, OP_AND, OP_LAND, OP_LT, OP_LE, OP_GT, OP_GE,
	OP_SHL, OP_SHR, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
};

struct type { uint8_t bits; bool is_signed; };
static const struct type type_int = { 32, true };

/* Children are indices of other nodes. */
struct tpexpr {
	enum op op;
	int a, b, c;
	uint32_t off, size;
	uint32_t library_size; /* of an element, as libtraceevent has it: 0 for those of a probe's arrays */
	uint64_t val; /* constant, or number of elements */
	struct type type; /* of the result */
	struct type of; /* what the operands are brought to first */
};

uint64_t tpexpr_read(const uint8_t *raw, uint32_t raw_size, uint64_t off, uint32_t size)
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

/* ---- values ---- */

static uint64_t bring(uint64_t v, struct type to)
{
	return tpexpr_extend(v, to.bits, to.is_signed);
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

/* Where the sign makes a difference. */
static uint64_t binary_signed(enum op op, int64_t l, int64_t r)
{
	switch (op) {
	case OP_LT: return l < r;
	case OP_LE: return l <= r;
	case OP_GT: return l > r;
	case OP_GE: return l >= r;
	case OP_SHR: return r >= 0 && r < 64 ? (uint64_t)(l >> r) : 0;
	case OP_DIV: return r == -1 ? -(uint64_t)l : r ? (uint64_t)(l / r) : 0;
	case OP_MOD: return r == -1 || !r ? 0 : (uint64_t)(l % r);
	default: return binary(op, (uint64_t)l, (uint64_t)r);
	}
}

struct expr_run { const struct tpexprs *x; const uint8_t *raw; uint32_t size; };

/* As C does it: every value is kept as a number of its own type, extended to 64 bits. */
static uint64_t eval_c(const struct expr_run *r, int i)
{
	const struct tpexpr *e = &r->x->at.at[i];
	uint64_t v;
	switch (e->op) {
	case OP_CONST:
		return e->val;
	case OP_READ:
		return bring(tpexpr_read(r->raw, r->size, e->off, e->size), e->type);
	case OP_DYNLEN:
		return tpexpr_read(r->raw, r->size, e->off, e->size) >> 16;
	case OP_CAST:
		return bring(eval_c(r, e->a), e->type);
	case OP_INDEX:
		v = eval_c(r, e->a);
		return v < e->val ? bring(tpexpr_read(r->raw, r->size, e->off + v * e->size, e->size), e->type) : 0;
	case OP_COND:
		return bring(eval_c(r, eval_c(r, e->a) ? e->b : e->c), e->type);
	case OP_NOT:
		return !eval_c(r, e->a);
	case OP_INV:
		return bring(~eval_c(r, e->a), e->type);
	case OP_LOR: /* the right side of these need not have a meaning */
		return eval_c(r, e->a) || eval_c(r, e->b);
	case OP_LAND:
		return eval_c(r, e->a) && eval_c(r, e->b);
	case OP_SHL: case OP_SHR:
		v = bring(eval_c(r, e->a), e->of);
		return bring((e->of.is_signed ? binary_signed(e->op, (int64_t)v, (int64_t)eval_c(r, e->b)) :
			      binary(e->op, v, eval_c(r, e->b))), e->type);
	default:
		v = bring(eval_c(r, e->a), e->of);
		uint64_t w = bring(eval_c(r, e->b), e->of);
		return bring(e->of.is_signed ? binary_signed(e->op, (int64_t)v, (int64_t)w) : binary(e->op, v, w), e->type);
	}
}

static uint64_t eval_library(const struct expr_run *r, int i)
{
	const struct tpexpr *e = &r->x->at.at[i];
	uint64_t at;
	switch (e->op) {
	case OP_CONST:
		return e->val;
	case OP_READ:
		return tpexpr_read(r->raw, r->size, e->off, e->library_size);
	case OP_DYNLEN:
		return tpexpr_read(r->raw, r->size, e->off, e->size) >> 16;
	case OP_CAST:
		return tpexpr_extend(eval_library(r, e->a), e->type.bits, false);
	case OP_INDEX:
		at = eval_library(r, e->a);
		return at < e->val ? tpexpr_read(r->raw, r->size, e->off + at * e->library_size, e->library_size) : 0;
	case OP_COND:
		return eval_library(r, eval_library(r, e->a) ? e->b : e->c);
	case OP_NOT:
		return !eval_library(r, e->a);
	case OP_INV:
		return ~eval_library(r, e->a);
	default:
		return binary(e->op, eval_library(r, e->a), eval_library(r, e->b));
	}
}

uint64_t tpexpr_eval(const struct tpexprs *x, int i, enum tpexpr_way way, const uint8_t *raw, uint32_t size)
{
	const struct expr_run r = { x, raw, size };
	const struct tpexpr *e = &x->at.at[i];
	if (e->op == OP_READ && e->size == 8 && way == TPEXPR_C && size >= 8 && e->off <= size - 8) { /* most are that: at once */
		uint64_t v;
		memcpy(&v, raw + e->off, 8);
		return bring(v, e->type);
	}
	return way == TPEXPR_C ? eval_c(&r, i) : eval_library(&r, i);
}

/* ---- types ---- */

static struct type promoted(struct type t)
{
	return t.bits < 32 ? type_int : t;
}

/* What C brings two operands to. */
static struct type common(struct type a, struct type b)
{
	a = promoted(a);
	b = promoted(b);
	if (a.bits != b.bits)
		return a.bits > b.bits ? a : b;
	return (struct type){ a.bits, a.is_signed && b.is_signed };
}

/* A number without a suffix has the first type that it fits in; of decimal ones only signed. */
static struct type type_of_number(const char *text, uint64_t v)
{
	size_t digits = strspn(text, "-0123456789abcdefABCDEFxX");
	bool is_unsigned = strpbrk(text + digits, "uU"), wide = strpbrk(text + digits, "lL"), decimal = text[0] != '0';
	if (text[0] == '-')
		return (struct type){ wide || (int64_t)v < INT32_MIN ? 64 : 32, true };
	if (!wide && v <= INT32_MAX && !is_unsigned)
		return type_int;
	if (!wide && v <= UINT32_MAX && (is_unsigned || !decimal))
		return (struct type){ 32, false };
	return (struct type){ 64, !is_unsigned && v <= INT64_MAX };
}

/* Those that libtraceevent knows as casts; it leaves all others without an effect, and they are 64 bits wide mostly. */
static bool type_by_name(const char *name, struct type *t)
{
	static const struct { const char *name; struct type type; } types[] = {
		{ "u8", { 8, false } }, { "s8", { 8, true } }, { "char", { 8, true } }, { "unsigned char", { 8, false } },
		{ "u16", { 16, false } }, { "s16", { 16, true } }, { "short", { 16, true } }, { "unsigned short", { 16, false } },
		{ "u32", { 32, false } }, { "s32", { 32, true } }, { "int", { 32, true } }, { "unsigned int", { 32, false } },
		{ "u64", { 64, false } }, { "s64", { 64, true } }, { "long", { 64, true } }, { "unsigned long", { 64, false } },
		{ "long long", { 64, true } }, { "unsigned long long", { 64, false } },
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(name, types[i].name)) {
			*t = types[i].type;
			return true;
		}
	return false;
}

/* ---- compiling ---- */

struct expr_build { struct tpexprs *x; struct tep_event *event; };

static int add(struct expr_build *b, struct tpexpr e)
{
	*vec_push(&b->x->at) = e;
	return b->x->at.n - 1;
}

static struct type type_at(const struct expr_build *b, int i)
{
	return b->x->at.at[i].type;
}

struct tep_format_field *tpexpr_field(struct tep_event *event, struct tep_print_arg *a)
{
	if (!a->field.field)
		a->field.field = tep_find_any_field(event, a->field.name);
	return a->field.field;
}

unsigned tpexpr_element(const struct tep_format_field *fd)
{
	struct type t;
	char name[32] = "";
	if (fd->elementsize || !(fd->flags & TEP_FIELD_IS_ARRAY))
		return fd->elementsize;
	strncat(name, fd->type, strcspn(fd->type, "[") < sizeof(name) ? strcspn(fd->type, "[") : 0);
	return type_by_name(name, &t) ? t.bits / 8 : 0;
}

unsigned tpexpr_bits(const struct tep_format_field *fd, unsigned size)
{
	unsigned bits = size <= 8 ? size * 8 : 64, told = fd->type[0] == 's' ? strtoul(fd->type + 1, NULL, 10) : 0;
	return told && told < bits && fd->flags & TEP_FIELD_IS_SIGNED ? told : bits;
}

static struct type type_of_field(const struct tep_format_field *fd, unsigned size)
{
	return (struct type){ tpexpr_bits(fd, size), fd->flags & TEP_FIELD_IS_SIGNED };
}

static int compile(struct expr_build *b, struct tep_print_arg *a, int depth);

static int compile_cast(struct expr_build *b, struct tep_print_arg *a, int depth)
{
	int item = compile(b, a->typecast.item, depth + 1);
	struct type t;
	if (item < 0 || !type_by_name(a->typecast.type, &t))
		return item;
	return add(b, (struct tpexpr){ .op = OP_CAST, .a = item, .type = t });
}

static int compile_index(struct expr_build *b, struct tep_print_arg *a, int depth)
{
	struct tep_print_arg *l = a->op.left;
	struct tep_format_field *fd = l->type == TEP_PRINT_FIELD ? tpexpr_field(b->event, l) : NULL;
	int at = compile(b, a->op.right, depth + 1);
	uint32_t size = fd ? tpexpr_element(fd) : 0;
	if (!fd || at < 0 || !size || size > 8 || fd->offset < 0)
		return -1;
	uint64_t i = b->x->at.at[at].val, n = fd->size / size;
	struct tpexpr e = { .op = OP_INDEX, .a = at, .off = fd->offset, .size = size, .library_size = fd->elementsize, .val = n,
			    .type = type_of_field(fd, size) };
	if (b->x->at.at[at].op == OP_CONST && i < n) {
		e.op = OP_READ;
		e.off += i * size;
	}
	return add(b, e);
}

static int compile_condition(struct expr_build *b, struct tep_print_arg *a, int depth)
{
	struct tep_print_arg *r = a->op.right;
	if (r->type != TEP_PRINT_OP)
		return -1;
	struct tpexpr e = { .op = OP_COND, .a = compile(b, a->op.left, depth + 1), .b = compile(b, r->op.left, depth + 1),
			    .c = compile(b, r->op.right, depth + 1) };
	if (e.a < 0 || e.b < 0 || e.c < 0)
		return -1;
	e.type = common(type_at(b, e.b), type_at(b, e.c));
	return add(b, e);
}

static int compile_unary(struct expr_build *b, struct tep_print_arg *a, int depth)
{
	struct tpexpr e = { .op = *a->op.op == '!' ? OP_NOT : OP_INV, .a = compile(b, a->op.right, depth + 1) };
	if (e.a < 0)
		return -1;
	e.type = e.op == OP_NOT ? type_int : promoted(type_at(b, e.a));
	return add(b, e);
}

static int compile_op(struct expr_build *b, struct tep_print_arg *a, int depth)
{
	static const struct { const char *name; enum op op; } ops[] = {
		{ "!=", OP_NE }, { "==", OP_EQ }, { "|", OP_OR }, { "||", OP_LOR }, { "&", OP_AND },
		{ "&&", OP_LAND }, { "<", OP_LT }, { "<=", OP_LE }, { ">", OP_GT }, { ">=", OP_GE },
		{ "<<", OP_SHL }, { ">>", OP_SHR }, { "+", OP_ADD }, { "-", OP_SUB }, { "*", OP_MUL },
		{ "/", OP_DIV }, { "%", OP_MOD },
	};
	const char *op = a->op.op;
	if (!strcmp(op, "["))
		return compile_index(b, a, depth);
	if (!strcmp(op, "?"))
		return compile_condition(b, a, depth);
	if (!strcmp(op, "!") || !strcmp(op, "~"))
		return compile_unary(b, a, depth);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(op, ops[i].name))
			continue;
		struct tpexpr e = { .op = ops[i].op, .a = compile(b, a->op.left, depth + 1), .b = compile(b, a->op.right, depth + 1) };
		if (e.a < 0 || e.b < 0)
			return -1;
		bool shift = e.op == OP_SHL || e.op == OP_SHR, arithmetic = e.op >= OP_ADD || e.op == OP_OR || e.op == OP_AND;
		e.of = shift ? promoted(type_at(b, e.a)) : common(type_at(b, e.a), type_at(b, e.b));
		e.type = shift || arithmetic ? e.of : type_int;
		return add(b, e);
	}
	return -1;
}

static int compile(struct expr_build *b, struct tep_print_arg *a, int depth)
{
	struct tep_format_field *fd;
	uint64_t v;
	if (!a || depth > DEPTH_MAX)
		return -1;
	switch (a->type) {
	case TEP_PRINT_NULL: /* the missing left side of ! and ~ */
		return add(b, (struct tpexpr){ .op = OP_CONST, .type = type_int });
	case TEP_PRINT_ATOM:
		v = strtoull(a->atom.atom, NULL, 0);
		return add(b, (struct tpexpr){ .op = OP_CONST, .val = v, .type = type_of_number(a->atom.atom, v) });
	case TEP_PRINT_FIELD:
		fd = tpexpr_field(b->event, a);
		if (!fd || fd->offset < 0)
			return -1;
		return add(b, (struct tpexpr){ .op = OP_READ, .off = fd->offset, .size = fd->size, .library_size = fd->size,
				.type = type_of_field(fd, fd->size) });
	case TEP_PRINT_TYPE:
		return compile_cast(b, a, depth);
	case TEP_PRINT_OP:
		return compile_op(b, a, depth);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		fd = a->dynarray.field;
		return add(b, (struct tpexpr){ .op = OP_DYNLEN, .off = fd->offset, .size = fd->size, .type = type_int });
	default:
		return -1;
	}
}

int tpexpr_compile(struct tpexprs *x, struct tep_event *event, struct tep_print_arg *a)
{
	struct expr_build b = { x, event };
	return compile(&b, a, 0);
}

bool tpexpr_offset(const struct tpexprs *x, int i, uint32_t *off)
{
	*off = x->at.at[i].off;
	return x->at.at[i].op == OP_READ;
}

void tpexprs_release(struct tpexprs *x)
{
	vec_release(&x->at);
}
