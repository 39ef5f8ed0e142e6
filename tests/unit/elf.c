// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF files that lie: cut, bent and absurd headers must never be believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "symbol/unwind/cfi.h"
#include "symbol/file/elffile.h"
#include "symbol/symtab.h"

static const char victim[] = "/bin/true";

static char *read_victim(size_t *n)
{
	struct str s = STR_INIT;
	assert_int_equal(file_read(victim, &s, 16 << 20), 0);
	*n = s.len;
	return str_detach(&s);
}

/* Everything that looks into an ELF file, on a copy. Returns what opening said. */
static int look_into(const void *image, size_t n)
{
	struct elf_file e, inner;
	struct build_id id;
	char *copy = xmalloc(n + 1);
	memcpy(copy, image, n);
	int err = elf_open_memory(&e, copy, n);
	if (err)
		return err;
	struct symtab t = { 0 };
	elf_build_id(&e, &id);
	if (!elf_open_debugdata(&e, &inner))
		elf_close(&inner);
	symtab_load_elf(&t, &e, &e);
	for (size_t i = 0; i < t.sym.n && i < 50; i++)
		symtab_name(&t, &t.sym.at[i]);
	symtab_find(&t, 0x2000);
	struct cfi *c = cfi_open(&e, NULL);
	for (uint64_t a = 0; a < 0x8000; a += 0x101)
		cfi_find(c, a);
	cfi_free(c);
	symtab_release(&t);
	elf_close(&e);
	return 0;
}

static void a_good_one(void **state)
{
	(void)state;
	size_t n;
	char *image = read_victim(&n);
	assert_int_equal(look_into(image, n), 0);
	free(image);
}

static void cut_anywhere(void **state)
{
	(void)state;
	size_t n;
	char *image = read_victim(&n);
	for (size_t len = 0; len < 0x400; len += 7)
		look_into(image, len);
	for (size_t len = 0x400; len < n; len += 997)
		look_into(image, len);
	assert_int_equal(look_into(image, 3), -ENOEXEC);
	assert_int_equal(look_into("#!/bin/sh\n", 10), -ENOEXEC);
	free(image);
}

static uint32_t random_state = 12345;
static uint32_t next_random(void)
{
	return random_state = random_state * 1664525 + 1013904223;
}

static void bent_anywhere(void **state)
{
	(void)state;
	size_t n;
	char *image = read_victim(&n), *bent = xmalloc(n);
	Elf64_Ehdr h;
	memcpy(&h, image, sizeof(h));
	for (int round = 0; round < 1500; round++) {
		memcpy(bent, image, n);
		for (int k = 0; k < 4; k++) {
			/* Mostly where it hurts: the headers at both ends. */
			uint32_t r = next_random() >> 4;
			size_t at = round % 3 == 0 ? r % 0x400 : round % 3 == 1 ? h.e_shoff + r % (n - h.e_shoff) : r % n;
			bent[at] = round & 1 ? (char)0xff : (char)(next_random() >> 16);
		}
		look_into(bent, n);
	}
	free(bent);
	free(image);
}

static void huge_counts(void **state)
{
	(void)state;
	size_t n;
	char *image = read_victim(&n);
	Elf64_Ehdr *h = (Elf64_Ehdr *)image;
	h->e_shnum = 0; /* then the count comes from the first section */
	Elf64_Shdr *s = (Elf64_Shdr *)(image + h->e_shoff);
	s->sh_size = UINT64_MAX;
	assert_int_equal(look_into(image, n), -EBADMSG);
	s->sh_size = UINT64_MAX / 64;
	assert_int_equal(look_into(image, n), -EBADMSG);
	free(image);
}

static void sections_on_top_of_each_other(void **state)
{
	(void)state;
	size_t n;
	char *image = read_victim(&n);
	Elf64_Ehdr *h = (Elf64_Ehdr *)image;
	Elf64_Shdr *s = (Elf64_Shdr *)(image + h->e_shoff);
	for (int i = 1; i < h->e_shnum; i++) {
		s[i].sh_offset = s[1].sh_offset;
		s[i].sh_size = n - s[1].sh_offset;
	}
	assert_int_equal(look_into(image, n), 0);
	free(image);
}

static void other_byte_order(void **state)
{
	(void)state;
	size_t n;
	char *image = read_victim(&n);
	image[EI_DATA] = ELFDATA2MSB;
	assert_int_equal(look_into(image, n), -ENOTSUP);
	free(image);
}

static void a_bomb_in_a_section(void **state)
{
	(void)state;
	struct { Elf64_Ehdr h; Elf64_Shdr s[2]; Elf64_Chdr c; uint8_t z[64]; } image = {
		.h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 }, .e_shoff = sizeof(Elf64_Ehdr),
			.e_shnum = 2, .e_shentsize = sizeof(Elf64_Shdr) },
		.s[1] = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_COMPRESSED, .sh_offset = offsetof(__typeof__(image), c), .sh_size = sizeof(Elf64_Chdr) + 64 },
		.c = { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = 1 << 29 },
	};
	struct elf_file e;
	size_t n;
	void *copy = xmalloc(sizeof(image));
	memcpy(copy, &image, sizeof(image));
	assert_int_equal(elf_open_memory(&e, copy, sizeof(image)), 0);
	assert_null(elf_contents(&e, &e.sec[1], &n));
	elf_close(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_one), cmocka_unit_test(cut_anywhere), cmocka_unit_test(bent_anywhere), cmocka_unit_test(huge_counts),
		cmocka_unit_test(sections_on_top_of_each_other), cmocka_unit_test(other_byte_order), cmocka_unit_test(a_bomb_in_a_section),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
