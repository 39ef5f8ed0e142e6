// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/annotate/hits.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "session/callchain.h"
#include "symbol/disasm/code.h"

struct hits *hits_new(struct symbols *syms, size_t n_events)
{
	struct hits *h = xcalloc(1, sizeof(*h));
	h->syms = syms;
	h->n_events = n_events;
	for (size_t i = 0; i < n_events; i++)
		vec_push(&h->total);
	return h;
}

static void function_free(struct hit_function *fn)
{
	if (!fn->f.sym)
		free((char *)(uintptr_t)fn->name);
	idmap_release(&fn->index);
	vec_release(&fn->offset);
	vec_release(&fn->at);
	vec_release(&fn->sum);
	free(fn);
}

void hits_free(struct hits *h)
{
	if (!h)
		return;
	vec_each(&h->function, fn)
		function_free(*fn);
	vec_release(&h->function);
	vec_release(&h->total);
	idmap_release(&h->index);
	free(h);
}

/* What has no symbol may still be a function of known size. */
static bool place_of(struct hits *h, struct frame *f)
{
	if (!f->dso)
		return false;
	return f->sym ? f->sym_size > 0 : code_bounds(h->syms, f, f->addr, &f->sym_addr, &f->sym_size);
}

static struct hit_function *function_of(struct hits *h, const struct frame *f)
{
	uint64_t key = idmap_mix((uintptr_t)f->dso, f->sym ? idmap_mix(f->sym_addr, (uintptr_t)(f->dso->jit ? f->sym : NULL)) : f->sym_addr * 2 + 1);
	uint32_t *id = idmap_at(&h->index, key ? key : 1);
	if (*id)
		return h->function.at[*id - 1];
	struct hit_function *fn = *vec_push(&h->function) = xcalloc(1, sizeof(*fn));
	*id = h->function.n;
	fn->f = *f;
	fn->name = f->sym ? f->sym : xasprintf("0x%" PRIx64, f->sym_addr);
	for (size_t i = 0; i < h->n_events; i++)
		vec_push(&fn->sum);
	return fn;
}

static void count(struct hit *t, uint64_t period)
{
	t->n++;
	t->period += period;
}

void hits_add(struct hits *h, const struct frame *frame, int event, uint64_t period)
{
	struct frame f = *frame;
	if (event < 0 || (size_t)event >= h->n_events)
		return;
	count(&h->total.at[event], period);
	if (!place_of(h, &f))
		return;
	struct hit_function *fn = function_of(h, &f);
	uint64_t offset = f.addr - f.sym_addr;
	uint32_t *id = idmap_at(&fn->index, offset + 1);
	if (!*id) {
		*vec_push(&fn->offset) = offset;
		*id = fn->offset.n;
		for (size_t i = 0; i < h->n_events; i++)
			vec_push(&fn->at);
	}
	count(&fn->at.at[(*id - 1) * h->n_events + event], period);
	count(&fn->sum.at[event], period);
}

static void fade(struct hit *t, uint64_t num, uint64_t den)
{
	uint64_t n = t->n * num / den;
	t->period = t->period * num / den;
	t->n = t->period && !n ? 1 : n;
}

void hits_fade(struct hits *h, uint64_t num, uint64_t den)
{
	vec_each(&h->total, t)
		fade(t, num, den);
	vec_each(&h->function, fn) {
		vec_each(&(*fn)->sum, t)
			fade(t, num, den);
		vec_each(&(*fn)->at, t)
			fade(t, num, den);
	}
}

struct hit hits_of(const struct hits *h, const struct hit_function *fn, size_t k, int event)
{
	return fn->at.at[k * h->n_events + event];
}

/* ---- a recording ---- */

static bool is_named(const struct frame *f, const char *name)
{
	if (f->sym)
		return !strcmp(f->sym, name);
	return f->dso && *name == '0' && f->sym_size && strtoull(name, NULL, 0) == f->sym_addr;
}

static bool is_chosen(struct hits *h, struct frame *f, const struct hits_choice *c)
{
	if (c->dsos && !(f->dso && (wordlist_has(c->dsos, f->dso->name) || wordlist_has(c->dsos, f->dso->path))))
		return false;
	if (c->symbols && !(f->sym && wordlist_has(c->symbols, f->sym)))
		return false;
	if (!c->symbol)
		return true;
	if (!f->sym && f->dso)
		code_bounds(h->syms, f, f->addr, &f->sym_addr, &f->sym_size);
	return is_named(f, c->symbol);
}

static void offer(struct hits *h, const struct frame *f, struct nearest *near)
{
	uint64_t key = idmap_mix((uintptr_t)f->sym, 3);
	uint32_t *id = idmap_at(&h->index, key ? key : 1);
	if (!*id)
		nearest_offer(near, f->sym);
	*id = 1;
}

static void take(struct hits *h, struct session *s, const struct perfdata_record *r, const struct hits_choice *c)
{
	const struct sample_filter *filter = c->filter;
	struct thread *t = session_thread(s, r->pid, r->tid);
	struct frame f;
	session_time(s, r);
	if (filter && (!filter_time(filter, r->time) || !filter_event(filter, r->event_index) || !filter_cpu(filter, r->cpu) || !filter_thread(filter, t)))
		return;
	symbols_resolve(h->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	if (is_chosen(h, &f, c))
		hits_add(h, &f, r->event_index, r->period);
	else if (c->near && f.sym)
		offer(h, &f, c->near);
}

int hits_read(struct hits *h, struct perfdata *p, const struct hits_choice *c)
{
	struct session *s = session_new(h->syms);
	struct perfdata_record r;
	enum { EACH = 2048 };
	int err;
	session_header(s, p);
	for (uint64_t n = 1; (err = perfdata_next(p, &r)) > 0; n++) {
		if (c->go_on && n % EACH == 0 && !c->go_on(c->ctx, perfdata_done(p, r.file_offset))) {
			err = 0;
			break;
		}
		session_feed(s, &r);
		if (r.header->type == PERF_RECORD_SAMPLE)
			take(h, s, &r, c);
	}
	session_free(s);
	return err;
}

/* ---- order ---- */

struct hit_order { const int *member; int n; };

static int by_weight(const void *x, const void *y, void *ctx)
{
	const struct hit_function *a = *(struct hit_function *const *)x, *b = *(struct hit_function *const *)y;
	const struct hit_order *o = ctx;
	for (int i = 0; i < o->n; i++) {
		uint64_t p = a->sum.at[o->member[i]].period, q = b->sum.at[o->member[i]].period;
		if (p != q)
			return p > q ? -1 : 1;
	}
	int c = strcmp(a->f.dso->name, b->f.dso->name);
	c = c ? c : strcmp(a->name, b->name);
	return c ? c : (a->f.sym_addr > b->f.sym_addr) - (a->f.sym_addr < b->f.sym_addr);
}

void hits_sorted(const struct hits *h, const int *members, int n, hit_list *out)
{
	struct hit_order o = { members, n };
	vec_each(&h->function, fn)
		for (int i = 0; i < n; i++)
			if ((*fn)->sum.at[members[i]].n) {
				*vec_push(out) = *fn;
				break;
			}
	if (out->n)
		qsort_r(out->at, out->n, sizeof(*out->at), by_weight, &o);
}
