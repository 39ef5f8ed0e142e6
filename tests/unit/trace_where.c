// SPDX-License-Identifier: GPL-2.0-or-later
/* --where: what is taken, what is refused, what holds, and that the kernel's part of it never drops what would pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "engine/where.h"
#include "job/trace/where.h"

static struct sysevent call(const char *name, int64_t ret, uint64_t a, uint64_t b, uint64_t c)
{
	struct sysevent e = { .type = SYS_CALL, .pid = 7, .tid = 7, .ret = ret, .args = { a, b, c }, .args_known = true };
	assert_non_null(syscall_named(ABI_NATIVE, name, &e.nr));
	return e;
}

static bool holds_with(const char *text, const struct sysevent *e, struct fd_state *fds)
{
	struct trace_where *w = trace_where_parse(text);
	if (!w)
		print_error("%s: %s\n", text, error_message());
	assert_non_null(w);
	bool yes = trace_where_holds(w, e, fds);
	trace_where_free(w);
	return yes;
}

static bool holds(const char *text, const struct sysevent *e)
{
	return holds_with(text, e, NULL);
}

/* ---- what is refused ---- */

static void refused(const char *text, const char *why)
{
	error_clear();
	struct trace_where *w = trace_where_parse(text);
	if (w || !strstr(error_message(), why))
		print_error("%s: %s\n", text, w ? "taken" : error_message());
	assert_null(w);
	assert_int_equal(error_code(), -EINVAL);
	assert_non_null(strstr(error_message(), why));
	assert_string_not_equal(error_hints(), "");
	error_clear();
}

static void mistakes(void **state)
{
	(void)state;
	refused("", "argument's name is missing");
	refused("   ", "argument's name is missing");
	refused("nosuchcall.fd == 1", "no system call of that name");
	refused("read.nosuch == 1", "no argument of this name");
	refused("nosuch == 1", "no call has an argument of this name");
	refused("read.", "argument's name is missing");
	refused("retval", "an operator is missing");
	refused("retval ==", "a number or a constant's name");
	refused("retval == O_NOSUCH", "a number or a constant's name");
	refused("retval == 1 |", "a number or a constant's name");
	refused("retval == 1 2", "&& or || is missing");
	refused("retval == 1 && ", "argument's name is missing");
	refused("retval == 1 || || retval == 2", "argument's name is missing");
	refused("(retval == 1", "a ) is missing");
	refused("retval == 1)", "&& or || is missing");
	refused("!", "argument's name is missing");
	refused("filename == \"a", "the string has no end");
	refused("filename ~ ", "a string or a pattern is missing");
	refused("filename < \"a\"", "this operator compares numbers");
	refused("errno < 2", "errno takes == or !=");
	refused("errno ~ \"E*\"", "errno takes == or !=");
}

/* Neither the stack nor the time runs out. */
static void deep(void **state)
{
	char text[4096];
	(void)state;
	memset(text, '(', 200);
	text[200] = 0;
	refused(text, "too deep");
	memset(text, '!', 200);
	refused(text, "too deep");
	memset(text, '(', 60);
	snprintf(text + 60, sizeof(text) - 60, "retval==1");
	memset(text + 69, ')', 60);
	text[129] = 0;
	struct sysevent e = call("read", 1, 0, 0, 0);
	assert_true(holds(text, &e));
	size_t n = 0;
	while (n < sizeof(text) - 32)
		n += snprintf(text + n, 16, "retval>0&&");
	snprintf(text + n, 16, "retval<2");
	assert_true(holds(text, &e));
}

/* Pieces in any order: whatever comes of it, an error is told or the test can be asked. */
static void any_text(void **state)
{
	static const char *const pieces[] = { "retval", "read", ".", "fd", " ", "==", "!", "(", ")", "&&", "||", "&", "|", "~", "\"", "'",
					      "1", "-", "O_CREAT", "\\", "0x", "errno", "ENOENT", "filename", "*", "<", "=", "\xff" };
	struct sysevent e = call("read", 1, 0, 0, 0);
	unsigned taken = 0;
	(void)state;
	srand(2);
	for (int i = 0; i < 20000; i++) {
		char text[256] = "";
		for (int k = rand() % 9; k >= 0; k--)
			strcat(text, pieces[rand() % (sizeof(pieces) / sizeof(*pieces))]);
		struct trace_where *w = trace_where_parse(text);
		assert_int_equal(!w, error_pending());
		error_clear();
		if (w)
			trace_where_holds(w, &e, NULL);
		taken += w != NULL;
		trace_where_free(w);
	}
	assert_true(taken > 20);
}

/* ---- what holds ---- */

static void numbers(void **state)
{
	struct sysevent e = call("read", 10, 3, 0x1000, 100);
	(void)state;
	assert_true(holds("fd == 3", &e));
	assert_true(holds("fd=3", &e));
	assert_false(holds("fd != 3", &e));
	assert_true(holds("read.count >= 100 && count <= 100", &e));
	assert_false(holds("count < 100 || count > 100", &e));
	assert_true(holds("count & 0x64", &e));
	assert_false(holds("count & 3", &e));
	assert_true(holds("retval > 9", &e));
	assert_true(holds("ret < 11", &e));
	assert_false(holds("write.fd == 3", &e)); /* another call */
	assert_false(holds("write.fd != 3", &e)); /* a term whose argument the call does not have is false */
	assert_true(holds("!(write.fd == 3)", &e));
	e.no_return = true;
	assert_false(holds("retval > 9", &e));
	assert_false(holds("retval != 9", &e));
	assert_true(holds("fd == 3", &e));
}

static void and_before_or(void **state)
{
	struct sysevent e = call("read", 1, 3, 0, 0);
	(void)state;
	assert_true(holds("retval == 1 || fd == 9 && fd == 8", &e));
	assert_false(holds("(retval == 1 || fd == 9) && fd == 8", &e));
	assert_true(holds("!fd == 9 && retval == 1", &e)); /* ! of a whole test */
	assert_true(holds("!!fd==3", &e));
	assert_false(holds("!(fd == 3 || retval == 0)", &e));
}

static void constants(void **state)
{
	struct sysevent e = call("openat", -ENOENT, 0xffffff9c, 0x1000, O_CREAT | O_WRONLY);
	(void)state;
	assert_true(holds("flags & O_CREAT", &e));
	assert_true(holds("openat.flags == O_CREAT|O_WRONLY", &e));
	assert_true(holds("flags == O_CREAT | O_WRONLY || fd == 1", &e)); /* | joins constants, || tests */
	assert_true(holds("retval == -ENOENT", &e));
	assert_true(holds("errno == ENOENT", &e));
	assert_false(holds("errno != ENOENT", &e));
	assert_false(holds("errno == EACCES", &e));
	assert_true(holds("dfd == AT_FDCWD", &e)); /* an int, whatever is in the upper half of its register */
	assert_true(holds("dfd == CWD", &e)); /* as it is on the screen */
	assert_true(holds("dfd < 0", &e));
	assert_true(holds("dfd == -100", &e));
	e.args[0] = UINT32_MAX;
	assert_true(holds("dfd == -1", &e));
	e.args[0] = (uint64_t)-100;
	assert_true(holds("dfd == -100", &e));
	assert_true(holds("dfd < 0", &e));
}

static void strings(void **state)
{
	char path[] = "/etc/ld.so.conf"; /* its NUL is copied with it */
	struct copied c = { .arg = 1, .data = (uint8_t *)path, .len = sizeof(path) };
	struct sysevent e = call("openat", 3, 0, 0x1000, 0);
	(void)state;
	assert_false(holds("filename ~ \"*\"", &e)); /* not seen */
	e.copied = &c;
	e.n_copied = 1;
	assert_true(holds("filename == \"/etc/ld.so.conf\"", &e));
	assert_false(holds("filename == \"/etc/ld.so\"", &e));
	assert_true(holds("openat.filename ~ *.conf", &e)); /* a shell's quotes may be gone */
	assert_true(holds("filename ~ '/etc/*'", &e));
	assert_true(holds("filename !~ \"*.d\"", &e));
	assert_false(holds("filename !~ \"*.conf\"", &e));
	assert_true(holds("filename != \"\"", &e));
	assert_true(holds("filename ~ \"*\\.conf\"", &e));
	c.len = 4; /* cut: no NUL in sight */
	assert_true(holds("filename == \"/etc\"", &e));
	c.faulted = true;
	assert_false(holds("filename !~ \"*.d\"", &e));
}

/* As a string a descriptor is what it is, as far as that is known. */
static void files(void **state)
{
	char path[] = "/var/log/x.log";
	struct copied c = { .arg = 1, .addr = 0x1000, .data = (uint8_t *)path, .len = sizeof(path), .full_len = sizeof(path) };
	struct fd_state *fds = fd_state_new(FDS_RECORDED);
	struct sysevent open = call("openat", 5, 0, 0x1000, 0), e = call("read", 1, 5, 0, 0), other = call("read", 1, 6, 0, 0);
	(void)state;
	open.copied = &c;
	open.n_copied = 1;
	fd_state_feed(fds, &open);
	assert_true(holds_with("fd ~ \"*.log\"", &e, fds));
	assert_true(holds_with("read.fd == \"/var/log/x.log\"", &e, fds));
	assert_false(holds_with("fd ~ \"*.txt\"", &e, fds));
	assert_false(holds_with("fd ~ \"*\"", &other, fds)); /* unknown is no name */
	assert_false(holds_with("fd !~ \"*.log\"", &other, fds));
	assert_false(holds("fd ~ \"*.log\"", &e)); /* nobody knows */
	assert_true(holds_with("fd == 5", &e, fds)); /* and a number is a number */
	fd_state_free(fds);
}

/* ---- what others ask ---- */

static void asks(const char *text, bool string, bool file, bool result)
{
	struct trace_where *w = trace_where_parse(text);
	assert_non_null(w);
	if (trace_where_strings(w) != string || trace_where_files(w) != file || trace_where_results(w) != result)
		print_error("%s: strings %d, files %d, results %d\n", text, trace_where_strings(w), trace_where_files(w), trace_where_results(w));
	assert_int_equal(trace_where_strings(w), string);
	assert_int_equal(trace_where_files(w), file);
	assert_int_equal(trace_where_results(w), result);
	trace_where_free(w);
}

static void what_it_looks_at(void **state)
{
	(void)state;
	asks("fd == 3", false, false, false);
	asks("fd ~ x", true, true, false);
	asks("read.fd ~ x", true, true, false);
	asks("filename ~ x", true, false, false);
	asks("count == 1 || !(filename == 'a')", true, false, false);
	asks("retval < 0", false, false, true);
	asks("ret < 0", false, false, true);
	asks("fd == 1 && !(fd == 2 || errno == EIO)", false, false, true);
}

static unsigned tests_of(const char *text)
{
	struct trace_where *w = trace_where_parse(text);
	unsigned n;
	assert_non_null(w);
	trace_where_tests(w, &n);
	trace_where_free(w);
	return n;
}

static void what_the_engine_does(void **state)
{
	struct trace_where *w = trace_where_parse("read.count > 100 && retval < 0");
	struct sysset set;
	unsigned n;
	(void)state;
	assert_non_null(w);
	const struct engine_where *t = trace_where_tests(w, &n);
	assert_int_equal(n, 2);
	assert_int_equal(t[0].nr, 0);
	assert_int_equal(t[0].arg, 2);
	assert_int_equal(t[0].op, WHERE_GT);
	assert_int_equal(t[0].value, 100);
	assert_int_equal(t[1].nr, -1); /* of every call */
	assert_int_equal(t[1].arg, 6);
	assert_true(trace_where_calls(w, &set));
	assert_true(sysset_has(&set, ABI_NATIVE, 0));
	assert_false(sysset_has(&set, ABI_NATIVE, 1));
	trace_where_free(w);
	assert_int_equal(tests_of("read.count > 100 || retval < 0"), 0); /* one may hold without the other */
	assert_int_equal(tests_of("read.fd == 3"), 1);
	assert_int_equal(tests_of("!(retval < 0)"), 0);
	assert_int_equal(tests_of("count > 100"), 0); /* another argument in each call */
	assert_int_equal(tests_of("openat.dfd == AT_FDCWD"), 0); /* the register may be sign-extended or not */
	assert_int_equal(tests_of("retval < 0 && (fd == 1 || fd == 2)"), 1);
	w = trace_where_parse("read.count > 100 || write.count > 100");
	assert_false(trace_where_calls(w, &set));
	trace_where_free(w);
}

/* ---- the kernel's part is never the stricter one ---- */

static void random_test(char *out, size_t size)
{
	static const char *const args[] = { "read.fd", "write.count", "openat.flags", "openat.dfd", "retval", "ret", "fd", "count", "flags" };
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	static const char *const values[] = { "0", "1", "3", "-1", "-100", "O_CREAT", "0xffffff9c", "100", "0xffffffffffffffff" };
	if (rand() % 8 == 0)
		snprintf(out, size, "errno %s ENOENT", rand() % 2 ? "==" : "!=");
	else
		snprintf(out, size, "%s %s %s", args[rand() % 9], ops[rand() % 7], values[rand() % 9]);
}

static void random_expression(char *out, size_t size, int depth)
{
	char a[512], b[512];
	int kind = depth ? rand() % 4 : 0;
	if (kind <= 0) {
		random_test(out, size);
		return;
	}
	random_expression(a, sizeof(a), depth - 1);
	random_expression(b, sizeof(b), depth - 1);
	if (kind == 3)
		snprintf(out, size, "!(%.200s)", a);
	else
		snprintf(out, size, "(%.200s) %s (%.200s)", a, rand() % 3 ? "&&" : "||", b);
}

static void engine_drops_nothing(void **state)
{
	static const char *const calls[] = { "read", "write", "openat", "close" };
	static const uint64_t values[] = { 0, 1, 3, 100, 0xffffff9c, (uint64_t)-100, (uint64_t)-1, O_CREAT };
	static const int64_t results[] = { 0, 1, 3, 100, -ENOENT, -1, INT64_MAX };
	unsigned passed = 0, dropped = 0;
	(void)state;
	srand(3);
	for (int i = 0; i < 4000; i++) {
		char text[1024];
		struct sysset only;
		random_expression(text, sizeof(text), 3);
		struct trace_where *w = trace_where_parse(text);
		if (!w)
			print_error("%s: %s\n", text, error_message());
		assert_non_null(w);
		struct engine_options o = { 0 };
		o.where = trace_where_tests(w, &o.n_where);
		bool narrowed = trace_where_calls(w, &only);
		for (int k = 0; k < 40; k++) {
			struct sysevent e = call(calls[rand() % 4], results[rand() % 7], values[rand() % 8], values[rand() % 8], values[rand() % 8]);
			bool let = where_holds(&o, e.abi, e.nr, e.args, e.ret, true) && (!narrowed || sysset_has(&only, e.abi, e.nr));
			bool shown = trace_where_holds(w, &e, NULL);
			if (shown && !let)
				print_error("%s: dropped nr %d, args %llx %llx %llx, ret %lld\n", text, e.nr, (unsigned long long)e.args[0],
					    (unsigned long long)e.args[1], (unsigned long long)e.args[2], (long long)e.ret);
			assert_true(let || !shown);
			assert_true(where_holds(&o, e.abi, e.nr, e.args, 0, false) || !shown); /* nor at the entry */
			passed += shown;
			dropped += !let;
		}
		trace_where_free(w);
	}
	assert_true(passed > 10000);
	assert_true(dropped > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes), cmocka_unit_test(deep), cmocka_unit_test(any_text), cmocka_unit_test(numbers),
		cmocka_unit_test(and_before_or), cmocka_unit_test(constants), cmocka_unit_test(strings), cmocka_unit_test(files),
		cmocka_unit_test(what_it_looks_at), cmocka_unit_test(what_the_engine_does), cmocka_unit_test(engine_drops_nothing),
	};
	return cmocka_run_group_tests_name("trace_where", tests, NULL, NULL);
}
