/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script's text, places in it, and what is said about them; and the memory of everything that is made from it. */
#ifndef SCRIPT_SOURCE_H
#define SCRIPT_SOURCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span { uint32_t at, len; }; /* bytes of the text */

/* Memory that goes all at once. Zeroed, aligned to 16. */
struct arena { struct arena_piece *last; };
void *arena_get(struct arena *a, size_t n);
char *arena_text(struct arena *a, const char *p, size_t n); /* a copy with a NUL behind it */
void arena_release(struct arena *a);

struct script_source {
	const char *name; /* as messages name it: the file, "-e" */
	const char *text; /* the caller's; NUL-terminated */
	size_t len;
	struct arena memory;
	struct config_line *config; /* front/parse.h; in its order */
	struct map_kind_line *kinds; /* of maps */
	bool no_warnings; /* source_warn() says nothing */
	struct c_decl *declared; /* types: front/parse_type.h; the last one first */
};

/* Sets the pending error: NAME:LINE:COLUMN: text, the line with a caret under the span. Returns -EINVAL. Hints may be added. */
int source_error(const struct script_source *s, struct span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same with -ENOTSUP: the construct is bpftrace's, and not yet ours. */
int source_later(const struct script_source *s, struct span at, const char *what);
/* The pending error, with its hints, as one of that place. */
int source_blame(const struct script_source *s, struct span at);
/* Not an error; printed at once. */
void source_warn(const struct script_source *s, struct span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#endif
