// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/sourcetext.h"
#include <stdlib.h>
#include <string.h>
#include "base/map.h"
#include "base/str.h"
#include "kernel/plain.h"

enum { SOURCE_MAX = 16 << 20, SOURCES_MAX = 256, BYTES_MAX = 64 << 20 };
struct source_texts {
	struct strmap files; /* path to struct str, empty where it was not to be had */
	size_t n, bytes;
};

struct source_texts *source_texts_new(void)
{
	return xcalloc(1, sizeof(struct source_texts));
}

static void forget(struct source_texts *t)
{
	size_t cursor = 0;
	void *v;
	while (strmap_next(&t->files, &cursor, NULL, &v)) {
		str_release(v);
		free(v);
	}
	strmap_release(&t->files);
	*t = (struct source_texts){ 0 };
}

void source_texts_free(struct source_texts *t)
{
	if (!t)
		return;
	forget(t);
	free(t);
}

static const struct str *text_of(struct source_texts *t, const char *path)
{
	struct str *s = strmap_get(&t->files, path);
	if (s)
		return s;
	if (t->n >= SOURCES_MAX || t->bytes >= BYTES_MAX)
		forget(t); /* they can be read again */
	s = xcalloc(1, sizeof(*s));
	str_init(s);
	if (plain_read(path, s, SOURCE_MAX))
		str_clear(s);
	strmap_set(&t->files, path, s);
	t->n++;
	t->bytes += s->len;
	return s;
}

const char *source_texts_line(struct source_texts *t, const char *path, int line, size_t *n)
{
	const struct str *s = text_of(t, path);
	const char *p = s ? s->buf : NULL;
	for (; p && *p && line > 1; line--) {
		p = strchr(p, '\n');
		p += !!p;
	}
	*n = p ? strcspn(p, "\n") : 0;
	return p && *p ? p : NULL;
}
