// SPDX-License-Identifier: GPL-2.0-or-later
/* What runs each time that a counter of perf events has come so far: interval and profile by the clock, software and
 * hardware by their events. interval is on one CPU, the others on all. */
#include <dirent.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/perf.h"
#include "kernel/root.h"
#include "base/file.h"
#include "script/list.h"
#include "script/provider/counter.h"
#include "script/provider/provider.h"

struct counter { const char *name, *alias; uint32_t config; uint64_t every; };

static const struct counter software[] = {
	{ "cpu-clock", "cpu", PERF_COUNT_SW_CPU_CLOCK, 1000000 },
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, 1000000 },
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, 100 },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, 1000 },
	{ "cpu-migrations", NULL, PERF_COUNT_SW_CPU_MIGRATIONS, 1 },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, 100 },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1 },
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS, 1 },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS, 1 },
	{ "dummy", NULL, PERF_COUNT_SW_DUMMY, 1 },
	{ 0 },
};
static const struct counter hardware[] = {
	{ "cpu-cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES, 1000000 },
	{ "instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS, 1000000 },
	{ "cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES, 1000000 },
	{ "cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES, 1000000 },
	{ "branch-instructions", "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 100000 },
	{ "branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES, 100000 },
	{ "bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES, 100000 },
	{ "frontend-stalls", NULL, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 1000000 },
	{ "backend-stalls", NULL, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1000000 },
	{ "ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES, 1000000 },
	{ 0 },
};

/* "s:1", "ms:20", "us:100", "hz:99", "1s", "1000000": ns between two */
static int period(const char *rest, uint64_t *ns)
{
	static const uint64_t SHORTEST = 1000, LONGEST = 1000000000000000000;
	static const struct { const char *unit; uint64_t ns; } units[] = {
		{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, { "hz", 0 }, { "", 1 } };
	const char *colon = strchr(rest, ':');
	size_t digits = strspn(rest, "0123456789");
	char *unit = colon ? xstrndup(rest, (size_t)(colon - rest)) : xstrdup(rest + digits);
	char *number = colon ? xstrdup(colon + 1) : xstrndup(rest, digits);
	int err = -EINVAL;
	uint64_t n;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && !parse_u64(number, &n) && n; i++)
		if (!strcmp(unit, units[i].unit)) {
			*ns = units[i].ns ? n * units[i].ns : 1000000000 / n;
			err = *ns >= SHORTEST && n < LONGEST / (units[i].ns ? units[i].ns : 1) ? 0 : -EINVAL;
		}
	free(unit);
	free(number);
	return err;
}

static int expand_timer(struct run_script *s, const struct provider *p, const struct attach *a, const char *rest)
{
	uint64_t ns;
	if (period(rest, &ns)) {
		source_error(s->source, a->at, "how often? A unit and a number follow; a number alone is nanoseconds, at least 1000");
		return error_hint("%s:s:1, %s:ms:10, %s:us:100 or %s:hz:99", p->name, p->name, p->name, p->name);
	}
	char *name = xasprintf("%s:%s", p->name, rest);
	provider_point(s, p, a, name)->number = ns;
	free(name);
	return 0;
}

static int expand_interval(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand_timer(s, &provider_interval, a, rest);
}

static int expand_profile(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand_timer(s, &provider_profile, a, rest);
}

static int expand_counter(struct run_script *s, const struct provider *p, const struct counter *rows, const struct attach *a, const char *rest)
{
	struct nearest near;
	const char *colon = strchr(rest, ':');
	char *name = xstrndup(rest, colon ? (size_t)(colon - rest) : strlen(rest));
	uint64_t every = 0;
	int err = colon && colon[1] && (parse_u64(colon + 1, &every) || !every) ?
		source_error(s->source, a->at, "behind the event stands how many of it make one run") : 0;
	const struct counter *c = rows;
	while (c->name && strcmp(c->name, name) && (!c->alias || strcmp(c->alias, name)))
		c++;
	if (!err && !c->name) {
		err = source_error(s->source, a->at, "there is no %s event '%.40s'", p->name, name);
		nearest_init(&near, name);
		for (c = rows; c->name; c++) {
			nearest_offer(&near, c->name);
			if (c->alias)
				nearest_offer(&near, c->alias);
		}
		if (!nearest_hint(&near))
			error_hint("sonde list sw hw shows them");
	} else if (!err) {
		char *full = xasprintf("%s:%s", p->name, rest);
		struct point *pt = provider_point(s, p, a, full);
		pt->number = every ? every : c->every;
		pt->config = c->config;
		free(full);
	}
	free(name);
	return err;
}

static int expand_software(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand_counter(s, &provider_software, software, a, rest);
}

static int expand_hardware(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand_counter(s, &provider_hardware, hardware, a, rest);
}

static int online(intlist *cpus)
{
	struct str text = STR_INIT;
	int err = file_read(root_path(ROOT_SYS, "devices/system/cpu/online"), &text, 4096);
	if (err) {
		err = error_sys(-err, "cannot tell which CPUs there are");
	} else {
		text.buf[strcspn(text.buf, "\n")] = 0;
		err = intlist_parse(cpus, text.buf, 65536, "CPU");
	}
	str_release(&text);
	return err;
}

static int attach_one(struct script_unit *u, const struct point *p, struct perf_event_attr *attr, int pid, int cpu)
{
	int fd = perf_open(attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return perf_explain(fd, attr, p->name, pid, cpu);
	*vec_push(&u->links) = fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, u->fd) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return error_sys(errno, "cannot attach a program to %s", p->name);
	return 0;
}

/* -p: a thread that is not counted yet. 1: it is now; 0: it has ended. Threads that it starts come along, processes do not. */
static int attach_thread(struct script_unit *u, const struct point *p, struct perf_event_attr *attr, int tid)
{
	attr->inherit = attr->inherit_thread = 1;
	int err = attach_one(u, p, attr, tid, -1);
	if (err == -EINVAL) { /* before 5.13 */
		error_clear();
		attr->inherit = attr->inherit_thread = 0;
		err = attach_one(u, p, attr, tid, -1);
	}
	if (err != -ESRCH)
		return err ? err : 1;
	error_clear();
	return 0;
}

static int attach_threads(struct script_unit *u, const struct point *p, struct perf_event_attr *attr, int pid)
{
	intlist known = { 0 };
	int err = 0;
	bool more = true;
	while (more && err >= 0) { /* those that were started meanwhile by one that was not counted yet */
		DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
		more = false;
		for (struct dirent *e; d && err >= 0 && (e = readdir(d));) {
			int tid = atoi(e->d_name);
			if (!tid || intlist_has(&known, tid))
				continue;
			*vec_push(&known) = tid;
			err = attach_thread(u, p, attr, tid);
			more |= err > 0;
		}
		if (d)
			closedir(d);
	}
	vec_release(&known);
	return err < 0 ? err : 0;
}

int counter_attach(struct script_unit *u, const struct point *p, struct perf_event_attr *attr, int pid, bool one)
{
	if (pid)
		return attach_threads(u, p, attr, pid);
	intlist cpus = { 0 };
	int err = online(&cpus);
	for (size_t i = 0; i < cpus.n && !err && !(one && i); i++)
		err = attach_one(u, p, attr, -1, cpus.at[i]);
	vec_release(&cpus);
	return err;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	const struct point *p = &s->points.at[u->points.at[0]];
	bool hard = u->provider == &provider_hardware, one = u->provider == &provider_interval;
	struct perf_event_attr attr = { .type = hard ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE, .sample_period = p->number,
		.config = u->provider == &provider_interval || u->provider == &provider_profile ? PERF_COUNT_SW_CPU_CLOCK : p->config };
	return counter_attach(u, p, &attr, one ? 0 : s->pid, one);
}

static int list_timer(struct probe_list *l, const struct provider *p)
{
	static const char *const units[] = { "hz", "ms", "s", "us" };
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		char *name = xasprintf("%s:%s:", p->name, units[i]);
		list_probe(l, name);
		free(name);
	}
	return 0;
}

static int list_counter(struct probe_list *l, const struct provider *p, const struct counter *rows)
{
	for (; rows->name; rows++) {
		char *name = xasprintf("%s:%s:", p->name, rows->name), *alias = rows->alias ? xasprintf("%s:%s:", p->name, rows->alias) : NULL;
		list_probe(l, name);
		if (alias)
			list_probe(l, alias);
		free(name);
		free(alias);
	}
	return 0;
}

static int list_interval(struct probe_list *l) { return list_timer(l, &provider_interval); }
static int list_profile(struct probe_list *l) { return list_timer(l, &provider_profile); }
static int list_software(struct probe_list *l) { return list_counter(l, &provider_software, software); }
static int list_hardware(struct probe_list *l) { return list_counter(l, &provider_hardware, hardware); }

const struct provider provider_interval = { "interval", "i", .own = true, .prog_type = BPF_PROG_TYPE_PERF_EVENT, .registers = true, .expand = expand_interval, .attach = attach, .list = list_interval };
const struct provider provider_profile = { "profile", "p", .prog_type = BPF_PROG_TYPE_PERF_EVENT, .registers = true, .expand = expand_profile, .attach = attach, .list = list_profile };
const struct provider provider_software = { "software", "s", .prog_type = BPF_PROG_TYPE_PERF_EVENT, .registers = true, .expand = expand_software, .attach = attach, .list = list_software };
const struct provider provider_hardware = { "hardware", "h", .prog_type = BPF_PROG_TYPE_PERF_EVENT, .registers = true, .expand = expand_hardware, .attach = attach, .list = list_hardware };
