// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

void *vec_push_(void **at, size_t *n, size_t *cap, size_t size)
{
	if (*n == *cap) {
		*cap = *cap ? *cap * 2 : 8;
		*at = xrealloc(*at, *cap * size);
	}
	char *p = (char *)*at + (*n)++ * size;
	return memset(p, 0, size);
}

void vec_release_(void **at, size_t *n, size_t *cap)
{
	free(*at);
	*at = NULL;
	*n = *cap = 0;
}
