// SPDX-License-Identifier: GPL-2.0-or-later
/* record --filter on events that are no tracepoints: decides about each sample before it is written (attach/samplefilter.c).
 *
 * It runs in interrupts, non-maskable ones too, and within itself: it has no memory but its stack, and two atomic counts.
 *
 * Since Linux 6.3 the sample is complete when the program sees it, and sample_flags says what is in it; before, only what
 * the PMU gave is. What both have is taken from the registers and from the thread; the rest is unknown. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/samplefilter.h"

#define RELOCATED __attribute__((preserve_access_index))
struct sample_pids { __u32 pid, tid; };
struct sample_cpu { __u32 cpu, reserved; };
union perf_sample_weight { __u64 full; } RELOCATED;
union perf_mem_data_src { __u64 val; } RELOCATED;
struct perf_sample_data {
	__u64 sample_flags, period, time, ip, txn, addr, phys_addr, data_page_size, code_page_size;
	struct sample_pids tid_entry;
	struct sample_cpu cpu_entry;
	union perf_sample_weight weight;
	union perf_mem_data_src data_src;
} RELOCATED;
struct perf_sample_data___old { __u64 weight; } RELOCATED; /* before Linux 5.12 */
struct perf_event { __u64 id; struct perf_event *parent; } RELOCATED;
struct bpf_perf_event_data_kern { void *regs; struct perf_sample_data *data; struct perf_event *event; } RELOCATED;

/* of enum perf_event_sample_format */
enum { S_IP = 1, S_TID = 2, S_TIME = 4, S_ADDR = 8, S_CPU = 128, S_WEIGHT = 1 << 14, S_DATA_SRC = 1 << 15, S_TXN = 1 << 17,
	S_PHYS = 1 << 19, S_DATA_PAGE = 1 << 22, S_CODE_PAGE = 1 << 23, S_WEIGHT_STRUCT = 1 << 24 };

const volatile struct samplefilter_term terms[SAMPLEFILTER_MAX];
const volatile __u32 n_terms, monotonic; /* monotonic: the events' clock is */
struct samplefilter_state state;

struct seen_sample { const struct perf_sample_data *data; const struct perf_event *event; __u64 flags, ip; int unknown; };

#define GET(s, field) \
	({ const struct perf_sample_data *d_ = (s)->data; \
	   __u64 v_ = 0; \
	   if (bpf_core_field_exists(d_->field)) \
		bpf_core_read(&v_, sizeof(d_->field), &d_->field); \
	   v_; })
#define HAS(s, bits) ((s)->flags & (bits))

static __always_inline __u64 unknown(struct seen_sample *s)
{
	s->unknown = 1;
	return 0;
}

static __always_inline __u64 source(struct seen_sample *s, int shift, int bits)
{
	return HAS(s, S_DATA_SRC) ? GET(s, data_src) >> shift & ((1u << bits) - 1) : unknown(s);
}

static __always_inline __u64 weight(struct seen_sample *s, int shift, __u64 mask)
{
	const struct perf_sample_data___old *old = (const void *)s->data;
	__u64 v = 0;
	if (!HAS(s, S_WEIGHT | S_WEIGHT_STRUCT))
		return unknown(s);
	if (bpf_core_type_exists(union perf_sample_weight))
		v = GET(s, weight);
	else
		bpf_core_read(&v, sizeof(v), &old->weight);
	return v >> shift & mask;
}

/* A thread's or its process's number, as the sample has it. */
static __always_inline __u64 who(struct seen_sample *s, int process)
{
	const struct perf_sample_data *d = s->data;
	struct sample_pids p = { 0 };
	__u64 id = bpf_get_current_pid_tgid();
	if (!HAS(s, S_TID))
		return process ? id >> 32 : (__u32)id;
	bpf_core_read(&p, sizeof(p), &d->tid_entry);
	return process ? p.pid : p.tid;
}

static __always_inline __u64 id_of(const struct seen_sample *s)
{
	const struct perf_event *e = s->event, *parent = 0;
	__u64 id = 0;
	bpf_core_read(&parent, sizeof(parent), &e->parent); /* of one that was inherited: the file knows only that */
	e = parent ? parent : e;
	bpf_core_read(&id, sizeof(id), &e->id);
	return id;
}

static __always_inline __u64 memory(struct seen_sample *s, __u8 field)
{
	switch (field) {
	case SF_MEM_OP: return source(s, 0, 5);
	case SF_MEM_LEVEL: return source(s, 33, 4);
	case SF_MEM_SNOOP: return source(s, 19, 5) | source(s, 38, 2) << 5;
	case SF_MEM_REMOTE: return source(s, 37, 1);
	case SF_MEM_LOCK: return source(s, 24, 2);
	case SF_MEM_DTLB: return source(s, 26, 7);
	case SF_MEM_BLK: return source(s, 40, 3);
	default: return source(s, 43, 3);
	}
}

static __noinline __u64 value(struct seen_sample *s, __u8 field)
{
	switch (field) {
	case SF_IP: return HAS(s, S_IP) ? GET(s, ip) : s->ip;
	case SF_ID: return id_of(s);
	case SF_TID: return who(s, 0);
	case SF_PID: return who(s, 1);
	case SF_CPU: return bpf_get_smp_processor_id();
	case SF_TIME: return HAS(s, S_TIME) ? GET(s, time) : monotonic ? bpf_ktime_get_ns() : unknown(s);
	case SF_ADDR: return HAS(s, S_ADDR) ? GET(s, addr) : unknown(s);
	case SF_PERIOD: return GET(s, period);
	case SF_TXN: return HAS(s, S_TXN) ? GET(s, txn) : unknown(s);
	case SF_WEIGHT: return weight(s, 0, ~0ull);
	case SF_WEIGHT1: return weight(s, 0, 0xffffffff);
	case SF_WEIGHT2: return weight(s, 32, 0xffff);
	case SF_WEIGHT3: return weight(s, 48, 0xffff);
	case SF_PHYS_ADDR: return HAS(s, S_PHYS) ? GET(s, phys_addr) : unknown(s);
	case SF_CODE_PAGE: return HAS(s, S_CODE_PAGE) ? GET(s, code_page_size) : unknown(s);
	case SF_DATA_PAGE: return HAS(s, S_DATA_PAGE) ? GET(s, data_page_size) : unknown(s);
	case SF_UID: return (__u32)bpf_get_current_uid_gid();
	case SF_GID: return bpf_get_current_uid_gid() >> 32;
	default: return memory(s, field);
	}
}

static __always_inline int holds(__u64 v, __u8 op, __u64 than)
{
	switch (op) {
	case SF_EQ: return v == than;
	case SF_NE: return v != than;
	case SF_GT: return v > than;
	case SF_GE: return v >= than;
	case SF_LT: return v < than;
	case SF_LE: return v <= than;
	default: return (v & than) != 0;
	}
}

SEC("perf_event")
int pass(struct bpf_perf_event_data *ctx)
{
	/* what ctx really is; its fields that a program may read directly lack most of it */
	const struct bpf_perf_event_data_kern *k = (const void *)ctx;
	struct seen_sample s = { 0 };
	int met = 0, keep = 1; /* met: one of those joined by or_next */
	bpf_core_read(&s.data, sizeof(s.data), &k->data);
	bpf_core_read(&s.event, sizeof(s.event), &k->event);
	s.ip = ctx->regs.rip;
	s.flags = bpf_core_field_exists(((struct perf_sample_data *)0)->sample_flags) ? GET(&s, sample_flags) :
		  S_ADDR | S_WEIGHT | S_WEIGHT_STRUCT | S_DATA_SRC | S_TXN; /* before Linux 6.1 these are always filled in */
	for (__u32 i = 0; i < SAMPLEFILTER_MAX; i++) {
		if (i >= n_terms)
			break;
		met |= holds(value(&s, terms[i].field), terms[i].op, terms[i].value);
		if (terms[i].or_next)
			continue;
		if (!met) {
			keep = 0;
			break;
		}
		met = 0;
	}
	if (s.unknown)
		__sync_fetch_and_add(&state.unknown, 1);
	if (!keep)
		__sync_fetch_and_add(&state.dropped, 1);
	return keep;
}

char _license[] SEC("license") = "GPL";
