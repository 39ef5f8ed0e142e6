// SPDX-License-Identifier: GPL-2.0-or-later
/* specifiers  = { const | volatile | unsigned | ... } ( word | "typeof" "(" expr ")" | struct [word] [ "{" fields "}" ] | enum [word] [ "{" constants "}" ] )
 * declarator  = { "*" } ( [word] | "(" declarator ")" ) { "[" [expr] "]" | "(" anything ")" } */
#include "script/front/parse_type.h"
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/front/parse_inner.h"

enum { FIELDS_MOST = 4096, TYPEDEFS_SEEN = 1000 };

static struct c_type *specifiers(struct script_parser *p);

static bool is(const struct script_parser *p, const char *word)
{
	return p->lex.now.kind == TOKEN_WORD && !strcmp(p->lex.now.text, word);
}

static bool is_one_of(const struct script_parser *p, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is(p, words[i]))
			return true;
	return false;
}
#define IS_ONE_OF(p, words) is_one_of(p, words, sizeof(words) / sizeof((words)[0]))

static const char *const tags[] = { "struct", "union", "enum" };
static const char *const c_words[] = { "unsigned", "signed", "int", "char", "short", "long", "void", "_Bool", "const", "volatile", "float", "double",
	"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
	"uint32_t", "uint64_t", "bool", "size_t", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "__u8", "__u16", "__u32", "__u64", "__s8",
	"__s16", "__s32", "__s64" };

/* Of the script's last ones: one with more of them says struct. */
static bool is_typedef(const struct script_parser *p)
{
	unsigned n = 0;
	for (const struct c_decl *d = p->source->declared; d && n < TYPEDEFS_SEEN; d = d->next, n++)
		if (d->kind == C_TYPEDEF && is(p, d->name))
			return true;
	return false;
}

bool parse_is_type(const struct script_parser *p)
{
	return IS_ONE_OF(p, tags) || IS_ONE_OF(p, c_words) || is(p, "typeof") || (p->lex.now.kind == TOKEN_WORD && is_typedef(p));
}

bool parse_is_declaration(const struct script_parser *p)
{
	return IS_ONE_OF(p, tags) || is(p, "typedef");
}

static bool fail(struct script_parser *p, const char *what)
{
	if (!error_pending())
		source_error(p->source, p->lex.now.at, "%s", what);
	return false;
}

/* Up to the bracket that closes the one at hand. */
static bool skip_brackets(struct script_parser *p, bool *packed)
{
	unsigned depth = 0;
	do {
		if (p->lex.now.kind == TOKEN_END)
			return fail(p, "a bracket ) is missing");
		depth += p->lex.now.kind == '(';
		depth -= p->lex.now.kind == ')';
		if (packed && (is(p, "packed") || is(p, "__packed__")))
			*packed = true;
		if (!parse_next(p))
			return false;
	} while (depth);
	return true;
}

static bool attributes(struct script_parser *p, bool *packed)
{
	while (is(p, "__attribute__")) {
		if (!parse_next(p))
			return false;
		if (p->lex.now.kind != '(')
			return fail(p, "brackets follow __attribute__");
		if (!skip_brackets(p, packed))
			return false;
	}
	return true;
}

static struct c_type *new_type(struct script_parser *p, enum c_kind kind, struct c_type *to)
{
	struct c_type *t = arena_get(&p->source->memory, sizeof(*t));
	*t = (struct c_type){ .kind = kind, .at = p->lex.now.at, .to = to };
	return t;
}

/* ---- declarators ---- */

static struct c_type *suffixes(struct script_parser *p, struct c_type *t)
{
	if (p->lex.now.kind == '(') {
		struct c_type *f = new_type(p, C_FUNCTION, t);
		return skip_brackets(p, NULL) ? suffixes(p, f) : NULL;
	}
	if (p->lex.now.kind != '[')
		return t;
	struct c_type *a = new_type(p, C_ARRAY, NULL);
	if (!parse_next(p) || (p->lex.now.kind != ']' && !(a->count = parse_expr(p))) || !parse_want(p, ']', "the bracket ] of an array"))
		return NULL;
	if (!parse_deeper(p))
		return NULL;
	a->to = suffixes(p, t); /* int a[2][3]: two of three */
	p->depth--;
	return a->to ? a : NULL;
}

static bool pointers(struct script_parser *p, struct c_type **t)
{
	static const char *const qualifiers[] = { "const", "volatile", "restrict", "__restrict", "__user", "__rcu", "__iomem" };
	while (p->lex.now.kind == '*' || IS_ONE_OF(p, qualifiers)) {
		if (p->lex.now.kind == '*')
			*t = new_type(p, C_POINTER, *t);
		if (!parse_next(p))
			return false;
	}
	return true;
}

/* What stands in brackets binds closer to the name than what stands behind them: it is made last, around a place that is filled
 * then. */
static struct c_type *declarator(struct script_parser *p, struct c_type *base, const char **name, struct span *at)
{
	struct c_type *inside = NULL, *hole = NULL;
	if (!parse_deeper(p) || !pointers(p, &base))
		return NULL;
	if (p->lex.now.kind == '(') {
		hole = new_type(p, C_NAMED, NULL);
		if (!parse_next(p) || !(inside = declarator(p, hole, name, at)) || !parse_want(p, ')', "the bracket ) of a declarator"))
			return NULL;
	} else if (p->lex.now.kind == TOKEN_WORD && name) {
		*name = p->lex.now.text;
		*at = p->lex.now.at;
		if (!parse_next(p))
			return NULL;
	}
	struct c_type *t = suffixes(p, base);
	p->depth--;
	if (!t || !inside)
		return t;
	if (inside == hole)
		return t;
	*hole = *t;
	return inside;
}

/* ---- struct, union, enum ---- */

static bool one_field(struct script_parser *p, struct c_type *base, struct c_field ***last)
{
	struct c_field *f = arena_get(&p->source->memory, sizeof(*f));
	bool packed;
	f->at = p->lex.now.at;
	if (p->lex.now.kind != ';' && p->lex.now.kind != ':') {
		if (!(f->type = declarator(p, base, &f->name, &f->at)))
			return false;
	} else {
		f->type = base;
	}
	if (p->lex.now.kind == ':' && (!parse_next(p) || !(f->bits = parse_expr(p))))
		return false;
	**last = f;
	*last = &f->next;
	return attributes(p, &packed);
}

static bool fields(struct script_parser *p, struct c_decl *d)
{
	struct c_field **last = &d->fields;
	unsigned n = 0;
	while (p->lex.now.kind != '}') {
		struct c_type *base = specifiers(p);
		if (!base)
			return false;
		for (bool more = true; more;) {
			if (++n > FIELDS_MOST)
				return fail(p, "a struct has at most 4096 members here");
			if (!one_field(p, base, &last))
				return false;
			more = p->lex.now.kind == ',';
			if (more && !parse_next(p))
				return false;
		}
		if (!parse_want(p, ';', "a semicolon behind a member"))
			return false;
	}
	return parse_next(p) && attributes(p, &d->packed);
}

static bool constants(struct script_parser *p, struct c_decl *d)
{
	struct c_constant **last = &d->constants;
	while (p->lex.now.kind != '}') {
		struct c_constant *k = arena_get(&p->source->memory, sizeof(*k));
		if (p->lex.now.kind != TOKEN_WORD)
			return fail(p, "the name of a constant is missing here");
		k->name = p->lex.now.text;
		k->at = p->lex.now.at;
		if (!parse_next(p) || (p->lex.now.kind == '=' && (!parse_next(p) || !(k->value = parse_expr(p)))))
			return false;
		*last = k;
		last = &k->next;
		if (p->lex.now.kind != '}' && !parse_want(p, ',', "a comma or the brace } of an enum"))
			return false;
	}
	return parse_next(p);
}

static bool body(struct script_parser *p, struct c_type *t, enum c_decl_kind kind, const char *name, bool packed)
{
	struct c_decl *d = arena_get(&p->source->memory, sizeof(*d));
	*d = (struct c_decl){ .kind = kind, .name = name, .at = t->at, .packed = packed };
	t->body = d;
	bool ok = parse_deeper(p) && parse_next(p) && (kind == C_ENUM ? constants(p, d) : fields(p, d));
	p->depth--;
	d->next = p->source->declared;
	p->source->declared = d;
	return ok;
}

static bool tagged(struct script_parser *p, struct c_type *t)
{
	enum c_decl_kind kind = is(p, "struct") ? C_STRUCT : is(p, "union") ? C_UNION : C_ENUM;
	const char *tag = p->lex.now.text, *name = NULL;
	bool packed = false;
	if (!parse_next(p) || !attributes(p, &packed))
		return false;
	if (p->lex.now.kind == TOKEN_WORD) {
		name = p->lex.now.text;
		struct str full = STR_INIT;
		str_addf(&full, "%s %s", tag, name);
		t->name = arena_text(&p->source->memory, full.buf, full.len);
		t->at = span_to(t->at, p->lex.now.at);
		str_release(&full);
		if (!parse_next(p))
			return false;
	}
	if (p->lex.now.kind == '{')
		return body(p, t, kind, name, packed);
	return name || fail(p, "a name or a brace { follows struct, union and enum");
}

/* unsigned long int: the words in any order to one name. */
struct c_words { unsigned is_unsigned, is_signed, is_short, is_long, is_int, is_char; const char *other; };

static bool count_word(struct c_words *w, const char *text)
{
	if (!strcmp(text, "unsigned")) w->is_unsigned++;
	else if (!strcmp(text, "signed")) w->is_signed++;
	else if (!strcmp(text, "short")) w->is_short++;
	else if (!strcmp(text, "long")) w->is_long++;
	else if (!strcmp(text, "int")) w->is_int++;
	else if (!strcmp(text, "char")) w->is_char++;
	else return false;
	return true;
}

static const char *word_name(const struct c_words *w)
{
	if (w->other)
		return w->other;
	if (w->is_char)
		return w->is_unsigned ? "unsigned char" : w->is_signed ? "signed char" : "char";
	if (w->is_short)
		return w->is_unsigned ? "unsigned short" : "short";
	if (w->is_long)
		return w->is_unsigned ? "unsigned long" : "long";
	return w->is_unsigned ? "unsigned int" : "int";
}

static struct c_type *type_of(struct script_parser *p)
{
	struct c_type *t = new_type(p, C_TYPEOF, NULL);
	bool predicate = p->in_predicate;
	p->in_predicate = false;
	bool ok = parse_next(p) && parse_want(p, '(', "the bracket ( of typeof") && (t->of = parse_expr(p));
	p->in_predicate = predicate;
	t->at = span_to(t->at, p->lex.now.at);
	return ok && parse_want(p, ')', "the bracket ) of typeof") ? t : NULL;
}

static struct c_type *specifiers(struct script_parser *p)
{
	static const char *const ignored[] = { "const", "volatile", "static", "extern", "register", "inline", "__signed__" };
	struct c_type *t = new_type(p, C_NAMED, NULL);
	struct c_words w = { 0 };
	bool any = false, packed;
	if (is(p, "typeof"))
		return type_of(p);
	while (p->lex.now.kind == TOKEN_WORD) {
		if (IS_ONE_OF(p, tags)) {
			if (any)
				break;
			if (!tagged(p, t))
				return NULL;
			while (IS_ONE_OF(p, ignored))
				if (!parse_next(p))
					return NULL;
			return t;
		}
		if (is(p, "__attribute__")) {
			if (!attributes(p, &packed))
				return NULL;
			continue;
		}
		if (!IS_ONE_OF(p, ignored)) {
			if (!count_word(&w, p->lex.now.text)) {
				if (any)
					break; /* the name of what is declared */
				w.other = p->lex.now.text;
			} else if (w.other) {
				break;
			}
			t->at = any ? span_to(t->at, p->lex.now.at) : p->lex.now.at;
			any = true;
		}
		if (!parse_next(p))
			return NULL;
	}
	if (!any) {
		fail(p, "a type is missing here");
		return NULL;
	}
	t->name = word_name(&w);
	return t;
}

struct c_type *parse_type_name(struct script_parser *p)
{
	struct span at = p->lex.now.at;
	struct c_type *base = specifiers(p), *t = base ? declarator(p, base, NULL, NULL) : NULL;
	if (t)
		t->at = span_to(at, base->at);
	return t;
}

static bool one_typedef(struct script_parser *p)
{
	bool packed, more = true;
	struct c_type *base = parse_next(p) ? specifiers(p) : NULL;
	while (base && more) {
		struct c_decl *d = arena_get(&p->source->memory, sizeof(*d));
		*d = (struct c_decl){ .kind = C_TYPEDEF, .at = p->lex.now.at };
		if (!(d->type = declarator(p, base, &d->name, &d->at)) || !attributes(p, &packed))
			return false;
		if (!d->name)
			return fail(p, "the new name of a typedef is missing here");
		d->next = p->source->declared;
		p->source->declared = d;
		more = p->lex.now.kind == ',';
		if (more && !parse_next(p))
			return false;
	}
	return base;
}

bool parse_declaration(struct script_parser *p)
{
	if (is(p, "typedef"))
		return one_typedef(p) && parse_want(p, ';', "a semicolon behind a typedef");
	struct c_type *t = specifiers(p);
	/* "struct x;" says nothing that is not known; a semicolon behind a brace may be missing, as bpftrace has it */
	return t && ((t->body && p->lex.now.kind != ';') || parse_want(p, ';', "a semicolon behind a declaration"));
}
