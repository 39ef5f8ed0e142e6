// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/settings.h"
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "script/front/parse.h"
#include "script/type.h"

enum setting_kind { SET_NUMBER, SET_BOOL, SET_WORD, SET_TEXT, SET_IGNORED };
struct setting {
	const char *name, *old; /* old: what an older version called it in the environment, behind BPFTRACE_; NULL */
	enum setting_kind kind;
	size_t at; /* in struct run_script */
	unsigned least, most; /* NUMBER */
	const char *words[7]; /* WORD: the value is which one */
};
#define AT(field) offsetof(struct run_script, field)

static const struct setting settings[] = {
	{ "max_map_keys", "MAP_KEYS_MAX", SET_NUMBER, AT(max_keys), 1, 1 << 24, { 0 } },
	{ "max_strlen", "STRLEN", SET_NUMBER, AT(max_string), 1, STRING_MAX, { 0 } },
	{ "perf_rb_pages", NULL, SET_NUMBER, AT(ring_pages), 1, 1 << 18, { 0 } },
	{ "print_maps_on_exit", NULL, SET_BOOL, AT(print_maps), 0, 1, { 0 } },
	{ "stack_mode", NULL, SET_WORD, AT(stack_mode), 0, 0, { "bpftrace", "perf", "raw", "build_id" } },
	{ "missing_probes", NULL, SET_WORD, AT(missing_probes), 0, 0, { "warn", "error", "ignore" } },
	{ "license", NULL, SET_WORD, AT(license), 0, 0, { "GPL", "GPL v2", "Dual MIT/GPL", "Dual BSD/GPL", "GPL and additional rights", "Dual MPL/GPL" } },
	{ "max_cat_bytes", "CAT_BYTES_MAX", SET_NUMBER, AT(max_cat), 1, 1 << 20, { 0 } },
	{ "str_trunc_trailer", NULL, SET_TEXT, AT(trailer), 0, 0, { 0 } },
	/* their reasons are bpftrace's own */
	{ "cpp_demangle", "NO_CPP_DEMANGLE", SET_IGNORED, 0, 0, 0, { 0 } }, { "max_probes", NULL, SET_IGNORED, 0, 0, 0, { 0 } },
	{ "max_bpf_progs", NULL, SET_IGNORED, 0, 0, 0, { 0 } }, { "on_stack_limit", NULL, SET_IGNORED, 0, 0, 0, { 0 } },
	{ "log_size", NULL, SET_IGNORED, 0, 0, 0, { 0 } }, { "lazy_symbolication", NULL, SET_IGNORED, 0, 0, 0, { 0 } },
	{ "cache_user_symbols", NULL, SET_IGNORED, 0, 0, 0, { 0 } }, { "show_debug_info", NULL, SET_IGNORED, 0, 0, 0, { 0 } },
	{ "symbol_source", NULL, SET_IGNORED, 0, 0, 0, { 0 } }, { "max_ast_nodes", NULL, SET_IGNORED, 0, 0, 0, { 0 } },
	{ "use_blazesym", NULL, SET_IGNORED, 0, 0, 0, { 0 } },
};
enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

/* unstable_addr and its kin: bpftrace warns there of what it may change. */
static const struct setting unstable = { "unstable_...", NULL, SET_IGNORED, 0, 0, 0, { 0 } };

static int set_word(const struct setting *t, unsigned *to, const char *value, struct str *why)
{
	for (unsigned i = 0; i < sizeof(t->words) / sizeof(t->words[0]) && t->words[i]; i++)
		if (!strcasecmp(t->words[i], value)) {
			*to = i;
			return 0;
		}
	str_addf(why, "%s is one of", t->name);
	for (unsigned i = 0; i < sizeof(t->words) / sizeof(t->words[0]) && t->words[i]; i++)
		str_addf(why, "%s %s", i ? "," : "", t->words[i]);
	return -EINVAL;
}

/* -EINVAL: *why says what it should be. */
static int set(struct run_script *s, const struct setting *t, const char *value, struct str *why)
{
	void *field = (char *)s + t->at;
	uint64_t v;
	switch (t->kind) {
	case SET_NUMBER:
		if (parse_u64(value, &v) || v < t->least || v > t->most) {
			str_addf(why, "%s is a number from %u to %u", t->name, t->least, t->most);
			return -EINVAL;
		}
		*(unsigned *)field = (unsigned)v;
		return 0;
	case SET_BOOL:
		if (strcmp(value, "0") && strcmp(value, "1") && strcasecmp(value, "true") && strcasecmp(value, "false")) {
			str_addf(why, "%s is true or false", t->name);
			return -EINVAL;
		}
		*(unsigned *)field = !strcmp(value, "1") || !strcasecmp(value, "true");
		return 0;
	case SET_WORD: return set_word(t, field, value, why);
	case SET_TEXT: *(const char **)field = arena_text(&s->source->memory, value, strlen(value)); return 0;
	case SET_IGNORED: note(1, "%s changes nothing here", t->name); return 0;
	}
	return 0;
}

static const struct setting *find(const char *name)
{
	if (!strncasecmp(name, "BPFTRACE_", 9))
		name += 9;
	for (int i = 0; i < SETTINGS; i++)
		if (!strcasecmp(settings[i].name, name) || (settings[i].old && !strcasecmp(settings[i].old, name)))
			return &settings[i];
	return strncasecmp(name, "unstable_", 9) ? NULL : &unstable;
}

static int unknown(const struct script_source *s, const struct config_line *c)
{
	struct nearest near;
	source_error(s, c->at, "there is no setting '%.60s'", c->name);
	nearest_init(&near, c->name);
	for (int i = 0; i < SETTINGS; i++)
		nearest_offer(&near, settings[i].name);
	if (!nearest_hint(&near))
		error_hint("for example max_map_keys = 10000, max_strlen = 200, stack_mode = perf, print_maps_on_exit = false");
	return -EINVAL;
}

static int from_environment(struct run_script *s, const struct setting *t, const char *name)
{
	struct str why = STR_INIT;
	char *variable = xasprintf("BPFTRACE_%s", name);
	for (char *p = variable; *p; p++)
		*p = (char)toupper(*p);
	const char *value = getenv(variable);
	int err = value ? set(s, t, value, &why) : 0;
	if (err) {
		error_set(EINVAL, "%s=%s: %s", variable, value, why.buf);
		error_hint("unset it, or give such a value");
	}
	free(variable);
	str_release(&why);
	return err;
}

static int kind_of_map(struct run_script *s, const struct map_kind_line *m, struct decl *d)
{
	static const struct { const char *name; bool lru, sized; } kinds[] = { { "hash", false, true }, { "lruhash", true, true },
		{ "percpuhash", false, true }, { "percpulruhash", true, true }, { "array", false, false }, { "percpuarray", false, false } };
	struct nearest near;
	nearest_init(&near, m->kind);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		nearest_offer(&near, kinds[i].name);
		if (strcmp(kinds[i].name, m->kind))
			continue;
		if (kinds[i].sized && (!m->entries || m->entries > 1 << 24))
			return source_error(s->source, m->at, "a map has from 1 to %d entries", 1 << 24);
		d->lru = kinds[i].lru;
		d->entries = (unsigned)m->entries;
		return 0;
	}
	source_error(s->source, m->at, "there is no kind of map '%.40s'", m->kind);
	return nearest_hint(&near) ? -EINVAL : error_hint("hash, lruhash, percpuhash, percpulruhash");
}

int settings_maps(struct run_script *s)
{
	int err = 0;
	for (const struct map_kind_line *m = s->source->kinds; m && !err; m = m->next) {
		struct decl none = { 0 }, *d = &none;
		for (size_t i = 0; i < s->maps.n; i++)
			if (!strcmp(s->maps.at[i]->name, m->name))
				d = s->maps.at[i];
		err = kind_of_map(s, m, d);
	}
	return err;
}

int settings_read(struct run_script *s)
{
	int err = 0;
	s->print_maps = true;
	for (const struct config_line *c = s->source->config; c && !err; c = c->next) {
		const struct setting *t = find(c->name);
		struct str why = STR_INIT;
		err = !t ? unknown(s->source, c) : set(s, t, c->value, &why) ? source_error(s->source, c->at, "%s", why.buf) : 0;
		str_release(&why);
	}
	for (int i = 0; i < SETTINGS && !err; i++) {
		err = settings[i].old ? from_environment(s, &settings[i], settings[i].old) : 0;
		if (!err)
			err = from_environment(s, &settings[i], settings[i].name);
	}
	return err;
}
