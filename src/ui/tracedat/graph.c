// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions, graphs of calls and stacks. */
#include <stdlib.h>
#include "ui/tracedat/inner.h"

enum { INDENT = 2, FUNCTION_INDENT = 3, STACK_MAX = 512 };

static void add_spaces(struct str *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addc(out, ' ');
}

/* ---- the function tracer ---- */

/* How deep a function is, told from its parents: which of those seen on the CPU called it. */
static size_t depth_of(struct tracedat_view *v, const char *parent, const char *name, int cpu)
{
	while (v->stack.n <= (size_t)cpu)
		vec_push(&v->stack);
	wordlist *w = &v->stack.at[cpu].names;
	size_t at = 0;
	while (at < w->n && strcmp(w->at[at], parent))
		at++;
	bool found = at < w->n;
	if (!found)
		at = 0;
	const char *set[] = { parent, name };
	for (size_t i = found ? 1 : 0; i < 2; i++) {
		size_t pos = at + i;
		if (pos < w->n) {
			free(w->at[pos]);
			w->at[pos] = xstrdup(set[i]);
		} else if (pos < STACK_MAX) {
			wordlist_add(w, set[i]);
		}
	}
	return found ? at : 0;
}

static void add_function(struct tracedat_view *v, struct str *out, uint64_t addr, const char *name, uint64_t start)
{
	if (!name) {
		str_addf(out, "0x%llx", (unsigned long long)addr);
		return;
	}
	str_add_safez(out, name);
	if (v->o.offset)
		str_addf(out, "+0x%x ", (int)(addr - start));
}

bool view_function(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	uint64_t ip = view_number(row, 0, r), from = view_number(row, 1, r), ip_start = 0, from_start = 0;
	const char *name = tracedat_function(v->t, ip, &ip_start), *parent = tracedat_function(v->t, from, &from_start);
	if (parent && name && !v->o.no_indent && r->cpu < 65536)
		add_spaces(out, depth_of(v, parent, name, r->cpu) * FUNCTION_INDENT);
	add_function(v, out, ip, name, ip_start);
	if (v->o.parent) {
		str_add(out, " <-- ");
		add_function(v, out, from, parent, from_start);
	}
	return false;
}

/* ---- the graph ---- */

static void add_duration(struct str *out, uint64_t ns)
{
	str_addc(out, ns > 1000000000 ? '$' : ns > 1000000 ? '#' : ns > 100000 ? '!' : ns > 10000 ? '+' : ' ');
	str_addc(out, ' ');
	size_t from = out->len;
	str_add_u64(out, ns / 1000);
	size_t whole = out->len - from;
	if (whole < 7) { /* there is no room for more */
		str_addc(out, '.');
		str_addc(out, (char)('0' + ns / 100 % 10));
		str_addc(out, (char)('0' + ns / 10 % 10));
		str_addc(out, (char)('0' + ns % 10));
	}
	size_t n = out->len - from;
	str_add(out, " us ");
	for (; n < 7; n++)
		str_addc(out, ' ');
	str_add(out, "|  ");
}

static void add_name(struct tracedat_view *v, struct str *out, uint64_t addr)
{
	const char *name = tracedat_function(v->t, addr, NULL);
	if (name)
		str_add_safez(out, name);
	else
		str_addf(out, "%llx", (unsigned long long)addr);
}

static void add_level(const struct tracedat_view *v, struct str *out, uint64_t depth)
{
	if (v->o.depth)
		str_addf(out, " (%lld)", (long long)depth);
}

/* The exit of the same function, if it is what comes next: it was a call without calls in it. */
static bool is_leaf(struct tracedat_view *v, const struct tracedat_record *r, uint64_t func, uint64_t *ns)
{
	struct tracedat_record next;
	if (v->graph_exit < 0)
		return false;
	int got = tracedat_peek(v->t, r->buffer, -1, false, &next);
	if (got <= 0) {
		v->err = got;
		return false;
	}
	if (next.type != v->graph_exit || next.pid != r->pid)
		return false;
	struct view_row *row = v->row[next.type];
	if (!row) {
		struct str drop = STR_INIT;
		tracedat_view_record(v, &drop, &next, ""); /* makes the row */
		str_release(&drop);
		row = v->row[next.type];
	}
	if (row->text != view_graph_exit || view_number(row, 0, &next) != func) /* without a text fields may be missing */
		return false;
	*ns = view_number(row, 3, &next) - view_number(row, 2, &next);
	tracedat_peek(v->t, r->buffer, -1, true, &next);
	return true;
}

bool view_graph_entry(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	uint64_t func = view_number(row, 0, r), depth = view_number(row, 1, r), ns;
	bool leaf = is_leaf(v, r, func, &ns);
	if (leaf)
		add_duration(out, ns);
	else
		str_add(out, "             |  ");
	add_spaces(out, (depth < 1000 ? depth : 1000) * INDENT);
	add_name(v, out, func);
	str_add(out, leaf ? "();" : "() {");
	add_level(v, out, depth);
	return false;
}

bool view_graph_exit(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	uint64_t depth = view_number(row, 1, r);
	add_duration(out, view_number(row, 3, r) - view_number(row, 2, r));
	add_spaces(out, (depth < 1000 ? depth : 1000) * INDENT);
	str_addc(out, '}');
	const char *name = v->o.tail ? tracedat_function(v->t, view_number(row, 0, r), NULL) : NULL;
	if (name) {
		str_add(out, " /* ");
		str_add_safez(out, name);
		str_add(out, " */");
	}
	add_level(v, out, depth);
	return false;
}

/* ---- stacks ---- */

static void add_frames(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r, bool kernel)
{
	size_t word = tracedat_info(v->t)->long_size == 4 ? 4 : 8;
	struct tp_field one = { .size = word };
	for (size_t at = row->field[0]->off; at + word <= r->size; at += word) {
		one.off = at;
		uint64_t addr = tp_field_number(&one, r->data, r->size);
		if (addr == UINT64_MAX || (word == 4 && addr == UINT32_MAX) || (!kernel && !addr))
			break;
		const char *name = kernel ? tracedat_function(v->t, addr, NULL) : NULL;
		str_add(out, "=> ");
		if (name) {
			str_add_safez(out, name);
			str_add(out, " (");
		}
		str_addf(out, "%llx%s\n", (unsigned long long)addr, name ? ")" : "");
	}
}

bool view_kernel_stack(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	str_add(out, "<stack trace >\n");
	add_frames(v, row, out, r, true);
	return false;
}

bool view_user_stack(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	str_add(out, "<user stack trace >\n");
	add_frames(v, row, out, r, false);
	return false;
}
