// SPDX-License-Identifier: GPL-2.0-or-later
/* The event grammar against a made-up machine with the PMUs that this one lacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/str.h"
#include "spec/names.h"
#include "spec/signedfilter.h"
#include "spec/spec.h"
#include "kernel/pmu.h"

static char top[] = "/tmp/sonde-events-XXXXXX";

static void put(const char *path, const char *text)
{
	char *whole = xasprintf("%s/%s", top, path);
	for (char *s = whole + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		mkdir(whole, 0755);
		*s = '/';
	}
	FILE *f = fopen(whole, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(whole);
}

static void put_pmu(const char *pmu, const char *file, const char *text)
{
	char *path = xasprintf("sys/bus/event_source/devices/%s/%s", pmu, file);
	put(path, text);
	free(path);
}

static void tracepoint(const char *name, const char *id)
{
	char *path = xasprintf("sys/kernel/tracing/events/%s/id", name);
	put(path, id);
	free(path);
	path = xasprintf("sys/kernel/tracing/events/%s/format", name);
	put(path, "name: x\nID: 1\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		  "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		  "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		  "\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n");
	free(path);
}

static int make_tree(void **state)
{
	(void)state;
	put_pmu("cpu", "type", "4\n");
	put_pmu("cpu", "format/event", "config:0-7,32-35\n");
	put_pmu("cpu", "format/umask", "config:8-15\n");
	put_pmu("cpu", "format/inv", "config:23\n");
	put_pmu("cpu", "format/cmask", "config:24-31\n");
	put_pmu("cpu", "format/ldlat", "config1:0-15\n");
	put_pmu("cpu", "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	put_pmu("cpu", "events/asking", "event=0xcd,umask=?\n");
	put_pmu("msr", "type", "9\n");
	put_pmu("msr", "format/event", "config:0-63\n");
	put_pmu("msr", "events/tsc", "event=0x00\n");
	put_pmu("uncore_imc_0", "type", "20\n");
	put_pmu("uncore_imc_0", "cpumask", "0,64\n");
	put_pmu("uncore_imc_0", "format/event", "config:0-7\n");
	put_pmu("uncore_imc_0", "events/data_reads", "event=0x1\n");
	put_pmu("uncore_imc_0", "events/data_reads.scale", "6.103515625e-5\n");
	put_pmu("uncore_imc_0", "events/data_reads.unit", "MiB\n");
	put_pmu("uncore_imc_1", "type", "21\n");
	put_pmu("uncore_imc_1", "cpumask", "1-3\n");
	put_pmu("uncore_imc_1", "format/event", "config:0-7\n");
	put_pmu("uncore_imc_1", "events/data_reads", "event=0x1\n");
	tracepoint("sched/sched_switch", "311\n");
	tracepoint("sched/sched_wakeup", "312\n");
	tracepoint("syscalls/sys_enter_openat", "500\n");
	tracepoint("syscalls/sys_enter_read", "501\n");
	tracepoint("syscalls/sys_exit_read", "502\n");
	tracepoint("probe_libc/malloc", "1500\n");
	put("sys/kernel/tracing/available_events",
	    "sched:sched_switch\nsched:sched_wakeup\nsyscalls:sys_enter_openat\nsyscalls:sys_enter_read\n"
	    "syscalls:sys_exit_read\nprobe_libc:malloc\n");
	put("proc/kallsyms", "ffffffff81000000 T _text\nffffffff82000010 D jiffies\n0000000000000000 D hidden\n");
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	char *cmd = xasprintf("rm -rf %s", top);
	int err = system(cmd);
	free(cmd);
	return err;
}

/* One event by its text. */
static struct event one(const char *text, event_list *l)
{
	if (events_parse(l, text))
		fail_msg("%s: %s", text, error_message());
	assert_true(l->n >= 1);
	return *vec_last(l);
}

static void generic_names(void **state)
{
	static const struct { const char *text; uint32_t type; uint64_t config; } rows[] = {
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
		{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
		{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "user_time", EVENT_TYPE_TOOL, TOOL_USER },
		{ "LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002 },
		{ "dTLB-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10203 },
		{ "L1-dcache-stores", PERF_TYPE_HW_CACHE, 0x100 },
		{ "L1-dcache-loads-misses", PERF_TYPE_HW_CACHE, 0x10000 },
		{ "branch-load-misses", PERF_TYPE_HW_CACHE, 0x10005 },
		{ "iTLB", PERF_TYPE_HW_CACHE, 4 },
		{ "r003c", PERF_TYPE_RAW, 0x3c },
		{ "r1A8", PERF_TYPE_RAW, 0x1a8 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		event_list l = { 0 };
		struct event e = one(rows[i].text, &l);
		assert_int_equal(l.n, 1);
		assert_int_equal(e.attr.type, rows[i].type);
		assert_int_equal(e.attr.config, rows[i].config);
		assert_string_equal(e.name, rows[i].text);
		events_release(&l);
	}
}

static void modifiers(void **state)
{
	event_list l = { 0 };
	(void)state;
	struct event e = one("cycles:u", &l);
	assert_true(e.attr.exclude_kernel && e.attr.exclude_hv && !e.attr.exclude_user && e.exclude_user_given);
	e = one("cycles:ukpp", &l);
	assert_true(!e.attr.exclude_kernel && e.attr.exclude_hv && !e.attr.exclude_user);
	assert_int_equal(e.attr.precise_ip, 2);
	assert_string_equal(e.name, "cycles:ukpp");
	e = one("instructions:G", &l);
	assert_true(!e.attr.exclude_guest && e.attr.exclude_host);
	e = one("instructions:HD", &l);
	assert_true(e.attr.exclude_guest && !e.attr.exclude_host && e.attr.pinned);
	assert_string_equal(e.name, "instructions:HD");
	e = one("cycles:Ie", &l);
	assert_true(e.attr.exclude_idle && e.attr.exclusive);
	e = one("sched:sched_switch:k", &l);
	assert_string_equal(e.name, "sched:sched_switch:k");
	assert_true(e.attr.exclude_user && !e.attr.exclude_kernel);
	e = one("cs:ukhpppGHSDIWe", &l);
	assert_string_equal(e.name, "cs:ukhpppGHSDIWe");
	e = one("cs/name=mine/uD", &l);
	assert_string_equal(e.name, "mine");
	e = one("cs/period=5/uD", &l);
	assert_string_equal(e.name, "cs/period=5/uD");
	e = one("sched:sched_switch:uD", &l);
	assert_string_equal(e.name, "sched:sched_switch:uD");
	e = one("{cs:D,faults}:SuW", &l);
	assert_string_equal(e.name, "faults:u");
	assert_string_equal(l.at[l.n - 2].name, "cs:Du");
	e = one("cycles:P", &l);
	assert_true(e.precise_max);
	events_release(&l);
}

static void groups(void **state)
{
	event_list l = { 0 };
	(void)state;
	assert_int_equal(events_parse(&l, "cs,{cycles:k,instructions}:S, {faults,sched:*}:u"), 0);
	assert_int_equal(events_parse(&l, "{cycles,branches}:WD"), 0);
	assert_int_equal(l.n, 8);
	static const int leader[] = { 0, 1, 1, 3, 3, 3, 6, 6 };
	for (int i = 0; i < 8; i++)
		assert_int_equal(l.at[i].group, leader[i]);
	assert_true(l.at[1].group_sample && l.at[2].group_sample && !l.at[3].group_sample);
	assert_string_equal(l.at[1].name, "cycles:k");
	assert_string_equal(l.at[3].name, "faults:u");
	assert_string_equal(l.at[5].name, "sched:sched_wakeup:u");
	assert_true(l.at[6].weak_group && l.at[6].attr.pinned && !l.at[7].attr.pinned);
	assert_int_equal(l.at[5].batch, 0);
	assert_int_equal(l.at[6].batch, 1);
	events_release(&l);
}

static void pmu_terms(void **state)
{
	event_list l = { 0 };
	(void)state;
	struct event e = one("cpu/event=0x0e,umask=0x01,inv,cmask=0x01/", &l);
	assert_int_equal(e.attr.type, 4);
	assert_int_equal(e.attr.config, 0x0180010e);
	assert_string_equal(e.name, "cpu/event=0x0e,umask=0x01,inv,cmask=0x01/");
	e = one("cpu/event=0x1c2,period=1000,name=odd/u", &l);
	assert_int_equal(e.attr.config, 0x1000000c2);
	assert_int_equal(e.attr.sample_period, 1000);
	assert_string_equal(e.name, "odd");
	assert_true(e.attr.exclude_kernel);
	e = one("cpu/ldlat=30,mem-loads/", &l);
	assert_int_equal(e.attr.config, 0x1cd);
	assert_int_equal(e.attr.config1, 30);
	e = one("cpu/asking,umask=2/", &l);
	assert_int_equal(e.attr.config, 0x2cd);
	e = one("cpu/r1a8/", &l);
	assert_int_equal(e.attr.config, 0x1a8);
	e = one("msr/tsc/", &l);
	assert_int_equal(e.attr.type, 9);
	e = one("mem-loads", &l);
	assert_int_equal(e.attr.config, 0x1cd);
	e = one("cycles/freq=99,name='a,b'/", &l);
	assert_true(e.attr.freq && e.attr.sample_freq == 99);
	assert_string_equal(e.name, "a,b");
	e = one("sched:sched_switch/call-graph=dwarf,stack-size=4096/", &l);
	assert_string_equal(e.call_graph, "dwarf");
	assert_int_equal(e.stack_size, 4096);
	events_release(&l);
	assert_int_equal(events_parse(&l, "uncore_imc/data_reads/"), 0);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.at[0].name, "uncore_imc_0/data_reads/");
	assert_string_equal(l.at[0].unit, "MiB");
	assert_true(l.at[0].scale > 6e-5 && l.at[0].scale < 7e-5);
	assert_int_equal(l.at[0].cpus[1], 64);
	assert_int_equal(l.at[0].cpus[2], -1);
	assert_int_equal(l.at[1].cpus[0], 1);
	assert_null(l.at[1].unit);
	events_release(&l);
	e = one("intel_pt/tsc=1,noretcomp=0/k", &l);
	assert_true(e.missing && e.attr.exclude_user);
	events_release(&l);
}

static void tracepoints(void **state)
{
	event_list l = { 0 };
	(void)state;
	struct event e = one("sched:sched_switch", &l);
	assert_int_equal(e.attr.config, 311);
	assert_string_equal(e.system, "sched");
	assert_string_equal(e.tracepoint, "sched_switch");
	assert_int_equal(events_parse(&l, "syscalls:sys_enter_*"), 0);
	assert_int_equal(l.n, 3);
	assert_int_equal(events_parse(&l, "*:*switch"), 0);
	assert_int_equal(l.n, 4);
	assert_int_equal(events_parse(&l, "*:*"), 0);
	assert_int_equal(l.n, 10);
	assert_int_equal(events_parse(&l, "syscalls:sys_e[nm]ter_[a-z]ead"), 0);
	assert_int_equal(l.n, 11);
	e = one("probe_libc:malloc", &l);
	assert_int_equal(e.attr.config, 1500);
	assert_int_equal(events_parse(&l, "cs,sched:*"), 0);
	assert_int_equal(events_filter(&l, "prev_pid == 1"), 0);
	assert_int_equal(events_filter(&l, "prev_pid != 2"), 0);
	assert_string_equal(vec_last(&l)->filter, "(prev_pid == 1) && (prev_pid != 2)");
	assert_null(l.at[l.n - 3].filter);
	assert_null(l.at[0].filter);
	assert_int_equal(events_parse(&l, "cs"), 0);
	assert_int_equal(events_filter(&l, "x"), -EINVAL);
	error_clear();
	events_release(&l);
	tp_fields f = { 0 };
	assert_int_equal(tracepoint_fields("sched", "sched_switch", &f), 0);
	assert_int_equal(f.n, 3);
	assert_string_equal(f.at[0].name, "prev_comm");
	assert_string_equal(f.at[2].name, "name");
	assert_true(f.at[1].is_signed && f.at[1].offset == 24);
	tp_fields_release(&f);
}

static void breakpoints(void **state)
{
	event_list l = { 0 };
	(void)state;
	struct event e = one("mem:0x1000/8:rw", &l);
	assert_int_equal(e.attr.bp_addr, 0x1000);
	assert_int_equal(e.attr.bp_len, 8);
	assert_int_equal(e.attr.bp_type, HW_BREAKPOINT_RW);
	e = one("mem:0x1000:x:u", &l);
	assert_int_equal(e.attr.bp_len, sizeof(long));
	assert_true(e.attr.exclude_kernel);
	assert_string_equal(e.name, "mem:0x1000:x:u");
	e = one("mem:jiffies+8:w", &l);
	assert_int_equal(e.attr.bp_addr, 0xffffffff82000018);
	e = one("mem:0x1000:u", &l);
	assert_int_equal(e.attr.bp_type, HW_BREAKPOINT_RW);
	assert_true(e.attr.exclude_kernel);
	events_release(&l);
}

static void wrong(void **state)
{
	static const struct { const char *text, *message, *hint; } rows[] = {
		{ "cyclse", "there is no event 'cyclse'", "'cycles'" },
		{ "cycles,cyclse:u", "there is no event 'cyclse'", "'cycles'" },
		{ "sched:sched_swich", "there is no tracepoint 'sched:sched_swich'", "'sched:sched_switch'" },
		{ "shced:sched_switch", "there is no tracepoint", "'sched'" },
		{ "sched", "there is no event 'sched'", "sched:*" },
		{ "sched_switch", "there is no event", "sched:sched_switch" },
		{ "probe:vfs_read", "there is no tracepoint", "sonde probe vfs_read" },
		{ "probe_libc:mallok", "there is no tracepoint", "'probe_libc:malloc'" },
		{ "sdt_x:y", "there is no tracepoint", "sonde probe -x FILE sdt_x:y" },
		{ "sched:x*", "no tracepoint matches 'sched:x*'", "" },
		{ "cpu/evnt=1/", "unknown term 'evnt' for cpu", "'event'" },
		{ "cpu/umask=0x100/", "more bits", "" },
		{ "cpu/umask=x/", "not a number", "" },
		{ "cpu/umask=/", "a value is missing", "" },
		{ "cpu/asking/", "needs umask=VALUE", "" },
		{ "cpu/event=1", "never closed", "" },
		{ "cpu/event=1,", "never closed", "" },
		{ "cppu/event=1/", "there is no PMU 'cppu'", "'cpu'" },
		{ "cycles/event=1/", "unknown term 'event'", "" },
		{ "{cycles,cs", "never closed", "" },
		{ "{cycles,{cs}}", "do not nest", "" },
		{ "{}", "an event is missing", "" },
		{ "", "an event is missing", "" },
		{ "cycles,", "an event is missing", "" },
		{ ",", "an event is missing", "" },
		{ "cycles}", "a ',' is missing", "" },
		{ "cycles:", "a modifier is missing", "modifiers:" },
		{ "cycles:z", "'z' is not a modifier", "modifiers:" },
		{ "cycles:uku", "'u' is given twice", "" },
		{ "cycles/percore/", "'percore' is a term of perf", "--per-core" },
		{ "cycles:uz", "'z' is not a modifier", "modifiers:" },
		{ "cycles:pppp", "at most three p", "" },
		{ "sched:", "lacks the name", "" },
		{ "mem:nosuch", "neither an address nor a symbol", "" },
		{ "mem:hidden", "hides the address", "kptr_restrict" },
		{ "mem:0x10/3", "1, 2, 4 or 8", "" },
		{ "mem:0x10:wx", "r, w, rw or x", "" },
		{ "r12345678901234567", "there is no event", "" },
		{ "../../etc:passwd", "there is no PMU '..'", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		event_list l = { 0 };
		if (!events_parse(&l, rows[i].text))
			fail_msg("'%s' was taken", rows[i].text);
		assert_int_equal(l.n, 0);
		if (!*error_hints())
			fail_msg("'%s' gets no hint", rows[i].text);
		if (!strstr(error_message(), rows[i].message) || !strstr(error_hints(), rows[i].hint))
			fail_msg("'%s': %s / %s", rows[i].text, error_message(), error_hints());
		error_clear();
		events_release(&l);
	}
}

static void endless(void **state)
{
	event_list l = { 0 };
	struct str s = STR_INIT;
	(void)state;
	for (int i = 0; i < 100000; i++)
		str_add(&s, "cs,");
	str_add(&s, "cs");
	assert_int_equal(events_parse(&l, s.buf), -E2BIG);
	assert_int_equal(l.n, 0);
	error_clear();
	str_clear(&s);
	for (int i = 0; i < 100000; i++)
		str_addc(&s, 'a' + i % 26);
	assert_int_equal(events_parse(&l, s.buf), -EINVAL);
	error_clear();
	str_clear(&s);
	for (int i = 0; i < 100000; i++)
		str_addc(&s, "{/:[*"[i % 5]);
	assert_true(events_parse(&l, s.buf) < 0);
	error_clear();
	str_release(&s);
	events_release(&l);
}

/* What the kernel makes of a filter on f: (A), A && B, A || B, f OP N. */
static bool any_of(const char **p, long long f);

static bool one_of(const char **p, long long f)
{
	char op[3];
	long long v;
	int n = 0;
	if (**p == '(') {
		++*p;
		bool holds = any_of(p, f);
		assert_int_equal(*(*p)++, ')');
		return holds;
	}
	assert_int_equal(sscanf(*p, "f %2[=!<>&] %lld%n", op, &v, &n), 2);
	*p += n;
	return !strcmp(op, "==") ? f == v : !strcmp(op, "!=") ? f != v : !strcmp(op, "<=") ? f <= v : !strcmp(op, ">=") ? f >= v :
	       *op == '<' ? f < v : *op == '>' ? f > v : (f & v) != 0;
}

static bool any_of(const char **p, long long f)
{
	bool holds = one_of(p, f);
	while (!strncmp(*p, " && ", 4) || !strncmp(*p, " || ", 4)) {
		bool both = (*p)[1] == '&';
		*p += 4;
		bool next = one_of(p, f);
		holds = both ? holds && next : holds || next;
	}
	return holds;
}

static void signed_filters(void **state)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	struct tracepoint_field field[] = { { .name = "f", .size = 4 }, { .decl = "s32 g", .name = "g", .size = 4, .is_signed = true } };
	tp_fields fields = { .at = field, .n = 2 };
	(void)state;
	for (int bits = 1; bits <= 5; bits++) {
		field[0].decl = xasprintf("s%d f", bits);
		for (int o = 0; o < 7; o++)
			for (int v = -40; v <= 40; v++) {
				char *text = xasprintf("f%s%d", ops[o], v), *made = filter_with_signs(text, &fields);
				assert_non_null(made);
				for (int x = -(1 << (bits - 1)); x < 1 << (bits - 1); x++) {
					bool want = o == 0 ? x == v : o == 1 ? x != v : o == 2 ? x < v : o == 3 ? x <= v : o == 4 ? x > v : o == 5 ? x >= v : (x & v) != 0;
					const char *p = made;
					if (any_of(&p, x & ((1 << bits) - 1)) != want || *p)
						fail_msg("%d bits, %d: '%s' is '%s'", bits, x, text, made);
				}
				free(text);
				free(made);
			}
		free(field[0].decl);
	}
	field[0].decl = xstrdup("s4 f");
	assert_null(filter_with_signs("g < -1 && h == 3 || c ~ \"f < 1\"", &fields));
	char *made = filter_with_signs("(g < -1) && (f==-1||name == \"f == -1\")", &fields);
	assert_string_equal(made, "(g < -1) && (f == 15||name == \"f == -1\")");
	free(made);
	free(field[0].decl);
}

/* Every prefix of good texts, and every text with one byte changed: an error or events, never worse. */
static void mangled(void **state)
{
	static const char *const texts[] = { "{cycles:ppp,cpu/event=1,umask=0x2,name='x'/u}:SDW",
		"mem:0x1000/8:rw:u,sched:sched_*:k,r1a8,uncore_imc_[01]/data_reads/,LLC-load-misses" };
	(void)state;
	for (int t = 0; t < 2; t++)
		for (size_t i = 0; i < strlen(texts[t]); i++)
			for (int k = 0; k < 14; k++) {
				event_list l = { 0 };
				char *m = xstrdup(texts[t]);
				m[i] = "\0,{}:/[]*=?'\xff\n"[k];
				events_parse(&l, m);
				error_clear();
				events_release(&l);
				free(m);
			}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(signed_filters), cmocka_unit_test(generic_names), cmocka_unit_test(modifiers), cmocka_unit_test(groups),
		cmocka_unit_test(pmu_terms), cmocka_unit_test(tracepoints), cmocka_unit_test(breakpoints),
		cmocka_unit_test(wrong), cmocka_unit_test(endless), cmocka_unit_test(mangled),
	};
	if (!mkdtemp(top))
		return 1;
	setenv("SONDE_KERNEL_ROOT", top, 1);
	int failed = cmocka_run_group_tests(tests, make_tree, remove_tree);
	pmus_forget();
	return failed;
}
