// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "kernel/tracefs.h"
#include "script/provider/dtrace.h"
#include "script/ctype/ctype.h"
#include "script/front/parse_type.h"
#include "script/provider/provider.h"

static const struct provider *const providers[] = { &provider_begin, &provider_end, &provider_tracepoint, &provider_syscalls,
	&provider_rawtracepoint, &provider_interval, &provider_profile, &provider_software, &provider_hardware, &provider_uprobe,
	&provider_uretprobe, &provider_usdt, &provider_kprobe, &provider_kretprobe, &provider_fentry, &provider_fexit,
	&provider_watchpoint };
enum { PROVIDERS = sizeof(providers) / sizeof(providers[0]) };

/* Kinds that bpftrace has. */
static const char *const later[] = { "asyncwatchpoint", "aw", "iter", "it", "self", "bench", "test" };

const struct provider *provider_next(const struct provider *p)
{
	for (int i = 0; p && i < PROVIDERS; i++)
		if (providers[i] == p)
			return i + 1 < PROVIDERS ? providers[i + 1] : NULL;
	return providers[0];
}

struct point *provider_point(struct run_script *s, const struct provider *p, const struct attach *a, const char *name)
{
	struct point *pt = vec_push(&s->points);
	*pt = (struct point){ .provider = p, .attach = a, .name = arena_text(&s->source->memory, name, strlen(name)),
		.opened = -1, .id = (unsigned)s->points.n - 1 };
	return pt;
}

static bool is_word(const struct script_node *n, const char *word)
{
	return (n->kind == NODE_WORD || n->kind == NODE_CALL) && !strcmp(n->name, word);
}

static bool is_cut_stack(const struct script_node *n, const char *word)
{
	return is_word(n, word) && n->args && (n->args->kind == NODE_INT || n->args->next);
}

static bool in_list(const struct script_node *n, bool (*fits)(const struct script_node *n, const char *word), const char *word)
{
	for (; n; n = n->next) {
		if (fits(n, word))
			return true;
		if ((n->a && in_list(n->a, fits, word)) || (n->b && n->b != n->a && in_list(n->b, fits, word)) || (n->c && in_list(n->c, fits, word)) ||
		    in_list(n->args, fits, word) || in_list(n->body, fits, word) || in_list(n->other, fits, word))
			return true;
	}
	return false;
}

bool probe_uses(const struct probe *p, const char *word)
{
	return in_list(p->predicate, is_word, word) || in_list(p->body, is_word, word);
}

bool probe_cuts_stack(const struct probe *p)
{
	return in_list(p->predicate, is_cut_stack, "kstack") || in_list(p->body, is_cut_stack, "kstack");
}

struct probe *probe_of(const struct run_script *s, const struct attach *a)
{
	for (struct probe *p = s->probes; p; p = p->next)
		for (const struct attach *k = p->attach; k; k = k->next)
			if (k == a)
				return p;
	return NULL;
}

static bool follows(const struct script_node *n, const char *word)
{
	for (; n; n = n->next) {
		bool way = n->kind == NODE_FIELD || (n->kind == NODE_ITEM && n->array) || (n->kind == NODE_UNARY && n->op == '*');
		if (way && n->a->kind == NODE_WORD && !strcmp(n->a->name, word))
			return true;
		if ((n->a && follows(n->a, word)) || (n->b && n->b != n->a && follows(n->b, word)) || (n->c && follows(n->c, word)) ||
		    follows(n->args, word) || follows(n->body, word) || follows(n->other, word))
			return true;
	}
	return false;
}

bool probe_follows(const struct probe *p, const char *word)
{
	return follows(p->predicate, word) || follows(p->body, word);
}

static bool names_type(const struct c_type *t)
{
	while (t->kind != C_NAMED && t->to)
		t = t->to;
	return t->kind == C_NAMED && t->name && !ctype_is_number(t->name);
}

static bool names_types(const struct script_node *n)
{
	for (; n; n = n->next)
		if ((n->written && names_type(n->written)) || (n->a && names_types(n->a)) || (n->b && n->b != n->a && names_types(n->b)) ||
		    (n->c && names_types(n->c)) || names_types(n->args) || names_types(n->body) || names_types(n->other))
			return true;
	return false;
}

bool probe_names_types(const struct probe *p)
{
	return names_types(p->predicate) || names_types(p->body);
}

static int unknown(struct run_script *s, const struct attach *a, const char *kind)
{
	struct nearest near;
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		if (!strcmp(later[i], kind))
			return source_later(s->source, a->at, "a probe of this kind");
	source_error(s->source, a->at, "there is no kind of probe called '%.40s'", kind);
	nearest_init(&near, kind);
	for (int i = 0; i < PROVIDERS; i++)
		nearest_offer(&near, providers[i]->name);
	if (!nearest_hint(&near))
		error_hint("kinds are: BEGIN, END, tracepoint, rawtracepoint, interval, profile, software, hardware, uprobe, uretprobe, usdt, kprobe, kretprobe, fentry, fexit, watchpoint");
	return -EINVAL;
}

bool provider_is_called(const struct provider *p, const char *kind)
{
	size_t n = strlen(kind);
	for (const char *w = p->alias; w && *w; w += strcspn(w, " "), w += *w == ' ')
		if (strcspn(w, " ") == n && !strncmp(w, kind, n))
			return true;
	return !strcmp(p->name, kind);
}

static int expand_word(struct run_script *s, const struct attach *a)
{
	if (dtrace_is(a->text))
		return dtrace_refuse(s, a);
	const char *colon = strchr(a->text, ':');
	char *kind = xstrndup(a->text, colon ? (size_t)(colon - a->text) : strlen(a->text));
	int err = -ENOENT;
	for (int i = 0; i < PROVIDERS && err == -ENOENT; i++) {
		const struct provider *p = providers[i];
		if (!p->expand || !provider_is_called(p, kind))
			continue;
		if (p->exact != !colon)
			err = source_error(s->source, a->at, p->exact ? "%s stands alone" : "%s:NAME, a name follows", p->name);
		else
			err = p->expand(s, a, colon ? colon + 1 : "");
	}
	if (err == -ENOENT && !error_pending())
		err = unknown(s, a, kind);
	free(kind);
	return err;
}

/* Is it the tracepoint's event, with its record and a stack that begins where it was hit? */
static bool event_wanted(const struct probe *p, const struct point *pt)
{
	return pt->args || probe_uses(p, "kstack");
}

/* The points from `first` on become units: one each, unless a program can serve several. */
static void make_units(struct run_script *s, struct probe *p, size_t first)
{
	size_t units = s->units.n;
	for (size_t i = first; i < s->points.n; i++) {
		struct point *pt = &s->points.at[i];
		struct script_unit *u = NULL;
		for (size_t k = units; pt->provider->together && !u && k < s->units.n; k++)
			if (s->units.at[k].provider == pt->provider &&
			    pt->provider->together(s, p, &s->points.at[s->units.at[k].points.at[0]], pt))
				u = &s->units.at[k];
		if (!u) {
			u = vec_push(&s->units);
			u->probe = p;
			u->provider = pt->provider;
			u->type = pt->provider->prog_type ? pt->provider->prog_type : event_wanted(p, pt) ? BPF_PROG_TYPE_TRACEPOINT : BPF_PROG_TYPE_RAW_TRACEPOINT;
			u->fd = -1;
		}
		*vec_push(&u->points) = (unsigned)i;
	}
	for (size_t k = units; k < s->units.n; k++)
		if (s->units.at[k].provider->plan)
			s->units.at[k].provider->plan(s, &s->units.at[k]);
}

/* Of the file that is meant: everything. */
static int none_in_file(const char *text)
{
	const char *file = strchr(text, ':') + 1;
	return error_hint("sonde run -l 'uprobe:%.*s:*' lists what is there, and 'usdt:%.*s:*' its markers", (int)strcspn(file, ":"), file,
			  (int)strcspn(file, ":"), file);
}

/* The names of all tracepoints are not read before one is wrong. */
static int none(struct run_script *s, const struct attach *a)
{
	struct nearest near;
	const char *name = strchr(a->text, ':');
	const wordlist *all;
	source_error(s->source, a->at, "there is no such probe here: %s", a->text);
	if (name && a->text[0] == 'u')
		return none_in_file(a->text);
	all = tracefs_all();
	nearest_init(&near, name ? name + 1 : a->text);
	for (size_t i = 0; all && i < all->n; i++)
		nearest_offer(&near, all->at[i]);
	if (!nearest_hint(&near))
		error_hint(str_starts(a->text, "k") ? "sonde ftrace list -f PATTERN lists the functions that can be traced" :
						      "sonde list tracepoint shows those of this kernel");
	return -EINVAL;
}

static int missing(struct run_script *s, const struct attach *a)
{
	if (s->missing_probes == 1) {
		source_error(s->source, a->at, "%s is not here", a->text);
		return error_hint("missing_probes = \"warn\" in the config block goes on with the others");
	}
	if (!s->missing_probes)
		source_warn(s->source, a->at, "%s is not here", a->text);
	return 0;
}

/* A word that means nothing here is told while another of its block means something; a block of which none does is refused. */
int provider_expand_probe(struct run_script *s, struct probe *p)
{
	size_t first = s->points.n;
	for (const struct attach *a = p->attach; a; a = a->next) {
		size_t before = s->points.n;
		int err = expand_word(s, a);
		if (err < 0)
			return err;
		if (!err && s->points.n == before && p->attach->next)
			err = missing(s, a);
		if (err < 0)
			return err;
	}
	if (s->points.n == first)
		return none(s, p->attach);
	make_units(s, p, first);
	return 0;
}

int provider_expand(struct run_script *s)
{
	int err = 0;
	for (struct probe *p = s->probes; p && !err; p = p->next)
		err = provider_expand_probe(s, p);
	return err;
}
