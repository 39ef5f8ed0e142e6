// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/tpformat.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include "base/vec.h"
#include "session/tpexpr.h"
#include "symbol/symbols.h"

enum { DEPTH_MAX = 32, VERIFY = 8, PAD = 70 * 1024 };

struct tp_name { uint64_t val[2]; /* by way: libtraceevent reads negative numbers as -1 */ const char *text; };

enum piece_kind { PIECE_TEXT, PIECE_NUMBER, PIECE_CHARACTER, PIECE_POINTER, PIECE_FUNCTION, PIECE_STRING,
	PIECE_MORE /* there are more elements than were fetched */ };
enum string_kind { STRING_TEXT, STRING_FIELD, STRING_COUNTED, STRING_DYNAMIC, STRING_FLAGS, STRING_SYMBOL, STRING_COND };
struct string {
	enum string_kind kind;
	const char *text; /* literal, or the delimiter of flags */
	int num; /* expression of flags, symbols, conditions */
	int yes, no; /* of a condition: indices into strings */
	uint32_t off, size;
	bool relative;
	int name, names; /* first and number, of flags and symbols */
	int field; /* of text whose length is in another field: index */
};
struct tp_piece {
	enum piece_kind kind;
	char *text; /* literal; or the printf format of a number that needs one */
	size_t len;
	int num, str; /* expression or string */
	int width_num; /* expression of a '*', -1: none */
	int bits; /* 8, 16, 32, 64 */
	char conv;
	int width, prec; /* of strings; prec -1: none */
	bool left, star_prec;
	uint32_t len_off, element; /* of an array whose length is at len_off: printed if it has that element; 0: always */
};

struct tp_format {
	struct tep_handle *tep;
	struct tep_event *event;
	struct symbols *syms;
	const char *(*name_of)(void *ctx, uint64_t addr, uint64_t *start);
	void *name_ctx;
	bool compiled;
	int verified;
	struct tpexprs expr;
	VEC(struct tp_name) name;
	VEC(struct string) string;
	VEC(struct tp_piece) piece;
	VEC(struct tp_field) field;
	struct trace_seq seq; /* for libtraceevent */
	char *pad; /* a copy with zeros behind it, since libtraceevent trusts offsets */
	uint32_t least; /* bytes that it takes a record to have: what is without an end (buf[]) begins in it */
	struct str check;
};

/* ---- compiling ---- */

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
		uint64_t v = n->value[0] == '-' ? (uint64_t)strtoll(n->value, NULL, 0) : strtoull(n->value, NULL, 0);
		uint64_t library = isdigit((unsigned char)n->value[0]) ? v : UINT64_MAX;
		*vec_push(&f->name) = (struct tp_name){ { [TPEXPR_C] = v, [TPEXPR_LIBRARY] = library }, n->str };
	}
	s->names = f->name.n - s->name;
	return 0;
}

/* The index of the field if another one tells its length, or -1. */
static int counted_field(const struct tp_format *f, const struct tep_format_field *fd)
{
	for (size_t i = 0; i < f->field.n; i++)
		if (!strcmp(f->field.at[i].name, fd->name))
			return f->field.at[i].len_off ? (int)i : -1;
	return -1;
}

static int compile_string(struct tp_format *f, struct tep_print_arg *a, int depth);

static int compile_string_cond(struct tp_format *f, struct tep_print_arg *a, int depth)
{
	struct tep_print_arg *r = a->op.right;
	struct string s = { .kind = STRING_COND };
	if (strcmp(a->op.op, "?") || r->type != TEP_PRINT_OP)
		return -1;
	s.num = tpexpr_compile(&f->expr, f->event, a->op.left);
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
		fd = tpexpr_field(f->event, a);
		if (!fd || !(fd->flags & TEP_FIELD_IS_ARRAY) || fd->flags & TEP_FIELD_IS_DYNAMIC ||
		    fd->size <= 0 || fd->offset < 0)
			return -1;
		s = (struct string){ .kind = STRING_FIELD, .off = fd->offset, .size = fd->size, .field = counted_field(f, fd) };
		s.kind = s.field < 0 ? STRING_FIELD : STRING_COUNTED;
		return add_string(f, s);
	case TEP_PRINT_STRING:
		if (!a->string.field)
			a->string.field = tep_find_any_field(f->event, a->string.string);
		fd = a->string.field;
		if (!fd)
			return -1;
		return add_string(f, (struct string){ .kind = STRING_DYNAMIC, .off = fd->offset, .size = fd->size,
				.relative = fd->flags & TEP_FIELD_IS_RELATIVE });
	case TEP_PRINT_FLAGS:
		s = (struct string){ .kind = STRING_FLAGS, .text = a->flags.delim, .num = tpexpr_compile(&f->expr, f->event, a->flags.field) };
		return s.num < 0 || compile_names(f, &s, a->flags.flags) ? -1 : add_string(f, s);
	case TEP_PRINT_SYMBOL:
		s = (struct string){ .kind = STRING_SYMBOL, .num = tpexpr_compile(&f->expr, f->event, a->symbol.field) };
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
	struct tp_piece *p = vec_push(&f->piece);
	p->kind = PIECE_TEXT;
	p->len = text->len;
	p->text = str_detach(text);
}

static char unescape(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* The flags, width and precision between % and the letter; false when a plan cannot say it. */
static bool parse_conversion(struct tp_format *f, const char **pp, struct tp_piece *p, struct tep_print_arg **arg)
{
	int ls = 0;
	struct str fmt = STR_INIT;
	const char *s = *pp;
	bool dot = false, simple = true;
	p->prec = p->width_num = -1;
	str_addc(&fmt, '%');
	for (; *s && !strchr("duixXospc", *s); s++) {
		if (*s == 'l')
			ls++;
		else if (*s == 'h')
			ls--;
		else if (*s == 'L')
			ls = 2;
		else if (*s == 'z' || *s == 'Z')
			ls = 1;
		else if (*s == '*' && *arg && p->width_num < 0) {
			p->width_num = tpexpr_compile(&f->expr, f->event, *arg);
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
	bool good = *s && strchr("duixXospc", *s) && *arg && ls >= -2 && ls <= 2;
	p->conv = *s;
	p->bits = ls == -2 ? 8 : ls == -1 ? 16 : ls == 0 ? 32 : 64;
	str_addf(&fmt, "ll%c", *s ? *s : 'd');
	good &= *s != 'c' || (simple && !ls);
	if (good && !simple && *s != 's' && *s != 'p')
		p->text = str_detach(&fmt);
	str_release(&fmt);
	*pp = *s ? s + 1 : s;
	return good;
}

static bool compile_conversion(struct tp_format *f, const char **pp, struct tep_print_arg **arg)
{
	struct tp_piece p = { 0 };
	if (!parse_conversion(f, pp, &p, arg)) {
		free(p.text);
		return false;
	}
	p.kind = p.conv == 's' ? PIECE_STRING : p.conv == 'p' ? PIECE_POINTER : p.conv == 'c' ? PIECE_CHARACTER : PIECE_NUMBER;
	if (p.kind == PIECE_STRING)
		p.str = compile_string(f, *arg, 0);
	else
		p.num = tpexpr_compile(&f->expr, f->event, *arg);
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

/* The array that the number is an element of, if another field tells how many there are. */
static const struct tp_field *counted_array(const struct tp_format *f, const struct tp_piece *p)
{
	uint32_t off;
	if (p->kind != PIECE_NUMBER || !tpexpr_offset(&f->expr, p->num, &off))
		return NULL;
	vec_each(&f->field, fd)
		if (fd->len_off && fd->elem && (fd->kind != TP_STRING || fd->of_bytes) && off >= fd->off && off < fd->off + fd->size)
			return fd;
	return NULL;
}

static void insert_piece(struct tp_format *f, size_t at, struct tp_piece p)
{
	vec_push(&f->piece);
	memmove(&f->piece.at[at + 1], &f->piece.at[at], (f->piece.n - at - 1) * sizeof(p));
	f->piece.at[at] = p;
}

/* "v={0x%x,0x%x}" is printed up to its length: what is not there goes with the text right before it. */
static void cut_arrays(struct tp_format *f)
{
	for (size_t i = 1; i < f->piece.n; i++) {
		const struct tp_field *fd = counted_array(f, &f->piece.at[i]);
		struct tp_piece *p = &f->piece.at[i];
		uint32_t off, element;
		if (!fd || !tpexpr_offset(&f->expr, p->num, &off) || p[-1].kind != PIECE_TEXT)
			continue;
		element = (off - fd->off) / fd->elem;
		p->len_off = fd->len_off;
		p->element = element;
		size_t brace = p[-1].len >= 3 && !memcmp(p[-1].text + p[-1].len - 3, "{0x", 3) ? 2 : 0;
		if (!element && brace) {
			p[-1].len -= brace;
			insert_piece(f, i++, (struct tp_piece){ .kind = PIECE_TEXT, .text = xstrdup("0x"), .len = 2, .width_num = -1, .len_off = fd->len_off });
		} else if (element) {
			p[-1].len_off = fd->len_off;
			p[-1].element = element;
		}
		if (element + 1 == fd->size / fd->elem)
			insert_piece(f, ++i, (struct tp_piece){ .kind = PIECE_MORE, .width_num = -1, .len_off = fd->len_off, .element = element + 1 });
	}
}

static void add_fields(struct tp_format *f, struct tep_format_field *fd, bool common)
{
	for (; fd; fd = fd->next) {
		if (fd->offset < 0 || fd->size < 0)
			continue;
		struct tp_field *o = vec_push(&f->field);
		*o = (struct tp_field){ .name = fd->name, .off = fd->offset, .size = fd->size, .elem = tpexpr_element(fd),
			.is_signed = fd->flags & TEP_FIELD_IS_SIGNED, .dynamic = fd->flags & TEP_FIELD_IS_DYNAMIC,
			.relative = fd->flags & TEP_FIELD_IS_RELATIVE, .common = common,
			.pointer = fd->flags & TEP_FIELD_IS_POINTER, .is_long = fd->flags & TEP_FIELD_IS_LONG,
			.bits = tpexpr_bits(fd, fd->size), .of_bytes = fd->flags & TEP_FIELD_IS_STRING && !strstr(fd->type, "char") };
		o->kind = fd->flags & TEP_FIELD_IS_STRING ? TP_STRING : fd->flags & TEP_FIELD_IS_ARRAY ? TP_ARRAY : TP_NUMBER;
	}
}

/* "char name[name_len]": another field says how long it is. */
static void find_lengths(struct tp_format *f, struct tep_format_field *fd)
{
	for (; fd; fd = fd->next) {
		const char *open = strchr(fd->type, '[');
		char *name = open && open[1] && open[1] != ']' && !isdigit((unsigned char)open[1]) ? xstrndup(open + 1, strcspn(open + 1, "]")) : NULL;
		struct tep_format_field *length = name ? tep_find_any_field(f->event, name) : NULL;
		vec_each(&f->field, o)
			if (length && length->size == 8 && !strcmp(o->name, fd->name)) {
				o->len_off = length->offset;
				o->elem = o->kind == TP_STRING && !o->of_bytes ? 1 : tpexpr_element(fd);
			}
		free(name);
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
	find_lengths(f, event->format.fields);
	f->compiled = compile_plan(f);
	if (f->compiled)
		cut_arrays(f);
	return f;
}

void tp_format_namer(struct tp_format *f, const char *(*name)(void *ctx, uint64_t addr, uint64_t *start), void *ctx)
{
	f->name_of = name;
	f->name_ctx = ctx;
}

void tp_format_free(struct tp_format *f)
{
	if (!f)
		return;
	vec_each(&f->piece, p)
		free(p->text);
	vec_release(&f->piece);
	tpexprs_release(&f->expr);
	vec_release(&f->string);
	vec_release(&f->name);
	vec_release(&f->field);
	str_release(&f->check);
	trace_seq_destroy(&f->seq);
	free(f->pad);
	free(f);
}

/* ---- printing ---- */

static void add_padded(struct str *out, const struct tp_piece *p, const char *z, size_t n, int star)
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

/* One record being printed. */
struct format_run { const struct tp_format *f; enum tpexpr_way way; const uint8_t *raw; uint32_t size; struct str *out; };

static uint64_t eval(const struct format_run *r, int i)
{
	return tpexpr_eval(&r->f->expr, i, r->way, r->raw, r->size);
}

static void print_flags(const struct format_run *r, const struct tp_piece *p, const struct string *s, uint64_t val, int star)
{
	struct str *out = r->out;
	bool printed = false;
	for (int i = 0; i < s->names; i++) {
		const struct tp_name *n = &r->f->name.at[s->name + i];
		uint64_t mask = n->val[r->way];
		if (!val && (int64_t)mask < 0) {
			add_padded(out, p, n->text, strlen(n->text), star);
			break;
		}
		if ((int64_t)mask > 0 && (val & mask) == mask) {
			if (printed && s->text)
				str_add_safez(out, s->text);
			add_padded(out, p, n->text, strlen(n->text), star);
			printed = true;
			val &= ~mask;
		}
	}
	if (val) {
		if (printed && s->text)
			str_add_safez(out, s->text);
		str_add(out, "0x");
		add_number_hex(out, val);
	}
}

static void print_symbol(const struct format_run *r, const struct tp_piece *p, const struct string *s, uint64_t val, int star)
{
	for (int i = 0; i < s->names; i++) {
		const struct tp_name *n = &r->f->name.at[s->name + i];
		if (n->val[r->way] == val) {
			add_padded(r->out, p, n->text, strlen(n->text), star);
			return;
		}
	}
	str_add(r->out, "0x");
	add_number_hex(r->out, val);
}

/* As much of the text as there is; libtraceevent ends at a NUL too. */
static void print_counted(const struct format_run *r, const struct tp_piece *p, const struct string *s, int star)
{
	struct tp_field fd = r->f->field.at[s->field];
	size_t n;
	const char *z = tp_field_bytes(&fd, r->raw, r->size, &n);
	if (r->way == TPEXPR_C)
		str_add_safe(r->out, z, n);
	else
		add_padded(r->out, p, z, strnlen(z, n), star);
}

static void print_string(const struct format_run *r, const struct tp_piece *p, int i, int star)
{
	const struct string *s = &r->f->string.at[i];
	const char *raw = (const char *)r->raw;
	uint64_t off;
	switch (s->kind) {
	case STRING_TEXT:
		add_padded(r->out, p, s->text, strlen(s->text), star);
		break;
	case STRING_FIELD:
		if (s->off + s->size <= r->size)
			add_padded(r->out, p, raw + s->off, strnlen(raw + s->off, s->size), star);
		break;
	case STRING_COUNTED:
		print_counted(r, p, s, star);
		break;
	case STRING_DYNAMIC:
		off = (tpexpr_read(r->raw, r->size, s->off, 4) & 0xffff) + (s->relative ? s->off + s->size : 0);
		if (off < r->size)
			add_padded(r->out, p, raw + off, strnlen(raw + off, r->size - off), star);
		break;
	case STRING_FLAGS:
		print_flags(r, p, s, eval(r, s->num), star);
		break;
	case STRING_SYMBOL:
		print_symbol(r, p, s, eval(r, s->num), star);
		break;
	case STRING_COND:
		print_string(r, p, eval(r, s->num) ? s->yes : s->no, star);
		break;
	}
}

static void print_formatted(struct str *out, const struct tp_piece *p, uint64_t v, int star)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (p->width_num >= 0)
		str_addf(out, p->text, star > 4096 ? 4096 : star < -4096 ? -4096 : star, (unsigned long long)v);
	else
		str_addf(out, p->text, (unsigned long long)v);
#pragma GCC diagnostic pop
}

static void print_number(struct str *out, const struct tp_piece *p, uint64_t v, int star)
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

static void print_function(const struct tp_format *f, struct str *out, const struct tp_piece *p, uint64_t v)
{
	struct frame fr = { .addr = v };
	if (f->name_of)
		fr.sym = f->name_of(f->name_ctx, v, &fr.sym_addr);
	else if (f->syms)
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

/* libtraceevent does not know %c. */
static void print_character(const struct format_run *r, uint64_t v)
{
	char c = (char)v;
	if (r->way == TPEXPR_LIBRARY)
		str_add(r->out, ">c<");
	else
		str_add_safe(r->out, &c, 1);
}

static void print_plan(const struct format_run *r)
{
	struct str *out = r->out;
	for (const struct tp_piece *p = r->f->piece.at, *end = p + r->f->piece.n; p < end; p++) {
		int star = p->width_num >= 0 && p->kind != PIECE_TEXT ? (int)eval(r, p->width_num) : 0;
		uint64_t v;
		if (p->len_off && (r->way == TPEXPR_C ? p->element >= tpexpr_read(r->raw, r->size, p->len_off, 8) : p->kind == PIECE_MORE))
			continue;
		switch (p->kind) {
		case PIECE_TEXT:
			str_addn(out, p->text, p->len);
			break;
		case PIECE_NUMBER:
			print_number(out, p, eval(r, p->num), star);
			break;
		case PIECE_CHARACTER:
			print_character(r, eval(r, p->num));
			break;
		case PIECE_POINTER:
			v = eval(r, p->num);
			str_add(out, v ? "0x" : "(nil)");
			if (v)
				add_number_hex(out, v);
			break;
		case PIECE_FUNCTION:
			print_function(r->f, out, p, eval(r, p->num));
			break;
		case PIECE_STRING:
			print_string(r, p, p->str, star);
			break;
		case PIECE_MORE:
			str_add(out, ",...");
			break;
		}
	}
}

static void find_least(struct tp_format *f)
{
	for (const struct tep_format_field *fd = f->event->format.fields; fd; fd = fd->next)
		if (fd->size <= 0 && fd->offset > 0 && fd->offset < PAD && (uint32_t)fd->offset > f->least)
			f->least = (uint32_t)fd->offset;
}

/* The record where zeros follow it, and its size there. */
static uint32_t copy_record(struct tp_format *f, const void *raw, uint32_t size)
{
	if (!f->pad) {
		f->pad = xcalloc(1, 2 * PAD);
		find_least(f);
	}
	if (size > PAD)
		size = PAD;
	memcpy(f->pad, raw, size);
	memset(f->pad + size, 0, PAD);
	return size < f->least ? f->least : size;
}

static void print_copy(struct tp_format *f, struct str *out, uint32_t size, int cpu)
{
	struct tep_record rec = { .cpu = cpu, .size = size, .data = f->pad };
	trace_seq_reset(&f->seq);
	tep_print_event(f->tep, &f->seq, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&f->seq);
	str_add_safe(out, f->seq.buffer, f->seq.len);
}

static bool loses_sign(const struct tep_format_field *fd)
{
	bool narrow = fd->size == 1 || fd->size == 2 || (fd->size > 0 && tpexpr_bits(fd, fd->size) < 8u * fd->size);
	return fd->flags & TEP_FIELD_IS_SIGNED && !(fd->flags & TEP_FIELD_IS_ARRAY) && fd->offset >= 0 && narrow;
}

/* libtraceevent reads a char or short without its sign, but an int with it: it is shown an int instead, behind the record. */
static void print_signed(struct tp_format *f, struct str *out, const void *raw, uint32_t raw_size, int cpu)
{
	struct was { struct tep_format_field *fd; int offset, size; };
	VEC(struct was) was = { 0 };
	uint32_t size = copy_record(f, raw, raw_size), end = size;
	for (struct tep_format_field *fd = f->event->format.fields; fd && !tep_is_file_bigendian(f->tep); fd = fd->next) {
		if (!loses_sign(fd) || end + 8 > 2 * PAD)
			continue;
		uint64_t v = tpexpr_extend(tpexpr_read((uint8_t *)f->pad, size, fd->offset, fd->size), tpexpr_bits(fd, fd->size), true);
		*vec_push(&was) = (struct was){ fd, fd->offset, fd->size };
		memcpy(f->pad + end, &v, 8);
		fd->offset = (int)end;
		fd->size = fd->size < 8 ? 4 : 8;
		end += 8;
	}
	print_copy(f, out, end, cpu);
	vec_each(&was, w) {
		w->fd->offset = w->offset;
		w->fd->size = w->size;
	}
	vec_release(&was);
}

/* Does the plan say what libtraceevent says, where both take numbers alike? */
static bool plan_holds(struct tp_format *f, const void *raw, uint32_t size, int cpu)
{
	struct str library = STR_INIT;
	str_clear(&f->check);
	print_plan(&(struct format_run){ f, TPEXPR_LIBRARY, raw, size, &f->check });
	print_copy(f, &library, copy_record(f, raw, size), cpu);
	bool same = library.len == f->check.len && !memcmp(library.buf, f->check.buf, library.len);
	str_release(&library);
	return same;
}

void tp_format_print(struct tp_format *f, struct str *out, const void *raw, uint32_t size, int cpu)
{
	if (f->compiled && f->verified < VERIFY) {
		f->verified++;
		f->compiled = plan_holds(f, raw, size, cpu);
	}
	if (f->compiled)
		print_plan(&(struct format_run){ f, TPEXPR_C, raw, size, out });
	else
		print_signed(f, out, raw, size, cpu);
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
	uint64_t v = tpexpr_read(raw, size, fd->off, fd->size);
	return fd->is_signed ? tpexpr_extend(v, fd->bits ? fd->bits : fd->size * 8, true) : v;
}

const void *tp_field_bytes(const struct tp_field *fd, const void *raw, uint32_t size, size_t *n)
{
	uint64_t off = fd->off, len = fd->size;
	if (fd->dynamic) {
		uint64_t loc = tpexpr_read(raw, size, fd->off, 4);
		off = (loc & 0xffff) + (fd->relative ? fd->off + fd->size : 0);
		len = loc >> 16;
	}
	if (off > size)
		off = size;
	if (len > size - off || (!fd->dynamic && !fd->size))
		len = size - off;
	const char *p = (const char *)raw + off;
	uint64_t told = fd->len_off && fd->elem ? tpexpr_read(raw, size, fd->len_off, 8) : UINT64_MAX;
	if (told < len / (fd->elem ? fd->elem : 1))
		len = told * fd->elem;
	*n = fd->kind == TP_STRING && !fd->len_off ? strnlen(p, len) : len;
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

void tp_field_raw(const struct tp_field *fd, struct str *out, const void *raw, uint32_t size)
{
	size_t n;
	if (fd->kind == TP_NUMBER) {
		add_raw_number(out, fd, tp_field_number(fd, raw, size));
		return;
	}
	const uint8_t *b = tp_field_bytes(fd, raw, size, &n);
	if (fd->kind == TP_STRING) {
		str_add_safe(out, (const char *)b, n);
		return;
	}
	str_add(out, "ARRAY[");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%02x", i ? ", " : "", b[i]);
	str_addc(out, ']');
}

void tp_format_raw(const struct tp_format *f, struct str *out, const void *raw, uint32_t size)
{
	vec_each(&f->field, fd) {
		if (fd->common)
			continue;
		str_addf(out, " %s=", fd->name);
		tp_field_raw(fd, out, raw, size);
	}
}

/* Does libtraceevent stay within the copy, wherever the record says that the field is? */
static bool stays_within(const struct tp_field *fd)
{
	uint64_t from = fd->dynamic && fd->relative ? (uint64_t)fd->off + fd->size + UINT16_MAX : fd->dynamic ? UINT16_MAX : fd->off;
	return from + (fd->dynamic ? UINT16_MAX : fd->size) < 2 * PAD - 8;
}

void tp_format_raw_as_printed(struct tp_format *f, struct str *out, const void *raw, uint32_t size)
{
	vec_each(&f->field, fd)
		if (!stays_within(fd)) {
			tp_format_raw(f, out, raw, size);
			return;
		}
	struct tep_record rec = { .size = (int)copy_record(f, raw, size), .data = f->pad };
	trace_seq_reset(&f->seq);
	tep_record_print_fields(&f->seq, &rec, f->event);
	trace_seq_terminate(&f->seq);
	str_add_safe(out, f->seq.buffer, f->seq.len);
}
