// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "engine/syspack.h"

static struct syspack_room room;

static void sample(struct sysevent *e, struct copied *c)
{
	static const uint64_t stack[3] = { 1, 2, 3 };
	memset(e, 0, sizeof(*e));
	e->type = SYS_CALL;
	e->abi = ABI_32;
	e->pid = 10;
	e->tid = 11;
	e->nr = 257;
	e->args_known = true;
	e->ret = -2;
	e->enter_time = 5;
	e->time = 9;
	memcpy(e->comm, "dd", 3);
	e->args[5] = UINT64_MAX;
	c[0] = (struct copied){ .arg = 1, .addr = 0x1000, .len = 5, .data = (const uint8_t *)"/tmp", .truncated = true };
	c[1] = (struct copied){ .arg = 2, .row = 1, .at_exit = true, .faulted = true, .addr = 8 };
	e->copied = c;
	e->n_copied = 2;
	e->ustack = stack;
	e->n_ustack = 3;
	e->ppid = 7;
	memcpy(e->parent, "make", 5);
	memcpy(e->old_comm, "sh", 3);
	e->local = (struct local_seen){ .fd = 5, .len = 16, .addr = { 2, 0, 0x1f, 0x90, 127, 0, 0, 1 } };
}

static void round_trip(void **state)
{
	struct sysevent e, back;
	struct copied c[2];
	struct str s = STR_INIT;
	(void)state;
	sample(&e, c);
	str_add(&s, "1234"); /* as in a sample: four bytes before it */
	syspack_write(&s, &e);
	assert_true(syspack_read(s.buf + 4, s.len - 4, &back, &room));
	assert_int_equal(back.nr, 257);
	assert_int_equal(back.ret, -2);
	assert_int_equal(back.abi, ABI_32);
	assert_true(back.args_known);
	assert_string_equal(back.comm, "dd");
	assert_int_equal(back.n_copied, 2);
	assert_int_equal(back.copied[0].len, 5);
	assert_string_equal((char *)back.copied[0].data, "/tmp");
	assert_true(back.copied[0].truncated);
	assert_true(back.copied[1].faulted);
	assert_int_equal(back.n_ustack, 3);
	assert_int_equal(back.ustack[2], 3);
	assert_int_equal(back.ppid, 7);
	assert_string_equal(back.parent, "make");
	assert_string_equal(back.old_comm, "sh");
	assert_int_equal(back.local.fd, 5);
	assert_int_equal(back.local.len, 16);
	assert_memory_equal(back.local.addr, e.local.addr, sizeof(e.local.addr));
	str_release(&s);
}

static void too_much_is_left_out(void **state)
{
	struct sysevent e, back;
	struct copied c[2];
	struct str s = STR_INIT;
	(void)state;
	sample(&e, c);
	c[0].len = 50000;
	c[0].data = calloc(1, 50000);
	c[1] = c[0];
	syspack_write(&s, &e);
	assert_true(s.len <= SYSPACK_MAX);
	assert_true(syspack_read(s.buf, s.len, &back, &room));
	assert_int_equal(back.copied[0].len, 50000);
	assert_true(back.copied[1].faulted);
	free((void *)c[0].data);
	str_release(&s);
}

static void damage(void **state)
{
	struct sysevent e, back;
	struct copied c[2];
	struct str s = STR_INIT;
	(void)state;
	sample(&e, c);
	syspack_write(&s, &e);
	for (size_t n = 0; n < s.len; n++) { /* cut: on the heap, so that the sanitizer sees every overrun */
		char *cut = malloc(n ? n : 1);
		memcpy(cut, s.buf, n);
		if (syspack_read(cut, n, &back, &room))
			for (unsigned i = 0; i < back.n_copied; i++)
				assert_true(back.copied[i].data + back.copied[i].len <= (uint8_t *)cut + n);
		free(cut);
	}
	srand(1);
	for (int round = 0; round < 20000; round++) {
		char *bad = malloc(s.len);
		memcpy(bad, s.buf, s.len);
		for (int k = 0; k < 3; k++)
			bad[8 + rand() % (s.len - 8)] ^= 1 << rand() % 8;
		if (syspack_read(bad, s.len, &back, &room))
			for (unsigned i = 0; i < back.n_copied; i++)
				assert_true(back.copied[i].data + back.copied[i].len <= (uint8_t *)bad + s.len);
		free(bad);
	}
	str_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(round_trip), cmocka_unit_test(too_much_is_left_out),
					    cmocka_unit_test(damage) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
