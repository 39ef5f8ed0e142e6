// SPDX-License-Identifier: GPL-2.0-or-later
/* A record is made in the frame and copied into the ring in one go: struct script_record, the payload, then the strings' bytes,
 * each as long as it is. In the payload a string is a word: where its bytes are, and how many, in the upper half. */
#include <linux/bpf.h>
#include "script/code/lower.h"

enum { WAIT_TURNS = 16, WAIT_PAUSE = 16, READER_SILENT_NS = 250000000 };

struct script_mem lower_record_begin(struct lower *l, const struct site *s, uint32_t size)
{
	struct script_mem m = low_frame(l, size);
	low_store_k(l, m, 4, s->number);
	if (size > l->s->record_max)
		l->s->record_max = size;
	if (size > RECORD_LONGEST && !l->err)
		l->err = source_error(l->s->source, s->call->at, "what this prints may be longer than %d bytes", RECORD_LONGEST);
	return m;
}

/* Where the ring is nearly full the program gives its reader a moment, some microseconds, unless that one has done nothing
 * for long: others need its CPU, or nobody takes what it writes. */
static void wait_for_room(struct lower *l)
{
	int enough = ir_label(l->ir), again = ir_label(l->ir), turns = ir_reg(l->ir);
	int most = low_load(l, low_global(l, offsetof(struct globals, crowded)), 8, false);
	low_branch(l, IF_LE, LOW_CALL(l, BPF_FUNC_ringbuf_query, arg_map(LOAD_RING), arg_k(BPF_RB_AVAIL_DATA)), most, enough);
	int seen = low_load(l, low_global(l, offsetof(struct globals, reader_seen)), 8, false);
	int silent = low_alu(l, ALU_SUB, LOW_CALL(l, BPF_FUNC_ktime_get_ns, { 0 }), seen);
	low_branch_k(l, IF_SGT, silent, READER_SILENT_NS, enough);
	low_move(l, turns, low_const(l, 0));
	low_label(l, again);
	for (int i = 0; i < WAIT_PAUSE; i++) /* as long as it takes; jumps are what the verifier has little patience with */
		LOW_CALL(l, BPF_FUNC_ktime_get_ns, { 0 });
	low_branch(l, IF_LE, LOW_CALL(l, BPF_FUNC_ringbuf_query, arg_map(LOAD_RING), arg_k(BPF_RB_AVAIL_DATA)), most, enough);
	low_move(l, turns, low_alu_k(l, ALU_ADD, turns, 1));
	low_branch_k(l, IF_LT, turns, WAIT_TURNS, again);
	low_label(l, enough);
}

void lower_send(struct lower *l, struct script_mem record, int size)
{
	int fine = ir_label(l->ir);
	if (!l->bounded)
		wait_for_room(l);
	low_store(l, mem_at(record, 4), 4, size);
	int flags = low_load(l, low_global(l, offsetof(struct globals, wake)), 8, false);
	int r = LOW_CALL(l, BPF_FUNC_ringbuf_output, arg_map(LOAD_RING), arg_mem(record), arg_reg(size), arg_reg(flags));
	low_branch_k(l, IF_EQ, r, 0, fine);
	low_add_to(l, low_global(l, offsetof(struct globals, lost)), low_const(l, 1));
	low_label(l, fine);
}

/* Bytes that the payload takes in a record, and those its strings may take behind it. */
static uint32_t payload_size(const struct script_type *t, uint32_t *tail)
{
	uint32_t size = 0;
	*tail = 0;
	for (unsigned i = 0; t && i < t->n_fields; i++) {
		bool text = t->fields[i].type->kind == TYPE_STRING;
		size += text ? 8 : t->fields[i].size;
		*tail += text ? t->fields[i].size : 0;
	}
	return size;
}

/* A string of the record: to where the last one ended, whose length is not known before. */
static void record_text(struct lower *l, struct script_node *n, struct script_mem record, struct script_mem word, int cursor, uint32_t max)
{
	int good = ir_label(l->ir), len = ir_reg(l->ir);
	struct script_mem dst = { low_alu(l, ALU_ADD, record.base, cursor), record.off };
	low_move(l, len, lower_text(l, n, dst, max));
	low_branch_k(l, IF_SGT, len, 0, good); /* what cannot be read is empty */
	low_store_k(l, dst, 1, 0);
	low_move(l, len, low_const(l, 1));
	low_label(l, good);
	low_store(l, word, 8, low_alu(l, ALU_OR, low_alu_k(l, ALU_SHL, len, 32), cursor));
	low_move(l, cursor, low_alu(l, ALU_ADD, cursor, len));
}

void lower_record(struct lower *l, const struct site *s, struct script_node *args)
{
	uint32_t tail, at = sizeof(struct script_record), size = at + payload_size(s->payload, &tail);
	struct script_mem m = lower_record_begin(l, s, size + tail);
	int cursor = low_const(l, size);
	for (unsigned i = 0; s->payload && i < s->payload->n_fields && args; i++, args = args->next) {
		const struct script_type *t = s->payload->fields[i].type;
		if (t->kind == TYPE_STRING) {
			record_text(l, args, m, mem_at(m, (int32_t)at), cursor, t->size);
			at += 8;
		} else {
			lower_to(l, args, t, mem_at(m, (int32_t)at));
			at += s->payload->fields[i].size;
		}
	}
	lower_send(l, m, cursor);
}
