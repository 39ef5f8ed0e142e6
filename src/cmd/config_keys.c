// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/config_keys.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/config.h"
#include "base/error.h"
#include "base/out.h"
#include "base/str.h"
#include "symbol/file/idcache.h"

enum key_kind {
	KEY_FLAG, /* true: --NAME, false: --no-NAME */
	KEY_VALUE, /* --NAME=VALUE */
	KEY_WORD, /* that value: --NAME */
	KEY_READ, /* looked up where it is used */
};
static const struct config_key { const char *key, *command; enum key_kind kind; const char *name, *word; } keys[] = {
	{ "report.children", "report", KEY_FLAG, "children", NULL },
	{ "report.group", "report", KEY_FLAG, "group", NULL },
	{ "report.skip-empty", "report", KEY_FLAG, "skip-empty", NULL },
	{ "report.percent-limit", "report", KEY_VALUE, "percent-limit", NULL },
	{ "report.sort_order", "report", KEY_VALUE, "sort", NULL },
	{ "hist.percentage", "report", KEY_VALUE, "percentage", NULL },
	{ "record.build-id", "record", KEY_WORD, "no-buildid", "skip" },
	{ "record.build-id", "record", KEY_WORD, "buildid-mmap", "mmap" },
	{ "record.call-graph", NULL, KEY_READ, NULL, NULL }, /* on_graph() of record */
	{ "call-graph.record-mode", NULL, KEY_READ, NULL, NULL },
	{ "stat.big-num", "stat", KEY_FLAG, "big-num", NULL },
	{ "stat.no-csv-summary", "stat", KEY_FLAG, "no-csv-summary", NULL },
	{ "trace.no_inherit", "trace", KEY_FLAG, "no-inherit", NULL },
	{ "buildid.dir", NULL, KEY_READ, NULL, NULL },
};
enum { N_KEYS = sizeof(keys) / sizeof(keys[0]) };

bool config_heeded(const char *key)
{
	for (int i = 0; i < N_KEYS; i++)
		if (!strcasecmp(keys[i].key, key))
			return true;
	return str_starts(key, "pager.");
}

/* The option that the key stands for; NULL: none. */
static char *option_of(const struct config_key *k, const char *value)
{
	bool on;
	switch (k->kind) {
	case KEY_VALUE: return xasprintf("--%s=%s", k->name, value);
	case KEY_WORD: return strcasecmp(value, k->word) ? NULL : xasprintf("--%s", k->name);
	case KEY_FLAG:
		if (!config_bool(value, &on)) {
			warn("%s = %s: neither true nor false: it is left out", k->key, value);
			hint("sonde config %s=true", k->key);
			return NULL;
		}
		if (!strncmp(k->name, "no-", 3)) /* --no-no-x is no option */
			return on ? xasprintf("--%s", k->name) : NULL;
		return xasprintf("--%s%s", on ? "" : "no-", k->name);
	default: return NULL;
	}
}

char **config_arguments(const char *command, int *argc, char **argv)
{
	char **all = xcalloc(*argc + N_KEYS + 1, sizeof(*all));
	int n = 0;
	int first = *argc > 1 && !strcmp(argv[1], "record") ? 2 : 1; /* trace record OPTIONS */
	while (n < first)
		all[n] = argv[n], n++;
	for (int i = 0; i < N_KEYS; i++) {
		const char *value = keys[i].command && !strcmp(keys[i].command, command) ? config_get(keys[i].key) : NULL;
		char *option = value ? option_of(&keys[i], value) : NULL;
		if (option) {
			note(2, "%s = %s: %s", keys[i].key, value, option);
			all[n++] = option;
		}
	}
	memcpy(all + n, argv + first, (*argc - first) * sizeof(*all));
	*argc += n - first;
	return all;
}

void config_apply(const char *command)
{
	const char *dir = config_get("buildid.dir");
	char *key = xasprintf("pager.%s", command);
	const char *pager = config_get(key);
	bool on;
	if (dir && *dir)
		idcache_set_root(dir);
	if (pager && config_bool(pager, &on)) {
		if (!on)
			out_pager_off();
	} else if (pager) {
		setenv("SONDE_PAGER", pager, 0);
	}
	free(key);
}
