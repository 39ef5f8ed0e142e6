// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/inject.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"

enum { COUNT_MAX = 65535, ERRNO_MAX = 4095, ARGS = 6 };

/* ---- the words behind the colons ---- */

static int bad(const char *word, const char *hint)
{
	error_set(EINVAL, "-e inject=: '%s' is not understood", word);
	return error_hint("%s", hint);
}

static int parse_error(struct inject *i, const char *value)
{
	uint64_t n;
	if (parse_u64(value, &n)) {
		for (n = 1; n <= ERRNO_MAX && strcmp(errno_name(n) ? errno_name(n) : "", value); n++)
			;
	}
	if (!n || n > ERRNO_MAX)
		return bad(value, "error= takes a name such as EIO, or a number from 1 to 4095");
	i->returns = true;
	i->ret = -(int64_t)n;
	return 0;
}

static int parse_retval(struct inject *i, const char *value)
{
	if (parse_s64(value, &i->ret))
		return bad(value, "retval= takes a number");
	i->returns = i->plain_ret = true;
	return 0;
}

static int parse_signal(struct inject *i, const char *value)
{
	i->sig = signal_number(value);
	return i->sig ? 0 : bad(value, "signal= takes a name such as SIGTERM, or a number");
}

static int parse_instead(struct inject *i, const char *value)
{
	const struct syscall_row *r = syscall_named(ABI_NATIVE, value, NULL);
	if (!r || !(syscall_classes(r) & CLASS_PURE))
		return bad(value, "syscall= takes a call without arguments that cannot fail: -e %%pure shows them");
	i->instead = xstrdup(value);
	return 0;
}

/* A number with s, ms, us (as none) or ns behind it. */
static int parse_delay(uint64_t *ns, const char *value)
{
	static const struct { const char *unit; double ns; } units[] = { { "", 1e3 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "ns", 1 } };
	char *end;
	double n = strtod(value, &end);
	for (size_t i = 0; end != value && n >= 0 && n < 1e9 && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].unit)) {
			*ns = n * units[i].ns;
			return 0;
		}
	return bad(value, "a time is a number of microseconds, or has s, ms, us or ns behind it");
}

static int parse_delay_enter(struct inject *i, const char *value)
{
	return parse_delay(&i->delay_enter, value);
}

static int parse_delay_exit(struct inject *i, const char *value)
{
	return parse_delay(&i->delay_exit, value);
}

static int hex_digit(char c)
{
	c = tolower((unsigned char)c);
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "@arg2=4142" */
static int parse_poke(poke_list *l, const char *word)
{
	static const char hint[] = "bytes to write are given as @argN=HEX, with N from 1 to 6: poke_enter=@arg2=414243";
	unsigned arg = 0;
	int at = 0;
	if (sscanf(word, "@arg%1u=%n", &arg, &at) != 1 || !at || !arg || arg > ARGS)
		return bad(word, hint);
	size_t n = strlen(word + at);
	struct poke p = { .arg = arg - 1, .data = xmalloc(n / 2 + 1), .n = n / 2 };
	for (size_t i = 0; i < n; i++) {
		int v = hex_digit(word[at + i]);
		if (v < 0 || n % 2) {
			free(p.data);
			return bad(word, hint);
		}
		p.data[i / 2] = i % 2 ? p.data[i / 2] << 4 | v : v;
	}
	*vec_push(l) = p;
	return 0;
}

static int parse_pokes(poke_list *l, const char *value)
{
	wordlist w = { 0 };
	int err = 0;
	wordlist_split(&w, value, ',');
	for (size_t i = 0; !err && i < w.n; i++)
		err = parse_poke(l, w.at[i]);
	wordlist_release(&w);
	return err;
}

static int parse_poke_enter(struct inject *i, const char *value)
{
	return parse_pokes(&i->enter, value);
}

static int parse_poke_exit(struct inject *i, const char *value)
{
	return parse_pokes(&i->exit, value);
}

static bool number(const char **p, unsigned *n)
{
	char *end;
	unsigned long v = isdigit((unsigned char)**p) ? strtoul(*p, &end, 10) : 0;
	if (!v || v > COUNT_MAX)
		return false;
	*n = v;
	*p = end;
	return true;
}

/* FIRST[..LAST][+[STEP]] */
static int parse_when(struct inject *i, const char *value)
{
	const char *p = value;
	bool ok = number(&p, &i->first);
	i->last = i->first;
	i->step = 1;
	if (ok && str_starts(p, "..")) {
		p += 2;
		ok = number(&p, &i->last) && i->last >= i->first;
	} else if (ok && *p == '+') {
		i->last = 0;
	}
	if (ok && *p == '+' && *++p)
		ok = number(&p, &i->step);
	return ok && !*p ? 0 : bad(value, "when= takes FIRST, FIRST..LAST, FIRST+ or FIRST+STEP, counted from 1: when=3+2");
}

static const struct { const char *name; int (*parse)(struct inject *i, const char *value); bool fault; } keys[] = {
	{ "error=", parse_error, true }, { "retval=", parse_retval, false }, { "signal=", parse_signal, false },
	{ "syscall=", parse_instead, false }, { "delay_enter=", parse_delay_enter, false }, { "delay_exit=", parse_delay_exit, false },
	{ "poke_enter=", parse_poke_enter, false }, { "poke_exit=", parse_poke_exit, false }, { "when=", parse_when, true },
};

static int parse_key(struct inject *i, const char *word, bool fault)
{
	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		if (!str_starts(word, keys[k].name) || (fault && !keys[k].fault))
			continue;
		if (i->returns && (keys[k].parse == parse_error || keys[k].parse == parse_retval))
			return bad(word, "error= or retval=, one of them once");
		return keys[k].parse(i, word + strlen(keys[k].name));
	}
	return bad(word, fault ? "fault= takes error= and when=" :
		   "error= retval= signal= syscall= delay_enter= delay_exit= poke_enter= poke_exit= when=");
}

static void release(struct inject *i)
{
	vec_each(&i->enter, p)
		free(p->data);
	vec_each(&i->exit, p)
		free(p->data);
	vec_release(&i->enter);
	vec_release(&i->exit);
	free(i->instead);
}

int inject_parse(inject_list *l, const char *text, bool fault)
{
	struct inject i = { .first = 1, .step = 1 };
	wordlist w = { 0 };
	wordlist_split(&w, text, ':');
	int err = w.n ? sysset_parse(&i.calls, w.at[0]) : error_set(EINVAL, "-e inject=: no call is named");
	for (size_t k = 1; !err && k < w.n; k++)
		err = parse_key(&i, w.at[k], fault);
	if (!err && fault && !i.returns)
		err = parse_error(&i, "ENOSYS");
	if (!err && !i.returns && !i.sig && !i.delay_enter && !i.delay_exit && !i.enter.n && !i.exit.n)
		err = bad(text, "what is to happen? -e inject=openat:error=ENOENT, :retval=0, :signal=SIGTERM, :delay_enter=100ms");
	wordlist_release(&w);
	if (err)
		release(&i);
	else
		*vec_push(l) = i;
	return err;
}

void inject_release(inject_list *l)
{
	vec_each(l, i)
		release(i);
	vec_release(l);
}

bool inject_any(const inject_list *l, const struct sysset *calls)
{
	bool any = l->n && !calls;
	vec_each(l, i)
		for (int k = 0; calls && k < 16; k++)
			any |= (i->calls.native[k] & calls->native[k]) || (i->calls.compat[k] & calls->compat[k]);
	return any;
}
