// SPDX-License-Identifier: GPL-2.0-or-later
/* This process unwinds copies of its own stack, through a signal too, and expressions are bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dwarf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "symbol/unwind/expr.h"
#include "symbol/symbols.h"

enum { COPY = 65536, ALL_REGS = 0xff01ff }; /* ax..ip, r8..r15 in perf's numbers */

struct copy { uint64_t regs[17]; size_t len; uint8_t stack[COPY]; };
static struct copy taken;

/* perf's order out of the signal context's. */
__attribute__((no_sanitize("address"))) static void take(const ucontext_t *uc, size_t want)
{
	static const int from[17] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	for (int i = 0; i < 17; i++)
		taken.regs[i] = uc->uc_mcontext.gregs[from[i]];
	uint64_t sp = taken.regs[7], top = (uint64_t)(uintptr_t)environ; /* above every frame */
	taken.len = top - sp < want ? top - sp : want;
	for (size_t i = 0; i < taken.len; i++) /* not memcpy: the sanitizer would watch it cross frames */
		taken.stack[i] = ((volatile uint8_t *)(uintptr_t)sp)[i];
}

static size_t want_bytes = COPY;
static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	take(context, want_bytes);
}

__attribute__((noinline, no_sanitize("address"))) static void inner_function(int n)
{
	volatile char pad[100];
	pad[n % 100] = 1;
	raise(SIGUSR1);
	pad[0] = 2;
	(void)pad[0];
}

__attribute__((noinline, no_sanitize("address"))) static void outer_function(int n)
{
	volatile char pad[n * 16 + 16];
	pad[0] = 1;
	inner_function(n);
	pad[1] = 2;
	(void)pad[1];
}

static int unwind_names(struct symbols *s, char names[][64], int max, bool *truncated)
{
	uint64_t ips[128];
	int n = symbols_unwind(s, getpid(), PERF_SAMPLE_REGS_ABI_64, ALL_REGS, taken.regs, taken.stack, taken.len, ips, max, truncated);
	for (int i = 0; i < n; i++) {
		struct frame f;
		symbols_resolve(s, getpid(), ips[i], SYM_USER, &f);
		strncpy(names[i], f.sym ?: "?", 63);
		names[i][63] = 0;
	}
	return n;
}

static int index_of(char names[][64], int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static void whole_stack(void **state)
{
	(void)state;
	char names[128][64];
	bool truncated = true;
	struct symbols *s = symbols_new(NULL);
	symbols_live(s, getpid());
	struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	sigaction(SIGUSR1, &sa, NULL);
	want_bytes = COPY;
	outer_function(3);
	int n = unwind_names(s, names, 128, &truncated);
	int in = index_of(names, n, "inner_function");
	assert_true(in > 0);
	assert_string_equal(names[in + 1], "outer_function");
	assert_string_equal(names[in + 2], "whole_stack");
	assert_true(index_of(names, n, "main") > in);
	assert_false(truncated);
	assert_string_equal(names[n - 1], "_start");
	symbols_free(s);
}

static void short_copy_is_told(void **state)
{
	(void)state;
	char names[128][64];
	bool truncated = false;
	struct symbols *s = symbols_new(NULL);
	symbols_live(s, getpid());
	want_bytes = 512;
	outer_function(3);
	int n = unwind_names(s, names, 128, &truncated);
	assert_true(n >= 1);
	assert_true(truncated);
	assert_int_equal(index_of(names, n, "main"), -1);
	symbols_free(s);
}

/* Inside a handler the chain leads through the signal frame into what was interrupted. */
static int handler_result;
static void on_second_signal(int sig)
{
	(void)sig;
	want_bytes = COPY;
	raise(SIGUSR1);
	struct symbols *s = symbols_new(NULL);
	char names[128][64];
	bool truncated;
	symbols_live(s, getpid());
	int n = unwind_names(s, names, 128, &truncated);
	int handler = index_of(names, n, "on_second_signal"), below = index_of(names, n, "through_a_signal");
	handler_result = handler >= 0 && below > handler + 1 && index_of(names, n, "main") > below;
	symbols_free(s);
}

static void through_a_signal(void **state)
{
	(void)state;
	signal(SIGUSR2, on_second_signal);
	raise(SIGUSR2);
	assert_true(handler_result);
}

static void hostile_registers(void **state)
{
	(void)state;
	struct symbols *s = symbols_new(NULL);
	uint64_t ips[16], regs[17] = { 0 };
	uint8_t stack[64];
	bool truncated;
	symbols_live(s, getpid());
	memset(stack, 0xff, sizeof(stack));
	for (int i = 0; i < 17; i++)
		regs[i] = UINT64_MAX - 8 * i;
	int n = symbols_unwind(s, getpid(), PERF_SAMPLE_REGS_ABI_64, ALL_REGS, regs, stack, sizeof(stack), ips, 16, &truncated);
	assert_in_range(n, 1, 16);
	assert_int_equal(symbols_unwind(s, getpid(), 0, ALL_REGS, regs, stack, sizeof(stack), ips, 16, &truncated), 0);
	assert_int_equal(symbols_unwind(s, getpid(), PERF_SAMPLE_REGS_ABI_64, 1, regs, stack, sizeof(stack), ips, 16, &truncated), 0);
	assert_int_equal(symbols_unwind(s, -7, PERF_SAMPLE_REGS_ABI_64, ALL_REGS, regs, stack, sizeof(stack), ips, 16, &truncated), 1);
	symbols_free(s);
}

static bool no_memory(void *arg, uint64_t addr, unsigned n, uint64_t *v)
{
	(void)arg;
	(void)n;
	*v = addr;
	return addr == 0x1000;
}

static void expressions(void **state)
{
	(void)state;
	uint64_t reg[17] = { [7] = 0x2000, [16] = 0x401 }, v;
	struct expr_context x = { .reg = reg, .n_regs = 17, .word = 8, .read = no_memory };
	/* what ld writes for the PLT: rsp + 8 + ((rip & 15) >= 11) * 8 */
	static const uint8_t plt[] = { DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	assert_true(expr_run(&x, plt, sizeof(plt), false, 0, &v));
	assert_int_equal(v, 0x2008);
	reg[16] = 0x40b;
	assert_true(expr_run(&x, plt, sizeof(plt), false, 0, &v));
	assert_int_equal(v, 0x2010);
	static const uint8_t loop[] = { DW_OP_skip, 0xfd, 0xff };
	assert_false(expr_run(&x, loop, sizeof(loop), true, 1, &v));
	static const uint8_t out[] = { DW_OP_skip, 0xff, 0x7f };
	assert_false(expr_run(&x, out, sizeof(out), true, 1, &v));
	static const uint8_t empty[] = { DW_OP_plus };
	assert_false(expr_run(&x, empty, sizeof(empty), true, 1, &v));
	static const uint8_t deep[] = { DW_OP_dup, DW_OP_skip, 0xfc, 0xff };
	assert_false(expr_run(&x, deep, sizeof(deep), true, 1, &v));
	static const uint8_t read_bad[] = { DW_OP_breg7, 0, DW_OP_deref };
	assert_false(expr_run(&x, read_bad, sizeof(read_bad), false, 0, &v));
	static const uint8_t cut[] = { DW_OP_const8u, 1 };
	assert_false(expr_run(&x, cut, sizeof(cut), false, 0, &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_stack), cmocka_unit_test(short_copy_is_told), cmocka_unit_test(through_a_signal),
		cmocka_unit_test(hostile_registers), cmocka_unit_test(expressions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
