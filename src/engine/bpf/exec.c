// SPDX-License-Identifier: GPL-2.0-or-later
/* The strings of an exec may lie in pages that are not there when the call begins, and when it has succeeded the memory
 * they lay in is gone. Where that was so, the EXEC record brings what the new program got, and the ENTER record that
 * waits for the end of the call is made anew with it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/str.h"
#include "engine/bpf/inner.h"
#include "kernel/root.h"

enum { ROW_FILENAME, ROW_ARGV, ROW_ENVP }; /* of both calls, in the order of their arguments */
enum { STRINGS_MAX = 256, WORDS_MAX = STRINGS_MAX + 16 }; /* as many as are copied at an entry */

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

struct word { const char *s; uint32_t len; bool cut; };

/* The words in [at, end), STRINGS_MAX and what a script may add at most. Whether those are all. */
static bool split(const struct mending *m, uint32_t at, uint32_t end, struct word w[WORDS_MAX], unsigned *n)
{
	for (*n = 0; at < end && *n < WORDS_MAX; (*n)++) {
		const char *s = m->words->words + at, *nul = memchr(s, 0, end - at);
		uint32_t len = nul ? nul + 1 - s : end - at, shown = len < PIECE_MAX ? len : PIECE_MAX;
		w[*n] = (struct word){ s, shown, !nul || shown < len };
		at += len;
	}
	return at >= end && (m->total < EXEC_WORDS || end < m->total);
}

/* A vector of its own. Where the strings were nobody knows, if the vector faulted: they get places. */
static void add_vector(struct mending *m, unsigned row, const struct word *w, unsigned n, bool all)
{
	uint64_t wide[STRINGS_MAX + 1] = { 0 };
	uint32_t compat[STRINGS_MAX + 1] = { 0 };
	bool is_compat = m->enter->h.abi == ABI_32;
	all &= n <= STRINGS_MAX; /* then the NULL is part of it */
	if (n > STRINGS_MAX)
		n = STRINGS_MAX;
	for (unsigned i = 0; i < n; i++) {
		compat[i] = wide[i] = 1 + (w[i].s - m->words->words);
		add_piece(m, row, wide[i], w[i].s, w[i].len, PIECE_NESTED | PIECE_STRING | (w[i].cut ? PIECE_CUT : 0));
	}
	add_piece(m, row, m->enter->args[m->first + row], is_compat ? (const void *)compat : wide, (n + all) * (is_compat ? 4 : 8),
		  all ? 0 : PIECE_CUT);
}

/* How many strings the call's vector has; -1: it could not be read, or not to its end. */
static int count_strings(const struct mending *m, unsigned row)
{
	const uint8_t *p = pieces_of(m->enter);
	const struct piece *q, *vector = NULL;
	while ((q = next_piece(m->enter, &p)))
		if (!(q->flags & (PIECE_STACK | PIECE_NESTED)) && (q->place & 7) == row)
			vector = q;
	if (!vector || vector->flags & (PIECE_FAULTED | PIECE_CUT))
		return -1;
	return vector->len / (m->enter->h.abi == ABI_32 ? 4 : 8) - 1; /* the NULL */
}

/* Which of the words is the file's name, if one behind the first is: then the file may be a script. */
static unsigned find_filename(const struct mending *m, const struct word *w, unsigned n)
{
	size_t len = strnlen(m->words->filename, PIECE_MAX - 1) + 1;
	for (unsigned i = 1; i < n; i++)
		if (w[i].len == len && !memcmp(w[i].s, m->words->filename, len))
			return i;
	return 0;
}

/* Puts words in the place of the strings that faulted: the i-th is words[before + i], except for the first if that is
 * lost. (An interpreter gets its own name, its argument and the script's name instead.) */
static void mend_strings(struct mending *m, unsigned row, const struct word *w, unsigned n, unsigned before, bool first_lost)
{
	const uint8_t *p = pieces_of(m->enter), *start = p;
	const struct piece *q;
	unsigned i = 0;
	while (start = p, (q = next_piece(m->enter, &p))) {
		if (q->flags & PIECE_STACK || (q->place & 7) != row)
			continue;
		unsigned at = before + i;
		bool string = q->flags & PIECE_NESTED, lost = !i && first_lost;
		i += string;
		if (!string || !(q->flags & PIECE_FAULTED) || at >= n || (lost && q->addr != m->enter->args[m->first]))
			str_addn(&m->out, start, p - start);
		else if (lost) /* the same string as the file's name */
			add_piece(m, row, q->addr, m->words->filename, strnlen(m->words->filename, PIECE_MAX - 1) + 1,
				  PIECE_NESTED | PIECE_STRING);
		else
			add_piece(m, row, q->addr, w[at].s, w[at].len, PIECE_NESTED | PIECE_STRING | (w[at].cut ? PIECE_CUT : 0));
	}
}

/* Does the file that was run begin with "#!"? The process may be gone by now, and so may the file: what is there instead is
 * not opened unless it is one. */
static bool is_script(const struct mending *m)
{
	const char *name = m->words->filename;
	char start[2] = "", *path = xasprintf("%d/%s/%s", (int)m->enter->h.tid, *name == '/' ? "root" : "cwd", name);
	struct stat st;
	int at = open(root_path(ROOT_PROC, "%s", path), O_PATH | O_CLOEXEC);
	if (at < 0 && *name == '/')
		at = open(name, O_PATH | O_CLOEXEC);
	if (at >= 0 && !fstat(at, &st) && S_ISREG(st.st_mode)) {
		int fd = open(root_path(ROOT_PROC, "self/fd/%d", at), O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, start, 2) != 2)
			start[0] = 0;
		if (fd >= 0)
			close(fd);
	}
	if (at >= 0)
		close(at);
	free(path);
	return start[0] == '#' && start[1] == '!';
}

static void mend_argv(struct mending *m)
{
	static struct word w[WORDS_MAX];
	unsigned n;
	bool all = split(m, 0, m->args, w, &n);
	int had = count_strings(m, ROW_ARGV);
	unsigned script = find_filename(m, w, n), before = had >= 0 ? n - had : 0;
	if (had >= 0 && all && n >= (unsigned)had) {
		mend_strings(m, ROW_ARGV, w, n, before, before && before <= script);
	} else if (had < 0 && !script) {
		add_vector(m, ROW_ARGV, w, n, all);
	} else if (had < 0 && is_script(m)) {
		w[script] = (struct word){ w[script].s, 0, true }; /* what stood here is not known: ""... */
		add_vector(m, ROW_ARGV, w + script, n - script, all);
	} else {
		mend_strings(m, ROW_ARGV, NULL, 0, 0, false); /* as they are */
	}
}

static void mend_envp(struct mending *m)
{
	static struct word w[WORDS_MAX];
	unsigned n;
	bool all = split(m, m->args, m->total, w, &n);
	if (count_strings(m, ROW_ENVP) >= 0)
		mend_strings(m, ROW_ENVP, w, n, 0, false);
	else
		add_vector(m, ROW_ENVP, w, n, all);
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
		mend_argv(m);
	if (m->rows >> ROW_ENVP & 1)
		mend_envp(m);
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
	if (!m.args)
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
