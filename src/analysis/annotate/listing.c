// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/annotate/listing.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "symbol/disasm/code.h"
#include "symbol/sourcetext.h"

enum { CONTEXT_LINES = 5, RAW_BYTES = 7 };

/* What was shown of a source file. */
struct source_shown { int last, max; };

struct maker {
	struct code_listing *l;
	const struct listing_options *o;
	struct code code;
	struct source_texts *texts;
	struct strmap shown; /* path to struct source_shown */
	struct strmap paths; /* path to itself: interned */
	int number;
};

static const char *keep(struct code_listing *l, char *z)
{
	*vec_push(&l->owned) = z;
	return z;
}

/* Tabs become blanks; column: where the text begins. Nothing in it moves the cursor. */
static char *expanded(const char *z, size_t n, size_t column)
{
	struct str s = STR_INIT, safe = STR_INIT;
	for (size_t i = 0; i < n; i++) {
		if (z[i] != '\t') {
			str_addc(&s, z[i]);
			continue;
		}
		do
			str_addc(&s, ' ');
		while ((s.len + column) % 8);
	}
	str_add_safe(&safe, s.buf, s.len);
	str_release(&s);
	return safe.len ? str_detach(&safe) : xstrdup("");
}

static struct listing_line *add_line(struct maker *m, char *text)
{
	struct listing_line *line = vec_push(&m->l->line);
	line->number = m->number++;
	line->text = keep(m->l, text);
	line->insn = line->target = -1;
	return line;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void add_source(struct maker *m, const char *path, int number)
{
	size_t n;
	const char *z = source_texts_line(m->texts, path, number, &n);
	if (!z)
		return;
	while (n && is_blank(z[n - 1]))
		n--;
	while (n && is_blank(*z)) {
		z++;
		n--;
	}
	add_line(m, expanded(z, n, 0))->source_line = number;
	m->l->has_source = true;
}

/* --prefix-strip=N and --prefix=DIR of an absolute path. */
static char *source_path(const struct maker *m, const char *path)
{
	int strip = m->o->prefix_strip;
	if (!m->o->prefix || *path != '/')
		return xstrdup(path);
	while (strip-- > 0) {
		const char *next = strchr(path + 1, '/');
		if (!next)
			break;
		path = next;
	}
	size_t n = strlen(m->o->prefix);
	while (n && m->o->prefix[n - 1] == '/')
		n--;
	return xasprintf("%.*s%s", (int)n, m->o->prefix, path);
}

static struct source_shown *shown_of(struct maker *m, const char *path)
{
	struct source_shown *s = strmap_get(&m->shown, path);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		strmap_set(&m->shown, path, s);
	}
	return s;
}

/* Before an instruction of another line come the lines up to it that were not shown yet; at first five of context. */
static void show_source(struct maker *m, const char *path, int line)
{
	struct source_shown *s = shown_of(m, path);
	if (s->last == line)
		return;
	int from = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;
	if (s->max >= from)
		from = s->max < line ? s->max + 1 : line;
	char *file = source_path(m, path);
	for (; from < line; from++)
		add_source(m, file, from);
	add_source(m, file, line);
	free(file);
	if (s->max < line)
		s->max = line;
	s->last = line;
}

static const char *interned(struct maker *m, const char *path)
{
	char *z = strmap_get(&m->paths, path);
	if (!z) {
		z = (char *)(uintptr_t)keep(m->l, xstrdup(path));
		strmap_set(&m->paths, path, z);
	}
	return z;
}

/* ---- instructions ---- */

static void add_name(struct maker *m, uint64_t addr, struct str *s)
{
	struct str name = STR_INIT;
	if (code_name(m->l->hits->syms, &m->l->fn->f, addr, &name))
		str_addf(s, " <%s>", name.buf);
	str_release(&name);
}

static char *named_text(struct maker *m, const struct instruction *i)
{
	struct str s = STR_INIT;
	str_add(&s, i->text);
	if (i->has_target)
		add_name(m, i->target, &s);
	if (i->has_data) {
		str_addf(&s, "        # %" PRIx64, i->data);
		add_name(m, i->data, &s);
	}
	return str_detach(&s);
}

static void add_bytes(const struct maker *m, struct str *s, uint64_t addr, size_t n)
{
	uint64_t at = addr - m->code.addr;
	for (size_t k = 0; k < n && at + k < m->code.n; k++)
		str_addf(s, "%02x ", m->code.bytes[at + k]);
}

static struct listing_line *add_code(struct maker *m, uint64_t addr, const char *text, size_t bytes)
{
	struct str s = STR_INIT;
	size_t width = snprintf(NULL, 0, "%" PRIx64 ":", addr);
	str_addc(&s, '\t');
	if (m->o->raw) {
		add_bytes(m, &s, addr, bytes);
		if (text)
			str_pad(&s, 1 + RAW_BYTES * 3, ' ');
		str_add(&s, text ? "\t" : "");
	}
	str_add(&s, text ? text : "");
	while (s.len && is_blank(s.buf[s.len - 1]))
		s.len--;
	struct listing_line *line = add_line(m, expanded(s.buf, s.len, width));
	str_release(&s);
	line->code = true;
	line->offset = addr - m->l->start;
	line->hit = m->l->hit.n;
	for (size_t e = 0; e < m->l->hits->n_events; e++)
		vec_push(&m->l->hit);
	return line;
}

static void add_insn(struct maker *m, size_t k)
{
	const struct instruction *i = &m->l->insns.at[k];
	struct frame f = m->l->fn->f;
	f.addr = i->addr;
	bool has = symbols_source(m->l->hits->syms, &f);
	if (has && m->o->source && f.line > 0)
		show_source(m, f.file, f.line);
	char *named = named_text(m, i);
	size_t first = i->len > RAW_BYTES ? RAW_BYTES : i->len;
	struct listing_line *line = add_code(m, i->addr, named, first);
	line->insn = k;
	line->named = keep(m->l, named);
	line->source = has ? interned(m, f.file) : NULL;
	line->source_line = f.line;
	for (size_t done = first; m->o->raw && done < i->len; done += RAW_BYTES)
		add_code(m, i->addr + done, NULL, i->len - done > RAW_BYTES ? RAW_BYTES : i->len - done);
}

/* As objdump begins, without the name of the file. */
static void add_head(struct maker *m)
{
	struct str s = STR_INIT;
	for (int i = 0; i < 3; i++)
		add_line(m, xstrdup(""));
	str_addf(&s, "Disassembly of section %s:", m->code.section);
	add_line(m, expanded(s.buf, s.len, 0));
	str_clear(&s);
	add_line(m, xstrdup(""));
	str_addf(&s, "%0*" PRIx64 " <", m->code.is32 ? 8 : 16, m->l->start);
	if (!m->l->fn->f.sym || !code_name(m->l->hits->syms, &m->l->fn->f, m->l->start, &s))
		str_add(&s, m->l->fn->name);
	str_add(&s, ">:");
	add_line(m, expanded(s.buf, s.len, 0));
	str_release(&s);
}

/* ---- samples and jumps ---- */

static int64_t line_at(const struct code_listing *l, uint64_t offset)
{
	size_t lo = 0, hi = l->line.n;
	int64_t found = -1;
	while (lo < hi) { /* lines that are no code go with the code behind them */
		size_t mid = lo + (hi - lo) / 2, at = mid;
		while (at < hi && !l->line.at[at].code)
			at++;
		if (at == hi) {
			hi = mid;
		} else if (l->line.at[at].offset <= offset) {
			found = at;
			lo = at + 1;
		} else {
			hi = mid;
		}
	}
	return found;
}

static void put_samples(struct code_listing *l)
{
	for (size_t k = 0; k < l->fn->offset.n; k++) {
		int64_t at = line_at(l, l->fn->offset.at[k]);
		for (size_t e = 0; at >= 0 && e < l->hits->n_events; e++) {
			struct hit h = hits_of(l->hits, l->fn, k, e);
			struct hit *to = &l->hit.at[l->line.at[at].hit + e];
			to->n += h.n;
			to->period += h.period;
		}
	}
}

void listing_count(struct code_listing *l)
{
	vec_each(&l->hit, h)
		*h = (struct hit){ 0 };
	put_samples(l);
}

static void mark_jumps(struct code_listing *l)
{
	vec_each(&l->line, line) {
		const struct instruction *i = line->insn >= 0 ? &l->insns.at[line->insn] : NULL;
		if (!i || !i->has_target || (i->kind != INSN_JUMP && i->kind != INSN_BRANCH) || i->target - l->start >= l->size)
			continue;
		int64_t at = line_at(l, i->target - l->start);
		if (at < 0 || l->line.at[at].offset != i->target - l->start)
			continue;
		line->target = at;
		if (++l->line.at[at].jumps > l->max_jumps)
			l->max_jumps = l->line.at[at].jumps;
	}
}

static void maker_release(struct maker *m)
{
	size_t cursor = 0;
	void *v;
	while (strmap_next(&m->shown, &cursor, NULL, &v))
		free(v);
	strmap_release(&m->shown);
	strmap_release(&m->paths);
	source_texts_free(m->texts);
	code_release(&m->code);
}

int listing_make(struct code_listing *l, const struct hits *h, const struct hit_function *fn, const struct listing_options *o)
{
	struct maker m = { .l = l, .o = o };
	*l = (struct code_listing){ .hits = h, .fn = fn, .start = fn->f.sym_addr, .size = fn->f.sym_size };
	int err = code_of(h->syms, &fn->f, l->start, l->size, &m.code);
	if (err)
		return err;
	struct disasm_options d = o->disasm;
	d.is32 = m.code.is32;
	err = disasm_run(&d, &(struct disasm_code){ m.code.bytes, m.code.n, m.code.addr, m.code.file }, &l->insns);
	if (!err) {
		m.texts = source_texts_new();
		add_head(&m);
		for (size_t k = 0; k < l->insns.n; k++)
			add_insn(&m, k);
		put_samples(l);
		mark_jumps(l);
	}
	maker_release(&m);
	if (err)
		listing_release(l);
	return err;
}

void listing_release(struct code_listing *l)
{
	vec_release(&l->insns);
	vec_release(&l->line);
	vec_release(&l->hit);
	vec_each(&l->owned, z)
		free(*z);
	vec_release(&l->owned);
}
