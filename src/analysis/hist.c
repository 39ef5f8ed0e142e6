// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/hist.h"
#include <stdlib.h>
#include "analysis/order.h"
#include "symbol/dwarf/datatype.h"

/* ---- contexts and keys ---- */

void fold_init(struct fold *f, struct places *p, struct stacks *s, const struct layout *l)
{
	memset(f, 0, sizeof(*f));
	f->places = p;
	f->stacks = s;
	f->layout = l;
}

void fold_forget(struct fold *f)
{
	vec_release(&f->value);
	vec_release(&f->place_key);
	idmap_release(&f->context);
	idmap_release(&f->place_index);
	f->n_context = 0;
}

void fold_release(struct fold *f)
{
	fold_forget(f);
}

uint32_t fold_context(struct fold *f, const struct hist_value *v)
{
	uint64_t key = 1;
	for (int i = 0; i < f->layout->n_slot; i++)
		key = idmap_mix(key, v[i].v ^ (v[i].number ? 0x5bd1e995 : 0));
	uint32_t *id = idmap_at(&f->context, key);
	if (!*id) {
		*id = ++f->n_context;
		for (int i = 0; i < f->layout->n_slot; i++)
			*vec_push(&f->value) = v[i];
	}
	return *id;
}

static const struct hist_value *value_of(const struct fold *f, const struct hist_entry *e, const struct column *c)
{
	return &f->value.at[(size_t)(e->context - 1) * f->layout->n_slot + c->slot];
}

/* Places that the keys cannot tell apart share one: functions of equal files, all of a file, all. */
static uint64_t key_of_place(struct fold *f, uint32_t id)
{
	const struct place *p = place_at(f->places, id);
	uint64_t key = 1;
	bool dso = false;
	vec_each(&f->layout->col, c) {
		if (c->kind != COLUMN_KEY || c->row->of != KEY_OF_PLACE)
			continue;
		const char *name = place_dso_name(p, f->full_dso);
		switch (c->row->key) {
		case KEY_DSO:
			dso = true;
			key = idmap_mix(key, hash_bytes(name, strlen(name), 0));
			break;
		case KEY_SYM:
		case KEY_IPC:
			if (!dso && p->sym)
				key = idmap_mix(key, hash_bytes(name, strlen(name), 0));
			key = idmap_mix(key, p->sym ? place_function(p->dso, p->sym, p->start, p->inlined) : place_address(p->addr, p->level));
			break;
		case KEY_SYM_SIZE:
			key = idmap_mix(key, p->sym ? p->size : 0);
			break;
		case KEY_DSO_SIZE:
			key = idmap_mix(key, p->map_size);
			break;
		case KEY_SRCLINE:
			key = idmap_mix(key, (uintptr_t)p->line);
			break;
		case KEY_SRCFILE:
			key = idmap_mix(key, p->file ? hash_bytes(p->file, strlen(p->file), 0) : 0);
			break;
		default:
			break;
		}
	}
	return key;
}

static uint32_t place_key(struct fold *f, uint32_t place)
{
	while (f->place_key.n <= place)
		vec_push(&f->place_key);
	if (f->place_key.at[place])
		return f->place_key.at[place];
	uint32_t *id = idmap_at(&f->place_index, key_of_place(f, place));
	if (!*id)
		*id = place ? place : UINT32_MAX;
	return f->place_key.at[place] = *id;
}

/* ---- samples ---- */

struct hist *hist_new(struct fold *f)
{
	struct hist *h = xcalloc(1, sizeof(*h));
	h->fold = f;
	vec_push(&h->ref);
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	vec_each(&h->owned, o)
		free(*o);
	vec_release(&h->owned);
	vec_release(&h->bucket);
	vec_release(&h->entry);
	vec_release(&h->ref);
	vec_release(&h->end);
	vec_release(&h->log);
	idmap_release(&h->bucket_index);
	idmap_release(&h->entry_index);
	free(h->pair_total);
	free(h);
}

static bool far(uint64_t a, uint64_t b, uint64_t page)
{
	return (a ^ b) & -page;
}

static void add_end(struct end_sum *s, const struct branch_end *e, uint64_t to)
{
	enum { SMALL = 4096, LARGE = 2 << 20 };
	s->to += e->kind == END_TO;
	s->from += e->kind == END_FROM;
	s->predicted += e->predicted;
	s->aborted += e->abort;
	s->cycles += e->cycles;
	s->loops += e->loops;
	s->loop_cycles += e->loop_cycles;
	if (e->kind != END_TO || !e->type || !e->from)
		return;
	s->types |= 1u << (e->type == PERF_BR_EXTEND_ABI ? 16 + e->new_type : e->type);
	s->forward |= e->type == PERF_BR_COND && to > e->from;
	s->backward |= e->type == PERF_BR_COND && to <= e->from;
	s->far_2m |= far(e->from, to, LARGE);
	s->far_4k |= !far(e->from, to, LARGE) && far(e->from, to, SMALL);
}

static void add_ends(struct hist *h, struct bucket *b, const struct branch_end *end)
{
	uint32_t depth = stack_depth(h->fold->stacks, b->stack), stack = b->stack;
	if (!b->end) {
		b->end = h->end.n + 1;
		for (uint32_t i = 0; i < depth; i++)
			vec_push(&h->end);
	}
	for (uint32_t i = depth; i-- > 0; stack = h->fold->stacks->at.at[stack].parent)
		add_end(&h->end.at[b->end - 1 + i], &end[i], place_at(h->fold->places, h->fold->stacks->at.at[stack].place)->called_at);
}

/* ---- when samples came ---- */

enum { LOG_SHIFT = 10 }; /* about a microsecond; coarser when the recording turns out to be long */

static void add_moment(struct hist *h, uint32_t bucket, uint64_t time, uint64_t period)
{
	if (!h->log.n) {
		h->log_first = time;
		h->log_shift = LOG_SHIFT;
	}
	uint64_t since = time > h->log_first ? time - h->log_first : 0;
	int more = 0;
	while (since >> (h->log_shift + more) > UINT32_MAX)
		more++;
	if (more)
		vec_each(&h->log, m)
			m->slice >>= more;
	h->log_shift += more;
	*vec_push(&h->log) = (struct hist_moment){ bucket, (uint32_t)(since >> h->log_shift), period };
}

static uint64_t time_of(const struct hist *h, const struct hist_moment *m)
{
	return h->log_first + ((uint64_t)m->slice << h->log_shift);
}

bool hist_span(const struct hist *h, uint64_t *first, uint64_t *last)
{
	if (!h->log.n)
		return false;
	*first = h->log_first;
	*last = h->log_first;
	vec_each(&h->log, m)
		*last = time_of(h, m) > *last ? time_of(h, m) : *last;
	return true;
}

void hist_strip(const struct hist *h, uint64_t from, uint64_t to, uint64_t *sum, size_t n)
{
	double part = to > from ? (double)(to - from) / n : 1;
	vec_each(&h->log, m) {
		uint64_t time = time_of(h, m);
		if (time < from || time > to)
			continue;
		size_t i = (time - from) / part;
		sum[i < n ? i : n - 1] += m->period;
	}
}

void hist_range(struct hist *h, uint64_t from, uint64_t to)
{
	vec_each(&h->bucket, b)
		b->period = b->n = 0;
	h->samples = 0;
	vec_each(&h->log, m) {
		if (time_of(h, m) < from || time_of(h, m) > to)
			continue;
		h->bucket.at[m->bucket].period += m->period;
		h->bucket.at[m->bucket].n++;
		h->samples++;
	}
}

void hist_range_times(const struct hist *h, uint64_t *from, uint64_t *to)
{
	uint64_t rest = (1ull << h->log_shift) - 1, first = h->log_first;
	if (*from > first)
		*from = first + ((*from - first + rest) & ~rest);
	if (*to >= first && *to < UINT64_MAX - rest)
		*to = first + ((*to - first) | rest);
}

/* ---- samples, counted ---- */

static uint64_t key_of(uint32_t context, uint32_t place, uint32_t stack, bool filtered, bool self_only)
{
	return idmap_mix(idmap_mix(context, place), (uint64_t)stack << 2 | filtered << 1 | self_only);
}

void hist_add(struct hist *h, const struct hist_sample *s)
{
	uint32_t *id = idmap_at(&h->bucket_index, key_of(s->context, s->place, s->stack, s->filtered, s->self_only));
	struct bucket *b;
	if (*id) {
		b = &h->bucket.at[*id - 1];
	} else {
		b = vec_push(&h->bucket);
		*id = h->bucket.n;
		*b = (struct bucket){ .context = s->context, .place = s->place, .stack = s->stack, .addr = s->addr, .thread = s->thread,
			.comm = s->comm, .tid = s->tid, .level = s->level, .filtered = s->filtered, .self_only = s->self_only };
	}
	if (s->end)
		add_ends(h, b, s->end);
	*(h->live ? &b->new_period : &b->period) += s->period;
	*(h->live ? &b->new_n : &b->n) += 1;
	h->samples += !h->live;
	if (h->fold->log)
		add_moment(h, *id - 1, s->time, s->period);
	h->has_chains |= s->stack != 0;
}

/* ---- lines ---- */

static struct hist_entry *new_entry(struct hist *h, uint32_t context, uint32_t place)
{
	struct hist_entry *e = xcalloc(1, sizeof(*e));
	*vec_push(&h->owned) = e;
	*vec_push(&h->entry) = e;
	e->context = context;
	e->place = place;
	return e;
}

static struct hist_entry *entry_of(struct hist *h, const struct bucket *b, uint32_t place, char mode, uint64_t addr)
{
	uint32_t *id = idmap_at(&h->entry_index, (uint64_t)b->context << 32 | place_key(h->fold, place));
	if (*id)
		return h->entry.at[*id - 1];
	struct hist_entry *e = new_entry(h, b->context, place);
	*id = h->entry.n;
	e->thread = b->thread;
	e->tid = b->tid;
	e->comm = b->comm;
	e->filtered = b->filtered;
	e->mode = mode;
	e->addr = addr;
	return e;
}

static void add_stat(struct tally *s, uint64_t period, uint64_t n, char level)
{
	s->period += period;
	s->n += n;
	*(level == 'k' ? &s->sys : level == 'g' ? &s->guest_sys : level == 'u' ? &s->guest_usr : &s->usr) +=
		level == 'H' ? 0 : period;
}

static void add_ref(struct hist *h, struct hist_entry *e, uint32_t bucket, uint32_t start, uint32_t depth)
{
	if (depth - start > e->max_depth)
		e->max_depth = depth - start;
	if (!h->fold->chains)
		return;
	uint32_t n = h->ref.n;
	*vec_push(&h->ref) = (struct hist_ref){ bucket, start, e->refs };
	e->refs = n;
}

static void add_callers(struct hist *h, uint32_t bucket, const uint32_t *path, uint32_t depth)
{
	const struct bucket *b = &h->bucket.at[bucket];
	char mode = b->level;
	for (uint32_t i = 0; i < depth; i++) {
		uint32_t place = path[h->fold->caller ? i : depth - 1 - i];
		const struct place *p = place_at(h->fold->places, place);
		if (p->dso || p->sym) /* an address in no file goes with the frame before, as in perf */
			mode = p->level;
		struct hist_entry *e = entry_of(h, b, place, mode, p->called_at);
		if (e->stamp == bucket + 1) /* recursion counts once */
			continue;
		e->stamp = bucket + 1;
		add_stat(&e->sum, b->period, b->n, mode);
		add_ref(h, e, bucket, i, depth);
	}
}

void hist_lines(struct hist *h)
{
	const struct fold *f = h->fold;
	VEC(uint32_t) path = { 0 };
	for (uint32_t i = 0; i < h->bucket.n; i++) {
		const struct bucket *b = &h->bucket.at[i];
		if (!b->period && !b->n) /* not settled yet, or out of the range */
			continue;
		uint32_t depth = stack_depth(f->stacks, b->stack);
		while (path.n < depth)
			vec_push(&path);
		if (depth)
			stacks_path(f->stacks, b->stack, path.at);
		struct hist_entry *e = entry_of(h, b, b->place, b->level, b->addr);
		e->stamp = i + 1;
		add_stat(&e->self, b->period, b->n, b->level);
		add_stat(&e->sum, b->period, b->n, b->level);
		if (depth)
			add_ref(h, e, i, 0, depth);
		if (f->children && !b->self_only)
			add_callers(h, i, path.at, depth);
		h->chain_total += b->period;
		if (!e->filtered) {
			h->chain_total_shown += b->period;
			h->samples_shown += b->n;
		}
	}
	vec_release(&path);
	vec_each(&h->entry, e) {
		h->total += (*e)->self.period;
		if (!(*e)->filtered)
			h->total_shown += (*e)->self.period;
	}
}

void hist_forget_lines(struct hist *h)
{
	vec_each(&h->owned, o)
		free(*o);
	vec_clear(&h->owned);
	vec_clear(&h->entry);
	vec_clear(&h->ref);
	vec_push(&h->ref);
	idmap_clear(&h->entry_index);
	free(h->pair_total);
	h->pair_total = NULL;
	h->n_pair = 0;
	h->total = h->total_shown = h->samples_shown = h->chain_total = h->chain_total_shown = 0;
}

void hist_forget(struct hist *h)
{
	hist_forget_lines(h);
	vec_release(&h->bucket);
	vec_release(&h->end);
	vec_release(&h->log);
	idmap_release(&h->bucket_index);
	idmap_release(&h->entry_index);
	h->samples = 0;
	h->has_chains = false;
}

/* A few hundredths of what a sample weighs now are too little to be kept: of many different stacks those would be most of all. */
static uint64_t too_little(struct hist *h)
{
	enum { PART = 32 };
	uint64_t period = 0, n = 0;
	vec_each(&h->bucket, b) {
		period += b->new_period;
		n += b->new_n;
	}
	if (n)
		h->least = period / n / PART;
	return h->least;
}

void hist_settle(struct hist *h, unsigned num, unsigned den)
{
	uint64_t least = too_little(h);
	size_t n = 0;
	idmap_clear(&h->bucket_index);
	h->samples = 0;
	for (size_t i = 0; i < h->bucket.n; i++) {
		struct bucket b = h->bucket.at[i];
		b.period = b.period * num / den;
		b.period = (b.period > least ? b.period : 0) + b.new_period;
		b.n = b.n * num / den + b.new_n;
		b.new_period = b.new_n = 0;
		if (!b.period)
			continue;
		h->bucket.at[n++] = b;
		*idmap_at(&h->bucket_index, key_of(b.context, b.place, b.stack, b.filtered, b.self_only)) = n;
		h->samples += b.n;
	}
	h->bucket.n = n;
	if (!n)
		vec_clear(&h->end);
}

uint64_t hist_total(const struct hist *h)
{
	return h->fold->relative ? h->total_shown : h->total;
}

/* ---- order ---- */

static int cmp_u64(uint64_t a, uint64_t b)
{
	return a > b ? 1 : a < b ? -1 : 0;
}

static int cmp_text(const char *a, const char *b) /* positive: a comes first */
{
	return !a || !b ? !!a - !!b : strcmp(b, a);
}

static int cmp_pairs(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	int c = 0;
	for (int i = 0; i < h->n_pair && !c; i++)
		c = cmp_u64(a->pair ? a->pair[i].self.period : 0, b->pair ? b->pair[i].self.period : 0);
	return c;
}

static int cmp_children(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	int c = cmp_u64(a->sum.period, b->sum.period);
	if (c || a->thread != b->thread || !h->has_chains || !h->fold->chains)
		return c;
	c = cmp_u64(b->max_depth, a->max_depth); /* callers above callees */
	return h->fold->caller ? -c : c;
}

static int cmp_number(const struct hist *h, enum column_kind k, const struct hist_entry *a, const struct hist_entry *b)
{
	int c;
	switch (k) {
	case COLUMN_CHILDREN:
		return h->fold->children ? cmp_children(h, a, b) : 0;
	case COLUMN_SAMPLES:
		return cmp_u64(a->self.n, b->self.n);
	case COLUMN_SYS:
		return cmp_u64(a->self.sys, b->self.sys);
	case COLUMN_USR:
		return cmp_u64(a->self.usr, b->self.usr);
	case COLUMN_GUEST_SYS:
		return cmp_u64(a->self.guest_sys, b->self.guest_sys);
	case COLUMN_GUEST_USR:
		return cmp_u64(a->self.guest_usr, b->self.guest_usr);
	default:
		c = cmp_u64(a->self.period, b->self.period);
		return c ? c : cmp_pairs(h, a, b);
	}
}

static int cmp_sym(const struct place *p, const struct place *q)
{
	return !p->sym || !q->sym ? !!p->sym - !!q->sym : strcmp(q->sym, p->sym);
}

static int cmp_place(const struct fold *f, enum sort_key key, const struct place *p, const struct place *q)
{
	switch (key) {
	case KEY_DSO:
	case KEY_DSO_FROM:
	case KEY_DSO_TO:
		if (!p->dso || !q->dso)
			return !!p->dso - !!q->dso;
		return cmp_text(place_dso_name(p, f->full_dso), place_dso_name(q, f->full_dso));
	case KEY_SYM:
	case KEY_SYM_FROM:
	case KEY_SYM_TO:
		return cmp_sym(p, q);
	case KEY_SRCLINE:
	case KEY_SRCLINE_FROM:
	case KEY_SRCLINE_TO:
		return cmp_text(p->line, q->line);
	case KEY_SRCFILE:
		return cmp_text(p->file ? p->file : "", q->file ? q->file : "");
	case KEY_SYM_SIZE:
		return cmp_u64(q->sym ? q->size : 0, p->sym ? p->size : 0);
	case KEY_DSO_SIZE:
		return cmp_u64(q->map_size, p->map_size);
	default:
		return 0;
	}
}

/* As perf subtracts them: addresses far apart go round, so that this is no order of a whole set, and
 * the tree they are put in decides. */
static int cmp_far(uint64_t a, uint64_t b)
{
	int64_t c = (int64_t)(a - b);
	return (c > 0) - (c < 0);
}

static int cmp_types(const struct data_type *a, const struct data_type *b)
{
	int c = strcmp(a->name, b->name);
	return c ? c : (a->offset > b->offset) - (a->offset < b->offset);
}

static int cmp_key(const struct fold *f, const struct column *c, const struct hist_entry *a, const struct hist_entry *b)
{
	if (c->row->of == KEY_OF_PLACE)
		return cmp_place(f, c->row->key, place_at(f->places, a->place), place_at(f->places, b->place));
	const struct hist_value *x = value_of(f, a, c), *y = value_of(f, b, c);
	switch (c->row->key) {
	case KEY_COMM:
	case KEY_PARENT:
	case KEY_TRACE:
		return cmp_text(x->text, y->text);
	case KEY_TYPE:
	case KEY_TYPECLN:
		return -cmp_text(x->text, y->text);
	case KEY_TYPEOFF:
		return cmp_types((const struct data_type *)(uintptr_t)x->v, (const struct data_type *)(uintptr_t)y->v);
	case KEY_DSO_DADDR: /* these files go backwards in perf, those in none first */
		return -cmp_text(x->text, y->text);
	case KEY_DSO_FROM:
	case KEY_DSO_TO:
		return -cmp_place(f, c->row->key, place_at(f->places, x->v), place_at(f->places, y->v));
	case KEY_SYM_FROM:
	case KEY_SYM_TO:
	case KEY_SRCLINE_FROM:
	case KEY_SRCLINE_TO:
		return cmp_place(f, c->row->key, place_at(f->places, x->v), place_at(f->places, y->v));
	case KEY_FIELD: /* perf compares bytes as they lie in memory */
		if (x->number && y->number)
			return cmp_u64(__builtin_bswap64(x->v), __builtin_bswap64(y->v));
		return -cmp_text(x->text, y->text);
	case KEY_PID:
	case KEY_TID:
	case KEY_CPU:
	case KEY_SOCKET:
		return ((int)y->v > (int)x->v) - ((int)y->v < (int)x->v);
	case KEY_ADDR:
	case KEY_SYM_DADDR:
	case KEY_SYM_IADDR:
	case KEY_PHYS_DADDR:
	case KEY_DATA_PAGE_SIZE:
		return cmp_far(y->v, x->v);
	case KEY_CYCLES:
	case KEY_WEIGHT:
	case KEY_LOCAL_WEIGHT:
	case KEY_INS_LAT:
	case KEY_LOCAL_INS_LAT:
	case KEY_RETIRE_LAT:
	case KEY_LOCAL_RETIRE_LAT:
		return cmp_u64(x->v, y->v);
	default:
		return cmp_u64(y->v, x->v);
	}
}

/* Positive: a comes first. */
static int compare(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	const struct fold *f = h->fold;
	int c = 0;
	for (size_t i = 0; !c && i < f->layout->sort.n; i++) {
		const struct column *col = &f->layout->col.at[f->layout->sort.at[i]];
		if (!col->elide)
			c = col->kind == COLUMN_KEY ? cmp_key(f, col, a, b) : cmp_number(h, col->kind, a, b);
	}
	return c;
}

static bool comes_before(const void *a, const void *b, void *h)
{
	return compare(h, a, b) > 0;
}

/* Functions by address here, not by name; those without a name last. */
static int cmp_address(const struct place *p, const struct place *q)
{
	if (!p->sym || !q->sym)
		return p->sym || q->sym ? !!p->sym - !!q->sym : cmp_far(q->addr, p->addr);
	int c = p->inlined || q->inlined ? strcmp(p->sym, q->sym) : 0;
	return c ? c : cmp_far(q->start, p->start);
}

/* Addresses of different files do not compare, unless the file is a key anyway. */
static int cmp_function(const struct fold *f, const struct place *p, const struct place *q)
{
	int c = 0;
	if ((p->sym || q->sym) && !layout_has(f->layout, KEY_DSO))
		c = cmp_place(f, KEY_DSO, p, q);
	return c ? c : cmp_address(p, q);
}

/* The order in which perf's lines reach the final sort: by the keys alone. */
static bool by_keys(const void *x, const void *y, void *hist)
{
	const struct hist_entry *a = x, *b = y;
	const struct fold *f = ((const struct hist *)hist)->fold;
	int c = 0;
	for (size_t i = 0; !c && i < f->layout->sort.n; i++) {
		const struct column *col = &f->layout->col.at[f->layout->sort.at[i]];
		if (col->kind != COLUMN_KEY)
			continue;
		if (col->row->key == KEY_SYM)
			c = cmp_function(f, place_at(f->places, a->place), place_at(f->places, b->place));
		else
			c = cmp_key(f, col, a, b);
	}
	return c > 0;
}

void hist_finish(struct hist *h, const char *symbol_filter)
{
	vec_each(&h->entry, e) {
		const char *sym = place_at(h->fold->places, (*e)->place)->sym;
		if (!symbol_filter || (*e)->filtered || (sym && strstr(sym, symbol_filter)))
			continue;
		(*e)->filtered = true;
		h->total_shown -= (*e)->self.period;
	}
	if (!h->entry.n)
		return;
	order_by_tree((void **)h->entry.at, h->entry.n, by_keys, h);
	order_by_tree((void **)h->entry.at, h->entry.n, comes_before, h);
}

/* ---- groups ---- */

static struct hist_pair *pair_of(struct hist *h, struct hist_entry *e)
{
	if (!e->pair) {
		e->pair = xcalloc(h->n_pair, sizeof(*e->pair));
		*vec_push(&h->owned) = e->pair;
	}
	return e->pair;
}

void hist_group(struct hist *leader, struct hist *const *member, int n)
{
	leader->n_pair = n;
	leader->pair_total = xcalloc(n, sizeof(uint64_t));
	for (int i = 0; i < n; i++) {
		leader->pair_total[i] = hist_total(member[i]);
		vec_each(&member[i]->entry, m) {
			struct bucket like = { .context = (*m)->context, .thread = (*m)->thread, .tid = (*m)->tid,
					       .comm = (*m)->comm, .filtered = (*m)->filtered };
			struct hist_entry *e = entry_of(leader, &like, (*m)->place, (*m)->mode, (*m)->addr);
			pair_of(leader, e)[i] = (struct hist_pair){ (*m)->self, (*m)->sum };
		}
	}
}

/* ---- call graphs ---- */

struct chain_tree *hist_chains(struct hist *h, const struct hist_entry *e)
{
	const struct fold *f = h->fold;
	uint64_t total = f->relative ? h->chain_total_shown : h->chain_total;
	uint64_t own = f->children ? e->sum.period : e->self.period;
	uint64_t min_hit = (f->mode == CHAIN_FRACTAL ? own : total) * (f->min_percent / 100);
	VEC(struct chain_item) item = { 0 };
	VEC(uint32_t *) path = { 0 };
	if (!e->refs || (f->mode == CHAIN_GRAPH && own < min_hit))
		return NULL;
	for (uint32_t r = e->refs; r; r = h->ref.at[r].next) {
		const struct hist_ref *ref = &h->ref.at[r];
		const struct bucket *b = &h->bucket.at[ref->bucket];
		int depth = stack_depth(f->stacks, b->stack), n = depth - ref->start;
		uint32_t *p = *vec_push(&path) = xmalloc(depth * sizeof(*p));
		stacks_path(f->stacks, b->stack, p);
		for (int i = 0; i < depth; i++)
			p[i] = place_at(f->places, p[i])->branch;
		const struct end_sum *end = b->end ? &h->end.at[b->end - 1] : NULL;
		int first = f->caller ? (int)ref->start : n - 1;
		*vec_push(&item) = (struct chain_item){ p + first, end ? end + first : NULL, f->caller ? 1 : -1, n, b->period, b->n };
	}
	struct chain_tree *t = chain_tree_build(f->places, item.at, item.n, f->mode, min_hit, f->min_percent);
	vec_each(&path, p)
		free(*p);
	vec_release(&path);
	vec_release(&item);
	return t;
}

/* ---- hierarchy ---- */

/* The value of one key column, as a number that is equal for equal values. */
static uint64_t column_hash(struct fold *f, const struct column *c, const struct hist_entry *e)
{
	const struct place *p = place_at(f->places, e->place);
	const char *name = place_dso_name(p, f->full_dso);
	if (c->row->of != KEY_OF_PLACE)
		return value_of(f, e, c)->v;
	switch (c->row->key) {
	case KEY_DSO:
		return hash_bytes(name, strlen(name), 0);
	case KEY_SRCLINE:
		return (uintptr_t)p->line;
	case KEY_SRCFILE:
		return p->file ? hash_bytes(p->file, strlen(p->file), 0) : 0;
	case KEY_SYM_SIZE:
		return p->sym ? p->size : 0;
	case KEY_DSO_SIZE:
		return p->map_size;
	default:
		return p->sym ? place_function(p->dso, p->sym, p->start, p->inlined) : p->addr * 2;
	}
}

static void add_all(struct tally *to, const struct tally *s)
{
	to->period += s->period;
	to->sys += s->sys;
	to->usr += s->usr;
	to->guest_sys += s->guest_sys;
	to->guest_usr += s->guest_usr;
	to->n += s->n;
}

static int by_level(const void *x, const void *y, void *hist)
{
	const struct hist_entry *a = *(struct hist_entry *const *)x, *b = *(struct hist_entry *const *)y;
	const struct hist *h = hist;
	const struct fold *f = h->fold;
	int c = cmp_u64(b->self.period, a->self.period);
	if (!c)
		c = cmp_pairs(h, b, a);
	for (size_t i = 0; !c && i < f->layout->out.n; i++) {
		const struct column *col = &f->layout->col.at[f->layout->out.at[i]];
		if (col->kind == COLUMN_KEY && col->level == a->level)
			c = -cmp_key(f, col, a, b);
	}
	return c;
}

typedef VEC(struct hist_entry *) entry_list;

/* Groups the lines by one key, below each other by the next. Leaves are the lines themselves. */
static int make_level(struct hist *h, struct hist_entry **e, size_t n, const int *key, int n_key, int level,
		      struct hist_entry ***out)
{
	struct idmap index = { 0 };
	VEC(struct hist_entry *) node = { 0 };
	VEC(entry_list) below = { 0 };
	for (size_t i = 0; i < n; i++) {
		if (e[i]->filtered)
			continue;
		uint32_t *id = idmap_at(&index, idmap_mix(column_hash(h->fold, &h->fold->layout->col.at[key[level]], e[i]), 7) | 1);
		if (!*id) {
			struct hist_entry *top = xcalloc(1, sizeof(*top));
			*vec_push(&h->owned) = top;
			*top = *e[i];
			top->level = level;
			top->pair = NULL;
			memset(&top->self, 0, sizeof(top->self));
			memset(&top->sum, 0, sizeof(top->sum));
			*vec_push(&node) = top;
			vec_push(&below);
			*id = node.n;
		}
		struct hist_entry *top = node.at[*id - 1];
		add_all(&top->self, &e[i]->self);
		add_all(&top->sum, &e[i]->sum);
		for (int k = 0; e[i]->pair && k < h->n_pair; k++) {
			add_all(&pair_of(h, top)[k].self, &e[i]->pair[k].self);
			add_all(&pair_of(h, top)[k].sum, &e[i]->pair[k].sum);
		}
		*vec_push(&below.at[*id - 1]) = e[i];
	}
	for (size_t i = 0; i < node.n; i++) {
		if (level + 1 < n_key)
			node.at[i]->n_child = make_level(h, below.at[i].at, below.at[i].n, key, n_key, level + 1, &node.at[i]->child);
		vec_release(&below.at[i]);
	}
	vec_release(&below);
	idmap_release(&index);
	if (node.n)
		qsort_r(node.at, node.n, sizeof(*node.at), by_level, h);
	*out = node.at;
	*vec_push(&h->owned) = node.at;
	return node.n;
}

void hist_hierarchy(struct hist *h)
{
	int key[64], n = 0;
	struct hist_entry **top;
	const struct layout *l = h->fold->layout;
	vec_each(&l->out, i)
		if (l->col.at[*i].kind == COLUMN_KEY && n < 64)
			key[n++] = *i;
	if (!n)
		return;
	size_t k = make_level(h, h->entry.at, h->entry.n, key, n, 0, &top);
	vec_clear(&h->entry);
	for (size_t i = 0; i < k; i++)
		*vec_push(&h->entry) = top[i];
}
