// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/callgraph.h"
#include <inttypes.h>

enum { MARGIN = 12, DEPTH_BITS = 64 };

struct draw {
	struct str *out;
	const struct places *places;
	const struct callgraph_style *style;
	int margin;
};

static void add_spaces(struct str *out, int n)
{
	while (n-- > 0)
		str_addc(out, ' ');
}

static void add_name(struct draw *d, uint32_t id)
{
	const struct place *p = place_at(d->places, id);
	if (p->sym)
		str_add_safez(d->out, p->sym);
	else
		str_addf(d->out, "%#" PRIx64, p->addr);
	if (p->sym && p->line && (d->style->show_line || d->style->show_address)) {
		str_addc(d->out, ' ');
		/* without a source line it is "name+offset": the name is there already */
		str_add_safez(d->out, p->line + (!p->file && str_starts(p->line, p->sym) ? strlen(p->sym) : 0));
	}
	if (p->inlined)
		str_add(d->out, " (inlined)");
	if (d->style->show_dso) {
		str_addc(d->out, ' ');
		str_add_safez(d->out, p->dso ? place_dso_name(p, false) : "unknown");
	}
}

static void begin_or_go_on(struct str *s, bool *some)
{
	str_add(s, *some ? " " : " (");
	*some = true;
}

static void add_kinds(struct str *s, const struct end_sum *e, bool *some)
{
	static const char *const name[] = { NULL, NULL, "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL", "COND_RET",
					    "ERET", "IRQ", "SERROR", "NO_TX", NULL, "FAULT_ALGN", "FAULT_DATA", "FAULT_INST" };
	const struct { bool on; const char *name; } way[] = { { e->forward, "COND_FWD" }, { e->backward, "COND_BWD" } },
		     width[] = { { e->far_4k, "CROSS_4K" }, { e->far_2m, "CROSS_2M" } };
	for (int i = 0; i < 2; i++)
		if (way[i].on) {
			begin_or_go_on(s, some);
			str_add(s, way[i].name);
		}
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (name[i] && e->types >> i & 1) {
			begin_or_go_on(s, some);
			str_add(s, name[i]);
		}
	for (int i = 0; i < 2; i++)
		if (width[i].on) {
			begin_or_go_on(s, some);
			str_add(s, width[i].name);
		}
}

/* What the branches tell: of those that came here how well they were foreseen, of those that went from here how long it took. */
static void add_end(struct str *s, const struct end_sum *e)
{
	bool some = false;
	if (!e->to && !e->from) {
		str_add(s, " (calltrace)");
		return;
	}
	add_kinds(s, e, &some);
	if (e->to && e->predicted < e->to) {
		begin_or_go_on(s, &some);
		str_addf(s, "predicted:%.1f%%", e->predicted * 100.0 / e->to);
	}
	if (e->to && e->aborted * 1000 >= e->to) {
		begin_or_go_on(s, &some);
		str_addf(s, "abort:%.1f%%", e->aborted * 100.0 / e->to);
	}
	if (e->from && e->cycles / e->from) {
		begin_or_go_on(s, &some);
		str_addf(s, "cycles:%" PRIu64, e->cycles / e->from);
	}
	if (e->from && e->loops / e->from) {
		begin_or_go_on(s, &some);
		str_addf(s, "iter:%" PRIu64 " avg_cycles:%" PRIu64, e->loops / e->from, e->loop_cycles / e->loops);
	}
	str_add(s, some ? ")" : "");
}

static void add_value(struct draw *d, const struct chain_node *n, uint64_t total)
{
	bool folded = d->style->mode == CHAIN_FOLDED;
	uint64_t period = folded ? n->hit : chain_cumul(n), count = folded ? n->count : chain_cumul_count(n);
	if (d->style->value == VALUE_PERIOD)
		str_addf(d->out, "%" PRIu64, period);
	else if (d->style->value == VALUE_COUNT)
		str_addf(d->out, "%" PRIu64, count);
	else
		str_addf(d->out, "%.2f%%", total ? period * 100.0 / total : 0.0);
}

static bool has_bar(uint64_t mask, int depth)
{
	return depth < DEPTH_BITS && mask >> depth & 1;
}

static void add_frame(struct draw *d, const struct chain_node *n, int i)
{
	add_name(d, n->place[i]);
	if (n->end)
		add_end(d->out, &n->end[i]);
}

/* One frame of a node's run; the first one with its share. -1: what is left over. */
static void graph_frame(struct draw *d, const struct chain_node *n, int at, int depth, uint64_t mask, uint64_t total)
{
	add_spaces(d->out, MARGIN + d->margin);
	for (int i = 0; i < depth; i++) {
		str_addc(d->out, has_bar(mask, i) ? '|' : ' ');
		if (at <= 0 && i == depth - 1) {
			str_add(d->out, "--");
			add_value(d, n, total);
			str_add(d->out, "--");
		} else {
			add_spaces(d->out, 10);
		}
	}
	if (at >= 0)
		add_frame(d, n, at);
	else
		str_add(d->out, "[...]");
	str_addc(d->out, '\n');
}

static void graph_line(struct draw *d, int depth, uint64_t mask)
{
	add_spaces(d->out, MARGIN + d->margin);
	for (int i = 0; i < depth; i++)
		str_add(d->out, has_bar(mask, i) ? "|          " : "           ");
	str_addc(d->out, '\n');
}

static uint64_t without(uint64_t mask, int bit)
{
	return bit < DEPTH_BITS ? mask & ~(1ull << bit) : mask;
}

static void graph_children(struct draw *d, const struct chain_node *parent, uint64_t total, int depth, uint64_t mask)
{
	bool fractal = d->style->mode == CHAIN_FRACTAL;
	uint64_t remaining = total, counted = 0, now = mask;
	uint32_t printed = 0;
	for (int i = 0; i < parent->n_child; i++) {
		const struct chain_node *c = parent->child[i];
		remaining -= chain_cumul(c);
		counted += chain_cumul_count(c);
		if (i == parent->n_child - 1 && (!fractal || !remaining))
			now = without(now, depth - 1);
		graph_line(d, depth, mask);
		for (int k = 0; k < c->n_place; k++)
			graph_frame(d, c, k, depth, now, total);
		graph_children(d, c, fractal ? c->children_hit : total, depth + 1,
			       depth < DEPTH_BITS ? now | 1ull << depth : now);
		if (++printed == d->style->print_limit)
			break;
	}
	if (!fractal || !remaining || remaining == total)
		return;
	struct chain_node rest = { .hit = remaining, .count = parent->children_count - counted };
	if (d->style->value == VALUE_COUNT && (int64_t)rest.count <= 0)
		return;
	graph_frame(d, &rest, -1, depth, without(now, depth - 1), total);
}

static void print_graph(struct draw *d, const struct chain_tree *t, uint64_t total, uint64_t own)
{
	const struct chain_node *root = t->root;
	size_t start = d->out->len;
	if (root->n_child == 1 && chain_cumul(root->child[0]) == own) { /* one root: no share to tell */
		const struct chain_node *only = root->child[0];
		bool begun = false;
		uint32_t printed = 0;
		for (int i = 0; i < only->n_place; i++) {
			if (!i && d->style->skip_first)
				continue;
			add_spaces(d->out, MARGIN + d->margin);
			if (!begun) {
				str_add(d->out, "|\n");
				add_spaces(d->out, MARGIN + d->margin);
				str_add(d->out, "---");
				d->margin += 3;
				begun = true;
			}
			add_frame(d, only, i);
			str_addc(d->out, '\n');
			if (++printed == d->style->print_limit)
				break;
		}
		root = only;
	}
	graph_children(d, root, d->style->mode == CHAIN_FRACTAL ? own : total, 1, 1);
	if (d->out->len > start)
		str_addc(d->out, '\n');
}

/* A whole stack: a node's frames behind those of its parents. */
static void flat_frames(struct draw *d, const struct chain_node *n)
{
	if (!n)
		return;
	flat_frames(d, n->parent);
	for (int i = 0; i < n->n_place; i++) {
		add_spaces(d->out, 16);
		add_name(d, n->place[i]);
		str_addc(d->out, '\n');
	}
}

static bool folded_frames(struct draw *d, const struct chain_node *n)
{
	bool any = n && n->parent && folded_frames(d, n->parent);
	for (int i = 0; n && i < n->n_place; i++) {
		if (any)
			str_add(d->out, d->style->separator ? d->style->separator : ";");
		add_name(d, n->place[i]);
		any = true;
	}
	return any;
}

static void print_flat(struct draw *d, const struct chain_tree *t, uint64_t total)
{
	for (size_t i = 0; i < t->n_flat && (!d->style->print_limit || i < d->style->print_limit); i++) {
		if (d->style->mode == CHAIN_FLAT)
			add_spaces(d->out, 11);
		add_value(d, t->flat[i], total);
		if (d->style->mode == CHAIN_FLAT) {
			str_addc(d->out, '\n');
			flat_frames(d, t->flat[i]);
		} else {
			str_addc(d->out, ' ');
			folded_frames(d, t->flat[i]);
		}
		str_addc(d->out, '\n');
	}
}

void callgraph_print(struct str *out, const struct places *p, const struct chain_tree *t,
		     const struct callgraph_style *s, uint64_t total, uint64_t own)
{
	struct draw d = { out, p, s, 0 };
	if (!t)
		return;
	if (s->mode == CHAIN_FLAT || s->mode == CHAIN_FOLDED)
		print_flat(&d, t, total);
	else
		print_graph(&d, t, total, own);
}

void callgraph_frame(struct str *out, const struct places *p, const struct chain_node *n, int i, const struct callgraph_style *s)
{
	struct draw d = { out, p, s, 0 };
	add_frame(&d, n, i);
}

void callgraph_value(struct str *out, const struct chain_node *n, uint64_t total, const struct callgraph_style *s)
{
	struct draw d = { out, NULL, s, 0 };
	add_value(&d, n, total);
}
