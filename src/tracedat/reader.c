// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracedat/reader.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tracedat/inner.h"

bool tracedat_is(const void *start, size_t n)
{
	const char *z = start;
	/* perf.data's tracing data begins alike, with version 0.6 */
	return n > TRACEDAT_MAGIC_LEN + 1 && !memcmp(z, TRACEDAT_MAGIC, TRACEDAT_MAGIC_LEN) && z[TRACEDAT_MAGIC_LEN] >= '1' &&
	       z[TRACEDAT_MAGIC_LEN] <= '9';
}

static int not_mine(const struct tracedat *t, const uint8_t *start)
{
	error_set(EINVAL, "%s is no trace.dat file", t->path);
	return error_hint(start && !memcmp(start, "PERFILE2", 8) ? "it is a perf.data: sonde script -i FILE prints it, sonde report what took the time" :
								    "sonde ftrace record and trace-cmd record make them");
}

static int read_version(struct tracedat *t, struct dat_taker *k)
{
	const uint16_t one = 1;
	bool local_big = !*(const uint8_t *)&one;
	const uint8_t *magic = take_bytes(k, TRACEDAT_MAGIC_LEN);
	if (!magic || memcmp(magic, TRACEDAT_MAGIC, TRACEDAT_MAGIC_LEN))
		return not_mine(t, magic);
	char *version = take_text(k);
	if (!version)
		return tracedat_damaged(t, TRACEDAT_MAGIC_LEN, "it has no version");
	*vec_push(&t->owned) = version;
	t->info.version = version;
	t->info.file_version = atoi(version);
	if (t->info.file_version != 6 && t->info.file_version != 7) {
		error_set(EINVAL, "%s is a trace.dat file of version %s, which is not known", t->path, version);
		return error_hint("versions 6 and 7 are read: trace-cmd convert makes one of the other");
	}
	t->info.big_endian = take_number(k, 1) == 1;
	t->info.long_size = (int)take_number(k, 1);
	t->swap = t->info.big_endian != local_big;
	t->info.page_size = (int)take_number(k, 4);
	if (k->bad)
		return tracedat_damaged(t, k->pos, "it ends in its head");
	if (t->info.page_size < 64 || t->info.page_size > TRACEDAT_PAGE_MAX || t->info.page_size & (t->info.page_size - 1))
		return tracedat_damaged(t, k->pos - 4, "pages of that size are not to be had");
	ring_shape_default(&t->shape, t->swap, t->info.big_endian, t->info.long_size);
	return 0;
}

/* ---- version 7: sections ---- */

static int read_options(struct tracedat *t, uint64_t at, uint64_t *next)
{
	struct section s;
	struct dat_taker k;
	uint8_t *owned;
	int err = section_head(t, at, PART_OPTIONS, &s);
	if (err || (err = section_open(t, &s, &k, &owned)))
		return err;
	*next = 0;
	while (!err) {
		uint64_t offset = taker_offset(&k);
		uint16_t id = take_number(&k, 2);
		uint32_t n = take_number(&k, 4);
		const uint8_t *data = take_bytes(&k, n);
		if (!data) {
			err = tracedat_damaged(t, offset, "an option is cut off");
		} else if (id == OPTION_DONE) {
			struct dat_taker d = { .t = t, .mem = data, .end = n };
			*next = take_number(&d, 8);
			break;
		} else {
			err = option_take(t, id, data, n, offset);
		}
	}
	take_release(&k);
	free(owned);
	return err;
}

static int read_v7(struct tracedat *t, struct dat_taker *k)
{
	char *name = take_text(k), *version = take_text(k);
	uint64_t at = take_number(k, 8);
	int err = 0;
	if (name)
		*vec_push(&t->owned) = name;
	free(version);
	if (k->bad)
		return tracedat_damaged(t, k->pos, "it ends in its head");
	if (!at) {
		error_set(EINVAL, "%s was never finished: it does not say where its records are", t->path);
		return error_hint("its recorder was killed");
	}
	if (!packing_known(name, &t->packing)) {
		error_set(EINVAL, "%s is packed with %s, which is not known", t->path, name);
		return error_hint("zstd and zlib are: trace-cmd convert --compression zstd -i OLD -o NEW");
	}
	t->info.packing = name;
	while (at && !err) {
		uint64_t next;
		if (t->info.options > TRACEDAT_OPTIONS_MAX)
			return tracedat_damaged(t, at, "there is no end to its options");
		err = read_options(t, at, &next);
		if (!err && next && next <= at)
			return tracedat_damaged(t, at, "its options go round in a circle");
		at = err ? at : next;
	}
	return err;
}

/* ---- version 6: one part after the other ---- */

static int options_v6(struct tracedat *t, struct dat_taker *k)
{
	for (int n = 0; n < TRACEDAT_OPTIONS_MAX; n++) {
		uint64_t offset = taker_offset(k);
		uint16_t id = take_number(k, 2);
		if (!id && !k->bad)
			return 0;
		uint32_t size = take_number(k, 4);
		const uint8_t *data = take_bytes(k, size);
		if (!data)
			return tracedat_damaged(t, offset, "an option is cut off");
		uint8_t *copy = xmalloc(size + 1);
		memcpy(copy, data, size);
		/* ids above these are sections, which this version has not */
		int err = id <= OPTION_TSC2NSEC ? option_take(t, id, copy, size, offset) : 0;
		free(copy);
		if (err)
			return err;
	}
	return tracedat_damaged(t, taker_offset(k), "there is no end to its options");
}

static int read_data_v6(struct tracedat *t, struct dat_taker *k)
{
	const uint8_t *word = take_bytes(k, 10);
	int err = 0;
	size_t first = t->buffer.n;
	if (word && !memcmp(word, "options  ", 10)) {
		err = options_v6(t, k);
		if (err)
			return err;
		word = take_bytes(k, 10);
	}
	first = t->buffer.n - first;
	if (word && !memcmp(word, "flyrecord", 10)) {
		err = buffers_v6(t, k, t->info.cpus);
	} else if (word && !memcmp(word, "latency  ", 10)) {
		struct tracedat_buffer b = { .name = xstrdup(""), .clock = xstrdup("local"), .text = true, .offset = k->pos,
					     .page_size = (uint32_t)t->info.page_size };
		err = buffer_add(t, &b, false);
		vec_last(&t->inner)->text_at = k->pos;
		vec_last(&t->inner)->text_size = t->size - k->pos;
	} else {
		return tracedat_damaged(t, k->pos, "neither records nor a text are there");
	}
	for (size_t i = t->buffer.n - 1; i > 0 && first; i--, first--) { /* the top one comes first */
		struct tracedat_buffer b = t->buffer.at[i];
		struct buffer_inner in = t->inner.at[i];
		t->buffer.at[i] = t->buffer.at[i - 1];
		t->inner.at[i] = t->inner.at[i - 1];
		t->buffer.at[i - 1] = b;
		t->inner.at[i - 1] = in;
	}
	return err;
}

static int read_v6(struct tracedat *t, struct dat_taker *k)
{
	int err = meta_headers(t, k);
	if (err || (err = meta_ftrace_formats(t, k)) || (err = meta_formats(t, k)))
		return err;
	t->kallsyms.at = k->pos;
	uint32_t n = take_number(k, 4);
	if (k->bad || n > k->end - k->pos)
		return tracedat_damaged(t, k->pos, "the kernel's symbols are cut off");
	k->pos += n;
	if ((err = meta_printk(t, k)) || (err = meta_cmdlines(t, k)))
		return err;
	uint32_t cpus = take_number(k, 4);
	if (k->bad || cpus > TRACEDAT_CPUS_MAX)
		return tracedat_damaged(t, k->pos, "so many CPUs are not to be had");
	t->info.cpus = (int)cpus;
	return read_data_v6(t, k);
}

/* ---- all ---- */

static void settle(struct tracedat *t)
{
	vec_each(&t->inner, in)
		in->tsc = t->info.has_tsc && (!strcmp(in->clock, "x86-tsc") || !strcmp(in->clock, "tsc2nsec"));
	if (!t->info.cpus && t->buffer.n)
		t->info.cpus = (int)t->buffer.at[0].n_cpu;
	t->info.cpustats = &t->cpustats;
	times_settle(t);
}

static int open_all(struct tracedat *t)
{
	struct stat st;
	if (t->fd < 0 || fstat(t->fd, &st)) {
		int err = errno;
		error_sys(err, "cannot open %s", t->path);
		return err == ENOENT ? error_hint("sonde ftrace record makes one: sonde ftrace record -e sched -- sleep 3") : -err;
	}
	if (!S_ISREG(st.st_mode))
		return error_set(EINVAL, "%s is no plain file, as a trace.dat must be", t->path);
	t->size = st.st_size;
	t->info.captured_at = st.st_mtime;
	t->info.owner = st.st_uid;
	struct dat_taker k = { .t = t, .end = t->size };
	int err = read_version(t, &k);
	if (!err)
		err = t->info.file_version == 7 ? read_v7(t, &k) : read_v6(t, &k);
	take_release(&k);
	if (!err)
		settle(t);
	return err;
}

struct tracedat *tracedat_open_fd(int fd, const char *path)
{
	struct tracedat *t = xcalloc(1, sizeof(*t));
	t->fd = fd;
	t->path = xstrdup(path);
	t->by_id = xcalloc(65536, sizeof(*t->by_id));
	if (!open_all(t))
		return t;
	tracedat_close(t);
	return NULL;
}

struct tracedat *tracedat_open(const char *path)
{
	path = path ? path : "trace.dat";
	return tracedat_open_fd(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path);
}

void tracedat_close(struct tracedat *t)
{
	if (!t)
		return;
	vec_each(&t->inner, in) {
		for (size_t i = 0; i < in->n_reel; i++)
			reel_release(&in->reel[i]);
		free(in->reel);
		free(in->cpus);
		free(in->name);
		free(in->clock);
	}
	vec_each(&t->option, o)
		free(o->data);
	vec_release(&t->inner);
	vec_release(&t->buffer);
	vec_release(&t->option);
	wordlist_release(&t->cpustats);
	meta_release(t);
	if (t->fd >= 0)
		close(t->fd);
	free(t->path);
	free(t);
}

size_t tracedat_buffers(const struct tracedat *t, const struct tracedat_buffer **out)
{
	*out = t->buffer.at;
	return t->buffer.n;
}

struct ring_shape tracedat_shape(const struct tracedat *t)
{
	return t->shape;
}

const struct tracedat_info *tracedat_info(const struct tracedat *t)
{
	return &t->info;
}

int tracedat_text(struct tracedat *t, size_t buffer, struct str *out)
{
	struct section s;
	struct dat_taker k;
	uint8_t *owned = NULL;
	if (buffer >= t->buffer.n || !t->buffer.at[buffer].text)
		return 0;
	const struct buffer_inner *in = &t->inner.at[buffer];
	int err = 0;
	if (t->info.file_version >= 7) {
		err = section_head(t, t->buffer.at[buffer].offset, PART_TEXT, &s);
		if (!err)
			err = section_open(t, &s, &k, &owned);
	} else {
		k = (struct dat_taker){ .t = t, .pos = in->text_at, .end = in->text_at + in->text_size };
	}
	if (err)
		return err;
	uint64_t n = k.end - k.pos;
	const uint8_t *text = take_bytes(&k, n);
	if (text)
		str_addn(out, text, n);
	take_release(&k);
	free(owned);
	return text || !n ? 0 : tracedat_damaged(t, taker_offset(&k), "its text cannot be read");
}
