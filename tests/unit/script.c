// SPDX-License-Identifier: GPL-2.0-or-later
/* The compiler of sonde run, stage by stage, without a kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/error.h"
#include "script/code/alloc.h"
#include "script/front/lex.h"
#include "script/front/parse.h"
#include "script/script.h"
#include "script/show/format.h"
#include "script/show/hist.h"
#include "script/type.h"

static struct script_source source_of(const char *text)
{
	return (struct script_source){ .name = "t", .text = text, .len = strlen(text) };
}

/* ---- lexer ---- */

static void number_is(const char *text, uint64_t v)
{
	struct script_source s = source_of(text);
	struct lexer l;
	assert_int_equal(lex_begin(&l, &s), 0);
	assert_int_equal(l.now.kind, TOKEN_INT);
	assert_int_equal(l.now.value, v);
	assert_int_equal(l.now.at.len, strlen(text));
	arena_release(&s.memory);
}

static void numbers(void **state)
{
	(void)state;
	number_is("0", 0);
	number_is("1_000", 1000);
	number_is("1e6", 1000000);
	number_is("0x1F", 31);
	number_is("017", 15);
	number_is("0b101", 5);
	number_is("10ms", 10000000);
	number_is("5ull", 5);
	number_is("18446744073709551615", UINT64_MAX);
}

static void no_tokens(void **state)
{
	static const char *const wrong[] = { "18446744073709551616", "0x", "0b", "0b2", "12abc", "\"open", "\"\\q\"", "$", "`", "/* open", "1e99", "99999999999d" };
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct script_source s = source_of(wrong[i]);
		struct lexer l;
		if (!lex_begin(&l, &s))
			fail_msg("taken: %s", wrong[i]);
		assert_true(error_pending());
		error_clear();
		arena_release(&s.memory);
	}
}

static void strings(void **state)
{
	struct script_source s = source_of("\"a\\n\\x41\\101\\\"\" // comment\n @m_1");
	struct lexer l;
	(void)state;
	assert_int_equal(lex_begin(&l, &s), 0);
	assert_int_equal(l.now.len, 5);
	assert_memory_equal(l.now.text, "a\nAA\"", 5);
	assert_int_equal(lex_next(&l), 0);
	assert_int_equal(l.now.kind, TOKEN_MAP);
	assert_string_equal(l.now.text, "m_1");
	arena_release(&s.memory);
}

/* ---- parser ---- */

/* The tree as text, operators in front. */
static void spell(const struct script_node *n, struct str *out)
{
	switch (n->kind) {
	case NODE_INT: str_addf(out, "%llu", (unsigned long long)n->value); break;
	case NODE_STRING: str_addf(out, "\"%s\"", n->name); break;
	case NODE_VAR: str_addf(out, "$%s", n->name); break;
	case NODE_WORD: str_add(out, n->name); break;
	default:
		str_addf(out, "(%d", n->kind);
		if (n->op)
			str_addf(out, n->op < 256 ? " %c" : " %d", n->op);
		if (n->name)
			str_addf(out, " %s", n->name);
		for (const struct script_node *k = n->args; k; k = k->next) {
			str_addc(out, ' ');
			spell(k, out);
		}
		for (int i = 0; i < 3; i++)
			if (i == 0 ? n->a : i == 1 ? n->b : n->c) {
				str_addc(out, ' ');
				spell(i == 0 ? n->a : i == 1 ? n->b : n->c, out);
			}
		str_addc(out, ')');
	}
}

static void tree_is(const char *expr, const char *want)
{
	char *text = xasprintf("BEGIN { $r = %s }", expr);
	struct script_source s = source_of(text);
	struct probe *p;
	struct str out = STR_INIT;
	assert_int_equal(parse_script(&s, NULL, &p), 0);
	spell(p->body->b, &out);
	assert_string_equal(out.buf, want);
	str_release(&out);
	arena_release(&s.memory);
	free(text);
}

static void ranks(void **state)
{
	char want[200];
	(void)state;
	snprintf(want, sizeof(want), "(%d + 1 (%d * 2 3))", NODE_BINARY, NODE_BINARY);
	tree_is("1 + 2 * 3", want);
	snprintf(want, sizeof(want), "(%d - (%d - 3 2) 1)", NODE_BINARY, NODE_BINARY);
	tree_is("3 - 2 - 1", want);
	snprintf(want, sizeof(want), "(%d %d pid (%d & 3 4))", NODE_BINARY, TOKEN_OR, NODE_BINARY);
	tree_is("pid || 3 & 4", want);
	snprintf(want, sizeof(want), "(%d $a $b $c)", NODE_TERNARY);
	tree_is("$a ? $b : $c", want);
	snprintf(want, sizeof(want), "(%d dev (%d x args))", NODE_FIELD, NODE_FIELD);
	tree_is("args->x.dev", want);
}

static void probes(void **state)
{
	struct script_source s = source_of("tracepoint:a:b*,\nuprobe:/bin/x:f /pid == 3 && (4 / 2)/ { } i:s:1/cpu/{ @[1, \"x\"]++; }");
	struct probe *p;
	(void)state;
	assert_int_equal(parse_script(&s, NULL, &p), 0);
	assert_string_equal(p->attach->text, "tracepoint:a:b*");
	assert_string_equal(p->attach->next->text, "uprobe:/bin/x:f");
	assert_non_null(p->predicate);
	assert_null(p->body);
	assert_string_equal(p->next->attach->text, "i:s:1");
	assert_string_equal(p->next->predicate->name, "cpu");
	assert_int_equal(p->next->body->a->a->n_args, 2);
	arena_release(&s.memory);
}

static void wrong_scripts(void **state)
{
	static const struct { const char *text, *message; } wrong[] = {
		{ "", "t:1:1: there is no probe in the script" },
		{ "BEGIN", "t:1:6: a brace { is missing at the end" },
		{ "BEGIN {\n  1 + }", "t:2:7: a value should be here" },
		{ "BEGIN { 3 = 4 }", "t:1:9: only a variable ($x) or a map (@x) can be assigned to" },
		{ "BEGIN { print(1) print(2) }", "t:1:18: a semicolon is missing here" },
		{ "BEGIN { if (1) { }", "t:1:19: the brace } of a block is missing at the end" },
		{ "{ }", "t:1:1: a probe is missing here" },
		{ "BEGIN { for (3 : @x) { } }", "t:1:14: the variable of the loop should be here" },
		{ "BEGIN { for ($i : 3) { } }", "t:1:20: the .. of a range, from..to, is missing here" },
		{ "BEGIN { let x = 3 }", "t:1:13: a variable ($x) follows let" },
		{ "config = { 3 = 4 } BEGIN { }", "t:1:12: the name of a setting is missing here" },
		{ "BEGIN { @x[] = 1 }", "t:1:11: there is no key between the brackets" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct script_source s = source_of(wrong[i].text);
		struct probe *p;
		assert_int_not_equal(parse_script(&s, NULL, &p), 0);
		assert_string_equal(error_message(), wrong[i].message);
		error_clear();
		arena_release(&s.memory);
	}
}

/* Every kind of loop, by functions and by counts, through all stages; what the compiler is told of the kernel is made up. */
static void loop_shapes(void **state)
{
	static const char *const scripts[] = {
		"BEGIN { $i = 0; while ($i < 10) { $i++; if ($i == 3) { continue } if ($i == 7) { break } @x[$i] = 1; } }",
		"BEGIN { for ($i : 0..3) { @x = $i } for ($i : 0..300) { for ($j : $i..4) { @y = sum($j); if ($j == 2) { return } } } }",
		"BEGIN { let $s = \"abc\"; for ($i : 1..1000) { let $t: uint8 = $i; if ($t == 9) { $s = \"d\"; exit() } @z[$s] = count() } }",
		"BEGIN { @c[1] = count(); @m[1, \"x\"] = 5; for ($kv : @m) { for ($k : @c) { @n[$kv.0.1] = $k.1 + $kv.1 } } if (@c[1] > 2) { @m[1, \"y\"] *= 3 } }",
	};
	(void)state;
	for (unsigned able = 0; able < 2; able++)
		for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
			struct run_script s = { .able_known = ~0u, .able_yes = able ? ~0u : 0 };
			struct script_source source = source_of(scripts[i]);
			int err = script_compile(&s, &source, NULL, 0);
			if (!err != (able || i < 3))
				fail_msg("%u %s: %s", able, scripts[i], error_message());
			if (!err)
				assert_int_equal(s.units.at[0].functions.n > 0, able);
			if (!err)
				assert_int_equal(s.units.at[0].functions.n, s.units.at[0].starts.n);
			error_clear();
			script_forget(&s);
			arena_release(&source.memory);
		}
}

/* Lines with #: what is left out is not read, macros come to an end. */
static void preprocessed(void **state)
{
	static const struct { const char *text, *message; } rows[] = {
		{ "#define A B\n#define B A\nBEGIN { $x = A }", "" },
		{ "#define A 1\n#undef A\n#ifdef A\n}}} \"\n#else\nBEGIN { }\n#endif\n", "" },
		{ "#if 0\n#if 1\n#endif\n#else\nBEGIN { }\n#endif", "" },
		{ "#if 0\nBEGIN { }", "t:1:1: this has no #endif" },
		{ "#define A \"x\nBEGIN { $x = A }", "t:1:11: this string has no end" },
		{ "#define A", "t:1:1: there is no probe in the script" },
		{ "#else\nBEGIN { }", "t:1:1: there is no #if before this" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script_source s = source_of(rows[i].text);
		struct probe *p;
		(void)parse_script(&s, NULL, &p);
		assert_string_equal(error_message(), rows[i].message);
		error_clear();
		arena_release(&s.memory);
	}
}

static void deep(void **state)
{
	static const char *const parts[] = { "(", "-", "1+(", "{", "if (1) {" };
	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct str text = STR_INIT;
		struct script_source s;
		struct probe *p;
		str_add(&text, "BEGIN { ");
		for (int k = 0; k < 20000; k++)
			str_add(&text, parts[i]);
		s = source_of(text.buf);
		assert_int_not_equal(parse_script(&s, NULL, &p), 0);
		assert_non_null(strstr(error_message(), "deep"));
		error_clear();
		arena_release(&s.memory);
		str_release(&text);
	}
}

/* What is nested is gone through once, not twice for each level. */
static void no_explosion(void **state)
{
	static const char *const shapes[][3] = { { "~", "pid", "" }, { "(", "1", " ?: 2)" }, { "(1 + ", "pid", ")" }, { "str(", "pid", ")" },
		{ "(", "pid", " ? 1 : 2)" }, { "- ", "pid", "" } };
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct str text = STR_INIT;
		struct run_script s = { 0 };
		str_add(&text, "BEGIN { $x = ");
		for (int k = 0; k < 60; k++)
			str_add(&text, shapes[i][0]);
		str_add(&text, shapes[i][1]);
		for (int k = 0; k < 60; k++)
			str_add(&text, shapes[i][2]);
		str_add(&text, " }");
		struct script_source source = source_of(text.buf);
		if (script_compile(&s, &source, NULL, 0))
			fail_msg("%s: %s", text.buf, error_message());
		script_forget(&s);
		arena_release(&source.memory);
		str_release(&text);
	}
}

/* ---- types ---- */

static void joins(void **state)
{
	struct arena m = { 0 };
	struct script_type *u32 = type_named("uint32"), *s16 = type_named("int16"), *text = type_string(&m, 5);
	struct script_type *a[] = { u32, text }, *b[] = { &type_u64, type_string(&m, 30) };
	(void)state;
	assert_ptr_equal(type_join(&m, NULL, u32), u32);
	assert_int_equal(type_join(&m, u32, &type_u64)->size, 8);
	assert_true(type_join(&m, u32, s16)->is_signed); /* on doubt it is signed, and wide */
	assert_int_equal(type_join(&m, u32, s16)->size, 8);
	assert_null(type_join(&m, u32, text));
	assert_int_equal(text->size, 8);
	struct script_type *t = type_join(&m, type_tuple(&m, a, 2), type_tuple(&m, b, 2));
	assert_int_equal(t->n_fields, 2);
	assert_int_equal(t->fields[1].at, 8);
	assert_int_equal(t->size, 8 + 32);
	assert_null(type_join(&m, type_tuple(&m, a, 2), type_tuple(&m, a, 1)));
	arena_release(&m);
}

/* ---- registers ---- */

static int constant(struct ir *ir)
{
	int r = ir_reg(ir);
	ir_add(ir, IR_CONST)->d = r;
	return r;
}

static void use_in_call(struct ir *ir, int reg)
{
	struct ir_ins *i = ir_add(ir, IR_CALL);
	i->arg[0] = (struct ir_arg){ ARG_REG, reg, 0 };
}

/* What lives at the same time has places of its own, across calls none that a call spoils. */
static void places(void **state)
{
	struct ir ir = { .stack = 16 };
	struct reg_homes h;
	int r[20];
	(void)state;
	for (int i = 0; i < 20; i++)
		r[i] = constant(&ir);
	ir_add(&ir, IR_CALL);
	for (int i = 0; i < 20; i++)
		use_in_call(&ir, r[i]);
	assert_int_equal(alloc_registers(&ir, &h), 0);
	for (int i = 0; i < 20; i++) {
		assert_true(h.at[r[i]] >= 6 || h.at[r[i]] <= -24);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(h.at[r[i]], h.at[r[k]]);
	}
	assert_int_equal(h.stack, 16 + 16 * 8);
	reg_homes_release(&h);
	ir_release(&ir);
}

static void short_lives(void **state)
{
	struct ir ir = { 0 };
	struct reg_homes h;
	(void)state;
	for (int i = 0; i < 1000; i++) { /* one after the other: no stack is needed */
		int a = constant(&ir), b = ir_reg(&ir);
		struct ir_ins *m = ir_add(&ir, IR_MOVE);
		m->d = b;
		m->a = a;
	}
	assert_int_equal(alloc_registers(&ir, &h), 0);
	assert_int_equal(h.stack, 0);
	reg_homes_release(&h);
	ir_release(&ir);
}

/* What is set before a loop and read in it lives as long as the loop. */
static void loops(void **state)
{
	struct ir ir = { 0 };
	struct reg_homes h;
	int before = constant(&ir), label = ir_label(&ir);
	(void)state;
	ir_add(&ir, IR_LABEL)->imm = label;
	int copy = ir_reg(&ir);
	struct ir_ins *m = ir_add(&ir, IR_MOVE);
	m->d = copy;
	m->a = before;
	int inside = constant(&ir);
	m = ir_add(&ir, IR_MOVE);
	m->d = copy;
	m->a = inside;
	ir_add(&ir, IR_JUMP)->imm = label;
	assert_int_equal(alloc_registers(&ir, &h), 0);
	assert_int_not_equal(h.at[before], h.at[inside]);
	reg_homes_release(&h);
	ir_release(&ir);
}

static void too_many(void **state)
{
	struct ir ir = { 0 };
	struct reg_homes h;
	int r[100];
	(void)state;
	for (int i = 0; i < 100; i++)
		r[i] = constant(&ir);
	for (int i = 0; i < 100; i++)
		use_in_call(&ir, r[i]);
	assert_int_not_equal(alloc_registers(&ir, &h), 0);
	reg_homes_release(&h);
	ir_release(&ir);
}

static void unreachable(void **state)
{
	struct ir ir = { 0 };
	int end = ir_label(&ir), dead = ir_label(&ir);
	(void)state;
	ir_add(&ir, IR_JUMP)->imm = end;
	constant(&ir);
	ir_add(&ir, IR_LABEL)->imm = dead;
	ir_add(&ir, IR_JUMP)->imm = dead;
	ir_add(&ir, IR_LABEL)->imm = end;
	ir_add(&ir, IR_EXIT);
	ir_prune(&ir);
	assert_int_equal(ir.ins.n, 3);
	assert_int_equal(ir.ins.at[2].op, IR_EXIT);
	ir_release(&ir);
}

/* ---- what is shown ---- */

/* Records may be anything: nothing is read beyond them. */
static void formats(void **state)
{
	struct arena m = { 0 };
	struct run_script script = { 0 };
	struct namer nm = { .s = &script };
	struct script_type *types[] = { &type_s64, type_string(&m, 16) };
	const char *why, format[] = "%5d|%-4s|%%\n";
	unsigned at;
	struct plan *p = plan_make(&m, format, strlen(format), type_tuple(&m, types, 2), &why, &at);
	uint64_t payload[3] = { (uint64_t)-7, 24 | 3ull << 32, 0 };
	struct str out = STR_INIT;
	(void)state;
	assert_non_null(p);
	memcpy(&payload[2], "ab", 3);
	plan_print(p, &nm, &out, (uint8_t *)payload, sizeof(payload));
	assert_string_equal(out.buf, "   -7|ab  |%\n");
	for (size_t n = 0; n < sizeof(payload); n++) {
		uint8_t *cut = malloc(n ? n : 1);
		memcpy(cut, payload, n);
		str_clear(&out);
		plan_print(p, &nm, &out, cut, n);
		free(cut);
	}
	payload[1] = 0xffffffffffff0000;
	str_clear(&out);
	plan_print(p, &nm, &out, (uint8_t *)payload, sizeof(payload));
	assert_string_equal(out.buf, "   -7|    |%\n");
	assert_null(plan_make(&m, "%d", 2, type_tuple(&m, types + 1, 1), &why, &at));
	assert_int_equal(at, 1);
	assert_null(plan_make(&m, "%y", 2, type_tuple(&m, types, 1), &why, &at));
	assert_null(plan_make(&m, "", 0, type_tuple(&m, types, 1), &why, &at));
	str_release(&out);
	arena_release(&m);
}

static void histograms(void **state)
{
	uint64_t b[66] = { 0 };
	struct script_type t = { TYPE_AGGREGATE, .aggregate = AGG_HIST };
	struct str out = STR_INIT;
	(void)state;
	assert_int_equal(type_room(&t), sizeof(b));
	hist_text(&out, &t, b, 1);
	assert_string_equal(out.buf, "");
	b[12] = 1;
	b[65] = 2;
	hist_text(&out, &t, b, 1);
	assert_non_null(strstr(out.buf, "[1K, 2K)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"));
	assert_non_null(strstr(out.buf, "\n[8E, 16E)              2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"));
	str_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers), cmocka_unit_test(no_tokens), cmocka_unit_test(strings), cmocka_unit_test(ranks),
		cmocka_unit_test(probes), cmocka_unit_test(wrong_scripts), cmocka_unit_test(deep), cmocka_unit_test(loop_shapes), cmocka_unit_test(preprocessed), cmocka_unit_test(no_explosion), cmocka_unit_test(joins),
		cmocka_unit_test(places), cmocka_unit_test(short_lives), cmocka_unit_test(loops), cmocka_unit_test(too_many),
		cmocka_unit_test(unreachable), cmocka_unit_test(formats), cmocka_unit_test(histograms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
