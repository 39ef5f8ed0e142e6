// SPDX-License-Identifier: GPL-2.0-or-later
/* `a` in the browser. The last samples are kept as they came; only when somebody wants to see a function's instructions they get names,
 * and from then on what comes is added at each refresh, while what is old fades as the lines do. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/out.h"
#include "job/top/inner.h"
#include "session/callchain.h"
#include "tui/annotate/annotate.h"

enum { KEPT = 1 << 16 /* samples */, FADED = 60 /* refreshes, after which nothing is left of one */ };

struct top_sample { uint64_t ip, period; int pid, event, mode; uint32_t refresh; };

void top_samples_add(struct top *t, const struct perfdata_record *r)
{
	struct top_samples *k = &t->kept;
	if (!k->at)
		k->at = xcalloc(KEPT, sizeof(*k->at));
	k->at[k->n++ % KEPT] = (struct top_sample){ r->ip, r->period, r->pid, r->event_index, sample_mode(r->misc), t->browse.generation };
}

void top_samples_release(struct top *t)
{
	free(t->kept.at);
}

static void fade(struct top *t, struct hits *h, uint32_t to)
{
	for (; t->kept.refresh != to; t->kept.refresh++)
		hits_fade(h, t->browse.zeroing ? 0 : TOP_FADE_NUM, TOP_FADE_DEN);
}

/* Those that were not taken yet, and are still there. */
static void take(struct top *t, struct hits *h)
{
	struct top_samples *k = &t->kept;
	if (k->n - k->taken > KEPT)
		k->taken = k->n - KEPT;
	for (; k->taken < k->n; k->taken++) {
		const struct top_sample *s = &k->at[k->taken % KEPT];
		struct frame f;
		if (t->browse.generation - s->refresh > FADED)
			continue;
		if (s->refresh - k->refresh <= FADED)
			fade(t, h, s->refresh);
		k->refresh = s->refresh;
		symbols_resolve(t->syms, s->pid, s->ip, s->mode, &f);
		hits_add(h, &f, s->event, s->period);
	}
	fade(t, h, t->browse.generation);
}

static bool renew(void *top, struct hits *h)
{
	struct top *t = top;
	if (t->kept.refresh == t->browse.generation)
		return false;
	take(t, h);
	return true;
}

static struct hits *hits_by_now(struct top *t)
{
	struct hits *h = hits_new(t->syms, perfdata_n_events(t->data));
	struct top_samples *k = &t->kept;
	k->taken = k->n > KEPT ? k->n - KEPT : 0;
	k->refresh = t->browse.generation;
	take(t, h);
	return h;
}

/* Lines of so many percent, and a few around them; at most so many. */
static void print_hot(const struct code_listing *l, int event, double least, int left, struct out *out)
{
	enum { AROUND = 4 };
	size_t done = 0;
	for (size_t i = 0; i < l->line.n && left > 0; i++) {
		double p = l->line.at[i].code ? listing_percent(l, &l->line.at[i], event, PERCENT_LOCAL_PERIOD) : 0;
		if (p < least || p <= 0)
			continue;
		size_t from = i > done + AROUND ? i - AROUND : done;
		out_puts(out, from > done ? "--\n" : "");
		for (; from < l->line.n && from <= i + AROUND && left-- > 0; from++) {
			const struct listing_line *line = &l->line.at[from];
			double own = line->code ? listing_percent(l, line, event, PERCENT_LOCAL_PERIOD) : 0;
			if (line->code)
				out_printf(out, "%8.2f %8llx: %s\n", own, (unsigned long long)(l->start + line->offset), line->text);
			else
				out_printf(out, "%18s %s\n", "", line->text);
		}
		done = from;
	}
}

void top_instructions(struct top *t, int lines, struct out *out)
{
	struct hits *h = hits_by_now(t);
	struct hit_function *fn = NULL;
	struct code_listing l;
	struct str s = STR_INIT;
	int event = t->only_event > 0 ? t->only_event : 0, err = 0;
	vec_each(&h->function, f)
		if (!strcmp((*f)->name, t->shown) && (!fn || (*f)->sum.at[event].period > fn->sum.at[event].period))
			fn = *f;
	if (!fn)
		err = error_set(ENOENT, "no sample is in a function '%s'", t->shown);
	if (!err)
		err = listing_make(&l, h, fn, &t->o->page.code);
	str_add_safez(&s, err ? error_message() : fn->name);
	if (!err) {
		str_add(&s, " of ");
		str_add_safez(&s, fn->f.dso->name);
		str_addf(&s, ", %llu samples, lines of at least %g %%:", (unsigned long long)fn->sum.at[event].n, t->least_percent);
	}
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
	if (!err) {
		print_hot(&l, event, t->least_percent, lines, out);
		listing_release(&l);
	}
	error_clear();
	hits_free(h);
}

enum tui_did top_annotate(struct tui *tui, struct hist_browse *b, size_t event, const struct place *p)
{
	struct top *t = b->ctx;
	if (!p->dso) {
		tui_say(tui, "this line is in no file");
		return TUI_DONE;
	}
	struct hits *h = hits_by_now(t);
	struct tui_source *s = annotate_place_live(h, &(struct annotate_target){ .place = p, .event = (int)event, .code = &b->report->o->code, .type = b->report->o->percent_type },
						   &(struct annotate_live){ renew, b->ops->status, t });
	if (s)
		tui_push(tui, s);
	else
		tui_say(tui, "%s", error_message());
	error_clear();
	return TUI_DONE;
}
