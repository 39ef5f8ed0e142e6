// SPDX-License-Identifier: GPL-2.0-or-later
/* The stages that are SystemTap's own, and the programs of blocks before it is known what they are asked for. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "script/provider/provider.h"
#include "script/script.h"
#include "script/stap/bind.h"
#include "script/stap/context.h"
#include "script/stap/front.h"
#include "script/stap/tree.h"

enum { FUNCTIONS_DEEP = 8 };

/* ---- is it SystemTap's? ---- */

static const char *skip_comments(const char *p)
{
	for (;;) {
		p += strspn(p, " \t\r\n");
		if (*p == '#' || (p[0] == '/' && p[1] == '/'))
			p += strcspn(p, "\n");
		else if (p[0] == '/' && p[1] == '*' && strstr(p + 2, "*/"))
			p = strstr(p + 2, "*/") + 2;
		else
			return p;
	}
}

bool stap_is(const char *name, const char *text, size_t len)
{
	static const char *const words[] = { "probe", "global", "function", "private" };
	if (str_ends(name, ".stp"))
		return true;
	if (!len || strlen(text) != len)
		return false;
	size_t line = strcspn(text, "\n");
	if (text[0] == '#' && text[1] == '!' && memmem(text, line, "stap", 4) && !memmem(text, line, "bpftrace", 8))
		return true;
	const char *p = skip_comments(text);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_starts(p, words[i]) && isspace((unsigned char)p[strlen(words[i])]))
			return true;
	return str_starts(p, "%(") || str_starts(p, "%{") || str_starts(p, "@define ");
}

/* ---- what a block will ask for, roughly: providers look at that before types are known ---- */

struct look { struct stap *st; bool all /* $$vars */, args, retval, kstack, ustack, probe, entry, call_args; unsigned deep; wordlist names; /* $name */ };

static struct stap_function *function_of(const struct stap *st, const char *name)
{
	for (size_t i = 0; i < st->functions.n; i++)
		if (!strcmp(st->functions.at[i]->name, name))
			return st->functions.at[i];
	return NULL;
}

static bool look_at(struct script_node *n, void *ctx)
{
	struct look *l = ctx;
	const struct stap_context *c = n->kind == NODE_CALL && !n->before ? stap_context_find(n->name) : NULL;
	struct stap_function *f = n->kind == NODE_CALL && !n->before ? function_of(l->st, n->name) : NULL;
	if (n->kind == NODE_TARGET && (!strcmp(n->name, "return") || !strncmp(n->name, "$return", 7)))
		l->retval = true;
	else if (n->kind == NODE_TARGET) {
		l->args = true;
		l->all |= n->name[0] == '$';
		char *name = xstrndup(n->name, strcspn(n->name, "$")); /* $x$ is all of x */
		if (*name && !wordlist_has(&l->names, name))
			wordlist_add(&l->names, name);
		free(name);
	}
	else if (n->kind == NODE_ENTRY)
		l->entry = true;
	else if (n->kind == NODE_WORD)
		l->call_args = true;
	if (f && l->deep < FUNCTIONS_DEEP) {
		l->deep++;
		stap_visit(f->body, look_at, l);
		l->deep--;
	} else if (c && !f) {
		l->kstack |= !strcmp(c->tree, "kstack");
		l->ustack |= !strcmp(c->tree, "ustack");
		l->probe |= !strcmp(c->tree, "probe");
		l->retval |= !strcmp(c->tree, "retval");
		l->args |= !strcmp(c->tree, "arg");
	}
	return false;
}

static void ask(struct stap *st, struct script_node ***last, const char *word, bool yes, struct span at)
{
	if (!yes)
		return;
	struct script_node *n = node_new(st->source, NODE_EXPR, at);
	n->a = node_new(st->source, NODE_WORD, at);
	n->a->name = word;
	**last = n;
	*last = &n->next;
}

/* Variables of programs are only looked for when they are asked for by name. */
static void ask_names(struct stap *st, struct script_node **last, const wordlist *names, struct span at)
{
	for (size_t i = 0; i < names->n; i++) {
		struct script_node *n = node_new(st->source, NODE_EXPR, at);
		n->a = node_new(st->source, NODE_FIELD, at);
		n->a->name = arena_text(&st->source->memory, names->at[i], strlen(names->at[i]));
		n->a->a = node_new(st->source, NODE_WORD, at);
		n->a->a->name = "args";
		*last = n;
		last = &n->next;
	}
}

static struct probe *probe_new(struct stap *st, const struct stap_block *b)
{
	struct probe *p = arena_get(&st->source->memory, sizeof(*p));
	struct attach *a = arena_get(&st->source->memory, sizeof(*a));
	*a = (struct attach){ .text = b->word, .at = b->at };
	*p = (struct probe){ .attach = a, .at = b->at };
	return p;
}

/* kretprobe:f has its entry at kprobe:f. */
static struct stap_block *entry_of(struct stap *st, const struct stap_block *b)
{
	static const char leave[] = "tracepoint:syscalls:sys_exit_";
	const char *rest = str_starts(b->word, "kretprobe:") ? b->word + 10 : str_starts(b->word, "uretprobe:") ? b->word + 10 : NULL;
	bool call = str_starts(b->word, leave) && b->call && strcmp(b->call, "*");
	if (!rest && !call)
		return NULL;
	char *word = call ? xasprintf("tracepoint:syscalls:sys_enter_%s", b->word + strlen(leave)) : xasprintf("%cprobe:%s", b->word[0], rest);
	struct stap_block *e = arena_get(&st->source->memory, sizeof(*e));
	*e = (struct stap_block){ .kind = STAP_KERNEL, .at = b->at, .name = b->name, .is_entry = true, .word = arena_text(&st->source->memory, word, strlen(word)) };
	free(word);
	e->probe = probe_new(st, e);
	struct script_node **last = &e->probe->body;
	ask(st, &last, "args", true, b->at);
	return e;
}

static void prepare(struct stap *st, struct stap_block *b)
{
	struct look l = { .st = st };
	b->probe = probe_new(st, b);
	stap_visit(b->body, look_at, &l);
	struct script_node **last = &b->probe->body;
	bool back = b->side == SIDE_RETURN;
	if ((l.args || l.entry || (b->call && l.call_args)) && back)
		b->entry = entry_of(st, b);
	bool by_name = b->call && strcmp(b->call, "*") && l.call_args;
	ask(st, &last, "args", (l.args && !(back && !b->call)) || (l.retval && b->call) || by_name || b->any_call || stap_returns_twice(b), b->at);
	ask(st, &last, "retval", l.retval && back && !b->call, b->at);
	ask(st, &last, "kstack", l.kstack, b->at);
	ask(st, &last, "ustack", l.ustack, b->at);
	ask(st, &last, "probe", l.probe || (b->call && !strcmp(b->call, "*") && !b->any_call), b->at);
	b->probe->all_locals = l.all;
	if (b->entry)
		b->entry->probe->all_locals = l.all;
	if (str_starts(b->word, "uprobe:") || b->of_source)
		ask_names(st, last, &l.names, b->at);
	else if (b->entry && str_starts(b->entry->word, "uprobe:"))
		ask_names(st, &b->entry->probe->body->next, &l.names, b->at);
	wordlist_release(&l.names);
}

/* ---- places ---- */

/* Functions that kernels no longer have. */
static void hint_renamed(const char *word)
{
	static const struct { const char *old, *now; } renamed[] = {
		{ "generic_make_request", "submit_bio_noacct has its place since Linux 5.9" },
		{ "do_fork", "kernel_clone has its place since Linux 5.10" }, { "_do_fork", "kernel_clone has its place since Linux 5.10" },
		{ "sys_open", "syscall.open and syscall.openat do not depend on the kernel" }, { "do_sys_open", "do_sys_openat2 is called for all of them since Linux 5.6" },
		{ "sys_read", "syscall.read does not depend on the kernel" }, { "sys_write", "syscall.write does not depend on the kernel" },
		{ "tcp_v4_syn_recv_sock", NULL }, { "account_process_tick", NULL }, { "blk_account_io_completion", "blk_account_io_done has its place" },
		{ "blk_account_io_start", "kernel.trace(\"block_rq_issue\") does not depend on the kernel" } };
	const char *name = strrchr(word, ':');
	for (size_t i = 0; name && i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (!strcmp(renamed[i].old, name + 1) && renamed[i].now)
			error_hint("%s", renamed[i].now);
}

/* 1: it is there; 0: it is not, and that is fine. -errno, pending error. */
static int expand(struct stap *st, struct stap_block *b)
{
	struct run_script *s = st->s;
	size_t points = s->points.n, units = s->units.n;
	int err = provider_expand_probe(s, b->probe);
	if (!err && b->entry)
		err = provider_expand_probe(s, b->entry->probe);
	if (!err)
		return 1;
	hint_renamed(b->word);
	if (!b->optional)
		return err;
	note(1, "%s", error_message());
	error_clear();
	for (; s->units.n > units; s->units.n--)
		vec_release(&vec_last(&s->units)->points);
	s->points.n = points;
	return 0;
}

static int places(struct stap *st)
{
	struct probe **last = &st->s->probes;
	size_t n = 0;
	for (size_t i = 0; i < st->blocks.n; i++) {
		struct stap_block *b = st->blocks.at[i];
		int there = 1;
		if (b->kind == STAP_KERNEL) {
			prepare(st, b);
			*last = b->probe; /* providers look for it there */
			if (b->entry)
				b->probe->next = b->entry->probe;
			there = expand(st, b);
			if (there < 0)
				return there;
			if (!there)
				*last = NULL;
		}
		if (!there)
			continue;
		while (*last)
			last = &(*last)->next;
		b->number = (unsigned)n;
		st->blocks.at[n++] = b;
	}
	st->blocks.n = n;
	if (!n)
		return source_error(st->source, (struct span){ 0, 1 }, "there is nothing to run: no probe of the script is here");
	return 0;
}

/* -G name=value: a number where it is one, else text. */
static int set_globals(struct stap *st)
{
	for (size_t i = 0; i < st->n_given; i++) {
		const char *word = st->given[i], *value = strchr(word, '=') + 1;
		struct stap_global *g = NULL;
		int64_t v;
		for (size_t k = 0; k < st->globals.n && !g; k++)
			if (strlen(st->globals.at[k]->name) == (size_t)(value - word - 1) && str_starts(word, st->globals.at[k]->name))
				g = st->globals.at[k];
		if (!g)
			return error_set(EINVAL, "-G %s: the script has no global of that name", word);
		bool number = !parse_s64(value, &v);
		g->first = node_new(st->source, number ? NODE_INT : NODE_STRING, g->at);
		g->first->value = number ? (uint64_t)v : 0;
		g->first->name = arena_text(&st->source->memory, value, strlen(value));
		g->first->len = strlen(value);
	}
	return 0;
}

int stap_places(struct stap *st, struct run_script *s, struct script_source *source, const struct params *params)
{
	st->source = source;
	st->s = s;
	st->params = *params;
	int err = stap_parse(st, source) ?: set_globals(st);
	if (!err && !st->probes.n) {
		err = source_error(source, (struct span){ 0, 1 }, "there is no probe in the script");
		error_hint("for example: stap -e 'probe begin { println(\"hello\") exit() }'");
	}
	if (!err)
		err = stap_tapset(st);
	if (!err)
		err = stap_points(st);
	return err ? err : places(st);
}

int stap_front(struct stap *st, struct run_script *s, struct script_source *source, const struct params *params)
{
	int err = stap_places(st, s, source, params);
	return err ? err : stap_bind(st);
}

void stap_release(struct stap *st)
{
	vec_each(&st->functions, f) {
		vec_release(&(*f)->locals);
		vec_release(&(*f)->needs);
		vec_release(&(*f)->calls);
	}
	vec_each(&st->blocks, b) {
		vec_release(&(*b)->locals);
		vec_release(&(*b)->slots);
		if ((*b)->entry)
			vec_release(&(*b)->entry->slots);
	}
	vec_release(&st->functions);
	vec_release(&st->globals);
	vec_release(&st->aliases);
	vec_release(&st->probes);
	vec_release(&st->blocks);
}
