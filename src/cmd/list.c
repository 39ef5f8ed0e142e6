// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/json.h"
#include "base/options.h"
#include "base/out.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "spec/catalogue.h"
#include "spec/spec.h"
#include "kernel/features/features.h"

static const char *const usage[] = {
	"sonde list [OPTIONS] [hw|sw|cache|pmu|tracepoint|probe|sdt|subsys|FILE|GLOB]...", NULL };

static struct { bool json, no_desc, details; } opt;

static const struct option_row rows[] = {
	OPT_FLAG('j', "json", &opt.json, "write JSON"),
	OPT_FLAG(0, "no-desc", &opt.no_desc, "names only, no descriptions"),
	OPT_COUNT('v', "verbose", &verbosity, "with the fields of each tracepoint"),
	OPT_FLAG(0, "details", &opt.details, "the same"),
	OPT_END(),
};

enum {
	ALL = 1u << CATALOGUE_HARDWARE | 1u << CATALOGUE_SOFTWARE | 1u << CATALOGUE_TOOL | 1u << CATALOGUE_CACHE | 1u << CATALOGUE_PMU |
	      1u << CATALOGUE_RAW | 1u << CATALOGUE_BREAKPOINT | 1u << CATALOGUE_TRACEPOINT | 1u << CATALOGUE_PROBE,
	TRACEFS = 1u << CATALOGUE_TRACEPOINT | 1u << CATALOGUE_PROBE | 1u << CATALOGUE_SYSTEM,
};

static const struct { const char *word; unsigned kinds; } kind_words[] = {
	{ "hw", 1u << CATALOGUE_HARDWARE }, { "hardware", 1u << CATALOGUE_HARDWARE },
	{ "sw", 1u << CATALOGUE_SOFTWARE | 1u << CATALOGUE_TOOL }, { "software", 1u << CATALOGUE_SOFTWARE | 1u << CATALOGUE_TOOL },
	{ "tool", 1u << CATALOGUE_TOOL },
	{ "cache", 1u << CATALOGUE_CACHE }, { "hwcache", 1u << CATALOGUE_CACHE },
	{ "pmu", 1u << CATALOGUE_PMU | 1u << CATALOGUE_RAW }, { "raw", 1u << CATALOGUE_RAW },
	{ "breakpoint", 1u << CATALOGUE_BREAKPOINT }, { "probe", 1u << CATALOGUE_PROBE },
	{ "tracepoint", 1u << CATALOGUE_TRACEPOINT | 1u << CATALOGUE_PROBE }, { "sdt", 1u << CATALOGUE_SDT },
	{ "subsys", 1u << CATALOGUE_SYSTEM },
};

static unsigned kinds_of(const char *word)
{
	for (size_t i = 0; i < sizeof(kind_words) / sizeof(kind_words[0]); i++)
		if (!strcmp(kind_words[i].word, word))
			return kind_words[i].kinds;
	return 0;
}

/* A glob stands for whole names; a plain word for a family of tracepoints or a part of a name. */
static bool row_matches(const struct catalogue_row *r, const char *word)
{
	if (glob_has(word))
		return glob_match(word, r->name) || (r->alias && glob_match(word, r->alias));
	return strcasestr(r->name, word) || (r->alias && strcasestr(r->alias, word));
}

static bool is_family(const catalogue *c, const char *word)
{
	size_t n = strlen(word);
	vec_each(c, r)
		if ((r->kind == CATALOGUE_TRACEPOINT || r->kind == CATALOGUE_PROBE) && !strncmp(r->name, word, n) &&
		    r->name[n] == ':')
			return true;
	return false;
}

static void json_row(struct json *j, const struct catalogue_row *r)
{
	json_open(j, '{');
	json_kstr(j, "name", r->name);
	json_kstr(j, "kind", catalogue_kind_word(r->kind));
	if (r->alias)
		json_kstr(j, "alias", r->alias);
	if (r->help)
		json_kstr(j, "description", r->help);
	json_kbool(j, "supported", !r->absent);
}

static void json_fields(struct json *j, const tp_fields *fields)
{
	json_key(j, "fields");
	json_open(j, '[');
	vec_each(fields, f) {
		json_open(j, '{');
		json_kstr(j, "name", f->name);
		json_kstr(j, "declaration", f->decl);
		json_ku64(j, "offset", f->offset);
		json_ku64(j, "size", f->size);
		json_kbool(j, "signed", f->is_signed);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void text_row(struct out *o, const struct catalogue_row *r, struct str *s)
{
	str_add(s, "  ");
	str_add_safez(s, r->name);
	if (r->alias)
		str_addf(s, " OR %s", r->alias);
	str_pad(s, 52, ' ');
	str_addf(s, " %s[%s]%s", out_colour(o, OUT_GREY), catalogue_kind_name(r->kind), out_colour(o, OUT_PLAIN));
	if (r->help && !opt.no_desc) {
		str_addc(s, ' ');
		str_add_safez(s, r->help);
	}
	if (r->absent)
		str_addf(s, " %s(not supported here)%s", out_colour(o, OUT_RED), out_colour(o, OUT_PLAIN));
	str_addc(s, '\n');
}

static void print_row(struct out *o, struct json *j, const struct catalogue_row *r)
{
	struct str s = STR_INIT;
	tp_fields fields = { 0 };
	const char *colon = strchr(r->name, ':');
	bool tp = r->kind == CATALOGUE_TRACEPOINT || r->kind == CATALOGUE_PROBE;
	if (verbosity && tp && colon) {
		char *sys = xstrndup(r->name, colon - r->name);
		(void)tracepoint_fields(sys, colon + 1, &fields);
		free(sys);
	}
	if (opt.json) {
		json_row(j, r);
		if (verbosity && tp)
			json_fields(j, &fields);
		json_close(j, '}');
		out_str(o, j->out);
	} else {
		text_row(o, r, &s);
		vec_each(&fields, f) {
			str_add(&s, "        ");
			str_add_safez(&s, f->decl);
			str_addc(&s, '\n');
		}
		out_str(o, &s);
	}
	tp_fields_release(&fields);
	str_release(&s);
}

/* A word that stands for nothing: the nearest names, or how to look further. */
static int no_match(const catalogue *all, const char *word)
{
	struct nearest near;
	error_set(ENOENT, "no event matches '%s'", word);
	nearest_init(&near, word);
	vec_each(all, r) {
		nearest_offer(&near, r->name);
		if (r->alias)
			nearest_offer(&near, r->alias);
	}
	nearest_hint(&near);
	return error_hint("sonde list shows all events");
}

/* An empty list is no failure; to people it is told, so that it does not look like one. */
static void tell_none(unsigned kinds, const char *word)
{
	if (opt.json)
		return;
	if (*word == '/') {
		hint("there are no markers (USDT) in %s; sonde probe -x %s -F lists its functions", word, word);
		return;
	}
	if (kinds == 1u << CATALOGUE_PROBE)
		hint("no probe is set here; sonde probe FUNCTION sets one (sonde probe -x FILE FUNCTION in a program)");
	else
		hint("there are none on this machine");
}

/* Prints what the word stands for; -errno with a pending error. */
static int list_word(struct out *o, struct json *j, catalogue *all, const char *word)
{
	unsigned kinds = kinds_of(word);
	catalogue c = { 0 };
	int err = 0, n = 0;
	if (kinds || *word == '/') {
		err = *word == '/' ? catalogue_sdt(&c, word) : catalogue_fill(&c, kinds);
		vec_each(&c, r)
			print_row(o, j, r);
		if (!c.n && !err)
			tell_none(kinds, word);
		catalogue_release(&c);
		return err && (kinds & TRACEFS) ? err : *word == '/' ? err : 0;
	}
	if (!all->n)
		err = catalogue_fill(all, ALL);
	bool family = is_family(all, word);
	vec_each(all, r) {
		size_t len = strlen(word);
		if (family ? !strncmp(r->name, word, len) && r->name[len] == ':' : row_matches(r, word)) {
			print_row(o, j, r);
			n++;
		}
	}
	if (n) {
		error_clear();
		return 0;
	}
	if (err && strchr(word, ':')) /* it may be there, but tracefs cannot be read */
		return err;
	int none = no_match(all, word);
	if (err)
		feature_hint(FEATURE_TRACEFS);
	return none;
}

static int list_all(struct out *o, struct json *j)
{
	catalogue c = { 0 };
	int err = catalogue_fill(&c, ALL);
	vec_each(&c, r)
		print_row(o, j, r);
	catalogue_release(&c);
	if (err) {
		out_flush(o);
		warn("tracepoints are left out: %s", error_message());
		hint("%s", error_hints());
		error_clear();
	}
	return 0;
}

static int list(struct out *o, int argc, char **argv)
{
	struct str text = STR_INIT;
	struct json j;
	catalogue all = { 0 };
	int err = 0;
	json_init(&j, &text);
	if (opt.json) {
		json_open(&j, '{');
		json_ku64(&j, "schema", JSON_SCHEMA);
		json_key(&j, "events");
		json_open(&j, '[');
	}
	if (!argc)
		err = list_all(o, &j);
	for (int i = 0; i < argc && !err; i++)
		if (argc == 1 || strcmp(argv[i], "subsys")) /* `list subsys block:*`: the word only leads in */
			err = list_word(o, &j, &all, argv[i]);
	if (opt.json) {
		json_close(&j, ']');
		json_close(&j, '}');
		str_addc(&text, '\n');
		out_str(o, &text);
	}
	catalogue_release(&all);
	str_release(&text);
	return err;
}

int cmd_list(int argc, char **argv)
{
	struct out o;
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (opt.details)
		verbosity++;
	if (out_open(&o, NULL, false) < 0)
		return error_print();
	if (!opt.json)
		out_pager(&o);
	int err = list(&o, n, argv), code = 0;
	if (err) {
		out_flush(&o);
		code = error_print();
	}
	if (out_close(&o) < 0)
		code = error_print();
	return code;
}
