// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static void sort_unique(intlist *l)
{
	size_t k = 0;
	if (!l->n)
		return;
	qsort(l->at, l->n, sizeof(int), by_value);
	for (size_t i = 1; i < l->n; i++)
		if (l->at[i] != l->at[k])
			l->at[++k] = l->at[i];
	l->n = k + 1;
}

int intlist_parse(intlist *l, const char *text, int max, const char *what)
{
	const char *p = text;
	for (;;) {
		char *end;
		if (*p < '0' || *p > '9')
			return error_set(EINVAL, "'%s' is not a list of %s%s", text, what, *what && what[strlen(what) - 1] == 's' ? "es" : "s");
		errno = 0;
		long a = strtol(p, &end, 10), b = a;
		if (*end == '-') {
			p = end + 1;
			if (*p < '0' || *p > '9')
				return error_set(EINVAL, "'%s' is not a list of %s%s", text, what, *what && what[strlen(what) - 1] == 's' ? "es" : "s");
			b = strtol(p, &end, 10);
		}
		if (errno || a > max || b > max)
			return error_set(ERANGE, "'%s': the highest %s is %d", text, what, max);
		if (b < a)
			return error_set(EINVAL, "'%s': the range ends before it starts", text);
		for (long v = a; v <= b; v++)
			*vec_push(l) = v;
		if (!*end)
			break;
		if (*end != ',')
			return error_set(EINVAL, "'%s' is not a list of %s%s", text, what, *what && what[strlen(what) - 1] == 's' ? "es" : "s");
		p = end + 1;
	}
	sort_unique(l);
	return 0;
}

bool intlist_has(const intlist *l, int v)
{
	vec_each(l, i)
		if (*i == v)
			return true;
	return false;
}

void wordlist_add(wordlist *w, const char *z)
{
	*vec_push(w) = xstrdup(z);
}

void wordlist_split(wordlist *w, const char *text, char sep)
{
	const char *p = text;
	for (;;) {
		const char *end = strchr(p, sep);
		size_t n = end ? (size_t)(end - p) : strlen(p);
		if (n)
			*vec_push(w) = xstrndup(p, n);
		if (!end)
			return;
		p = end + 1;
	}
}

bool wordlist_has(const wordlist *w, const char *z)
{
	for (size_t i = 0; z && i < w->n; i++)
		if (!strcmp(w->at[i], z))
			return true;
	return false;
}

void wordlist_release(wordlist *w)
{
	vec_each(w, z)
		free(*z);
	vec_release(w);
}

/* One [class] at *p (behind the bracket); moves *p behind it. No closing bracket: a literal '['. */
static bool class_match(const char **p, unsigned char c, bool *literal)
{
	const char *s = *p;
	bool invert = *s == '!' || *s == '^', hit = false;
	s += invert;
	const char *first = s;
	for (; *s && (*s != ']' || s == first); s++) {
		unsigned char lo = *s, hi = lo;
		if (s[1] == '-' && s[2] && s[2] != ']') {
			hi = s[2];
			s += 2;
		}
		hit |= c >= lo && c <= hi;
	}
	*literal = !*s;
	if (*s)
		*p = s + 1;
	return hit != invert;
}

bool glob_match(const char *pattern, const char *text)
{
	const char *p = pattern, *t = text, *star = NULL, *resume = NULL;
	while (*t) {
		const char *next = p + 1;
		bool ok, literal = false;
		if (*p == '*') {
			star = ++p;
			resume = t;
			continue;
		}
		if (*p == '[') {
			ok = class_match(&next, *t, &literal);
			if (literal)
				ok = *t == '[', next = p + 1;
		} else if (*p == '\\' && p[1]) {
			ok = p[1] == *t;
			next = p + 2;
		} else {
			ok = *p == '?' || (*p && *p == *t);
		}
		if (ok) {
			p = next;
			t++;
		} else if (star) { /* let the last star eat one more */
			p = star;
			t = ++resume;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool glob_has(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (*text == '*' || *text == '?' || *text == '[')
			return true;
	}
	return false;
}

enum { NEAR_MAX = 64 };

/* Levenshtein distance with a bound on the lengths. */
static int distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	int row[NEAR_MAX + 1];
	if (n > NEAR_MAX || m > NEAR_MAX)
		return NEAR_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		int diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			int change = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			int best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
			row[j] = best < change ? best : change;
		}
	}
	return row[m];
}

void nearest_init(struct nearest *n, const char *want)
{
	*n = (struct nearest){ .want = want };
}

void nearest_offer(struct nearest *n, const char *name)
{
	int limit = strlen(n->want) < 60 ? strlen(n->want) / 3 + 1 : 20, d = distance(n->want, name);
	if (d > limit && strlen(n->want) >= 3 && str_starts(name, n->want))
		d = limit;
	if (d > limit)
		return;
	for (int i = 0; i < 3; i++)
		if (n->best[i] && !strcmp(n->best[i], name))
			return;
	for (int i = 0; i < 3; i++) {
		if (n->best[i] && d >= n->dist[i])
			continue;
		for (int k = 2; k > i; k--) {
			n->best[k] = n->best[k - 1];
			n->dist[k] = n->dist[k - 1];
		}
		n->best[i] = name;
		n->dist[i] = d;
		return;
	}
}

bool nearest_hint_of(const struct nearest *n, const char *sign)
{
	if (!n->best[0])
		return false;
	if (!n->best[1])
		error_hint("did you mean '%s%s'?", sign, n->best[0]);
	else if (!n->best[2])
		error_hint("did you mean '%s%s' or '%s%s'?", sign, n->best[0], sign, n->best[1]);
	else
		error_hint("did you mean '%s%s', '%s%s' or '%s%s'?", sign, n->best[0], sign, n->best[1], sign, n->best[2]);
	return true;
}

bool nearest_hint(const struct nearest *n)
{
	return nearest_hint_of(n, "");
}
