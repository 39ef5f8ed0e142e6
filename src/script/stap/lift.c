// SPDX-License-Identifier: GPL-2.0-or-later
/* Conditions that a block begins with, decided in the kernel: if (pid() != target()) next; or a block that is one if. */
#include <string.h>
#include "base/error.h"
#include "script/stap/bind.h"
#include "base/str.h"
#include "script/stap/calls.h"
#include "script/stap/context.h"
#include "script/stap/parse/lex.h"

/* Made of what the kernel has as it is and of constants, and compared for being the same alone: signs do not matter then. */
static bool is_plain(const struct stap_block *b, const struct script_node *n, bool value)
{
	switch (n->kind) {
	case NODE_INT: return true;
	case NODE_STRING: return value && n->len < 16 && n->len;
	case NODE_SLOT: return b->slots.at[n->value].form == SLOT_PLAIN && b->slots.at[n->value].name && (value || strcmp(b->slots.at[n->value].name, "execname"));
	case NODE_CALL: return !strcmp(n->name, "target") && !n->n_args;
	case NODE_UNARY: return n->op == '!' && !value && is_plain(b, n->a, false);
	case NODE_BINARY:
		if (n->op == TOKEN_AND || n->op == TOKEN_OR)
			return !value && is_plain(b, n->a, false) && is_plain(b, n->b, false);
		return !value && (n->op == TOKEN_EQ || n->op == TOKEN_NE) && is_plain(b, n->a, true) && is_plain(b, n->b, true);
	default: return false;
	}
}

static void add(struct stap_scope *sc, const struct script_node *condition, bool not)
{
	struct probe *p = sc->block->probe;
	struct script_node *tree = stap_kernel_tree(sc, condition);
	if (!tree) {
		error_clear();
		return;
	}
	if (not) {
		struct script_node *n = node_new(sc->st->source, NODE_UNARY, tree->at);
		n->op = '!';
		n->a = tree;
		tree = n;
	}
	if (p->predicate) {
		struct script_node *n = node_new(sc->st->source, NODE_BINARY, tree->at);
		n->op = TOKEN_AND;
		n->a = p->predicate;
		n->b = tree;
		tree = n;
	}
	p->predicate = tree;
}

/* next, or { next } */
static bool is_next(const struct script_node *n)
{
	while (n && n->kind == NODE_BLOCK && n->body && !n->body->next)
		n = n->body;
	return n && n->kind == NODE_NEXT && !n->next;
}

static bool is_quiet(const struct script_node *n)
{
	if (n->kind == NODE_EXPR)
		n = n->a;
	return n->kind == NODE_ASSIGN && n->a->kind == NODE_LOCAL && (n->b->kind == NODE_SLOT || n->b->kind == NODE_INT || n->b->kind == NODE_STRING);
}

/* false: behind this nothing can be lifted any more. last: nothing follows. */
static bool lift(struct stap_scope *sc, const struct script_node *n, bool last)
{
	for (; n; n = n->next) {
		bool end = last && !n->next;
		if (n->kind == NODE_BLOCK) {
			if (!lift(sc, n->body, end))
				return false;
		} else if (n->kind == NODE_IF && is_plain(sc->block, n->a, false)) {
			if (is_next(n->body) && !n->other) {
				add(sc, n->a, true);
			} else {
				if (end && !n->other)
					add(sc, n->a, false);
				return false;
			}
		} else if (!is_quiet(n)) {
			return false;
		}
	}
	return true;
}

bool stap_returns_twice(const struct stap_block *b)
{
	static const char *const calls[] = { "fork", "vfork", "clone", "clone3" };
	for (size_t i = 0; b->side == SIDE_RETURN && b->call && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(b->call, calls[i]))
			return true;
	return false;
}

void stap_lift(struct stap_scope *sc)
{
	if (sc->block->of_target && sc->st->target) {
		struct script_node *same = node_new(sc->st->source, NODE_BINARY, sc->block->at);
		same->op = TOKEN_EQ;
		same->a = node_new(sc->st->source, NODE_WORD, sc->block->at);
		same->a->name = "pid";
		same->b = node_new(sc->st->source, NODE_INT, sc->block->at);
		same->b->value = (uint64_t)sc->st->target;
		sc->block->probe->predicate = same;
	}
	if (sc->block->any_call) /* numbers of 32-bit calls are of another table */
		sc->block->probe->predicate = stap_template(sc->st, "(((struct task_struct *)curtask)->thread_info.status & 2) == 0", sc->block->at, NULL, 0);
	if (stap_returns_twice(sc->block)) /* only the one who has called returns there: the child was never in it */
		sc->block->probe->predicate = stap_template(sc->st, "args.ret != 0", sc->block->at, NULL, 0);
	if (!sc->block->condition)
		lift(sc, sc->block->body, true);
}
