// SPDX-License-Identifier: GPL-2.0-or-later
/* Where metrics come from: the table here, and JSON in perf's form. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/file.h"
#include "base/jsonread.h"
#include "base/str.h"
#include "spec/metrics.h"

enum { TABLE_MAX = 64 << 20, TABLES_MAX = 1000 };

/* Clocks count in milliseconds, as on the page; duration_time in seconds. Names and groups are those of newer perfs. */
static const struct { const char *name, *groups, *scale_unit, *expr, *help; } built_in[] = {
	{ "CPUs_utilized", "Default", "1CPUs", "cpu\\-clock / (duration_time * 1000)", "CPUs that were busy, on average" },
	{ "cs_per_second", "Default", "1cs/sec", "context\\-switches / cpu\\-clock * 1000", "context switches a second of running" },
	{ "migrations_per_second", "Default", "1migrations/sec", "cpu\\-migrations / cpu\\-clock * 1000", "moves to another CPU a second of running" },
	{ "page_faults_per_second", "Default", "1faults/sec", "page\\-faults / cpu\\-clock * 1000", "page faults a second of running" },
	{ "insn_per_cycle", "Default", "1instructions", "instructions / cycles", "instructions a cycle" },
	{ "stalled_cycles_per_instruction", "Default", NULL, "max(stalled\\-cycles\\-frontend, stalled\\-cycles\\-backend) / instructions",
	  "stalled cycles an instruction, of the worse end of the pipeline" },
	{ "frontend_cycles_idle", "Default", "100%", "stalled\\-cycles\\-frontend / cycles", "cycles in which no instruction was fetched" },
	{ "backend_cycles_idle", "Default", "100%", "stalled\\-cycles\\-backend / cycles", "cycles in which none was finished" },
	{ "cycles_frequency", "Default", "1GHz", "cycles / cpu\\-clock / 1000000", "how fast the CPU ran" },
	{ "branch_frequency", "Default", "1M/sec", "branches / cpu\\-clock / 1000", "branches a second of running" },
	{ "branch_miss_rate", "Default", "100%", "branch\\-misses / branches", "branches that were guessed wrong" },
	{ "cache_miss_rate", "Default2", "100%", "cache\\-misses / cache\\-references", "references to the last cache that missed" },
	{ "l1d_miss_rate", "Default2", "100%", "L1\\-dcache\\-load\\-misses / L1\\-dcache\\-loads", "loads that missed the first data cache" },
	{ "llc_miss_rate", "Default2", "100%", "LLC\\-load\\-misses / LLC\\-loads", "loads that missed the last cache" },
	{ "l1i_miss_rate", "Default3", "100%", "L1\\-icache\\-load\\-misses / L1\\-icache\\-loads", "fetches that missed the instruction cache" },
	{ "dtlb_miss_rate", "Default3", "100%", "dTLB\\-load\\-misses / dTLB\\-loads", "loads that missed the data TLB" },
	{ "itlb_miss_rate", "Default3", "100%", "iTLB\\-load\\-misses / iTLB\\-loads", "fetches that missed the instruction TLB" },
};

static char *copy(const char *z)
{
	return z && *z ? xstrdup(z) : NULL;
}

static void add_built_in(struct metric_tables *t)
{
	for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++)
		*vec_push(&t->metrics) = (struct metric_def){ .name = xstrdup(built_in[i].name), .expr = xstrdup(built_in[i].expr),
			.groups = copy(built_in[i].groups), .scale_unit = copy(built_in[i].scale_unit), .help = copy(built_in[i].help) };
}

/* The files of the kernel's tree name codes, not encodings: EventCode, UMask and so on. */
static char *encoding_of(const json_pairs *p)
{
	static const struct { const char *key, *term; } terms[] = { { "EventCode", "event" }, { "UMask", "umask" },
		{ "CounterMask", "cmask" }, { "Invert", "inv" }, { "EdgeDetect", "edge" }, { "AnyThread", "any" } };
	const char *given = json_pair_get(p, "Encoding"), *unit = json_pair_get(p, "Unit");
	struct str s = STR_INIT;
	if (given && *given)
		return xstrdup(given);
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		const char *v = json_pair_get(p, terms[i].key);
		if (v && *v && (i < 2 || strcmp(v, "0")))
			str_addf(&s, "%s%s=%.*s", s.len ? "," : "", terms[i].term, (int)strcspn(v, ","), v);
	}
	if (!s.len)
		return NULL;
	char *text = xasprintf("%s/%s/", unit && *unit ? unit : "cpu", s.buf);
	str_release(&s);
	return text;
}

/* perf lists a metric once for each of its groups: then the group is new. */
static bool known_already(struct metric_tables *t, const char *name, const char *expr, const char *group)
{
	vec_each(&t->metrics, m) {
		if (strcmp(m->name, name) || strcmp(m->expr, expr))
			continue;
		if (group && *group && !metric_in_group(m, group)) {
			char *both = xasprintf("%s%s%s", m->groups ? m->groups : "", m->groups ? ";" : "", group);
			free(m->groups);
			m->groups = both;
		}
		return true;
	}
	return false;
}

static int take(void *ctx, const json_pairs *p)
{
	struct metric_tables *t = ctx;
	const char *metric = json_pair_get(p, "MetricName"), *expr = json_pair_get(p, "MetricExpr"), *event = json_pair_get(p, "EventName");
	if (metric && *metric && expr && *expr) {
		if (known_already(t, metric, expr, json_pair_get(p, "MetricGroup")))
			return 0;
		*vec_push(&t->metrics) = (struct metric_def){ .name = xstrdup(metric), .expr = xstrdup(expr),
			.groups = copy(json_pair_get(p, "MetricGroup")), .scale_unit = copy(json_pair_get(p, "ScaleUnit")),
			.help = copy(json_pair_get(p, "BriefDescription")), .unit = copy(json_pair_get(p, "Unit")),
			.long_help = copy(json_pair_get(p, "PublicDescription")) };
	} else if (event && *event) {
		char *encoding = encoding_of(p);
		if (encoding && !strchr(event, '/') && !strchr(event, ':')) /* others the kernel names itself */
			*vec_push(&t->events) = (struct metric_event){ .name = xstrdup(event), .encoding = encoding,
				.help = copy(json_pair_get(p, "BriefDescription")), .long_help = copy(json_pair_get(p, "PublicDescription")),
				.unit = copy(json_pair_get(p, "Unit")), .deprecated = json_pair_get(p, "Deprecated") != NULL };
		else
			free(encoding);
	}
	return 0;
}

static int load_text(struct metric_tables *t, const char *path, const struct str *s)
{
	int err = json_objects(s->buf, s->len, take, t);
	if (!err)
		return 0;
	error_context("%s", path);
	return error_hint("a file of metrics is what `perf list -j` prints: perf list -j >FILE");
}

static int load_file(struct metric_tables *t, const char *path)
{
	struct str s = STR_INIT;
	int err = file_read(path, &s, TABLE_MAX);
	if (err)
		err = error_sys(-err, "cannot read %s", path), error_hint("perf list -j >FILE makes one");
	else
		err = load_text(t, path, &s);
	str_release(&s);
	return err;
}

static int is_table(const struct dirent *d)
{
	return d->d_name[0] != '.' && str_ends(d->d_name, ".json");
}

static int load_folder(struct metric_tables *t, const char *path)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, is_table, alphasort), err = n < 0 ? error_sys(errno, "cannot read %s", path) : 0;
	for (int i = 0; i < n; i++) {
		char *file = xasprintf("%s/%s", path, names[i]->d_name);
		if (!err && i < TABLES_MAX)
			err = load_file(t, file);
		free(file);
		free(names[i]);
	}
	free(names);
	return err;
}

/* Nobody named it: only what belongs to this user or root is believed, and none is no error. */
static int load_installed(struct metric_tables *t)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *paths[] = { config && *config ? xasprintf("%s/sonde/metrics.json", config) :
			  home && *home ? xasprintf("%s/.config/sonde/metrics.json", home) : NULL, xstrdup("/etc/sonde/metrics.json") };
	int err = 0;
	for (int i = 0; i < 2; i++) {
		struct str s = STR_INIT;
		if (paths[i] && !err && !file_read_foreign(paths[i], OWNER_NONE, &s, TABLE_MAX))
			err = load_text(t, paths[i], &s);
		str_release(&s);
		free(paths[i]);
	}
	return err;
}

int metric_tables_load(struct metric_tables *t, const char *path)
{
	struct stat st;
	add_built_in(t);
	if (!path)
		return load_installed(t);
	return !stat(path, &st) && S_ISDIR(st.st_mode) ? load_folder(t, path) : load_file(t, path);
}

void metric_tables_release(struct metric_tables *t)
{
	vec_each(&t->metrics, m) {
		free(m->name), free(m->expr), free(m->groups), free(m->scale_unit);
		free(m->help), free(m->unit), free(m->long_help);
	}
	vec_each(&t->events, e) {
		free(e->name), free(e->encoding), free(e->help), free(e->long_help);
		free(e->unit);
	}
	vec_release(&t->metrics);
	vec_release(&t->events);
}

bool metric_in_group(const struct metric_def *d, const char *group)
{
	size_t n = strlen(group);
	for (const char *p = d->groups; p && *p; p += strcspn(p, ";,"), p += strspn(p, ";, "))
		if (strcspn(p, ";, ") == n && !strncasecmp(p, group, n))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void metric_groups(const struct metric_tables *t, wordlist *groups)
{
	vec_each(&t->metrics, m)
		for (const char *p = m->groups; p && *p; p += strcspn(p, ";,"), p += strspn(p, ";, ")) {
			char *word = xstrndup(p, strcspn(p, ";, "));
			if (*word && !wordlist_has(groups, word))
				wordlist_add(groups, word);
			free(word);
		}
	if (groups->n)
		qsort(groups->at, groups->n, sizeof(*groups->at), by_name);
}

const struct metric_tables *metric_tables_installed(void)
{
	static struct metric_tables t;
	static bool loaded;
	if (!loaded && metric_tables_load(&t, NULL)) {
		warn("%s: the rest of it is left out", error_message());
		if (*error_hints())
			hint("%s", error_hints());
		error_clear();
	}
	loaded = true;
	return &t;
}

const struct metric_event *metric_event_find(const struct metric_tables *t, const char *name, size_t n)
{
	vec_each(&t->events, e)
		if (strlen(e->name) == n && !strncasecmp(e->name, name, n))
			return e;
	return NULL;
}
