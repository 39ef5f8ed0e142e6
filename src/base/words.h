/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small grammars on words that several commands share. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/vec.h"

typedef VEC(int) intlist;
/* "0,2-5,7" sorted, unique; max bounds each value (-ERANGE). Pending error names what. */
int intlist_parse(intlist *l, const char *text, int max, const char *what);
bool intlist_has(const intlist *l, int v);

typedef VEC(char *) wordlist; /* owned strings */
void wordlist_add(wordlist *w, const char *z);
void wordlist_split(wordlist *w, const char *text, char sep);
bool wordlist_has(const wordlist *w, const char *z); /* NULL is in none */
void wordlist_release(wordlist *w);

/* Shell glob: * ? [a-z] and backslash; linear time, no recursion on hostile patterns. */
bool glob_match(const char *pattern, const char *text);
bool glob_has(const char *text); /* holds an unescaped * ? or [ */

/* Nearest names, for "did you mean": edit distance at most a third of the length. */
struct nearest { const char *want; const char *best[3]; int dist[3]; };
void nearest_init(struct nearest *n, const char *want);
void nearest_offer(struct nearest *n, const char *name); /* the string must outlive n */
/* Adds a hint "did you mean 'a', 'b' or 'c'?" if something is near. */
bool nearest_hint(const struct nearest *n);
bool nearest_hint_of(const struct nearest *n, const char *sign); /* sign: what stands before each, such as -- */
#endif
