// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

enum { PACKED = 1 << 16, GZIP_HEAD = 16 /* added to the window's bits: a gzip head */ };
struct export_gzip {
	z_stream z;
	uint8_t packed[PACKED];
};

void sink_init(struct export_sink *s, struct out *out, struct str *memory, bool gzip)
{
	*s = (struct export_sink){ .out = out, .memory = memory };
	if (!gzip)
		return;
	s->gzip = xcalloc(1, sizeof(*s->gzip));
	if (deflateInit2(&s->gzip->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_HEAD, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
}

static int put(struct export_sink *s, const void *p, size_t n)
{
	if (!s->out) {
		str_addn(s->memory, p, n);
		return 0;
	}
	out_write(s->out, p, n);
	return s->out->err;
}

static int pack(struct export_sink *s, const void *p, size_t n, int flush)
{
	z_stream *z = &s->gzip->z;
	int err = 0;
	z->next_in = (void *)p;
	z->avail_in = n;
	do {
		z->next_out = s->gzip->packed;
		z->avail_out = PACKED;
		deflate(z, flush);
		err = put(s, s->gzip->packed, PACKED - z->avail_out);
	} while (!err && !z->avail_out);
	return err;
}

static int sink_write(struct export_sink *s, const void *p, size_t n)
{
	enum { PART = 1 << 30 }; /* zlib counts in 32 bits */
	s->written += n;
	if (!s->gzip)
		return put(s, p, n);
	int err = 0;
	for (size_t at = 0; at < n && !err; at += PART)
		err = pack(s, (const char *)p + at, n - at < PART ? n - at : PART, Z_NO_FLUSH);
	return err;
}

int sink_str(struct export_sink *s, struct str *text)
{
	int err = sink_write(s, text->buf, text->len);
	str_clear(text);
	return err;
}

int sink_end(struct export_sink *s)
{
	int err = 0;
	if (s->gzip) {
		err = pack(s, "", 0, Z_FINISH);
		deflateEnd(&s->gzip->z);
		free(s->gzip);
		s->gzip = NULL;
	}
	return err;
}
