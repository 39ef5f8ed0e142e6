// SPDX-License-Identifier: GPL-2.0-or-later
/* The header features: what a recording says about its machine and itself. One parser each, in a
 * table; a field that is cut short leaves the rest unset (damage in a description does not make the
 * data unreadable) except where it would name events wrongly. */
#include <errno.h>
#include <stdlib.h>
#include "perfdata/internal.h"

const char *const perfdata_feature_names[FEATURE_END] = {
	[FEATURE_TRACING_DATA] = "TRACING_DATA", [FEATURE_BUILD_ID] = "BUILD_ID", [FEATURE_HOSTNAME] = "HOSTNAME",
	[FEATURE_OSRELEASE] = "OSRELEASE", [FEATURE_VERSION] = "VERSION", [FEATURE_ARCH] = "ARCH",
	[FEATURE_NRCPUS] = "NRCPUS", [FEATURE_CPUDESC] = "CPUDESC", [FEATURE_CPUID] = "CPUID",
	[FEATURE_TOTAL_MEM] = "TOTAL_MEM", [FEATURE_CMDLINE] = "CMDLINE", [FEATURE_EVENT_DESC] = "EVENT_DESC",
	[FEATURE_CPU_TOPOLOGY] = "CPU_TOPOLOGY", [FEATURE_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FEATURE_BRANCH_STACK] = "BRANCH_STACK", [FEATURE_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FEATURE_GROUP_DESC] = "GROUP_DESC", [FEATURE_AUXTRACE] = "AUXTRACE", [FEATURE_STAT] = "STAT",
	[FEATURE_CACHE] = "CACHE", [FEATURE_SAMPLE_TIME] = "SAMPLE_TIME", [FEATURE_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[FEATURE_CLOCKID] = "CLOCKID", [FEATURE_DIR_FORMAT] = "DIR_FORMAT", [FEATURE_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[FEATURE_BPF_BTF] = "BPF_BTF", [FEATURE_COMPRESSED] = "COMPRESSED", [FEATURE_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[FEATURE_CLOCK_DATA] = "CLOCK_DATA", [FEATURE_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[FEATURE_PMU_CAPS] = "PMU_CAPS",
};

uint64_t feature_number(struct feature_bytes *b, size_t size)
{
	if (b->bad || b->n < size) {
		b->bad = true;
		return 0;
	}
	uint64_t v = size == 8 ? get64(b->at, b->swap) : get32(b->at, b->swap);
	b->at += size;
	b->n -= size;
	return v;
}

/* A length, then that many bytes with a NUL somewhere. NULL when cut; owned by p. */
const char *feature_string(struct perfdata *p, struct feature_bytes *b)
{
	size_t len = feature_number(b, 4);
	if (b->bad || len > b->n) {
		b->bad = true;
		return NULL;
	}
	char *z = xstrndup((const char *)b->at, strnlen((const char *)b->at, len));
	*vec_push(&p->strings) = z;
	b->at += len;
	b->n -= len;
	return z;
}

/* How many of n texts are read. perf and sonde pad them to 64 bytes; millions of empty ones would only fill our memory. */
static uint32_t count_of(const struct feature_bytes *b, uint32_t n)
{
	return n < b->n / 32 + 64 ? n : b->n / 32 + 64;
}

static void read_cmdline(struct perfdata *p, struct feature_bytes *b)
{
	uint32_t n = count_of(b, feature_number(b, 4));
	for (uint32_t i = 0; i < n && !b->bad; i++) {
		const char *w = feature_string(p, b);
		if (w)
			wordlist_add(&p->cmdline, w);
	}
}

/* The event that an EVENT_DESC entry describes: the one with its first id, or else the same place. */
static struct perfdata_event *described(struct perfdata *p, const uint8_t *ids, uint32_t n_ids, uint32_t place)
{
	if (n_ids) {
		int i = perfdata_event_of(p, get64(ids, p->swap));
		if (i >= 0 && p->n_events > 1)
			return p->events[i];
	}
	return place < p->n_events ? p->events[place] : NULL;
}

static void read_event_desc(struct perfdata *p, struct feature_bytes *b)
{
	uint32_t n = feature_number(b, 4), attr_size = feature_number(b, 4);
	for (uint32_t i = 0; i < n && !b->bad; i++) {
		if (b->n < attr_size) {
			b->bad = true;
			break;
		}
		b->at += attr_size;
		b->n -= attr_size;
		uint32_t n_ids = feature_number(b, 4);
		const char *name = feature_string(p, b);
		if (b->bad || n_ids > b->n / 8)
			break;
		struct perfdata_event *e = described(p, b->at, n_ids, i);
		if (e && name && *name) {
			free(e->name);
			e->name = xstrdup(name);
			e->made_name = false;
		}
		b->at += (size_t)n_ids * 8;
		b->n -= (size_t)n_ids * 8;
	}
}

static void read_group_desc(struct perfdata *p, struct feature_bytes *b)
{
	uint32_t n = feature_number(b, 4);
	for (uint32_t i = 0; i < n && !b->bad; i++) {
		const char *name = feature_string(p, b);
		uint32_t leader = feature_number(b, 4), members = feature_number(b, 4);
		if (b->bad || leader >= p->n_events || members > p->n_events - leader)
			break;
		for (uint32_t k = leader; k < leader + members; k++) {
			p->events[k]->group_leader = (int)leader;
			p->events[k]->group_name = name && !strcmp(name, "{anon_group}") ? NULL : name; /* what stands for no name */
		}
		p->events[leader]->group_members = (int)members;
	}
}

static void read_pmu_mappings(struct perfdata *p, struct feature_bytes *b)
{
	uint32_t n = count_of(b, feature_number(b, 4));
	vec_clear(&p->pmus);
	str_add(&p->extra, "# pmu mappings:");
	for (uint32_t i = 0; i < n && !b->bad; i++) {
		uint32_t type = feature_number(b, 4);
		const char *name = feature_string(p, b);
		if (!name)
			break;
		str_add(&p->extra, i ? ", " : " ");
		str_add_safez(&p->extra, name);
		str_addf(&p->extra, " = %u", type);
		*vec_push(&p->pmus) = (struct recorded_pmu){ type, name };
	}
	str_addc(&p->extra, '\n');
}

static void read_pmu_caps(struct perfdata *p, struct feature_bytes *b)
{
	uint32_t n = count_of(b, feature_number(b, 4));
	str_clear(&p->caps);
	str_add(&p->caps, n ? "# cpu pmu capabilities: " : "# cpu pmu capabilities: not available");
	for (uint32_t i = 0; i < n && !b->bad; i++) {
		const char *name = feature_string(p, b), *value = feature_string(p, b);
		if (!name || !value)
			break;
		str_add(&p->caps, i ? ", " : "");
		str_add_safez(&p->caps, name);
		str_addc(&p->caps, '=');
		str_add_safez(&p->caps, value);
	}
	str_addc(&p->caps, '\n');
}

static void read_clock_data(struct perfdata *p, struct feature_bytes *b)
{
	uint32_t version = feature_number(b, 4), clockid = feature_number(b, 4);
	uint64_t wall = feature_number(b, 8), clock = feature_number(b, 8);
	if (b->bad || version != 1)
		return;
	p->info.has_clock = true;
	p->info.clockid = clockid;
	p->info.clock_wall_ns = wall;
	p->info.clock_ns = clock;
}

static void read_compressed(struct perfdata *p, struct feature_bytes *b)
{
	feature_number(b, 4);
	p->info.compressed = feature_number(b, 4) == COMPRESSED_ZSTD;
	p->info.compress_level = feature_number(b, 4);
	p->info.compress_ratio = feature_number(b, 4);
}

static void read_numbers(struct perfdata *p, unsigned feature, struct feature_bytes *b)
{
	struct perfdata_info *i = &p->info;
	if (feature == FEATURE_NRCPUS) {
		i->nr_cpus_avail = feature_number(b, 4);
		i->nr_cpus_online = feature_number(b, 4);
	} else if (feature == FEATURE_TOTAL_MEM) {
		i->total_mem = feature_number(b, 8);
	} else if (feature == FEATURE_SAMPLE_TIME) {
		i->first_sample = feature_number(b, 8);
		i->last_sample = feature_number(b, 8);
	} else if (feature == FEATURE_CLOCKID) {
		i->clock_res_ns = feature_number(b, 8);
	}
}

static const char **string_of(struct perfdata_info *i, unsigned feature)
{
	switch (feature) {
	case FEATURE_HOSTNAME: return &i->hostname;
	case FEATURE_OSRELEASE: return &i->osrelease;
	case FEATURE_VERSION: return &i->version;
	case FEATURE_ARCH: return &i->arch;
	case FEATURE_CPUDESC: return &i->cpudesc;
	case FEATURE_CPUID: return &i->cpuid;
	default: return NULL;
	}
}

int perfdata_build_id_section(struct perfdata *p, const uint8_t *data, size_t n, uint64_t offset)
{
	enum { FIXED = sizeof(struct perfdata_build_id_record) };
	for (size_t at = 0, left = n / 64 + 64; n - at >= FIXED && left; left--) { /* a path takes 64 bytes at least */
		const uint8_t *r = data + at;
		uint16_t misc = get16(r + 4, p->swap), size = get16(r + 6, p->swap);
		if (size < FIXED || size > n - at)
			return perfdata_damaged(p, offset + at, "a build-id entry longer than its section");
		struct perfdata_build_id *b = vec_push(&p->build_ids);
		b->misc = misc & PERF_RECORD_MISC_CPUMODE_MASK;
		b->pid = (int)get32(r + 8, p->swap);
		b->id.n = misc & MISC_BUILD_ID_SIZE ? r[32] : 20;
		if (b->id.n > sizeof(b->id.id))
			b->id.n = sizeof(b->id.id);
		memcpy(b->id.id, r + 12, b->id.n);
		char *path = xstrndup((const char *)r + FIXED, strnlen((const char *)r + FIXED, size - FIXED));
		*vec_push(&p->strings) = path;
		b->path = path;
		at += size;
	}
	return 0;
}

int perfdata_feature(struct perfdata *p, unsigned feature, const uint8_t *data, size_t n, uint64_t offset)
{
	struct feature_bytes b = { data, n, p->swap, false };
	const char **s = string_of(&p->info, feature);
	p->features_seen[feature / 64] |= 1ull << (feature % 64);
	if (s) {
		*s = feature_string(p, &b);
		return 0;
	}
	switch (feature) {
	case FEATURE_TRACING_DATA:
		return p->tep ? 0 : perfdata_tracing(p, data, n, offset);
	case FEATURE_BUILD_ID:
		return perfdata_build_id_section(p, data, n, offset);
	case FEATURE_CMDLINE:
		wordlist_release(&p->cmdline);
		read_cmdline(p, &b);
		break;
	case FEATURE_EVENT_DESC:
		read_event_desc(p, &b);
		break;
	case FEATURE_GROUP_DESC:
		read_group_desc(p, &b);
		break;
	case FEATURE_PMU_MAPPINGS:
		read_pmu_mappings(p, &b);
		break;
	case FEATURE_CPU_PMU_CAPS:
		read_pmu_caps(p, &b);
		break;
	case FEATURE_CLOCK_DATA:
		read_clock_data(p, &b);
		break;
	case FEATURE_COMPRESSED:
		read_compressed(p, &b);
		break;
	case FEATURE_CPU_TOPOLOGY:
	case FEATURE_NUMA_TOPOLOGY:
	case FEATURE_CACHE:
		machine_read(p, feature, &b);
		break;
	default:
		read_numbers(p, feature, &b);
	}
	return 0;
}

void perfdata_feature_bytes(const struct perfdata *p, unsigned feature, struct str *out)
{
	const struct perfdata_section *at = &p->section[feature];
	if (p->pipe)
		str_addn(out, p->kept[feature].buf, p->kept[feature].len);
	else if (p->map && at->size && at->offset < p->map_len && at->size <= p->map_len - at->offset)
		str_addn(out, p->map + at->offset, at->size);
}
