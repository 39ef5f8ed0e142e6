// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/framelines.h"
#include <inttypes.h>
#include <stdlib.h>
#include "analysis/idmap.h"
#include "base/map.h"
#include "base/vec.h"

struct line { size_t at; uint32_t len; };
struct frame_lines {
	struct symbols *syms;
	enum inlines inlines;
	bool full_path;
	struct u64map spaces; /* pid to struct idmap */
	struct idmap kernel;
	VEC(struct line) line;
	struct str pool;
};

struct frame_lines *frame_lines_new(struct symbols *syms, enum inlines inlines, bool full_path)
{
	struct frame_lines *l = xcalloc(1, sizeof(*l));
	l->syms = syms;
	l->inlines = inlines;
	l->full_path = full_path;
	str_init(&l->pool);
	vec_push(&l->line);
	return l;
}

void frame_lines_free(struct frame_lines *l)
{
	size_t cursor = 0;
	void *v;
	if (!l)
		return;
	while (u64map_next(&l->spaces, &cursor, NULL, &v)) {
		idmap_release(v);
		free(v);
	}
	u64map_release(&l->spaces);
	idmap_release(&l->kernel);
	vec_release(&l->line);
	str_release(&l->pool);
	free(l);
}

void frame_lines_seen(struct frame_lines *l, const struct perfdata_record *r)
{
	const uint32_t *pid = (const void *)(r->header + 1);
	uint32_t t = r->header->type;
	if (t == PERF_RECORD_KSYMBOL) {
		idmap_clear(&l->kernel);
		return;
	}
	if ((t != PERF_RECORD_MMAP && t != PERF_RECORD_MMAP2 && t != PERF_RECORD_FORK && t != PERF_RECORD_EXIT &&
	     t != PERF_RECORD_COMM) || r->header->size < sizeof(*r->header) + 8)
		return;
	struct idmap *m = *pid == UINT32_MAX ? &l->kernel : u64map_get(&l->spaces, *pid);
	if (m)
		idmap_clear(m);
}

void frame_lines_forget(struct frame_lines *l, int pid)
{
	struct idmap *m = u64map_get(&l->spaces, (uint32_t)pid);
	if (m)
		idmap_clear(m);
}

static void add_ip(struct str *s, uint64_t ip)
{
	char buf[16];
	int n = 16;
	do
		buf[--n] = "0123456789abcdef"[ip & 15];
	while ((ip >>= 4) && n);
	for (int i = 0; i < n; i++)
		str_addc(s, ' ');
	str_addn(s, buf + n, 16 - n);
}

static void add_source(struct frame_lines *l, struct str *s, struct frame f)
{
	if (!f.dso)
		return;
	str_add(s, "\n  ");
	if (symbols_source(l->syms, &f) && f.file) {
		const char *base = l->full_path ? NULL : strrchr(f.file, '/');
		str_add_safez(s, base ? base + 1 : f.file);
		str_addf(s, ":%d", f.line);
	} else {
		str_add_safez(s, f.dso->name ? f.dso->name : "");
		str_addf(s, "[%" PRIx64 "]", f.addr);
	}
}

/* physical: the function that is really called there, from whose start perf counts */
static void add_frame(struct frame_lines *l, struct str *s, const struct frame *f, const struct frame *physical, unsigned what)
{
	if (what & LINE_CHAIN && what & LINE_IP)
		str_addc(s, '\t');
	if (what & LINE_IP)
		add_ip(s, physical->ip);
	if (what & LINE_SYM) {
		str_addc(s, ' ');
		str_add_safez(s, f->sym ? f->sym : "[unknown]");
		if (f->sym && what & LINE_OFF)
			str_addf(s, "+0x%" PRIx64, physical->addr - physical->sym_addr);
	}
	if (what & LINE_DSO && !f->inlined) {
		str_add(s, " (");
		str_add_safez(s, f->dso && f->dso->path ? f->dso->path : "[unknown]");
		if (what & LINE_DSOFF && f->dso && !f->dso->kernel)
			str_addf(s, "+0x%" PRIx64, physical->offset);
		str_addc(s, ')');
	}
	if (what & LINE_SRC)
		add_source(l, s, *f);
	if (f->inlined)
		str_add(s, " (inlined)");
	if (what & LINE_CHAIN)
		str_addc(s, '\n');
}

static void make_line(struct frame_lines *l, int pid, const struct chain_ip *c, unsigned what)
{
	enum { MAX = 64 };
	struct frame f, in[MAX];
	int n = 0;
	symbols_resolve(l->syms, pid, c->ip, c->mode, &f);
	if (what & LINE_CHAIN && chain_inlines(c, l->inlines) && f.dso && !f.dso->kernel && f.sym)
		n = symbols_inline(l->syms, &f, in, MAX);
	struct line *line = vec_push(&l->line);
	line->at = l->pool.len;
	for (int i = 0; i < n; i++)
		add_frame(l, &l->pool, &in[i], &f, what);
	if (!n)
		add_frame(l, &l->pool, &f, &f, what);
	vec_last(&l->line)->len = l->pool.len - vec_last(&l->line)->at;
}

void frame_lines_add(struct frame_lines *l, struct str *out, int pid, const struct chain_ip *c, unsigned what)
{
	struct idmap *m = &l->kernel;
	if (c->mode != SYM_KERNEL && !(m = u64map_get(&l->spaces, (uint32_t)pid))) {
		m = xcalloc(1, sizeof(*m));
		u64map_set(&l->spaces, (uint32_t)pid, m);
	}
	uint32_t *id = idmap_at(m, idmap_mix(c->ip, what << 1 | c->unwound));
	if (!*id) {
		*id = l->line.n;
		make_line(l, pid, c, what);
	}
	const struct line *line = &l->line.at[*id];
	str_addn(out, l->pool.buf + line->at, line->len);
}
