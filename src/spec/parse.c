// SPDX-License-Identifier: GPL-2.0-or-later
/* The event grammar, read by one pass from left to right:
 *	list  := item (',' item)*
 *	item  := '{' event (',' event)* '}' [':' mods]  |  event
 *	event := what [':' mods]        (after a '/' the ':' may be left out)
 *	what  := NAME ['/' terms '/']  |  rHEX  |  SYSTEM ':' NAME  |  PMU '/' terms '/'
 *	       | mem:ADDR ['/' LEN] [':' rwx]
 * One piece of text may stand for many events (globs, several PMUs). They are appended first; the
 * modifiers and names of what a piece made are set afterwards, on the tail of the list. */
#include "spec/parse.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "spec/metrics.h"
#include "spec/names.h"
#include "spec/samplefilter.h"
#include "spec/spec.h"

static const char mod_letters[] = "ukhpPGHSDIWe";

char *parse_word(struct spec_parser *ps)
{
	const char *from = ps->p;
	while (*ps->p && !strchr(",:{}/ \t\n", *ps->p)) {
		const char *close = *ps->p == '[' ? strchr(ps->p, ']') : NULL;
		ps->p = close ? close + 1 : ps->p + 1;
	}
	return xstrndup(from, ps->p - from);
}

struct event *parse_new(struct spec_parser *ps, enum event_kind kind, uint32_t type, uint64_t config)
{
	if (ps->l->n >= EVENTS_MAX) {
		error_set(E2BIG, "more than %d events", EVENTS_MAX);
		error_hint("name fewer of them, or narrow the globs");
		return NULL;
	}
	struct event *e = vec_push(ps->l);
	e->kind = kind;
	e->attr.type = type;
	e->attr.config = config;
	e->attr.size = sizeof(e->attr);
	e->attr.exclude_guest = kind == EVENT_HARDWARE || kind == EVENT_CACHE || kind == EVENT_RAW;
	e->scale = 1;
	e->group = (int)ps->l->n - 1;
	e->batch = ps->batch;
	return e;
}

/* On a CPU with two kinds of cores a generic event is one event on each kind. */
static int add_generic(struct spec_parser *ps, enum event_kind kind, uint32_t type, uint64_t config, const char *word)
{
	int n = 0;
	vec_each(pmus(), p) {
		if (!p->core || kind == EVENT_SOFTWARE)
			continue;
		struct event *e = parse_new(ps, kind, type, config | (uint64_t)p->type << 32);
		if (!e)
			return error_code();
		e->pmu = xstrdup(p->name);
		e->cpus = p->cpus;
		e->name = xasprintf("%s/%s/", p->name, word);
		n++;
	}
	return n || parse_new(ps, kind, type, config) ? 1 : error_code();
}

static bool raw_word(const char *w, uint64_t *config)
{
	size_t n = strspn(w + (*w != 0), "0123456789abcdefABCDEF");
	if (*w != 'r' || !n || n > 16 || w[1 + n])
		return false;
	*config = strtoull(w + 1, NULL, 16);
	return true;
}

/* 1: it was one of the kernel's generic names, 0: not. */
static int generic(struct spec_parser *ps, const char *word)
{
	const struct event_name *row;
	uint64_t config;
	if ((row = event_name_find(hardware_names, word)))
		return add_generic(ps, EVENT_HARDWARE, row->type, row->config, word);
	if ((row = event_name_find(software_names, word)))
		return add_generic(ps, EVENT_SOFTWARE, row->type, row->config, word);
	if ((row = event_name_find(tool_names, word))) {
		struct event *e = parse_new(ps, EVENT_TOOL, row->type, row->config);
		if (!e)
			return error_code();
		e->unit = xstrdup("ns");
		return 1;
	}
	if (cache_name_parse(word, &config))
		return add_generic(ps, EVENT_CACHE, PERF_TYPE_HW_CACHE, config, word);
	if (raw_word(word, &config))
		return add_generic(ps, EVENT_RAW, PERF_TYPE_RAW, config, word);
	return 0;
}

/* NAME/terms/ on a generic name or a tracepoint: only the terms that every event takes. */
static int common_terms(struct spec_parser *ps, size_t from)
{
	term_list terms = { 0 };
	int err = terms_read(ps, &terms);
	for (size_t i = from; !err && i < ps->l->n; i++)
		err = terms_apply(ps, &ps->l->at[i], NULL, &terms);
	terms_release(&terms);
	return err;
}

static bool only_mods(const char *w)
{
	return *w && strspn(w, mod_letters) == strlen(w);
}

static int tracepoints(struct spec_parser *ps, const char *system, size_t at, size_t from)
{
	ps->p++; /* ':' */
	char *name = parse_word(ps);
	int err;
	if (!*name) {
		error_set(EINVAL, "'%s:' lacks the name of a tracepoint", system);
		error_hint("as in sched:sched_switch, or sched:* for all of them");
		err = caret(ps, ps->p - ps->text, 1);
	} else {
		err = parse_tracepoints(ps, system, name, at);
		if (err && only_mods(name) && err == -EINVAL)
			err = unknown_event(ps, system, at); /* cyclse:u */
	}
	free(name);
	if (!err && *ps->p == '/')
		err = common_terms(ps, from);
	return err;
}

/* A name of perf's tables, if they are installed: the code that it stands for. 1: it was one, 0: not. */
static int table_event(struct spec_parser *ps, const char *word, size_t from)
{
	const struct metric_event *e = metric_event_find(metric_tables_installed(), word, strlen(word));
	size_t pmu = e ? strcspn(e->encoding, "/") : 0;
	if (!e || !e->encoding[pmu])
		return 0;
	struct spec_parser inner = *ps;
	inner.text = e->encoding;
	inner.p = e->encoding + pmu;
	char *name = xstrndup(e->encoding, pmu);
	int err = parse_pmu(&inner, name, 0);
	free(name);
	for (size_t i = from; i < ps->l->n && !err; i++) {
		free(ps->l->at[i].name);
		ps->l->at[i].name = xstrdup(word);
	}
	return err ? err : 1;
}

static int what(struct spec_parser *ps, size_t from)
{
	size_t at = ps->p - ps->text;
	char *word = parse_word(ps);
	int n, err = 0;
	if (!*word) {
		if (*ps->p == '{')
			error_set(EINVAL, "groups do not nest");
		else
			error_set(EINVAL, "an event is missing");
		error_hint("as in cycles,{page-faults,cs}:u or sched:*; sonde list shows the events");
		err = caret(ps, at, 1);
	} else if (!strcmp(word, "mem") && *ps->p == ':') {
		ps->p++;
		err = parse_breakpoint(ps, at);
	} else if ((n = generic(ps, word))) {
		err = n < 0 ? n : *ps->p == '/' ? common_terms(ps, from) : 0;
	} else if (*ps->p == '/') {
		err = parse_pmu(ps, word, at);
	} else if ((n = parse_bare_alias(ps, word, at))) {
		err = n < 0 ? n : 0;
	} else if ((n = table_event(ps, word, from))) {
		err = n < 0 ? n : 0;
	} else if (*ps->p == ':') {
		err = tracepoints(ps, word, at, from);
	} else {
		err = unknown_event(ps, word, at);
	}
	free(word);
	return err;
}

/* u, k, h: the first one given excludes the other levels. G and H likewise. */
static void exclude_level(struct event *e, char c)
{
	if (!e->exclude_user_given) {
		e->attr.exclude_user = e->attr.exclude_kernel = e->attr.exclude_hv = 1;
		e->exclude_user_given = true;
	}
	if (c == 'u')
		e->attr.exclude_user = 0;
	else if (c == 'k')
		e->attr.exclude_kernel = 0;
	else
		e->attr.exclude_hv = 0;
}

static void apply_mods(struct event *e, const char *mods, size_t n, bool leader)
{
	bool guest = memchr(mods, 'G', n), host = memchr(mods, 'H', n);
	if (guest || host) {
		e->attr.exclude_guest = !guest;
		e->attr.exclude_host = !host;
	}
	for (size_t i = 0; i < n; i++)
		switch (mods[i]) {
		case 'u': case 'k': case 'h': exclude_level(e, mods[i]); break;
		case 'p': e->attr.precise_ip++; break;
		case 'P': e->precise_max = true; break;
		case 'S': e->group_sample = true; break;
		case 'D': e->attr.pinned = leader; break;
		case 'e': e->attr.exclusive = leader; break;
		case 'I': e->attr.exclude_idle = 1; break;
		case 'W': e->weak_group = true; break;
		}
}

/* "cycles" or "cycles:D" and "uS" make "cycles:u", "cycles:Du" with which = "u"; a name= stays as it was given. */
void event_name_mods(struct event *e, const char *mods, size_t n, const char *which)
{
	struct str s = STR_INIT;
	const char *colon = strrchr(e->name, ':');
	bool colons = colon && only_mods(colon + 1) && (e->kind != EVENT_TRACEPOINT || strchr(e->name, ':') != colon);
	if (e->name_given)
		return;
	str_add(&s, e->name);
	for (size_t i = 0; i < n; i++)
		if (strchr(which, mods[i])) {
			if (!colons)
				str_addc(&s, ':');
			str_addc(&s, mods[i]);
			colons = true;
		}
	free(e->name);
	e->name = str_detach(&s);
}

static int read_mods(struct spec_parser *ps, const char **mods, size_t *n)
{
	*mods = ps->p;
	*n = strspn(ps->p, mod_letters);
	if (!*n || (ps->p[*n] && !strchr(",} \t\n", ps->p[*n]))) {
		if (ps->p[*n] && !strchr(",} \t\n", ps->p[*n]))
			error_set(EINVAL, "'%c' is not a modifier", ps->p[*n]);
		else
			error_set(EINVAL, "a modifier is missing");
		error_hint("modifiers: u user, k kernel, h hypervisor, p..ppp precise, P most precise, G guest, H host, "
			   "S group read, D pinned, e exclusive, I not when idle, W weak group");
		return caret(ps, ps->p + *n - ps->text, 1);
	}
	size_t precise = 0;
	for (size_t i = 0; i < *n; i++) {
		char c = (*mods)[i];
		if (c == 'p' && ++precise > 3) {
			error_set(EINVAL, "at most three p: ppp is the most precise there is");
			return caret(ps, *mods - ps->text, *n);
		}
		if (c != 'p' && memchr(*mods, c, i)) {
			error_set(EINVAL, "'%c' is given twice", c);
			return caret(ps, *mods + i - ps->text, 1);
		}
	}
	ps->p += *n;
	return 0;
}

static int event(struct spec_parser *ps)
{
	size_t from = ps->l->n, n = 0;
	const char *start = ps->p, *mods = NULL;
	int err = what(ps, from);
	if (err)
		return err;
	bool slash = ps->p[-1] == '/' && isalpha((unsigned char)*ps->p);
	if (*ps->p == ':' || slash) {
		ps->p += !slash;
		if ((err = read_mods(ps, &mods, &n)))
			return err;
	}
	for (size_t i = from; i < ps->l->n; i++) {
		struct event *e = &ps->l->at[i];
		bool named = e->name != NULL;
		e->text = xstrndup(start, ps->p - start);
		apply_mods(e, mods ? mods : "", n, true);
		if (named)
			event_name_mods(e, mods ? mods : "", n, mod_letters);
		else
			e->name = xstrndup(start, ps->p - start);
	}
	return 0;
}

static void skip_space(struct spec_parser *ps)
{
	while (*ps->p == ' ' || *ps->p == '\t' || *ps->p == '\n')
		ps->p++;
}

static int group_close(struct spec_parser *ps, size_t from)
{
	const char *mods = NULL;
	size_t n = 0;
	int err;
	ps->p++; /* '}' */
	if (*ps->p == ':') {
		ps->p++;
		if ((err = read_mods(ps, &mods, &n)))
			return err;
	}
	for (size_t i = from; i < ps->l->n; i++) {
		struct event *e = &ps->l->at[i];
		e->group = (int)from;
		if (n) {
			apply_mods(e, mods, n, i == from);
			event_name_mods(e, mods, n, "ukhpPGHI"); /* those that say what is counted */
		}
	}
	return 0;
}

static int group(struct spec_parser *ps)
{
	size_t at = ps->p++ - ps->text, from = ps->l->n;
	int err;
	for (;;) {
		skip_space(ps);
		if ((err = event(ps)))
			return err;
		skip_space(ps);
		if (*ps->p == '}')
			return group_close(ps, from);
		if (*ps->p != ',') {
			error_set(EINVAL, *ps->p ? "a ',' or '}' is missing" : "the '{' is never closed");
			error_hint("a group is written {cycles,instructions}:u");
			return *ps->p ? caret(ps, ps->p - ps->text, 1) : caret(ps, at, 1);
		}
		ps->p++;
	}
}

static int list(struct spec_parser *ps)
{
	int err;
	do {
		skip_space(ps);
		if ((err = *ps->p == '{' ? group(ps) : event(ps)))
			return err;
		skip_space(ps);
	} while (*ps->p++ == ',');
	if (!*--ps->p)
		return 0;
	error_set(EINVAL, "a ',' is missing between events");
	error_hint("as in cs,page-faults");
	return caret(ps, ps->p - ps->text, 1);
}

static void event_release(struct event *e)
{
	free(e->name);
	free(e->system);
	free(e->tracepoint);
	free(e->filter);
	free(e->sample_filter);
	free(e->pmu);
	free(e->unit);
	free(e->text);
	free(e->call_graph);
}

int events_parse(event_list *l, const char *text)
{
	size_t before = l->n;
	struct spec_parser ps = { .text = text, .p = text, .l = l, .batch = before ? l->at[before - 1].batch + 1 : 0 };
	int err = list(&ps);
	if (err && !*error_hints())
		error_hint("man sonde-list tells how events are written");
	while (err && l->n > before)
		event_release(&l->at[--l->n]);
	return err;
}

int events_filter(event_list *l, const char *filter)
{
	int n = 0;
	vec_each(l, e) {
		if (e->batch != vec_last(l)->batch || e->kind != EVENT_TRACEPOINT)
			continue;
		char *old = e->filter;
		e->filter = old ? xasprintf("(%s) && (%s)", old, filter) : xstrdup(filter);
		free(old);
		n++;
	}
	if (n)
		return 0;
	error_set(EINVAL, "--filter '%s' has no tracepoint to apply to", filter);
	return error_hint("it belongs behind the -e that names them: -e sched:sched_switch --filter 'prev_pid == 1'");
}

int events_sample_filter(event_list *l, const char *filter)
{
	samplefilter f = { 0 };
	bool tracepoints = !l->n;
	vec_each(l, e)
		tracepoints |= e->batch == vec_last(l)->batch && e->kind == EVENT_TRACEPOINT;
	if (tracepoints)
		return events_filter(l, filter);
	int err = samplefilter_parse(&f, filter);
	vec_release(&f);
	if (err)
		return err;
	vec_each(l, e) {
		if (e->batch != vec_last(l)->batch)
			continue;
		char *old = e->sample_filter;
		e->sample_filter = old ? xasprintf("%s, %s", old, filter) : xstrdup(filter);
		free(old);
	}
	return 0;
}

void events_release(event_list *l)
{
	vec_each(l, e)
		event_release(e);
	vec_release(l);
}

bool event_is(const struct event *e, uint32_t type, uint64_t config)
{
	return e->attr.type == type && (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ?
					(e->attr.config & UINT32_MAX) : e->attr.config) == config;
}
