// SPDX-License-Identifier: GPL-2.0-or-later
/* The strings of an exec may lie in pages that are not there when the call begins, and when it has succeeded the memory
 * they lay in is gone. Where that was so, the EXEC record brings what the new program got, and the ENTER record that
 * waits for the end of the call is made anew with it. */
#include <stdlib.h>
#include <string.h>
#include "base/str.h"
#include "event/bpf_engine.h"

enum { ROW_FILENAME, ROW_ARGV, ROW_ENVP }; /* of both calls, in the order of their arguments */
enum { STRINGS_MAX = 256 }; /* as many as are copied at an entry */

struct mending {
	const struct rec_call *enter;
	const struct exec_words *words;
	uint32_t args, total; /* as words has them, within bounds */
	unsigned first; /* which argument the filename is */
	uint8_t rows; /* those that faulted and can be mended */
	struct str out;
};

static const uint8_t *pieces_of(const struct rec_call *r)
{
	return (const uint8_t *)r + sizeof(struct rec) + 16 + 8 * (r->h.nargs & 7);
}

/* The piece at *p, which is moved on; NULL: that were all. */
static const struct piece *next_piece(const struct rec_call *r, const uint8_t **p)
{
	const uint8_t *end = (const uint8_t *)r + r->h.size;
	const struct piece *q = (const struct piece *)*p;
	if (end - *p < (ptrdiff_t)sizeof(*q) || q->len > end - *p - (ptrdiff_t)sizeof(*q))
		return NULL;
	*p += sizeof(*q) + ((q->len + 7) & ~7u);
	return q;
}

static uint8_t faulted_rows(const struct rec_call *r)
{
	const uint8_t *p = pieces_of(r);
	const struct piece *q;
	uint8_t rows = 0;
	while ((q = next_piece(r, &p)))
		if (q->flags & PIECE_FAULTED && !(q->flags & PIECE_STACK))
			rows |= 1 << (q->place & 7);
	return rows;
}

static void add_piece(struct mending *m, unsigned row, uint64_t addr, const void *data, size_t len, uint8_t flags)
{
	struct piece p = { .addr = addr, .len = len, .place = row | (m->first + row) << 4, .flags = flags | PIECE_LATE };
	str_addn(&m->out, &p, sizeof(p));
	str_addn(&m->out, data, len);
	str_pad(&m->out, (m->out.len + 7) & ~7ul, 0);
}

static void add_filename(struct mending *m)
{
	const char *name = m->words->filename, *rest;
	size_t n = strnlen(name, PIECE_MAX - 1);
	char *by_fd = xasprintf("/dev/fd/%d", (int)m->enter->args[0]); /* so the kernel calls what an execveat has found there */
	size_t skip = m->first && !strncmp(name, by_fd, strlen(by_fd)) ? strlen(by_fd) : 0;
	rest = name + skip;
	if (skip && *rest == '/')
		rest++;
	else if (*rest)
		rest = name;
	free(by_fd);
	add_piece(m, ROW_FILENAME, m->enter->args[m->first], rest, name + n - rest + 1, PIECE_STRING);
}

/* A vector of the words in [at, end). Where the strings were nobody knows, if the vector faulted: they get places. */
static void add_vector(struct mending *m, unsigned row, uint32_t at, uint32_t end)
{
	uint64_t wide[STRINGS_MAX + 1] = { 0 };
	uint32_t narrow[STRINGS_MAX + 1] = { 0 };
	bool is_narrow = m->enter->h.abi == ABI_32, all = m->total < EXEC_WORDS || end < m->total;
	unsigned n = 0;
	for (; at < end && n < STRINGS_MAX; n++) {
		const char *s = m->words->words + at, *nul = memchr(s, 0, end - at);
		uint32_t len = nul ? nul + 1 - s : end - at, shown = len < PIECE_MAX ? len : PIECE_MAX;
		narrow[n] = wide[n] = 1 + at;
		add_piece(m, row, wide[n], s, shown, PIECE_NESTED | PIECE_STRING | (!nul || shown < len ? PIECE_CUT : 0));
		at += len;
	}
	all &= at >= end; /* then the NULL is part of it */
	add_piece(m, row, m->enter->args[m->first + row], is_narrow ? (const void *)narrow : wide, (n + all) * (is_narrow ? 4 : 8),
		  all ? 0 : PIECE_CUT);
}

/* The arguments of a script are not those of the call: its interpreter has the script's name among its own. */
static bool altered(const struct mending *m)
{
	size_t n = strnlen(m->words->filename, PIECE_MAX - 1) + 1;
	const char *s = m->words->words, *end = s + m->args;
	while ((s = memchr(s, 0, end - s)) && (size_t)(end - ++s) >= n)
		if (!memcmp(s, m->words->filename, n))
			return true;
	return false;
}

static void make_anew(struct mending *m, struct call_wait *t)
{
	const uint8_t *p = pieces_of(m->enter), *start = p;
	const struct piece *q;
	str_addn(&m->out, m->enter, start - (const uint8_t *)m->enter);
	while (start = p, (q = next_piece(m->enter, &p)))
		if (q->flags & PIECE_STACK || !(m->rows >> (q->place & 7) & 1))
			str_addn(&m->out, start, p - start);
	if (m->rows >> ROW_FILENAME & 1)
		add_filename(m);
	if (m->rows >> ROW_ARGV & 1)
		add_vector(m, ROW_ARGV, 0, m->args);
	if (m->rows >> ROW_ENVP & 1)
		add_vector(m, ROW_ENVP, m->args, m->total);
	((struct rec *)m->out.buf)->size = m->out.len;
	if (t->cap < m->out.len) {
		t->cap = m->out.len;
		t->enter = xrealloc(t->enter, t->cap);
	}
	memcpy(t->enter, m->out.buf, m->out.len);
}

void bpf_exec_mend(struct engine *g, struct call_wait *t, const struct rec_other *r)
{
	const size_t head = sizeof(*r) + offsetof(struct exec_words, words);
	if (r->h.size < head || !t->in_call || t->enter->h.type != REC_ENTER)
		return;
	const struct syscall_row *row = syscall_find(t->enter->h.abi, t->enter->h.nr & ~0x40000000);
	const char *name = row ? syscall_name(row) : "";
	bool at = !strcmp(name, "execveat");
	if (!at && strcmp(name, "execve"))
		return;
	struct mending m = { .enter = t->enter, .words = (const struct exec_words *)(r + 1), .first = at, .rows = faulted_rows(t->enter) };
	str_init(&m.out);
	m.total = m.words->total < r->h.size - head ? m.words->total : r->h.size - head;
	m.args = m.words->args < m.total ? m.words->args : m.total;
	if (!m.args || altered(&m))
		m.rows &= ~(1 << ROW_ARGV);
	if (!m.words->filename[0])
		m.rows &= ~(1 << ROW_FILENAME);
	if (m.total <= m.args || !g->environ)
		m.rows &= ~(1 << ROW_ENVP);
	m.rows &= 1 << ROW_FILENAME | 1 << ROW_ARGV | 1 << ROW_ENVP;
	if (m.rows)
		make_anew(&m, t);
	str_release(&m.out);
}
