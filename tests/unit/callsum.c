// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentiles of the summary beside exact ones, over distributions of which all values are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/callsum.h"

enum { CALLS = 20000 };

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static uint64_t some(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 33;
}

/* Each as programs have them: one speed; two speeds; a long tail; minutes; a few calls. */
static uint64_t flat(uint64_t *seed) { return 200 + some(seed) % 300; }
static uint64_t two(uint64_t *seed) { return some(seed) % 100 < 95 ? 210 + some(seed) % 20 : 1500000 + some(seed) % 90000; }
static uint64_t tail(uint64_t *seed) { return 500 + (some(seed) % 1000) * (some(seed) % 1000) * (some(seed) % 1000); }
static uint64_t slow(uint64_t *seed) { return 1000000000ull * (1 + some(seed) % 4000) + some(seed); }
static uint64_t quick(uint64_t *seed) { return some(seed) % 70; }
static uint64_t edge(uint64_t *seed) { return (1ull << (some(seed) % 40)) - some(seed) % 2; }
static uint64_t one(uint64_t *seed) { (void)seed; return 1057; }

static void compare(uint64_t (*next)(uint64_t *seed), unsigned n, unsigned percent)
{
	struct callsum c = { .mode = SUMMARY_TOTAL };
	uint64_t *took = calloc(n, sizeof(*took)), seed = n + percent;
	for (unsigned i = 0; i < n; i++) {
		took[i] = next(&seed);
		struct sysevent e = { .type = SYS_CALL, .nr = 1, .enter_time = 1000, .time = 1000 + took[i] };
		callsum_add(&c, &e);
	}
	qsort(took, n, sizeof(*took), by_value);
	uint64_t exact = took[((uint64_t)n * percent + 99) / 100 - 1];
	struct callsum_estimate p = callsum_percentile(&c.rows.at[0], percent);
	uint64_t off = p.ns > exact ? p.ns - exact : exact - p.ns;
	if (off * 100 > exact * 3)
		fail_msg("%u values, p%u: %llu, exact %llu", n, percent, (unsigned long long)p.ns, (unsigned long long)exact);
	assert_true(p.ns % p.unit == 0 && p.ns >= took[0] && p.ns <= took[n - 1]);
	assert_true(p.unit == 1 || p.ns / p.unit <= 1000); /* no digit that is not known */
	free(took);
	callsum_release(&c);
}

static void percentiles(void **state)
{
	(void)state;
	uint64_t (*const all[])(uint64_t *) = { flat, two, tail, slow, quick, edge, one };
	const unsigned sizes[] = { 1, 2, 3, 99, 100, 101, CALLS };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
			for (unsigned percent = 1; percent <= 100; percent += percent == 1 ? 48 : percent < 98 ? 7 : 1)
				compare(all[i], sizes[k], percent);
}

/* Every duration is in the bucket whose bounds hold it. */
static void buckets(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++) {
		uint64_t lo = summary_bucket_floor(i);
		assert_int_equal(summary_bucket(lo), i);
		if (i)
			assert_int_equal(summary_bucket(lo - 1), i - 1);
	}
	assert_int_equal(summary_bucket(UINT64_MAX), SUMMARY_BUCKETS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(percentiles), cmocka_unit_test(buckets) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
