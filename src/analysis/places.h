/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where samples fall: functions and, where there is no symbol, addresses. Each gets a number once, and
 * all folding is done on numbers. Number 0 is no place. */
#ifndef ANALYSIS_PLACES_H
#define ANALYSIS_PLACES_H
#include "analysis/idmap.h"
#include "base/map.h"
#include "base/vec.h"
#include "symbol/symbols.h"

struct place {
	const struct dso *dso; /* NULL: none */
	const char *sym; /* NULL: none */
	uint64_t start, size; /* of the symbol */
	uint64_t map_size; /* of the map that the first address of it lay in */
	uint64_t addr; /* without a symbol: the address shown */
	uint64_t called_at; /* the first address of it in a call chain; 0: in none yet */
	const char *line; /* "file.c:12", interned; NULL unless places by line are kept */
	const char *file;
	const char *source; /* with places.locations: the whole path of the source, and the line there; NULL: not known */
	int lineno;
	char level; /* k, ., g, u, H */
	bool inlined; /* then start and size are those of the function it was inlined in */
	/* What stands for it in call graphs: as in perf, a function inlined in two others is two lines of a
	 * report and one branch of a graph. Itself for all else. */
	uint32_t branch;
	uint32_t dso_rank; /* in the order files were mapped, from 1; 0: none */
};

struct places {
	VEC(struct place) at;
	struct idmap index;
	struct idmap dsos; /* struct dso * to rank */
	size_t dso_cursor;
	struct strmap strings;
	struct symbols *syms;
	bool by_line, by_address; /* what tells two places of one function apart */
	bool full_path; /* lines with the whole path */
	bool locations; /* and by_address: each address is a place, each function inlined there one of its own, with its line */
};
void places_init(struct places *p, struct symbols *syms);
void places_release(struct places *p);
/* addr: the address that stands for a frame without symbol. */
uint32_t places_get(struct places *p, const struct frame *f, uint64_t addr, char level);
static inline const struct place *place_at(const struct places *p, uint32_t id)
{
	return &p->at.at[id];
}
const char *places_intern(struct places *p, const char *z, size_t n);
/* What tells functions of one file apart: where they start; the name too where that is not enough. */
static inline uint64_t place_function(const struct dso *d, const char *sym, uint64_t start, bool inlined)
{
	return inlined || (d && d->jit) ? idmap_mix(hash_bytes(sym, strlen(sym), 1), start) : start * 2 + 1;
}
/* And addresses without a symbol: the kernel's are never a program's. */
static inline uint64_t place_address(uint64_t addr, char level)
{
	return idmap_mix(addr * 2, (unsigned char)level);
}
const char *place_dso_name(const struct place *p, bool full);
/* perf's order of two branches with equal weight: the later file first, then the higher address. */
int place_branch_order(const struct places *p, uint32_t a, uint32_t b);
#endif
