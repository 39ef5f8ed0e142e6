// SPDX-License-Identifier: GPL-2.0-or-later
/* Archives go there and back; those that lie are refused and leave nothing behind. */
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
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include "base/error.h"
#include "base/file.h"
#include "symbol/file/archive.h"
#include "symbol/file/tar.h"
#include "symbol/file/tar_header.h"

static char folder[] = "/tmp/sonde-unit.XXXXXX", file[64], data[64];

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	setenv("TMPDIR", folder, 1);
	snprintf(file, sizeof(file), "%s/a.sonde", folder);
	snprintf(data, sizeof(data), "%s/data", folder);
	int fd = open(data, O_WRONLY | O_CREAT, 0600);
	return write(fd, "PERFILE2...", 11) == 11 ? close(fd) : -1;
}

static int teardown(void **state)
{
	(void)state;
	unlink(file);
	unlink(data);
	return rmdir(folder); /* fails when an unpacked folder was left */
}

static void there_and_back(void **state)
{
	(void)state;
	struct symbols *s = symbols_new(NULL);
	struct frame f, g;
	struct archive_stats stats;
	struct archive a;
	uint64_t ip = (uint64_t)(uintptr_t)there_and_back + 1;
	symbols_live(s, getpid());
	symbols_resolve(s, getpid(), ip, SYM_USER, &f);
	assert_int_equal(archive_write(file, data, s, &stats), 0);
	assert_int_equal(stats.files, 1);
	assert_true(stats.packed < stats.bytes);
	assert_int_equal(archive_open(&a, file, false), 0);
	struct str text = STR_INIT;
	assert_int_equal(file_read(a.data, &text, 100), 0);
	assert_string_equal(text.buf, "PERFILE2...");
	str_release(&text);
	/* Another machine: no such path, only the build-id leads to the file. */
	struct symbols *other = symbols_new(&(struct symbols_options){ .archive = a.folder, .offline = true });
	symbols_map(other, 1, ip & ~(uint64_t)4095, 4096, (f.offset & ~(uint64_t)4095), 5, "/elsewhere/program", &f.dso->build_id);
	symbols_resolve(other, 1, ip, SYM_USER, &g);
	assert_string_equal(g.sym, "there_and_back");
	symbols_free(other);
	symbols_free(s);
	archive_close(&a);
}

static void not_an_archive(void **state)
{
	(void)state;
	struct archive a;
	assert_int_equal(archive_open(&a, data, false), -ENOEXEC);
	assert_int_equal(archive_open(&a, "/nosuch", false), -ENOEXEC);
	assert_false(error_pending());
}

/* A packed tar with the given second file. */
static void make(const char *name, char type, int bend, size_t cut)
{
	char plain[8192] = "";
	struct tar_header *h = (struct tar_header *)plain;
	tar_header_make(h, "sonde-archive", 0);
	tar_header_make(h + 1, name, 5);
	h[1].type = type;
	char digits[16];
	snprintf(digits, sizeof(digits), "%06o", tar_header_sum(&h[1]) + bend);
	memcpy(h[1].sum, digits, 7);
	memcpy(h + 2, "hello", 5);
	char packed[8192];
	size_t n = ZSTD_compress(packed, sizeof(packed), plain, sizeof(plain), 1);
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(write(fd, packed, cut && cut < n ? cut : n) > 0);
	close(fd);
}

static void hostile(void **state)
{
	(void)state;
	static const char *const names[] = { "../evil", "/tmp/evil", "a/../../evil", "a//b", ".build-id/./x", "a b", "a\nb", "x/", "a/b/c/d/e/f" };
	struct archive a;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		make(names[i], '0', 0, 0);
		assert_int_equal(archive_open(&a, file, false), -EBADMSG);
		assert_non_null(strstr(error_message(), "is no archive of sonde"));
		error_clear();
	}
	make("link", '2', 0, 0);
	assert_int_equal(archive_open(&a, file, false), -EBADMSG);
	make("perf.data", '0', 1, 0);
	assert_int_equal(archive_open(&a, file, false), -EBADMSG);
	make("sonde-archive", '0', 0, 0); /* twice the same name */
	assert_int_equal(archive_open(&a, file, false), -EEXIST);
	make("other", '0', 0, 0);
	assert_int_equal(archive_open(&a, file, false), -EBADMSG);
	assert_non_null(strstr(error_message(), "holds no recording"));
	for (size_t cut = 5; cut < 60; cut += 7) {
		make("perf.data", '0', 0, cut);
		assert_true(archive_open(&a, file, false) < 0);
	}
	error_clear();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back), cmocka_unit_test(not_an_archive), cmocka_unit_test(hostile),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
