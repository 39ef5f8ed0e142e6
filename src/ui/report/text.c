// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "analysis/recorded.h"
#include "base/error.h"

enum { ADDRESS = 16, INDENT = 3 };

struct report_table {
	struct out *out;
	struct profile *p;
	struct hist *h;
	const struct report_style *s;
	int event;
	VEC(int) shown; /* columns, without what is elided or of another event */
	VEC(int) width; /* of every column of the layout */
	int levels; /* key columns that are shown */
};

static const struct column *column_at(const struct report_table *t, int i)
{
	return &t->p->fold.layout->col.at[i];
}

static const struct hist_value *value_of(const struct report_table *t, const struct hist_entry *e, const struct column *c)
{
	return &t->p->fold.value.at[(size_t)(e->context - 1) * t->p->fold.layout->n_slot + c->slot];
}

/* ---- what stands in a column ---- */

static void add_symbol(struct str *s, const struct place *p, char mode, uint64_t addr, int width)
{
	size_t start = s->len;
	if (verbosity > 0)
		str_addf(s, "%-#18" PRIx64 " %c ", addr, p->dso ? p->sym ? 'd' : '!' : '!');
	str_addf(s, "[%c] ", mode);
	if (p->sym) {
		size_t room = width > (int)(s->len - start) ? width - (s->len - start) : 0, n = strlen(p->sym);
		str_add_safe(s, p->sym, n < room ? n : room);
		if (p->inlined)
			str_add(s, " (inlined)");
	} else {
		str_addf(s, "%-#.16" PRIx64, p->addr);
	}
}

static void add_left(struct str *s, const char *z, int width)
{
	size_t start = s->len, n = strlen(z);
	str_add_safe(s, z, (int)n > width ? (size_t)width : n);
	if (s->len - start < (size_t)width)
		str_pad(s, start + width, ' ');
}

static void add_cut(struct str *s, const char *z, int width)
{
	size_t n = strlen(z);
	str_add_safe(s, z, (int)n > width ? (size_t)width : n);
}

static void add_time(const struct report_table *t, struct str *s, uint64_t ns)
{
	if (t->s->nanosecs)
		str_addf(s, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
	else
		str_addf(s, "%" PRIu64 ".%06" PRIu64, ns / 1000000000, ns % 1000000000 / 1000);
}

static void add_place_key(const struct report_table *t, struct str *s, enum sort_key k, const struct place *p, char mode, uint64_t addr, int width)
{
	switch (k) {
	case KEY_DSO:
	case KEY_DSO_FROM:
	case KEY_DSO_TO:
		add_left(s, place_dso_name(p, t->p->fold.full_dso), width);
		break;
	case KEY_SYM:
	case KEY_SYM_FROM:
	case KEY_SYM_TO:
		add_symbol(s, p, mode, addr, width);
		break;
	case KEY_SRCLINE:
		add_cut(s, p->line ? p->line : "??:0", width);
		break;
	case KEY_SRCLINE_FROM:
	case KEY_SRCLINE_TO:
		add_left(s, p->line ? p->line : "??:0", width);
		break;
	case KEY_SRCFILE:
		add_cut(s, p->file ? p->file : "", width);
		break;
	case KEY_SYM_SIZE:
		if (p->sym)
			str_addf(s, "%*" PRIu64, width, p->size);
		else
			str_addf(s, "%*s", width, "unknown");
		break;
	case KEY_DSO_SIZE:
		if (p->map_size)
			str_addf(s, "%*" PRIu64, width, p->map_size);
		else
			str_addf(s, "%*s", width, "unknown");
		break;
	default:
		add_left(s, "-      -", width);
	}
}

static void add_branch_flag(struct str *s, enum sort_key k, uint64_t v, int width)
{
	char buf[24];
	const char *z = buf;
	snprintf(buf, sizeof(buf), "%" PRIu64, v);
	if (k == KEY_MISPREDICT)
		z = v & 1 ? "N" : v & 2 ? "Y" : "N/A";
	else if (k == KEY_IN_TX)
		z = v ? "T" : ".";
	else if (k == KEY_ABORT)
		z = v ? "A" : ".";
	else if (!v)
		z = "-";
	add_left(s, z, width);
}

static void add_memory_key(struct str *s, enum sort_key k, const struct hist_value *v, int width)
{
	const char *z = v->text ? v->text : "[unknown]";
	if (k == KEY_LOCKED || k == KEY_BLOCKED)
		add_cut(s, z, width);
	else if (k == KEY_SYM_DADDR || k == KEY_SYM_IADDR || k == KEY_DCACHELINE)
		str_add(s, z); /* whole: a variable's offset is behind its name */
	else
		str_addf(s, "%-*s", width, z);
}

static void add_branch_end(const struct report_table *t, struct str *s, enum sort_key k, const struct place *p, int width)
{
	add_place_key(t, s, k, p, p->level, p->addr, width);
}

static void add_key(const struct report_table *t, struct str *s, const struct column *c, const struct hist_entry *e, int width)
{
	enum sort_key k = c->row->key;
	if (c->row->of == KEY_OF_PLACE) {
		add_place_key(t, s, k, place_at(&t->p->places, e->place), e->mode, e->addr, width);
		return;
	}
	const struct hist_value *v = value_of(t, e, c);
	if (c->row->of == KEY_OF_MEMORY) {
		add_memory_key(s, k, v, width);
		return;
	}
	switch (k) {
	case KEY_COMM:
		add_left(s, v->text, width);
		break;
	case KEY_PID:
	case KEY_TID:
		str_addf(s, "%7d:", (int)(uint32_t)v->v);
		add_left(s, ((const struct thread *)e->thread)->comm, (width > 7 ? width : 7) - 8);
		break;
	case KEY_PARENT:
		add_left(s, v->text ? v->text : "[other]", width);
		break;
	case KEY_CPU:
		str_addf(s, "%*.*d", width, width, (int)v->v);
		break;
	case KEY_SOCKET:
		str_addf(s, "%*.*d", width, width - 3, (int)v->v);
		break;
	case KEY_CGROUP_ID:
		add_cut(s, v->text, width);
		break;
	case KEY_CODE_PAGE_SIZE:
		add_left(s, v->text, width);
		break;
	case KEY_TIME:
		add_time(t, s, v->v);
		break;
	case KEY_CGROUP:
		str_add_safez(s, v->text);
		break;
	case KEY_TYPE:
	case KEY_TYPEOFF:
	case KEY_TYPECLN:
		str_addf(s, "%-*s", width, v->text); /* perf has no width for it but its heading's */
		break;
	case KEY_TRACE:
		add_cut(s, v->text ? v->text : "N/A", width);
		break;
	case KEY_FIELD:
		str_addf(s, "%*.*s", width, width, v->text ? v->text : "");
		break;
	case KEY_LOCAL_WEIGHT:
	case KEY_LOCAL_INS_LAT:
	case KEY_LOCAL_RETIRE_LAT:
		str_addf(s, "%-*" PRIu64, width, v->v);
		break;
	case KEY_WEIGHT:
	case KEY_INS_LAT:
	case KEY_RETIRE_LAT:
		str_addf(s, "%-*" PRIu64, width, v->v * e->self.n);
		break;
	case KEY_ADDR:
		str_addf(s, "%#-*" PRIx64, width, v->v);
		break;
	case KEY_MISPREDICT:
	case KEY_IN_TX:
	case KEY_ABORT:
	case KEY_CYCLES:
		add_branch_flag(s, k, v->v, width);
		break;
	default:
		add_branch_end(t, s, k, place_at(&t->p->places, v->v), width);
	}
}

static uint64_t number_of(enum column_kind k, const struct tally *self, const struct tally *sum)
{
	switch (k) {
	case COLUMN_CHILDREN: return sum->period;
	case COLUMN_SYS: return self->sys;
	case COLUMN_USR: return self->usr;
	case COLUMN_GUEST_SYS: return self->guest_sys;
	case COLUMN_GUEST_USR: return self->guest_usr;
	case COLUMN_SAMPLES: return self->n;
	default: return self->period;
	}
}

static bool is_percent(enum column_kind k)
{
	return k != COLUMN_SAMPLES && k != COLUMN_PERIOD;
}

static int number_width(enum column_kind k)
{
	return is_percent(k) ? k == COLUMN_GUEST_SYS || k == COLUMN_GUEST_USR ? 9 : 8 : 12;
}

static void add_number(const struct report_table *t, struct str *s, enum column_kind k, uint64_t v, uint64_t total, int user)
{
	int width = t->s->separator ? 1 : (user ? user : number_width(k)) - (is_percent(k) ? 2 : 1);
	if (is_percent(k))
		str_addf(s, " %*.2f%%", width, total ? 100.0 * v / total : 0.0);
	else
		str_addf(s, " %*" PRIu64, width, v);
}

static void add_numbers(const struct report_table *t, struct str *s, const struct column *c, const struct hist_entry *e, int user)
{
	static const struct hist_pair none;
	if (c->kind == COLUMN_CHILDREN && !t->p->fold.children) {
		str_addf(s, " %*s", 7, "N/A");
		return;
	}
	add_number(t, s, c->kind, number_of(c->kind, &e->self, &e->sum), hist_total(t->h), user);
	for (int i = 0; i < t->h->n_pair; i++) {
		const struct hist_pair *m = e->pair ? &e->pair[i] : &none;
		add_number(t, s, c->kind, number_of(c->kind, &m->self, &m->sum), t->h->pair_total[i], user);
	}
}

/* ---- widths ---- */

static int symbol_width(const struct place *p)
{
	return (p->sym ? (int)strlen(p->sym) : ADDRESS + 2) + 4 + (p->sym && verbosity > 0 ? ADDRESS + 2 + 3 : 0);
}

static int place_width(const struct report_table *t, enum sort_key k, const struct place *p)
{
	switch (k) {
	case KEY_SYM:
	case KEY_SYM_FROM:
	case KEY_SYM_TO:
		return symbol_width(p);
	case KEY_DSO:
	case KEY_DSO_FROM:
	case KEY_DSO_TO: {
		int least = !p->sym && !t->s->widths && !t->s->separator && !t->p->o.dsos ? ADDRESS : 0;
		int n = p->dso ? (int)strlen(place_dso_name(p, t->p->fold.full_dso)) : 0;
		return n > least ? n : least;
	}
	case KEY_SRCLINE:
	case KEY_SRCLINE_FROM:
	case KEY_SRCLINE_TO:
		return p->line ? (int)strlen(p->line) : 4;
	case KEY_SRCFILE:
		return p->file ? (int)strlen(p->file) : 0;
	default:
		return 0;
	}
}

/* Of a string of any length perf counts the NUL where it has compared two. */
static bool is_dynamic(const struct report_table *t, const struct column *c)
{
	struct tp_format *f = profile_format(t->p, t->event);
	const struct tp_field *fd = f ? tp_format_field(f, c->field) : NULL;
	return fd && fd->dynamic && fd->kind == TP_STRING && !t->p->o.raw_trace;
}

static int key_width(const struct report_table *t, const struct column *c, const struct hist_entry *e)
{
	enum sort_key k = c->row->key;
	if (c->row->of == KEY_OF_PLACE)
		return place_width(t, k, place_at(&t->p->places, e->place));
	const struct hist_value *v = value_of(t, e, c);
	switch (k) {
	case KEY_COMM:
		return (int)strlen(((const struct thread *)e->thread)->comm);
	case KEY_PID:
	case KEY_TID:
		return (int)strlen(((const struct thread *)e->thread)->comm) + 8;
	case KEY_PARENT:
	case KEY_TRACE:
	case KEY_CGROUP:
	case KEY_CGROUP_ID:
	case KEY_CODE_PAGE_SIZE:
		return v->text ? (int)strlen(v->text) : 0;
	case KEY_FIELD:
		return v->text ? (int)strlen(v->text) + (t->h->entry.n > 1 && is_dynamic(t, c)) : 0;
	case KEY_TIME:
		return t->s->nanosecs ? 16 : 12;
	case KEY_DSO_DADDR:
		return v->text ? (int)strlen(v->text) : t->s->widths || t->s->separator || t->p->o.dsos ? 0 : ADDRESS;
	case KEY_SYM_DADDR:
	case KEY_SYM_IADDR:
		return v->width;
	case KEY_DCACHELINE:
		return v->width > ADDRESS + 6 ? v->width + 1 : v->width;
	default:
		return c->row->of == KEY_OF_BRANCH && k != KEY_MISPREDICT && k != KEY_IN_TX && k != KEY_ABORT && k != KEY_CYCLES ?
			place_width(t, k, place_at(&t->p->places, v->v)) : 0;
	}
}

/* A tracepoint's field is at least as wide as its bytes in hex, or its text. */
static int field_width(const struct report_table *t, const struct column *c)
{
	struct tp_format *f = profile_format(t->p, t->event);
	const struct tp_field *fd = f ? tp_format_field(f, c->field) : NULL;
	return !fd ? 0 : fd->kind == TP_STRING ? (int)fd->size : (int)fd->size * 2 + 2;
}

/* Of a hierarchy, to what is below it, too. */
static void widen_to(struct report_table *t, const struct hist_entry *e)
{
	const struct layout *l = t->p->fold.layout;
	for (size_t i = 0; i < l->col.n && !e->filtered; i++) {
		const struct column *c = &l->col.at[i];
		int w = c->kind == COLUMN_KEY ? key_width(t, c, e) : 0;
		if (c->kind == COLUMN_KEY && w < c->row->min_width)
			w = c->row->min_width; /* in an empty table the head's */
		if (w > t->width.at[i])
			t->width.at[i] = w;
	}
	for (int i = 0; i < e->n_child; i++)
		widen_to(t, e->child[i]);
}

static void set_widths(struct report_table *t)
{
	const struct layout *l = t->p->fold.layout;
	for (size_t i = 0; i < l->col.n; i++) {
		const struct column *c = &l->col.at[i];
		const char *header = column_header(t->p->fold.layout, c);
		int w = (int)strlen(header), n = c->kind == COLUMN_KEY ? 0 : number_width(c->kind) * (1 + t->h->n_pair);
		if (c->kind == COLUMN_KEY)
			n = c->row->key == KEY_FIELD ? field_width(t, c) : 0;
		*vec_push(&t->width) = n > w ? n : w;
	}
	vec_each(&t->h->entry, e)
		widen_to(t, *e);
	for (size_t i = 0; t->s->widths && i < l->out.n && i < t->s->widths->n; i++) {
		int c = l->out.at[i], w = t->s->widths->at[i]; /* columns of numbers do not get narrower than their heads */
		if (w && (l->col.at[c].kind == COLUMN_KEY || w > t->width.at[c]))
			t->width.at[c] = w;
	}
}

/* Fields of other tracepoints and what a filter made the same in every line are left out. */
static bool is_shown(const struct report_table *t, const struct column *c)
{
	if (c->elide)
		return false;
	if (c->kind != COLUMN_KEY || c->row->key != KEY_FIELD)
		return true;
	struct tp_format *f = profile_format(t->p, t->event);
	if (c->event && !recorded_is_event(t->p->data, t->event, c->event))
		return false;
	return f && tp_format_field(f, c->field);
}

/* ---- lines ---- */

static void add_headers(const struct report_table *t, struct str *s)
{
	const char *sep = t->s->separator;
	vec_each(&t->shown, i) {
		const struct column *c = column_at(t, *i);
		const char *z = column_header(t->p->fold.layout, c);
		bool right = c->kind != COLUMN_KEY || c->row->key == KEY_FIELD;
		int w = t->width.at[*i];
		if (i != t->shown.at)
			str_add(s, sep ? sep : "  ");
		str_addf(s, right ? "%*.*s" : "%-*.*s", w, w, z);
	}
}

void report_table_rule(const struct report_table *t, struct str *s)
{
	vec_each(&t->shown, i) {
		if (i != t->shown.at)
			str_add(s, "  ");
		for (int k = 0; k < t->width.at[*i]; k++)
			str_addc(s, '.');
	}
}

static void print_headers(struct report_table *t)
{
	struct str s = STR_INIT;
	const char *sep = t->s->separator;
	str_add(&s, "# ");
	add_headers(t, &s);
	str_addc(&s, '\n');
	if (!sep) {
		str_add(&s, "# ");
		report_table_rule(t, &s);
		str_add(&s, "\n#\n");
	}
	out_str(t->out, &s);
	str_release(&s);
}

/* A separator inside a name would make a column. */
static void no_separators(struct str *s, size_t start, char sep)
{
	for (size_t i = start; i < s->len; i++)
		if (s->buf[i] == sep)
			s->buf[i] = '.';
}

/* -w counts all columns, also those that are not shown. */
static int user_width(const struct report_table *t, int column)
{
	const struct layout *l = t->p->fold.layout;
	for (size_t i = 0; t->s->widths && i < l->out.n && i < t->s->widths->n; i++)
		if (l->out.at[i] == column)
			return t->s->widths->at[i];
	return 0;
}

static void add_line(struct report_table *t, struct str *s, const struct hist_entry *e)
{
	const char *sep = t->s->separator;
	vec_each(&t->shown, i) {
		const struct column *c = column_at(t, *i);
		bool last = *i == *vec_last(&t->p->fold.layout->out); /* also when the last one is elided */
		if (!sep || i != t->shown.at)
			str_add(s, sep ? sep : "  ");
		size_t start = s->len;
		if (c->kind == COLUMN_KEY)
			add_key(t, s, c, e, t->width.at[*i]);
		else
			add_numbers(t, s, c, e, user_width(t, *i));
		if (sep)
			no_separators(s, start, *sep);
		size_t has = t->s->on_screen ? utf8_columns(s->buf + start, s->len - start) : s->len - start;
		if (!last && has < (size_t)t->width.at[*i])
			str_pad(s, s->len + t->width.at[*i] - has, ' ');
	}
	str_addc(s, '\n');
}

static void add_graph(struct report_table *t, struct str *s, const struct hist_entry *e)
{
	struct fold *f = &t->p->fold;
	if (!t->s->graphs || !t->h->has_chains)
		return;
	struct chain_tree *tree = hist_chains(t->h, e);
	callgraph_print(s, &t->p->places, tree, &t->s->graph, t->h->total, f->children ? e->sum.period : e->self.period);
	chain_tree_free(tree);
}

/* What --percent-limit asks: of a group, as perf, the leader's share alone. */
static double percent_of(const struct report_table *t, const struct hist_entry *e)
{
	uint64_t total = hist_total(t->h), v = t->p->fold.children ? e->sum.period : e->self.period;
	return total ? 100.0 * v / total : 0.0;
}

static void print_line(struct report_table *t, struct str *s, const struct hist_entry *e)
{
	add_line(t, s, e);
	add_graph(t, s, e);
	out_str(t->out, s);
}

/* ---- hierarchy: the keys become levels ---- */

/* "Command / Symbol"; how wide the keys are. */
static int hierarchy_names(const struct report_table *t, struct str *names)
{
	int depth = 0, widest = 0;
	vec_each(&t->shown, i) {
		if (column_at(t, *i)->kind != COLUMN_KEY)
			continue;
		const char *z = column_header(t->p->fold.layout, column_at(t, *i));
		while (*z == ' ')
			z++;
		str_addf(names, "%s%s", depth ? " / " : "", z);
		int w = depth++ * INDENT + t->width.at[*i];
		widest = w > widest ? w : widest;
	}
	return widest;
}

static void hierarchy_headers(struct report_table *t, int levels)
{
	struct str s = STR_INIT, names = STR_INIT;
	int header = 0, widest = hierarchy_names(t, &names);
	str_addf(&s, "# %*s", (levels - 1) * INDENT, "");
	vec_each(&t->shown, i)
		if (column_at(t, *i)->kind != COLUMN_KEY)
			str_addf(&s, "%*s  ", t->width.at[*i], column_header(t->p->fold.layout, column_at(t, *i)));
	header = names.len;
	str_addf(&s, "%s\n# ", names.buf);
	for (int i = 0; i < (levels - 1) * INDENT; i++)
		str_addc(&s, '.');
	bool first = true;
	vec_each(&t->shown, i)
		if (column_at(t, *i)->kind != COLUMN_KEY) {
			str_add(&s, first ? "" : "..");
			first = false;
			for (int k = 0; k < t->width.at[*i]; k++)
				str_addc(&s, '.');
		}
	str_add(&s, "  ");
	for (int i = 0; i < (header > widest ? header : widest); i++)
		str_addc(&s, '.');
	str_add(&s, "\n#\n");
	out_str(t->out, &s);
	str_release(&s);
	str_release(&names);
}

static void hierarchy_add(const struct report_table *t, struct str *s, const struct hist_entry *e, int levels)
{
	struct str text = STR_INIT;
	int level = 0;
	str_addf(s, "%*s", e->level * INDENT, "");
	vec_each(&t->shown, i) {
		const struct column *c = column_at(t, *i);
		if (c->kind != COLUMN_KEY) {
			str_add(s, "  ");
			add_numbers(t, s, c, e, 0);
		} else if (level++ == e->level) {
			add_key(t, &text, c, e, t->width.at[*i]);
		}
	}
	const char *z = text.buf;
	while (*z == ' ')
		z++;
	str_addf(s, "%*s  %s", (levels - 1) * INDENT, "", z);
	str_release(&text);
}

static void hierarchy_line(struct report_table *t, struct str *s, const struct hist_entry *e, int levels)
{
	hierarchy_add(t, s, e, levels);
	str_addc(s, '\n');
	if (!e->n_child)
		add_graph(t, s, e);
	out_str(t->out, s);
}

static void hierarchy_print(struct report_table *t, struct str *s, struct hist_entry **e, size_t n, int levels)
{
	for (size_t i = 0; i < n; i++) {
		if (e[i]->filtered || percent_of(t, e[i]) < t->s->min_percent)
			continue;
		hierarchy_line(t, s, e[i], levels);
		hierarchy_print(t, s, e[i]->child, e[i]->n_child, levels);
		bool any = !e[i]->n_child;
		for (int k = 0; k < e[i]->n_child && !any; k++)
			any = !e[i]->child[k]->filtered && percent_of(t, e[i]->child[k]) >= t->s->min_percent;
		if (!any)
			out_printf(t->out, "%*sno entry >= %.2f%%\n", (levels + e[i]->level) * INDENT + 12, "", t->s->min_percent);
	}
}

/* The number of key columns that are shown. */
static int table_begin(struct report_table *t)
{
	int levels = 0;
	vec_each(&t->p->fold.layout->out, i)
		if (is_shown(t, column_at(t, *i))) {
			*vec_push(&t->shown) = *i;
			levels += column_at(t, *i)->kind == COLUMN_KEY;
		}
	set_widths(t);
	return levels;
}

static void table_end(struct report_table *t)
{
	vec_release(&t->shown);
	vec_release(&t->width);
}

struct report_table *report_table_new(struct profile *p, struct hist *h, int event, const struct report_style *s)
{
	struct report_table *t = xcalloc(1, sizeof(*t));
	*t = (struct report_table){ .p = p, .h = h, .s = s, .event = event };
	t->levels = table_begin(t);
	return t;
}

void report_table_key(const struct report_table *t, struct str *s, const struct column *c, const struct hist_entry *e, int least)
{
	int width = key_width(t, c, e);
	add_key(t, s, c, e, width > least ? width : least);
}

void report_table_align(struct report_table *a, struct report_table *b)
{
	for (size_t i = 0; i < a->width.n && i < b->width.n; i++) {
		int w = a->width.at[i] > b->width.at[i] ? a->width.at[i] : b->width.at[i];
		a->width.at[i] = b->width.at[i] = w;
	}
}

void report_table_free(struct report_table *t)
{
	if (!t)
		return;
	table_end(t);
	free(t);
}

void report_table_head(struct report_table *t, struct str *s)
{
	if (!t->s->hierarchy) {
		add_headers(t, s);
		return;
	}
	vec_each(&t->shown, i)
		if (column_at(t, *i)->kind != COLUMN_KEY)
			str_addf(s, "%*s  ", t->width.at[*i], column_header(t->p->fold.layout, column_at(t, *i)));
	str_addf(s, "%*s", (t->levels - 1) * INDENT, "");
	hierarchy_names(t, s);
}

void report_table_line(struct report_table *t, struct str *s, const struct hist_entry *e)
{
	if (t->s->hierarchy) {
		hierarchy_add(t, s, e, t->levels);
		return;
	}
	add_line(t, s, e);
	s->buf[--s->len] = 0;
}

void report_table_graph(struct report_table *t, struct str *s, const struct hist_entry *e)
{
	add_graph(t, s, e);
}

double report_table_percent(const struct report_table *t, const struct hist_entry *e)
{
	return percent_of(t, e);
}

void report_print(struct out *out, struct profile *p, struct hist *h, int event, const struct report_style *style)
{
	struct report_table t = { .out = out, .p = p, .h = h, .s = style, .event = event };
	struct str s = STR_INIT;
	int levels = table_begin(&t);
	if (style->hierarchy) {
		hist_hierarchy(h);
		if (style->headers)
			hierarchy_headers(&t, levels);
		hierarchy_print(&t, &s, h->entry.at, h->entry.n, levels);
	} else {
		if (style->headers)
			print_headers(&t);
		vec_each(&h->entry, e)
			if (!(*e)->filtered && percent_of(&t, *e) >= style->min_percent)
				print_line(&t, &s, *e);
	}
	str_release(&s);
	table_end(&t);
}
