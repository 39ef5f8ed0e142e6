// SPDX-License-Identifier: GPL-2.0-or-later
/* What other readers' events do to our records does not get into the file: the kernel leaves the mark of build-ids on
 * everybody's record of a map once one of its readers asked for them, and lengthens some records (perfdata/overlong.h). */
#include "job/record/inner.h"
#include "perfdata/overlong.h"

static bool is_marked(const struct recorder *r, const struct perf_event_header *h)
{
	return h->type == PERF_RECORD_MMAP2 && h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && !r->o->sampling.build_id_maps;
}

static size_t own_size(const struct recorder *r, const struct perf_event_header *h)
{
	return overlong_size(h->type, h, h->size, overlong_trailer(&r->l->at[r->tracker].attr));
}

bool mend_is_due(const struct recorder *r, const struct perf_event_header *h)
{
	return is_marked(r, h) || own_size(r, h) < h->size;
}

static void mend_one(const struct recorder *r, struct perf_event_header *h)
{
	if (is_marked(r, h))
		h->misc &= ~PERF_RECORD_MISC_MMAP_BUILD_ID;
	h->size = own_size(r, h);
}

void mend_copy(const struct recorder *r, struct str *to, const struct iovec *v)
{
	size_t at = to->len, from = at;
	str_addn(to, v[0].iov_base, v[0].iov_len);
	str_addn(to, v[1].iov_base, v[1].iov_len);
	while (from + sizeof(struct perf_event_header) <= to->len) {
		struct perf_event_header *h = (void *)(to->buf + from);
		size_t was = h->size;
		mend_one(r, h);
		size_t is = h->size;
		memmove(to->buf + at, h, is);
		at += is;
		from += was;
	}
	to->len = at;
}
