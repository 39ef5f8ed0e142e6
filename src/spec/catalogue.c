// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/catalogue.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "spec/metrics.h"
#include "spec/names.h"
#include "kernel/perf.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

static const struct { const char *word, *name; } kinds_text[CATALOGUE_KINDS] = {
	[CATALOGUE_HARDWARE] = { "hw", "Hardware event" },
	[CATALOGUE_SOFTWARE] = { "sw", "Software event" },
	[CATALOGUE_TOOL] = { "tool", "Tool event" },
	[CATALOGUE_CACHE] = { "cache", "Hardware cache event" },
	[CATALOGUE_PMU] = { "pmu", "Kernel PMU event" },
	[CATALOGUE_RAW] = { "raw", "Raw event descriptor" },
	[CATALOGUE_BREAKPOINT] = { "breakpoint", "Hardware breakpoint" },
	[CATALOGUE_TRACEPOINT] = { "tracepoint", "Tracepoint event" },
	[CATALOGUE_PROBE] = { "probe", "Dynamic event" },
	[CATALOGUE_SDT] = { "sdt", "SDT event" },
	[CATALOGUE_SYSTEM] = { "subsys", "Tracepoint family" },
	[CATALOGUE_METRIC] = { "metric", "Metric" },
	[CATALOGUE_METRIC_GROUP] = { "metricgroup", "Metric group" },
};

const char *catalogue_kind_name(enum catalogue_kind k)
{
	return kinds_text[k].name;
}

const char *catalogue_kind_word(enum catalogue_kind k)
{
	return kinds_text[k].word;
}

static struct catalogue_row *add(catalogue *c, enum catalogue_kind kind, char *name)
{
	struct catalogue_row *r = vec_push(c);
	r->kind = kind;
	r->name = name;
	return r;
}

/* A try on ourselves, never started. No right to open it still means that it exists. */
static bool supported(uint32_t type, uint64_t config)
{
	struct perf_event_attr a = { .type = type, .config = config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1 };
	int fd = perf_open(&a, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES || fd == -EPERM || fd == -EBUSY || fd == -EMFILE;
}

static void add_names(catalogue *c, enum catalogue_kind kind, const struct event_name *rows)
{
	for (; rows->name; rows++) {
		struct catalogue_row *r = add(c, kind, xstrdup(rows->name));
		r->alias = rows->alias;
		r->help = xstrdup(rows->help);
		r->absent = kind != CATALOGUE_TOOL && !supported(rows->type, rows->config);
	}
}

static void add_caches(catalogue *c)
{
	uint64_t config;
	struct str s = STR_INIT;
	for (unsigned i = 0; cache_name_at(i, &s, &config); i++)
		add(c, CATALOGUE_CACHE, str_detach(&s))->absent = !supported(PERF_TYPE_HW_CACHE, config);
	str_release(&s);
}

static void add_pmu_events(catalogue *c)
{
	vec_each(pmus(), p)
		vec_each(&pmu_load(p)->aliases, a) {
			struct catalogue_row *r = add(c, CATALOGUE_PMU, xasprintf("%s/%s/", p->name, a->name));
			struct str s = STR_INIT;
			r->unit = p->name;
			str_add(&s, a->terms);
			if (a->scale < 1 || a->scale > 1)
				str_addf(&s, ", scale %g", a->scale);
			if (a->unit)
				str_addf(&s, ", unit %s", a->unit);
			r->help = str_detach(&s);
		}
}

/* The names of perf's tables, where they are installed. */
static void add_table_events(catalogue *c)
{
	vec_each(&metric_tables_installed()->events, e) {
		struct catalogue_row *r = add(c, CATALOGUE_PMU, xstrdup(e->name));
		r->help = e->help ? xstrdup(e->help) : xstrdup(e->encoding);
		r->long_help = e->long_help;
		r->unit = e->unit ? e->unit : "cpu";
		r->deprecated = e->deprecated;
	}
}

static void add_metrics(catalogue *c)
{
	vec_each(&metric_tables_installed()->metrics, m) {
		struct catalogue_row *r = add(c, CATALOGUE_METRIC, xstrdup(m->name));
		r->help = m->help ? xstrdup(m->help) : NULL;
		r->long_help = m->long_help;
		r->unit = m->unit ? m->unit : "cpu";
		r->metric = m;
	}
}

static void add_metric_groups(catalogue *c)
{
	wordlist groups = { 0 };
	metric_groups(metric_tables_installed(), &groups);
	vec_each(&groups, g) {
		struct str s = STR_INIT;
		vec_each(&metric_tables_installed()->metrics, m)
			if (metric_in_group(m, *g))
				str_addf(&s, "%s%s", s.len ? ", " : "", m->name);
		add(c, CATALOGUE_METRIC_GROUP, xstrdup(*g))->help = str_detach(&s);
	}
	wordlist_release(&groups);
}

/* What a PMU takes between its slashes, each field with its highest value. */
static char *pmu_pattern(const struct pmu *p)
{
	struct str s = STR_INIT;
	str_addf(&s, "%s/", p->name);
	vec_each(&p->formats, f) {
		int bits = __builtin_popcountll(f->mask);
		str_addf(&s, f == p->formats.at ? "" : ",");
		if (bits == 1)
			str_add(&s, f->name);
		else
			str_addf(&s, "%s=0..0x%llx", f->name, bits == 64 ? ~0ull : (1ull << bits) - 1);
	}
	str_addc(&s, '/');
	return str_detach(&s);
}

static void add_raw(catalogue *c)
{
	add(c, CATALOGUE_RAW, xstrdup("rNNN"))->absent = !supported(PERF_TYPE_RAW, 0);
	vec_each(pmus(), p)
		if (pmu_load(p)->formats.n)
			add(c, CATALOGUE_RAW, pmu_pattern(p))->unit = p->name;
}

/* "p:probe/vfs_read vfs_read" gives "probe:vfs_read" and its definition. */
static void read_dynamic(struct strmap *m)
{
	struct str s = STR_INIT;
	char *save = NULL, *line = NULL;
	if (!file_read(tracefs_path("dynamic_events"), &s, 4 << 20) && s.len)
		line = strtok_r(s.buf, "\n", &save);
	for (; line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':'), *slash = colon ? strchr(colon, '/') : NULL;
		if (!slash || colon > slash)
			continue;
		size_t n = strcspn(slash + 1, " \t");
		char *name = xasprintf("%.*s:%.*s", (int)(slash - colon - 1), colon + 1, (int)n, slash + 1);
		free(strmap_set(m, name, xstrdup(line)));
		free(name);
	}
	str_release(&s);
}

/* Events of the function tracer are in no list of the kernel's; those with a number can be opened. Globs leave them
 * out: ftrace:function alone is every call in the kernel. */
static void add_ftrace(catalogue *c)
{
	wordlist names = { 0 };
	if (!tracefs_events_list("ftrace", &names))
		vec_each(&names, n)
			if (tracefs_event_id("ftrace", *n) >= 0)
				add(c, CATALOGUE_TRACEPOINT, xasprintf("ftrace:%s", *n));
	wordlist_release(&names);
	error_clear();
}

static int add_tracepoints(catalogue *c, unsigned kinds)
{
	if (tracefs_ready() < 0)
		return error_code();
	struct strmap dynamic = { 0 };
	read_dynamic(&dynamic);
	bool ftrace = !(kinds & 1u << CATALOGUE_TRACEPOINT); /* they are in */
	vec_each(tracefs_all(), w) {
		if (!ftrace && strcmp(*w, "ftrace:") > 0) {
			add_ftrace(c);
			ftrace = true;
		}
		char *def = dynamic.n ? strmap_get(&dynamic, *w) : NULL;
		if (!def && (kinds & 1u << CATALOGUE_TRACEPOINT) && strncmp(*w, "ftrace:", 7))
			add(c, CATALOGUE_TRACEPOINT, xstrdup(*w));
		else if (def && (kinds & 1u << CATALOGUE_PROBE))
			add(c, CATALOGUE_PROBE, xstrdup(*w))->help = xstrdup(def);
	}
	size_t cursor = 0;
	const char *key;
	void *val;
	while (strmap_next(&dynamic, &cursor, &key, &val))
		free(val);
	strmap_release(&dynamic);
	return 0;
}

static int add_systems(catalogue *c)
{
	if (tracefs_ready() < 0)
		return error_code();
	char *last = NULL;
	int n = 0;
	vec_each(tracefs_all(), w) {
		char *colon = strchr(*w, ':');
		char *sys = colon ? xstrndup(*w, colon - *w) : xstrdup(*w);
		if (!last || strcmp(last, sys)) {
			add(c, CATALOGUE_SYSTEM, xasprintf("%s:*", sys));
			n = 0;
		}
		n++;
		free(vec_last(c)->help);
		vec_last(c)->help = xasprintf("%d event%s", n, n == 1 ? "" : "s");
		free(last);
		last = sys;
	}
	free(last);
	return 0;
}

int catalogue_fill(catalogue *c, unsigned kinds)
{
	int err = 0;
	if (kinds & 1u << CATALOGUE_HARDWARE)
		add_names(c, CATALOGUE_HARDWARE, hardware_names);
	if (kinds & 1u << CATALOGUE_SOFTWARE)
		add_names(c, CATALOGUE_SOFTWARE, software_names);
	if (kinds & 1u << CATALOGUE_TOOL)
		add_names(c, CATALOGUE_TOOL, tool_names);
	if (kinds & 1u << CATALOGUE_CACHE)
		add_caches(c);
	if (kinds & 1u << CATALOGUE_PMU)
		add_pmu_events(c), add_table_events(c);
	if (kinds & 1u << CATALOGUE_METRIC)
		add_metrics(c);
	if (kinds & 1u << CATALOGUE_METRIC_GROUP)
		add_metric_groups(c);
	if (kinds & 1u << CATALOGUE_RAW)
		add_raw(c);
	if (kinds & 1u << CATALOGUE_BREAKPOINT)
		add(c, CATALOGUE_BREAKPOINT, xstrdup("mem:ADDR[/LEN][:rwx]"))->help = xstrdup("an address or a kernel symbol");
	if (kinds & 1u << CATALOGUE_SDT)
		catalogue_sdt(c, NULL);
	if (kinds & (1u << CATALOGUE_TRACEPOINT | 1u << CATALOGUE_PROBE))
		err = add_tracepoints(c, kinds);
	if (!err && (kinds & 1u << CATALOGUE_SYSTEM))
		err = add_systems(c);
	return err;
}

void catalogue_release(catalogue *c)
{
	vec_each(c, r) {
		free(r->name);
		free(r->help);
	}
	vec_release(c);
}

/* ---- the words of `sonde list` ---- */

static const struct { const char *word; unsigned kinds; } kind_words[] = {
	{ "hw", 1u << CATALOGUE_HARDWARE }, { "hardware", 1u << CATALOGUE_HARDWARE },
	{ "sw", 1u << CATALOGUE_SOFTWARE | 1u << CATALOGUE_TOOL }, { "software", 1u << CATALOGUE_SOFTWARE | 1u << CATALOGUE_TOOL },
	{ "tool", 1u << CATALOGUE_TOOL },
	{ "cache", 1u << CATALOGUE_CACHE }, { "hwcache", 1u << CATALOGUE_CACHE },
	{ "pmu", 1u << CATALOGUE_PMU | 1u << CATALOGUE_RAW }, { "raw", 1u << CATALOGUE_RAW },
	{ "breakpoint", 1u << CATALOGUE_BREAKPOINT }, { "probe", 1u << CATALOGUE_PROBE },
	{ "tracepoint", 1u << CATALOGUE_TRACEPOINT | 1u << CATALOGUE_PROBE }, { "sdt", 1u << CATALOGUE_SDT },
	{ "subsys", 1u << CATALOGUE_SYSTEM },
	{ "metric", 1u << CATALOGUE_METRIC }, { "metrics", 1u << CATALOGUE_METRIC },
	{ "metricgroup", 1u << CATALOGUE_METRIC_GROUP }, { "metricgroups", 1u << CATALOGUE_METRIC_GROUP },
};

unsigned catalogue_kinds_of(const char *word)
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

int catalogue_choose(const catalogue *c, const char *word, void (*take)(void *ctx, const struct catalogue_row *r), void *ctx)
{
	bool family = is_family(c, word);
	size_t len = strlen(word);
	int n = 0;
	vec_each(c, r)
		if (family ? !strncmp(r->name, word, len) && r->name[len] == ':' : row_matches(r, word)) {
			take(ctx, r);
			n++;
		}
	return n;
}
