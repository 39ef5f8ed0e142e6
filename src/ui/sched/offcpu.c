// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/sched/offcpu.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

struct offcpu_row { const char *comm; int pid; uint32_t stack; uint64_t ns; };
typedef VEC(struct offcpu_row) offcpu_rows;

static int same_first(const void *a, const void *b)
{
	const struct offcpu_row *x = a, *y = b;
	int c = strcmp(x->comm, y->comm);
	if (c)
		return c;
	return x->pid != y->pid ? (x->pid < y->pid ? -1 : 1) : x->stack < y->stack ? -1 : x->stack > y->stack;
}

static int longest_first(const void *a, const void *b)
{
	const struct offcpu_row *x = a, *y = b;
	return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : same_first(a, b);
}

/* A row for each stack of a process, of folded ones for each of a name. */
static void collect(const struct offcpu_view *v, const struct stackfold *f, offcpu_rows *rows)
{
	size_t n = 0;
	vec_each(&f->row, r) {
		const struct fold_key *k = &f->key.at[r->key];
		if (k->event == v->event)
			*vec_push(rows) = (struct offcpu_row){ k->comm, v->folded ? 0 : k->pid, r->stack, r->weight };
	}
	if (rows->n)
		qsort(rows->at, rows->n, sizeof(rows->at[0]), same_first);
	for (size_t i = 0; i < rows->n; i++) {
		if (n && !same_first(&rows->at[n - 1], &rows->at[i]))
			rows->at[n - 1].ns += rows->at[i].ns;
		else
			rows->at[n++] = rows->at[i];
	}
	rows->n = n;
	if (n)
		qsort(rows->at, n, sizeof(rows->at[0]), longest_first);
}

static void add_frames(const struct stackfold *f, uint32_t stack, bool folded, struct str *s)
{
	uint32_t n = stack_depth(f->stacks, stack), *path = xcalloc(n + 1, sizeof(*path));
	stacks_path(f->stacks, stack, path);
	for (uint32_t i = 0; i < n; i++) {
		str_add(s, folded ? ";" : "              ");
		const char *name = f->frame.at[path[folded ? i : n - 1 - i]].name;
		size_t from = s->len;
		str_add_safez(s, name);
		for (size_t k = from; folded && k < s->len; k++)
			if (s->buf[k] == ';')
				s->buf[k] = ':'; /* it would be a stack of its own */
		if (!folded)
			str_addc(s, '\n');
	}
	free(path);
}

static void add_row(const struct offcpu_view *v, const struct stackfold *f, const struct offcpu_row *r, uint64_t all, struct str *s)
{
	if (v->folded) {
		str_add_safez(s, *r->comm ? r->comm : "[unknown]");
		add_frames(f, r->stack, true, s);
		str_addf(s, " %" PRIu64 "\n", (r->ns + 500) / 1000);
		return;
	}
	str_addf(s, "%12.3f ms  %6.2f%%  ", (double)r->ns / 1e6, all ? 100.0 * (double)r->ns / (double)all : 0);
	str_add_safez(s, *r->comm ? r->comm : "[unknown]");
	str_addf(s, "[%d]\n", r->pid);
	add_frames(f, r->stack, false, s);
}

void offcpu_print(const struct offcpu_view *v, struct out *o, const struct stackfold *f)
{
	offcpu_rows rows = { 0 };
	struct str s = STR_INIT;
	uint64_t all = 0, left = 0;
	size_t shown = 0, out = 0;
	collect(v, f, &rows);
	vec_each(&rows, r)
		all += r->ns;
	if (!v->folded)
		str_addf(&s, "# %.3f ms waited in %zu places\n", (double)all / 1e6, rows.n);
	vec_each(&rows, r) {
		if (r->ns < v->least || (!v->folded && v->most && shown == v->most)) {
			left += r->ns;
			out++;
			continue;
		}
		add_row(v, f, r, all, &s);
		shown++;
		if (s.len > 1 << 15)
			out_str(o, &s);
	}
	if (out && !v->folded)
		str_addf(&s, "# %.3f ms in %zu other places are not shown\n", (double)left / 1e6, out);
	out_str(o, &s);
	if (!rows.n)
		hint("a wait counts when it ends: a thread that waited from before the start to after the end is not seen");
	str_release(&s);
	vec_release(&rows);
}
