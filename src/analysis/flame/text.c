// SPDX-License-Identifier: GPL-2.0-or-later
/* Folded text, and the maps of `sonde run` that have stacks for keys, as a fold. Both are read line by line; what is no
 * stack is counted, not guessed at. */
#include <errno.h>
#include <stdlib.h>
#include "analysis/flame/stackfold.h"
#include "base/error.h"
#include "base/jsonread.h"

enum { LINE_MAX_BYTES = 256 << 20, FRACTION = 1000, DEPTH_MAX = 65535, STACKS_MAX = 1 << 30 };

struct text {
	struct stackfold *f;
	uint32_t key[2]; /* of the first and the second weight */
	bool fraction; /* weights are kept in thousandths */
	bool too_many, ordered;
	uint64_t line;
	/* of a map's key: its stack, innermost first, and its words */
	VEC(uint32_t) frame, word;
	bool in_map;
};

/* ---- weights ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void begin_fractions(struct text *t)
{
	t->fraction = true;
	vec_each(&t->f->row, r)
		r->weight *= FRACTION;
	vec_each(&t->f->event, e) {
		e->weight *= FRACTION;
		e->scale = 1.0 / FRACTION;
	}
}

/* "12", "12.5" at [z, end). */
static bool read_weight(struct text *t, const char *z, const char *end, uint64_t *out)
{
	enum { LARGE = 1 << 30 };
	uint64_t v = 0, part = 0, unit = FRACTION;
	if (z >= end || !is_digit(*z))
		return false;
	for (; z < end && is_digit(*z); z++) {
		if (v > (uint64_t)LARGE * LARGE / 100)
			return false;
		v = v * 10 + (*z - '0');
	}
	if (z < end && *z == '.') {
		if (!t->fraction)
			begin_fractions(t);
		for (z++; z < end && is_digit(*z); z++)
			if ((unit /= 10))
				part += unit * (*z - '0');
	}
	*out = t->fraction ? v * FRACTION + part : v;
	return z == end;
}

/* The last word of [z, *end) as a weight; *end then is where the blank before it begins. */
static bool last_weight(struct text *t, const char *z, const char **end, uint64_t *out)
{
	const char *word = *end;
	while (word > z && word[-1] != ' ' && word[-1] != '\t')
		word--;
	if (word == z || !read_weight(t, word, *end, out))
		return false;
	while (word > z && (word[-1] == ' ' || word[-1] == '\t'))
		word--;
	*end = word;
	return true;
}

static void add(struct text *t, uint32_t stack, int which, uint64_t weight)
{
	if (which && t->f->event.n < 2) {
		const struct fold_event *e = &t->f->event.at[0];
		struct fold_key k = { .event = stackfold_add_event(t->f, "second", e->unit, e->scale), .pid = -1, .tid = -1, .cpu = -1, .comm = "" };
		t->key[1] = stackfold_key(t->f, &k);
	}
	uint32_t key = t->key[which];
	if (t->ordered) {
		struct fold_key k = t->f->key.at[key];
		k.time = ++t->line;
		key = stackfold_key(t->f, &k);
	}
	stackfold_add(t->f, stack, key, weight, t->fraction ? 1 : weight);
}

/* ---- lines "a;b;c 12" ---- */

static uint32_t frame_of(struct stackfold *f, const char *z, size_t n)
{
	static const struct { char letter; enum frame_kind kind; } kinds[] = { { 'k', FRAME_KERNEL }, { 'j', FRAME_JIT }, { 'i', FRAME_INLINED } };
	enum { MARK = 4 };
	if (n > MARK && z[n - 1] == ']' && z[n - 3] == '[' && z[n - 4] == '_')
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (z[n - 2] == kinds[i].letter)
				return stackfold_frame(f, z, n - MARK, kinds[i].kind);
	return stackfold_frame(f, z, n, FRAME_USER);
}

static bool take_folded(struct text *t, const char *z, const char *end)
{
	uint64_t last, before = 0;
	if (!last_weight(t, z, &end, &last))
		return false;
	bool two = last_weight(t, z, &end, &before);
	uint32_t stack = 0, depth = 0;
	while (z < end && depth++ < DEPTH_MAX) {
		const char *semicolon = memchr(z, ';', end - z);
		size_t n = (semicolon ? semicolon : end) - z;
		if (n)
			stack = stackfold_push(t->f, stack, frame_of(t->f, z, n));
		z += n + 1;
	}
	if (!stack)
		return false;
	t->too_many |= t->f->own.at.n > STACKS_MAX;
	add(t, stack, 0, two ? before : last);
	if (two)
		add(t, stack, 1, last);
	return true;
}

/* ---- maps of `sonde run` ---- */

static void push_map_frame(struct text *t, const char *z, const char *end)
{
	const char *plus = end;
	while (z < end && (*z == ' ' || *z == '\t'))
		z++;
	while (plus > z && is_digit(plus[-1]))
		plus--;
	if (plus > z + 1 && plus < end && plus[-1] == '+')
		end = plus - 1;
	if (end > z && t->frame.n < DEPTH_MAX)
		*vec_push(&t->frame) = stackfold_frame(t->f, z, end - z, FRAME_USER);
}

/* What else is in the key: a command, a number. */
static void push_map_word(struct text *t, const char *z, const char *end)
{
	while (z < end && (*z == ',' || *z == ' '))
		z++;
	while (end > z && (end[-1] == ',' || end[-1] == ' '))
		end--;
	if (end > z && t->word.n < DEPTH_MAX)
		*vec_push(&t->word) = stackfold_frame(t->f, z, end - z, FRAME_GROUP);
}

static void push_map_line(struct text *t, const char *z, const char *end)
{
	if (z < end && (*z == ' ' || *z == '\t'))
		push_map_frame(t, z, end);
	else
		push_map_word(t, z, end);
}

static void forget_map_key(struct text *t)
{
	vec_clear(&t->frame);
	vec_clear(&t->word);
}

/* Words stand below their stack; of two stacks, the first one in the key stands on the second. */
static void add_map_key(struct text *t, uint64_t weight)
{
	static const char none[] = "[no stack]";
	uint32_t stack = 0;
	if (!t->frame.n)
		*vec_push(&t->frame) = stackfold_frame(t->f, none, sizeof(none) - 1, FRAME_OTHER);
	vec_each(&t->word, w)
		stack = stackfold_push(t->f, stack, *w);
	for (size_t i = t->frame.n; i-- > 0;)
		stack = stackfold_push(t->f, stack, t->frame.at[i]);
	forget_map_key(t);
	add(t, stack, 0, weight);
}

/* "12", or of stats() "count 3, average 4, total 12" */
static bool read_map_value(struct text *t, const char *z, const char *end, uint64_t *out)
{
	static const char total[] = "total ";
	const char *word = memmem(z, end - z, total, sizeof(total) - 1);
	return read_weight(t, word ? word + sizeof(total) - 1 : z, end, out);
}

/* Where "]: value" ends the key; NULL: it goes on. */
static const char *key_end(const char *z, const char *end)
{
	const char *found = NULL;
	for (const char *at = z; (at = memmem(at, end - at, "]: ", 3)); at++)
		found = at;
	return found;
}

static bool take_map_line(struct text *t, const char *z, const char *end)
{
	uint64_t weight;
	const char *last = z < end && (*z == ' ' || *z == '\t') ? NULL : key_end(z, end);
	if (!last) {
		push_map_line(t, z, end);
		return true;
	}
	t->in_map = false;
	push_map_word(t, z, last);
	if (read_map_value(t, last + 3, end, &weight)) {
		add_map_key(t, weight);
		return true;
	}
	forget_map_key(t);
	return false;
}

/* "@name[" or "@name: 12"; what is in the key so far, else NULL. */
static bool is_map(const char *z, const char *end, const char **key)
{
	if (*z++ != '@')
		return false;
	while (z < end && (is_digit(*z) || *z == '_' || ((*z | 0x20) >= 'a' && (*z | 0x20) <= 'z')))
		z++;
	*key = z < end && *z == '[' ? z + 1 : NULL;
	return *key || (z + 1 < end && z[0] == ':' && z[1] == ' ');
}

/* A key that ends in its own line has no stack. */
static bool begin_map_key(struct text *t, const char *key, const char *end)
{
	if (!key || key_end(key, end))
		return false;
	t->in_map = true;
	push_map_word(t, key, end);
	return true;
}

/* The same as JSON: {"word,\n    inner\n    outer\n,word": 12} */
static int take_pairs(void *ctx, const json_pairs *p)
{
	struct text *t = ctx;
	vec_each(p, at) {
		const char *z = at->key, *line;
		uint64_t weight;
		if (!strchr(z, '\n') || !read_weight(t, at->value, at->value + strlen(at->value), &weight))
			continue;
		for (bool more = true; more; z = line + 1) {
			line = strchrnul(z, '\n');
			push_map_line(t, z, line);
			more = *line;
		}
		add_map_key(t, weight);
	}
	return 0;
}

/* ---- lines ---- */

static void take_line(struct text *t, const char *z, const char *end)
{
	const char *key;
	bool taken = true;
	if (end > z && end[-1] == '\r')
		end--;
	if (t->in_map) {
		taken = take_map_line(t, z, end);
	} else if (z == end || *z == '#') {
		return;
	} else if (is_map(z, end, &key)) {
		taken = begin_map_key(t, key, end);
	} else if (*z == '{' && end[-1] == '}') {
		taken = !json_objects(z, end - z, take_pairs, t);
		error_clear();
	} else {
		taken = take_folded(t, z, end);
	}
	t->f->unread += !taken;
}

/* Takes the whole lines of buf, and moves the rest to its start. */
static void take_lines(struct text *t, struct str *buf, bool last)
{
	const char *z = buf->buf, *end = z + buf->len, *nl;
	while (z < end && (nl = memchr(z, '\n', end - z))) {
		take_line(t, z, nl);
		z = nl + 1;
	}
	if (last && z < end) {
		take_line(t, z, end);
		z = end;
	}
	size_t rest = end - z;
	memmove(buf->buf, z, rest);
	buf->len = rest;
}

static int read_all(struct text *t, FILE *in, const char *name)
{
	enum { BLOCK = 1 << 20 };
	struct str buf = STR_INIT;
	size_t n;
	int err = 0;
	do {
		str_grow(&buf, BLOCK);
		n = fread(buf.buf + buf.len, 1, BLOCK, in);
		buf.len += n;
		take_lines(t, &buf, !n);
		if (buf.len > LINE_MAX_BYTES)
			err = error_set(EFBIG, "%s: a line of more than 256 MB is no stack", name);
		else if (t->too_many)
			err = error_set(EFBIG, "%s: more than a thousand million different callers", name);
	} while (n && !err);
	if (!err && ferror(in))
		err = error_sys(errno, "cannot read %s", name);
	str_release(&buf);
	return err;
}

struct stackfold *stackfold_of_text(FILE *in, const char *name, const char *unit, bool ordered)
{
	struct text t = { .f = stackfold_new(), .ordered = ordered };
	struct fold_key k = { .event = stackfold_add_event(t.f, name, unit ? unit : "samples", 1), .pid = -1, .tid = -1, .cpu = -1, .comm = "" };
	t.key[0] = stackfold_key(t.f, &k);
	t.f->quantum = QUANTUM_NONE;
	int err = read_all(&t, in, name);
	if (!err && !t.f->row.n) {
		err = error_set(ENODATA, "%s has no folded stacks", name);
		error_hint("a line is 'outer;inner 12': functions, a blank, a number; stackcollapse-*.pl and sonde flame -o x.folded write them");
	}
	vec_release(&t.frame);
	vec_release(&t.word);
	if (!err)
		return t.f;
	stackfold_free(t.f);
	return NULL;
}
