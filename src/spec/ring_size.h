/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes as perf's options take them. */
#ifndef SPEC_RING_SIZE_H
#define SPEC_RING_SIZE_H
#include <stdint.h>

/* "512K", "10M", "3G", "100B": bytes; units: what each letter is 1024 times the one before. -errno, no pending error. */
int size_parse(const char *arg, const char *units, uint64_t *out);
/* -m: a number of pages, or such a size; rounded up to a power of two. -errno and a pending error. */
int ring_size_parse(const char *arg, uint64_t *bytes);
#endif
