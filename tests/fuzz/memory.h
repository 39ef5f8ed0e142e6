/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory one input makes us hold at once: asked for and not yet given back, by the sanitizer's hooks. */
#ifndef TESTS_FUZZ_MEMORY_H
#define TESTS_FUZZ_MEMORY_H
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

size_t __sanitizer_get_allocated_size(const volatile void *p);
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t), void (*on_free)(const volatile void *));

static long memory_live, memory_most;

static void memory_taken(const volatile void *p, size_t n)
{
	if (p)
		memory_live += (long)n;
	if (memory_live > memory_most)
		memory_most = memory_live;
}

static void memory_given(const volatile void *p)
{
	if (p)
		memory_live -= (long)__sanitizer_get_allocated_size(p);
}

static void memory_watch(void)
{
	if (!__sanitizer_install_malloc_and_free_hooks(memory_taken, memory_given))
		abort();
}

static void memory_begin(void)
{
	memory_live = memory_most = 0;
}

/* The bar: four times the input, and an allowance for what does not grow with it. Ends the run with a sentence to fd. */
static void memory_check(int fd, size_t n, size_t allowance)
{
	if (getenv("MEMORY"))
		dprintf(fd, "%zu bytes of input: %ld bytes of memory\n", n, memory_most);
	if (memory_most <= (long)(4 * n + allowance))
		return;
	dprintf(fd, "%zu bytes of input took %ld bytes of memory, more than 4 times the input and %zu\n", n, memory_most, allowance);
	abort();
}
#endif
