// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include "syscall/value.h"

/* ---- memory of the traced program ---- */

static bool right_time(const struct copied *k, enum mem_when when)
{
	return when == MEM_ANY || k->at_exit == (when == MEM_OUT) || (when == MEM_IN && k->late);
}

static void mem_from(struct mem *m, const struct copied *k, size_t skip)
{
	*m = (struct mem){ .p = k->data + skip, .n = k->len - skip, .addr = k->addr + skip,
		.truncated = k->truncated, .full = k->full_len > skip ? k->full_len - skip : 0 };
}

bool mem_find(const struct dc *c, uint64_t addr, enum mem_when when, struct mem *m)
{
	if (!addr || (when == MEM_OUT && c->entered))
		return false;
	for (unsigned i = 0; i < c->e->n_copied; i++) {
		const struct copied *k = &c->e->copied[i];
		if (k->addr != addr || k->faulted || !k->data || !right_time(k, when))
			continue;
		mem_from(m, k, 0);
		return true;
	}
	return false;
}

bool mem_find_inside(const struct dc *c, uint64_t addr, enum mem_when when, struct mem *m)
{
	if (mem_find(c, addr, when, m))
		return true;
	for (unsigned i = 0; addr && i < c->e->n_copied; i++) {
		const struct copied *k = &c->e->copied[i];
		if (k->faulted || !k->data || addr < k->addr || addr - k->addr >= k->len || !right_time(k, when))
			continue;
		mem_from(m, k, addr - k->addr);
		return true;
	}
	return false;
}

uint64_t mem_u(const struct mem *m, size_t off, size_t size)
{
	uint64_t v = 0;
	if (off > m->n || size > m->n - off || size > sizeof(v))
		return 0;
	memcpy(&v, m->p + off, size);
	return v;
}

int64_t mem_s(const struct mem *m, size_t off, size_t size)
{
	uint64_t v = mem_u(m, off, size);
	switch (size) {
	case 1: return (int8_t)v;
	case 2: return (int16_t)v;
	case 4: return (int32_t)v;
	default: return (int64_t)v;
	}
}

struct mem mem_sub(const struct mem *m, size_t off, size_t n)
{
	struct mem s = { .p = m->p, .addr = m->addr + off };
	if (off >= m->n)
		return s;
	s.p = m->p + off;
	s.n = n < m->n - off ? n : m->n - off;
	return s;
}

/* ---- scalars ---- */

void v_s(struct dc *c, int64_t v)
{
	if (c->json)
		json_s64(c->json, v);
	else
		str_add_s64(c->out, v);
}

void v_u(struct dc *c, uint64_t v)
{
	if (c->json)
		json_u64(c->json, v);
	else
		str_add_u64(c->out, v);
}

/* In JSON a value that people read as hex (a pointer, unknown bits) is a string: "0x7f..". */
static struct str *text_begin(struct dc *c)
{
	if (!c->json)
		return c->out;
	str_clear(&c->d->scratch);
	return &c->d->scratch;
}

static void text_end(struct dc *c)
{
	if (c->json)
		json_str(c->json, c->d->scratch.buf, c->d->scratch.len);
}

void v_hex(struct dc *c, uint64_t v)
{
	str_add_hex(text_begin(c), v);
	text_end(c);
}

void v_hexnum(struct dc *c, uint64_t v)
{
	if (c->json)
		json_u64(c->json, v);
	else
		str_add_hex(c->out, v);
}

static void add_oct(struct str *s, uint64_t v)
{
	char b[24];
	int i = sizeof(b);
	for (; v; v >>= 3)
		b[--i] = '0' + (v & 7);
	b[--i] = '0';
	str_addn(s, b + i, sizeof(b) - i);
}

void v_oct(struct dc *c, uint64_t v)
{
	add_oct(text_begin(c), v);
	text_end(c);
}

void v_null(struct dc *c)
{
	if (c->json)
		json_null(c->json);
	else
		str_addn(c->out, "NULL", 4);
}

void v_addr(struct dc *c, uint64_t v)
{
	if (v)
		v_hex(c, v);
	else
		v_null(c);
}

void v_word(struct dc *c, const char *z)
{
	if (c->json)
		json_strz(c->json, z);
	else
		str_add(c->out, z);
}

static const char *short_name(const struct dc *c, const struct xlat *x, const char *name)
{
	if (c->strace || !x->prefix_len || !strncmp(name, "___", 3))
		return name;
	/* A neighbour without the prefix (SCM_ among SO_) stays whole. */
	return strncmp(name, x->val[0].name, x->prefix_len) || !name[x->prefix_len] ? name : name + x->prefix_len;
}

void v_name(struct dc *c, enum xlat_id t, const char *full_name)
{
	v_word(c, short_name(c, xlat(t), full_name));
}

static void add_unknown(struct dc *c, const struct xlat *x)
{
	if (!c->json && c->strace && *x->unknown) {
		str_add(c->out, " /* ");
		str_add(c->out, x->unknown);
		str_add(c->out, " */");
	}
}

/* ---- -X: numbers instead of names, or before them ---- */

static bool numbers(const struct dc *c)
{
	return c->d->style.constants && !c->json && !c->in_comment;
}

bool v_number(struct dc *c, uint64_t v, int base)
{
	if (!c->d->style.constants || c->json || c->in_comment++)
		return false;
	if (base == 8)
		v_oct(c, v);
	else if (base == 10)
		str_add_s64(c->out, v);
	else if (!base)
		str_add_u64(c->out, v);
	else
		str_add_hex(c->out, v);
	if (c->d->style.constants == CONST_NUMBERS) {
		c->in_comment--;
		return true;
	}
	str_addn(c->out, " /* ", 4);
	return false;
}

void v_named(struct dc *c)
{
	if (c->d->style.constants && c->in_comment && !--c->in_comment)
		str_addn(c->out, " */", 3);
}

void v_const(struct dc *c, uint64_t v, const char *name)
{
	if (v_number(c, v, 16))
		return;
	v_word(c, name);
	v_named(c);
}

void v_enum(struct dc *c, enum xlat_id t, uint64_t v)
{
	const char *name = xlat_name(t, v);
	bool alone = numbers(c) && (name || c->d->style.constants == CONST_NUMBERS);
	if (alone && v_number(c, v, 16))
		return;
	if (name) {
		v_name(c, t, name);
	} else {
		v_hexnum(c, v);
		add_unknown(c, xlat(t));
	}
	if (alone)
		v_named(c);
}

/* ---- sets of flags ---- */

void v_parts_begin(struct dc *c)
{
	text_begin(c);
	c->first = true;
}

static struct str *part(struct dc *c)
{
	struct str *s = c->json ? &c->d->scratch : c->out;
	if (!c->first)
		str_addc(s, '|');
	c->first = false;
	return s;
}

void v_part(struct dc *c, const char *z)
{
	str_add(part(c), z);
}

void v_part_const(struct dc *c, uint64_t v, const char *name)
{
	struct str *s = part(c);
	bool own = numbers(c);
	if (own && v_number(c, v, 16))
		return;
	str_add(s, name);
	if (own)
		v_named(c);
}

void v_part_hex(struct dc *c, uint64_t v)
{
	str_add_hex(part(c), v);
}

void v_part_oct(struct dc *c, uint64_t v)
{
	struct str *s = part(c);
	if (v < 0100) { /* at least three digits: 0644, 000 */
		str_addc(s, '0');
		str_addc(s, '0' + (v >> 3));
		str_addc(s, '0' + (v & 7));
		return;
	}
	add_oct(s, v);
}

static bool any_named(const struct xlat *x, uint64_t v)
{
	for (unsigned i = 0; i < x->n; i++)
		if (x->val[i].value && (v & x->val[i].value) == x->val[i].value)
			return true;
	return false;
}

/* A part with a number of its own, as SOCK_STREAM and SOCK_CLOEXEC have. */
static void part_number(struct dc *c, enum xlat_id t, uint64_t v)
{
	part(c);
	if (v_number(c, v, 16))
		return;
	c->first = true;
	v_part_flags(c, t, v);
	v_named(c);
}

void v_part_flags(struct dc *c, enum xlat_id t, uint64_t v)
{
	const struct xlat *x = xlat(t);
	if (v && numbers(c) && (any_named(x, v) || c->d->style.constants == CONST_NUMBERS)) {
		part_number(c, t, v);
		return;
	}
	for (unsigned i = 0; v && i < x->n; i++) {
		uint64_t bit = x->val[i].value;
		if (!bit || (v & bit) != bit)
			continue;
		str_add(part(c), short_name(c, x, x->val[i].name));
		v &= ~bit;
	}
	if (!v)
		return;
	bool alone = c->first;
	v_part_hex(c, v);
	if (alone)
		add_unknown(c, x);
}

void v_part_enum(struct dc *c, enum xlat_id t, uint64_t v)
{
	const struct xlat *x = xlat(t);
	const char *name = xlat_name(t, v);
	if (name) {
		v_part_const(c, v, short_name(c, x, name));
		return;
	}
	v_part_hex(c, v);
	if (c->d->style.constants != CONST_NUMBERS)
		add_unknown(c, x);
}

void v_parts_end(struct dc *c)
{
	if (c->first)
		str_addc(c->json ? &c->d->scratch : c->out, '0');
	c->first = false;
	text_end(c);
}

void v_flags(struct dc *c, enum xlat_id t, uint64_t v)
{
	const char *zero = v ? NULL : xlat_name(t, 0);
	if (!v) {
		if (zero)
			v_const(c, 0, short_name(c, xlat(t), zero));
		else
			v_hexnum(c, 0);
		return;
	}
	v_parts_begin(c);
	v_part_flags(c, t, v);
	v_parts_end(c);
}

/* ---- strings ---- */

static bool is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < 0x20 || p[i] > 0x7e) && (p[i] < '\t' || p[i] > '\r'))
			return false;
	return true;
}

/* chars: only those that are not text. */
static void add_hex(struct str *s, const uint8_t *p, size_t n, bool chars)
{
	static const char *const named = "\tt\nn\vv\ff\rr\"\"\\\\";
	str_addc(s, '"');
	for (size_t i = 0; i < n; i++) {
		const char *name = chars && p[i] ? strchr(named, p[i]) : NULL;
		if (name && !((name - named) & 1))
			str_addf(s, "\\%c", name[1]);
		else if (chars && p[i] >= 0x20 && p[i] <= 0x7e)
			str_addc(s, p[i]);
		else
			str_addf(s, "\\x%02x", p[i]);
	}
	str_addc(s, '"');
}

static void quote(struct dc *c, const void *p, size_t n)
{
	enum hex_strings hex = c->d->style.hex;
	if (hex == HEX_ALL || (hex == HEX_NOT_TEXT && !is_text(p, n)))
		add_hex(c->out, p, n, false);
	else if (hex == HEX_CHARS)
		add_hex(c->out, p, n, true);
	else
		str_add_quoted(c->out, p, n);
}

void v_str(struct dc *c, const void *p, size_t n, bool more, size_t limit)
{
	if (limit && n > limit) {
		n = limit;
		more = true;
	}
	if (c->json) {
		json_str(c->json, p, n);
		return;
	}
	quote(c, p, n);
	if (more)
		str_addn(c->out, "...", 3);
}

void v_payload(struct dc *c, const struct mem *m, uint64_t len)
{
	size_t n = m->n < len ? m->n : len;
	if (!v_netlink(c, m, len))
		v_str(c, m->p, n, n < len, c->d->style.string_limit);
}

void v_cstr(struct dc *c, const struct mem *m, size_t limit)
{
	size_t n = strnlen((const char *)m->p, m->n);
	v_str(c, m->p, n, n == m->n && m->truncated, limit ? limit : c->d->style.path_limit);
}

/* Where no NUL is, strace leaves the last one out. */
void v_chars(struct dc *c, const struct mem *m)
{
	size_t n = strnlen((const char *)m->p, m->n);
	bool cut = c->strace && !c->json && n && n == m->n;
	v_str(c, m->p, n - cut, cut, 0);
}

void v_fn_u(struct dc *c, const char *fn, uint64_t v)
{
	if (c->json || !c->strace) {
		v_u(c, v);
		return;
	}
	str_add(c->out, fn);
	str_addc(c->out, '(');
	str_add_u64(c->out, v);
	str_addc(c->out, ')');
}

void v_fn_str(struct dc *c, const char *fn, const char *z)
{
	if (c->json || !c->strace) {
		v_word(c, z);
		return;
	}
	str_add(c->out, fn);
	str_addc(c->out, '(');
	str_add_quoted(c->out, z, strlen(z));
	str_addc(c->out, ')');
}

void v_comment(struct dc *c, const char *z)
{
	if (c->json || !c->strace)
		return;
	str_add(c->out, " /* ");
	str_add(c->out, z);
	str_add(c->out, " */");
}

/* ---- brackets ---- */

void v_open(struct dc *c, char bracket)
{
	c->first = true;
	if (c->json)
		json_open(c->json, bracket);
	else
		str_addc(c->out, bracket);
}

void v_close(struct dc *c, char bracket)
{
	if (c->json) {
		json_close(c->json, bracket);
	} else {
		if (!c->strace && bracket == '}' && !c->first)
			str_addc(c->out, ' ');
		str_addc(c->out, bracket);
	}
	c->first = false;
}

void v_item(struct dc *c)
{
	if (!c->json && !c->first)
		str_addn(c->out, ", ", 2);
	c->first = false;
}

void v_field(struct dc *c, const char *name)
{
	if (c->json) {
		json_key(c->json, name);
		return;
	}
	if (!c->first)
		str_addn(c->out, ", ", 2);
	else if (!c->strace)
		str_addc(c->out, ' ');
	c->first = false;
	if (c->strace) {
		str_add(c->out, name);
		str_addc(c->out, '=');
		return;
	}
	str_addc(c->out, '.');
	str_add(c->out, name);
	str_addn(c->out, ": ", 2);
}

void v_unreadable(struct dc *c, uint64_t addr)
{
	if (!c->json && c->strace)
		str_addf(c->out, " /* %#llx */", (unsigned long long)addr);
}

void v_more(struct dc *c)
{
	if (c->json)
		return;
	str_add(c->out, c->first ? "..." : ", ...");
	c->first = false;
}
