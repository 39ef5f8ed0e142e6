// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/dwarf/lines.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/plain.h"
#include "symbol/dwarf/inner.h"
#include "symbol/dwarf/names.h"
#include "symbol/file/debugfile.h"

/* Bounds for damaged DWARF: nesting of scopes and inlining, DIEs looked at in one unit. */
enum { DEPTH_MAX = 64, DIES_MAX = 4 << 20 };

struct range { uint64_t lo, hi; size_t index; };
struct function { Dwarf_Die die; };
struct unit {
	Dwarf_Die die;
	bool indexed, all_indexed;
	VEC(struct range) range; /* of functions, sorted */
	VEC(struct function) function;
};
struct lines {
	int fd, alt_fd;
	Dwarf *dw, *alt; /* alt: out of an archive; NULL: none, or libdw's own business */
	VEC(struct unit) unit;
	VEC(struct range) range; /* of units, sorted */
	struct u64map answers;
	VEC(struct line_answer *) all;
	struct dwarf_names *names;
	struct strmap paths; /* joined, to themselves (owned) */
};

static int by_lo(const void *a, const void *b)
{
	const struct range *x = a, *y = b;
	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Ranges may nest only in damaged files; a few steps back find what covers addr. */
static const struct range *range_find(const struct range *at, size_t n, uint64_t addr)
{
	size_t lo = 0, hi = n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (at[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (int back = 0; lo && back < 8; back++, lo--)
		if (addr < at[lo - 1].hi)
			return &at[lo - 1];
	return NULL;
}

static void index_units(struct lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;
	while (!dwarf_get_units(l->dw, cu, &cu, NULL, &type, &die, &sub)) {
		if (type != DW_UT_compile && type != DW_UT_skeleton && type != DW_UT_split_compile)
			continue;
		Dwarf_Addr base, lo, hi;
		for (ptrdiff_t off = 0; (off = dwarf_ranges(&die, off, &base, &lo, &hi)) > 0;)
			if (lo < hi)
				*vec_push(&l->range) = (struct range){ lo, hi, l->unit.n };
		*vec_push(&l->unit) = (struct unit){ .die = type == DW_UT_skeleton && dwarf_tag(&sub) != DW_TAG_invalid ? sub : die };
	}
	if (l->range.n)
		qsort(l->range.at, l->range.n, sizeof(*l->range.at), by_lo);
}

static void open_alt(struct lines *l, const char *archive)
{
	struct build_id id = { .n = 0 };
	const char *name;
	const void *bytes;
	char hex[41];
	ssize_t n = archive ? dwelf_dwarf_gnu_debugaltlink(l->dw, &name, &bytes) : 0;
	if (n < 2 || n > (ssize_t)sizeof(id.id))
		return;
	id.n = n;
	memcpy(id.id, bytes, n);
	build_id_hex(&id, hex);
	char *path = xasprintf("%s/.build-id/%.2s/%s/debug", archive, hex, hex + 2);
	l->alt_fd = plain_open(path, O_NOFOLLOW);
	free(path);
	l->alt = l->alt_fd >= 0 ? dwarf_begin(l->alt_fd, DWARF_C_READ) : NULL;
	if (l->alt)
		dwarf_new_oom_handler(l->alt, out_of_memory);
	if (l->alt)
		dwarf_setalt(l->dw, l->alt);
}

struct lines *lines_open(const char *path, const char *archive, bool no_demangle)
{
	int fd = plain_open(path, 0);
	if (fd < 0)
		return NULL;
	Dwarf *dw = dwarf_begin(fd, DWARF_C_READ);
	if (dw && !dwarf_names_plain(dw, path)) {
		dwarf_end(dw);
		dw = NULL;
	}
	if (!dw) {
		close(fd);
		return NULL;
	}
	dwarf_new_oom_handler(dw, out_of_memory);
	struct lines *l = xcalloc(1, sizeof(*l));
	l->fd = fd;
	l->dw = dw;
	l->alt_fd = -1;
	l->names = dwarf_names_new(no_demangle);
	open_alt(l, archive);
	index_units(l);
	return l;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	size_t cursor = 0;
	const char *key;
	void *val;
	while (strmap_next(&l->paths, &cursor, &key, &val))
		free(val);
	strmap_release(&l->paths);
	dwarf_names_free(l->names);
	vec_each(&l->unit, u) {
		vec_release(&u->range);
		vec_release(&u->function);
	}
	vec_each(&l->all, a) {
		free((void *)(*a)->frame);
		free(*a);
	}
	vec_release(&l->unit);
	vec_release(&l->range);
	vec_release(&l->all);
	u64map_release(&l->answers);
	dwarf_end(l->dw);
	dwarf_end(l->alt);
	close(l->fd);
	if (l->alt_fd >= 0)
		close(l->alt_fd);
	free(l);
}

/* Functions may lie in namespaces and classes. */
static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_module || tag == DW_TAG_union_type;
}

static void add_function(struct unit *u, Dwarf_Die *die)
{
	Dwarf_Addr base, lo, hi;
	size_t had = u->range.n;
	for (ptrdiff_t off = 0; (off = dwarf_ranges(die, off, &base, &lo, &hi)) > 0;)
		if (lo < hi)
			*vec_push(&u->range) = (struct range){ lo, hi, u->function.n };
	if (u->range.n > had)
		*vec_push(&u->function) = (struct function){ .die = *die };
}

/* inside: those within other functions instead, which are GNU C's nested ones and members of local classes. */
static void index_functions(struct unit *u, Dwarf_Die *parent, bool inside, bool in_function, int depth, int *budget)
{
	Dwarf_Die die;
	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if (--*budget < 0)
			return;
		if (tag == DW_TAG_subprogram && in_function == inside)
			add_function(u, &die);
		if (holds_functions(tag) || (inside && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)))
			index_functions(u, &die, inside, in_function || tag == DW_TAG_subprogram, depth + 1, budget);
	} while (!dwarf_siblingof(&die, &die));
}

static void index_more(struct unit *u, bool inside)
{
	int budget = DIES_MAX;
	index_functions(u, &u->die, inside, false, 0, &budget);
	if (u->range.n)
		qsort(u->range.at, u->range.n, sizeof(*u->range.at), by_lo);
}

/* Most units have no functions in functions, and to look for them is to look at every scope: only when none else is there. */
static Dwarf_Die *function_at(struct unit *u, uint64_t addr)
{
	if (!u->indexed)
		index_more(u, false);
	u->indexed = true;
	const struct range *r = range_find(u->range.at, u->range.n, addr);
	if (!r && !u->all_indexed) {
		u->all_indexed = true;
		index_more(u, true);
		r = range_find(u->range.at, u->range.n, addr);
	}
	return r ? &u->function.at[r->index].die : NULL;
}

/* The inlined calls that cover addr inside a function, outermost first. */
static int inlined_at(Dwarf_Die *function, uint64_t addr, Dwarf_Die *out, int max)
{
	Dwarf_Die at = *function, child;
	int n = 0;
	for (int depth = 0; depth < DEPTH_MAX && !dwarf_child(&at, &child); depth++) {
		bool down = false;
		do {
			int tag = dwarf_tag(&child);
			if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && dwarf_haspc(&child, addr) > 0) {
				if (tag == DW_TAG_inlined_subroutine && n < max)
					out[n++] = child;
				down = true;
				break;
			}
		} while (!dwarf_siblingof(&child, &child));
		if (!down)
			break;
		at = child;
	}
	return n;
}

/* A relative path counts from the folder the unit was compiled in. */
static const char *whole_path(struct lines *l, struct unit *u, const char *path)
{
	Dwarf_Attribute a;
	const char *folder = NULL;
	if (!path || path[0] == '/')
		return path;
	if (dwarf_attr(&u->die, DW_AT_comp_dir, &a))
		folder = dwarf_formstring(&a);
	if (!folder)
		return path;
	char *joined = xasprintf("%s/%s", folder, path), *known = strmap_get(&l->paths, joined);
	if (known) {
		free(joined);
		return known;
	}
	strmap_set(&l->paths, joined, joined);
	return joined;
}

static void line_of(struct lines *l, struct unit *u, uint64_t addr, struct line_frame *f)
{
	Dwarf_Line *line = dwarf_getsrc_die(&u->die, addr);
	if (!line || dwarf_lineno(line, &f->line))
		return;
	f->file = whole_path(l, u, dwarf_linesrc(line, NULL, NULL));
}

/* Where an inlined function was called from: that is the line of the frame around it. */
static void call_site(struct lines *l, struct unit *u, Dwarf_Die *inlined, struct line_frame *f)
{
	Dwarf_Attribute a;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t n;
	if (dwarf_attr(inlined, DW_AT_call_line, &a) && !dwarf_formudata(&a, &line))
		f->line = line;
	if (dwarf_attr(inlined, DW_AT_call_file, &a) && !dwarf_formudata(&a, &file) &&
	    !dwarf_getsrcfiles(&u->die, &files, &n) && file < n)
		f->file = whole_path(l, u, dwarf_filesrc(files, file, NULL, NULL));
}

static void answer(struct lines *l, uint64_t addr, struct line_answer *a)
{
	const struct range *r = range_find(l->range.at, l->range.n, addr);
	if (!r)
		return;
	struct unit *u = &l->unit.at[r->index];
	Dwarf_Die *function = function_at(u, addr), in[DEPTH_MAX];
	int n = function ? inlined_at(function, addr, in, DEPTH_MAX) : 0;
	struct line_frame *f = xcalloc(n + 1, sizeof(*f));
	line_of(l, u, addr, &f[0]);
	for (int i = 0; i < n; i++) { /* in[n - 1] is the innermost */
		f[i].name = dwarf_names_of(l->names, &in[n - 1 - i]);
		call_site(l, u, &in[n - 1 - i], &f[i + 1]);
	}
	if (function)
		f[n].name = dwarf_names_of(l->names, function);
	a->n = n + 1;
	a->frame = f;
}

const struct line_answer *lines_at(struct lines *l, uint64_t addr)
{
	struct line_answer *a = u64map_get(&l->answers, addr);
	if (a)
		return a;
	a = xcalloc(1, sizeof(*a));
	answer(l, addr, a);
	u64map_set(&l->answers, addr, a);
	*vec_push(&l->all) = a;
	return a;
}
