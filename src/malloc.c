// SPDX-License-Identifier: GPL-2.0-or-later
/* Libraries that do not look whether they got memory (libdw's tables, seen with 0.188) crash where there is none. So a refusal
 * of little ends sonde here, in its own words, whoever asked; one of much may be a hostile file's doing, and who asks for much
 * has to be able to take a no. Not part of the static program, where libc's functions cannot be replaced, nor of tests. */
#include <errno.h>
#include <stdlib.h>
#include "base/str.h"

enum { LITTLE = 1 << 20 };

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static void *given(void *p, size_t n)
{
	if (!p && n && n <= LITTLE)
		out_of_memory();
	return p;
}

void *malloc(size_t n)
{
	return given(__libc_malloc(n), n);
}

void *calloc(size_t n, size_t size)
{
	size_t bytes;
	return given(__libc_calloc(n, size), __builtin_mul_overflow(n, size, &bytes) ? 0 : bytes);
}

void *realloc(void *p, size_t n)
{
	return given(__libc_realloc(p, n), n);
}
