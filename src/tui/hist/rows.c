// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and what is open of their call graphs, one below the other. What is open is remembered by what it is, a line by its
 * keys and a frame by its path, and so outlives a live view's lines. */
#include <stdlib.h>
#include "analysis/idmap.h"
#include "tui/hist/inner.h"

enum { STEP = 3 };

static uint64_t entry_id(const struct hist_view *v, const struct hist_entry *e)
{
	uint64_t id = idmap_mix((uint64_t)e->context << 32 | e->place, e->level + 1);
	(void)v;
	return id ? id : 1;
}

static uint64_t child_id(uint64_t parent, uint32_t place)
{
	uint64_t id = idmap_mix(parent, place + 1);
	return id ? id : 1;
}

static uint64_t node_id(uint64_t parent, const struct chain_node *n)
{
	return child_id(parent, n->n_place ? n->place[0] : 0);
}

static bool is_open(const struct hist_view *v, uint64_t id)
{
	bool turned = u64map_get((struct u64map *)&v->open, id);
	return turned != v->all_open;
}

static void set_open(struct hist_view *v, uint64_t id, bool open)
{
	if (open != v->all_open)
		u64map_set(&v->open, id, v);
	else
		u64map_del(&v->open, id);
}

static bool may_have_graph(const struct hist_view *v, const struct hist_entry *e)
{
	return v->b->style.graphs && v->h->has_chains && e->refs && !e->n_child;
}

static struct chain_tree *tree_of(struct hist_view *v, struct hist_entry *e, uint64_t id)
{
	struct chain_tree *t = u64map_get(&v->tree, id);
	if (!t && may_have_graph(v, e) && (t = hist_chains(v->h, e)))
		u64map_set(&v->tree, id, t);
	return t;
}

static void trees_free(struct hist_view *v)
{
	size_t cursor = 0;
	void *t;
	while (u64map_next(&v->tree, &cursor, NULL, &t))
		chain_tree_free(t);
	u64map_release(&v->tree);
}

static void push(struct hist_view *v, struct hist_row r)
{
	*vec_push(&v->row) = r;
}

/* The i-th frame of a run; the first is the run itself. */
static uint64_t frame_id(uint64_t run, int i)
{
	return i ? child_id(run, UINT32_MAX - i) : run;
}

static void add_children(struct hist_view *v, struct hist_entry *e, const struct chain_node *n, uint64_t id, int depth, uint64_t total);

/* A run of frames that never branches: its first frame folds the rest of it, its last one what is below. Of a run that is alone below its
 * line the first one folds nothing. */
static void add_node(struct hist_view *v, struct hist_entry *e, const struct chain_node *n, uint64_t id, int depth, uint64_t total, bool share, bool alone)
{
	bool fractal = v->b->style.graph.mode == CHAIN_FRACTAL, open = true;
	for (int i = 0; i < n->n_place && open; i++) {
		bool last = i == n->n_place - 1, folds = (last && n->n_child) || (!i && !last && !alone);
		uint64_t at = frame_id(id, i);
		open = !folds || is_open(v, at);
		push(v, (struct hist_row){ .e = e, .node = n, .frame = i, .depth = depth + (share && i), .id = at, .total = total,
			.sign = !folds ? ' ' : open ? '-' : '+', .share = share && !i });
	}
	if (open)
		add_children(v, e, n, id, depth + 1 + (share && n->n_place > 1), fractal ? n->children_hit : total);
}

/* Shares are told where there are several, or where others are left out. */
static void add_children(struct hist_view *v, struct hist_entry *e, const struct chain_node *n, uint64_t id, int depth, uint64_t total)
{
	for (int i = 0; i < n->n_child; i++)
		add_node(v, e, n->child[i], node_id(id, n->child[i]), depth, total, n->n_child > 1 || chain_cumul(n->child[i]) != n->children_hit, false);
}

static void add_flat(struct hist_view *v, struct hist_entry *e, const struct chain_tree *t, uint64_t id)
{
	for (size_t i = 0; i < t->n_flat; i++)
		push(v, (struct hist_row){ .e = e, .node = t->flat[i], .frame = -1, .depth = e->level + 1, .id = child_id(id, i), .total = v->h->total, .sign = ' ', .share = true });
}

static void add_graph(struct hist_view *v, struct hist_entry *e, uint64_t id)
{
	struct chain_tree *t = tree_of(v, e, id);
	uint64_t own = v->b->pr->fold.children ? e->sum.period : e->self.period;
	if (!t)
		return;
	if (v->b->style.graph.mode == CHAIN_FLAT || v->b->style.graph.mode == CHAIN_FOLDED) {
		add_flat(v, e, t, id);
		return;
	}
	uint64_t total = v->b->style.graph.mode == CHAIN_FRACTAL ? own : v->h->total;
	const struct chain_node *root = t->root;
	for (int i = 0; i < root->n_child; i++) /* of one that is all of the line no share is told */
		add_node(v, e, root->child[i], node_id(id, root->child[i]), e->level + 1, total, root->n_child > 1 || chain_cumul(root->child[i]) != own, root->n_child == 1);
}

bool hist_browse_shows(const struct hist_browse *b, const struct report_table *t, const struct hist_entry *e, double min_percent)
{
	uint64_t n = b->pr->fold.children ? e->sum.n : e->self.n;
	return !e->filtered && report_table_percent(t, e) >= min_percent && (!b->count_filter || n > b->count_filter);
}

static bool is_shown(const struct hist_view *v, const struct hist_entry *e)
{
	return hist_browse_shows(v->b, v->table, e, v->min_percent) && hist_filter_passes(v, e);
}

static void add_entries(struct hist_view *v, struct hist_entry **e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_shown(v, e[i]))
			continue;
		uint64_t id = entry_id(v, e[i]);
		bool graph = may_have_graph(v, e[i]), more = graph || e[i]->n_child, open = more && is_open(v, id);
		push(v, (struct hist_row){ .e = e[i], .depth = e[i]->level, .id = id, .sign = !more ? ' ' : open ? '-' : '+' });
		if (open && e[i]->n_child)
			add_entries(v, e[i]->child, e[i]->n_child);
		else if (open)
			add_graph(v, e[i], id);
	}
}

static uint64_t member_period(const struct hist_entry *e, int k)
{
	return !k ? e->self.period : e->pair ? e->pair[k - 1].self.period : 0;
}

static int by_keys(const struct hist_view *v, const struct hist_entry *x, const struct hist_entry *y)
{
	struct str p = STR_INIT, q = STR_INIT;
	int order = 0;
	vec_each(&v->b->pr->fold.layout->col, c) {
		if (order || c->kind != COLUMN_KEY)
			continue;
		str_clear(&p);
		str_clear(&q);
		report_table_key(v->table, &p, c, x, 0);
		report_table_key(v->table, &q, c, y, 0);
		order = strcmp(p.buf, q.buf);
	}
	str_release(&p);
	str_release(&q);
	return order;
}

/* Equal ones by the other members but the first, then by their keys, as perf has them. */
static int by_member(const void *a, const void *b, void *view)
{
	const struct hist_view *v = view;
	const struct hist_entry *x = *(struct hist_entry *const *)a, *y = *(struct hist_entry *const *)b;
	uint64_t p = member_period(x, v->sort_member), q = member_period(y, v->sort_member);
	for (int k = 1; p == q && k <= v->h->n_pair; k++) {
		p = member_period(x, k);
		q = member_period(y, k);
	}
	return p < q ? 1 : p > q ? -1 : by_keys(v, x, y);
}

void hist_rows_make(struct hist_view *v)
{
	struct hist_entry **e = v->h->entry.at;
	struct hist_entry **sorted = NULL;
	vec_clear(&v->row);
	if (v->h->fold->relative) { /* shares are of what is left */
		v->h->total_shown = 0;
		for (size_t i = 0; i < v->h->entry.n; i++)
			if (!e[i]->filtered && hist_filter_passes(v, e[i]))
				v->h->total_shown += e[i]->self.period;
	}
	if (v->sort_member >= 0 && v->sort_member <= v->h->n_pair && v->h->entry.n) {
		sorted = xmalloc(v->h->entry.n * sizeof(*sorted));
		memcpy(sorted, e, v->h->entry.n * sizeof(*sorted));
		qsort_r(sorted, v->h->entry.n, sizeof(*sorted), by_member, v);
	}
	add_entries(v, sorted ? sorted : e, v->h->entry.n);
	free(sorted);
}

void hist_rows_anew(struct hist_view *v)
{
	trees_free(v);
	report_table_free(v->table);
	v->h = profile_hist(v->b->pr, v->event);
	v->table = report_table_new(v->b->pr, v->h, v->event, &v->b->style);
	v->generation = v->b->generation;
	if (v->epoch != v->b->epoch)
		u64map_release(&v->open);
	v->epoch = v->b->epoch;
	hist_rows_make(v);
}

void hist_rows_release(struct hist_view *v)
{
	trees_free(v);
	report_table_free(v->table);
	u64map_release(&v->open);
	vec_release(&v->row);
}

/* ---- folding ---- */

/* Is there a call graph below a line, or is all of it too light to be shown? Of many stacks some are heavy enough, it is taken. */
static bool has_graph(struct hist_view *v, const struct hist_row *r)
{
	enum { MANY = 1000 };
	int n = 0;
	for (uint32_t i = r->e->refs; i && n < MANY; i = v->h->ref.at[i].next)
		n++;
	const struct chain_tree *t = n < MANY ? tree_of(v, r->e, r->id) : NULL;
	return n >= MANY || (t && (t->root->n_child || t->n_flat));
}

char hist_row_sign(struct hist_view *v, struct hist_row *r)
{
	if (r->sign != ' ' && !r->node && !r->e->n_child && !has_graph(v, r))
		r->sign = ' ';
	return r->sign;
}

void hist_rows_toggle(struct hist_view *v, size_t row)
{
	struct hist_row *r = hist_row_at(v, row);
	if (!r || hist_row_sign(v, r) == ' ')
		return;
	set_open(v, r->id, r->sign == '+');
	hist_rows_make(v);
}

static void open_nodes(struct hist_view *v, const struct chain_node *n, uint64_t id, bool open)
{
	set_open(v, id, open);
	set_open(v, frame_id(id, n->n_place - 1), open);
	for (int i = 0; i < n->n_child; i++)
		open_nodes(v, n->child[i], node_id(id, n->child[i]), open);
}

static void open_entry(struct hist_view *v, struct hist_entry *e, bool open)
{
	uint64_t id = entry_id(v, e);
	struct chain_tree *t = open ? tree_of(v, e, id) : u64map_get(&v->tree, id);
	set_open(v, id, open);
	for (int i = 0; i < e->n_child; i++)
		open_entry(v, e->child[i], open);
	for (int i = 0; t && i < t->root->n_child; i++)
		open_nodes(v, t->root->child[i], node_id(id, t->root->child[i]), open);
}

void hist_rows_open_entry(struct hist_view *v, size_t row)
{
	struct hist_row *r = hist_row_at(v, row);
	if (r && r->node)
		hist_rows_toggle(v, row);
	if (!r || r->node)
		return;
	open_entry(v, r->e, !is_open(v, r->id));
	hist_rows_make(v);
}

void hist_rows_fold(struct hist_view *v, size_t row)
{
	struct hist_row *r = hist_row_at(v, row);
	if (r && r->sign == '-')
		hist_rows_toggle(v, row);
}

void hist_rows_all(struct hist_view *v, bool open)
{
	u64map_release(&v->open);
	v->all_open = open;
	hist_rows_make(v);
}

/* ---- text ---- */

/* The percentages in front. */
static void colour_shares(struct tui_line *l, size_t from)
{
	size_t at = from;
	for (;;) {
		size_t start = at + strspn(l->text.buf + at, " "), n = strspn(l->text.buf + start, "0123456789.");
		if (!n || l->text.buf[start + n] != '%')
			return;
		enum tui_role role = tui_role_of(strtod(l->text.buf + start, NULL));
		if (role != TUI_PLAIN)
			tui_line_mark(l, start, n + 1, role);
		at = start + n + 1;
	}
}

static void add_frames(struct hist_view *v, struct str *s, const struct chain_node *n, const struct callgraph_style *style)
{
	if (n->parent && n->parent->parent)
		add_frames(v, s, n->parent, style);
	for (int i = 0; i < n->n_place; i++) {
		str_add(s, s->len && s->buf[s->len - 1] != ' ' ? ";" : "");
		callgraph_frame(s, &v->b->pr->places, n, i, style);
	}
}

/* On paper the columns stand behind two blanks, and levels behind more. */
static void add_columns(struct hist_view *v, const struct hist_entry *e, struct str *s)
{
	struct str t = STR_INIT;
	size_t blanks;
	report_table_line(v->table, &t, e);
	blanks = strspn(t.buf, " ");
	str_add(s, t.buf + (blanks < 2 + (size_t)e->level * STEP ? blanks : 2 + (size_t)e->level * STEP));
	str_release(&t);
}

void hist_rows_line(struct hist_view *v, size_t row, struct tui_line *l)
{
	struct hist_row *r = &v->row.at[row];
	struct callgraph_style style = v->b->style.graph;
	style.show_dso = v->show_dso;
	if (!r->node) {
		bool signs = hist_has_signs(v);
		if (signs)
			str_addf(&l->text, "%*s%c ", r->depth * STEP, "", hist_row_sign(v, r));
		add_columns(v, r->e, &l->text);
		colour_shares(l, signs ? r->depth * STEP + 2 : 0);
		return;
	}
	str_addf(&l->text, "%*s%c ", r->depth * STEP, "", r->sign);
	size_t start = l->text.len;
	if (r->share) {
		callgraph_value(&l->text, r->node, r->total, &style);
		str_addc(&l->text, ' ');
		colour_shares(l, start);
	}
	if (r->frame < 0)
		add_frames(v, &l->text, r->node, &style);
	else
		callgraph_frame(&l->text, &v->b->pr->places, r->node, r->frame, &style);
}
