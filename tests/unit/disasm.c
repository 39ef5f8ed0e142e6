// SPDX-License-Identifier: GPL-2.0-or-later
/* libcapstone's instructions in objdump's words: both take this machine's programs apart and must say the same. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/error.h"
#include "symbol/disasm/disasm.h"
#include "symbol/file/elffile.h"

static void take_apart(const struct disasm_code *c, const char *objdump, bool intel, insns *out)
{
	struct disasm_options o = { .intel = intel, .objdump = objdump };
	if (disasm_run(&o, c, out))
		fail_msg("%s", error_message());
}

/* The text without its names, and without what objdump puts behind it. */
static void compare(const char *path, bool intel, size_t n)
{
	struct elf_file e;
	insns ours = { 0 }, theirs = { 0 };
	assert_int_equal(elf_open(&e, path), 0);
	const struct elf_section *s = elf_find(&e, ".text");
	size_t len, different = 0;
	uint8_t *bytes = elf_contents(&e, s, &len);
	struct disasm_code c = { bytes, len < n ? len : n, s->addr, path };
	take_apart(&c, NULL, intel, &ours);
	take_apart(&c, "objdump", intel, &theirs);
	assert_in_range(theirs.n, n / 10, n);
	for (size_t i = 0; i + 3 < theirs.n && i < ours.n; i++) { /* the last may be cut */
		struct instruction *a = &ours.at[i], *b = &theirs.at[i];
		assert_int_equal(a->addr, b->addr);
		if (a->has_target != b->has_target || a->target != b->target || a->kind != b->kind)
			fail_msg("%llx: %s, kind %d, to %llx; objdump: %s, %d, %llx", (unsigned long long)a->addr, a->text, a->kind,
				 (unsigned long long)a->target, b->text, b->kind, (unsigned long long)b->target);
		if (b->has_data)
			assert_int_equal(a->data, b->data);
		if (strcmp(a->text, b->text) && different++ < 5)
			print_message("%llx: %s, objdump: %s\n", (unsigned long long)a->addr, a->text, b->text);
	}
	assert_in_range(different, 0, theirs.n / 2000);
	vec_release(&ours);
	vec_release(&theirs);
	free(bytes);
	elf_close(&e);
}

static void test_as_objdump(void **state)
{
	(void)state;
	compare("/bin/bash", false, 200000);
	compare("/bin/bash", true, 200000);
	compare("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", false, 300000);
}

static void test_anything(void **state)
{
	(void)state;
	uint8_t bytes[4096];
	insns v = { 0 };
	unsigned seed = 7;
	char *path = strdup(getenv("PATH"));
	setenv("PATH", "/nonexistent", 1); /* objdump is not asked about what libcapstone does not know */
	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = rand_r(&seed) >> 8;
		for (int is32 = 0; is32 < 2; is32++) {
			size_t at = 0;
			vec_clear(&v);
			assert_int_equal(disasm_run(&(struct disasm_options){ .intel = round & 1, .is32 = is32 },
						    &(struct disasm_code){ bytes, sizeof(bytes), 0x1000, NULL }, &v), 0);
			vec_each(&v, i) { /* every byte is in exactly one */
				assert_int_equal(i->addr, 0x1000 + at);
				assert_true(i->len && *i->text);
				at += i->len;
			}
			assert_int_equal(at, sizeof(bytes));
		}
	}
	setenv("PATH", path, 1);
	free(path);
	vec_release(&v);
}

static struct instruction one(const char *code, size_t n)
{
	insns v = { 0 };
	struct disasm_code c = { (const uint8_t *)code, n, 0x401000, NULL };
	take_apart(&c, NULL, false, &v);
	assert_int_equal(v.n, 1);
	struct instruction i = v.at[0];
	vec_release(&v);
	return i;
}

static void test_meaning(void **state)
{
	(void)state;
	struct instruction i = one("\x48\x8b\x47\x08", 4); /* mov 0x8(%rdi),%rax */
	assert_string_equal(i.text, "mov    0x8(%rdi),%rax");
	assert_true(i.mem.there && i.mem.load && !i.mem.store);
	assert_int_equal(i.mem.base, 5);
	assert_int_equal(i.mem.disp, 8);
	assert_int_equal(i.flow.dst, 0);
	i = one("\x89\x14\x8e", 3); /* mov %edx,(%rsi,%rcx,4) */
	assert_string_equal(i.text, "mov    %edx,(%rsi,%rcx,4)");
	assert_true(i.mem.store && !i.mem.load);
	assert_int_equal(i.mem.index, 2);
	assert_int_equal(i.mem.size, 4);
	i = one("\x48\x8b\x05\x10\x00\x00\x00", 7);
	assert_true(i.has_data && i.mem.rip);
	assert_int_equal(i.data, 0x401017);
	i = one("\x75\xfe", 2);
	assert_int_equal(i.kind, INSN_BRANCH);
	assert_int_equal(i.target, 0x401000);
	i = one("\xc3", 1);
	assert_int_equal(i.kind, INSN_RET);
}

static void test_no_program(void **state)
{
	(void)state;
	insns v = { 0 };
	struct disasm_code c = { (const uint8_t *)"\x90", 1, 0, NULL };
	assert_int_equal(disasm_run(&(struct disasm_options){ .objdump = "/nonexistent/objdump" }, &c, &v), -ENOENT);
	assert_non_null(strstr(error_message(), "/nonexistent/objdump"));
	error_clear();
	take_apart(&c, "objdump", false, &v); /* code that is in no file */
	assert_int_equal(v.n, 1);
	assert_string_equal(v.at[0].text, "nop");
	vec_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_objdump), cmocka_unit_test(test_anything), cmocka_unit_test(test_meaning), cmocka_unit_test(test_no_program),
	};
	return capstone_there() ? cmocka_run_group_tests(tests, NULL, NULL) : (fprintf(stderr, "SKIP: no libcapstone4\n"), 77);
}
