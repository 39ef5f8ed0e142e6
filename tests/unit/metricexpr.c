// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/error.h"
#include "base/jsonread.h"
#include "base/str.h"
#include "spec/metrics.h"

static double value(void *ctx, const char *id)
{
	(void)ctx;
	return !strcmp(id, "a") ? 6 : !strcmp(id, "b") ? 4 : !strcmp(id, "cpu/x-y,cmask=1/") ? 10 : !strcmp(id, "zero") ? 0 : NAN;
}

static double eval(const char *text)
{
	struct metric_expr *e = metric_expr_parse(text);
	if (!e) {
		print_message("%s\n", error_message());
		fail();
	}
	double v = metric_expr_eval(e, value, NULL);
	metric_expr_free(e);
	return v;
}

static void formulas(void **state)
{
	(void)state;
	static const struct { const char *text; double v; } rows[] = {
		{ "a / b", 1.5 }, { "a - b - 1", 1 }, { "2 + a * b", 26 }, { "(2 + a) * b", 32 }, { "-a + b", -2 }, { "a % b", 2 },
		{ "1 if a > b else 2", 1 }, { "1 if a < b else 2 if zero else 3", 3 }, { "min(a, b) + max(a, b)", 10 },
		{ "d_ratio(a, zero)", 0 }, { "d_ratio(a, b)", 1.5 }, { "cpu@x\\-y\\,cmask\\=1@ / 5", 2 }, { "a & b", 4 }, { "a | 1", 7 },
		{ "a ^ b", 2 }, { "1e3 * .5", 500 }, { "has_event(a)", 1 }, { "has_event(nosuch)", 0 }, { "100 * (a / (a + b))", 60 },
		{ "#core_wide", 0 }, { "1 - 2 < 0", 1 }, { "#SMT_on - #smt_on", 0 }, { "#Core_Wide", 0 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double v = eval(rows[i].text);
		if (!(fabs(v - rows[i].v) < 1e-9))
			fail_msg("%s: %f, wanted %f", rows[i].text, v, rows[i].v);
	}
	assert_true(isnan(eval("a / zero")));
	static const char *const unknown[] = { "nosuch + 1", "7 if nosuch else 8", "7 if nosuch > 1 else 8", "min(nosuch, 1)", "max(1, nosuch)",
		"d_ratio(1, nosuch)", "nosuch & 1", "1e300 | 1" };
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		if (!isnan(eval(unknown[i])))
			fail_msg("%s has a value", unknown[i]);
	assert_true(eval("#num_cpus") >= 1);
}

static void wrong_formulas(void **state)
{
	(void)state;
	static const char *const rows[] = { "", "a +", "(a", "a b", "f(a)", "min(a)", "1 if a", "a ? b", ")", "a,b", "min(a,b", "#nosuch",
		"7 if #unknown_thing else 8" };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (metric_expr_parse(rows[i]))
			fail_msg("'%s' was taken", rows[i]);
		assert_true(error_pending());
		error_clear();
	}
	struct str deep = STR_INIT;
	for (int i = 0; i < 100000; i++)
		str_addc(&deep, i % 2 ? '-' : '(');
	assert_null(metric_expr_parse(deep.buf));
	error_clear();
	str_release(&deep);
}

static double one(void *ctx, int event)
{
	(void)ctx, (void)event;
	return 1;
}

static void add_def(struct metric_set *s, char *name, char *expr)
{
	*vec_push(&s->tables.metrics) = (struct metric_def){ .name = name, .expr = expr };
}

/* Deep formulas (a sum is as deep as it is long), and parts that are named twice on every level. */
static void deep_metrics(void **state)
{
	(void)state;
	struct metric_set s = { 0 };
	event_list l = { 0 };
	for (int i = 0; i < 32; i++) {
		struct str sum = STR_INIT;
		str_addf(&sum, "m%d + m%d", i + 1, i + 1);
		for (int k = 0; k < 40000; k++)
			str_add(&sum, "+0");
		add_def(&s, xasprintf("m%d", i), str_detach(&sum));
	}
	add_def(&s, xstrdup("m32"), xstrdup("duration_time"));
	assert_int_equal(metric_set_add(&s, "m0", &l), 0);
	assert_true(fabs(metric_set_eval(&s, s.uses.n - 1, one, NULL) - 4294967296.0) < 1);
	add_def(&s, xstrdup("n1"), xstrdup("m0 + 1"));
	assert_int_equal(metric_set_add(&s, "n1", &l), -ELOOP); /* also when those below it are there already */
	error_clear();
	metric_set_release(&s);
	events_release(&l);
}

static int take(void *ctx, const json_pairs *p)
{
	struct str *s = ctx;
	vec_each(p, pair)
		str_addf(s, "%s=%s;", pair->key, pair->value);
	str_addc(s, '|');
	return 0;
}

static void json(void **state)
{
	(void)state;
	struct str s = STR_INIT;
	static const char text[] = " [ {\"a\": \"x\\n\\\"y\\u00e9\", \"n\": -1.5e3, \"t\": true, \"l\": [1, {\"in\": \"1\"}] }, {} ] ";
	assert_int_equal(json_objects(text, sizeof(text) - 1, take, &s), 0);
	assert_non_null(strstr(s.buf, "in=1;|a=x\n\"y\xc3\xa9;n=-1.5e3;t=true;l=;||"));
	static const char *const wrong[] = { "", "[", "{\"a\"}", "{\"a\":}", "[1,]x", "{\"a\":1,}", "\"", "\"\\x\"", "[1 2]", "{}{}" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!json_objects(wrong[i], strlen(wrong[i]), take, &s))
			fail_msg("%s was taken", wrong[i]);
		error_clear();
	}
	str_clear(&s);
	for (int i = 0; i < 100000; i++)
		str_addc(&s, '[');
	struct str none = STR_INIT;
	assert_int_not_equal(json_objects(s.buf, s.len, take, &none), 0);
	error_clear();
	str_release(&s);
	str_release(&none);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(formulas), cmocka_unit_test(wrong_formulas), cmocka_unit_test(deep_metrics),
		 cmocka_unit_test(json) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
