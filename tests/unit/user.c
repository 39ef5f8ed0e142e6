// SPDX-License-Identifier: GPL-2.0-or-later
/* The static program's own reading of /etc/passwd and /etc/group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define SONDE_STATIC
#include "base/user.c"

static const char passwd[] =
	"# a comment:x:7:7::/:\n"
	"+nis::::::\n"
	"\n"
	"root:x:0:0:root:/root:/bin/bash\n"
	"nogid:x:5\n"
	"large:x:4294967295:0::/:\n" /* -1: no user's */
	"negative:x:-1:0::/:\n"
	"words:x:five:0::/:\n"
	":x:9:9::/:\n"
	"short:x:6:60\n"
	"ann:x:1000:1001:Ann,,,:/home/ann:/bin/sh\n"
	"ann:x:2000:2000:a second one::\n"
	"bob:x:1002:1002::/home/bob:/bin/sh"; /* no newline at the end */

static bool of(const char *name, uid_t uid, struct account *u)
{
	char *text = xstrdup(passwd);
	bool found = find_entry(text, name, uid, u);
	free(text);
	return found;
}

static void by_name_and_number(void **state)
{
	struct account u;
	(void)state;
	assert_true(of("ann", 0, &u));
	assert_int_equal(u.uid, 1000);
	assert_int_equal(u.gid, 1001);
	assert_string_equal(u.home, "/home/ann");
	user_release(&u);
	assert_true(of(NULL, 1002, &u));
	assert_string_equal(u.name, "bob");
	user_release(&u);
	assert_true(of("short", 0, &u));
	assert_int_equal(u.gid, 60);
	assert_string_equal(u.home, "");
	user_release(&u);
	static const char *const none[] = { "an", "annn", "", "nogid", "large", "negative", "words", "+nis", "nis", "# a comment", "root:x" };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(of(none[i], 0, &u));
	assert_false(of(NULL, 9, &u)); /* without a name */
	assert_false(of(NULL, 7, &u));
	assert_false(of(NULL, UINT32_MAX, &u));
}

static void groups(void **state)
{
	struct account u = { .uid = 1000, .gid = 1001, .name = "ann" };
	gid_list g = { 0 };
	(void)state;
	char text[] = "root:x:0:\nown:x:1001:ann\nadm:x:4:bob,ann\nann:x:5:\nlike:x:6:annn,an\nbad:x:-7:ann\ncdrom:x:24:ann\nlast:x:25:ann,bob";
	add_groups(text, &u, &g);
	assert_int_equal(g.n, 4);
	static const gid_t want[] = { 1001, 4, 24, 25 };
	assert_memory_equal(g.at, want, sizeof(want));
	vec_release(&g);
}

static void options(void **state)
{
	uid_t uid = 5;
	(void)state;
	assert_int_equal(user_id("4294967294", &uid), 0); /* a number needs no entry */
	assert_int_equal(uid, 4294967294u);
	assert_int_equal(user_id("4294967296", &uid), -ENOENT); /* not root, its low 32 bits */
	assert_int_equal(user_id("4294967295", &uid), -ENOENT);
	assert_int_equal(user_id("root", &uid), 0);
	assert_int_equal(uid, 0);
	assert_int_equal(user_id("no:such", &uid), -ENOENT);
	assert_string_equal(error_message(), "there is no user 'no:such'");
	assert_non_null(strstr(error_hints(), "LDAP"));
	error_clear();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_name_and_number),
		cmocka_unit_test(groups),
		cmocka_unit_test(options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
