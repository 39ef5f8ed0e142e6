// SPDX-License-Identifier: GPL-2.0-or-later
/* ldconfig leaves what it has found in one file: names and paths, each entry with the machine it is for. */
#include "symbol/file/library.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/str.h"

static const char cache_file[] = "/etc/ld.so.cache", cache_magic[] = "glibc-ld.so.cache1.1";
enum { CACHE_MOST = 64 << 20, HEAD = 48, ENTRY = 24 };
#if defined(__x86_64__)
enum { MACHINE = 0x0300 };
#else
enum { MACHINE = 0x0a00 };
#endif

bool library_is_called(const char *file, const char *name)
{
	size_t n = strlen(name);
	if (!strcmp(file, name))
		return true;
	if (strstr(name, ".so"))
		return !strncmp(file, name, n) && file[n] == '.';
	if (!strncmp(file, "lib", 3) && strncmp(name, "lib", 3))
		file += 3;
	return !strncmp(file, name, n) && !strncmp(file + n, ".so", 3) && (!file[n + 3] || file[n + 3] == '.');
}

static uint32_t word(const char *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
	return v;
}

/* A string of the cache; NULL: it is none. */
static const char *text_at(const char *p, size_t n, uint32_t at)
{
	return at < n && memchr(p + at, 0, n - at) ? p + at : NULL;
}

/* libc before libc_malloc_debug: the shortest name is meant; the first of those, which is the newest. */
static const char *search(const char *p, size_t n, const char *name)
{
	const char *best = NULL;
	size_t best_len = SIZE_MAX;
	uint32_t entries = n >= HEAD ? word(p + 20) : 0;
	for (uint32_t i = 0; i < entries && (size_t)(i + 1) * ENTRY <= n - HEAD; i++) {
		const char *e = p + HEAD + (size_t)i * ENTRY, *key = text_at(p, n, word(e + 4)), *value = text_at(p, n, word(e + 8));
		if (!key || !value || (word(e) & 0xff00) != MACHINE || !library_is_called(key, name))
			continue;
		if (strlen(key) < best_len && file_exists(value)) {
			best = value;
			best_len = strlen(key);
		}
	}
	return best;
}

char *library_find(const char *name)
{
	struct str s = STR_INIT;
	const char *found = NULL, *begin;
	if (!file_read(cache_file, &s, CACHE_MOST)) {
		begin = memmem(s.buf, s.len, cache_magic, sizeof(cache_magic) - 1);
		found = begin ? search(begin, s.len - (size_t)(begin - s.buf), name) : NULL;
	}
	char *path = found ? xstrdup(found) : NULL;
	str_release(&s);
	return path;
}
