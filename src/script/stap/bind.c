// SPDX-License-Identifier: GPL-2.0-or-later
/* Names to variables, functions and values of the kernel, block by block. A function of the script is bound once for all,
 * unless it reads memory: then a call of it in a block gets a copy, whose parameters are the call's own expressions, so that
 * the kernel can be asked for what is read. */
#include "script/stap/bind.h"
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/words.h"
#include "kernel/root.h"
#include "script/provider/provider.h"
#include "script/stap/calls.h"
#include "script/stap/context.h"
#include "script/stap/parse/lex.h"
#include "script/stap/tree.h"

enum { COPIES_DEEP = 12, NOT_FOUND = -1 };

static int expr(struct stap_scope *sc, struct script_node **at);
static int list(struct stap_scope *sc, struct script_node **at);

/* ---- looking up ---- */

static int global_of(const struct stap *st, const char *name)
{
	for (size_t i = st->globals.n; i--;)
		if (!strcmp(st->globals.at[i]->name, name))
			return (int)i;
	return NOT_FOUND;
}

struct stap_function *stap_function_of(const struct stap *st, const char *name)
{
	for (size_t i = st->functions.n; i--;)
		if (!st->functions.at[i]->copy && !strcmp(st->functions.at[i]->name, name))
			return st->functions.at[i];
	return NULL;
}

static int local_of(struct stap_scope *sc, const char *name, struct span at, bool make)
{
	struct stap_variable *v = sc->fn ? sc->fn->locals.at : sc->block->locals.at;
	size_t n = sc->fn ? sc->fn->locals.n : sc->block->locals.n;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].name, name))
			return (int)i;
	if (!make)
		return NOT_FOUND;
	if (sc->fn)
		*vec_push(&sc->fn->locals) = (struct stap_variable){ name, at };
	else
		*vec_push(&sc->block->locals) = (struct stap_variable){ name, at };
	return (int)n;
}

struct named { const char *name; };

static bool sets(struct script_node *n, void *ctx)
{
	const char *name = ((struct named *)ctx)->name;
	struct script_node *to = n->kind == NODE_ASSIGN || n->kind == NODE_STEP || n->kind == NODE_PUSH || n->kind == NODE_TRY ? n->a : NULL;
	if (to && to->kind == NODE_WORD && !strcmp(to->name, name))
		return true;
	if (n->kind != NODE_FOREACH)
		return false;
	for (struct script_node *v = n->args; v; v = v->next)
		if (v->kind == NODE_WORD && !strcmp(v->name, name))
			return true;
	return n->c && n->c->kind == NODE_WORD && !strcmp(n->c->name, name);
}

bool stap_assigned(struct script_node *body, const char *name)
{
	struct named w = { name };
	return stap_visit(body, sets, &w);
}

/* ---- variables ---- */

static int no_variable(struct stap_scope *sc, const struct script_node *n)
{
	struct nearest near;
	source_error(sc->st->source, n->at, "there is no variable '%s', and nothing sets one here", n->name);
	nearest_init(&near, n->name);
	for (size_t i = 0; i < sc->st->globals.n; i++)
		nearest_offer(&near, sc->st->globals.at[i]->name);
	for (size_t i = 0; sc->block && i < sc->block->locals.n; i++)
		nearest_offer(&near, sc->block->locals.at[i].name);
	for (size_t i = 0; sc->fn && i < sc->fn->locals.n; i++)
		nearest_offer(&near, sc->fn->locals.at[i].name);
	nearest_hint(&near);
	return error_code();
}

/* argc, argv_1: SystemTap's other names for $# and @1; what was not given is "". */
static bool parameter(struct stap_scope *sc, struct script_node *n)
{
	const struct params *p = &sc->st->params;
	if (!strcmp(n->name, "argc")) {
		n->kind = NODE_INT;
		n->value = p->n;
		return true;
	}
	uint64_t k;
	if (!str_starts(n->name, "argv_") || parse_u64(n->name + 5, &k) || !k)
		return false;
	n->kind = NODE_STRING;
	n->name = k <= p->n ? arena_text(&sc->st->source->memory, p->at[k - 1], strlen(p->at[k - 1])) : "";
	n->len = strlen(n->name);
	return true;
}

static int word(struct stap_scope *sc, struct script_node **at, bool written)
{
	struct script_node *n = *at;
	bool is = false;
	int g, v = local_of(sc, n->name, n->at, written && global_of(sc->st, n->name) == NOT_FOUND);
	if (v != NOT_FOUND && (sc->fn || global_of(sc->st, n->name) == NOT_FOUND)) {
		n->kind = NODE_LOCAL;
		n->value = (uint64_t)v;
		return 0;
	}
	if ((g = global_of(sc->st, n->name)) != NOT_FOUND) {
		n->kind = NODE_MAP;
		n->value = (uint64_t)g;
		sc->st->globals.at[g]->read |= !written;
		sc->st->globals.at[g]->written |= written;
		return 0;
	}
	if (stap_assigned(sc->fn ? sc->fn->body : sc->block->body, n->name)) { /* further down, or in a loop */
		n->kind = NODE_LOCAL;
		n->value = (uint64_t)local_of(sc, n->name, n->at, true);
		return 0;
	}
	if (parameter(sc, n))
		return 0;
	int err = sc->block && sc->block->call ? stap_call_value(sc, at, &is) : 0;
	return err || is ? err : no_variable(sc, n);
}

/* An array by its name; its keys are bound already. */
static int array(struct stap_scope *sc, struct script_node *n, bool written)
{
	int g = global_of(sc->st, n->name);
	if (g == NOT_FOUND) {
		source_error(sc->st->source, n->at, "there is no array '%s'", n->name);
		return error_hint("arrays are declared at the top: global %s", n->name);
	}
	struct stap_global *v = sc->st->globals.at[g];
	n->value = (uint64_t)g;
	v->array = true;
	v->read |= !written;
	v->written |= written;
	if (n->n_args && v->n_keys && n->n_args != v->n_keys)
		return source_error(sc->st->source, n->at, "%s has %u keys elsewhere", n->name, v->n_keys);
	if (n->n_args > VALUE_KEYS)
		return source_error(sc->st->source, n->at, "an array has at most %d keys", VALUE_KEYS);
	v->n_keys = n->n_args ? n->n_args : v->n_keys;
	return 0;
}

/* Lines "name [module]\tkind". */
static bool error_list_has(const char *text, const char *name)
{
	for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		if (str_starts(p, name) && (p[strlen(name)] == ' ' || p[strlen(name)] == '\t'))
			return true;
	return false;
}

/* $return = 1 takes a kernel that lets programs do that, and a function that is marked for it: which of both is missing? */
static int no_override(struct stap_scope *sc, const struct script_node *n)
{
	const char *word = sc->block && sc->block->word ? sc->block->word : "", *colon = strrchr(word, ':'), *name = colon ? colon + 1 : word;
	struct str list = STR_INIT;
	int helper = libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_override_return, NULL);
	bool marked = !file_read(root_path(ROOT_SYS, "kernel/debug/error_injection/list"), &list, 1 << 22) && error_list_has(list.buf, name);
	str_release(&list);
	if (!str_starts(word, "kretprobe:"))
		source_error(sc->st->source, n->at, "only what functions of the kernel return can be changed, in .return");
	else if (helper != 1)
		source_error(sc->st->source, n->at, "this kernel was built without CONFIG_BPF_KPROBE_OVERRIDE: what a function returns cannot be changed");
	else if (!marked)
		source_error(sc->st->source, n->at, "the kernel does not allow that for %s: it is not marked with ALLOW_ERROR_INJECTION", name);
	else
		source_error(sc->st->source, n->at, "what a function returns cannot be changed by sonde yet");
	return error_hint(helper == 1 ? "/sys/kernel/debug/error_injection/list has the functions that are marked" :
			  "a kernel with that option allows it for the functions in /sys/kernel/debug/error_injection/list");
}

/* What is assigned to, stepped, or fed with <<<. */
static int place(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at;
	if (n->kind == NODE_WORD)
		return word(sc, at, true);
	if (n->kind == NODE_MAP) {
		int err = list(sc, &n->args);
		return err ? err : array(sc, n, true);
	}
	if (n->kind == NODE_TARGET && !strcmp(n->name, "return"))
		return no_override(sc, n);
	source_error(sc->st->source, n->at, "what the kernel or a program has in memory cannot be changed");
	return error_hint("programs of the kernel's (eBPF) may read everything and write nothing of it");
}

static int statistic(struct stap_scope *sc, struct script_node *n)
{
	int err = n->a->kind == NODE_WORD ? word(sc, &n->a, false) : n->a->kind == NODE_MAP ? list(sc, &n->a->args) : -1;
	if (!err && n->a->kind == NODE_MAP && n->a->args)
		err = array(sc, n->a, false);
	if (err == -1 || (!err && n->a->kind != NODE_MAP))
		return source_error(sc->st->source, n->a->at, "@%s() takes a global that <<< has filled", n->name);
	if (err)
		return err;
	struct stap_global *g = sc->st->globals.at[n->a->value];
	g->statistics = true;
	g->read = true;
	if (!strcmp(n->name, "hist_log"))
		g->log = true;
	if (strcmp(n->name, "hist_linear"))
		return 0;
	struct script_node *low = n->args, *high = low ? low->next : NULL, *width = high ? high->next : NULL;
	for (struct script_node *i = n->args; i; i = i->next)
		if (i->kind == NODE_UNARY && i->op == '-' && i->a->kind == NODE_INT) {
			i->kind = NODE_INT;
			i->value = -i->a->value;
		}
	if (!width || low->kind != NODE_INT || high->kind != NODE_INT || width->kind != NODE_INT || (int64_t)width->value < 1 ||
	    (int64_t)high->value <= (int64_t)low->value)
		return source_error(sc->st->source, n->at, "@hist_linear() takes a value, a low, a high and a width, all constants");
	g->linear = true;
	g->low = (int64_t)low->value;
	g->high = (int64_t)high->value;
	g->width = (int64_t)width->value;
	return 0;
}

/* ---- calls ---- */

static int unknown(struct stap_scope *sc, const struct script_node *n)
{
	struct nearest near;
	source_error(sc->st->source, n->at, "there is no function %s%s()", n->before ? "@" : "", n->name);
	nearest_init(&near, n->name);
	for (size_t i = 0; i < sc->st->functions.n; i++)
		nearest_offer(&near, sc->st->functions.at[i]->name);
	for (const struct stap_context *c = NULL; (c = stap_context_next(c));)
		nearest_offer(&near, c->name);
	for (const struct interp_call *c = NULL; (c = stap_call_next(c));)
		nearest_offer(&near, c->name);
	nearest_hint(&near);
	return error_code();
}

/* Does it read memory that only the kernel can reach, in terms of its parameters? */
struct reads { const struct stap *st; unsigned deep; };
static bool reads_memory(struct script_node *n, void *ctx)
{
	struct reads *r = ctx;
	if (n->kind == NODE_KCAST || n->kind == NODE_TARGET || n->kind == NODE_FIELD || n->kind == NODE_DEFINED || n->kind == NODE_ENTRY)
		return true;
	if (n->kind != NODE_CALL)
		return false;
	const struct stap_function *f = stap_function_of(r->st, n->name);
	const struct stap_context *c = f ? NULL : stap_context_find(n->name);
	if (c)
		return c->max > 0;
	if (!f || r->deep > COPIES_DEEP)
		return false;
	struct reads below = { r->st, r->deep + 1 };
	return stap_visit(f->body, reads_memory, &below);
}

/* Context functions that a function needs, directly or further down, become slots of the block. */
static int add_needs(struct stap_scope *sc, struct stap_function *f)
{
	int err = 0;
	if (!sc->block || sc->block->kind != STAP_KERNEL || f->visited == sc->block)
		return 0;
	f->visited = sc->block;
	for (size_t i = 0; i < f->needs.n && !err; i++) {
		struct script_node *call = node_new(sc->st->source, NODE_CALL, f->at), *ignored = call;
		const struct stap_context *c = stap_context_find(f->needs.at[i]);
		call->name = c->name;
		err = stap_ask_kernel(sc, &ignored, call, c->form, c->by);
	}
	for (size_t i = 0; i < f->calls.n && !err; i++)
		err = add_needs(sc, f->calls.at[i]);
	return err;
}

static int bind_function(struct stap *st, struct stap_function *f)
{
	struct stap_scope sc = { .st = st, .fn = f };
	if (f->bound)
		return 0;
	f->bound = true;
	f->run = stap_clone(st->source, f->body);
	return list(&sc, &f->run);
}

static bool set_place(struct script_node *n, void *ctx)
{
	n->at = *(struct span *)ctx;
	return false;
}

/* A copy for this call: what the kernel is asked for inside of it is asked by this block. */
static int copy_function(struct stap_scope *sc, struct script_node *n, struct stap_function *f)
{
	struct stap_function *c = arena_get(&sc->st->source->memory, sizeof(*c));
	struct script_node **args = arena_get(&sc->st->source->memory, (n->n_args + 1) * sizeof(*args));
	unsigned k = 0;
	if (sc->deep >= COPIES_DEEP)
		return source_error(sc->st->source, n->at, "%s() calls itself and reads memory: that cannot be done in the kernel", n->name);
	for (struct script_node *i = n->args; i; i = i->next)
		args[k++] = stap_clone_one(sc->st->source, i);
	*c = (struct stap_function){ .name = f->name, .at = f->at, .n_params = f->n_params, .body = stap_clone(sc->st->source, f->body),
		.bound = true, .copy = true };
	vec_each(&f->locals, v)
		if (v < f->locals.at + f->n_params)
			*vec_push(&c->locals) = *v;
	c->run = stap_clone(sc->st->source, f->body);
	if (!f->own)
		stap_visit(c->run, set_place, &n->at);
	struct stap_scope in = { .st = sc->st, .block = sc->block, .fn = c, .args = args, .outer = sc, .point = sc->point, .deep = sc->deep + 1 };
	*vec_push(&sc->st->functions) = c;
	size_t number = sc->st->functions.n - 1;
	int err = list(&in, &c->run);
	n->kind = NODE_FUNCTION;
	n->value = number;
	return err ? err : list(sc, &n->args);
}

static int own_function(struct stap_scope *sc, struct script_node *n, struct stap_function *f)
{
	struct reads r = { sc->st, 0 };
	if (n->n_args != f->n_params)
		return source_error(sc->st->source, n->at, "%s() takes %u argument%s", f->name, f->n_params, f->n_params == 1 ? "" : "s");
	if (sc->block && sc->block->kind == STAP_KERNEL && stap_visit(f->body, reads_memory, &r))
		return copy_function(sc, n, f);
	int err = bind_function(sc->st, f);
	if (!err)
		err = list(sc, &n->args);
	if (!err && sc->block)
		err = add_needs(sc, f);
	if (sc->fn && !sc->block)
		*vec_push(&sc->fn->calls) = f;
	n->kind = NODE_FUNCTION;
	for (size_t i = 0; i < sc->st->functions.n; i++)
		if (sc->st->functions.at[i] == f)
			n->value = i;
	return err;
}

/* print_backtrace(): what the record has is printed. */
static int print_it(struct stap_scope *sc, struct script_node **at, struct script_node *next)
{
	struct script_node *n = node_new(sc->st->source, NODE_CALL, (*at)->at);
	n->name = "print";
	n->args = *at;
	n->n_args = 1;
	n->args->next = NULL;
	n->next = next;
	*at = n;
	return 0;
}

/* A context function: a slot in the kernel's blocks, else what is known here of ourselves. */
static int context(struct stap_scope *sc, struct script_node **at, const struct stap_context *c)
{
	struct script_node *n = *at;
	if (sc->block && sc->block->kind == STAP_KERNEL) {
		struct script_node *next = n->next;
		int err = stap_ask_kernel(sc, at, n, stap_in_register(sc->block, c) ? SLOT_PLAIN : c->form, c->by);
		return err || !str_starts(n->name, "print_") ? err : print_it(sc, at, next);
	}
	if (sc->fn && !sc->block && !c->max)
		*vec_push(&sc->fn->needs) = c->name;
	if (sc->block && !stap_call_find(n->name))
		return source_error(sc->st->source, n->at, "%s() means nothing in %s: no program of yours is there", n->name, sc->block->name);
	return list(sc, &n->args);
}

/* What these say they take from the record: of whom, and when. */
static int asks_itself(struct stap_scope *sc, const struct script_node *n)
{
	static const struct { const char *call, *needs[3]; } known[] = { { "thread_indent", { "execname", "tid", "gettimeofday_us" } },
		{ "thread_indent_depth", { "tid" } }, { "indent", { "gettimeofday_us" } } };
	int err = 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (size_t k = 0; k < 3 && known[i].needs[k] && !err && !strcmp(known[i].call, n->name); k++) {
			struct script_node *call = node_new(sc->st->source, NODE_CALL, n->at);
			call->name = known[i].needs[k];
			err = context(sc, &call, stap_context_find(call->name));
		}
	return err;
}

static int call(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at;
	struct stap_function *f = n->before ? NULL : stap_function_of(sc->st, n->name);
	const struct stap_context *c = n->before ? NULL : stap_context_find(n->name);
	if (f)
		return own_function(sc, n, f);
	if (c && n->n_args >= c->min && n->n_args <= c->max)
		return context(sc, at, c);
	const struct interp_call *known = n->before ? NULL : stap_call_find(n->name);
	if (!known && !c)
		return unknown(sc, n);
	if (!known || n->n_args < known->min || (known->max >= known->min && n->n_args > known->max))
		return source_error(sc->st->source, n->at, "%s() is not called with %u argument%s", n->name, n->n_args, n->n_args == 1 ? "" : "s");
	int err = asks_itself(sc, n);
	return err ? err : list(sc, &n->args); /* print(@hist_log(x)) and the like */
}

/* ---- expressions ---- */

/* @entry(gettimeofday_us()), also by way of a function that only gives that: which function of the kernel's it is; NULL: none. */
static const struct stap_context *entry_context(struct stap_scope *sc, struct script_node *n)
{
	for (int deep = 0; deep < COPIES_DEEP && n->a->kind == NODE_CALL && !n->a->n_args; deep++) {
		const struct stap_function *f = stap_function_of(sc->st, n->a->name);
		if (!f)
			return stap_context_find(n->a->name);
		if (!f->body || f->body->kind != NODE_RETURN || f->body->next || !f->body->a)
			return NULL;
		n->a = stap_clone_one(sc->st->source, f->body->a);
	}
	return NULL;
}

/* $x->y, @cast(): memory. */
static int memory(struct stap_scope *sc, struct script_node **at)
{
	if (stap_is_pretty(*at))
		return stap_pretty(sc, at);
	if (!sc->block || sc->block->kind != STAP_KERNEL)
		return sc->fn && !sc->block ? 0 : /* told when it is run: a copy is what blocks of the kernel call */
			source_error(sc->st->source, (*at)->at, "there is no such value in %s: nothing of the kernel or a program is there", sc->block->name);
	if ((*at)->kind == NODE_ENTRY) {
		const struct stap_context *c = entry_context(sc, *at);
		return stap_ask_kernel(sc, at, *at, c ? c->form : SLOT_PLAIN, c ? c->by : 0);
	}
	return stap_ask_kernel(sc, at, *at, SLOT_PLAIN, 0);
}

static int foreach(struct stap_scope *sc, struct script_node *n)
{
	int err = 0;
	for (struct script_node **v = &n->args; *v && !err; v = &(*v)->next)
		err = word(sc, v, true);
	if (!err && n->c)
		err = word(sc, &n->c, true);
	if (!err)
		err = list(sc, &n->a->args);
	if (!err)
		err = array(sc, n->a, false);
	if (err)
		return err;
	struct stap_global *g = sc->st->globals.at[n->a->value];
	if (g->n_keys && g->n_keys != n->n_args)
		return source_error(sc->st->source, n->at, "%s has %u keys elsewhere, and the loop has %u variables", g->name, g->n_keys, n->n_args);
	g->n_keys = n->n_args;
	return 0;
}

static int children(struct stap_scope *sc, struct script_node *n)
{
	int err = n->a ? expr(sc, &n->a) : 0;
	if (!err && n->b)
		err = expr(sc, &n->b);
	if (!err && n->c)
		err = expr(sc, &n->c);
	if (!err)
		err = list(sc, &n->args);
	if (!err)
		err = list(sc, &n->body);
	return err ? err : list(sc, &n->other);
}

/* A condition that is decided now: the side that is not taken may name what is not there. */
static int choice(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at;
	int err = expr(sc, &n->a);
	if (err || n->a->kind != NODE_INT || n->kind != NODE_TERNARY)
		return err ? err : (err = n->b ? expr(sc, &n->b) : 0) ? err : n->c ? expr(sc, &n->c) : 0;
	struct script_node *next = n->next;
	*at = n->a->value ? n->b : n->c;
	(*at)->next = next;
	return expr(sc, at);
}

static int if_statement(struct stap_scope *sc, struct script_node *n)
{
	int err = expr(sc, &n->a);
	if (!err && n->a->kind == NODE_INT) {
		n->kind = NODE_BLOCK;
		n->body = n->a->value ? n->body : n->other;
		n->other = NULL;
		return list(sc, &n->body);
	}
	if (!err)
		err = list(sc, &n->body);
	return err ? err : list(sc, &n->other);
}

static int put(struct stap_scope *sc, struct script_node *n)
{
	int err = n->b ? expr(sc, &n->b) : 0;
	if (!err)
		err = place(sc, &n->a);
	if (err || n->kind != NODE_PUSH)
		return err;
	if (n->a->kind != NODE_MAP)
		return source_error(sc->st->source, n->a->at, "statistics (<<<) are gathered in a global");
	sc->st->globals.at[n->a->value]->statistics = true;
	return 0;
}

static int try(struct stap_scope *sc, struct script_node *n)
{
	int err = n->a ? word(sc, &n->a, true) : 0;
	if (!err)
		err = list(sc, &n->body);
	return err ? err : list(sc, &n->other);
}

/* && and || of a constant: the rest may name what is not there. */
static int logic(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at, *next = n->next;
	int err = expr(sc, &n->a);
	if (err)
		return err;
	if (n->a->kind == NODE_INT && (n->op == TOKEN_AND ? !n->a->value : n->a->value != 0)) {
		*at = n->a;
		(*at)->next = next;
		return 0;
	}
	return expr(sc, &n->b);
}

static int unary(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at, *next = n->next;
	if (n->op == '&')
		return memory(sc, at);
	int err = expr(sc, &n->a);
	if (!err && n->a->kind == NODE_INT) {
		uint64_t v = n->a->value;
		*at = n->a;
		(*at)->next = next;
		(*at)->value = n->op == '-' ? -v : n->op == '~' ? ~v : !v;
	}
	return err;
}

static int expr(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at;
	int err;
	switch (n->kind) {
	case NODE_WORD: return word(sc, at, false);
	case NODE_MAP:
		err = list(sc, &n->args);
		return err ? err : array(sc, n, false);
	case NODE_IN:
		err = list(sc, &n->args);
		return err ? err : array(sc, n, false);
	case NODE_CALL: return call(sc, at);
	case NODE_TARGET:
	case NODE_FIELD:
	case NODE_ITEM:
	case NODE_ENTRY:
	case NODE_KCAST: return memory(sc, at);
	case NODE_UNARY: return unary(sc, at);
	case NODE_BINARY: return n->op == TOKEN_AND || n->op == TOKEN_OR ? logic(sc, at) : children(sc, n);
	case NODE_DEFINED:
		n->value = stap_is_there(sc, n->a);
		n->kind = NODE_INT;
		return 0;
	case NODE_STAT: return statistic(sc, n);
	case NODE_TERNARY: return choice(sc, at);
	case NODE_ASSIGN:
	case NODE_STEP:
	case NODE_PUSH: /* its value is used */
		err = put(sc, n);
		if (!err && n->a->kind == NODE_MAP)
			sc->st->globals.at[n->a->value]->read = true;
		return err;
	case NODE_EXPR: return n->a->kind == NODE_ASSIGN || n->a->kind == NODE_STEP || n->a->kind == NODE_PUSH ? put(sc, n->a) : children(sc, n);
	case NODE_IF: return if_statement(sc, n);
	case NODE_TRY: return try(sc, n);
	case NODE_FOREACH:
		err = foreach(sc, n);
		if (!err && n->b)
			err = expr(sc, &n->b);
		return err ? err : list(sc, &n->body);
	case NODE_DELETE:
		if (n->a->kind == NODE_WORD || n->a->kind == NODE_MAP)
			return n->a->kind == NODE_WORD ? word(sc, &n->a, true) : (err = list(sc, &n->a->args)) ? err : array(sc, n->a, true);
		return source_error(sc->st->source, n->a->at, "delete takes an array, an element of one, or a global");
	case NODE_INT:
	case NODE_STRING:
	case NODE_TUPLE: return 0; /* * in array[*, 1] */
	default: return children(sc, n);
	}
}

static int list(struct stap_scope *sc, struct script_node **at)
{
	int err = 0;
	for (; *at && !err; at = &(*at)->next)
		err = expr(sc, at);
	return err;
}

/* ---- blocks ---- */

struct mentions { const char *name; unsigned n; };

static bool see_word(struct script_node *n, void *ctx)
{
	struct mentions *m = ctx;
	m->n += (n->kind == NODE_WORD || n->kind == NODE_IN) && n->name && !strcmp(n->name, m->name);
	return false;
}

static bool has_effect(struct script_node *n, void *ctx)
{
	(void)ctx;
	return n->kind == NODE_STEP || n->kind == NODE_ASSIGN || n->kind == NODE_PUSH ||
	       (n->kind == NODE_CALL && !stap_context_find(n->name) && n->name[0] != '_');
}

/* What an alias sets and nobody looks at is not asked for: it may not even be there. */
static bool prune(const struct stap *st, struct script_node *whole, struct script_node **at, bool alias)
{
	bool any = false;
	while (*at) {
		struct script_node *n = *at, *set = n->kind == NODE_EXPR ? n->a : NULL;
		if (n->kind == NODE_BLOCK)
			any |= prune(st, whole, &n->body, alias || n->before);
		if (alias && set && set->kind == NODE_ASSIGN && !set->op && set->a->kind == NODE_WORD && !stap_visit(set->b, has_effect, NULL)) {
			struct mentions m = { set->a->name, 0 };
			stap_visit(whole, see_word, &m);
			if (m.n == 1 && global_of(st, set->a->name) == NOT_FOUND) {
				*at = n->next;
				any = true;
				continue;
			}
		}
		at = &n->next;
	}
	return any;
}


static int bind_block(struct stap *st, struct stap_block *b)
{
	struct stap_scope sc = { .st = st, .block = b };
	struct run_script *s = st->s;
	for (size_t i = 0; b->probe && i < s->units.n && !sc.point; i++)
		if (s->units.at[i].probe == b->probe)
			sc.point = &s->points.at[s->units.at[i].points.at[0]];
	while (prune(st, b->body, &b->body, false))
		;
	int err = b->condition ? expr(&sc, &b->condition) : 0;
	if (!err)
		err = list(&sc, &b->body);
	if (!err && b->kind == STAP_KERNEL) {
		stap_lift(&sc);
		err = stap_make_probe(&sc);
	}
	return err;
}

static int bind_globals(struct stap *st)
{
	for (size_t i = 0; i < st->globals.n; i++) {
		struct stap_global *g = st->globals.at[i];
		struct script_node *v = g->first;
		bool minus = v && v->kind == NODE_UNARY && v->op == '-';
		if (minus)
			v = v->a;
		if (v && v->kind != NODE_INT && v->kind != NODE_STRING)
			return source_error(st->source, v->at, "a global begins with a number or a string");
		if (minus) {
			v->value = -v->value;
			g->first = v;
		}
	}
	return 0;
}

int stap_bind(struct stap *st)
{
	int err = bind_globals(st);
	size_t blocks = st->blocks.n; /* those of entries come behind */
	for (size_t i = 0; i < blocks && !err; i++)
		err = bind_block(st, st->blocks.at[i]);
	for (size_t i = 0; i < st->functions.n && !err; i++) /* what nobody calls is read nevertheless: errors are told */
		if (st->functions.at[i]->own)
			err = bind_function(st, st->functions.at[i]);
	return err;
}
