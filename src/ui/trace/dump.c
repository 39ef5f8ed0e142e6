// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/dump.h"
#include <stdio.h>
#include <string.h>
#include "syscall/decode.h"

enum how { BUFFER, VECTOR, MESSAGE, MESSAGES };
static const struct { const char *name; bool writes; enum how how; } calls[] = {
	{ "read", false, BUFFER }, { "pread64", false, BUFFER }, { "recv", false, BUFFER }, { "recvfrom", false, BUFFER },
	{ "mq_timedreceive", false, BUFFER }, { "readv", false, VECTOR }, { "preadv", false, VECTOR }, { "preadv2", false, VECTOR },
	{ "recvmsg", false, MESSAGE }, { "recvmmsg", false, MESSAGES },
	{ "write", true, BUFFER }, { "pwrite64", true, BUFFER }, { "send", true, BUFFER }, { "sendto", true, BUFFER },
	{ "mq_timedsend", true, BUFFER }, { "writev", true, VECTOR }, { "pwritev", true, VECTOR }, { "pwritev2", true, VECTOR },
	{ "vmsplice", true, VECTOR }, { "sendmsg", true, MESSAGE }, { "sendmmsg", true, MESSAGES },
};

struct dump {
	const struct sysevent *e;
	struct str *out;
	bool writes;
	unsigned word; /* bytes of a pointer */
	uint64_t left; /* how many bytes were read */
};

static const struct copied *find(const struct dump *d, uint64_t addr)
{
	const struct copied *best = NULL;
	for (unsigned i = 0; addr && i < d->e->n_copied; i++) {
		const struct copied *k = &d->e->copied[i];
		if (k->addr == addr && !k->faulted && k->data && (!best || k->len > best->len))
			best = k;
	}
	return best;
}

static uint64_t word_at(const struct dump *d, const struct copied *k, size_t off)
{
	uint64_t v = 0;
	if (off + d->word <= k->len)
		memcpy(&v, k->data + off, d->word);
	return v;
}

/* " | 00000  72 6f 6f 74 3a 78 3a 30  3a 30 3a 72 6f 6f 74 3a  root:x:0:0:root: |" */
static void rows(const uint8_t *p, size_t n, struct str *out)
{
	int width = n > 0xfffff ? 8 : 5;
	for (size_t at = 0; at < n; at += 16) {
		str_addf(out, " | %0*zx ", width, at);
		for (size_t i = at; i < at + 16; i++) {
			str_add(out, i % 8 ? "" : " ");
			if (i < n)
				str_addf(out, "%02x ", p[i]);
			else
				str_add(out, "   ");
		}
		str_addc(out, ' ');
		for (size_t i = at; i < at + 16; i++)
			str_addc(out, i >= n ? ' ' : p[i] >= 0x20 && p[i] < 0x7f ? p[i] : '.');
		str_add(out, " |\n");
	}
}

static void buffer(struct dump *d, uint64_t addr, uint64_t len)
{
	const struct copied *k = find(d, addr);
	if (!k)
		return;
	size_t n = k->len < len ? k->len : len;
	rows(k->data, n, d->out);
	if (n < len)
		str_addf(d->out, " | ... %llu bytes more |\n", (unsigned long long)(len - n));
}

static void vector(struct dump *d, uint64_t addr, uint64_t count)
{
	const struct copied *k = find(d, addr);
	for (uint64_t i = 0; k && i < count && (i + 1) * 2 * d->word <= k->len && d->left; i++) {
		uint64_t base = word_at(d, k, i * 2 * d->word), len = word_at(d, k, i * 2 * d->word + d->word);
		if (len > d->left)
			len = d->left;
		d->left -= len;
		if (!len)
			continue;
		str_addf(d->out, " * %llu bytes in buffer %llu\n", (unsigned long long)len, (unsigned long long)i);
		buffer(d, base, len);
	}
}

static void message(struct dump *d, uint64_t addr)
{
	const struct copied *k = find(d, addr);
	if (k)
		vector(d, word_at(d, k, 2 * d->word), word_at(d, k, 3 * d->word));
}

static uint64_t message_len(const struct dump *d, uint64_t addr)
{
	const struct copied *k = find(d, addr + 7 * d->word);
	uint32_t len = 0;
	if (k && k->len >= sizeof(len))
		memcpy(&len, k->data, sizeof(len));
	return len;
}

static void messages(struct dump *d, uint64_t addr, int64_t n)
{
	for (int64_t i = 0; i < n; i++, addr += 8 * d->word) {
		const struct copied *k = find(d, addr);
		if (!k)
			return;
		d->left = d->writes ? UINT64_MAX : message_len(d, addr);
		str_addf(d->out, " = %llu buffers in vector %lld\n", (unsigned long long)word_at(d, k, 3 * d->word), (long long)i);
		message(d, addr);
	}
}

static bool calls_find(const struct sysevent *e, unsigned *i)
{
	const struct syscall_row *r = syscall_find(e->abi, e->nr);
	for (*i = 0; r && *i < sizeof(calls) / sizeof(calls[0]); ++*i)
		if (!strcmp(calls[*i].name, syscall_name(r)))
			return true;
	return false;
}

void trace_dump(const struct fdset *reads, const struct fdset *writes, const struct sysevent *e, struct str *out)
{
	unsigned i;
	if (!calls_find(e, &i) || e->no_return || !e->args_known)
		return;
	const struct fdset *set = calls[i].writes ? writes : reads;
	if (!set || !fdset_has(set, e->args[0]) || (!calls[i].writes && e->ret < 0))
		return;
	struct dump d = { .e = e, .out = out, .writes = calls[i].writes, .word = e->abi == ABI_NATIVE ? 8 : 4,
			  .left = calls[i].writes ? UINT64_MAX : (uint64_t)e->ret };
	if (calls[i].how == BUFFER)
		buffer(&d, e->args[1], d.writes ? e->args[2] : d.left);
	else if (calls[i].how == VECTOR)
		vector(&d, e->args[1], e->args[2]);
	else if (calls[i].how == MESSAGE)
		message(&d, e->args[1]);
	else
		messages(&d, e->args[1], e->ret);
}
