// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel fetches bit fields without a sign (kernel/argformat.h), and compares them so: a filter on one with a sign is written
 * anew, in terms of the bits. With half = 2^(bits - 1), numbers below zero are the bits from half on. */
#include "spec/signedfilter.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

struct bits_reader { const char *p; const tp_fields *fields; struct str *out; bool changed; };

/* The bits of a number with a sign that is narrower than its field; 0: it is none. */
static unsigned signed_bits(const struct tracepoint_field *f)
{
	char *end;
	if (f->decl[0] != 's' || !isdigit((unsigned char)f->decl[1]))
		return 0;
	unsigned long n = strtoul(f->decl + 1, &end, 10);
	return *end == ' ' && n && n < 64 && n < 8ul * f->size ? (unsigned)n : 0;
}

static unsigned bits_of(const tp_fields *fields, const char *name, size_t n)
{
	vec_each(fields, f)
		if (strlen(f->name) == n && !memcmp(f->name, name, n))
			return signed_bits(f);
	return 0;
}

static long long within(long long v, long long low, long long high)
{
	return v < low ? low : v > high ? high : v;
}

/* `name < v`, or with `not` the opposite. */
static void put_below(struct str *out, const char *name, long long half, long long v, bool not)
{
	v = within(v, -half, half);
	if (v <= 0 && !not)
		str_addf(out, "(%s >= %lld && %s < %lld)", name, half, name, v + 2 * half);
	else if (v <= 0)
		str_addf(out, "(%s < %lld || %s >= %lld)", name, half, name, v + 2 * half);
	else if (!not)
		str_addf(out, "(%s < %lld || %s >= %lld)", name, v, name, half);
	else
		str_addf(out, "(%s >= %lld && %s < %lld)", name, v, name, half);
}

static void put_test(struct str *out, const char *name, unsigned bits, const char *op, long long v)
{
	long long half = 1ll << (bits - 1), mask = 2 * half - 1;
	bool fits = v >= -half && v < half;
	if (!strcmp(op, "==") || !strcmp(op, "!="))
		str_addf(out, "%s %s %lld", name, op, fits ? v & mask : mask + 1); /* that is nowhere in the bits */
	else if (!strcmp(op, "&") && v & ~mask) /* of a number below zero the higher ones are set */
		str_addf(out, "(%s & %lld || %s >= %lld)", name, v & mask, name, half);
	else if (!strcmp(op, "&"))
		str_addf(out, "%s & %lld", name, v);
	else /* within half, one more is no overflow */
		put_below(out, name, half, within(v, -half - 1, half) + (op[0] == '>' ? !op[1] : op[1] == '='), op[0] == '>');
}

/* At a field's name. True: a test of a bit field was read, and written anew. */
static bool put_field(struct bits_reader *r, size_t n)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "<", ">", "&" };
	unsigned bits = bits_of(r->fields, r->p, n);
	const char *p = r->p + n, *op = NULL;
	char *end;
	p += strspn(p, " \t");
	for (size_t i = 0; bits && !op && i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strncmp(p, ops[i], strlen(ops[i])))
			op = ops[i];
	if (!op || !strncmp(p, "&&", 2))
		return false;
	long long v = strtoll(p + strlen(op), &end, 0);
	if (end == p + strlen(op))
		return false;
	char *name = xstrndup(r->p, n);
	put_test(r->out, name, bits, op, v);
	free(name);
	r->p = end;
	return r->changed = true;
}

char *filter_with_signs(const char *filter, const tp_fields *fields)
{
	struct str out = STR_INIT;
	struct bits_reader r = { .p = filter, .fields = fields, .out = &out };
	while (*r.p) {
		size_t n = 1;
		if (*r.p == '"' || *r.p == '\'') {
			const char *end = strchr(r.p + 1, *r.p);
			n = end ? (size_t)(end + 1 - r.p) : strlen(r.p);
		} else if (isalnum((unsigned char)*r.p) || *r.p == '_') {
			while (isalnum((unsigned char)r.p[n]) || r.p[n] == '_')
				n++;
			if (put_field(&r, n))
				continue;
		}
		str_addn(&out, r.p, n);
		r.p += n;
	}
	if (r.changed)
		return str_detach(&out);
	str_release(&out);
	return NULL;
}
