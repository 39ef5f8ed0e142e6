// SPDX-License-Identifier: GPL-2.0-or-later
/* The header features that sonde writes, one function each. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/file.h"
#include "base/version.h"
#include "kernel/pmu.h"
#include "kernel/root.h"
#include "kernel/topology.h"
#include "perfdata/writer_inner.h"

void writer_put32(struct str *s, uint32_t v)
{
	str_addn(s, &v, 4);
}

void writer_put64(struct str *s, uint64_t v)
{
	str_addn(s, &v, 8);
}

/* Texts are padded to 64 bytes, their length told with the padding. */
void writer_put_text(struct str *s, const char *z)
{
	size_t n = strlen(z) + 1, padded = (n + 63) & ~63ul;
	writer_put32(s, padded);
	str_addn(s, z, n);
	for (; n < padded; n++)
		str_addc(s, 0);
}

static void put_uname(struct str *s, unsigned feature)
{
	struct utsname u;
	if (!uname(&u))
		writer_put_text(s, feature == FEATURE_HOSTNAME ? u.nodename : feature == FEATURE_OSRELEASE ? u.release : u.machine);
}

static void put_nrcpus(struct str *s)
{
	writer_put32(s, topology_cpus());
	writer_put32(s, sysconf(_SC_NPROCESSORS_ONLN));
}

/* The value of a line "key : value" in the text; false when there is none. */
static bool proc_value(const char *text, const char *key, char *out, size_t n)
{
	size_t k = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n'), line += !!line) {
		if (strncmp(line, key, k) || (line[k] != '\t' && line[k] != ' ' && line[k] != ':'))
			continue;
		const char *v = strchr(line, ':');
		if (!v)
			return false;
		v += 1 + strspn(v + 1, " \t");
		snprintf(out, n, "%.*s", (int)strcspn(v, "\n"), v);
		return true;
	}
	return false;
}

static void put_cpu(struct str *s, unsigned feature)
{
	struct str info = STR_INIT;
	char a[128], b[32], c[32], d[32];
	file_read(root_path(ROOT_PROC, "cpuinfo"), &info, 16384); /* the first CPU is in there, whatever follows */
	if (feature == FEATURE_CPUDESC) {
		if (proc_value(info.buf, "model name", a, sizeof(a)))
			writer_put_text(s, a);
	} else if (proc_value(info.buf, "vendor_id", a, sizeof(a)) && proc_value(info.buf, "cpu family", b, sizeof(b)) &&
		   proc_value(info.buf, "model", c, sizeof(c)) && proc_value(info.buf, "stepping", d, sizeof(d))) {
		char *id = xasprintf("%s,%s,%s,%s", a, b, c, d);
		writer_put_text(s, id);
		free(id);
	}
	str_release(&info);
}

static void put_memory(struct str *s)
{
	struct str info = STR_INIT;
	char kb[64];
	file_read(root_path(ROOT_PROC, "meminfo"), &info, 65536);
	if (proc_value(info.buf, "MemTotal", kb, sizeof(kb)))
		writer_put64(s, strtoull(kb, NULL, 10));
	str_release(&info);
}

static void put_cmdline(const struct perfdata_writer *w, struct str *s)
{
	writer_put32(s, w->cmdline.n);
	vec_each(&w->cmdline, a)
		writer_put_text(s, *a);
}

static void put_events(const struct perfdata_writer *w, struct str *s)
{
	writer_put32(s, w->events.n);
	writer_put32(s, sizeof(struct perf_event_attr));
	vec_each(&w->events, e) {
		str_addn(s, &e->attr, sizeof(e->attr));
		writer_put32(s, e->n_ids);
		writer_put_text(s, e->name);
		str_addn(s, e->ids, e->n_ids * 8);
	}
}

static void put_groups(const struct perfdata_writer *w, struct str *s)
{
	uint32_t n = 0;
	vec_each(&w->events, e)
		n += e->group_members > 1;
	if (!n)
		return;
	writer_put32(s, n);
	vec_each(&w->events, e)
		if (e->group_members > 1) {
			writer_put_text(s, "{anon_group}");
			writer_put32(s, e->group_leader);
			writer_put32(s, e->group_members);
		}
}

static void put_pmus(struct str *s)
{
	const pmu_list *l = pmus();
	if (!l->n)
		return;
	writer_put32(s, l->n);
	vec_each(l, p) {
		writer_put32(s, p->type);
		writer_put_text(s, p->name);
	}
}

void writer_put_build_id(const struct written_build_id *b, uint32_t type, struct str *s)
{
	size_t n = strlen(b->path) + 1, padded = (n + 63) & ~63ul;
	struct perfdata_build_id_record r = {
		.header = { type, MISC_BUILD_ID_SIZE | (b->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER), sizeof(r) + padded },
		.pid = -1,
		.size = b->id.n,
	};
	if (padded > 4096 + 64)
		return;
	memcpy(r.id, b->id.id, b->id.n);
	str_addn(s, &r, sizeof(r));
	str_addn(s, b->path, n);
	for (; n < padded; n++)
		str_addc(s, 0);
}

static void put_build_ids(const struct perfdata_writer *w, struct str *s)
{
	vec_each(&w->build_ids, b)
		writer_put_build_id(b, 0, s);
}

static void put_clock(const struct perfdata_writer *w, struct str *s)
{
	if (!w->has_clock)
		return;
	writer_put32(s, 1);
	writer_put32(s, w->clockid);
	writer_put64(s, w->wall);
	writer_put64(s, w->clock);
}

static void put_compressed(const struct perfdata_writer *w, struct str *s)
{
	if (!w->level)
		return;
	writer_put32(s, 1);
	writer_put32(s, COMPRESSED_ZSTD);
	writer_put32(s, w->level);
	writer_put32(s, w->squeezed ? (w->packed + w->squeezed / 2) / w->squeezed : 1);
	writer_put32(s, 8 << 20); /* more than any one record unpacks to */
}

static void put_times(const struct perfdata_writer *w, struct str *s)
{
	if (!w->last)
		return;
	writer_put64(s, w->first);
	writer_put64(s, w->last);
}

static void put_branch(const struct perfdata_writer *w, struct str *s)
{
	vec_each(&w->events, e)
		if (e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK) {
			writer_put32(s, 0); /* the feature has no contents; a section may not be empty */
			return;
		}
}

/* What a file that is made of another one has anew. */
static bool is_remade(unsigned feature)
{
	return feature == FEATURE_TRACING_DATA || feature == FEATURE_BUILD_ID || feature == FEATURE_EVENT_DESC;
}

void writer_feature(struct perfdata_writer *w, unsigned feature, struct str *s)
{
	if (w->source && !is_remade(feature)) {
		if (feature != FEATURE_COMPRESSED && feature != FEATURE_DIR_FORMAT)
			perfdata_feature_bytes(w->source, feature, s);
		return;
	}
	switch (feature) {
	case FEATURE_TRACING_DATA: str_addn(s, w->tracing.buf, w->tracing.len); break;
	case FEATURE_BUILD_ID: put_build_ids(w, s); break;
	case FEATURE_HOSTNAME:
	case FEATURE_OSRELEASE:
	case FEATURE_ARCH: put_uname(s, feature); break;
	case FEATURE_VERSION: writer_put_text(s, "sonde " SONDE_VERSION); break;
	case FEATURE_NRCPUS: put_nrcpus(s); break;
	case FEATURE_CPUDESC:
	case FEATURE_CPUID: put_cpu(s, feature); break;
	case FEATURE_TOTAL_MEM: put_memory(s); break;
	case FEATURE_CMDLINE: put_cmdline(w, s); break;
	case FEATURE_EVENT_DESC: put_events(w, s); break;
	case FEATURE_BRANCH_STACK: put_branch(w, s); break;
	case FEATURE_PMU_MAPPINGS: put_pmus(s); break;
	case FEATURE_GROUP_DESC: put_groups(w, s); break;
	case FEATURE_SAMPLE_TIME: put_times(w, s); break;
	case FEATURE_CLOCKID:
		if (w->has_clock)
			writer_put64(s, 1);
		break;
	case FEATURE_COMPRESSED: put_compressed(w, s); break;
	case FEATURE_CLOCK_DATA: put_clock(w, s); break;
	case FEATURE_STAT:
		if (w->counts)
			writer_put32(s, 0); /* as of branches */
		break;
	default:
		if (w->counts)
			writer_machine(feature, s);
	}
}
