/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the event grammar share; nobody else includes this. */
#ifndef SPEC_PARSE_H
#define SPEC_PARSE_H
#include "spec/spec.h"
#include "kernel/pmu.h"

struct spec_parser {
	const char *text, *p; /* the whole -e argument; where we are */
	event_list *l;
	unsigned batch;
};

struct term { /* key[=val] between slashes */
	char *key, *val; /* val NULL: none */
	size_t at; /* offset in the text, for the caret */
};
typedef VEC(struct term) term_list;

/* A word up to a character with a meaning of its own; [...] of a glob is kept whole. Owned. */
char *parse_word(struct spec_parser *ps);
/* A fresh event at the end of the list; NULL with a pending error when there are too many. */
struct event *parse_new(struct spec_parser *ps, enum event_kind kind, uint32_t type, uint64_t config);
/* Appends those of the modifiers to the name that are in which. */
void event_name_mods(struct event *e, const char *mods, size_t n, const char *which);

/* terms.c */
int terms_read(struct spec_parser *ps, term_list *out); /* p stands on the first '/', then after the last */
void terms_release(term_list *t);
/* The terms that every event takes (name=, period=, ...); pmu NULL, or missing: other terms too. */
int terms_apply(struct spec_parser *ps, struct event *e, const struct pmu *pmu, const term_list *terms);
/* All events of word/terms/, a PMU by name, prefix or glob. */
int parse_pmu(struct spec_parser *ps, const char *word, size_t at);
/* A PMU's own event without its PMU ("mem-loads"): how many were added. */
int parse_bare_alias(struct spec_parser *ps, const char *word, size_t at);

/* tracepoint.c */
int parse_tracepoints(struct spec_parser *ps, const char *system, const char *name, size_t at);

/* breakpoint.c: p stands behind "mem:" */
int parse_breakpoint(struct spec_parser *ps, size_t at);

/* suggest.c */
/* Adds the text with a caret under [at, at+len) to the pending error; returns its code. */
int caret(const struct spec_parser *ps, size_t at, size_t len);
int unknown_event(const struct spec_parser *ps, const char *word, size_t at);
int unknown_tracepoint(const struct spec_parser *ps, const char *system, const char *name, size_t at);
int unknown_pmu(const struct spec_parser *ps, const char *word, size_t at);
int unknown_term(const struct spec_parser *ps, const struct pmu *pmu, const struct term *t);
#endif
