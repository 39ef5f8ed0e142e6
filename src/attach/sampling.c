// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/sampling.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include "arch/perfregs.h"
#include "arch/regs.h"
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/words.h"
#include "kernel/perf.h"
#include "kernel/root.h"

enum { DEFAULT_FREQ = 4000, DEFAULT_STACK = 8192, STACK_MAX = 65528 };

/* ---- words of options ---- */

bool sampling_call_graph(struct sampling *s, const char *text)
{
	size_t n = strcspn(text, ",");
	uint64_t size = DEFAULT_STACK;
	if (text[n] && (strncmp(text, "dwarf", n) || parse_u64(text + n + 1, &size) || size < 8 || size > STACK_MAX))
		return false;
	if (n == 2 && !strncmp(text, "fp", n))
		s->call_graph = CALL_GRAPH_FP;
	else if (n == 5 && !strncmp(text, "dwarf", n))
		s->call_graph = CALL_GRAPH_DWARF;
	else if (n == 3 && !strncmp(text, "lbr", n))
		s->call_graph = CALL_GRAPH_LBR;
	else if (n == 2 && !strncmp(text, "no", n))
		s->call_graph = CALL_GRAPH_NONE;
	else
		return false;
	s->stack_size = (size + 7) & ~7ull;
	return true;
}

struct sampling_word { const char *name; uint64_t value; };

static const struct sampling_word branch_words[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER }, { "k", PERF_SAMPLE_BRANCH_KERNEL }, { "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY }, { "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN }, { "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX }, { "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX }, { "cond", PERF_SAMPLE_BRANCH_COND },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP }, { "call", PERF_SAMPLE_BRANCH_CALL },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE }, { "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX }, { "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE }, { 0 },
};

static const struct sampling_word clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC }, { "mono", CLOCK_MONOTONIC }, { "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "raw", CLOCK_MONOTONIC_RAW }, { "realtime", CLOCK_REALTIME }, { "real", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME }, { "boot", CLOCK_BOOTTIME }, { "tai", CLOCK_TAI }, { 0 },
};

static const struct sampling_word *find_word(const struct sampling_word *table, const char *word, const char *what)
{
	struct nearest near;
	for (const struct sampling_word *n = table; n->name; n++)
		if (!strcasecmp(n->name, word))
			return n;
	error_set(EINVAL, "'%s' is not %s", word, what);
	nearest_init(&near, word);
	for (const struct sampling_word *n = table; n->name; n++)
		nearest_offer(&near, n->name);
	nearest_hint(&near);
	return NULL;
}

int sampling_branch(struct sampling *s, const char *text)
{
	wordlist words = { 0 };
	int err = 0;
	wordlist_split(&words, text, ',');
	vec_each(&words, w) {
		const struct sampling_word *n = find_word(branch_words, *w, "a branch filter");
		if (!n) {
			struct str all = STR_INIT;
			for (n = branch_words; n->name; n++)
				str_addf(&all, "%s%s", all.len ? ", " : "", n->name);
			error_hint("the filters are %s", all.buf);
			str_release(&all);
			err = -EINVAL;
			break;
		}
		s->branch |= n->value;
	}
	wordlist_release(&words);
	return err;
}

int sampling_clock(struct sampling *s, const char *text)
{
	uint64_t n;
	if (!parse_u64(text, &n) && n <= CLOCK_TAI) {
		s->clockid = n;
		return 0;
	}
	const struct sampling_word *c = find_word(clocks, str_starts(text, "CLOCK_") ? text + 6 : text, "a clock");
	if (!c)
		return error_hint("the clocks are monotonic, monotonic_raw, realtime, boottime and tai");
	s->clockid = c->value;
	return 0;
}

static void list_regs(struct str *s)
{
	for (int i = 0; i < 64; i++)
		if (arch_unwind_regs() >> i & 1)
			str_addf(s, "%s%s", s->len ? " " : "", arch_perf_reg_name(i));
}

static int find_reg(const char *name)
{
	for (int i = 0; i < 64; i++)
		if (arch_unwind_regs() >> i & 1 && !strcasecmp(arch_perf_reg_name(i), name))
			return i;
	return -1;
}

int sampling_regs(uint64_t *mask, const char *option, const char *text)
{
	struct str all = STR_INIT;
	wordlist words = { 0 };
	int err = 0;
	list_regs(&all);
	if (!all.len)
		err = error_set(ENOTSUP, "--%s is not supported on this kind of CPU", option);
	else if (!text)
		*mask = arch_unwind_regs();
	else if (!strcmp(text, "?"))
		printf("available registers: %s\n", all.buf);
	else
		wordlist_split(&words, text, ',');
	vec_each(&words, w) {
		int i = find_reg(*w);
		if (i < 0) {
			error_set(EINVAL, "--%s: '%s' is not a register", option, *w);
			err = error_hint("the registers are %s", all.buf);
			break;
		}
		*mask |= 1ull << i;
	}
	if (!err && text && !strcmp(text, "?"))
		err = -ECANCELED;
	wordlist_release(&words);
	str_release(&all);
	return err;
}

/* ---- what kernel and machine can do ---- */

static bool opens(struct perf_event_attr *a)
{
	a->size = sizeof(*a);
	a->exclude_kernel = a->exclude_hv = a->disabled = 1;
	int fd = perf_open(a, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES || fd == -EPERM;
}

bool sampling_has_build_id(void)
{
	static int known = -1;
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .mmap2 = 1, .build_id = 1 };
	if (known < 0)
		known = opens(&a);
	return known;
}

bool sampling_has_lost(void)
{
	static int known = -1;
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .read_format = PERF_FORMAT_LOST };
	if (known < 0)
		known = opens(&a);
	return known;
}

static bool has_cycles(void)
{
	struct perf_event_attr a = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES };
	return opens(&a);
}

int sampling_default_event(event_list *l)
{
	int err = events_parse(l, "cycles:P");
	if (!err) {
		free(l->at[0].name);
		l->at[0].name = xstrdup("cycles");
	}
	return err;
}

bool sampling_without_pmu(event_list *l)
{
	bool changed = false, asked = false, there = false;
	vec_each(l, e) {
		if (!event_is(e, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES))
			continue;
		if (!asked)
			there = has_cycles();
		asked = true;
		if (there)
			continue;
		const char *mods = strchr(e->name, ':');
		char *name = xasprintf("cpu-clock%s", mods ? mods : "");
		free(e->name);
		e->name = name;
		e->kind = EVENT_SOFTWARE;
		e->attr.type = PERF_TYPE_SOFTWARE;
		e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
		e->attr.precise_ip = 0;
		e->precise_max = false;
		e->cpus = NULL;
		changed = true;
	}
	return changed;
}

/* ---- attrs ---- */

static int64_t max_rate(void)
{
	int64_t v = 100000;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/perf_event_max_sample_rate"), &v);
	return v > 0 ? v : 100000;
}

/* The rate to ask for: within what the kernel allows now. */
static int frequency(const struct sampling *s, uint64_t *freq)
{
	uint64_t most = max_rate();
	*freq = s->freq_max ? most : s->freq ? s->freq : DEFAULT_FREQ;
	if (*freq <= most)
		return 0;
	if (s->freq && s->strict_freq) {
		error_set(EINVAL, "%llu samples a second are more than the kernel allows now (%llu)", (unsigned long long)*freq,
			  (unsigned long long)most);
		return error_hint("sudo sysctl kernel.perf_event_max_sample_rate=%llu", (unsigned long long)*freq);
	}
	if (s->freq) {
		warn("%llu samples a second are more than the kernel allows now: taking %llu", (unsigned long long)*freq,
		     (unsigned long long)most);
		hint("sudo sysctl kernel.perf_event_max_sample_rate=%llu", (unsigned long long)*freq);
	}
	*freq = most;
	return 0;
}

/* sched_stat_* count nanoseconds. Without a period in its samples the kernel gives as many alike as it has counted, until it
 * holds them back; with one it gives a single sample of that period. */
static bool weighs(const struct event *e)
{
	return e->kind == EVENT_TRACEPOINT && e->tracepoint && !strcmp(e->system, "sched") && str_starts(e->tracepoint, "sched_stat_");
}

static int set_period(const struct sampling *s, struct event *e)
{
	struct perf_event_attr *a = &e->attr;
	uint64_t freq;
	if (s->no_samples) {
		a->sample_period = a->freq = 0;
		return 0;
	}
	if (!a->sample_period) {
		if (s->period) {
			a->sample_period = s->period;
		} else if (e->kind == EVENT_TRACEPOINT && !s->freq && !s->freq_max) {
			a->sample_period = 1;
		} else if (e->kind == EVENT_BREAKPOINT && !s->freq && !s->freq_max) {
			a->sample_period = 1;
		} else {
			int err = frequency(s, &freq);
			if (err)
				return err;
			a->freq = 1;
			a->sample_freq = freq;
		}
	}
	if (a->freq || (e->kind != EVENT_TRACEPOINT && !s->period) || weighs(e))
		a->sample_type |= PERF_SAMPLE_PERIOD;
	return 0;
}

static int set_call_graph(const struct sampling *s, struct event *e)
{
	struct perf_event_attr *a = &e->attr;
	struct sampling own = *s;
	if (e->call_graph && !sampling_call_graph(&own, e->call_graph)) {
		error_set(EINVAL, "'%s' is not a way to record call chains", e->call_graph);
		return error_hint("use fp, dwarf, lbr or no");
	}
	if (e->stack_size)
		own.stack_size = e->stack_size;
	if (own.call_graph == CALL_GRAPH_NONE)
		return 0;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	a->sample_max_stack = e->max_stack;
	a->exclude_callchain_user = s->kernel_chains;
	a->exclude_callchain_kernel = s->user_chains;
	if (own.call_graph == CALL_GRAPH_LBR) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_CYCLES |
					PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_HW_INDEX;
		a->exclude_callchain_user = 1;
	}
	if (own.call_graph != CALL_GRAPH_DWARF)
		return 0;
	if (!arch_unwind_regs())
		return error_set(ENOTSUP, "--call-graph dwarf is not supported on this kind of CPU");
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user |= arch_unwind_regs();
	a->sample_stack_user = own.stack_size ? own.stack_size : DEFAULT_STACK;
	a->exclude_callchain_user = 1; /* unwound from the stack later */
	return 0;
}

static void set_extras(const struct sampling *s, struct event *e, bool by_cpu)
{
	struct perf_event_attr *a = &e->attr;
	bool raw = s->raw || e->kind == EVENT_TRACEPOINT;
	const struct { bool on; uint64_t bit; } bits[] = {
		{ raw, PERF_SAMPLE_RAW }, { by_cpu || raw || s->sample_cpu, PERF_SAMPLE_CPU },
		{ s->address || s->phys_address || s->data_page, PERF_SAMPLE_ADDR }, { s->weight, PERF_SAMPLE_WEIGHT },
		{ s->transaction, PERF_SAMPLE_TRANSACTION }, { s->phys_address, PERF_SAMPLE_PHYS_ADDR },
		{ s->data_page, PERF_SAMPLE_DATA_PAGE_SIZE }, { s->code_page, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ s->intr_regs, PERF_SAMPLE_REGS_INTR }, { s->user_regs, PERF_SAMPLE_REGS_USER },
		{ s->cgroups, PERF_SAMPLE_CGROUP }, { s->address, PERF_SAMPLE_DATA_SRC },
	};
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (bits[i].on)
			a->sample_type |= bits[i].bit;
	a->sample_regs_intr = s->intr_regs;
	a->sample_regs_user = s->user_regs;
	if (s->branch) {
		const uint64_t levels = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = s->branch;
		if (!(s->branch & levels)) /* the event's own levels */
			a->branch_sample_type |= (a->exclude_user ? 0 : PERF_SAMPLE_BRANCH_USER) |
						 (a->exclude_kernel ? 0 : PERF_SAMPLE_BRANCH_KERNEL);
	}
	if (s->all_user)
		a->exclude_kernel = a->exclude_hv = 1;
	if (s->all_kernel)
		a->exclude_user = 1;
}

static void set_tracking(const struct sampling *s, struct perf_event_attr *a)
{
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = 1;
	/* only when asked: the kernel leaves the mark of such maps in the records of everybody else who reads them, and perf 6.1
	 * then writes beyond the end of a buffer of its own */
	a->build_id = s->build_id_maps && sampling_has_build_id();
	a->ksymbol = a->bpf_event = !s->no_bpf;
	a->mmap_data = s->address || s->call_graph == CALL_GRAPH_DWARF; /* perf unwinds through the maps of .eh_frame */
	a->context_switch = s->switches;
	a->namespaces = s->namespaces;
	a->cgroup = s->cgroups;
}

/* {a,b}:S: the leader samples, the others are only read with it. */
static void set_group(event_list *l, size_t i)
{
	struct event *e = &l->at[i], *lead = &l->at[e->group];
	if (!lead->group_sample)
		return;
	e->attr.read_format |= PERF_FORMAT_GROUP;
	e->attr.sample_type |= PERF_SAMPLE_READ;
	e->inherit = -1;
	if (e != lead)
		e->attr.sample_period = e->attr.freq = 0;
}

static int apply_one(const struct sampling *s, event_list *l, size_t i, bool by_cpu)
{
	struct event *e = &l->at[i];
	struct perf_event_attr *a = &e->attr;
	a->size = sizeof(*a);
	a->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	a->read_format |= PERF_FORMAT_ID | (sampling_has_lost() ? PERF_FORMAT_LOST : 0);
	a->sample_id_all = 1;
	a->use_clockid = 1;
	a->clockid = s->clockid;
	if (s->per_thread_counts) {
		a->inherit_stat = 1;
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	}
	if (s->running_time)
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a->watermark = !s->wake_each;
	if (s->wake_each)
		a->wakeup_events = 1;
	else
		a->wakeup_watermark = s->watermark;
	if (event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY) && e->tag) { /* the tracker: nothing but the trailer counts */
		a->sample_type |= by_cpu ? PERF_SAMPLE_CPU : 0;
		return 0;
	}
	a->write_backward = s->overwrite;
	set_extras(s, e, by_cpu);
	int err = set_period(s, e);
	if (!err)
		err = set_call_graph(s, e);
	set_group(l, i);
	return err;
}

/* One shape of trailers for all: CPU in each when in one. */
static bool trailer_cpu(const struct sampling *s, const event_list *l, const struct target *t)
{
	bool raw = s->raw;
	vec_each(l, e)
		raw |= e->kind == EVENT_TRACEPOINT;
	return !target_by_task(t) || raw || s->sample_cpu;
}

int sampling_apply(const struct sampling *s, event_list *l, const struct target *t)
{
	bool cpu = trailer_cpu(s, l, t);
	for (size_t i = 0; i < l->n; i++) {
		int err = apply_one(s, l, i, cpu);
		if (err)
			return err;
	}
	return 0;
}

static void add_tracker(event_list *l)
{
	struct event *e = vec_push(l);
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_DUMMY;
	e->attr.sample_period = 1;
	e->attr.exclude_kernel = e->attr.exclude_hv = 1; /* allowed to everyone */
	e->kind = EVENT_SOFTWARE;
	e->name = xstrdup("dummy:HG");
	e->text = xstrdup("dummy");
	e->scale = 1;
	e->group = l->n - 1;
	e->tag = 1;
}

int sampling_offcpu(const struct sampling *s, event_list *l, const struct target *t)
{
	bool cpu = trailer_cpu(s, l, t);
	struct event *e = vec_push(l);
	struct perf_event_attr *a = &e->attr;
	a->type = PERF_TYPE_SOFTWARE;
	a->config = PERF_COUNT_SW_BPF_OUTPUT;
	a->size = sizeof(*a);
	a->sample_period = a->freq = a->sample_id_all = 1;
	a->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			 (cpu ? PERF_SAMPLE_CPU : 0) | (s->cgroups ? PERF_SAMPLE_CGROUP : 0);
	a->read_format = PERF_FORMAT_ID;
	a->use_clockid = 1;
	a->clockid = s->clockid;
	e->kind = EVENT_SOFTWARE;
	e->name = xstrdup("offcpu-time");
	e->text = xstrdup(e->name);
	e->scale = 1;
	e->group = (int)l->n - 1;
	e->elsewhere = true;
	return e->group;
}

int sampling_track(const struct sampling *s, event_list *l, const struct target *t, bool own)
{
	int tracker = own ? (int)l->n : 0;
	if (own) {
		bool cpu = trailer_cpu(s, l, t);
		add_tracker(l);
		apply_one(s, l, tracker, cpu); /* of a tracker nothing can fail */
	}
	if (l->n > 1)
		vec_each(l, e)
			e->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	set_tracking(s, &l->at[tracker].attr);
	return tracker;
}
