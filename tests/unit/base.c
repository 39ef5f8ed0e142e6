// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/json.h"
#include "base/map.h"
#include "base/out.h"
#include "base/signals.h"
#include "base/str.h"
#include "base/words.h"
#include "../json_reader.h"

static void strings(void **state)
{
	struct str s = STR_INIT;
	(void)state;
	str_add_safe(&s, "a\033[2Jb\xff\xc3\xa9\n", 10);
	assert_string_equal(s.buf, "a\\x1b[2Jb\\xff\xc3\xa9\\n");
	str_clear(&s);
	str_add_quoted(&s, "x\"\\\n\0011\1", 7);
	assert_string_equal(s.buf, "\"x\\\"\\\\\\n\\0011\\1\"");
	str_clear(&s);
	str_add_s64(&s, INT64_MIN);
	str_addc(&s, ' ');
	str_add_hex(&s, UINT64_MAX);
	assert_string_equal(s.buf, "-9223372036854775808 0xffffffffffffffff");
	str_release(&s);
	uint64_t v;
	assert_int_equal(parse_u64("18446744073709551616", &v), -ERANGE);
	assert_int_equal(parse_u64("-1", &v), -EINVAL);
	assert_int_equal(parse_u64("0x10", &v), 0);
	assert_int_equal(v, 16);
}

static void maps(void **state)
{
	struct u64map m = { 0 };
	struct strmap sm = { 0 };
	(void)state;
	for (uint64_t i = 0; i < 5000; i++)
		u64map_set(&m, i * 4096, (void *)(uintptr_t)(i + 1));
	for (uint64_t i = 0; i < 5000; i += 2)
		u64map_del(&m, i * 4096);
	assert_int_equal(m.n, 2500);
	assert_null(u64map_get(&m, 0));
	assert_int_equal((uintptr_t)u64map_get(&m, 4096), 2);
	for (int round = 0; round < 20000; round++) { /* churn must not fill it with tombstones */
		u64map_set(&m, 1 << 30 | round, (void *)1);
		u64map_del(&m, 1 << 30 | round);
	}
	assert_int_equal(m.n, 2500);
	u64map_release(&m);
	char key[16];
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		strmap_set(&sm, key, (void *)(uintptr_t)i);
	}
	assert_true(strmap_has(&sm, "k0"));
	assert_int_equal((uintptr_t)strmap_get(&sm, "k999"), 999);
	assert_false(strmap_has(&sm, "k1000"));
	strmap_release(&sm);
}

static void globs(void **state)
{
	(void)state;
	assert_true(glob_match("sys_*_a?c", "sys_enter_abc"));
	assert_false(glob_match("sys_*_a?c", "sys_enter_abcd"));
	assert_true(glob_match("[a-c]x[!0-9]", "bxz"));
	assert_false(glob_match("[a-c]x[!0-9]", "bx7"));
	assert_true(glob_match("[x", "[x"));
	assert_true(glob_match("*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
	assert_false(glob_match("*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void lists(void **state)
{
	intlist l = { 0 };
	(void)state;
	assert_int_equal(intlist_parse(&l, "3,0-2,1", 7, "CPU"), 0);
	assert_int_equal(l.n, 4);
	assert_int_equal(intlist_parse(&l, "9", 7, "CPU"), -ERANGE);
	assert_int_equal(intlist_parse(&l, "1-", 7, "CPU"), -EINVAL);
	assert_int_equal(intlist_parse(&l, "", 7, "CPU"), -EINVAL);
	vec_release(&l);
	error_clear();
}

static void json(void **state)
{
	struct str s = STR_INIT;
	struct json j;
	(void)state;
	json_init(&j, &s);
	json_open(&j, '{');
	json_key(&j, "a\xff");
	json_open(&j, '[');
	json_u64(&j, 1);
	json_u64(&j, UINT64_MAX);
	json_double(&j, 0.5);
	json_close(&j, ']');
	json_kstr(&j, "b", "x\n\"");
	json_close(&j, '}');
	assert_string_equal(s.buf, "{\"a\\udcff\":[1,\"18446744073709551615\",0.5],\"b\":\"x\\n\\\"\"}");
	struct json_value *v = json_parse(s.buf, s.len);
	assert_non_null(v);
	assert_string_equal(json_text(json_get(v, "b")), "x\n\"");
	assert_int_equal(json_len(json_get(v, "a\xff")), 3);
	json_free(v);
	assert_null(json_parse("{\"a\":", 5));
	assert_null(json_parse("[1,]", 4));
	str_clear(&s);
	for (int i = 0; i < 1000; i++)
		str_addc(&s, '[');
	assert_null(json_parse(s.buf, s.len));
	str_release(&s);
	error_clear();
}

static void errors(void **state)
{
	(void)state;
	assert_int_equal(error_set(ENOENT, "no %s", "file"), -ENOENT);
	error_hint("type %d", 1);
	error_hint("or %d", 2);
	error_context("opening");
	assert_string_equal(error_message(), "opening: no file");
	assert_string_equal(error_hints(), "type 1\nor 2");
	error_set(EPERM, "again: %s", error_message());
	assert_string_equal(error_message(), "again: opening: no file");
	assert_string_equal(error_hints(), "");
	error_clear();
	assert_false(error_pending());
}

/* A pipe that nobody reads: the second request to end gets out of it, also when it comes before the write. */
static int write_stuck(void)
{
	int fd[2];
	struct out o;
	char full[4096] = { 0 };
	if (pipe(fd))
		return 2;
	fcntl(fd[1], F_SETFL, O_NONBLOCK);
	while (write(fd[1], full, sizeof(full)) > 0)
		;
	fcntl(fd[1], F_SETFL, 0);
	out_fd(&o, fd[1], "a pipe");
	signals_arm();
	raise(SIGTERM);
	nanosleep(&(struct timespec){ .tv_nsec = (SIGNALS_ONE_MS + 50) * 1000000l }, NULL);
	raise(SIGTERM);
	if (!signals_again())
		return 3;
	alarm(20); /* ends us, unless the write does */
	out_puts(&o, "never read");
	return out_flush(&o) == -EINTR ? 0 : 4;
}

/* The first one leaves what has room alone: all is written, in pieces that do not block. */
static int write_after_a_signal(void)
{
	int fd[2], status;
	struct out o;
	char *much = calloc(1, 200000), got[65536];
	size_t n = 0;
	if (pipe(fd))
		return 2;
	int pid = fork();
	if (!pid) {
		close(fd[1]);
		for (ssize_t k; (k = read(fd[0], got, sizeof(got))) > 0;)
			n += k;
		_exit(n == 200000 ? 0 : 1);
	}
	close(fd[0]);
	out_fd(&o, fd[1], "a pipe");
	signals_arm();
	raise(SIGTERM);
	alarm(20);
	out_write(&o, much, 200000);
	int err = out_flush(&o);
	close(fd[1]);
	waitpid(pid, &status, 0);
	return err || status ? 5 : 0;
}

static int exit_of(int (*f)(void))
{
	int status, pid = fork(); /* signals are noted for good */
	if (!pid)
		_exit(f());
	waitpid(pid, &status, 0);
	return status;
}

static void writes_and_signals(void **state)
{
	(void)state;
	assert_int_equal(exit_of(write_stuck), 0);
	assert_int_equal(exit_of(write_after_a_signal), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_and_signals), cmocka_unit_test(strings), cmocka_unit_test(maps), cmocka_unit_test(globs),
		cmocka_unit_test(lists), cmocka_unit_test(json), cmocka_unit_test(errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
