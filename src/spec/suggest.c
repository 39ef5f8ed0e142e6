// SPDX-License-Identifier: GPL-2.0-or-later
/* What a wrong event gets: the text with a caret under the place, and the nearest names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "spec/names.h"
#include "spec/parse.h"
#include "kernel/tracefs.h"

enum { WINDOW = 60 }; /* characters shown of a wrong name */
#define CLIP "%.60s%s"
#define CLIPPED(z) (z), strlen(z) > WINDOW ? "..." : ""

int caret(const struct spec_parser *ps, size_t at, size_t len)
{
	return error_caret(ps->text, at, len);
}

static void offer_rows(struct nearest *n, const struct event_name *rows)
{
	for (; rows->name; rows++) {
		nearest_offer(n, rows->name);
		if (rows->alias)
			nearest_offer(n, rows->alias);
	}
}

static void offer_caches(struct nearest *n, wordlist *keep)
{
	uint64_t config;
	struct str s = STR_INIT;
	for (unsigned i = 0; cache_name_at(i, &s, &config); i++) {
		wordlist_add(keep, s.buf);
		str_clear(&s);
	}
	str_release(&s);
	vec_each(keep, w)
		nearest_offer(n, *w);
}

static void offer_aliases(struct nearest *n)
{
	vec_each(pmus(), p)
		vec_each(&pmu_load(p)->aliases, a)
			nearest_offer(n, a->name);
}

/* The systems stand in no list of their own that outlives this: they are cut out of the names. */
static bool is_system(const char *word)
{
	size_t n = strlen(word);
	vec_each(tracefs_all(), w)
		if (!strncmp(*w, word, n) && (*w)[n] == ':')
			return true;
	return false;
}

/* A bare tracepoint name: "did you mean sched:sched_switch". */
static bool hint_bare_tracepoint(const char *word)
{
	vec_each(tracefs_all(), w) {
		const char *colon = strchr(*w, ':');
		if (colon && !strcmp(colon + 1, word)) {
			error_hint("did you mean '%s'?", *w);
			return true;
		}
	}
	return false;
}

int unknown_event(const struct spec_parser *ps, const char *word, size_t at)
{
	struct nearest n;
	wordlist keep = { 0 };
	bool readable = tracefs_ready() >= 0, system = readable && is_system(word);
	error_clear(); /* tracefs may be unreadable: no matter here */
	error_set(EINVAL, "there is no event '" CLIP "'", CLIPPED(word));
	caret(ps, at, strlen(word));
	nearest_init(&n, word);
	offer_rows(&n, hardware_names);
	offer_rows(&n, software_names);
	offer_rows(&n, tool_names);
	offer_caches(&n, &keep);
	offer_aliases(&n);
	if (system)
		error_hint("'%s' is a family of tracepoints: %s:*", word, word);
	else if (!(readable && hint_bare_tracepoint(word)) && (strlen(word) > WINDOW || !nearest_hint(&n)))
		error_hint("sonde list shows the events of this machine");
	wordlist_release(&keep);
	return -EINVAL;
}

static void hint_system(const char *system)
{
	wordlist systems = { 0 };
	struct nearest n;
	nearest_init(&n, system);
	if (tracefs_systems_list(&systems) < 0)
		return;
	vec_each(&systems, s)
		nearest_offer(&n, *s);
	if (!nearest_hint(&n))
		error_hint("sonde list tracepoint shows them");
	wordlist_release(&systems);
}

/* An event that would be there if its probe had been set. */
static bool hint_probe(const char *system, const char *name)
{
	if (str_starts(system, "sdt_"))
		error_hint("a marker is made an event first: sonde probe -x FILE %s:%.60s", system, name);
	else if (str_starts(system, "probe"))
		error_hint("a probe is set first: sonde probe %s%.60s", strcmp(system, "probe") ? "-x FILE " : "", name);
	else
		return false;
	return true;
}

int unknown_tracepoint(const struct spec_parser *ps, const char *system, const char *name, size_t at)
{
	struct nearest n;
	char *whole = xasprintf("%s:%s", system, name);
	bool glob = glob_has(system) || glob_has(name), has_system = is_system(system);
	if (tracefs_ready() < 0) {
		error_context("event '" CLIP "'", CLIPPED(whole));
		free(whole);
		return caret(ps, at, strlen(system) + 1 + strlen(name));
	}
	error_set(EINVAL, glob ? "no tracepoint matches '" CLIP "'" : "there is no tracepoint '" CLIP "'", CLIPPED(whole));
	if (!glob && !has_system) {
		caret(ps, at, strlen(system));
		if (!hint_probe(system, name))
			hint_system(system);
	} else {
		caret(ps, has_system ? at + strlen(system) + 1 : at, strlen(name));
		nearest_init(&n, whole);
		vec_each(tracefs_all(), w)
			nearest_offer(&n, *w);
		if ((strlen(whole) > 2 * WINDOW || !nearest_hint(&n)) && !hint_probe(system, name))
			error_hint("sonde list '%s:*' shows what there is", has_system ? system : "*");
	}
	free(whole);
	return -EINVAL;
}

int unknown_pmu(const struct spec_parser *ps, const char *word, size_t at)
{
	struct nearest n;
	error_set(EINVAL, "there is no PMU '" CLIP "'", CLIPPED(word));
	caret(ps, at, strlen(word));
	nearest_init(&n, word);
	vec_each(pmus(), p)
		nearest_offer(&n, p->name);
	if (!nearest_hint(&n))
		error_hint("sonde list pmu shows the PMUs of this machine");
	return -EINVAL;
}

/* Terms of perf that sonde has nothing for. */
static const char *instead_of(const char *key)
{
	static const char *const rows[][2] = {
		{ "percore", "stat --per-core sums the threads of each core" },
		{ "metric-id", "it is for perf's own metrics" },
		{ "time", "samples always have their time" },
		{ "nr", "it is for the BPF events of perf" },
		{ "overwrite", "record --overwrite is for all events" },
		{ "no-overwrite", "record --overwrite is for all events" },
		{ "branch_type", "record -j TYPES is for all events" },
		{ "driver-config", "it is for CoreSight" },
		{ "aux-output", "no AUX trace can be recorded" },
		{ "aux-sample-size", "no AUX trace can be recorded" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i][0], key))
			return rows[i][1];
	return NULL;
}

int unknown_term(const struct spec_parser *ps, const struct pmu *pmu, const struct term *t)
{
	static const char *const common[] = { "config", "config1", "config2", "config3", "name", "period", "freq",
		"call-graph", "stack-size", "max-stack", "inherit", "no-inherit" };
	struct nearest n;
	struct str s = STR_INIT;
	const char *instead = instead_of(t->key);
	if (instead) {
		error_set(EINVAL, "'%s' is a term of perf that sonde does not have", t->key);
		error_hint("%s", instead);
		return caret(ps, t->at, strlen(t->key));
	}
	error_set(EINVAL, "unknown term '" CLIP "' for %s", CLIPPED(t->key), pmu ? pmu->name : "this event");
	caret(ps, t->at, strlen(t->key));
	nearest_init(&n, t->key);
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		nearest_offer(&n, common[i]);
	if (pmu) {
		vec_each(&pmu->formats, f) {
			nearest_offer(&n, f->name);
			str_addf(&s, " %s", f->name);
		}
		vec_each(&pmu->aliases, a)
			nearest_offer(&n, a->name);
	}
	if (!nearest_hint(&n)) {
		if (s.len)
			error_hint("it takes:%s", s.buf);
		else
			error_hint("it takes: config config1 config2 name period freq");
	}
	str_release(&s);
	return -EINVAL;
}
