// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/topology.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/words.h"
#include "kernel/root.h"

enum { CPU_MAX = 1 << 16, CACHES_MAX = 16, NODES_MAX = 1024 };

static int number(int cpu, const char *file)
{
	int64_t v = 0;
	if (file_read_s64(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/topology/%s", cpu, file), &v) || v < 0)
		return 0;
	return (int)v;
}

/* sysfs links each CPU's folder to its node's. */
static int node_of(int cpu)
{
	for (int n = 0; n < NODES_MAX; n++)
		if (file_exists(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/node%d", cpu, n)))
			return n;
	return 0;
}

struct cpu_place topology_of(int cpu)
{
	return (struct cpu_place){ number(cpu, "physical_package_id"), number(cpu, "die_id"), number(cpu, "cluster_id"),
				   number(cpu, "core_id"), node_of(cpu) };
}

static int first_sharer(int cpu, int index)
{
	struct str s = STR_INIT;
	intlist l = { 0 };
	int first = -1;
	if (!file_read(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index), &s, 1 << 16)) {
		s.buf[strcspn(s.buf, "\n")] = 0;
		if (intlist_parse(&l, s.buf, CPU_MAX, "shared_cpu_list") < 0)
			error_clear();
		else if (l.n)
			first = l.at[0];
	}
	vec_release(&l);
	str_release(&s);
	return first;
}

int topology_cache(int cpu, int *level)
{
	int64_t best = 0, v;
	int at = -1;
	for (int i = 0; i < CACHES_MAX; i++) {
		if (file_read_s64(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/cache/index%d/level", cpu, i), &v))
			break;
		if (*level ? v == *level && at < 0 : v > best) {
			best = v;
			at = i;
		}
	}
	if (!*level)
		*level = (int)best;
	return at < 0 ? -1 : first_sharer(cpu, at);
}

/* Appends the first line of a file. */
static bool line_of(const char *path, struct str *s)
{
	size_t from = s->len;
	if (file_read(path, s, from + (1 << 16)))
		return false;
	size_t n = strcspn(s->buf + from, "\n");
	s->len = from + n;
	if (s->cap)
		s->buf[s->len] = 0;
	return n > 0;
}

int topology_cpus(void)
{
	static const char *const files[] = { "present", "online" };
	intlist l = { 0 };
	int n = 0;
	for (int i = 0; i < 2 && !n; i++) {
		struct str s = STR_INIT;
		vec_clear(&l);
		if (line_of(root_path(ROOT_SYS, "devices/system/cpu/%s", files[i]), &s) &&
		    intlist_parse(&l, s.buf, CPU_MAX, "CPUs") >= 0 && l.n)
			n = *vec_last(&l) + 1;
		error_clear();
		str_release(&s);
	}
	vec_release(&l);
	return n ? n : (int)sysconf(_SC_NPROCESSORS_CONF);
}

bool topology_list(int cpu, const char *file, struct str *s)
{
	return line_of(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/topology/%s", cpu, file), s);
}

static unsigned cache_number(int cpu, int index, const char *file)
{
	int64_t v = 0;
	(void)file_read_s64(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, file), &v);
	return v > 0 ? (unsigned)v : 0;
}

static void cache_word(int cpu, int index, const char *file, char *out, size_t n)
{
	struct str s = STR_INIT;
	(void)line_of(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, file), &s);
	snprintf(out, n, "%s", s.buf);
	str_release(&s);
}

bool topology_cache_info(int cpu, int index, struct topology_cache_info *c)
{
	str_clear(&c->cpus);
	c->level = index < CACHES_MAX ? cache_number(cpu, index, "level") : 0;
	if (!c->level)
		return false;
	c->line = cache_number(cpu, index, "coherency_line_size");
	c->sets = cache_number(cpu, index, "number_of_sets");
	c->ways = cache_number(cpu, index, "ways_of_associativity");
	cache_word(cpu, index, "type", c->type, sizeof(c->type));
	cache_word(cpu, index, "size", c->size, sizeof(c->size));
	return line_of(root_path(ROOT_SYS, "devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index), &c->cpus);
}

/* "Node 0 MemTotal:  24684100 kB" */
static uint64_t memory(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

bool topology_node(int node, struct str *cpus, uint64_t *total, uint64_t *free)
{
	struct str info = STR_INIT;
	bool there = node < NODES_MAX && line_of(root_path(ROOT_SYS, "devices/system/node/node%d/cpulist", node), cpus);
	(void)file_read(root_path(ROOT_SYS, "devices/system/node/node%d/meminfo", node), &info, 1 << 16);
	*total = memory(info.buf, "MemTotal:");
	*free = memory(info.buf, "MemFree:");
	str_release(&info);
	return there;
}
