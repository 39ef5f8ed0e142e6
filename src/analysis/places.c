// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/places.h"
#include <inttypes.h>
#include <stdio.h>

void places_init(struct places *p, struct symbols *syms)
{
	memset(p, 0, sizeof(*p));
	p->syms = syms;
	vec_push(&p->at);
}

void places_release(struct places *p)
{
	vec_release(&p->at);
	idmap_release(&p->index);
	idmap_release(&p->dsos);
	size_t cursor = 0;
	void *v;
	while (strmap_next(&p->strings, &cursor, NULL, &v))
		free(v);
	strmap_release(&p->strings);
}

const char *places_intern(struct places *p, const char *z, size_t n)
{
	char small[256], *copy = n < sizeof(small) ? small : xmalloc(n + 1);
	memcpy(copy, z, n);
	copy[n] = 0;
	char *key = strmap_get(&p->strings, copy);
	if (!key) {
		key = xstrdup(copy);
		strmap_set(&p->strings, copy, key);
	}
	if (copy != small)
		free(copy);
	return key;
}

/* "file.c:12", or "func+off"-like text when there is no line, as perf shows it. */
static const char *places_line(struct places *p, struct frame *f)
{
	char buf[64];
	struct str s = STR_INIT;
	if (f->dso && symbols_source(p->syms, f) && f->file) {
		const char *base = p->full_path ? NULL : strrchr(f->file, '/');
		str_addf(&s, "%s:%d", base ? base + 1 : f->file, f->line);
	} else if (f->dso && !f->dso->kernel && !f->dso->jit && f->dso->path && *f->dso->path == '/') {
		str_add(&s, "??:0"); /* a file that could have told */
	} else if (f->sym) {
		str_addf(&s, "%s+%" PRIu64, f->sym, f->addr - f->sym_addr);
	} else if (f->dso) {
		snprintf(buf, sizeof(buf), "[%" PRIx64 "]", f->offset);
		str_add(&s, f->dso->name ? f->dso->name : "");
		str_add(&s, buf);
	} else {
		str_add(&s, "??:0");
	}
	const char *z = places_intern(p, s.buf, s.len);
	str_release(&s);
	return z;
}

static uint32_t dso_rank(struct places *p, const struct dso *dso)
{
	if (!dso)
		return 0;
	const struct dso *d;
	uint32_t id = idmap_get(&p->dsos, (uintptr_t)dso);
	if (id)
		return id;
	while (p->syms && (d = symbols_next(p->syms, &p->dso_cursor))) {
		uint32_t *at = idmap_at(&p->dsos, (uintptr_t)d);
		*at = *at ? *at : p->dsos.n;
	}
	uint32_t *at = idmap_at(&p->dsos, (uintptr_t)dso);
	return *at = *at ? *at : p->dsos.n;
}

static const char *file_name(const struct places *p, const char *path)
{
	const char *base = p->full_path ? NULL : strrchr(path, '/');
	return base ? base + 1 : path;
}

/* Without DWARF the symbol table may know it. */
static const char *source_file(const struct places *p, const struct frame *f)
{
	const char *path = f->file ? f->file : symbols_file(f);
	return path ? file_name(p, path) : NULL;
}

static uint64_t place_hash(const struct places *p, const struct frame *f, uint64_t what, uint64_t addr, const char *line)
{
	uint64_t key = idmap_mix((uintptr_t)f->dso, what);
	if (p->by_address)
		key = idmap_mix(key, addr);
	if (line)
		key = idmap_mix(key, (uintptr_t)line);
	if (p->locations)
		key = idmap_mix(key, f->line);
	return key ? key : 1;
}

uint32_t places_get(struct places *p, const struct frame *f, uint64_t addr, char level)
{
	struct frame copy = *f;
	bool inlined = f->sym && f->inlined;
	const char *line = p->by_line ? places_line(p, &copy) : NULL;
	uint64_t name = inlined ? hash_bytes(f->sym, strlen(f->sym), 1) : 0;
	uint64_t what = f->sym ? place_function(f->dso, f->sym, f->sym_addr, inlined) : place_address(addr, level);
	uint32_t *id = idmap_at(&p->index, place_hash(p, f, what, addr, line)), number = *id;
	if (number)
		return number;
	*id = number = p->at.n;
	uint32_t branch = number;
	if (inlined) {
		id = idmap_at(&p->index, place_hash(p, f, name, addr, line));
		branch = *id = *id ? *id : number;
	}
	*vec_push(&p->at) = (struct place){ .dso = f->dso, .sym = f->sym, .start = f->sym_addr, .size = f->sym_size, .map_size = f->map_size,
		.addr = addr, .line = line, .level = level, .inlined = f->inlined, .branch = branch,
		.source = p->locations ? f->file : NULL, .lineno = p->locations ? f->line : 0,
		.file = line ? source_file(p, &copy) : NULL, .dso_rank = dso_rank(p, f->dso) };
	return number;
}

const char *place_dso_name(const struct place *p, bool full)
{
	const char *z = !p->dso ? NULL : full ? p->dso->path : p->dso->name;
	return z ? z : "[unknown]";
}

int place_branch_order(const struct places *ps, uint32_t a, uint32_t b)
{
	const struct place *p = place_at(ps, a), *q = place_at(ps, b);
	if (p->sym && q->sym && (p->inlined || q->inlined)) {
		int c = strcmp(p->sym, q->sym);
		return c > 0 ? -1 : c < 0;
	}
	if (p->dso_rank != q->dso_rank)
		return p->dso_rank > q->dso_rank ? -1 : 1;
	uint64_t x = p->sym && !ps->by_address ? p->start : p->addr, y = q->sym && !ps->by_address ? q->start : q->addr;
	return x > y ? -1 : x < y;
}
