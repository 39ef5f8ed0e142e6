// SPDX-License-Identifier: GPL-2.0-or-later
/* Statements. A loop over an array goes through what was there when it began. */
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/interp/inner.h"

/* ---- foreach ---- */

struct item { struct interp_value key[VALUE_KEYS]; struct interp_value value; int64_t by; const struct interp_cell *cell; };
struct order { unsigned key; int sign; bool number; };

static struct order sorting; /* qsort() has no place for it; one thread runs scripts */

static int compare(const void *x, const void *y)
{
	const struct item *a = *(const struct item *const *)x, *b = *(const struct item *const *)y;
	int c;
	if (sorting.number)
		c = a->by < b->by ? -1 : a->by > b->by;
	else if (sorting.key)
		c = value_compare(&a->key[sorting.key - 1], &b->key[sorting.key - 1]);
	else
		c = value_compare(&a->value, &b->value);
	if (c)
		return c * sorting.sign;
	return a->cell->age < b->cell->age ? -1 : 1; /* as they came */
}

static bool fits(struct interp *ip, struct script_node *pattern, const struct interp_cell *c)
{
	unsigned k = 0;
	for (struct script_node *i = pattern; i && k < VALUE_KEYS; i = i->next, k++) {
		if (i->kind == NODE_TUPLE) /* any */
			continue;
		struct interp_value v = interp_eval(ip, i);
		if (error_pending() || value_compare(&v, &c->key[k]))
			return false;
	}
	return true;
}

static struct interp_value kept(struct interp *ip, struct interp_value v)
{
	return v.kind == VALUE_TEXT ? interp_text(ip, v.text, v.len) : v;
}

/* What the loop goes through: the array may change meanwhile. */
static struct item **gather(struct interp *ip, const struct script_node *n, size_t *count)
{
	struct interp_global *g = &ip->globals[n->a->value];
	struct item **list = xcalloc(g->items.live + 1, sizeof(*list));
	*count = 0;
	for (size_t i = 0; i < g->items.cells.n && *count < g->items.live && !error_pending(); i++) {
		const struct interp_cell *c = g->items.cells.at[i];
		if (c->dead || !fits(ip, n->a->args, c))
			continue;
		struct item *it = interp_room(ip, sizeof(*it));
		for (unsigned k = 0; k < g->items.n_keys; k++)
			it->key[k] = kept(ip, c->key[k]);
		it->value = c->statistics ? value_number(c->statistics->count) : kept(ip, c->value);
		it->cell = c;
		if (n->name || c->statistics)
			statistics_get(c->statistics, n->name ? n->name : "count", &it->by);
		list[(*count)++] = it;
	}
	return list;
}

static void bind(struct interp *ip, struct script_node *to, struct interp_value v)
{
	if (to->kind == NODE_LOCAL)
		ip->locals[to->value] = v;
	else
		cell_set(&ip->globals[to->value].cell, v);
}

static enum interp_flow foreach(struct interp *ip, struct script_node *n)
{
	size_t count, most;
	struct interp_value limit = n->b ? interp_eval(ip, n->b) : value_number(INT64_MAX);
	struct item **list = gather(ip, n, &count);
	enum interp_flow flow = FLOW_ON;
	most = interp_number(&limit) < 0 ? 0 : (uint64_t)interp_number(&limit) < count ? (size_t)interp_number(&limit) : count;
	sorting = (struct order){ (unsigned)n->value, n->op == '-' ? -1 : 1, !n->value && count && (n->name || list[0]->cell->statistics) };
	if (n->op && count)
		qsort(list, count, sizeof(*list), compare);
	for (size_t i = 0; i < most && (flow == FLOW_ON || flow == FLOW_CONTINUE) && !error_pending(); i++) {
		unsigned k = 0;
		for (struct script_node *v = n->args; v; v = v->next)
			bind(ip, v, list[i]->key[k++]);
		if (n->c)
			bind(ip, n->c, list[i]->value);
		flow = interp_list(ip, n->body);
	}
	free(list);
	return error_pending() ? FLOW_FAILED : flow == FLOW_BREAK || flow == FLOW_CONTINUE ? FLOW_ON : flow;
}

/* ---- others ---- */

static enum interp_flow loop(struct interp *ip, struct script_node *n)
{
	struct script_node *condition = n->kind == NODE_FOR ? n->b : n->a;
	enum interp_flow flow = FLOW_ON;
	if (n->kind == NODE_FOR && n->a)
		interp_eval(ip, n->a);
	while (!error_pending()) {
		struct interp_value v = condition ? interp_eval(ip, condition) : value_number(1);
		if (error_pending() || !interp_number(&v))
			break;
		flow = interp_list(ip, n->body);
		if (flow != FLOW_ON && flow != FLOW_CONTINUE)
			break;
		if (++ip->steps > ip->steps_max)
			interp_fail(ip, n, "MAXACTION exceeded: this loop does not come to its end");
		if (n->kind == NODE_FOR && n->c && !error_pending())
			interp_eval(ip, n->c);
	}
	return error_pending() ? FLOW_FAILED : flow == FLOW_BREAK || flow == FLOW_CONTINUE ? FLOW_ON : flow;
}

/* delete array[*, 1] */
static bool has_star(const struct script_node *keys)
{
	for (; keys; keys = keys->next)
		if (keys->kind == NODE_TUPLE)
			return true;
	return false;
}

static enum interp_flow delete(struct interp *ip, const struct script_node *n)
{
	struct interp_global *g = &ip->globals[n->a->value];
	if (g->array && !n->a->args) {
		unsigned keys = g->items.n_keys;
		array_empty(&g->items);
		g->items.n_keys = keys;
	} else if (g->array && has_star(n->a->args)) {
		for (size_t i = 0; i < g->items.cells.n && !error_pending(); i++)
			if (!g->items.cells.at[i]->dead && fits(ip, n->a->args, g->items.cells.at[i]))
				array_delete(&g->items, g->items.cells.at[i]);
	} else if (g->array) {
		array_delete(&g->items, interp_cell_of(ip, n->a, false));
	} else {
		cell_clear(&g->cell);
	}
	return error_pending() ? FLOW_FAILED : FLOW_ON;
}

static enum interp_flow try(struct interp *ip, struct script_node *n)
{
	enum interp_flow flow = interp_list(ip, n->body);
	if (flow != FLOW_FAILED)
		return flow;
	struct interp_value text = interp_text(ip, error_message(), strlen(error_message()));
	error_clear();
	if (n->a)
		bind(ip, n->a, text);
	return interp_list(ip, n->other);
}

static enum interp_flow statement(struct interp *ip, struct script_node *n)
{
	struct interp_value v;
	switch (n->kind) {
	case NODE_EXPR:
		interp_eval(ip, n->a);
		return ip->leaving_block ? FLOW_NEXT : FLOW_ON;
	case NODE_IF:
		v = interp_eval(ip, n->a);
		if (error_pending())
			return FLOW_FAILED;
		return interp_list(ip, (v.kind == VALUE_TEXT ? v.len > 0 : interp_number(&v) != 0) ? n->body : n->other);
	case NODE_WHILE:
	case NODE_FOR: return loop(ip, n);
	case NODE_FOREACH: return foreach(ip, n);
	case NODE_BLOCK: return interp_list(ip, n->body);
	case NODE_DELETE: return delete(ip, n);
	case NODE_TRY: return try(ip, n);
	case NODE_BREAK: return FLOW_BREAK;
	case NODE_CONTINUE: return FLOW_CONTINUE;
	case NODE_NEXT: return FLOW_NEXT;
	case NODE_RETURN:
		if (n->a)
			ip->result = interp_eval(ip, n->a);
		return error_pending() ? FLOW_FAILED : FLOW_RETURN;
	default: /* an assignment may stand by itself */
		interp_eval(ip, n);
		return FLOW_ON;
	}
}

enum interp_flow interp_list(struct interp *ip, struct script_node *n)
{
	enum interp_flow flow = FLOW_ON;
	for (; n && flow == FLOW_ON; n = n->next) {
		if (++ip->steps > ip->steps_max)
			interp_fail(ip, n, "MAXACTION exceeded: the block does more than %llu steps", (unsigned long long)ip->steps_max);
		if (error_pending())
			return FLOW_FAILED;
		flow = statement(ip, n);
		if (error_pending())
			return FLOW_FAILED;
	}
	return flow;
}
