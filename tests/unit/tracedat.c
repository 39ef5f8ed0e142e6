// SPDX-License-Identifier: GPL-2.0-or-later
/* trace.dat: ring pages, files written and read back in each form, and what is cut or wrong. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/error.h"
#include "base/file.h"
#include "tracedat/packer.h"
#include "tracedat/writer.h"

enum { PAGE = 4096, EVENTS = 500 };
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char format[] = "name: tick\nID: 77\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			     "print fmt: \"n=%llu\", REC->n\n";

static uint64_t time_of(int i)
{
	return 1000 + (uint64_t)i * 10 + (i > 100 ? 1ull << 40 : 0); /* one step that needs more than a word */
}

/* Events of many sizes, the first of page two after a loss. */
static int pages(int cpu)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);
	struct ring_shape shape;
	struct ring_packer p;
	uint8_t rec[400] = { 77, 0 };
	ring_shape_default(&shape, false, false, 8);
	ring_packer_init(&p, &shape, fd, PAGE);
	rec[4] = (uint8_t)(40 + cpu);
	for (int i = 0; i < EVENTS; i++) {
		uint32_t size = 16 + (uint32_t)(i * 7 % 300 / 4 * 4);
		rec[8] = (uint8_t)i;
		assert_int_equal(ring_packer_put(&p, time_of(i) + (uint64_t)cpu, rec, size, i == 60 ? 12 : 0), 0);
	}
	assert_int_equal(ring_packer_flush(&p), 0);
	ring_packer_release(&p);
	return fd;
}

static void write_one(const char *path, int version, const char *packing)
{
	struct tracedat_new n;
	struct tracedat_write_options o = { .path = path, .version = version, .packing = packing };
	uint64_t bytes;
	tracedat_new_init(&n);
	str_add(&n.header_page, header_page);
	str_add(&n.cmdlines, "40 forty\n41 forty-one\n");
	str_add(&n.kallsyms, "ffffffff81000000 T first\nffffffff81000100 T second\nffffffff81000200 T third\n");
	*vec_push(&n.formats) = (struct new_format){ xstrdup("clock"), xstrdup(format) };
	tracedat_new_usual(&n);
	n.cpus = 2;
	for (int b = 0; b < 2; b++) {
		struct new_buffer *nb = vec_push(&n.buffers);
		*nb = (struct new_buffer){ .name = xstrdup(b ? "second" : ""), .clock = xstrdup("mono"), .text = STR_INIT };
		for (int cpu = 0; cpu < 2; cpu++) {
			int fd = pages(cpu);
			*vec_push(&nb->cpu) = (struct new_pages){ .cpu = cpu, .fd = fd, .size = (uint64_t)lseek(fd, 0, SEEK_END) };
		}
	}
	assert_int_equal(tracedat_write(&n, &o, &bytes), 0);
	vec_each(&n.buffers, b)
		vec_each(&b->cpu, c)
			close(c->fd);
	tracedat_new_release(&n);
}

static void check_one(const char *path)
{
	struct tracedat *t = tracedat_open(path);
	struct tracedat_record r;
	const struct tracedat_buffer *b;
	uint64_t last = 0, lost = 0, start;
	int n = 0;
	assert_non_null(t);
	assert_int_equal(tracedat_buffers(t, &b), 2);
	assert_string_equal(b[0].name, "");
	assert_string_equal(b[1].name, "second");
	assert_string_equal(b[1].clock, "mono");
	while (tracedat_next(t, &r) > 0) {
		int i = n++ / 4;
		assert_int_equal(r.time, time_of(i) + (uint64_t)r.cpu);
		assert_true(r.time >= last);
		assert_int_equal(r.type, 77);
		assert_int_equal(r.pid, 40 + r.cpu);
		assert_int_equal(r.data[8], (uint8_t)i);
		assert_true(r.size >= 16);
		lost += r.lost > 0 ? (uint64_t)r.lost : 0;
		last = r.time;
	}
	assert_int_equal(n, 4 * EVENTS);
	assert_int_equal(lost, 4 * 12);
	assert_string_equal(tracedat_comm(t, 41), "forty-one");
	assert_string_equal(tracedat_comm(t, 99), "<...>");
	assert_string_equal(tracedat_function(t, 0xffffffff81000142, &start), "second");
	assert_int_equal(start, 0xffffffff81000100);
	assert_non_null(tracedat_event(t, 77));
	assert_null(tracedat_event(t, 78));
	tracedat_close(t);
}

static const struct { int version; const char *packing; } forms[] = { { 6, "none" }, { 7, "none" }, { 7, "zstd" }, { 7, "zlib" } };

static void round_trip(void **state)
{
	char path[] = "/tmp/sonde-tracedat-XXXXXX";
	(void)state;
	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		write_one(path, forms[i].version, forms[i].packing);
		check_one(path);
	}
	unlink(path);
}

/* However short, and with any byte other than it was: an error with a sentence, or fewer records. */
static void damaged(void **state)
{
	char path[] = "/tmp/sonde-tracedat-XXXXXX";
	(void)state;
	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct str whole = STR_INIT;
		write_one(path, forms[i].version, forms[i].packing);
		assert_true(file_read(path, &whole, 64 << 20) >= 0);
		for (size_t k = 0; k < whole.len; k += k < 600 ? 13 : 1777) {
			int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
			bool cut = k / 13 % 2;
			char was = whole.buf[k];
			whole.buf[k] ^= cut ? 0 : 0x81;
			assert_true(write(fd, whole.buf, cut ? k : whole.len) >= 0);
			whole.buf[k] = was;
			close(fd);
			struct tracedat *t = tracedat_open(path);
			struct tracedat_record r;
			int got = t ? 1 : -1;
			while (got > 0)
				got = tracedat_next(t, &r);
			if (got < 0)
				assert_true(error_pending());
			error_clear();
			tracedat_close(t);
		}
		str_release(&whole);
	}
	unlink(path);
}

static void hostile_page(void **state)
{
	uint8_t page[PAGE];
	struct ring_shape shape;
	struct ring_page p;
	struct ring_event e;
	(void)state;
	ring_shape_default(&shape, false, false, 8);
	srand(7);
	for (int round = 0; round < 3000; round++) {
		for (size_t i = 0; i < sizeof(page); i++)
			page[i] = (uint8_t)(rand() >> 7);
		page[8] = (uint8_t)round;
		page[9] = (uint8_t)(round >> 8 & 15);
		page[10] = page[12] = page[13] = page[14] = page[15] = 0;
		if (!ring_page_begin(&p, &shape, page, sizeof(page)))
			continue;
		while (ring_page_next(&p, &e) > 0)
			assert_true(e.data >= page + 16 && e.data + e.size <= page + sizeof(page));
	}
	assert_false(ring_page_begin(&p, &shape, page, 8));
	assert_false(ring_shape_parse(&shape, "\tfield: local_t commit;\toffset:4;\tsize:8;\n\tfield: char data;\toffset:16;\n"));
	assert_true(ring_shape_parse(&shape, header_page));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(round_trip), cmocka_unit_test(damaged), cmocka_unit_test(hostile_page) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
