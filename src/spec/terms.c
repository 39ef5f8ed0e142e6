// SPDX-License-Identifier: GPL-2.0-or-later
/* PMU/term,term=value/ : the terms come from three places, tried in this order: a few that every event
 * takes, the PMU's format folder (bit fields of the config words), and its events folder (an alias is
 * itself a list of terms). Aliases are applied first, whatever their place, so that what the user writes
 * wins over what the alias says. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "spec/parse.h"

void terms_release(term_list *t)
{
	vec_each(t, it) {
		free(it->key);
		free(it->val);
	}
	vec_release(t);
}

static int term_read(struct spec_parser *ps, struct term *t)
{
	t->at = ps->p - ps->text;
	size_t n = strcspn(ps->p, "=,/");
	t->key = xstrndup(ps->p, n);
	ps->p += n;
	if (!n) {
		error_set(EINVAL, "a term is missing");
		return caret(ps, t->at, 1);
	}
	if (*ps->p != '=')
		return 0;
	ps->p++;
	char quote = *ps->p == '\'' || *ps->p == '"' ? *ps->p : 0;
	const char *end = quote ? strchr(ps->p + 1, quote) : ps->p + strcspn(ps->p, ",/");
	if (!end) {
		error_set(EINVAL, "the quote is never closed");
		return caret(ps, ps->p - ps->text, 1);
	}
	t->val = xstrndup(ps->p + (quote != 0), end - ps->p - (quote != 0));
	ps->p = end + (quote != 0);
	return 0;
}

int terms_read(struct spec_parser *ps, term_list *out)
{
	size_t at = ps->p++ - ps->text;
	int err;
	while (*ps->p != '/') {
		if (*ps->p && (err = term_read(ps, vec_push(out))))
			return err;
		if (*ps->p == ',' && ps->p[1] != '/')
			ps->p++;
		else if (*ps->p != '/') {
			error_set(EINVAL, "the terms of the event are never closed by a second '/'");
			return caret(ps, at, 1);
		}
	}
	ps->p++;
	return 0;
}

static int bad_value(struct spec_parser *ps, const struct term *t, const char *why)
{
	error_set(EINVAL, "term %s: %s", t->key, why);
	return caret(ps, t->at, strlen(t->key) + (t->val ? 1 + strlen(t->val) : 0));
}

/* Numbers are decimal or 0x hex; a term without a value is 1. */
static int term_number(struct spec_parser *ps, const struct term *t, uint64_t *v)
{
	*v = 1;
	if (t->val && parse_u64(t->val, v))
		return bad_value(ps, t, "not a number");
	return 0;
}

/* 1: taken, 0: not one of these, -errno. */
static int common_text(struct spec_parser *ps, struct event *e, const struct term *t)
{
	char **at = !strcmp(t->key, "name") ? &e->name : !strcmp(t->key, "call-graph") ? &e->call_graph : NULL;
	if (!at)
		return 0;
	if (!t->val || !*t->val)
		return bad_value(ps, t, "a value is missing");
	free(*at);
	*at = xstrdup(t->val);
	e->name_given |= at == &e->name;
	return 1;
}

static int common_number(struct spec_parser *ps, struct event *e, const struct term *t)
{
	static const char *const names[] = { "config", "config1", "config2", "config3", "period", "freq",
		"stack-size", "max-stack", "inherit", "no-inherit" };
	enum { CONFIG, CONFIG1, CONFIG2, CONFIG3, PERIOD, FREQ, STACK, DEPTH, INHERIT, NO_INHERIT, N };
	int i = 0, err;
	uint64_t v;
	while (i < N && strcmp(names[i], t->key))
		i++;
	if (i == N)
		return 0;
	if ((err = term_number(ps, t, &v)))
		return err;
	if ((i == PERIOD || i == FREQ) && (!t->val || !v))
		return bad_value(ps, t, "a number above 0 is needed");
	switch (i) {
	case CONFIG: e->attr.config = v; break;
	case CONFIG1: e->attr.config1 = v; break;
	case CONFIG2: e->attr.config2 = v; break;
	case CONFIG3: return bad_value(ps, t, "this build does not know config3");
	case PERIOD: e->attr.sample_period = v; e->attr.freq = 0; break;
	case FREQ: e->attr.sample_freq = v; e->attr.freq = 1; break;
	case STACK: e->stack_size = v > 65528 ? 65528 : v; break;
	case DEPTH: e->max_stack = v > 65535 ? 65535 : v; break;
	case INHERIT: e->inherit = v ? 1 : -1; break;
	case NO_INHERIT: e->inherit = v ? -1 : 1; break;
	}
	return 1;
}

static int format_apply(struct spec_parser *ps, struct event *e, const struct pmu_format *f, const struct term *t)
{
	uint64_t v, word[PMU_WORDS] = { e->attr.config, e->attr.config1, e->attr.config2, 0 };
	int err = term_number(ps, t, &v);
	if (err)
		return err;
	if (pmu_format_set(f, word, v))
		return bad_value(ps, t, "the value has more bits than the field");
	if (word[3])
		return bad_value(ps, t, "this build does not know config3");
	e->attr.config = word[0];
	e->attr.config1 = word[1];
	e->attr.config2 = word[2];
	return 1;
}

static bool given(const term_list *terms, const char *key)
{
	vec_each(terms, t)
		if (!strcmp(t->key, key) && t->val)
			return true;
	return false;
}

/* An alias is "event=0x3c,umask=0x1" from sysfs; "core=?" is for the user to fill in. */
static int alias_apply(struct spec_parser *ps, struct event *e, const struct pmu *pmu, const struct term *by,
		       const struct pmu_alias *a, const term_list *user)
{
	wordlist parts = { 0 };
	int err = 0;
	wordlist_split(&parts, a->terms, ',');
	vec_each(&parts, w) {
		char *eq = strchr(*w, '='), *val = NULL;
		if (eq) {
			*eq = 0;
			val = eq + 1;
		}
		if (val && !strcmp(val, "?")) {
			if (!given(user, *w)) {
				error_set(EINVAL, "%s/%s/ needs %s=VALUE", pmu->name, a->name, *w);
				err = caret(ps, by->at, strlen(by->key));
				break;
			}
			continue;
		}
		struct term t = { *w, val, by->at };
		const struct pmu_format *f = pmu_format_find(pmu, *w);
		err = f ? format_apply(ps, e, f, &t) : common_number(ps, e, &t);
		if (err < 0)
			break;
		err = 0;
	}
	wordlist_release(&parts);
	if (a->unit && !err) {
		free(e->unit);
		e->unit = xstrdup(a->unit);
	}
	if (!err)
		e->scale = a->scale;
	return err;
}

/* "r1a8" inside a PMU is its raw config. */
static bool raw_term(const struct term *t, uint64_t *config)
{
	char *end;
	if (t->key[0] != 'r' || t->val || !t->key[1] || strspn(t->key + 1, "0123456789abcdefABCDEF") != strlen(t->key + 1))
		return false;
	errno = 0;
	*config = strtoull(t->key + 1, &end, 16);
	return !errno;
}

static int term_apply(struct spec_parser *ps, struct event *e, const struct pmu *pmu, const struct term *t)
{
	const struct pmu_format *f = pmu ? pmu_format_find(pmu, t->key) : NULL;
	if (f)
		return format_apply(ps, e, f, t);
	int took = common_text(ps, e, t);
	if (!took)
		took = common_number(ps, e, t);
	if (took)
		return took;
	uint64_t config;
	if ((pmu || e->missing) && raw_term(t, &config)) {
		e->attr.config = config;
		return 1;
	}
	return e->missing ? 1 : unknown_term(ps, pmu, t);
}

int terms_apply(struct spec_parser *ps, struct event *e, const struct pmu *pmu, const term_list *terms)
{
	int err;
	vec_each(terms, t) {
		const struct pmu_alias *a = pmu && !t->val && !pmu_format_find(pmu, t->key) ? pmu_alias_find(pmu, t->key) : NULL;
		if (a && (err = alias_apply(ps, e, pmu, t, a, terms)) < 0)
			return err;
	}
	vec_each(terms, t) {
		if (pmu && !t->val && !pmu_format_find(pmu, t->key) && pmu_alias_find(pmu, t->key))
			continue;
		if ((err = term_apply(ps, e, pmu, t)) < 0)
			return err;
	}
	return 0;
}

/* uncore_imc stands for uncore_imc_0, uncore_imc_1, ...; imc too; a glob for what it matches. */
static bool pmu_matches(const char *want, const char *name)
{
	size_t n = strlen(want);
	if (glob_has(want))
		return glob_match(want, name);
	if (str_starts(name, "uncore_") && !str_starts(want, "uncore_"))
		name += strlen("uncore_");
	if (strncmp(name, want, n))
		return false;
	name += n;
	if (*name == '_')
		name++;
	return !*name || strspn(name, "0123456789") == strlen(name);
}

static int pmu_add(struct spec_parser *ps, const struct pmu *pmu, const term_list *terms, bool several)
{
	struct event *e = parse_new(ps, EVENT_PMU, pmu->type, 0);
	if (!e)
		return error_code();
	e->pmu = xstrdup(pmu->name);
	e->cpus = pmu->cpus;
	e->attr.exclude_guest = pmu->core || str_starts(pmu->name, "cpu");
	if (several) {
		struct str s = STR_INIT;
		str_addf(&s, "%s/", pmu->name);
		vec_each(terms, t)
			str_addf(&s, "%s%s%s%s", t == terms->at ? "" : ",", t->key, t->val ? "=" : "", t->val ? t->val : "");
		str_addc(&s, '/');
		e->name = str_detach(&s);
	}
	return terms_apply(ps, e, pmu, terms);
}

static int pmu_add_missing(struct spec_parser *ps, const char *word, const term_list *terms)
{
	struct event *e = parse_new(ps, EVENT_PMU, PERF_TYPE_MAX, 0);
	if (!e)
		return error_code();
	e->pmu = xstrdup(word);
	e->missing = true;
	return terms_apply(ps, e, NULL, terms);
}

int parse_pmu(struct spec_parser *ps, const char *word, size_t at)
{
	term_list terms = { 0 };
	int err = terms_read(ps, &terms), n = 0, matches = 0;
	const struct pmu *exact = pmu_find(word);
	vec_each(&terms, t) /* also where no PMU is there to say what it takes */
		if (!err && t->val && !*t->val)
			err = bad_value(ps, t, "a value is missing");
	if (err)
		goto out;
	if (exact) {
		err = pmu_add(ps, exact, &terms, false);
		goto out;
	}
	vec_each(pmus(), p)
		matches += pmu_matches(word, p->name);
	vec_each(pmus(), p)
		if (!err && pmu_matches(word, p->name)) {
			err = pmu_add(ps, pmu_load(p), &terms, matches > 1);
			n++;
		}
	if (!err && !n)
		err = pmu_known_elsewhere(word) ? pmu_add_missing(ps, word, &terms) : unknown_pmu(ps, word, at);
out:
	terms_release(&terms);
	return err;
}

int parse_bare_alias(struct spec_parser *ps, const char *word, size_t at)
{
	int n = 0, err = 0, matches = 0;
	struct term t = { (char *)word, NULL, at };
	term_list one = { &t, 1, 1 };
	vec_each(pmus(), p)
		matches += pmu_alias_find(pmu_load(p), word) != NULL;
	vec_each(pmus(), p)
		if (!err && pmu_alias_find(pmu_load(p), word)) {
			err = pmu_add(ps, p, &one, matches > 1);
			n++;
		}
	return err ? err : n;
}
