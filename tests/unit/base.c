// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/json.h"
#include "base/map.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings), cmocka_unit_test(maps), cmocka_unit_test(globs),
		cmocka_unit_test(lists), cmocka_unit_test(json), cmocka_unit_test(errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
