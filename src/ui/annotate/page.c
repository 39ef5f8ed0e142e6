// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/annotate/page.h"
#include <errno.h>
#include <string.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "base/words.h"
#include "symbol/disasm/code.h"

struct page {
	struct perfdata *data;
	const struct annotate_options *o;
	struct hits *hits;
	struct out *out;
	size_t shown, failed;
	bool forced; /* the group is ours */
	wordlist told; /* files whose code is not to be had: said once */
};

/* The events that stand side by side, the first for all of them. */
static void members_of(const struct page *p, size_t leader, intlist *out)
{
	bool group = p->o->group && recorded_leads(p->data, leader);
	*vec_push(out) = leader;
	for (size_t k = leader + 1; group && k < perfdata_n_events(p->data); k++)
		if (perfdata_event_at(p->data, k)->group_leader == (int)leader && !(p->o->skip_empty && !p->hits->total.at[k].n))
			*vec_push(out) = k;
}

static void event_name(const struct page *p, const intlist *members, struct str *s)
{
	const struct perfdata_event *e = perfdata_event_at(p->data, members->at[0]);
	bool group = members->n > 1 && !p->forced;
	if (group) {
		str_add(s, e->group_name && strcmp(e->group_name, "{anon_group}") ? e->group_name : "anon group");
		str_add(s, " { ");
	}
	for (size_t i = 0; i < members->n; i++) {
		str_add(s, i ? ", " : "");
		str_add(s, perfdata_event_at(p->data, members->at[i])->name);
	}
	str_add(s, group ? " }" : "");
}

/* One function's code is missing: the others may be there. */
static void tell(struct page *p, const struct hit_function *fn)
{
	p->failed++;
	if (p->o->skip_missing || p->o->quiet || (!p->o->choice.symbol && wordlist_has(&p->told, fn->f.dso->path))) {
		if (!p->o->choice.symbol)
			error_clear();
		return;
	}
	wordlist_add(&p->told, fn->f.dso->path);
	if (p->o->choice.symbol)
		return; /* it stays, and is how the command ends */
	out_flush(p->out);
	error_print();
}

static struct hit sum_of(const struct page *p, const intlist *members)
{
	struct hit sum = { 0, 0 };
	vec_each(members, m) {
		sum.n += p->hits->total.at[*m].n;
		sum.period += p->hits->total.at[*m].period;
	}
	return sum;
}

static void print_function(struct page *p, const struct hit_function *fn, const intlist *members, const char *name)
{
	const struct annotate_options *o = p->o;
	struct annotate_style style = { .column = o->period ? ANNOTATE_PERIOD : o->samples ? ANNOTATE_SAMPLES : ANNOTATE_PERCENT, .type = o->type,
		.full_path = o->full_path, .places = o->places, .events = members->at, .n = members->n, .event_name = name };
	struct code_listing l;
	if (listing_make(&l, p->hits, fn, &o->listing)) {
		tell(p, fn);
		return;
	}
	p->shown++;
	if (o->places)
		annotate_shares(p->out, &l, &style);
	if (o->second)
		annotate_stdio2(p->out, &l, &style, perfdata_event_at(p->data, members->at[0]), sum_of(p, members));
	else
		annotate_stdio(p->out, &l, &style);
	listing_release(&l);
}

static void print_event(struct page *p, size_t event)
{
	intlist members = { 0 };
	hit_list functions = { 0 };
	struct str name = STR_INIT;
	struct hit all = p->hits->total.at[event];
	members_of(p, event, &members);
	event_name(p, &members, &name);
	hits_sorted(p->hits, members.at, members.n, &functions);
	vec_each(&functions, fn)
		if (!p->o->min_percent || (all.period && 100.0 * (*fn)->sum.at[event].period / all.period >= p->o->min_percent))
			print_function(p, *fn, &members, name.buf);
	str_release(&name);
	vec_release(&functions);
	vec_release(&members);
}

/* ---- all ---- */

/* The name may be wrong, or the function without samples: the nearest that have some are told. */
static int no_function(const char *symbol, const struct nearest *near)
{
	error_set(ENOENT, "no sample is in a function '%s'", symbol);
	if (!nearest_hint(near))
		error_hint("sonde report -s dso,symbol lists the functions that have samples");
	return -ENOENT;
}

static int nothing(const struct page *p)
{
	if (p->failed) {
		error_set(ENOENT, "of none of the %zu functions that have samples is the code to be had", p->failed);
		return error_hint("-v says of each why");
	}
	error_set(ENODATA, "no sample is left to show");
	return error_hint("-d, -S, --time and the like choose among the samples; sonde report shows which there are");
}

int annotate_page(struct perfdata *data, struct symbols *syms, const struct annotate_options *o, struct out *out)
{
	struct page p = { .data = data, .o = o, .out = out };
	struct hits_choice choice = o->choice;
	struct nearest near;
	if (choice.symbol) {
		nearest_init(&near, choice.symbol);
		choice.near = &near;
	}
	p.forced = o->group_given && o->group && perfdata_group_all(data);
	p.hits = hits_new(syms, perfdata_n_events(data));
	int err = hits_read(p.hits, data, &choice);
	for (size_t i = 0; !err && i < perfdata_n_events(data); i++)
		if (p.hits->total.at[i].n && !(o->group && recorded_follows(data, i)))
			print_event(&p, i);
	if (!err && !p.shown && choice.symbol)
		err = p.failed ? error_code() : no_function(choice.symbol, &near);
	else if (!err && !p.shown && !o->min_percent)
		err = nothing(&p);
	hits_free(p.hits);
	wordlist_release(&p.told);
	return err;
}
