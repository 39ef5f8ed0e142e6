// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a captured call: numbers, arguments, pieces of memory with hostile lengths and addresses
 * that lead into each other. Decoded in all three forms, fed to the descriptor state. */
#include <stdlib.h>
#include <string.h>
#include "syscall/decode.h"
#include "syscall/fdstate.h"
#include "../json_reader.h"

struct input { const uint8_t *p; size_t n; };

static uint64_t take(struct input *in, size_t n)
{
	uint64_t v = 0;
	size_t k = n < in->n ? n : in->n;
	memcpy(&v, in->p, k);
	in->p += k;
	in->n -= k;
	return v;
}

enum { PIECES = 8, BASE = 0x1000 };

static void fill(struct sysevent *e, struct copied *pieces, uint8_t *bytes[], struct input *in)
{
	e->type = take(in, 1) % 9;
	e->abi = take(in, 1) % 3;
	e->nr = take(in, 2) % 600;
	e->pid = e->tid = 1 + take(in, 1) % 3;
	e->ret = (int64_t)(take(in, 1) & 1 ? take(in, 8) : take(in, 1));
	e->args_known = true;
	e->child_pid = e->child_tid = 2;
	e->sig = take(in, 1) % 80;
	e->group_exit = e->sig & 1;
	for (int i = 0; i < 6; i++) {
		uint8_t how = take(in, 1);
		e->args[i] = how & 1 ? BASE * (1 + how % PIECES) : take(in, how & 2 ? 8 : 1);
	}
	e->copied = pieces;
	for (e->n_copied = 0; e->n_copied < PIECES && in->n > 4; e->n_copied++) {
		struct copied *k = &pieces[e->n_copied];
		uint8_t flags = take(in, 1);
		size_t want = take(in, 1) * (flags & 0x80 ? 8 : 1);
		k->len = want < in->n ? want : in->n;
		bytes[e->n_copied] = malloc(k->len ? k->len : 1); /* exact: a read beyond it is caught */
		memcpy(bytes[e->n_copied], in->p, k->len);
		in->p += k->len;
		in->n -= k->len;
		k->data = bytes[e->n_copied];
		k->addr = BASE * (1 + e->n_copied);
		k->at_exit = flags & 1;
		k->late = flags & 2;
		k->faulted = (flags & 0xc) == 0xc;
		k->truncated = flags & 0x10;
		k->full_len = flags & 0x20 ? UINT64_MAX : 0;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct input in = { data, n };
	static struct fd_state *fds;
	static struct decoder *decoders[8]; /* kept: each loads the kernel's types once, and that is slow */
	uint8_t how = take(&in, 1) % 8;
	struct decode_style style = { .strace = how & 1, .verbose = how & 2, .raw = how == 7, .string_limit = how & 4 ? 0 : 32,
		.fd_info = how & 1 ? FD_ALL : 0 };
	if (!fds)
		fds = fd_state_new(FDS_RECORDED);
	if (!decoders[how])
		decoders[how] = decoder_new(&style, fds);
	struct decoder *d = decoders[how];
	struct str s = STR_INIT;
	for (int round = 0; round < 8 && in.n; round++) {
		struct copied pieces[PIECES] = { 0 };
		uint8_t *bytes[PIECES] = { 0 };
		struct sysevent e = { 0 };
		struct json j;
		fill(&e, pieces, bytes, &in);
		str_clear(&s);
		decode_call(d, &e, &s);
		decode_result(d, &e, &s);
		decode_rest(d, &e, &s);
		decode_other(d, &e, &s);
		for (size_t i = 0; i < s.len; i++)
			if ((unsigned char)s.buf[i] < 0x20)
				abort(); /* nothing may move the cursor */
		str_clear(&s);
		json_init(&j, &s);
		json_open(&j, '{');
		decode_json(d, &e, &j);
		json_close(&j, '}');
		struct json_value *v = json_parse(s.buf, s.len);
		if (!v)
			abort();
		json_free(v);
		fd_state_feed(fds, &e);
		for (int i = 0; i < PIECES; i++)
			free(bytes[i]);
	}
	str_release(&s);
	return 0;
}
