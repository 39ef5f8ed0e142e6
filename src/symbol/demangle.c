// SPDX-License-Identifier: GPL-2.0-or-later
/* A short mangled name can stand for an endless one (substitutions of substitutions), so the text is
 * taken through libiberty's callback into a bounded buffer and abandoned by longjmp when that is full.
 * libiberty keeps its state on the stack there, so nothing is lost. */
#include "symbol/demangle.h"
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>
#include "base/str.h"

enum { MANGLED_MAX = 8192, DEMANGLED_MAX = 32768 };

struct sink {
	jmp_buf full;
	size_t len;
	char text[DEMANGLED_MAX];
};

static void take(const char *p, size_t n, void *arg)
{
	struct sink *s = arg;
	if (n >= sizeof(s->text) - s->len)
		longjmp(s->full, 1);
	memcpy(s->text + s->len, p, n);
	s->len += n;
}

bool demangle_wanted(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || !strncmp(name, "_GLOBAL_", 8));
}

char *demangle(const char *name, bool params)
{
	struct sink s;
	int options = params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	if (!demangle_wanted(name) || strlen(name) > MANGLED_MAX)
		return NULL;
	s.len = 0;
	if (setjmp(s.full))
		return NULL;
	if (!rust_demangle_callback(name, options, take, &s)) {
		s.len = 0;
		if (name[1] == 'R' || !cplus_demangle_v3_callback(name, options, take, &s))
			return NULL;
	}
	return xstrndup(s.text, s.len);
}
