// SPDX-License-Identifier: GPL-2.0-or-later
/* Three steps, each over arrays without recursion, since stacks may be deep and a million:
 * the sources' stacks become one tree of merged frames (struct stacks: parents have lower numbers than their children, so
 * that one pass from the end sums up); what is too light is left out; the rest is written in drawing order. */
#include "analysis/flame/tree.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "analysis/flame/rows.h"

struct flame_making {
	const struct flame_shape *o;
	struct flame_tree *t;
	const struct stacks *s; /* the merged ones: of frames of the tree */
	size_t n; /* of nodes in it */
	VEC(uint64_t) self, before_self;
	uint64_t *total, *before; /* by node, afterwards */
	uint32_t *place; /* node to 1 + where it is in the tree; 0: cut */
	VEC(uint32_t) map; /* a source's frame to 1 + the tree's */
	VEC(uint32_t) path;
	struct flame_rows rows;
};

/* ---- frames ---- */

/* Frames are one by name and kind; names of one text may be at several addresses. */
static uint32_t frame_id(struct flame_tree *t, const char *name, enum frame_kind kind)
{
	for (uint64_t key = hash_bytes(name, strlen(name), kind);; key++) {
		uint32_t *id = idmap_at(&t->frames, key);
		if (!*id) {
			*vec_push(&t->frame) = (struct fold_frame){ .name = name, .kind = kind };
			return *id = t->frame.n - 1;
		}
		if (t->frame.at[*id].kind == kind && !strcmp(t->frame.at[*id].name, name))
			return *id;
	}
}

static uint32_t own_frame(struct flame_tree *t, char *name, enum frame_kind kind)
{
	size_t n = t->frame.n;
	uint32_t id = frame_id(t, name, kind);
	if (t->frame.n > n)
		*vec_push(&t->owned) = name;
	else
		free(name);
	return id;
}

static uint32_t map_frame(struct flame_making *m, const struct flame_source *src, uint32_t frame)
{
	const struct fold_frame *f = &src->fold->frame.at[frame];
	while (m->map.n <= frame)
		*vec_push(&m->map) = 0;
	if (!m->map.at[frame]) /* the place is that of one of them */
		m->map.at[frame] = 1 + frame_id(m->t, f->name, src->waiting ? FRAME_WAITING : f->kind);
	return m->map.at[frame] - 1;
}

static uint32_t group_frame(struct flame_making *m, const struct fold_key *k)
{
	switch (m->o->by) {
	case FLAME_BY_COMM:
		return frame_id(m->t, k->comm, FRAME_GROUP);
	case FLAME_BY_PROCESS:
		return own_frame(m->t, xasprintf("%s-%d", k->comm, k->pid), FRAME_GROUP);
	case FLAME_BY_THREAD:
		return own_frame(m->t, xasprintf("%s-%d", k->comm, k->tid), FRAME_GROUP);
	case FLAME_BY_CPU:
		return own_frame(m->t, k->cpu < 0 ? xstrdup("CPU not told") : xasprintf("CPU %d", k->cpu), FRAME_GROUP);
	case FLAME_BY_NONE:
		break;
	}
	return 0;
}

/* ---- merging ---- */

/* Text's own tree is already what is wanted: its frames are one by name and kind. */
static bool as_it_is(const struct flame_shape *o)
{
	const struct flame_source *s = o->source;
	return o->n_source == 1 && !s->fold->profile && o->by == FLAME_BY_NONE && !o->reverse && !o->chart && !s->root && !s->waiting;
}

static uint64_t *at(struct flame_making *m, uint32_t node, bool before)
{
	while (m->self.n <= node) {
		*vec_push(&m->self) = 0;
		*vec_push(&m->before_self) = 0;
	}
	return before ? &m->before_self.at[node] : &m->self.at[node];
}

static void add_weight(struct flame_making *m, const struct flame_source *src, uint32_t node, const struct fold_row *r)
{
	uint64_t w = src->factor ? (uint64_t)llround(r->weight * src->factor) : r->weight;
	*at(m, node, src->before) += w;
	if (m->o->rows && !src->before)
		flame_rows_add(&m->rows, node, &src->fold->key.at[r->key], w);
}

/* The row's frames as the picture has them, outermost first. */
static uint32_t make_path(struct flame_making *m, const struct flame_source *src, const struct fold_row *r)
{
	uint32_t depth = stack_depth(src->fold->stacks, r->stack), n = 0, stack = r->stack;
	while (m->path.n < depth + 2)
		vec_push(&m->path);
	if (src->root)
		m->path.at[n++] = frame_id(m->t, src->root, src->waiting ? FRAME_WAITING : FRAME_GROUP);
	if (m->o->by != FLAME_BY_NONE)
		m->path.at[n++] = group_frame(m, &src->fold->key.at[r->key]);
	for (uint32_t i = 0; i < depth; i++, stack = src->fold->stacks->at.at[stack].parent)
		m->path.at[n + (m->o->reverse ? i : depth - 1 - i)] = map_frame(m, src, src->fold->stacks->at.at[stack].place);
	return n + depth;
}

static void merge_row(struct flame_making *m, const struct flame_source *src, const struct fold_row *r)
{
	uint32_t n = make_path(m, src, r), node = 0;
	for (uint32_t i = 0; i < n; i++)
		node = stacks_push(&m->t->stacks, node, m->path.at[i]);
	add_weight(m, src, node, r);
}

/* In the order of time: only the path that was drawn last is gone on with. */
static void chart_row(struct flame_making *m, const struct flame_source *src, const struct fold_row *r, uint32_t *last)
{
	struct stacks *s = &m->t->stacks;
	uint32_t n = make_path(m, src, r), node = *last, common = 0;
	VEC(uint32_t) chain = { 0 };
	for (uint32_t i = s->at.at[node].depth; i > 0; i--, node = s->at.at[node].parent)
		*vec_push(&chain) = node;
	node = 0;
	while (common < n && common < chain.n && s->at.at[chain.at[chain.n - 1 - common]].place == m->path.at[common])
		node = chain.at[chain.n - 1 - common++];
	vec_release(&chain);
	for (uint32_t i = common; i < n; i++) {
		*vec_push(&s->at) = (struct stack_node){ .parent = node, .place = m->path.at[i], .depth = i + 1 };
		node = s->at.n - 1;
	}
	*last = node;
	add_weight(m, src, node, r);
}

struct charted { uint64_t time; uint32_t group, row; };

static int by_group_and_time(const void *a, const void *b)
{
	const struct charted *x = a, *y = b;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void chart_source(struct flame_making *m, const struct flame_source *src)
{
	VEC(struct charted) order = { 0 };
	uint32_t last = 0;
	for (size_t i = 0; i < src->fold->row.n; i++) {
		const struct fold_key *k = &src->fold->key.at[src->fold->row.at[i].key];
		if (k->event == src->event)
			*vec_push(&order) = (struct charted){ k->time, group_frame(m, k), i };
	}
	if (order.n)
		qsort(order.at, order.n, sizeof(*order.at), by_group_and_time);
	vec_each(&order, c)
		chart_row(m, src, &src->fold->row.at[c->row], &last);
	vec_release(&order);
}

static void merge_source(struct flame_making *m, const struct flame_source *src)
{
	vec_clear(&m->map);
	if (m->o->chart) {
		chart_source(m, src);
		return;
	}
	vec_each(&src->fold->row, r)
		if (src->fold->key.at[r->key].event == src->event)
			merge_row(m, src, r);
}

static void merge(struct flame_making *m)
{
	const struct flame_source *first = m->o->source;
	const struct fold_frame all = { .name = "all", .kind = FRAME_GROUP };
	m->s = &m->t->stacks;
	if (as_it_is(m->o)) {
		m->s = first->fold->stacks;
		vec_each(&first->fold->frame, f)
			*vec_push(&m->t->frame) = *f;
		m->t->frame.at[0] = all;
		vec_each(&first->fold->row, r)
			if (first->fold->key.at[r->key].event == first->event)
				add_weight(m, first, r->stack, r);
	} else {
		*vec_push(&m->t->frame) = all;
		for (size_t i = 0; i < m->o->n_source; i++)
			merge_source(m, &m->o->source[i]);
	}
	m->n = m->s->at.n;
	at(m, m->n - 1, false);
}

static uint64_t *sums(const struct flame_making *m, const uint64_t *self)
{
	uint64_t *total = xmalloc(m->n * sizeof(*total));
	memcpy(total, self, m->n * sizeof(*total));
	for (size_t i = m->n; i-- > 1;)
		total[m->s->at.at[i].parent] += total[i];
	return total;
}

/* ---- cutting ---- */

/* How many frames, and what weight of their own, are in each class of weights: eight classes an octave. */
enum { OCTAVE = 8, CLASSES = 64 * OCTAVE };
struct classes { uint64_t n[CLASSES], self[CLASSES]; };

static int class_of(uint64_t w)
{
	int octave = 63 - __builtin_clzll(w);
	return octave * OCTAVE + (octave >= 3 ? (w >> (octave - 3) & 7) : 0);
}

static uint64_t least_of(int class)
{
	int octave = class / OCTAVE;
	return octave >= 3 ? (uint64_t)(OCTAVE + class % OCTAVE) << (octave - 3) : 1ull << octave;
}

/* The limit goes down, class by class, until little enough is cut or the picture would grow too large. */
static uint64_t lower_limit(const struct flame_making *m, uint64_t limit)
{
	struct classes *c = xcalloc(1, sizeof(*c));
	uint64_t kept = 0, cut = 0, allowed = m->total[0] * FLAME_CUT;
	int class = class_of(limit);
	for (size_t i = 1; i < m->n; i++) {
		if (!m->total[i])
			continue;
		int k = class_of(m->total[i]);
		kept += m->total[i] >= limit;
		if (m->total[i] >= limit)
			continue;
		c->n[k]++;
		c->self[k] += m->self.at[i];
		cut += m->self.at[i];
	}
	for (; cut > allowed && class >= 0 && kept + c->n[class] <= m->o->max_nodes; class--) {
		kept += c->n[class];
		cut -= c->self[class];
		if (c->n[class])
			limit = least_of(class);
	}
	free(c);
	return limit;
}

static uint64_t find_limit(const struct flame_making *m)
{
	double min = m->o->min > 0 ? m->o->min : FLAME_MIN;
	uint64_t limit = m->o->all ? 1 : (uint64_t)ceil(m->total[0] * min);
	if (limit <= 1)
		return 1;
	return m->o->min > 0 ? limit : lower_limit(m, limit);
}

/* ---- drawing order ---- */

struct flame_named { const struct fold_frame *f; uint32_t id; };

static int by_name(const void *a, const void *b)
{
	const struct flame_named *x = a, *y = b;
	int c = strcmp(x->f->name, y->f->name);
	return c ? c : (int)x->f->kind - (int)y->f->kind;
}

/* Frames to their rank by name. */
static uint32_t *ranks(const struct flame_tree *t)
{
	size_t n = t->frame.n;
	struct flame_named *all = xcalloc(n + 1, sizeof(*all));
	uint32_t *rank = xcalloc(n + 1, sizeof(*rank));
	for (size_t i = 0; i < n; i++)
		all[i] = (struct flame_named){ &t->frame.at[i], i };
	qsort(all, n, sizeof(*all), by_name);
	for (size_t i = 0; i < n; i++)
		rank[all[i].id] = i;
	free(all);
	return rank;
}

/* The nodes that stay, by the names of their frames (of a chart: as they are); how many. */
static size_t in_order(const struct flame_making *m, uint32_t **out)
{
	uint32_t *order = xmalloc((m->n + 1) * sizeof(*order)), *rank = ranks(m->t), *at_rank;
	size_t n = 0;
	at_rank = xcalloc(m->t->frame.n + 2, sizeof(*at_rank));
	for (size_t i = 1; i < m->n; i++)
		if (m->total[i] >= m->t->limit)
			at_rank[rank[m->s->at.at[i].place] + 1]++, n++;
	for (size_t i = 1; i <= m->t->frame.n; i++)
		at_rank[i] += at_rank[i - 1];
	for (size_t i = 1, k = 0; i < m->n; i++)
		if (m->total[i] >= m->t->limit)
			order[m->o->chart ? k++ : at_rank[rank[m->s->at.at[i].place]]++] = i;
	free(rank);
	free(at_rank);
	*out = order;
	return n;
}

static void emit(struct flame_making *m, uint32_t i)
{
	struct flame_tree *t = m->t;
	const struct stack_node *s = &m->s->at.at[i];
	*vec_push(&t->node) = (struct flame_node){ .parent = i ? m->place[s->parent] - 1 : 0, .frame = i ? s->place : 0, .depth = s->depth,
		.self = m->self.at[i], .total = m->total[i], .before_self = m->before_self.at[i], .before = m->before[i] };
	m->place[i] = t->node.n;
	if (s->depth > t->depth)
		t->depth = s->depth;
}

/* Callers first, then each callee with all of its own. */
static void write_nodes(struct flame_making *m)
{
	uint32_t *order, *child = xcalloc(m->n, sizeof(*child)), *next = xcalloc(m->n, sizeof(*next));
	size_t n = in_order(m, &order);
	for (size_t k = n; k-- > 0;) {
		uint32_t i = order[k], parent = m->s->at.at[i].parent;
		next[i] = child[parent];
		child[parent] = i;
	}
	free(order);
	for (uint32_t i = 0;;) {
		emit(m, i);
		if (child[i]) {
			i = child[i];
			continue;
		}
		while (i && !next[i]) {
			m->t->node.at[m->place[i] - 1].end = m->t->node.n;
			i = m->s->at.at[i].parent;
		}
		m->t->node.at[m->place[i] - 1].end = m->t->node.n;
		if (!i)
			break;
		i = next[i];
	}
	free(child);
	free(next);
}

/* What was cut is told where it was. */
static void sum_cut(struct flame_making *m)
{
	struct flame_tree *t = m->t;
	for (size_t i = 1; i < m->n; i++) {
		if (m->place[i] || !m->total[i])
			continue;
		t->cut_nodes++;
		t->cut += m->self.at[i];
		uint32_t parent = m->s->at.at[i].parent;
		if (m->place[parent])
			t->node.at[m->place[parent] - 1].cut += m->total[i];
	}
}

/* ---- a comparison: what is there no more ---- */

static int heaviest_first(const void *a, const void *b)
{
	const struct flame_gone *x = a, *y = b;
	return x->before != y->before ? (x->before < y->before ? 1 : -1) : x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void list_gone(struct flame_making *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (m->before_self.at[i] && !m->self.at[i])
			*vec_push(&m->t->gone) = (struct flame_gone){ i, m->before_self.at[i] };
	if (m->t->gone.n)
		qsort(m->t->gone.at, m->t->gone.n, sizeof(*m->t->gone.at), heaviest_first);
}

/* ---- all of it ---- */

struct flame_tree *flame_tree_new(const struct flame_shape *o)
{
	struct flame_tree *t = xcalloc(1, sizeof(*t));
	struct flame_making m = { .o = o, .t = t };
	stacks_init(&t->stacks);
	merge(&m);
	m.total = sums(&m, m.self.at);
	m.before = sums(&m, m.before_self.at);
	t->limit = find_limit(&m);
	m.place = xcalloc(m.n, sizeof(*m.place));
	write_nodes(&m);
	sum_cut(&m);
	list_gone(&m);
	if (o->rows)
		flame_rows_finish(&m.rows, t, m.s, m.place, o->source->fold);
	flame_rows_release(&m.rows);
	vec_release(&m.self);
	vec_release(&m.before_self);
	vec_release(&m.map);
	vec_release(&m.path);
	free(m.total);
	free(m.before);
	free(m.place);
	return t;
}

void flame_tree_free(struct flame_tree *t)
{
	if (!t)
		return;
	vec_release(&t->node);
	vec_release(&t->frame);
	vec_release(&t->row);
	vec_release(&t->thread);
	vec_release(&t->gone);
	vec_release(&t->gap);
	vec_each(&t->owned, z)
		free(*z);
	vec_release(&t->owned);
	stacks_release(&t->stacks);
	idmap_release(&t->frames);
	free(t);
}

/* ---- paths ---- */

static void add_frame(struct str *s, const struct fold_frame *f, bool first)
{
	static const char *const mark[] = { [FRAME_KERNEL] = "_[k]", [FRAME_JIT] = "_[j]", [FRAME_INLINED] = "_[i]", [FRAME_WAITING] = "" };
	if (!first)
		str_addc(s, ';');
	for (const char *z = f->name; *z; z++)
		str_addc(s, *z == ';' ? ':' : *z == '\n' || *z == '\r' ? ' ' : *z);
	if (f->kind <= FRAME_INLINED && mark[f->kind])
		str_add(s, mark[f->kind]);
}

void flame_tree_path(const struct flame_tree *t, uint32_t node, struct str *s)
{
	VEC(uint32_t) up = { 0 };
	for (; node; node = t->node.at[node].parent)
		*vec_push(&up) = t->node.at[node].frame;
	for (size_t i = up.n; i-- > 0;)
		add_frame(s, &t->frame.at[up.at[i]], i == up.n - 1);
	vec_release(&up);
}

void flame_tree_gone_path(const struct flame_tree *t, uint32_t stack, struct str *s)
{
	VEC(uint32_t) up = { 0 };
	for (; stack; stack = t->stacks.at.at[stack].parent)
		*vec_push(&up) = t->stacks.at.at[stack].place;
	for (size_t i = up.n; i-- > 0;)
		add_frame(s, &t->frame.at[up.at[i]], i == up.n - 1);
	vec_release(&up);
}
