// SPDX-License-Identifier: GPL-2.0-or-later
/* Strings and numbers. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include "script/stap/calls.h"
#include "script/stap/run.h"

#define CALL(name) static struct interp_value name(struct interp *ip, const struct script_node *n, const struct interp_value *args, unsigned n_args)
#define UNUSED (void)ip, (void)n, (void)args, (void)n_args

CALL(text_length)
{
	size_t len;
	UNUSED;
	const char *t = interp_string(ip, &args[0], &len);
	return value_number((int64_t)strnlen(t, len));
}

CALL(substr)
{
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	int64_t from = interp_number(&args[1]), most = interp_number(&args[2]);
	UNUSED;
	if (from < 0 || (uint64_t)from >= len || most <= 0)
		return interp_text(ip, "", 0);
	return interp_text(ip, t + from, (uint64_t)most < len - (size_t)from ? (size_t)most : len - (size_t)from);
}

CALL(stringat)
{
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	int64_t at = interp_number(&args[1]);
	UNUSED;
	if (at < 0 || (uint64_t)at >= len)
		return interp_fail(ip, n, "the string has no character %lld", (long long)at);
	return value_number((unsigned char)t[at]);
}

CALL(isinstr)
{
	size_t len, want;
	const char *t = interp_string(ip, &args[0], &len), *w = interp_string(ip, &args[1], &want);
	UNUSED;
	return value_number(!want || memmem(t, len, w, want) != NULL);
}

CALL(strpos)
{
	size_t len, want;
	const char *t = interp_string(ip, &args[0], &len), *w = interp_string(ip, &args[1], &want);
	const char *at = want ? memmem(t, len, w, want) : t;
	UNUSED;
	return value_number(at ? at - t : -1);
}

CALL(text_to_number)
{
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	int64_t base = interp_number(&args[1]);
	UNUSED;
	if (base && (base < 2 || base > 36))
		return interp_fail(ip, n, "a base is from 2 to 36");
	char *z = xstrndup(t, len);
	int64_t v = (int64_t)strtoll(z, NULL, (int)base);
	free(z);
	return value_number(v);
}

/* tokenize(text, marks) begins, tokenize("", marks) goes on. One text at a time, as there. */
CALL(tokenize)
{
	static struct str left;
	static size_t at;
	size_t len, n_marks;
	const char *t = interp_string(ip, &args[0], &len), *marks = interp_string(ip, &args[1], &n_marks);
	UNUSED;
	if (len) {
		if (!left.buf)
			str_init(&left);
		str_clear(&left);
		str_addn(&left, t, len);
		at = 0;
	}
	while (at < left.len && memchr(marks, left.buf[at], n_marks))
		at++;
	size_t from = at;
	while (at < left.len && !memchr(marks, left.buf[at], n_marks))
		at++;
	return interp_text(ip, left.len ? left.buf + from : "", at - from);
}

/* Characters that cannot be printed as escapes. */
static struct interp_value escaped(struct interp *ip, const struct interp_value *v, bool quotes)
{
	size_t len;
	const char *t = interp_string(ip, v, &len);
	struct str s = STR_INIT;
	str_add_quoted(&s, t, len);
	size_t skip = quotes ? 0 : 1;
	struct interp_value out = interp_text(ip, s.buf + skip, s.len - 2 * skip);
	str_release(&s);
	return out;
}

CALL(text_str)
{
	UNUSED;
	return escaped(ip, &args[0], false);
}

CALL(text_strn)
{
	size_t len;
	const char *t = interp_string(ip, &args[0], &len);
	int64_t most = interp_number(&args[1]);
	struct interp_value cut = value_text(t, most >= 0 && (uint64_t)most < len ? (size_t)most : len);
	UNUSED;
	return escaped(ip, &cut, n_args > 2 && interp_number(&args[2]));
}

CALL(str_replace)
{
	size_t len, old_len, new_len;
	const char *t = interp_string(ip, &args[0], &len), *from = interp_string(ip, &args[1], &old_len), *to = interp_string(ip, &args[2], &new_len);
	struct str s = STR_INIT;
	UNUSED;
	for (size_t i = 0; i < len;) {
		if (old_len && len - i >= old_len && !memcmp(t + i, from, old_len)) {
			str_addn(&s, to, new_len);
			i += old_len;
		} else {
			str_addc(&s, t[i++]);
		}
	}
	struct interp_value out = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return out;
}

static struct interp_value split_time(struct interp *ip, int64_t v, int64_t unit, const char *form)
{
	struct str s = STR_INIT;
	str_addf(&s, "%lld", (long long)(v / unit));
	char *rest = xasprintf(form, (long long)(v % unit < 0 ? -(v % unit) : v % unit));
	str_add(&s, rest);
	free(rest);
	struct interp_value out = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return out;
}

CALL(usecs_to_string) { UNUSED; return split_time(ip, interp_number(&args[0]), 1000000, ".%06llds"); }
CALL(msecs_to_string) { UNUSED; return split_time(ip, interp_number(&args[0]), 1000, ".%03llds"); }
CALL(nsecs_to_string) { UNUSED; return split_time(ip, interp_number(&args[0]), 1000000000, ".%09llds"); }

CALL(ip_ntop)
{
	char buf[INET_ADDRSTRLEN] = "";
	struct in_addr a = { (uint32_t)interp_number(&args[0]) };
	UNUSED;
	inet_ntop(AF_INET, &a, buf, sizeof(buf));
	return interp_text(ip, buf, strlen(buf));
}

CALL(swap16) { UNUSED; return value_number(htons((uint16_t)interp_number(&args[0]))); }
CALL(swap32) { UNUSED; return value_number(htonl((uint32_t)interp_number(&args[0]))); }

CALL(randint)
{
	int64_t n_most = interp_number(&args[0]);
	UNUSED;
	return value_number(n_most > 0 ? (int64_t)((uint64_t)random() % (uint64_t)n_most) : 0);
}

const struct interp_call stap_calls_text[] = {
	{ "strlen", 1, 1, text_length },
	{ "substr", 3, 3, substr },
	{ "stringat", 2, 2, stringat },
	{ "isinstr", 2, 2, isinstr },
	{ "strpos", 2, 2, strpos },
	{ "strtol", 2, 2, text_to_number },
	{ "tokenize", 2, 2, tokenize },
	{ "text_str", 1, 1, text_str },
	{ "text_strn", 2, 3, text_strn },
	{ "str_replace", 3, 3, str_replace },
	{ "usecs_to_string", 1, 1, usecs_to_string },
	{ "msecs_to_string", 1, 1, msecs_to_string },
	{ "nsecs_to_string", 1, 1, nsecs_to_string },
	{ "ip_ntop", 1, 1, ip_ntop },
	{ "htons", 1, 1, swap16 }, { "ntohs", 1, 1, swap16 }, { "htonl", 1, 1, swap32 }, { "ntohl", 1, 1, swap32 },
	{ "randint", 1, 1, randint },
	{ 0 },
};
