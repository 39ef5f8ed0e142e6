// SPDX-License-Identifier: GPL-2.0-or-later
/* The filters of a view lie on each other: each takes lines away, Esc takes off the last. */
#include <stdlib.h>
#include <string.h>
#include "tui/hist/inner.h"

static uint64_t socket_of(const struct hist_view *v, const struct hist_entry *e)
{
	const struct layout *l = v->b->pr->fold.layout;
	vec_each(&l->col, c)
		if (c->kind == COLUMN_KEY && c->row->key == KEY_SOCKET)
			return v->b->pr->fold.value.at[(size_t)(e->context - 1) * l->n_slot + c->slot].v;
	return UINT64_MAX;
}

static bool has_name(const struct hist_entry *e, const char *comm)
{
	const struct thread *t = e->thread;
	const char *own = e->comm ? e->comm : t ? t->comm : NULL;
	return own && !strcmp(own, comm);
}

static bool passes(const struct hist_view *v, const struct hist_filter *f, const struct hist_entry *e)
{
	const struct place *p = place_at(&v->b->pr->places, e->place);
	switch (f->kind) {
	case HIST_FILTER_THREAD: return f->number ? e->thread == f->what : has_name(e, f->text);
	case HIST_FILTER_DSO: return p->dso == f->what || (p->dso && !strcmp(place_dso_name(p, true), f->text));
	case HIST_FILTER_KERNEL: return p->dso && p->dso->kernel;
	case HIST_FILTER_SOCKET: return socket_of(v, e) == f->number;
	case HIST_FILTER_SYMBOL: return p->sym && strstr(p->sym, f->text);
	}
	return true;
}

bool hist_filter_passes(const struct hist_view *v, const struct hist_entry *e)
{
	vec_each(&v->filter, f)
		if (!passes(v, f, e))
			return false;
	return true;
}

void hist_filter_add(struct hist_view *v, enum hist_filter_kind kind, const void *what, uint64_t number, const char *text)
{
	hist_filter_drop_kind(v, kind);
	*vec_push(&v->filter) = (struct hist_filter){ kind, what, number, xstrdup(text) };
}

bool hist_filter_drop(struct hist_view *v)
{
	if (!v->filter.n)
		return false;
	free(vec_last(&v->filter)->text);
	v->filter.n--;
	return true;
}

bool hist_filter_drop_kind(struct hist_view *v, enum hist_filter_kind kind)
{
	for (size_t i = 0; i < v->filter.n; i++) {
		if (v->filter.at[i].kind != kind)
			continue;
		free(v->filter.at[i].text);
		memmove(&v->filter.at[i], &v->filter.at[i + 1], (v->filter.n - i - 1) * sizeof(v->filter.at[0]));
		v->filter.n--;
		return true;
	}
	return false;
}

void hist_filter_say(const struct hist_view *v, struct str *out)
{
	static const char *const names[] = { "thread ", "file ", "", "socket ", "functions with " };
	vec_each(&v->filter, f) {
		str_addf(out, "%s%s", out->len ? ", " : "only ", names[f->kind]);
		str_add_safez(out, f->text);
	}
}

void hist_filter_release(struct hist_view *v)
{
	while (hist_filter_drop(v))
		;
	vec_release(&v->filter);
}
