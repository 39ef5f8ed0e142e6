// SPDX-License-Identifier: GPL-2.0-or-later
/* The grammar of probes, the kernel's lines, and fetch arguments under construction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "arch/operand.h"
#include "base/error.h"
#include "probe/def.h"
#include "probe/source.h"
#include "probe/spec.h"
#include "symbol/fetch.h"

static void places(void **state)
{
	static const struct { const char *text, *place, *group, *event; } good[] = {
		{ "vfs_read", "vfs_read", NULL, NULL },
		{ "g:e=vfs_read+12", "vfs_read+12", "g", "e" },
		{ "e=f@fs/namei.c:65", "f:65@fs/namei.c", NULL, "e" },
		{ "f%return", "f%return", NULL, NULL },
		{ "fs/namei.c:120", "fs/namei.c:120", NULL, NULL },
		{ "f;x=* a", "f;x=*", NULL, NULL }, /* the pattern ends at a blank, as perf's does */
		{ "f;x\\ =\\ \\*", "f;x = \\*", NULL, NULL },
		{ "ns::Box::over(char const*):3", "ns::Box::over(char const*):3", NULL, NULL },
		{ "%shop:sold", "%shop:sold", NULL, NULL },
		{ "sdt_shop:sold", "%shop:sold", NULL, NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct probe_spec s;
		struct str place = STR_INIT;
		assert_int_equal(probe_spec_parse(&s, good[i].text), 0);
		probe_spec_place(&s, &place);
		assert_string_equal(place.buf, good[i].place);
		assert_string_equal(s.group ? s.group : "", good[i].group ? good[i].group : "");
		assert_string_equal(s.event ? s.event : "", good[i].event ? good[i].event : "");
		str_release(&place);
		probe_spec_release(&s);
	}
}

static void arguments(void **state)
{
	struct probe_spec s;
	char *name;
	(void)state;
	assert_int_equal(probe_spec_parse(&s, "f n=a->b.c[-3]:string %ax text:u8 p->list[2] +u8(%di):ustring x@user"), 0);
	assert_int_equal(s.args.n, 6);
	struct probe_argspec *a = &s.args.at[0];
	assert_string_equal(a->name, "n");
	assert_string_equal(a->var, "a");
	assert_int_equal(a->fields.n, 3);
	assert_true(a->fields.at[0].arrow && !a->fields.at[1].arrow && !a->fields.at[2].name);
	assert_int_equal(a->fields.at[2].index, -3);
	assert_true(s.args.at[1].fetcharg && s.args.at[4].fetcharg && s.args.at[5].user);
	name = probe_arg_name(&s.args.at[2]);
	assert_string_equal(name, "text_u8");
	free(name);
	name = probe_arg_name(&s.args.at[3]);
	assert_string_equal(name, "list");
	free(name);
	probe_spec_release(&s);
	assert_int_equal(probe_spec_parse(&s, "f a->"), -EINVAL);
	assert_true(error_pending());
	error_clear();
	probe_spec_release(&s);
}

static void lines(void **state)
{
	struct probe_lines l;
	(void)state;
	assert_int_equal(probe_lines_parse(&l, "f@x.c:3-9"), 0);
	assert_string_equal(l.function, "f");
	assert_string_equal(l.file, "x.c");
	assert_int_equal(l.first, 3);
	assert_int_equal(l.last, 9);
	probe_lines_release(&l);
	assert_int_equal(probe_lines_parse(&l, "x.c:10+5"), 0);
	assert_null(l.function);
	assert_int_equal(l.last, 15);
	probe_lines_release(&l);
	assert_int_equal(probe_lines_parse(&l, "f:9-3"), -EINVAL);
	error_clear();
	probe_lines_release(&l);
}

static void kernel_lines(void **state)
{
	static const char *const user = "p:probe_libc/malloc /usr/lib/libc.so.6:0x98930(0x30) bytes=%di:u64";
	static const char *const kernel = "r:probe/x openvswitch:ovs_x+12 arg1=$retval";
	struct probe_def d;
	struct str s = STR_INIT;
	(void)state;
	assert_int_equal(probe_def_parse(&d, user, strlen(user), true), 0);
	assert_int_equal(d.offset, 0x98930);
	assert_int_equal(d.ref_ctr, 0x30);
	probe_def_line(&d, &s);
	assert_string_equal(s.buf, user);
	probe_def_release(&d);
	str_clear(&s);
	assert_int_equal(probe_def_parse(&d, kernel, strlen(kernel), false), 0);
	assert_true(d.ret);
	assert_string_equal(d.target, "openvswitch");
	probe_def_line(&d, &s);
	assert_string_equal(s.buf, kernel);
	probe_def_release(&d);
	assert_int_equal(probe_def_parse(&d, "p:x", 3, true), -EINVAL);
	str_release(&s);
}

static void name_it(void *ctx, uint64_t addr, struct str *out)
{
	(void)ctx;
	str_addf(out, "@sym+%llu", (unsigned long long)addr);
}

static void fetches(void **state)
{
	struct fetch f;
	struct str s = STR_INIT;
	const char *why;
	(void)state;
	fetch_reg(&f, 5, 0, false); /* di */
	assert_int_equal(fetch_write(&f, name_it, NULL, &s), 0);
	assert_string_equal(s.buf, "%di");
	f.memory = true; /* ->field at 16, then a pointer's target at -8 */
	f.add = 16;
	assert_int_equal(fetch_load(&f), 0);
	f.memory = true;
	f.add = -8;
	str_clear(&s);
	assert_int_equal(fetch_write(&f, name_it, NULL, &s), 0);
	assert_string_equal(s.buf, "-8(+16(%di))");
	fetch_addr(&f, 100);
	f.add = 4;
	str_clear(&s);
	assert_int_equal(fetch_write(&f, name_it, NULL, &s), 0);
	assert_string_equal(s.buf, "@sym+104");
	fetch_const(&f, (uint64_t)-3);
	str_clear(&s);
	assert_int_equal(fetch_write(&f, name_it, NULL, &s), 0);
	assert_string_equal(s.buf, "\\-3");
	fetch_reg(&f, 5, 8, false); /* %di + 8 itself cannot be had */
	assert_int_equal(fetch_check(&f, &why), -ENOTSUP);
	fetch_reg(&f, 17, 0, false); /* xmm0 */
	assert_int_equal(fetch_check(&f, &why), -ENOTSUP);
	str_release(&s);
}

static void operands(void **state)
{
	struct operand o;
	(void)state;
	assert_int_equal(arch_operand_parse("%r10d", &o), 0);
	assert_string_equal(o.reg, "%r10");
	assert_int_equal(arch_operand_parse("-16(%rbp)", &o), 0);
	assert_true(o.kind == OPERAND_MEMORY && o.num == -16);
	assert_int_equal(arch_operand_parse("$-3", &o), 0);
	assert_int_equal(o.num, -3);
	assert_int_equal(arch_operand_parse("stock+8(%rip)", &o), 0);
	assert_true(o.kind == OPERAND_SYMBOL && o.num == 8);
	assert_string_equal(o.symbol, "stock");
	assert_int_equal(arch_operand_parse("(%rax,%rbx,8)", &o), -ENOTSUP);
	assert_int_equal(arch_operand_parse("%xmm0", &o), -ENOTSUP);
	assert_int_equal(arch_operand_parse("%fs:8", &o), -ENOTSUP);
	assert_int_equal(arch_operand_parse("", &o), -ENOTSUP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places), cmocka_unit_test(arguments), cmocka_unit_test(lines),
		cmocka_unit_test(kernel_lines), cmocka_unit_test(fetches), cmocka_unit_test(operands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
