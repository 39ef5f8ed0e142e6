// SPDX-License-Identifier: GPL-2.0-or-later
/* printf as SystemTap has it: C's conversions of 64-bit numbers, %s, %c, %p, %b (a number's bytes), %m and %M (memory: not
 * here), a width or precision that is a value (*). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "script/interp/interp.h"

enum { WIDEST = 4096 };
struct spec { char flags[8]; int width, precision; bool has_precision; char conversion; };
struct values { const struct interp_value *at; unsigned n, used; const char *why; };

static struct interp_value next(struct values *v)
{
	if (v->used >= v->n) {
		v->why = "the format has more conversions than there are values";
		return (struct interp_value){ 0 };
	}
	return v->at[v->used++];
}

static const char *number_of(const char *p, const char *end, int *to, struct values *v)
{
	if (p < end && *p == '*') {
		struct interp_value w = next(v);
		int64_t n = interp_number(&w);
		*to = n < 0 ? 0 : n > WIDEST ? WIDEST : (int)n;
		return p + 1;
	}
	for (*to = 0; p < end && *p >= '0' && *p <= '9'; p++)
		*to = *to > WIDEST ? *to : *to * 10 + (*p - '0');
	*to = *to > WIDEST ? WIDEST : *to;
	return p;
}

static const char *read_spec(const char *p, const char *end, struct spec *s, struct values *v)
{
	size_t n = 0;
	*s = (struct spec){ 0 };
	for (; p < end && strchr("-+ #0", *p) && *p; p++)
		if (n < 6)
			s->flags[n++] = *p;
	p = number_of(p, end, &s->width, v);
	if (p < end && *p == '.') {
		s->has_precision = true;
		p = number_of(p + 1, end, &s->precision, v);
	}
	for (; p < end && (*p == 'l' || *p == 'h'); p++)
		;
	s->conversion = p < end ? *p : 0;
	return p + 1;
}

static void pad(struct str *out, const struct spec *s, const char *text, size_t len)
{
	bool left = strchr(s->flags, '-');
	size_t fill = (size_t)s->width > len ? (size_t)s->width - len : 0;
	if (!left)
		str_pad(out, out->len + fill, ' ');
	str_addn(out, text, len);
	if (left)
		str_pad(out, out->len + fill, ' ');
}

static void put_number(struct str *out, const struct spec *s, int64_t v)
{
	char form[48];
	char c = s->conversion == 'i' ? 'd' : s->conversion == 'p' ? 'x' : s->conversion;
	const char *sharp = s->conversion == 'p' && !strchr(s->flags, '#') ? "#" : "";
	if (s->has_precision)
		snprintf(form, sizeof(form), "%%%s%s%d.%dll%c", s->flags, sharp, s->width, s->precision, c);
	else if (s->width)
		snprintf(form, sizeof(form), "%%%s%s%dll%c", s->flags, sharp, s->width, c);
	else
		snprintf(form, sizeof(form), "%%%s%sll%c", s->flags, sharp, c);
	if (s->conversion == 'p' && !v) {
		pad(out, s, "0x0", 3);
		return;
	}
	char *text = xasprintf(form, (long long)v);
	str_add(out, text);
	free(text);
}

static void one(struct interp *ip, struct str *out, const struct spec *s, struct values *v)
{
	struct interp_value a = next(v);
	size_t len;
	if (v->why)
		return;
	switch (s->conversion) {
	case 's': {
		const char *t = interp_string(ip, &a, &len);
		len = s->has_precision && (size_t)s->precision < len ? (size_t)s->precision : len;
		pad(out, s, t, len);
		break;
	}
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
		if (a.kind == VALUE_TEXT)
			v->why = "this is text, which %s prints";
		else
			put_number(out, s, interp_number(&a));
		break;
	case 'c': {
		char c = (char)interp_number(&a);
		pad(out, s, &c, 1);
		break;
	}
	case 'b': {
		int64_t n = interp_number(&a);
		unsigned bytes = s->width >= 8 || !s->width ? 8 : s->width >= 4 ? 4 : s->width >= 2 ? 2 : 1;
		str_addn(out, &n, bytes);
		break;
	}
	default: v->why = "a conversion of this format is not known: %d %i %u %x %X %o %c %s %p %b and their flags are"; break;
	}
}

const char *interp_format(struct interp *ip, struct str *out, const char *format, size_t len, const struct interp_value *args, unsigned n)
{
	struct values v = { args, n, 0, NULL };
	const char *p = format, *end = format + len;
	while (p < end && !v.why) {
		struct spec s;
		if (*p != '%' || (p + 1 < end && p[1] == '%')) {
			str_addc(out, *p);
			p += *p == '%' ? 2 : 1;
			continue;
		}
		p = read_spec(p + 1, end, &s, &v);
		if (!v.why)
			one(ip, out, &s, &v);
	}
	if (!v.why && v.used < n)
		v.why = "the format has fewer conversions than there are values";
	return v.why;
}
