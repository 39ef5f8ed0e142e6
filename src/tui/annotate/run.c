// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "tui/annotate/annotate.h"
#include "tui/run.h"

/* The event with the most samples: of that function, or of all. */
static int busiest(const struct hits *h, const struct hit_function *fn)
{
	size_t best = 0;
	for (size_t i = 1; i < h->n_events; i++)
		if (fn ? fn->sum.at[i].n > fn->sum.at[best].n : h->total.at[i].n > h->total.at[best].n)
			best = i;
	return best;
}

static const struct hit_function *named(const struct hits *h, const char *name)
{
	struct nearest near;
	nearest_init(&near, name);
	vec_each(&h->function, fn) {
		if (!strcmp((*fn)->name, name))
			return *fn;
		nearest_offer(&near, (*fn)->name);
	}
	error_set(ENOENT, "no sample is in a function '%s'", name);
	nearest_hint(&near);
	return NULL;
}

static size_t place_in_order(const struct hits *h, int event, const struct hit_function *fn)
{
	hit_list list = { 0 };
	size_t at = 0;
	hits_sorted(h, &event, 1, &list);
	for (size_t i = 0; fn && i < list.n; i++)
		at = list.at[i] == fn ? i : at;
	vec_release(&list);
	return at;
}

static bool go_on(void *wait, double done)
{
	return tui_wait_go_on(wait, done);
}

/* With its progress on the screen; *stopped: not all was read. */
static int read_hits(struct hits *h, struct perfdata *p, struct hits_choice *choice, bool *stopped)
{
	struct tui_wait *w = tui_wait_begin("reading the samples");
	choice->go_on = go_on;
	choice->ctx = w;
	int err = hits_read(h, p, choice);
	*stopped = w && tui_wait_stopped(w);
	tui_wait_end(w);
	return err;
}

int tui_annotate(struct perfdata *p, struct symbols *syms, const struct annotate_options *o)
{
	struct hits *h = hits_new(syms, perfdata_n_events(p));
	struct hits_choice choice = o->choice;
	choice.symbol = NULL; /* < and > lead to the others */
	struct annotate_options own = *o;
	int err = read_hits(h, p, &choice, &own.stopped);
	const struct hit_function *fn = !err && o->choice.symbol ? named(h, o->choice.symbol) : NULL;
	if (!err && o->choice.symbol && !fn)
		err = error_code();
	int event = busiest(h, fn);
	struct tui_source *s = err ? NULL : annotate_view_new(h, false, place_in_order(h, event, fn), event, &own, NULL);
	err = err ? err : s ? tui_run(s, NULL) : error_code();
	hits_free(h);
	return err;
}

static size_t function_at(const struct hits *h, int event, const struct place *p)
{
	hit_list list = { 0 };
	size_t found = SIZE_MAX;
	hits_sorted(h, &event, 1, &list);
	for (size_t i = 0; i < list.n; i++)
		if (list.at[i]->f.dso == p->dso && (p->sym ? list.at[i]->f.sym_addr == p->start : !list.at[i]->f.sym))
			found = found == SIZE_MAX ? i : found;
	vec_release(&list);
	return found;
}

/* The hits are the view's, or freed. */
static struct tui_source *view_of_place(struct hits *h, const struct annotate_target *at, bool stopped, const struct annotate_live *live)
{
	struct annotate_options o = { .listing = *at->code, .type = at->type, .stopped = stopped, .note = at->note };
	size_t function = function_at(h, at->event, at->place);
	o.choice.symbol = at->place->sym; /* no other instead */
	if (function == SIZE_MAX)
		error_set(ENOENT, "no sample is in that function itself");
	struct tui_source *s = function == SIZE_MAX ? NULL : annotate_view_new(h, true, function, at->event, &o, live);
	if (!s)
		hits_free(h);
	return s;
}

struct tui_source *annotate_place(struct symbols *syms, const char *path, bool force, const struct annotate_target *at)
{
	struct hits_choice choice = { .filter = at->filter };
	struct perfdata *p = perfdata_open(path, force);
	if (!p)
		return NULL;
	struct hits *h = hits_new(syms, perfdata_n_events(p));
	bool stopped;
	int err = read_hits(h, p, &choice, &stopped);
	perfdata_close(p);
	if (!err)
		return view_of_place(h, at, stopped, NULL);
	hits_free(h);
	return NULL;
}

struct tui_source *annotate_place_live(struct hits *h, const struct annotate_target *at, const struct annotate_live *live)
{
	return view_of_place(h, at, false, live);
}
