// SPDX-License-Identifier: GPL-2.0-or-later
/* A file is whole at any moment, for perf as well. perf looks for the table of feature sections right
 * behind the data, and wants the formats of tracepoints from there. So now and then the table is put
 * behind what was written, and the header told that the data ends before it; its sections were written
 * beforehand, in the gap before the data. The data then goes on behind the table: its first entry, of a
 * feature that has no meaning (bit 0), is at the same time the head of a record that all readers step
 * over. Nothing is written twice, so it does not matter when the recorder is killed. */
#include <errno.h>
#include <time.h>
#include <unistd.h>
#include "perfdata/writer_inner.h"

enum { SHARE = 16 }; /* a new mark when a 16th was added, or after a second */

static void pad(struct perfdata_writer *w)
{
	while ((w->offset + w->buf.len) % 8)
		str_addc(&w->buf, 0);
}

void checkpoint_sections(struct perfdata_writer *w)
{
	struct perfdata_mark head = { { RECORD_HEADER_EVENT_TYPE, PERFDATA_MARK, 0 }, 0 };
	uint64_t bits[4] = { 1 };
	struct str s = STR_INIT;
	str_clear(&w->mark);
	str_addn(&w->mark, &head, sizeof(head));
	for (unsigned f = FEATURE_TRACING_DATA; f < FEATURE_END; f++) {
		str_clear(&s);
		if (f != FEATURE_BUILD_ID && f != FEATURE_SAMPLE_TIME)
			writer_feature(w, f, &s);
		if (!s.len)
			continue;
		pad(w);
		struct perfdata_section at = { w->offset + w->buf.len, s.len };
		str_addn(&w->buf, s.buf, s.len);
		str_addn(&w->mark, &at, sizeof(at));
		bits[f / 64] |= 1ull << f % 64;
	}
	pad(w);
	str_addn(&w->mark, bits, sizeof(bits));
	head.header.size = w->mark.len;
	memcpy(w->mark.buf, &head, sizeof(head));
	memcpy(w->mark_bits, bits, sizeof(bits));
	str_release(&s);
}

bool checkpoint_due(const struct perfdata_writer *w)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return !w->pipe && (t.tv_sec != w->marked_at || (w->offset - w->marked) * SHARE > w->offset);
}

int checkpoint_put(struct perfdata_writer *w)
{
	struct perfdata_file_header h = w->header;
	struct timespec t;
	h.data.size = w->offset + w->buf.len - h.data.offset;
	memcpy(h.features, w->mark_bits, sizeof(h.features));
	str_addn(&w->buf, w->mark.buf, w->mark.len);
	if (!w->offset) /* it has not been written yet */
		memcpy(w->buf.buf, &h, sizeof(h));
	int err = writer_flush(w);
	if (!err && pwrite(w->fd, &h, sizeof(h), 0) != sizeof(h))
		err = writer_failed(w, errno);
	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	w->marked_at = t.tv_sec;
	w->marked = w->offset;
	return err;
}
