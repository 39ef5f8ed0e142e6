// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader on files made here, byte by byte: order in time, both byte orders, pipes, damage. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/file.h"
#include "session/session.h"
#include "tracedat/sound.h"
#include "perfdata/internal.h"
#include "perfdata/writer.h"

static bool big; /* write the other byte order */

static void p16(struct str *s, uint16_t v)
{
	v = big ? bswap_16(v) : v;
	str_addn(s, &v, 2);
}

static void p32(struct str *s, uint32_t v)
{
	v = big ? bswap_32(v) : v;
	str_addn(s, &v, 4);
}

static void p64(struct str *s, uint64_t v)
{
	v = big ? bswap_64(v) : v;
	str_addn(s, &v, 8);
}

static void head(struct str *s, uint32_t type, uint16_t misc, uint16_t size)
{
	p32(s, type);
	p16(s, misc);
	p16(s, size);
}

enum { TYPES = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN };

static void put_attr(struct str *s)
{
	size_t start = s->len;
	p32(s, PERF_TYPE_SOFTWARE);
	p32(s, 128);
	p64(s, PERF_COUNT_SW_TASK_CLOCK);
	p64(s, 4000); /* period */
	p64(s, TYPES);
	p64(s, 0); /* read_format */
	/* sample_id_all is bit 18 of the flags: from the other end in the other order */
	uint8_t flags[8] = { [2] = big ? 1 << 5 : 1 << 2 };
	str_addn(s, flags, 8);
	while (s->len < start + 128)
		str_addc(s, 0);
}

static void sample(struct str *s, uint64_t time, uint32_t tid)
{
	head(s, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 + 8 * 6);
	p64(s, 0x1234);
	p32(s, 77);
	p32(s, tid);
	p64(s, time);
	p64(s, 2); /* chain */
	p64(s, PERF_CONTEXT_USER);
	p64(s, 0x1234);
}

static void comm(struct str *s, uint64_t time, uint32_t tid, const char name[8])
{
	head(s, PERF_RECORD_COMM, 0, 8 + 8 * 4);
	p32(s, 77);
	p32(s, tid);
	str_addn(s, name, 8);
	p32(s, 77); /* sample_id */
	p32(s, tid);
	p64(s, time);
}

static void begin_file(struct str *f)
{
	p64(f, PERFDATA_MAGIC);
	p64(f, 104);
	p64(f, 144);
	p64(f, 112); /* attrs */
	p64(f, 144);
	p64(f, 256); /* data */
	p64(f, 0);
	while (f->len < 104)
		str_addc(f, 0);
	p64(f, 42); /* the id */
	put_attr(f);
	p64(f, 104);
	p64(f, 8);
}

static void begin_pipe(struct str *f)
{
	p64(f, PERFDATA_MAGIC);
	p64(f, 16);
	head(f, RECORD_HEADER_ATTR, 0, 8 + 128 + 8);
	put_attr(f);
	p64(f, 42);
}

static void end_file(struct str *f)
{
	uint64_t n = f->len - 256;
	n = big ? bswap_64(n) : n;
	memcpy(f->buf + 48, &n, 8);
}

static char path[64];

static struct perfdata *open_bytes(const struct str *f)
{
	snprintf(path, sizeof(path), "/tmp/sonde-perfdata-test.%d", getpid());
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, f->buf, f->len), f->len);
	close(fd);
	struct perfdata *p = perfdata_open(path, false);
	unlink(path);
	return p;
}

/* The times of the samples, in the order in which they come. */
static void expect_times(struct perfdata *p, const uint64_t *times, size_t n)
{
	struct perfdata_record r;
	int err;
	size_t i = 0;
	double done = 0;
	while ((err = perfdata_next(p, &r)) > 0) {
		double now = perfdata_done(p, r.file_offset);
		done = now > done ? now : done;
		if (r.header->type != PERF_RECORD_SAMPLE)
			continue;
		assert_true(i < n);
		assert_int_equal(r.time, times[i++]);
		assert_int_equal(r.pid, 77);
		assert_int_equal(r.n_chain, 2);
		assert_int_equal(r.chain[1], 0x1234);
		assert_int_equal(r.period, 4000);
		assert_string_equal(r.event->name, "task-clock");
	}
	assert_int_equal(err, 0);
	assert_int_equal(i, n);
	assert_true(done < 1);
	if (!perfdata_is_pipe(p) && n > 3)
		assert_true(done > 0.5); /* it begins with nothing, and the last one stands behind most */
}

static void body(struct str *f)
{
	sample(f, 10, 1);
	sample(f, 30, 1);
	sample(f, 20, 2); /* another ring */
	sample(f, 40, 2);
	head(f, RECORD_FINISHED_ROUND, 0, 8);
	sample(f, 25, 1); /* late, but not older than the round before the last */
	sample(f, 50, 1);
	head(f, RECORD_FINISHED_ROUND, 0, 8);
	sample(f, 45, 2);
	sample(f, 50, 2);
}
static const uint64_t in_order[] = { 10, 20, 25, 30, 40, 45, 50, 50 };

static void ordered(void **state)
{
	(void)state;
	for (int way = 0; way < 4; way++) {
		struct str f = STR_INIT;
		big = way & 1;
		way & 2 ? begin_pipe(&f) : begin_file(&f);
		body(&f);
		if (!(way & 2))
			end_file(&f);
		struct perfdata *p = open_bytes(&f);
		assert_non_null(p);
		assert_int_equal(perfdata_is_pipe(p), !!(way & 2));
		assert_int_equal(perfdata_n_events(p), 1);
		expect_times(p, in_order, 8);
		assert_int_equal(perfdata_stats(p)->samples, 8);
		perfdata_close(p);
		str_release(&f);
	}
	big = false;
}

/* Killed: the header's data size is still 0 and the last record is not whole. */
static void killed(void **state)
{
	struct str f = STR_INIT;
	(void)state;
	begin_file(&f);
	body(&f);
	for (size_t cut = 1; cut <= 48; cut += 47) {
		struct str part = STR_INIT;
		str_addn(&part, f.buf, f.len - cut);
		struct perfdata *p = open_bytes(&part);
		assert_non_null(p);
		expect_times(p, in_order, 7);
		perfdata_close(p);
		str_release(&part);
	}
	str_release(&f);
}

static void piped(void **state)
{
	struct str f = STR_INIT;
	int fd[2], saved = dup(0);
	(void)state;
	begin_pipe(&f);
	body(&f);
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], f.buf, f.len), f.len);
	close(fd[1]);
	dup2(fd[0], 0);
	close(fd[0]);
	struct perfdata *p = perfdata_open("-", false);
	assert_non_null(p);
	expect_times(p, in_order, 8);
	perfdata_close(p);
	dup2(saved, 0);
	close(saved);
	str_release(&f);
}

static void compressed(void **state)
{
	struct str f = STR_INIT, raw = STR_INIT;
	char packed[4096];
	(void)state;
	begin_file(&f);
	body(&raw);
	ZSTD_CStream *z = ZSTD_createCStream();
	ZSTD_initCStream(z, 3);
	for (size_t at = 0; at < raw.len;) { /* pieces that cut records */
		size_t n = raw.len - at < 100 ? raw.len - at : 100;
		ZSTD_inBuffer in = { raw.buf + at, n, 0 };
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
		ZSTD_compressStream(z, &out, &in);
		ZSTD_flushStream(z, &out);
		head(&f, RECORD_COMPRESSED, 0, 8 + out.pos);
		str_addn(&f, packed, out.pos);
		at += n;
	}
	ZSTD_freeCStream(z);
	end_file(&f);
	struct perfdata *p = open_bytes(&f);
	assert_non_null(p);
	expect_times(p, in_order, 8);
	assert_true(perfdata_info(p)->compressed);
	perfdata_close(p);
	str_release(&f);
	str_release(&raw);
}

static void refused(const struct str *f, const char *words)
{
	struct perfdata *p = open_bytes(f);
	struct perfdata_record r;
	int err = 0;
	while (p && (err = perfdata_next(p, &r)) > 0)
		;
	assert_true(!p || err < 0);
	if (!strstr(error_message(), words))
		fail_msg("'%s' lacks '%s'", error_message(), words);
	error_clear();
	perfdata_close(p);
}

static void damaged(void **state)
{
	struct str f = STR_INIT;
	(void)state;
	str_add(&f, "garbage, and more of it");
	refused(&f, "not a perf.data file");
	str_clear(&f);
	begin_file(&f);
	body(&f);
	end_file(&f);
	f.buf[8] = 120;
	refused(&f, "header of 120 bytes at offset 8");
	f.buf[8] = 104;
	f.buf[256 + 56 + 6] = 3; /* the second record's length */
	refused(&f, "offset 0x138: a record with a length below 8");
	f.buf[256 + 56 + 6] = 56;
	f.buf[256 + 56 + 8 + 24 + 4] = 9; /* its chain */
	refused(&f, "offset 0x138: a record is shorter than its contents");
	f.buf[256 + 56 + 8 + 24 + 4] = 0;
	memset(f.buf + 24, 0xff, 8);
	refused(&f, "offset 0x18");
	str_release(&f);
}

static void named(void **state)
{
	struct str f = STR_INIT;
	struct perfdata_record r;
	(void)state;
	for (int way = 0; way < 2; way++) {
		big = way;
		str_clear(&f);
		begin_file(&f);
		comm(&f, 5, 1, "alpha\0\0");
		sample(&f, 10, 1);
		sample(&f, 11, 2);
		comm(&f, 12, 2, "beta\0\0\0");
		sample(&f, 13, 2);
		end_file(&f);
		struct perfdata *p = open_bytes(&f);
		struct session *s = session_new(NULL);
		const char *want[] = { "alpha", ":2", "beta" };
		int i = 0;
		while (perfdata_next(p, &r) > 0) {
			session_feed(s, &r);
			if (r.header->type == PERF_RECORD_SAMPLE)
				assert_string_equal(session_thread(s, r.pid, r.tid)->comm, want[i++]);
		}
		assert_int_equal(i, 3);
		session_free(s);
		perfdata_close(p);
	}
	big = false;
	str_release(&f);
}

/* What the writer writes the reader reads, finished or not: samples without rings, names, build-ids. */
static void write_one(struct perfdata_writer *w)
{
	static const uint64_t id = 7, chain[] = { PERF_CONTEXT_USER, 0x10, 0x20 };
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(a), .config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_RAW,
		.sample_id_all = 1, .sample_period = 1 };
	struct perfdata_new_event e = { .attr = &a, .name = "calls", .ids = &id, .n_ids = 1 };
	struct { struct perf_event_header h; uint32_t pid, tid; char name[8]; } comm = {
		{ PERF_RECORD_COMM, 0, sizeof(comm) }, 5, 6, "gamma" };
	perfdata_add_event(w, &e);
	assert_int_equal(perfdata_begin(w), 0);
	assert_int_equal(perfdata_put(w, &comm.h), 0);
	for (int i = 0; i < 1000; i++) {
		struct perfdata_sample p = { .time = 100 + i, .pid = 5, .tid = 6, .cpu = 3, .chain = chain, .n_chain = 3,
					     .raw = "hello, world", .raw_size = 12 };
		assert_int_equal(perfdata_put_sample(w, 0, &p), 0);
	}
	struct build_id b = { .id = { 1, 2, 3 }, .n = 20 };
	perfdata_saw_build_id(w, "/bin/x", &b, false);
	perfdata_saw_build_id(w, "/bin/x", &b, false);
	assert_int_equal(perfdata_put_round(w), 0);
}

static void read_one(bool finished)
{
	struct perfdata *p = perfdata_open(path, false);
	struct session *s = session_new(NULL);
	const struct perfdata_build_id *b;
	struct perfdata_record r;
	int n = 0;
	assert_non_null(p);
	assert_string_equal(perfdata_event_at(p, 0)->name, "calls");
	assert_string_equal(perfdata_info(p)->cmdline->at[1], "b c");
	while (perfdata_next(p, &r) > 0) {
		session_feed(s, &r);
		if (r.header->type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(r.time, 100 + n++);
		assert_int_equal(r.cpu, 3);
		assert_int_equal(r.n_chain, 3);
		assert_int_equal(r.raw_size, 12);
		assert_memory_equal(r.raw, "hello, world", 12);
		assert_string_equal(session_thread(s, r.pid, r.tid)->comm, "gamma");
	}
	assert_int_equal(n, 1000);
	assert_int_equal(perfdata_build_ids(p, &b), finished);
	if (finished) {
		assert_string_equal(b[0].path, "/bin/x");
		assert_int_equal(perfdata_info(p)->first_sample, 100);
		assert_int_equal(perfdata_info(p)->last_sample, 1099);
	}
	session_free(s);
	perfdata_close(p);
}

static void written(void **state)
{
	char *const argv[] = { (char *)"a", (char *)"b c", NULL };
	(void)state;
	snprintf(path, sizeof(path), "/tmp/sonde-perfdata-test.%d", getpid());
	for (int way = 0; way < 4; way++) {
		struct perfdata_writer_options o = { .path = path, .argv = argv, .compress = way & 1, .keep_old = true };
		struct perfdata_writer *w = perfdata_create(&o);
		assert_non_null(w);
		write_one(w);
		if (way & 2)
			assert_int_equal(perfdata_finish(w), 0);
		perfdata_writer_free(w);
		read_one(way & 2);
	}
	unlink(path);
}

/* What libtraceevent is given: every format of this kernel, and none that it would stumble on. */
static void sound(void **state)
{
	const char *start = "name: a\nID: 7\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n", *good[] = {
		"\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\nprint fmt: \"%d\", REC->common_pid / 2\n",
		"\tfield:__data_loc u8[] d;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"%d\", REC->common_pid / (1000 * 1000L)\n",
		"\nprint fmt: \"%s%%\", __print_flags(REC->common_pid, \"|\", { 1, \"A\" })\n",
	}, *bad[] = {
		"\tfield:long a[\6];\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n",
		"\tfield:long;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n",
		"\tfield:long a[1][2];\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n",
		"\tfield:long a;\toffset:x;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n",
		"\nprint fmt: \"%d\", REC->common_pi\n", "\nprint fmt: \"%d\", REC->common_pid / 0\n", "\nprint fmt: \"%d\", REC->a % REC->b\n", "\nprint fmt: \"%d\", 1 / (1 - 1)\n",
		"\nprint fmt: \"%d\", (REC->a\n", "\nprint fmt: \"%123456d\", REC->a\n", "\nprint fmt: \"%d\n", "\n",
	};
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good) + sizeof(bad) / sizeof(*bad); i++) {
		size_t n = sizeof(good) / sizeof(*good);
		char *f = xasprintf("%s%s", start, i < n ? good[i] : bad[i - n]);
		assert_int_equal(format_sound(f), i < n);
		free(f);
	}
	glob_t all;
	if (glob("/sys/kernel/tracing/events/*/*/format", 0, NULL, &all))
		return; /* not for this user */
	for (size_t i = 0; i < all.gl_pathc; i++) {
		struct str f = STR_INIT;
		if (file_read(all.gl_pathv[i], &f, 1 << 20) >= 0 && !format_sound(f.buf))
			fail_msg("%s is not taken", all.gl_pathv[i]);
		str_release(&f);
	}
	globfree(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ordered), cmocka_unit_test(killed), cmocka_unit_test(piped),
		cmocka_unit_test(compressed), cmocka_unit_test(damaged), cmocka_unit_test(named),
		cmocka_unit_test(written), cmocka_unit_test(sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
