// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "script/show/bytes.h"
#include "script/show/ctype.h"
#include "script/show/fraction.h"
#include "script/show/value.h"

enum { WIDEST = 1024 };

struct plan_piece {
	const char *text; /* before the conversion; the arena's */
	size_t len;
	char conversion; /* d u x X o c s p r f e g; 0: none, the last piece */
	enum bytes_form bytes; /* of r */
	char spec[24]; /* as the C library takes it: %-5lld */
	unsigned size; /* of a number: bytes that are printed */
	bool is_signed;
	const struct script_type *type;
};
struct plan { struct plan_piece *piece; unsigned n; };

/* Is one of the numbers of "-08.3" too large for a line? */
static bool too_wide(const char *spec)
{
	const char *width = spec + strspn(spec, "-+ #0%"), *dot = strchr(spec, '.');
	return strtoul(width, NULL, 10) > WIDEST || (dot && strtoul(dot + 1, NULL, 10) > WIDEST);
}

/* Reads "%-08.3lld": flags, width, precision to spec; the length only says how much of the number is printed. */
static const char *read_spec(const char *p, const char *end, struct plan_piece *out)
{
	size_t n = 0;
	unsigned size = 8, h = 0;
	out->spec[n++] = '%';
	for (p++; p < end && strchr("-+ #0123456789.", *p); p++) {
		if (n > 12)
			return NULL;
		out->spec[n++] = *p;
	}
	for (; p < end && strchr("hljzt", *p); p++)
		h += *p == 'h';
	if (h)
		size = h == 1 ? 2 : 1;
	if (p == end || !strchr("diuxXocsprfFeEgG", *p) || (*p == 'g' && p + 1 < end && p[1] == 'r')) /* %gr: bpftrace's, not ours yet */
		return NULL;
	if (*p == 'r') {
		out->conversion = 'r';
		out->spec[n] = 0;
		out->bytes = p + 1 < end && p[1] == 'x' ? BYTES_HEX : p + 1 < end && p[1] == 'h' ? BYTES_SPACED : BYTES_PLAIN;
		return p + (out->bytes == BYTES_PLAIN ? 1 : 2);
	}
	out->conversion = *p == 'i' ? 'd' : *p;
	out->size = size;
	if (!strchr("scpfFeEgG", *p)) {
		out->spec[n++] = 'l';
		out->spec[n++] = 'l';
	}
	out->spec[n++] = out->conversion;
	out->spec[n] = 0;
	return p + 1;
}

static bool is_text(const struct script_type *t)
{
	return t->kind == TYPE_STRING || t->kind == TYPE_PROBE || t->kind == TYPE_FUNC || t->kind == TYPE_USER || t->kind == TYPE_CLOCK || t->kind == TYPE_KSYM ||
	       t->kind == TYPE_KSTACK || t->kind == TYPE_USTACK || t->kind == TYPE_SHOWN ||
	       t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY;
}

static bool shows_fraction(char conversion)
{
	return conversion && strchr("fFeEgG", conversion);
}

static const char *misfit(const struct plan_piece *p)
{
	if (shows_fraction(p->conversion))
		return NULL; /* the value was made for it */
	if (p->conversion == 'r')
		return p->type->kind == TYPE_SHOWN && p->type->shown == &shown_bytes ? NULL : "%r takes a buffer, which buf() makes";
	if (p->conversion == 's')
		return is_text(p->type) || p->type->n_constants ? NULL : "%s takes a string; a number is %d, an address is read by str()";
	if (p->type->kind == TYPE_FLOAT)
		return "this is a number with a point, which %f prints";
	return is_text(p->type) ? "this is text, which %s prints" : NULL;
}

/* Fills the pieces; how many, or 0 and *why. */
static unsigned read_format(struct arena *a, struct plan_piece *piece, const char *format, size_t len, const struct script_type *args, const char **why,
			    unsigned *at)
{
	struct str text = STR_INIT;
	const char *p = format, *end = format + len;
	unsigned n = 0;
	*why = NULL;
	*at = 0;
	while (p < end && !*why) {
		if (*p != '%' || (p + 1 < end && p[1] == '%')) {
			str_addc(&text, *p);
			p += *p == '%' ? 2 : 1;
			continue;
		}
		struct plan_piece *c = &piece[n];
		*c = (struct plan_piece){ .text = arena_text(a, text.buf, text.len), .len = text.len };
		str_clear(&text);
		p = read_spec(p, end, c);
		if (!p) {
			*why = "a conversion of this format is not known: %d %u %x %o %c %s %p %r %f and their flags are";
		} else if (too_wide(c->spec)) {
			*why = "a width or a precision of this format is above 1024";
		} else if (n >= args->n_fields) {
			*why = "the format has more conversions than there are values";
		} else {
			c->type = args->fields[n].type;
			c->is_signed = c->conversion == 'd';
			*why = misfit(c);
			*at = ++n;
		}
	}
	if (!*why && n < args->n_fields) {
		*why = "the format has fewer conversions than there are values";
		*at = 0;
	}
	piece[n] = (struct plan_piece){ .text = arena_text(a, text.buf, text.len), .len = text.len };
	str_release(&text);
	return *why ? 0 : n + 1;
}

bool plan_is_fraction(const char *format, size_t len, unsigned i)
{
	struct plan_piece c;
	for (const char *p = format, *end = format + len; p && p < end;) {
		if (*p != '%' || (p + 1 < end && p[1] == '%')) {
			p += *p == '%' ? 2 : 1;
			continue;
		}
		p = read_spec(p, end, &c);
		if (p && !i--)
			return shows_fraction(c.conversion);
	}
	return false;
}

struct plan *plan_make(struct arena *a, const char *format, size_t len, const struct script_type *args, const char **why, unsigned *at)
{
	struct plan *p = arena_get(a, sizeof(*p));
	p->piece = arena_get(a, (args->n_fields + 2) * sizeof(*p->piece));
	p->n = read_format(a, p->piece, format, len, args, why, at);
	return p->n ? p : NULL;
}

static uint64_t cut(uint64_t v, unsigned size, bool is_signed)
{
	unsigned bits = 64 - size * 8;
	return is_signed ? (uint64_t)((int64_t)(v << bits) >> bits) : v << bits >> bits;
}

static void number(const struct plan_piece *c, struct str *out, uint64_t v)
{
	char buf[64];
	if (c->type->kind == TYPE_INT && c->type->size < 8 && c->size == 8 && c->conversion != 'd') /* as C has it, which makes an int of what is smaller */
		v = cut(v, c->type->is_signed && c->type->size < 4 ? 4 : c->type->size, false);
	v = cut(v, c->size, c->is_signed);
	int n = c->conversion == 'c' ? snprintf(buf, sizeof(buf), c->spec, (int)(unsigned char)v) : snprintf(buf, sizeof(buf), c->spec, v);
	if (n >= 0 && (size_t)n < sizeof(buf)) {
		str_addn(out, buf, (size_t)n);
		return;
	}
	char *large = c->conversion == 'c' ? xasprintf(c->spec, (int)(unsigned char)v) : xasprintf(c->spec, v);
	str_add(out, large);
	free(large);
}

/* Width and precision of %-16.8s. */
static void text(const struct plan_piece *c, struct str *out, const struct str *value)
{
	bool left = strchr(c->spec, '-');
	unsigned width = 0, most = ~0u;
	sscanf(c->spec + 1 + strspn(c->spec + 1, "-+ #0"), "%u", &width);
	if (strchr(c->spec, '.'))
		sscanf(strchr(c->spec, '.'), ".%u", &most);
	size_t n = value->len < most ? value->len : most;
	if (!left && n < width)
		str_pad(out, out->len + width - n, ' ');
	str_addn(out, value->buf, n);
	if (left && n < width)
		str_pad(out, out->len + width - n, ' ');
}

static size_t argument(const struct plan_piece *c, const struct namer *nm, struct str *out, const uint8_t *p, size_t n, size_t at)
{
	struct str value = STR_INIT;
	uint64_t v = 0;
	bool string = c->type->kind == TYPE_STRING;
	size_t size = string ? 8 : type_room(c->type), len;
	if (at + size > n)
		return n;
	memcpy(&v, p + at, sizeof(v));
	if (string) {
		const char *t = payload_text(p, n, v, &len);
		show_cut_string(&value, nm, c->type, t, len, false);
		text(c, out, &value);
	} else if (c->conversion == 'r') {
		show_bytes(&value, c->type, p + at, c->bytes);
		text(c, out, &value);
	} else if (shows_fraction(c->conversion)) {
		char *number = xasprintf(c->spec, fraction_value(c->type, p + at));
		str_add(out, number);
		free(number);
	} else if (c->conversion == 's') {
		if (c->type->kind != TYPE_INT || !show_constant(&value, c->type, v, false)) /* by name, also where print() shows a number */
			show_value(&value, nm, c->type, p + at, false);
		text(c, out, &value);
	} else {
		number(c, out, v);
	}
	str_release(&value);
	return at + size;
}

void plan_print(const struct plan *p, const struct namer *nm, struct str *out, const uint8_t *payload, size_t n)
{
	size_t at = 0;
	for (unsigned i = 0; i < p->n; i++) {
		str_addn(out, p->piece[i].text, p->piece[i].len);
		if (p->piece[i].conversion)
			at = argument(&p->piece[i], nm, out, payload, n, at);
	}
}
