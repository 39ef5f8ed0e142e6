// SPDX-License-Identifier: GPL-2.0-or-later
/* The flame view: callers above callees, each as wide as what was measured in it and below; of what the view's filters leave. */
#include <stdlib.h>
#include "analysis/idmap.h"
#include "tui/hist/inner.h"

struct hist_flame_node { uint32_t place, parent, first, next, depth; uint64_t sum, self; }; /* first child, next sibling; 0: none */
struct hist_flame_cell { uint32_t node; int x, width; };
typedef VEC(struct hist_flame_cell) flame_row;

struct hist_flame_view {
	struct tui_source base;
	struct hist_view *of; /* the view below */
	VEC(struct hist_flame_node) node; /* 0 is nothing, 1 the root */
	VEC(flame_row) row; /* as it is drawn */
	uint32_t zoom, at; /* nodes */
	int width;
	unsigned generation, epoch; /* of the lines that it was made of */
};
enum { ROOT = 1 };
typedef VEC(uint32_t) flame_path; /* places, the outermost last */

static struct hist_flame_view *of(struct tui_source *s)
{
	return (struct hist_flame_view *)s;
}

/* ---- the tree ---- */

static uint32_t child_of(struct hist_flame_view *v, struct idmap *index, uint32_t parent, uint32_t place)
{
	uint32_t *id = idmap_at(index, (uint64_t)parent << 32 | place);
	if (!*id) {
		*id = v->node.n;
		*vec_push(&v->node) = (struct hist_flame_node){ .place = place, .parent = parent, .depth = v->node.at[parent].depth + 1 };
	}
	return *id;
}

static void add_bucket(struct hist_flame_view *v, struct idmap *index, const struct bucket *b)
{
	const struct profile *pr = v->of->b->pr;
	uint32_t depth = stack_depth(&pr->stacks, b->stack), at = ROOT;
	uint32_t *path = xmalloc((depth + 1) * sizeof(*path));
	if (depth)
		stacks_path(&pr->stacks, b->stack, path);
	else
		path[depth++] = b->place;
	v->node.at[ROOT].sum += b->period;
	for (uint32_t i = 0; i < depth; i++) {
		at = child_of(v, index, at, place_at(&pr->places, path[i])->branch);
		v->node.at[at].sum += b->period;
	}
	v->node.at[at].self += b->period;
	free(path);
}

static bool passes(struct hist_flame_view *v, const struct bucket *b)
{
	struct hist_entry e = { .context = b->context, .place = b->place, .thread = b->thread, .comm = b->comm };
	return !b->filtered && b->period && hist_filter_passes(v->of, &e);
}

static int heaviest(const void *a, const void *b, void *view)
{
	const struct hist_flame_view *v = view;
	const struct hist_flame_node *x = &v->node.at[*(const uint32_t *)a], *y = &v->node.at[*(const uint32_t *)b];
	return x->sum < y->sum ? 1 : x->sum > y->sum ? -1 : x->place < y->place ? -1 : 1;
}

/* Children become lists, the heaviest first: nodes are put in front of their parent's list, the lightest first. */
static void link_children(struct hist_flame_view *v)
{
	size_t n = v->node.n;
	uint32_t *order = xmalloc(n * sizeof(*order));
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), heaviest, v);
	for (size_t i = 0; i < n; i++) {
		struct hist_flame_node *x = &v->node.at[i];
		x->first = x->next = 0;
	}
	for (size_t i = n; i-- > 0;) {
		struct hist_flame_node *x = &v->node.at[order[i]];
		if (order[i] <= ROOT)
			continue;
		x->next = v->node.at[x->parent].first;
		v->node.at[x->parent].first = order[i];
	}
	free(order);
}

static void make_tree(struct hist_flame_view *v)
{
	struct idmap index = { 0 };
	vec_clear(&v->node);
	vec_push(&v->node);
	vec_push(&v->node);
	vec_each(&v->of->h->bucket, b)
		if (passes(v, b))
			add_bucket(v, &index, b);
	idmap_release(&index);
	link_children(v);
	v->generation = v->of->b->generation;
	v->epoch = v->of->b->epoch;
}

static void path_to(const struct hist_flame_view *v, uint32_t node, flame_path *path)
{
	for (; node > ROOT; node = v->node.at[node].parent)
		*vec_push(path) = v->node.at[node].place;
}

/* The node that is there, or its nearest caller that is. */
static uint32_t node_at(const struct hist_flame_view *v, const flame_path *path)
{
	uint32_t at = ROOT;
	for (size_t i = path->n; i-- > 0;) {
		uint32_t k = v->node.at[at].first;
		while (k && v->node.at[k].place != path->at[i])
			k = v->node.at[k].next;
		if (!k)
			break;
		at = k;
	}
	return at;
}

/* ---- cells ---- */

static void add_cell(struct hist_flame_view *v, uint32_t node, int x, int width)
{
	uint32_t row = v->node.at[node].depth - v->node.at[v->zoom].depth;
	while (v->row.n <= row)
		vec_push(&v->row);
	*vec_push(&v->row.at[row]) = (struct hist_flame_cell){ node, x, width };
}

/* Level by level, so that a deep stack takes no stack of ours. */
static void lay_out(struct hist_flame_view *v)
{
	vec_each(&v->row, r)
		vec_release(r);
	vec_clear(&v->row);
	add_cell(v, v->zoom, 0, v->width);
	for (size_t r = 0; r < v->row.n; r++) {
		for (size_t i = 0; i < v->row.at[r].n; i++) {
			struct hist_flame_cell c = v->row.at[r].at[i];
			const struct hist_flame_node *n = &v->node.at[c.node];
			double x = c.x;
			for (uint32_t k = n->first; k; k = v->node.at[k].next) {
				double w = n->sum ? (double)c.width * v->node.at[k].sum / n->sum : 0;
				int from = (int)x, to = (int)(x + w + 1e-9);
				if (to > from)
					add_cell(v, k, from, to - from);
				x += w;
			}
		}
	}
}

static const char *name_of(const struct hist_flame_view *v, uint32_t node, struct str *s)
{
	const struct place *p = place_at(&v->of->b->pr->places, v->node.at[node].place);
	str_clear(s);
	if (node == ROOT)
		str_add(s, "all");
	else if (p->sym)
		str_add_safez(s, p->sym);
	else
		str_addf(s, "[%s]", place_dso_name(p, false));
	return s->buf;
}

/* The cell's columns: an edge, the name as far as it fits, blanks. */
static void add_name(struct tui_line *l, const char *name, int width)
{
	int used = 1;
	str_addc(&l->text, '|');
	while (*name && used < width) {
		size_t n = utf8_length(name, strlen(name), NULL);
		n = n ? n : 1;
		int columns = (int)utf8_columns(name, n);
		if (used + columns > width)
			break;
		used += columns;
		str_add_bytes(&l->text, name, n);
		name += n;
	}
	for (; used < width; used++)
		str_addc(&l->text, ' ');
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	struct hist_flame_view *v = of(s);
	struct str name = STR_INIT;
	int x = 0;
	vec_each(&v->row.at[row], c) {
		for (; x < c->x; x++)
			str_addc(&l->text, ' ');
		size_t start = l->text.len;
		const struct place *p = place_at(&v->of->b->pr->places, v->node.at[c->node].place);
		add_name(l, name_of(v, c->node, &name), c->width);
		x += c->width;
		tui_line_mark(l, start, l->text.len - start, p->level == 'k' ? TUI_KERNEL : p->inlined ? TUI_DIM : TUI_WARM);
		if (c->node == v->at)
			tui_line_mark(l, start, l->text.len - start, TUI_SELECTED);
	}
	str_release(&name);
}

/* ---- the view ---- */

static size_t rows(struct tui_source *s)
{
	return of(s)->row.n;
}

static void size(struct tui_source *s, int width, int n)
{
	(void)n;
	of(s)->width = width;
	lay_out(of(s));
}

static void title(struct tui_source *s, struct str *out)
{
	struct hist_flame_view *v = of(s);
	str_add(out, "Flame view of '");
	report_event_name(v->of->b->report, v->of->b->pr, v->of->event, out);
	str_add(out, "'");
}

static void status(struct tui_source *s, struct str *out)
{
	struct hist_flame_view *v = of(s);
	struct str name = STR_INIT;
	const struct hist_flame_node *n = &v->node.at[v->at];
	uint64_t all = v->node.at[ROOT].sum, zoom = v->node.at[v->zoom].sum;
	str_addf(out, "%s: %.2f %% of all", name_of(v, v->at, &name), all ? 100.0 * n->sum / all : 0.0);
	if (v->zoom != ROOT)
		str_addf(out, ", %.2f %% of the zoom", zoom ? 100.0 * n->sum / zoom : 0.0);
	str_addf(out, ", itself %.2f %%", all ? 100.0 * n->self / all : 0.0);
	str_release(&name);
}

static bool find(const struct hist_flame_view *v, uint32_t node, size_t *row, size_t *at)
{
	for (size_t r = 0; r < v->row.n; r++)
		for (size_t i = 0; i < v->row.at[r].n; i++)
			if (v->row.at[r].at[i].node == node) {
				*row = r;
				*at = i;
				return true;
			}
	return false;
}

static void select_at(struct tui *t, struct hist_flame_view *v, size_t row, size_t i)
{
	v->at = v->row.at[row].at[i].node;
	tui_go_to(t, row);
}

static void zoom(struct tui *t, struct hist_flame_view *v, uint32_t node)
{
	v->zoom = v->at = node;
	lay_out(v);
	tui_go_to(t, 0);
}

static void step(struct tui *t, struct hist_flame_view *v, int key)
{
	size_t row, i;
	if (!find(v, v->at, &row, &i))
		return;
	size_t n = v->row.at[row].n;
	if (key == TUI_LEFT && i > 0) {
		select_at(t, v, row, i - 1);
	} else if (key == TUI_RIGHT && i + 1 < n) {
		select_at(t, v, row, i + 1);
	} else if (key == TUI_UP && row > 0 && find(v, v->node.at[v->at].parent, &row, &i)) {
		select_at(t, v, row, i);
	} else if (key == TUI_DOWN) {
		uint32_t first = v->node.at[v->at].first;
		if (first && find(v, first, &row, &i))
			select_at(t, v, row, i);
	}
}

static void point(struct tui_source *s, size_t row, int x)
{
	vec_each(&of(s)->row.at[row], c)
		if (x >= c->x && x < c->x + c->width)
			of(s)->at = c->node;
}

static enum tui_did key_pressed(struct tui *t, struct tui_source *s, int key)
{
	struct hist_flame_view *v = of(s);
	switch (key) {
	case TUI_LEFT:
	case TUI_RIGHT:
	case TUI_UP:
	case TUI_DOWN: step(t, v, key); return TUI_DONE;
	case TUI_ENTER: zoom(t, v, v->at); return TUI_DONE;
	case TUI_ESC:
	case TUI_BACKSPACE:
		if (v->zoom == ROOT)
			return TUI_LEAVE;
		zoom(t, v, v->node.at[v->zoom].parent);
		return TUI_DONE;
	default: return TUI_NOT_MINE;
	}
}

/* Live: zoom and selection stay on their functions. */
static bool tick(struct tui_source *s)
{
	struct hist_flame_view *v = of(s);
	flame_path zoom = { 0 }, at = { 0 };
	if (v->generation == v->of->b->generation)
		return false;
	if (v->epoch == v->of->b->epoch) {
		path_to(v, v->zoom, &zoom);
		path_to(v, v->at, &at);
	}
	make_tree(v);
	v->zoom = node_at(v, &zoom);
	v->at = node_at(v, &at);
	vec_release(&zoom);
	vec_release(&at);
	lay_out(v);
	return true;
}

static void free_view(struct tui_source *s)
{
	struct hist_flame_view *v = of(s);
	vec_each(&v->row, r)
		vec_release(r);
	vec_release(&v->row);
	vec_release(&v->node);
	free(v);
}

static const struct tui_source_ops ops = { .kind = TUI_FLAME, .no_bar = true, .rows = rows, .line = line, .title = title, .status = status,
	.key = key_pressed, .point = point, .size = size, .tick = tick, .free = free_view };

struct tui_source *hist_flame_view(struct tui *t, struct hist_view *of)
{
	struct hist_flame_view *v = xcalloc(1, sizeof(*v));
	v->base.ops = &ops;
	v->of = of;
	v->zoom = v->at = ROOT;
	make_tree(v);
	if (v->node.at[ROOT].sum)
		return &v->base;
	tui_say(t, "there is nothing to show");
	free_view(&v->base);
	return NULL;
}
