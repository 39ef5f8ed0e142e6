// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the CPUs of the recorded machine are: the features CPU_TOPOLOGY, NUMA_TOPOLOGY and CACHE, written and read. */
#include <stdlib.h>
#include "perfdata/writer_inner.h"

enum { CPUS_MAX = 1 << 16, LISTED_MAX = 8 * CPUS_MAX /* CPUs in all lists of nodes and caches */ };

/* ---- written ---- */

/* Each list that some CPU has in this file, once. */
static void put_lists(struct str *s, int cpus, const char *file)
{
	wordlist lists = { 0 };
	for (int c = 0; c < cpus; c++) {
		struct str l = STR_INIT;
		if (topology_list(c, file, &l) && !wordlist_has(&lists, l.buf))
			wordlist_add(&lists, l.buf);
		str_release(&l);
	}
	writer_put32(s, lists.n);
	vec_each(&lists, l)
		writer_put_text(s, *l);
	wordlist_release(&lists);
}

static void put_cpus(struct str *s)
{
	int n = topology_cpus();
	put_lists(s, n, "package_cpus_list");
	put_lists(s, n, "core_cpus_list");
	for (int c = 0; c < n; c++) {
		struct cpu_place p = topology_of(c);
		writer_put32(s, p.core);
		writer_put32(s, p.socket);
	}
	put_lists(s, n, "die_cpus_list");
	for (int c = 0; c < n; c++)
		writer_put32(s, topology_of(c).die);
}

static void put_nodes(struct str *s)
{
	struct str nodes = STR_INIT;
	uint32_t n = 0;
	for (int i = 0; i < 1024; i++) {
		struct str cpus = STR_INIT;
		uint64_t total, free;
		if (topology_node(i, &cpus, &total, &free)) {
			writer_put32(&nodes, i);
			writer_put64(&nodes, total);
			writer_put64(&nodes, free);
			writer_put_text(&nodes, cpus.buf);
			n++;
		}
		str_release(&cpus);
	}
	if (n) {
		writer_put32(s, n);
		str_addn(s, nodes.buf, nodes.len);
	}
	str_release(&nodes);
}

static void put_cache(struct str *s, const struct topology_cache_info *i)
{
	writer_put32(s, i->level);
	writer_put32(s, i->line);
	writer_put32(s, i->sets);
	writer_put32(s, i->ways);
	writer_put_text(s, i->type);
	writer_put_text(s, i->size);
	writer_put_text(s, i->cpus.buf);
}

/* Each cache once, with the first of the CPUs that share it; level by level, since perf takes the last for the highest. */
static void put_caches(struct str *s)
{
	struct topology_cache_info i = { .cpus = STR_INIT };
	struct str all = STR_INIT;
	uint32_t n = 0;
	for (unsigned level = 1; level <= 4; level++)
		for (int c = 0, cpus = topology_cpus(); c < cpus; c++)
			for (int k = 0; topology_cache_info(c, k, &i); k++)
				if (i.level == level && (int)strtoul(i.cpus.buf, NULL, 10) == c) {
					put_cache(&all, &i);
					n++;
				}
	if (n) {
		writer_put32(s, 1); /* the version */
		writer_put32(s, n);
		str_addn(s, all.buf, all.len);
	}
	str_release(&i.cpus);
	str_release(&all);
}

void writer_machine(unsigned feature, struct str *s)
{
	if (feature == FEATURE_CPU_TOPOLOGY)
		put_cpus(s);
	else if (feature == FEATURE_NUMA_TOPOLOGY)
		put_nodes(s);
	else if (feature == FEATURE_CACHE)
		put_caches(s);
}

/* ---- read ---- */

static void skip_strings(struct feature_bytes *b)
{
	for (uint64_t n = feature_number(b, 4); n && !b->bad; n--) {
		uint64_t len = feature_number(b, 4);
		if (len > b->n)
			b->bad = true;
		else
			b->at += len, b->n -= len;
	}
}

static struct cpu_place *place_at(struct perfdata *p, int cpu)
{
	while (p->places.n <= (size_t)cpu)
		vec_push(&p->places);
	return &p->places.at[cpu];
}

static void read_cpus(struct perfdata *p, struct feature_bytes *b)
{
	int n = p->info.nr_cpus_avail < CPUS_MAX ? p->info.nr_cpus_avail : CPUS_MAX;
	skip_strings(b);
	skip_strings(b);
	for (int c = 0; c < n && !b->bad; c++) {
		int core = (int)feature_number(b, 4), socket = (int)feature_number(b, 4);
		if (b->bad)
			return;
		place_at(p, c)->core = core;
		place_at(p, c)->socket = socket;
	}
	if (b->n < 4)
		return;
	skip_strings(b);
	for (int c = 0; c < n && !b->bad; c++) {
		int die = (int)feature_number(b, 4);
		if (!b->bad)
			place_at(p, c)->die = die;
		p->has_dies = !b->bad;
	}
}

/* Range by range: a list of a few bytes can name all CPUs again and again. */
static bool take_list(struct perfdata *p, intlist *l, const char *text)
{
	bool ok = text && *text;
	while (ok && *text) {
		char range[32] = "";
		intlist cpus = { 0 };
		size_t n = strcspn(text, ",");
		memcpy(range, text, n < sizeof(range) ? n : 0);
		ok = p->listed < LISTED_MAX && intlist_parse(&cpus, range, CPUS_MAX - 1, "CPUs") >= 0;
		p->listed += cpus.n;
		vec_each(&cpus, c)
			*vec_push(l) = *c;
		vec_release(&cpus);
		text += n + (text[n] == ',');
	}
	if (!ok)
		error_clear();
	return ok;
}

static void read_nodes(struct perfdata *p, struct feature_bytes *b)
{
	for (uint64_t n = feature_number(b, 4); n && !b->bad; n--) {
		int node = (int)feature_number(b, 4);
		intlist l = { 0 };
		feature_number(b, 8);
		feature_number(b, 8);
		if (take_list(p, &l, feature_string(p, b)))
			vec_each(&l, c)
				place_at(p, *c)->node = node;
		vec_release(&l);
		p->has_nodes = true;
	}
}

static uint64_t cache_key(int cpu, int level)
{
	return (uint64_t)cpu << 32 | (uint32_t)level;
}

/* Of several of a level the first one counts. */
static void add_cache(struct perfdata *p, int level, const intlist *cpus)
{
	int first = cpus->at[0];
	vec_each(cpus, c)
		first = *c < first ? *c : first;
	vec_each(cpus, c) {
		if (!u64map_get(&p->caches, cache_key(*c, level)))
			u64map_set(&p->caches, cache_key(*c, level), (void *)((intptr_t)first + 1));
		if ((intptr_t)u64map_get(&p->caches, cache_key(*c, 0)) < level)
			u64map_set(&p->caches, cache_key(*c, 0), (void *)(intptr_t)level);
	}
}

static void read_caches(struct perfdata *p, struct feature_bytes *b)
{
	if (feature_number(b, 4) != 1)
		return;
	u64map_release(&p->caches); /* a pipe may tell them again */
	for (uint64_t n = feature_number(b, 4); n && !b->bad; n--) {
		int level = (int)feature_number(b, 4);
		intlist cpus = { 0 };
		for (int i = 0; i < 3; i++)
			feature_number(b, 4);
		feature_string(p, b);
		feature_string(p, b);
		if (take_list(p, &cpus, feature_string(p, b)) && level > 0)
			add_cache(p, level, &cpus);
		vec_release(&cpus);
	}
}

void machine_read(struct perfdata *p, unsigned feature, struct feature_bytes *b)
{
	if (feature == FEATURE_CPU_TOPOLOGY)
		read_cpus(p, b);
	else if (feature == FEATURE_NUMA_TOPOLOGY)
		read_nodes(p, b);
	else
		read_caches(p, b);
}

void machine_release(struct perfdata *p)
{
	u64map_release(&p->caches);
	vec_release(&p->places);
	vec_release(&p->pmus);
}

bool perfdata_says(const struct perfdata *p, enum perfdata_says what)
{
	switch (what) {
	case PERFDATA_PLACES: return p->places.n && p->features_seen[0] >> FEATURE_CPU_TOPOLOGY & 1;
	case PERFDATA_DIES: return p->has_dies;
	case PERFDATA_NODES: return p->has_nodes;
	default: return p->caches.n > 0;
	}
}

struct cpu_place perfdata_place(const struct perfdata *p, int cpu)
{
	return cpu >= 0 && (size_t)cpu < p->places.n ? p->places.at[cpu] : (struct cpu_place){ 0 };
}

int perfdata_cache(const struct perfdata *p, int cpu, int *level)
{
	if (!*level)
		*level = (int)(intptr_t)u64map_get(&p->caches, cache_key(cpu, 0));
	return *level ? (int)(intptr_t)u64map_get(&p->caches, cache_key(cpu, *level)) - 1 : -1;
}
