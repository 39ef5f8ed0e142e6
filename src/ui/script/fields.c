// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/fields.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"

static const char *const names[FIELD_COUNT] = {
	[FIELD_COMM] = "comm", [FIELD_TID] = "tid", [FIELD_PID] = "pid", [FIELD_TIME] = "time", [FIELD_CPU] = "cpu",
	[FIELD_EVENT] = "event", [FIELD_TRACE] = "trace", [FIELD_IP] = "ip", [FIELD_SYM] = "sym", [FIELD_DSO] = "dso",
	[FIELD_ADDR] = "addr", [FIELD_SYMOFF] = "symoff", [FIELD_SRCLINE] = "srcline", [FIELD_PERIOD] = "period",
	[FIELD_IREGS] = "iregs", [FIELD_UREGS] = "uregs", [FIELD_BRSTACK] = "brstack",
	[FIELD_BRSTACKSYM] = "brstacksym", [FIELD_BRSTACKOFF] = "brstackoff", [FIELD_DATA_SRC] = "data_src",
	[FIELD_WEIGHT] = "weight", [FIELD_BPF_OUTPUT] = "bpf-output", [FIELD_SYNTH] = "synth",
	[FIELD_PHYS_ADDR] = "phys_addr", [FIELD_MISC] = "misc", [FIELD_TOD] = "tod",
	[FIELD_DATA_PAGE_SIZE] = "data_page_size", [FIELD_CODE_PAGE_SIZE] = "code_page_size",
	[FIELD_INS_LAT] = "ins_lat", [FIELD_CGROUP] = "cgroup",
	[FIELD_DSOFF] = "dsoff", [FIELD_INSN] = "insn", [FIELD_INSNLEN] = "insnlen", [FIELD_FLAGS] = "flags",
	[FIELD_SRCCODE] = "srccode", [FIELD_RETIRE_LAT] = "retire_lat", [FIELD_MACHINE_PID] = "machine_pid",
	[FIELD_VCPU] = "vcpu", [FIELD_CALLINDENT] = "callindent", [FIELD_IPC] = "ipc",
};
static const char *const type_names[FIELDS_TYPES] = {
	"hardware", "software", "tracepoint", "cache", "raw", "breakpoint", "synth", "other",
};

#define B FIELD_BIT
static const uint64_t basic = B(FIELD_COMM) | B(FIELD_TID) | B(FIELD_CPU) | B(FIELD_TIME) | B(FIELD_EVENT);
static const uint64_t where = B(FIELD_IP) | B(FIELD_SYM) | B(FIELD_SYMOFF) | B(FIELD_DSO);

static uint64_t invalid(enum field_type t)
{
	if (t == FIELDS_TRACE)
		return 0;
	return B(FIELD_TRACE) | (t == FIELDS_SW ? 0 : B(FIELD_BPF_OUTPUT));
}

void fields_init(struct field_set *s)
{
	memset(s, 0, sizeof(*s));
	for (int t = 0; t < FIELDS_TYPES; t++)
		s->type[t].fields = basic | where | B(FIELD_PERIOD);
	s->type[FIELDS_SW].fields |= B(FIELD_BPF_OUTPUT);
	s->type[FIELDS_TRACE].fields = basic | B(FIELD_TRACE);
	s->type[FIELDS_SYNTH].fields = basic | where | B(FIELD_SYNTH);
	s->type[FIELDS_RAW].fields |= B(FIELD_ADDR) | B(FIELD_DATA_SRC) | B(FIELD_WEIGHT) | B(FIELD_PHYS_ADDR) |
				      B(FIELD_DATA_PAGE_SIZE) | B(FIELD_CODE_PAGE_SIZE) | B(FIELD_INS_LAT);
}

enum field_type fields_type(uint32_t attr_type)
{
	static const enum field_type of[PERF_TYPE_MAX] = {
		[PERF_TYPE_HARDWARE] = FIELDS_HW, [PERF_TYPE_SOFTWARE] = FIELDS_SW, [PERF_TYPE_TRACEPOINT] = FIELDS_TRACE,
		[PERF_TYPE_HW_CACHE] = FIELDS_CACHE, [PERF_TYPE_RAW] = FIELDS_RAW, [PERF_TYPE_BREAKPOINT] = FIELDS_BREAK,
	};
	return attr_type < PERF_TYPE_MAX ? of[attr_type] : attr_type == UINT32_MAX ? FIELDS_SYNTH : FIELDS_OTHER;
}

static void list_names(struct str *out)
{
	for (int i = 0; i < FIELD_COUNT; i++)
		str_addf(out, "%s%s", i ? "," : "", names[i]);
}

/* Fields of perf's that are known and not shown here, with the reason. */
static const struct { const char *name, *why; } absent[] = {
	{ "brstackinsn", "it needs a disassembler" }, { "brstackinsnlen", "it needs a disassembler" },
	{ "brstackdisasm", "it needs a disassembler" }, { "disasm", "it needs a disassembler" },
	{ "metric", "metrics are stat's" }, { "brcntr", "counters of branches are not read" },
};

static int unknown_field(const char *word)
{
	struct str all = STR_INIT;
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (!strcmp(absent[i].name, word)) {
			error_set(EINVAL, "-F %s is a field of perf's that sonde does not have: %s", word, absent[i].why);
			return error_hint("leave it out, or ask perf script for it: it reads the same file");
		}
	struct nearest n;
	error_set(EINVAL, "'%s' is not a field to print", word);
	nearest_init(&n, word);
	for (int i = 0; i < FIELD_COUNT; i++)
		nearest_offer(&n, names[i]);
	nearest_hint(&n);
	list_names(&all);
	error_hint("fields are %s", all.buf);
	str_release(&all);
	return -EINVAL;
}

static int find_field(const char *word)
{
	for (int i = 0; i < FIELD_COUNT; i++)
		if (!strcmp(names[i], word))
			return i;
	return -1;
}

/* The types that "sw:" names; -1: all, -2: not a type. */
static int type_prefix(const char **text)
{
	static const struct { const char *name; enum field_type type; } types[] = {
		{ "hw:", FIELDS_HW }, { "sw:", FIELDS_SW }, { "trace:", FIELDS_TRACE }, { "raw:", FIELDS_RAW },
		{ "break:", FIELDS_BREAK }, { "synth:", FIELDS_SYNTH },
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_starts(*text, types[i].name)) {
			*text += strlen(types[i].name);
			return types[i].type;
		}
	return strchr(*text, ':') ? -2 : -1;
}

/* by_name: for all types at once; of one type, what the samples do not hold is left out without a word, as perf does it. */
static void change(struct field_set *s, int t, int field, bool remove, bool by_name)
{
	uint64_t bit = B(field);
	if (invalid(t) & bit)
		return;
	if (remove) {
		s->type[t].fields &= ~bit;
		s->type[t].asked &= ~bit;
		s->type[t].dropped |= bit;
	} else {
		s->type[t].fields |= bit;
		s->type[t].asked |= by_name ? bit : 0;
		s->type[t].dropped &= ~bit;
	}
	s->type[t].user = s->type[t].all = true;
}

static int parse_words(struct field_set *s, const wordlist *w, int type, bool plain)
{
	for (size_t i = 0; i < w->n; i++) {
		const char *word = w->at[i];
		bool sign = *word == '+' || *word == '-';
		if (!*word)
			continue;
		if (sign == plain) {
			error_set(EINVAL, "-F takes a whole list, or changes with + and -, but not both");
			return error_hint("write -F +%s to add it to the usual fields", word + sign);
		}
		int f = find_field(word + sign);
		if (f < 0)
			return unknown_field(word + sign);
		if (type >= 0 && invalid(type) & B(f))
			return error_set(EINVAL, "%s events have no field '%s'", type_names[type], names[f]);
		for (int t = 0; t < FIELDS_TYPES; t++)
			if (type < 0 || type == t)
				change(s, t, f, *word == '-', type < 0);
	}
	return 0;
}

int fields_parse(struct field_set *s, const char *text)
{
	const char *rest = text;
	int type = type_prefix(&rest);
	if (type == -2) {
		error_set(EINVAL, "'%s' does not start with a type of event", text);
		return error_hint("types are hw, sw, trace, raw, break and synth, as in -F sw:comm,ip");
	}
	if (type == -1 && !*text)
		return error_set(EINVAL, "-F needs at least one field");
	bool plain = !strchr(rest, '+') && !strchr(rest, '-');
	if (!strcmp(rest, "bpf-output"))
		plain = true;
	for (int t = 0; plain && t < FIELDS_TYPES; t++) {
		if (type >= 0 && type != t)
			continue;
		s->type[t].fields = 0;
		s->type[t].user = true;
		s->type[t].all = type < 0;
	}
	wordlist w = { 0 };
	wordlist_split(&w, rest, ',');
	int err = parse_words(s, &w, type, plain);
	wordlist_release(&w);
	return err;
}

/* A field that needs something in the samples: kept, dropped, or an error when asked for by name. */
static int need(struct field_set *s, int t, const struct perfdata_event *e, int field, uint64_t sample_type)
{
	if (!(s->type[t].fields & B(field)) || e->attr.sample_type & sample_type)
		return 0;
	if (!(s->type[t].asked & B(field))) {
		s->type[t].fields &= ~B(field);
		return 0;
	}
	return error_set(EINVAL, "the samples of '%s' do not hold what -F %s shows", e->name, names[field]);
}

static int check_event(struct field_set *s, int t, const struct perfdata_event *e)
{
	static const struct { int field; uint64_t bits; } needs[] = {
		{ FIELD_IP, PERF_SAMPLE_IP }, { FIELD_ADDR, PERF_SAMPLE_ADDR }, { FIELD_DATA_SRC, PERF_SAMPLE_DATA_SRC },
		{ FIELD_WEIGHT, PERF_SAMPLE_WEIGHT_TYPE }, { FIELD_PID, PERF_SAMPLE_TID }, { FIELD_TID, PERF_SAMPLE_TID },
		{ FIELD_TIME, PERF_SAMPLE_TIME }, { FIELD_CPU, PERF_SAMPLE_CPU }, { FIELD_IREGS, PERF_SAMPLE_REGS_INTR },
		{ FIELD_UREGS, PERF_SAMPLE_REGS_USER }, { FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR },
		{ FIELD_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE }, { FIELD_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ FIELD_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT }, { FIELD_CGROUP, PERF_SAMPLE_CGROUP },
		{ FIELD_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT },
	};
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		int err = need(s, t, e, needs[i].field, needs[i].bits);
		if (err)
			return err;
	}
	if (s->type[t].fields & B(FIELD_DSOFF)) /* an offset in a file comes with the file's name */
		s->type[t].fields |= B(FIELD_DSO);
	if (s->type[t].fields & B(FIELD_SYMOFF) && !(s->type[t].fields & B(FIELD_SYM)))
		return error_set(EINVAL, "-F symoff needs sym too: an offset alone says nothing");
	if (s->type[t].fields & B(FIELD_SRCLINE) && !(s->type[t].fields & B(FIELD_IP)))
		return error_set(EINVAL, "-F srcline needs ip too: there is no address to look up");
	if (s->type[t].fields & B(FIELD_SRCCODE) && !(s->type[t].fields & B(FIELD_IP)))
		return error_set(EINVAL, "-F srccode needs ip too: there is no address to look up");
	return 0;
}

/* Fields that are taken, as perf takes them, and have nothing to show in this recording. */
static void tell_empty(const struct field_set *s, int t, const struct perfdata_event *e)
{
	static const struct { uint64_t fields; const char *why; } empty[] = {
		{ B(FIELD_FLAGS) | B(FIELD_CALLINDENT) | B(FIELD_IPC), "it tells of processor traces, which are not decoded here" },
		{ B(FIELD_MACHINE_PID) | B(FIELD_VCPU), "it tells of guests whose recording was put into this one" },
		{ B(FIELD_BRSTACK) | B(FIELD_BRSTACKSYM) | B(FIELD_BRSTACKOFF), "the samples have no branches: record with -b" },
	};
	for (int f = 0; f < FIELD_COUNT; f++)
		for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
			if (s->type[t].fields & empty[i].fields & B(f) && !(i == 2 && e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK))
				note(1, "-F %s shows nothing: %s", names[f], empty[i].why);
}

static bool is_dummy(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

int fields_check(struct field_set *s, const struct perfdata *p, bool chains)
{
	bool seen[FIELDS_TYPES] = { false };
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		const struct perfdata_event *e = perfdata_event_at(p, i);
		int t = fields_type(e->attr.type);
		if (is_dummy(&e->attr))
			continue;
		if (!seen[t] && s->type[t].fields) {
			int err = check_event(s, t, e);
			if (err)
				return err;
			tell_empty(s, t, e);
		}
		seen[t] = true;
		if (chains && perfdata_is_pipe(p) && e->attr.sample_type & PERF_SAMPLE_CALLCHAIN) /* as perf does with pipes */
			s->type[t].fields |= (B(FIELD_IP) | B(FIELD_SYM)) & ~s->type[t].dropped;
		if (t == FIELDS_TRACE && chains && !s->type[t].user && e->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			s->type[t].fields |= where;
		if (s->type[t].fields & B(FIELD_TOD) && !perfdata_info(p)->has_clock) {
			error_set(EINVAL, "the recording does not tell the time of day");
			return error_hint("record with -k CLOCK_MONOTONIC");
		}
	}
	for (int t = 0; t < FIELDS_TYPES; t++)
		if (!seen[t] && s->type[t].user && !s->type[t].all && !perfdata_is_pipe(p))
			return error_set(EINVAL, "the recording has no %s events: leave out that -F", type_names[t]);
	return 0;
}
