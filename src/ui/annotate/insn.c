// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader's form of an instruction: jumps by the offset they lead to, calls by name, data by name. Which instructions are
 * treated so is perf's choice; others stay as they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ui/annotate/annotate.h"

enum form { FORM_RAW, FORM_MOVE, FORM_JUMP, FORM_CALL, FORM_ONE, FORM_NOP, FORM_LOCK, FORM_RET };

static const char *const moves[] = { "adc", "add", "addsd", "and", "andpd", "andps", "bsr", "bt", "btr", "bts", "cmovbe", "cmove", "cmovae",
	"cmp", "cmpxch", "cmpxchg", "cs", "divsd", "divss", "gs", "imul", "lea", "mov", "movapd", "movaps", "movdqa", "movdqu", "movsd",
	"movss", "movsb", "movsw", "movsl", "movupd", "movups", "movzb", "movzw", "movzl", "mulsd", "mulss", "or", "orps", "pand", "paddq",
	"pcmpeqb", "por", "rcl", "sbb", "sete", "sub", "subsd", "test", "tzcnt", "ucomisd", "ucomiss", "vaddsd", "vandpd", "vmovdqa",
	"vmovq", "vmovsd", "vmulsd", "vorpd", "vsubsd", "vucomisd", "xadd", "xchg", "xor", "xorpd", "xorps", NULL };
static const char *const jumps[] = { "ja", "jae", "jb", "jbe", "jc", "jcxz", "je", "jecxz", "jg", "jge", "jl", "jle", "jmp", "jna", "jnae",
	"jnb", "jnbe", "jnc", "jne", "jng", "jnge", "jnl", "jnle", "jno", "jnp", "jns", "jnz", "jo", "jp", "jpe", "jpo", "jrcxz", "js",
	"jz", "xbegin", NULL };

static bool among(const char *const *list, const char *z, size_t n)
{
	for (; *list; list++)
		if (strlen(*list) == n && !memcmp(*list, z, n))
			return true;
	return false;
}

static enum form form_of_word(const char *z, size_t n)
{
	static const struct { const char *name; enum form form; } rows[] = {
		{ "call", FORM_CALL }, { "dec", FORM_ONE }, { "inc", FORM_ONE }, { "lock", FORM_LOCK }, { "nop", FORM_NOP }, { "ret", FORM_RET },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == n && !memcmp(rows[i].name, z, n))
			return rows[i].form;
	return among(moves, z, n) ? FORM_MOVE : among(jumps, z, n) ? FORM_JUMP : FORM_RAW;
}

/* With its suffix of size, or without. */
static enum form form_of(const char *z, size_t n)
{
	enum form f = form_of_word(z, n);
	return f == FORM_RAW && n > 1 && strchr("bwlq", z[n - 1]) ? form_of_word(z, n - 1) : f;
}

struct parts { const char *name, *ops; size_t n; };
static struct parts split(const char *text)
{
	struct parts p = { .name = text, .n = strcspn(text, " ") };
	p.ops = text + p.n;
	while (*p.ops == ' ')
		p.ops++;
	return p;
}

int annotate_name_width(const struct code_listing *l)
{
	int width = 0;
	vec_each(&l->line, line)
		if (line->named) {
			int n = split(line->named).n;
			width = n > width ? n : width;
		}
	return width;
}

int hex_digits(uint64_t v)
{
	int n = 1;
	while (v >>= 4)
		n++;
	return n;
}

/* The name between < and > behind a comment or an address; NULL: none. */
static const char *name_in(const char *z, size_t *n)
{
	const char *from = strchr(z, '<'), *to = from ? strrchr(from, '>') : NULL;
	if (!to)
		return NULL;
	*n = to - from - 1;
	return from + 1;
}

/* An operand relative to %rip is called what it points to. */
static void add_operand(struct str *s, const char *z, size_t n, const char *comment)
{
	size_t len;
	bool relative = memmem(z, n, "(%rip)", 6);
	const char *name = relative && comment ? name_in(comment, &len) : NULL;
	str_addn(s, name ? name : z, name ? len : n);
}

static bool add_move(struct str *s, struct parts p, int width)
{
	const char *comment = strchr(p.ops, '#'), *comma = strchr(p.ops, ',');
	if (!comma)
		return false;
	if (memchr(p.ops, '(', comma - p.ops)) { /* that comma is within an operand */
		comma = strchr(p.ops, ')');
		if (!comma || comma[1] != ',')
			return false;
		comma++;
	}
	const char *target = comma + 1, *end = comment ? comment : target + strlen(target);
	while (end > target && end[-1] == ' ')
		end--;
	str_addf(s, "%-*.*s ", width, (int)p.n, p.name);
	add_operand(s, p.ops, comma - p.ops, comment);
	str_addc(s, ',');
	add_operand(s, target, end - target, comment);
	return true;
}

static bool add_one(struct str *s, struct parts p, int width)
{
	const char *comment = strchr(p.ops, '#'), *end = comment ? comment : p.ops + strlen(p.ops);
	while (end > p.ops && end[-1] == ' ')
		end--;
	if (!comment)
		return false;
	str_addf(s, "%-*.*s ", width, (int)p.n, p.name);
	add_operand(s, p.ops, end - p.ops, comment);
	return true;
}

static bool add_jump(struct str *s, const struct code_listing *l, const struct instruction *i, struct parts p, int width, char *arrow)
{
	size_t n;
	const char *name;
	uint64_t offset = i->target - l->start;
	bool outside = i->has_target && (i->target < l->start || i->target > l->start + l->size);
	*arrow = outside ? '>' : i->target > i->addr ? 'v' : '^';
	if (!i->has_target)
		return false;
	if (outside && (name = name_in(p.ops, &n)) && !memchr(name, '+', n)) {
		str_addf(s, "%-*.*s %.*s", width, (int)p.n, p.name, (int)n, name);
		return true;
	}
	if (i->target < l->start)
		return false;
	str_addf(s, "%-*.*s %" PRIx64, width, (int)p.n, p.name, offset);
	return true;
}

static bool add_call(struct str *s, const struct instruction *i, struct parts p, int width)
{
	size_t n;
	const char *name = i->has_target ? name_in(p.ops, &n) : NULL;
	if (!i->has_target)
		return false;
	if (name)
		str_addf(s, "%-*.*s %.*s", width, (int)p.n, p.name, (int)n, name);
	else
		str_addf(s, "%-*.*s *%" PRIx64, width, (int)p.n, p.name, i->target);
	return true;
}

char *annotate_insn(const struct code_listing *l, const struct listing_line *line, int width, bool raw, char *arrow)
{
	struct str s = STR_INIT;
	*arrow = ' ';
	if (!line->named)
		return xstrdup("");
	struct parts p = split(line->named);
	const struct instruction *i = &l->insns.at[line->insn];
	enum form form = form_of(p.name, p.n);
	bool done = false;
	if (form == FORM_LOCK) {
		str_addf(&s, "%-*.*s ", width, (int)p.n, p.name);
		p = split(p.ops);
		form = form_of(p.name, p.n);
	}
	if (form == FORM_CALL)
		*arrow = '>';
	else if (form == FORM_RET)
		*arrow = '<';
	if (form == FORM_JUMP)
		done = add_jump(&s, l, i, p, width, arrow) && !raw;
	else if (!raw)
		done = form == FORM_MOVE ? add_move(&s, p, width) : form == FORM_ONE ? add_one(&s, p, width) : form == FORM_CALL && add_call(&s, i, p, width);
	if (form == FORM_NOP && !raw) {
		str_addf(&s, "%-*s", width, "nop");
		done = true;
	}
	if (!done) {
		if (raw)
			str_clear(&s);
		str_addf(&s, "%-*.*s %s", width, (int)p.n, p.name, p.ops);
	}
	return str_detach(&s);
}
