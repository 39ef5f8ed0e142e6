// SPDX-License-Identifier: GPL-2.0-or-later
// Where the reader of the rings runs, without rings: CPU 0 writes nearly everything in these.
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "engine/bpf/keep_away.h"

enum { MS = 1000000, PERIOD = 10 * MS };

static cpu_set_t cpus(unsigned long mask)
{
	cpu_set_t s;
	CPU_ZERO(&s);
	for (int i = 0; i < 8; i++)
		if (mask >> i & 1)
			CPU_SET(i, &s);
	return s;
}

static bool quick;

/* The CPUs chosen, as bits. */
static unsigned long choose(unsigned long before, unsigned long allowed, const struct cpu_use *use, unsigned n, uint64_t own, unsigned here)
{
	cpu_set_t to = cpus(before), all = cpus(allowed);
	unsigned long mask = 0;
	if (!keep_away_choose(&to, &all, use, n, PERIOD, own, here, quick))
		return 0;
	for (int i = 0; i < 8; i++)
		mask |= (unsigned long)CPU_ISSET(i, &to) << i;
	return mask;
}

static void the_idle_one(void **state)
{
	(void)state;
	const struct cpu_use use[] = { { 1 << 20, 0 }, { 100, 9 * MS } };
	assert_int_equal(choose(3, 3, use, 2, 1 * MS, 0), 2);
	assert_int_equal(choose(2, 3, use, 2, 1 * MS, 1), 2);
	/* our own work is no reason to leave */
	const struct cpu_use full[] = { { 1 << 20, 0 }, { 100, 0 } };
	assert_int_equal(choose(2, 3, full, 2, 9.6 * MS, 1), 2);
}

static void with_the_traced_one(void **state)
{
	(void)state;
	/* most of CPU 1 is ours, the rest somebody else's, who would have more */
	const struct cpu_use use[] = { { 1 << 20, 0 }, { 100, 0 } };
	assert_int_equal(choose(2, 3, use, 2, 9 * MS, 1), 1);
	assert_int_equal(choose(3, 3, use, 2, 5 * MS, 1), 1);
	/* and there we stay until it has much more time than would have kept us there */
	const struct cpu_use some[] = { { 1 << 20, 0 }, { 100, 1 * MS } }, more[] = { { 1 << 20, 0 }, { 100, 7 * MS } };
	assert_int_equal(choose(2, 3, some, 2, 5 * MS, 1), 2);
	assert_int_equal(choose(1, 3, some, 2, 5 * MS, 0), 1);
	assert_int_equal(choose(1, 3, more, 2, 5 * MS, 0), 1);
	const struct cpu_use much[] = { { 1 << 20, 0 }, { 100, 9 * MS } };
	assert_int_equal(choose(1, 3, much, 2, 5 * MS, 0), 2);
}

static void of_many(void **state)
{
	(void)state;
	const struct cpu_use use[] = { { 1 << 20, 0 }, { 0, 0 }, { 0, 10 * MS }, { 0, 9 * MS }, { 0, 0 } };
	assert_int_equal(choose(31, 31, use, 5, 0, 2), 4 | 8);
	/* what we may not use is not used: then where the traced program is, or anywhere */
	assert_int_equal(choose(3, 3, use, 5, 0, 1), 1);
	assert_int_equal(choose(18, 18, use, 5, 0, 1), 18);
}

static void no_reason(void **state)
{
	(void)state;
	const struct cpu_use little[] = { { 1000, 0 }, { 10, 0 } }, both[] = { { 1 << 20, 0 }, { 1 << 19, 0 } };
	assert_int_equal(choose(2, 3, little, 2, 0, 1), 0);
	assert_int_equal(choose(2, 3, both, 2, 0, 1), 3);
}

/* After a short time: somebody who is kept waiting is made way for, an idle CPU is not trusted yet. */
static void soon(void **state)
{
	(void)state;
	quick = true;
	const struct cpu_use none[] = { { 1 << 20, 0 }, { 100, 0 } }, much[] = { { 1 << 20, 0 }, { 100, 10 * MS } };
	assert_int_equal(choose(2, 3, none, 2, 6 * MS, 1), 1);
	assert_int_equal(choose(2, 3, none, 2, 9 * MS, 1), 2); /* it took little */
	assert_int_equal(choose(2, 3, much, 2, 0, 1), 2);
	assert_int_equal(choose(1, 3, much, 2, 5 * MS, 0), 1);
	quick = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_idle_one), cmocka_unit_test(with_the_traced_one),
		cmocka_unit_test(of_many), cmocka_unit_test(no_reason), cmocka_unit_test(soon),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
