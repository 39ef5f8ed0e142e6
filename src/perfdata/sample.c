// SPDX-License-Identifier: GPL-2.0-or-later
/* One record, from bytes to fields. Samples are walked in the order in which the kernel lays them
 * out; other records have a trailer (sample_id) that is read from the end. In a file of the other
 * byte order the record was copied to scratch memory and each word is turned as it is passed, so
 * there is one walk for both. */
#include "perfdata/internal.h"
#include <errno.h>
#include "perfdata/overlong.h"

struct sample_cursor { uint64_t *p, *end; bool swap, bad; };

/* The kernel's records: the shape of the body (2, 4, 8: a field of so many bytes; s: text or bytes to the
 * end; r: words to the end), which also gives its least size. */
static const char *const shapes[RECORD_KERNEL_END] = {
	[PERF_RECORD_MMAP] = "44888s",
	[PERF_RECORD_LOST] = "88",
	[PERF_RECORD_COMM] = "44s",
	[PERF_RECORD_EXIT] = "44448",
	[PERF_RECORD_THROTTLE] = "888",
	[PERF_RECORD_UNTHROTTLE] = "888",
	[PERF_RECORD_FORK] = "44448",
	[PERF_RECORD_READ] = "44r",
	[PERF_RECORD_SAMPLE] = "",
	[PERF_RECORD_MMAP2] = "44888s",
	[PERF_RECORD_AUX] = "888",
	[PERF_RECORD_ITRACE_START] = "44",
	[PERF_RECORD_LOST_SAMPLES] = "8",
	[PERF_RECORD_SWITCH] = "",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "44",
	[PERF_RECORD_NAMESPACES] = "448r",
	[PERF_RECORD_KSYMBOL] = "8422s",
	[PERF_RECORD_BPF_EVENT] = "224s",
	[PERF_RECORD_CGROUP] = "8s",
	[PERF_RECORD_TEXT_POKE] = "822s",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "8",
	[RECORD_CALLCHAIN_DEFERRED] = "8r",
};

static int words(uint64_t mask)
{
	return __builtin_popcountll(mask);
}

void layout_init(struct id_layout *l, const struct perf_event_attr *a)
{
	const uint64_t t = a->sample_type, head = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	l->time_pos = t & PERF_SAMPLE_TIME ? words(t & head) : -1;
	l->id_pos = t & PERF_SAMPLE_IDENTIFIER ? 0 :
		    t & PERF_SAMPLE_ID ? words(t & (head | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)) : -1;
	const uint64_t after_id = PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	l->time_back = l->id_back = -1;
	l->id_words = 0;
	if (!a->sample_id_all)
		return;
	l->id_words = words(t & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | after_id));
	if (t & PERF_SAMPLE_TIME)
		l->time_back = words(t & (PERF_SAMPLE_ID | after_id)) + 1;
	if (t & PERF_SAMPLE_IDENTIFIER)
		l->id_back = 1;
	else if (t & PERF_SAMPLE_ID)
		l->id_back = words(t & after_id) + 1;
}

static inline uint64_t take(struct sample_cursor *c)
{
	if (c->p >= c->end) {
		c->bad = true;
		return 0;
	}
	if (c->swap)
		*c->p = bswap_64(*c->p);
	return *c->p++;
}

/* Two 32-bit fields in one word. */
static inline void take_pair(struct sample_cursor *c, uint32_t *a, uint32_t *b)
{
	if (c->p >= c->end) {
		c->bad = true;
		*a = *b = 0;
		return;
	}
	*a = get32(c->p, c->swap);
	*b = get32((char *)c->p + 4, c->swap);
	if (c->swap) {
		memcpy(c->p, a, 4);
		memcpy((char *)c->p + 4, b, 4);
	}
	c->p++;
}

static inline const uint64_t *take_words(struct sample_cursor *c, uint64_t n)
{
	uint64_t *at = c->p;
	if (n > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	if (c->swap)
		for (uint64_t i = 0; i < n; i++)
			at[i] = bswap_64(at[i]);
	c->p += n;
	return at;
}

/* n bytes, left as they are; the next field starts at a word. */
static const void *take_bytes(struct sample_cursor *c, uint64_t n)
{
	const void *at = c->p;
	uint64_t w = n / 8 + !!(n % 8);
	if (w > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += w;
	return at;
}

static void sample_read(struct sample_cursor *c, uint64_t format, struct perfdata_record *r)
{
	uint64_t n = 1, each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	unsigned times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	const uint64_t *start = c->p;
	if (format & PERF_FORMAT_GROUP) {
		n = take(c);
		take_words(c, times);
		if (n > (uint64_t)(c->end - c->p)) {
			c->bad = true;
			return;
		}
		take_words(c, n * each);
	} else {
		take_words(c, each + times);
	}
	r->read_values = start;
	r->read_size = (c->p - start) * 8;
}

static void sample_raw(struct sample_cursor *c, struct perfdata_record *r)
{
	if (c->p >= c->end) {
		c->bad = true;
		return;
	}
	r->raw_size = get32(c->p, c->swap);
	r->raw = (const char *)c->p + 4;
	take_bytes(c, (uint64_t)r->raw_size + 4);
}

static void sample_branches(struct sample_cursor *c, uint64_t branch_type, struct perfdata_record *r)
{
	r->n_branch = take(c);
	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take(c);
	if (r->n_branch > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return;
	}
	r->branch = (const void *)take_words(c, r->n_branch * (sizeof(*r->branch) / 8));
	if (branch_type & PERF_SAMPLE_BRANCH_COUNTERS)
		take_words(c, r->n_branch);
}

static void sample_regs(struct sample_cursor *c, uint64_t mask, uint64_t *abi, uint64_t *mask_out, const uint64_t **regs)
{
	*abi = take(c);
	if (!*abi)
		return;
	*mask_out = mask;
	*regs = take_words(c, words(mask));
}

static void sample_stack(struct sample_cursor *c, struct perfdata_record *r)
{
	uint64_t size = take(c);
	if (!size)
		return;
	r->stack = take_bytes(c, size);
	uint64_t valid = take(c);
	r->stack_size = valid < size ? valid : size;
}

/* The fields after the fixed ones; most samples have only a few of them. */
static void sample_rest(struct sample_cursor *c, const struct perf_event_attr *a, struct perfdata_record *r)
{
	const uint64_t t = a->sample_type;
	if (t & PERF_SAMPLE_BRANCH_STACK)
		sample_branches(c, a->branch_sample_type, r);
	if (t & PERF_SAMPLE_REGS_USER)
		sample_regs(c, a->sample_regs_user, &r->regs_abi, &r->regs_mask, &r->regs);
	if (t & PERF_SAMPLE_STACK_USER)
		sample_stack(c, r);
	if (t & PERF_SAMPLE_WEIGHT_TYPE)
		r->weight = take(c);
	if (t & PERF_SAMPLE_DATA_SRC)
		r->data_src = take(c);
	if (t & PERF_SAMPLE_TRANSACTION)
		r->transaction = take(c);
	if (t & PERF_SAMPLE_REGS_INTR)
		sample_regs(c, a->sample_regs_intr, &r->iregs_abi, &r->iregs_mask, &r->iregs);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		r->phys_addr = take(c);
	if (t & PERF_SAMPLE_CGROUP)
		r->cgroup = take(c);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		r->data_page_size = take(c);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		r->code_page_size = take(c);
	if (t & PERF_SAMPLE_AUX)
		take_bytes(c, take(c));
}

static void sample_fields(struct sample_cursor *c, const struct perf_event_attr *a, struct perfdata_record *r)
{
	const uint64_t t = a->sample_type;
	uint32_t x, y;
	if (t & PERF_SAMPLE_IDENTIFIER)
		r->id = take(c);
	if (t & PERF_SAMPLE_IP)
		r->ip = take(c);
	if (t & PERF_SAMPLE_TID) {
		take_pair(c, &x, &y);
		r->pid = (int)x;
		r->tid = (int)y;
	}
	if (t & PERF_SAMPLE_TIME)
		r->time = take(c);
	if (t & PERF_SAMPLE_ADDR)
		r->addr = take(c);
	if (t & PERF_SAMPLE_ID)
		r->id = take(c);
	if (t & PERF_SAMPLE_STREAM_ID)
		r->stream_id = take(c);
	if (t & PERF_SAMPLE_CPU) {
		take_pair(c, &x, &y);
		r->cpu = (int)x;
	}
	r->period = t & PERF_SAMPLE_PERIOD ? take(c) : a->sample_period;
	if (t & PERF_SAMPLE_READ)
		sample_read(c, a->read_format, r);
	if (t & PERF_SAMPLE_CALLCHAIN) {
		r->n_chain = take(c);
		r->chain = take_words(c, r->n_chain);
	}
	if (t & PERF_SAMPLE_RAW)
		sample_raw(c, r);
	if (t & ~(uint64_t)(PERF_SAMPLE_RAW * 2 - 1) & ~(uint64_t)PERF_SAMPLE_IDENTIFIER)
		sample_rest(c, a, r);
}

/* Which event a record belongs to: by its id where it has one. */
static int event_at_word(const struct perfdata *p, const uint64_t *w, size_t n, int pos)
{
	if (p->n_events == 1)
		return 0;
	return pos < 0 || (size_t)pos >= n ? -1 : perfdata_event_of(p, get64(w + pos, p->swap));
}

static int decode_sample(struct perfdata *p, uint64_t *body, size_t n, struct perfdata_record *r)
{
	struct sample_cursor c = { body, body + n, p->swap, false };
	int i = event_at_word(p, body, n, p->n_events ? p->layouts[0].id_pos : -1);
	if (i < 0) {
		p->stats.unknown++;
		return 0;
	}
	r->event_index = i;
	r->event = p->events[i];
	sample_fields(&c, &r->event->attr, r);
	p->stats.samples++;
	return c.bad ? -EINVAL : 0;
}

/* The trailer of a record that is not a sample. */
static void decode_trailer(struct perfdata *p, uint64_t *body, size_t n, struct perfdata_record *r)
{
	if (!p->n_events)
		return;
	int back = p->layouts[0].id_back, i = p->n_events == 1 ? 0 : -1;
	if (i < 0 && back > 0 && (size_t)back <= n)
		i = perfdata_event_of(p, get64(body + n - back, p->swap));
	if (i < 0)
		i = 0; /* id 0: made by perf itself, in the first event's shape */
	const struct perf_event_attr *a = &p->events[i]->attr;
	size_t len = p->layouts[i].id_words;
	if (!len || len > n)
		return;
	struct sample_cursor c = { body + n - len, body + n, p->swap, false };
	const uint64_t t = a->sample_type;
	uint32_t x, y;
	if (t & PERF_SAMPLE_TID) {
		take_pair(&c, &x, &y);
		r->pid = (int)x;
		r->tid = (int)y;
	}
	if (t & PERF_SAMPLE_TIME)
		r->time = take(&c);
	if (t & PERF_SAMPLE_ID)
		r->id = take(&c);
	if (t & PERF_SAMPLE_STREAM_ID)
		r->stream_id = take(&c);
	if (t & PERF_SAMPLE_CPU) {
		take_pair(&c, &x, &y);
		r->cpu = (int)x;
	}
	if (t & PERF_SAMPLE_IDENTIFIER)
		r->id = take(&c);
	r->event_index = i;
	r->event = p->events[i];
	r->trailer_size = len * 8;
}

/* The least number of bytes that a body of this shape has. */
static size_t shape_size(const char *shape)
{
	size_t n = 0;
	for (; *shape; shape++)
		n += *shape >= '2' && *shape <= '8' ? *shape - '0' : 0;
	return n;
}

/* Turns the body of a record that is not a sample, in scratch memory, to native order. */
static void swap_body(const char *shape, uint8_t *b, uint8_t *end)
{
	for (; *shape && *shape != 's'; shape++) {
		size_t n = *shape == 'r' ? 8 : *shape - '0';
		do {
			if ((size_t)(end - b) < n)
				return;
			for (size_t i = 0; i < n / 2; i++) {
				uint8_t x = b[i];
				b[i] = b[n - 1 - i];
				b[n - 1 - i] = x;
			}
			b += n;
		} while (*shape == 'r');
	}
}

/* MMAP2 carries either a build-id (bytes) or device and inode numbers behind the common start. */
static void swap_mmap2(struct perf_event_header *h, uint8_t *b, uint8_t *end)
{
	if (!(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		swap_body("4488", b + 32, end);
	swap_body("44", b + 56, end);
}

static void count(struct perfdata *p, const struct perf_event_header *h)
{
	const uint64_t *w = (const uint64_t *)(h + 1);
	if (h->type == PERF_RECORD_LOST) {
		p->stats.lost_records++;
		p->stats.lost_events += w[1];
	} else if (h->type == PERF_RECORD_LOST_SAMPLES) {
		if (h->misc & MISC_LOST_BY_FILTER)
			p->stats.filtered += w[0];
		else
			p->stats.lost_samples += w[0];
	} else if (h->type == PERF_RECORD_THROTTLE) {
		p->stats.throttled++;
	}
}

static int decode_other(struct perfdata *p, struct perf_event_header *h, struct perfdata_record *r)
{
	const char *shape = h->type < RECORD_KERNEL_END ? shapes[h->type] : NULL;
	size_t n = (h->size - sizeof(*h)) / 8, need = h->type == PERF_RECORD_MMAP2 ? 64 : shape ? shape_size(shape) : 0;
	uint64_t *body = (uint64_t *)(h + 1);
	if (!shape) {
		p->stats.unknown++;
		return 0;
	}
	if (h->size - sizeof(*h) < need)
		return -EINVAL;
	decode_trailer(p, body, n, r);
	if (h->size - sizeof(*h) - r->trailer_size < need) /* the trailer is none: too short for both */
		r->trailer_size = 0;
	if (p->swap) {
		uint8_t *end = (uint8_t *)h + h->size - r->trailer_size;
		swap_body(shape, (uint8_t *)body, end);
		if (h->type == PERF_RECORD_MMAP2)
			swap_mmap2(h, (uint8_t *)body, end);
	}
	count(p, h);
	return 0;
}

int perfdata_decode(struct perfdata *p, const uint8_t *rec, size_t size, bool own, struct perfdata_record *r)
{
	struct perf_event_header *h = (struct perf_event_header *)rec;
	memset(r, 0, sizeof(*r));
	r->pid = r->tid = r->cpu = r->event_index = -1;
	if (!own || p->swap || (uintptr_t)rec % 8) {
		h = memcpy(p->scratch, rec, size);
		h->type = get32(&h->type, p->swap);
		h->misc = get16(&h->misc, p->swap);
		h->size = size;
	}
	r->header = h;
	r->misc = h->misc;
	p->stats.bytes += size;
	if (h->type == PERF_RECORD_SAMPLE)
		return decode_sample(p, (uint64_t *)(h + 1), (size - sizeof(*h)) / 8, r);
	if (h->type >= RECORD_USER_FIRST)
		return 0;
	h->size = overlong_size(h->type, h, size, p->n_events ? 8 * p->layouts[0].id_words : 0);
	return decode_other(p, h, r);
}
