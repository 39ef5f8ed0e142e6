// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/symtab.h"
#include <stdlib.h>
#include <string.h>
#include "symbol/demangle.h"

void symtab_release(struct symtab *t)
{
	vec_each(&t->sym, s)
		if (s->demangled)
			free((char *)s->name);
	vec_each(&t->owned, p)
		free(*p);
	vec_release(&t->sym);
	vec_release(&t->owned);
	vec_release(&t->module);
	vec_release(&t->time);
	vec_release(&t->change);
	vec_release(&t->file);
}

void symtab_own(struct symtab *t, void *buffer)
{
	*vec_push(&t->owned) = buffer;
}

void symtab_add(struct symtab *t, uint64_t start, uint64_t size, const char *name, uint8_t bind)
{
	uint64_t end = start + size < start ? UINT64_MAX : start + size;
	struct sym *s = vec_push(&t->sym);
	*s = (struct sym){ .start = start, .end = end, .name = name, .order = t->sym.n, .bind = bind };
	if (name[0] == '_' && !strcmp(name, "_text"))
		t->text = start;
}

const char *symtab_name(struct symtab *t, struct sym *s)
{
	if (!s->demangled && !t->no_demangle && demangle_wanted(s->name)) {
		char *plain = demangle(s->name, false);
		if (plain) {
			size_t n = strlen(plain) + 1, mangled = strlen(s->name) + 1; /* which stays behind it: see symtab_full_name() */
			plain = xrealloc(plain, n + mangled);
			memcpy(plain + n, s->name, mangled);
			s->name = plain;
			s->demangled = true;
		}
	}
	return s->name;
}

void symtab_full_name(struct symtab *t, const struct sym *s, struct str *out)
{
	const char *mangled = s->demangled || s->plt ? s->name + strlen(s->name) + 1 : s->name, *at = strchrnul(mangled, '@');
	char *bare = xstrndup(mangled, at - mangled), *plain = t->no_demangle ? NULL : demangle(bare, true);
	str_add_safez(out, plain ? plain : bare);
	str_add_safez(out, at);
	free(plain);
	free(bare);
}

static int by_start(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Two stable passes of 16 bits each over 32-bit keys: large tables are sorted in milliseconds. */
static void radix_sort(struct symtab *t, uint64_t lowest)
{
	size_t n = t->sym.n;
	struct sym *from = t->sym.at, *to = xmalloc(n * sizeof(*to)), *spare = to;
	uint32_t *count = xcalloc(65536, sizeof(*count));
	for (int shift = 0; shift < 32; shift += 16) {
		memset(count, 0, 65536 * sizeof(*count));
		for (size_t i = 0; i < n; i++)
			count[(from[i].start - lowest) >> shift & 0xffff]++;
		for (uint32_t i = 0, sum = 0; i < 65536; i++) {
			uint32_t here = count[i];
			count[i] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			to[count[(from[i].start - lowest) >> shift & 0xffff]++] = from[i];
		struct sym *swap = from;
		from = to;
		to = swap;
	}
	free(count);
	free(spare); /* after an even number of passes the result is where it was */
}

static void sort(struct symtab *t)
{
	size_t n = t->sym.n;
	uint64_t lowest = UINT64_MAX, highest = 0;
	bool sorted = true;
	for (size_t i = 0; i < n; i++) {
		uint64_t start = t->sym.at[i].start;
		sorted &= start >= highest;
		lowest = start < lowest ? start : lowest;
		highest = start > highest ? start : highest;
	}
	/* `order` grows with the position here, so both ways are stable. */
	if (!sorted && n > 2000 && n < UINT32_MAX && highest - lowest <= UINT32_MAX)
		radix_sort(t, lowest);
	else if (!sorted)
		qsort(t->sym.at, n, sizeof(*t->sym.at), by_start);
	for (size_t i = 0; i < n; i++)
		t->sym.at[i].order = i;
}

static uint64_t next_page(uint64_t a)
{
	return (a + 4095) & ~(uint64_t)4095;
}

/* A symbol without a size reaches to the next one. */
static void fix_ends(struct symtab *t, bool kallsyms)
{
	size_t n = t->sym.n;
	for (size_t i = 0; i + 1 < n; i++) {
		struct sym *s = &t->sym.at[i], *next = s + 1;
		if (s->end != s->start)
			continue;
		if (kallsyms && !s->module != !next->module)
			s->end = next_page(s->end + 4096);
		else
			s->end = next->start;
	}
	if (n && t->sym.at[n - 1].end == t->sym.at[n - 1].start)
		t->sym.at[n - 1].end = next_page(t->sym.at[n - 1].start) + 4096;
}

static int underscores(const char *z)
{
	int n = 0;
	while (z[n] == '_')
		n++;
	return n;
}

/* Which of two names at one address stays: perf's order of preference. */
static bool first_is_better(struct symtab *t, struct sym *a, struct sym *b)
{
	bool ea = a->end == a->start, eb = b->end == b->start;
	if (ea != eb)
		return eb;
	if ((a->bind == STB_WEAK) != (b->bind == STB_WEAK))
		return b->bind == STB_WEAK;
	if ((a->bind == STB_GLOBAL) != (b->bind == STB_GLOBAL))
		return a->bind == STB_GLOBAL;
	const char *na = symtab_name(t, a), *nb = symtab_name(t, b);
	int ua = underscores(na), ub = underscores(nb);
	if (ua != ub)
		return ua < ub;
	size_t la = strlen(na), lb = strlen(nb);
	if (la != lb)
		return la > lb;
	return !str_starts(na, "SyS") && !str_starts(na, "compat_SyS");
}

static void drop(struct sym *s)
{
	if (s->demangled)
		free((char *)s->name);
}

static void drop_aliases(struct symtab *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->sym.n; i++) {
		struct sym *s = &t->sym.at[i], *last = kept ? &t->sym.at[kept - 1] : NULL;
		if (!last || last->start != s->start) {
			t->sym.at[kept++] = *s;
		} else if (first_is_better(t, last, s)) {
			drop(s);
		} else {
			drop(last);
			*last = *s;
		}
	}
	t->sym.n = kept;
}

void symtab_finish(struct symtab *t, bool kallsyms)
{
	sort(t);
	fix_ends(t, kallsyms);
	drop_aliases(t);
}

/* A sweep in address order with a stack of the symbols that are open would be exact for every overlap;
 * JITs reuse whole functions, so it is enough that a symbol which was added later takes over what it
 * covers: the older one ends where the newer begins, and is dropped when it begins inside it. */
void symtab_finish_latest(struct symtab *t)
{
	size_t kept = 0;
	vec_each(&t->sym, s) /* insertion order survives the sort in `order` */
		s->order = s - t->sym.at;
	if (t->sym.n)
		qsort(t->sym.at, t->sym.n, sizeof(*t->sym.at), by_start);
	for (size_t i = 0; i < t->sym.n; i++) {
		struct sym s = t->sym.at[i];
		bool hidden = false;
		while (kept && !hidden && t->sym.at[kept - 1].end > s.start) {
			struct sym *last = &t->sym.at[kept - 1];
			if (last->order > s.order)
				hidden = true; /* written over; what sticks out behind stays unnamed */
			else if (last->start == s.start)
				kept--;
			else
				last->end = s.start;
		}
		if (!hidden)
			t->sym.at[kept++] = s;
	}
	t->sym.n = kept;
}

static int by_time(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
	return (a > b) - (a < b);
}

void symtab_finish_timed(struct symtab *t)
{
	uint64_t reach = 0;
	vec_each(&t->sym, s)
		s->order = s - t->sym.at;
	if (t->sym.n)
		qsort(t->sym.at, t->sym.n, sizeof(*t->sym.at), by_start);
	for (size_t i = 0; i < t->sym.n; i++) {
		const struct sym *s = &t->sym.at[i];
		if (reach > s->start || (i + 1 < t->sym.n && t->sym.at[i + 1].start < s->end))
			*vec_push(&t->change) = t->time.at[s->order];
		reach = s->end > reach ? s->end : reach;
	}
	if (t->change.n)
		qsort(t->change.at, t->change.n, sizeof(*t->change.at), by_time);
	else
		vec_clear(&t->time);
}

/* How many of the symbols, which are sorted, start at or before the address. */
static size_t symbols_until(const struct symtab *t, uint64_t addr)
{
	size_t lo = 0, hi = t->sym.n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (t->sym.at[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of the symbols around the address the last that had come by then; the first of all when none had. */
struct sym *symtab_find_at(struct symtab *t, uint64_t addr, uint64_t time)
{
	enum { BACK = 4096 }; /* as far as one looks for longer functions that begin before */
	struct sym *best = NULL;
	size_t lo = symbols_until(t, addr);
	for (int back = 0; lo && back < BACK; back++, lo--) {
		struct sym *s = &t->sym.at[lo - 1];
		if (addr >= s->end)
			continue;
		uint64_t a = t->time.at[s->order], b = best ? t->time.at[best->order] : 0;
		bool came = a <= time, best_came = best && b <= time;
		if (!best || (came ? !best_came || a > b || (a == b && s->order > best->order) : !best_came && a < b))
			best = s;
	}
	return best;
}

/* The last symbol that starts at or before addr; should it end too early, one around it that is
 * nested (a few steps back are enough in practice and bound the search). */
struct sym *symtab_find(struct symtab *t, uint64_t addr)
{
	size_t lo = symbols_until(t, addr);
	for (int back = 0; lo && back < 8; back++, lo--) {
		struct sym *s = &t->sym.at[lo - 1];
		if (addr < s->end || (addr == s->start && s->end == s->start))
			return s;
	}
	return NULL;
}

