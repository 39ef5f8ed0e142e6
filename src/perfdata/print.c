// SPDX-License-Identifier: GPL-2.0-or-later
/* The header as text, line for line as perf prints it. */
#include <traceevent/event-parse.h>
#include <time.h>
#include "perfdata/internal.h"

static const char *const sample_bits[] = { "IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD",
	"STREAM_ID", "RAW", "BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT", "DATA_SRC", "IDENTIFIER", "TRANSACTION",
	"REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP", "DATA_PAGE_SIZE", "CODE_PAGE_SIZE", "WEIGHT_STRUCT" };
static const char *const read_bits[] = { "TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST" };
static const char *const branch_bits[] = { "USER", "KERNEL", "HV", "ANY", "ANY_CALL", "ANY_RETURN", "IND_CALL",
	"ABORT_TX", "IN_TX", "NO_TX", "COND", "CALL_STACK", "IND_JUMP", "CALL", "NO_FLAGS", "NO_CYCLES", "TYPE_SAVE",
	"HW_INDEX", "PRIV_SAVE", "COUNTERS" };

static void add_bits(struct str *s, uint64_t v, const char *const *names, unsigned n)
{
	bool some = false;
	for (unsigned i = 0; i < n; i++)
		if (v >> i & 1) {
			str_addf(s, "%s%s", some ? "|" : "", names[i]);
			some = true;
		}
}

/* perf has two of them elsewhere than their bits are. */
static void add_sample_bits(struct str *s, uint64_t v)
{
	const uint64_t late = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC, first = PERF_SAMPLE_WEIGHT - 1, mid = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_REGS_INTR;
	const uint64_t part[] = { v & first, v & mid, v & PERF_SAMPLE_DATA_SRC, v & PERF_SAMPLE_WEIGHT, v & ~(first | mid | late) };
	bool some = false;
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		if (!part[i])
			continue;
		str_add(s, some ? "|" : "");
		add_bits(s, part[i], sample_bits, sizeof(sample_bits) / sizeof(sample_bits[0]));
		some = true;
	}
}

static void add_flags(struct str *s, const struct perf_event_attr *a, const char *is)
{
#define F(name) { #name, a->name }
	const struct { const char *name; unsigned v; } flags[] = {
		F(disabled), F(inherit), F(pinned), F(exclusive), F(exclude_user), F(exclude_kernel), F(exclude_hv),
		F(exclude_idle), F(mmap), F(comm), F(freq), F(inherit_stat), F(enable_on_exec), F(task), F(watermark),
		F(precise_ip), F(mmap_data), F(sample_id_all), F(exclude_host), F(exclude_guest),
		F(exclude_callchain_kernel), F(exclude_callchain_user), F(mmap2), F(comm_exec), F(use_clockid),
		F(context_switch), F(write_backward), F(namespaces), F(ksymbol), F(bpf_event), F(aux_output), F(cgroup),
		F(text_poke), F(build_id), F(inherit_thread), F(remove_on_exec), F(sigtrap),
	};
#undef F
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].v)
			str_addf(s, ", %s%s%u", flags[i].name, is, flags[i].v);
}

static void add_number(struct str *s, const char *name, const char *is, uint64_t v, bool hex)
{
	if (v)
		str_addf(s, hex ? ", %s%s0x%llx" : ", %s%s%llu", name, is, (unsigned long long)v);
}

void attr_fields(struct str *s, const struct perf_event_attr *a, const char *is)
{
	add_number(s, "{ sample_period, sample_freq }", is, a->sample_period, false);
	if (a->sample_type) {
		str_addf(s, ", sample_type%s", is);
		add_sample_bits(s, a->sample_type);
	}
	if (a->read_format) {
		str_addf(s, ", read_format%s", is);
		add_bits(s, a->read_format, read_bits, sizeof(read_bits) / sizeof(read_bits[0]));
	}
	add_flags(s, a, is);
	add_number(s, "{ wakeup_events, wakeup_watermark }", is, a->wakeup_events, false);
	add_number(s, "bp_type", is, a->bp_type, false);
	add_number(s, "{ bp_addr, config1 }", is, a->bp_addr, true);
	add_number(s, "{ bp_len, config2 }", is, a->bp_len, true);
	if (a->branch_sample_type) {
		str_addf(s, ", branch_sample_type%s", is);
		add_bits(s, a->branch_sample_type, branch_bits, sizeof(branch_bits) / sizeof(branch_bits[0]));
	}
	add_number(s, "sample_regs_user", is, a->sample_regs_user, true);
	add_number(s, "sample_stack_user", is, a->sample_stack_user, false);
	if (a->clockid)
		str_addf(s, ", clockid%s%d", is, a->clockid);
	add_number(s, "sample_regs_intr", is, a->sample_regs_intr, true);
	add_number(s, "aux_watermark", is, a->aux_watermark, false);
	add_number(s, "sample_max_stack", is, a->sample_max_stack, false);
	add_number(s, "aux_sample_size", is, a->aux_sample_size, false);
}

static const char *const type_words[] = { "PERF_TYPE_HARDWARE", "software", "tracepoint", "PERF_TYPE_HW_CACHE", "PERF_TYPE_RAW", "breakpoint" };
static const char *const hw_words[] = { "CPU_CYCLES", "INSTRUCTIONS", "CACHE_REFERENCES", "CACHE_MISSES", "BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES", "BUS_CYCLES", "STALLED_CYCLES_FRONTEND", "STALLED_CYCLES_BACKEND", "REF_CPU_CYCLES" };
static const char *const sw_words[] = { "CPU_CLOCK", "TASK_CLOCK", "PAGE_FAULTS", "CONTEXT_SWITCHES", "CPU_MIGRATIONS", "PAGE_FAULTS_MIN",
	"PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS", "EMULATION_FAULTS", "DUMMY", "BPF_OUTPUT", "CGROUP_SWITCHES" };

/* The event's type and number, with their names as perf 6.12 has them. */
static void add_identity(struct str *s, const struct perfdata_event *e)
{
	const struct perf_event_attr *a = &e->attr;
	str_addf(s, ", type = %u", a->type);
	if (a->type < sizeof(type_words) / sizeof(type_words[0]))
		str_addf(s, " (%s)", type_words[a->type]);
	add_number(s, "size", " = ", a->size, false);
	str_addf(s, a->config ? ", config = 0x%llx" : ", config = 0", (unsigned long long)a->config);
	if (a->type == PERF_TYPE_HARDWARE && a->config < sizeof(hw_words) / sizeof(hw_words[0]))
		str_addf(s, " (PERF_COUNT_HW_%s)", hw_words[a->config]);
	else if (a->type == PERF_TYPE_SOFTWARE && a->config < sizeof(sw_words) / sizeof(sw_words[0]))
		str_addf(s, " (PERF_COUNT_SW_%s)", sw_words[a->config]);
	if (a->type != PERF_TYPE_TRACEPOINT || !e->tep)
		return;
	str_add(s, " (");
	str_add_safez(s, e->tep->system);
	str_addc(s, ':');
	str_add_safez(s, e->tep->name);
	str_addc(s, ')');
}

static void add_attr(struct str *s, const struct perfdata_event *e)
{
	add_identity(s, e);
	attr_fields(s, &e->attr, " = ");
}

static void add_events(const struct perfdata *p, struct str *s)
{
	for (size_t i = 0; i < p->n_events; i++) {
		const struct perfdata_event *e = p->events[i];
		str_add(s, "# event : name = ");
		str_add_safez(s, e->name);
		str_add(s, ", ");
		if (e->n_ids) {
			str_add(s, ", id = {");
			for (size_t k = 0; k < e->n_ids; k++)
				str_addf(s, "%s %llu", k ? "," : "", (unsigned long long)e->ids[k]);
			str_add(s, " }");
		}
		add_attr(s, e);
		str_addc(s, '\n');
	}
}

static void add_line(struct str *s, const char *what, const char *text)
{
	if (!text)
		return;
	str_addf(s, "# %s : ", what);
	str_add_safez(s, text);
	str_addc(s, '\n');
}

static void add_cmdline(const struct perfdata *p, struct str *s)
{
	str_add(s, "# cmdline : ");
	for (size_t i = 0; i < p->cmdline.n; i++) {
		str_add_safez(s, p->cmdline.at[i]);
		str_addc(s, ' ');
	}
	str_addc(s, '\n');
}

static void add_when(struct str *s, const char *what, uint64_t ns)
{
	str_addf(s, "# time of %s sample : %llu.%06llu\n", what, (unsigned long long)(ns / 1000000000),
		 (unsigned long long)(ns / 1000 % 1000000));
}

static void add_clock(const struct perfdata *p, struct str *s)
{
	static const char *const names[] = { "realtime", "monotonic", "process_cputime_id", "thread_cputime_id",
		"monotonic_raw", "realtime_coarse", "monotonic_coarse", "boottime", "realtime_alarm", "boottime_alarm", "sgi_cycle", "tai" };
	const struct perfdata_info *i = &p->info;
	time_t t = i->clock_wall_ns / 1000000000;
	struct tm tm;
	char day[64] = "";
	if (localtime_r(&t, &tm))
		strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &tm);
	str_addf(s, "# clockid: %s (%u)\n", i->clockid < sizeof(names) / sizeof(names[0]) ? names[i->clockid] : "unknown", i->clockid);
	str_addf(s, "# reference time: %s.%06llu = %llu.%06llu (TOD) = %llu.%09llu (%s)\n", day,
		 (unsigned long long)(i->clock_wall_ns / 1000 % 1000000), (unsigned long long)(i->clock_wall_ns / 1000000000),
		 (unsigned long long)(i->clock_wall_ns / 1000 % 1000000), (unsigned long long)(i->clock_ns / 1000000000),
		 (unsigned long long)(i->clock_ns % 1000000000),
		 i->clockid < sizeof(names) / sizeof(names[0]) ? names[i->clockid] : "unknown");
}

static bool seen(const struct perfdata *p, unsigned feature)
{
	return p->features_seen[feature / 64] >> (feature % 64) & 1;
}

static void add_machine(struct perfdata *p, struct str *s, unsigned feature, bool all)
{
	if (seen(p, feature) && all)
		machine_text(p, feature, s);
	else if (seen(p, feature))
		str_addf(s, "# %s info available, use -I to display\n", perfdata_feature_names[feature]);
}

static void add_late(struct perfdata *p, struct str *s, bool all)
{
	const struct perfdata_info *i = &p->info;
	if (seen(p, FEATURE_SAMPLE_TIME)) {
		add_when(s, "first", i->first_sample);
		add_when(s, "last", i->last_sample);
		str_addf(s, "# sample duration : %10.3f ms\n", (i->last_sample - i->first_sample) / 1e6);
	}
	add_machine(p, s, FEATURE_MEM_TOPOLOGY, all);
	if (seen(p, FEATURE_CLOCKID) && i->clock_res_ns)
		str_addf(s, "# clockid frequency: %llu MHz\n", (unsigned long long)(1000 / i->clock_res_ns));
	if (seen(p, FEATURE_COMPRESSED))
		str_addf(s, "# compressed : Zstd, level = %u, ratio = %u\n", i->compress_level, i->compress_ratio);
	if (seen(p, FEATURE_CPU_PMU_CAPS))
		str_addn(s, p->caps.buf, p->caps.len);
	if (i->has_clock)
		add_clock(p, s);
}

static void add_missing(const struct perfdata *p, struct str *s)
{
	str_add(s, "# missing features: ");
	for (unsigned f = FEATURE_TRACING_DATA; f < FEATURE_END; f++)
		if (!seen(p, f))
			str_addf(s, "%s ", perfdata_feature_names[f]);
	str_addc(s, '\n');
}

static void add_groups(const struct perfdata *p, struct str *s)
{
	for (size_t i = 0; i < p->n_events; i++) {
		const struct perfdata_event *e = p->events[i];
		if (e->group_members < 2)
			continue;
		str_addf(s, "# group: ");
		str_add_safez(s, e->group_name && strcmp(e->group_name, "{anon_group}") ? e->group_name : "");
		str_addc(s, '{');
		for (int k = 0; k < e->group_members; k++) {
			str_add(s, k ? "," : "");
			str_add_safez(s, p->events[i + k]->name);
		}
		str_add(s, "}\n");
	}
}

#define END_OF_HEADER "# ========\n#\n"

void perfdata_print_header(struct perfdata *p, struct str *s, bool all)
{
	const struct perfdata_info *i = &p->info;
	time_t t = i->captured_at;
	char when[64];
	str_add(s, "# ========\n");
	str_addf(s, "# captured on    : %s", ctime_r(&t, when) ? when : "?\n");
	str_addf(s, "# header version : 1\n# data offset    : %llu\n# data size      : %llu\n# feat offset    : %llu\n",
		 (unsigned long long)(p->pipe ? 0 : p->data_offset), (unsigned long long)(p->pipe ? 0 : p->data_end - p->data_offset),
		 (unsigned long long)(p->pipe ? 0 : p->features_at));
	if (p->pipe) /* what follows came later, in records */
		str_add(s, END_OF_HEADER);
	add_line(s, "hostname", i->hostname);
	add_line(s, "os release", i->osrelease);
	add_line(s, "perf version", i->version);
	add_line(s, "arch", i->arch);
	if (seen(p, FEATURE_NRCPUS))
		str_addf(s, "# nrcpus online : %d\n# nrcpus avail : %d\n", i->nr_cpus_online, i->nr_cpus_avail);
	add_line(s, "cpudesc", i->cpudesc);
	add_line(s, "cpuid", i->cpuid);
	if (i->total_mem)
		str_addf(s, "# total memory : %llu kB\n", (unsigned long long)i->total_mem);
	if (p->cmdline.n)
		add_cmdline(p, s);
	add_events(p, s);
	add_machine(p, s, FEATURE_CPU_TOPOLOGY, all);
	add_machine(p, s, FEATURE_NUMA_TOPOLOGY, all);
	str_addn(s, p->extra.buf, p->extra.len);
	add_groups(p, s);
	add_machine(p, s, FEATURE_CACHE, all);
	add_late(p, s, all);
	if (!p->pipe) {
		add_missing(p, s);
		str_add(s, END_OF_HEADER);
	}
}
