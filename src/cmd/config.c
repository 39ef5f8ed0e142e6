// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/config.h"
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "cmd/config_keys.h"

static const char *const usage[] = { "sonde config [--user|--system] [-l]", "sonde config [--user|--system] SECTION.NAME[=VALUE]...",
	NULL };

struct config_options { bool list, user, system; };
#define OPTIONS struct config_options

static const struct option_row rows[] = {
	OPT_FLAG('l', "list", list, "all settings that are in force (as without arguments)"),
	OPT_FLAG(0, "user", user, "only ~/.perfconfig (or $PERF_CONFIG)"),
	OPT_FLAG(0, "system", system, "only /etc/perfconfig"),
	OPT_VERBOSE("which of them sonde heeds"),
	OPT_END(),
};

/* The settings of the files that were chosen, a later one in the place of an earlier. */
static int read_settings(config_items *l, const struct config_options *o)
{
	config_items all = { 0 };
	int err = 0;
	for (int f = 0; f < CONFIG_FILES && !err; f++)
		if (f == CONFIG_USER ? !o->system : !o->user)
			err = config_read(&all, f);
	vec_each(&all, i) {
		struct config_item *same = NULL;
		vec_each(l, old)
			if (!strcasecmp(old->key, i->key))
				same = old;
		if (!same) {
			same = vec_push(l);
			same->key = xstrdup(i->key);
		}
		free(same->value);
		same->value = xstrdup(i->value);
	}
	config_release(&all);
	return err;
}

static void print(struct out *o, const struct config_item *i)
{
	struct str s = STR_INIT;
	str_add_safez(&s, i->key);
	str_addc(&s, '=');
	str_add_safez(&s, i->value);
	if (verbosity && !config_heeded(i->key))
		str_add(&s, "    # perf's: sonde does not heed it");
	str_addc(&s, '\n');
	out_str(o, &s);
	str_release(&s);
}

static int check_key(const char *word)
{
	const char *end = strchr(word, '='), *dot = memchr(word, '.', end ? (size_t)(end - word) : strlen(word));
	if (!dot || dot == word || !dot[1] || dot + 1 == end) {
		error_set(EINVAL, "'%s' has no section: a setting is SECTION.NAME", word);
		return error_hint("sonde config report.children=false; perf-config(1) lists them");
	}
	if (end && !end[1]) {
		error_set(EINVAL, "'%s' has no value", word);
		return error_hint("to take a setting back, take its line out of the file");
	}
	return 0;
}

static int show(const config_items *l, char **words, struct out *o)
{
	int err = 0;
	if (!*words)
		vec_each(l, i)
			print(o, i);
	for (; *words && !err; words++) {
		err = check_key(*words);
		vec_each(l, i)
			if (!err && !strcasecmp(i->key, *words))
				print(o, i);
	}
	return err;
}

static int set(const struct config_options *o, const char *word)
{
	const char *equals = strchr(word, '=');
	int err = check_key(word);
	if (err)
		return err;
	char *key = xstrndup(word, equals - word);
	err = config_write(o->system ? CONFIG_SYSTEM : CONFIG_USER, key, equals + 1);
	if (!err && !config_heeded(key))
		note(0, "%s is for perf: sonde does not heed it", key);
	free(key);
	return err;
}

static int run(const struct config_options *o, char **words)
{
	config_items l = { 0 };
	struct out out;
	int err = out_open(&out, NULL, false);
	bool setting = false;
	for (char **w = words; *w && !err; w++)
		if (strchr(*w, '=')) {
			setting = true;
			err = set(o, *w);
		}
	if (!err && !setting && !(err = read_settings(&l, o)))
		err = show(&l, words, &out);
	config_release(&l);
	int closed = out_close(&out);
	return err ? err : closed;
}

int cmd_config(int argc, char **argv)
{
	struct config_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n >= 0 && o.user && o.system)
		n = error_set(EINVAL, "--user and --system: one file at a time");
	if (n > 0 && o.list)
		n = error_set(EINVAL, "-l takes no settings: '%s'", argv[0]);
	if (n < 0)
		return options_exit(n, usage);
	return run(&o, argv) < 0 ? error_print() : 0;
}
