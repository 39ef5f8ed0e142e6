// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/pmu.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/words.h"
#include "kernel/root.h"

enum { FILE_MAX = 64 << 10, CPU_MAX = 1 << 16, ENTRIES_MAX = 65536 };

static pmu_list cache;
static bool scanned;

/* The first line of a small sysfs file; NULL when it cannot be read or is empty. */
static char *line_of(const char *path)
{
	struct str s = STR_INIT;
	if (file_read(path, &s, FILE_MAX) < 0) {
		str_release(&s);
		return NULL;
	}
	s.buf[strcspn(s.buf, "\n")] = 0;
	if (!s.buf[0]) {
		str_release(&s);
		return NULL;
	}
	return str_detach(&s);
}

static char *pmu_line(const char *pmu, const char *file)
{
	return line_of(root_path(ROOT_SYS, "bus/event_source/devices/%s/%s", pmu, file));
}

static int *cpus_of(const char *pmu, const char *file)
{
	char *text = pmu_line(pmu, file);
	if (!text)
		return NULL;
	intlist l = { 0 };
	int *cpus = NULL;
	if (intlist_parse(&l, text, CPU_MAX, "cpumask") < 0) {
		error_clear();
	} else if (l.n) {
		cpus = xcalloc(l.n + 1, sizeof(int));
		memcpy(cpus, l.at, l.n * sizeof(int));
		cpus[l.n] = -1;
	}
	vec_release(&l);
	free(text);
	return cpus;
}

static void pmu_add(const char *name)
{
	char *type = pmu_line(name, "type");
	uint64_t v;
	if (type && !parse_u64(type, &v) && v <= UINT32_MAX) {
		struct pmu *p = vec_push(&cache);
		p->name = xstrdup(name);
		p->type = (uint32_t)v;
		p->cpus = cpus_of(name, "cpumask");
		if (!p->cpus) {
			/* Hybrid core PMUs say "cpus": the CPUs they exist on. */
			p->cpus = cpus_of(name, "cpus");
			p->core = p->cpus && str_starts(name, "cpu");
		}
	}
	free(type);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

const pmu_list *pmus(void)
{
	if (scanned)
		return &cache;
	scanned = true;
	struct dirent **names = NULL;
	int n = scandir(root_path(ROOT_SYS, "bus/event_source/devices"), &names, not_hidden, alphasort);
	for (int i = 0; i < n; i++) {
		if (i < ENTRIES_MAX)
			pmu_add(names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return &cache;
}

/* "config1:0-7,32" */
static bool format_parse(struct pmu_format *f, const char *text)
{
	if (!str_starts(text, "config"))
		return false;
	text += strlen("config");
	if (*text >= '1' && *text <= '3')
		f->word = *text++ - '0';
	if (*text++ != ':')
		return false;
	intlist bits = { 0 };
	bool ok = intlist_parse(&bits, text, 63, "format") >= 0;
	if (!ok)
		error_clear();
	vec_each(&bits, b)
		f->mask |= 1ull << *b;
	vec_release(&bits);
	return ok && f->mask;
}

static void format_add(struct pmu *p, const char *name)
{
	char *text = line_of(root_path(ROOT_SYS, "bus/event_source/devices/%s/format/%s", p->name, name));
	struct pmu_format f = { 0 };
	if (text && format_parse(&f, text)) {
		f.name = xstrdup(name);
		*vec_push(&p->formats) = f;
	}
	free(text);
}

static void alias_add(struct pmu *p, const char *name)
{
	static const char *const parts[] = { ".unit", ".scale", ".per-pkg", ".snapshot" };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (str_ends(name, parts[i]))
			return;
	const char *at = "bus/event_source/devices/%s/events/%s%s";
	char *terms = line_of(root_path(ROOT_SYS, at, p->name, name, ""));
	if (!terms)
		return;
	struct pmu_alias *a = vec_push(&p->aliases);
	a->name = xstrdup(name);
	a->terms = terms;
	a->unit = line_of(root_path(ROOT_SYS, at, p->name, name, ".unit"));
	char *scale = line_of(root_path(ROOT_SYS, at, p->name, name, ".scale"));
	a->scale = scale ? strtod(scale, NULL) : 1;
	if (!(a->scale > 0))
		a->scale = 1;
	free(scale);
}

static void each_entry(struct pmu *p, const char *folder, void (*add)(struct pmu *, const char *))
{
	struct dirent **names = NULL;
	int n = scandir(root_path(ROOT_SYS, "bus/event_source/devices/%s/%s", p->name, folder), &names,
			not_hidden, alphasort);
	for (int i = 0; i < n; i++) {
		if (i < ENTRIES_MAX)
			add(p, names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

const struct pmu *pmu_load(const struct pmu *p)
{
	struct pmu *mine = &cache.at[p - cache.at];
	if (!mine->loaded) {
		mine->loaded = true;
		each_entry(mine, "format", format_add);
		each_entry(mine, "events", alias_add);
	}
	return mine;
}

const struct pmu *pmu_find(const char *name)
{
	vec_each(pmus(), p)
		if (!strcmp(p->name, name))
			return pmu_load(p);
	return NULL;
}

const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name)
{
	vec_each(&p->formats, f)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name)
{
	vec_each(&p->aliases, a)
		if (!strcmp(a->name, name))
			return a;
	return NULL;
}

int pmu_format_set(const struct pmu_format *f, uint64_t word[PMU_WORDS], uint64_t value)
{
	uint64_t *w = &word[f->word];
	*w &= ~f->mask;
	for (int bit = 0; bit < 64; bit++) {
		if (!(f->mask >> bit & 1))
			continue;
		*w |= (value & 1) << bit;
		value >>= 1;
	}
	return value ? -ERANGE : 0;
}

bool pmu_known_elsewhere(const char *name)
{
	static const char *const known[] = {
		"cpu", "cpu_core", "cpu_atom", "cpu_lowpower", "msr", "power", "power_core", "intel_pt",
		"intel_bts", "cstate_core", "cstate_pkg", "uncore*", "i915*", "xe_*", "amd_iommu*", "amd_df",
		"amd_l3", "amd_umc*", "ibs_op", "ibs_fetch", "kprobe", "uprobe", "breakpoint", "software",
		"tracepoint", "arm*", "apple_*", "cs_etm", "smmuv3*", "hisi_*", "cpum_*", "hv_*", "riscv*",
		"iio_free_running*", "kvm", "dmar*", "nvidia_*",
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (glob_match(known[i], name))
			return true;
	return false;
}

void pmus_forget(void)
{
	vec_each(&cache, p) {
		vec_each(&p->formats, f)
			free(f->name);
		vec_each(&p->aliases, a) {
			free(a->name);
			free(a->terms);
			free(a->unit);
		}
		vec_release(&p->formats);
		vec_release(&p->aliases);
		free(p->name);
		free(p->cpus);
	}
	vec_release(&cache);
	scanned = false;
}
