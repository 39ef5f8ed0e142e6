// SPDX-License-Identifier: GPL-2.0-or-later
/* Lengths of instructions, against those that objdump shows of libc and of this program itself. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "arch/insn.h"

static void known(void **state)
{
	static const struct { const char *bytes; int n, length; } all[] = {
		{ "\x90", 1, 1 }, { "\xc3", 1, 1 }, { "\x48\x89\xe5", 3, 3 }, { "\xe8\0\0\0\0", 5, 5 }, { "\x0f\x84\0\0\0\0", 6, 6 },
		{ "\x48\x8b\x05\x41\x39\x13\0", 7, 7 }, { "\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 10, 10 }, { "\xf3\x0f\x1e\xfa", 4, 4 },
		{ "\x48\xb8\1\2\3\4\5\6\7\x08", 10, 10 }, { "\xb8\1\2\3\4", 5, 5 }, { "\x66\xb8\1\2", 4, 4 },
		{ "\xf6\x05\1\2\3\4\x05", 7, 7 }, { "\xf7\xd8", 2, 2 }, { "\xc5\xf8\x77", 3, 3 }, { "\xc4\xe2\x7d\x18\x07", 5, 5 },
		{ "\x62\xf1\x7d\x48\x6f\x07", 6, 6 }, { "\xc8\1\2\3", 4, 4 }, { "\x48\xa1\1\2\3\4\5\6\7\x08", 10, 10 },
		{ "\x64\x48\x8b\x04\x25\x28\0\0\0", 9, 9 }, { "\x06", 1, 0 }, { "\xe8\0\0", 3, 0 }, { "", 0, 0 },
		{ "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", 16, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_int_equal(insn_length((const uint8_t *)all[i].bytes, all[i].n), all[i].length);
}

/* One line of objdump -d: " addr:\tbytes \ttext"; its bytes, 0: another kind of line. */
static int bytes_of(const char *line, uint8_t *out)
{
	const char *p = strchr(line, '\t');
	int n = 0;
	unsigned b;
	for (p = p ? p + 1 : ""; n < 16 && isxdigit((unsigned char)*p) && sscanf(p, "%2x", &b) == 1 && p[2] == ' '; p += 3)
		out[n++] = b;
	return n;
}

static void as_objdump(void **state)
{
	FILE *f = popen("objdump -d -w --insn-width=16 /lib/x86_64-linux-gnu/libc.so.6 2>/dev/null | grep -v '(bad)\\|\\.byte\\|data16' | head -n 300000", "r");
	char line[512];
	uint8_t code[16];
	long checked = 0, wrong = 0;
	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		int n = bytes_of(line, code);
		if (!n)
			continue;
		checked++;
		if (insn_length(code, n) != n && wrong++ < 10)
			printf("%d: %s", insn_length(code, n), line);
	}
	pclose(f);
	if (!checked)
		skip();
	assert_int_equal(wrong, 0);
}

/* What the kernel (arch/x86/kernel/uprobes.c) runs no copies of. */
static void copied(void **state)
{
	static const struct { const char *bytes; int n; bool copied; } rows[] = {
		{ "\x55", 1, true }, { "\xf3\x0f\x1e\xfa", 4, true }, { "\x64\x48\x8b\x04\x25", 5, true }, { "\x48\x89\xe5", 3, true }, { "\x66\x90", 2, true },
		{ "\xf0\xff\x00", 3, false }, { "\xc5\xf8\x77", 3, false }, { "\xc4\xe2\x7d", 3, false }, { "\x62\xf1\x7c", 3, false }, { "\x2e\x90", 2, false },
		{ "\x66\xf0\xff\x00", 4, false }, { "\x66\x66\x66", 3, true } };
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(insn_copied((const uint8_t *)rows[i].bytes, rows[i].n), rows[i].copied);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(known), cmocka_unit_test(as_objdump), cmocka_unit_test(copied) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
