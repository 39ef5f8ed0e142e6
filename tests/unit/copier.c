// SPDX-License-Identifier: GPL-2.0-or-later
/* Capture plans followed on this very process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include "engine/copier.h"

static const struct copier_limits limits = { .string = 4096, .data = 32, .environ = false };

static struct copied *take(struct copier *c, struct copy_row row, const uint64_t *args, int64_t ret, bool at_exit, unsigned *n)
{
	struct copy_plan plan = { .row = { row } };
	copier_take(c, getpid(), &plan, args, ret, at_exit, true, &limits);
	return copier_list(c, n);
}

static void string_before_a_hole(void **state)
{
	struct copier c = { .arena = STR_INIT };
	long page = sysconf(_SC_PAGESIZE);
	unsigned n;
	(void)state;
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p + page, page);
	char *z = p + page - 6;
	memcpy(z, "hello", 6);
	uint64_t args[6] = { (uintptr_t)z };
	struct copied *l = take(&c, (struct copy_row){ .kind = COPY_STRING, .when = COPY_ENTER }, args, 0, false, &n);
	assert_int_equal(n, 1);
	assert_int_equal(l[0].len, 6);
	assert_string_equal((char *)l[0].data, "hello");
	assert_false(l[0].truncated);
	copier_reset(&c);
	z[5] = '!'; /* now it runs into the hole: no string at all, as for the kernel */
	l = take(&c, (struct copy_row){ .kind = COPY_STRING, .when = COPY_ENTER }, args, 0, false, &n);
	assert_true(l[0].faulted);
	munmap(p, page);
	copier_release(&c);
}

static void faulted_then_late(void **state)
{
	struct copier c = { .arena = STR_INIT };
	long page = sysconf(_SC_PAGESIZE);
	unsigned n;
	(void)state;
	char *p = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t args[6] = { 0, (uintptr_t)p };
	struct copy_row row = { .kind = COPY_FIXED, .arg = 1, .when = COPY_ENTER, .size = 16 };
	struct copied *l = take(&c, row, args, 0, false, &n);
	assert_int_equal(n, 1);
	assert_true(l[0].faulted);
	mprotect(p, page, PROT_READ | PROT_WRITE);
	memset(p, 'x', 16);
	l = take(&c, row, args, 0, true, &n);
	assert_int_equal(n, 1);
	assert_true(l[0].late);
	assert_false(l[0].faulted);
	assert_int_equal(l[0].len, 16);
	munmap(p, page);
	copier_release(&c);
}

static void vectors(void **state)
{
	struct copier c = { .arena = STR_INIT };
	struct iovec v[3] = { { "abcdef", 6 }, { "0123456789012345678901234567890123456789", 40 }, { "zz", 2 } };
	uint64_t args[6] = { 1, (uintptr_t)v, 3 };
	unsigned n;
	(void)state;
	struct copy_row row = { .kind = COPY_IOVEC, .arg = 1, .when = COPY_BOTH, .len_arg = 2 };
	struct copied *l = take(&c, row, args, 0, false, &n);
	assert_int_equal(n, 4);
	assert_int_equal(l[0].len, sizeof(v));
	assert_int_equal(l[2].len, 32);
	assert_true(l[2].truncated);
	assert_int_equal(l[2].full_len, 40);
	copier_reset(&c);
	l = take(&c, row, args, 8, true, &n); /* readv that returned 8: six bytes and two */
	assert_int_equal(n, 3);
	assert_int_equal(l[1].len, 6);
	assert_int_equal(l[2].len, 2);
	copier_release(&c);
}

static void hostile_lengths(void **state)
{
	struct copier c = { .arena = STR_INIT };
	char b[8] = "payload";
	uint64_t args[6] = { 0, (uintptr_t)b, UINT64_MAX };
	unsigned n;
	(void)state;
	for (int kind = COPY_NONE; kind <= COPY_PTRV; kind++)
		for (int when = 0; when < 2; when++) {
			take(&c, (struct copy_row){ .kind = kind, .arg = 1, .when = COPY_BOTH, .len_arg = 2, .size = 65535 },
			     args, INT64_MAX, when, &n);
			take(&c, (struct copy_row){ .kind = kind, .arg = 2, .when = COPY_BOTH, .len_arg = 1, .size = 16 },
			     args, -22, when, &n);
			assert_true(c.arena.len < 1 << 20);
			copier_reset(&c);
		}
	copier_release(&c);
}

static void message(void **state)
{
	struct copier c = { .arena = STR_INIT };
	char name[16] = "n", control[24] = "c";
	struct iovec v = { "data", 4 };
	struct msghdr m = { name, sizeof(name), &v, 1, control, sizeof(control), 0 };
	uint64_t args[6] = { 3, (uintptr_t)&m };
	unsigned n;
	(void)state;
	struct copied *l = take(&c, (struct copy_row){ .kind = COPY_MSGHDR, .arg = 1, .when = COPY_ENTER }, args, 0, false, &n);
	assert_int_equal(n, 5); /* itself, name, vector, data, control */
	assert_int_equal(l[1].addr, (uintptr_t)name);
	assert_int_equal(l[4].len, sizeof(control));
	copier_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(string_before_a_hole), cmocka_unit_test(faulted_then_late), cmocka_unit_test(vectors),
		cmocka_unit_test(hostile_lengths), cmocka_unit_test(message),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
