// SPDX-License-Identifier: GPL-2.0-or-later
/* How fast a recording grows, by made-up clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "job/disk.h"

enum { MS = 1000000, MB = 1000000 };

static void told_once(void **state)
{
	struct disk_pace p = { 0 };
	(void)state;
	assert_false(disk_pace_fast(&p, 500ull * MB, 1000ull * MS)); /* what was there at the first look is no growth */
	assert_false(disk_pace_fast(&p, 700ull * MB, 1999ull * MS)); /* not a second yet */
	assert_true(disk_pace_fast(&p, 601ull * MB, 2000ull * MS));
	assert_false(disk_pace_fast(&p, 1601ull * MB, 3000ull * MS));
}

static void slow_is_silent(void **state)
{
	struct disk_pace p = { 0 };
	(void)state;
	for (uint64_t s = 1; s < 20; s++)
		assert_false(disk_pace_fast(&p, s * 100 * MB, s * 1000 * MS));
	assert_false(disk_pace_fast(&p, 1900ull * MB + 150ull * MB, 21000ull * MS)); /* over two seconds */
	assert_false(disk_pace_fast(&p, 10ull * MB, 23000ull * MS)); /* a new, smaller file */
	assert_true(disk_pace_fast(&p, 211ull * MB, 25000ull * MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(told_once), cmocka_unit_test(slow_is_silent) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
