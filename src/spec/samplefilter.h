/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 'ip > 0x1000, mem_op == load || mem_op == store': which samples of an event are wanted. Commas: all must hold; || binds
 * tighter. The words are those of perf record --filter. */
#ifndef SPEC_SAMPLEFILTER_H
#define SPEC_SAMPLEFILTER_H
#include <stdint.h>
#include "base/vec.h"
#include "bpf/samplefilter.h"

typedef VEC(struct samplefilter_term) samplefilter;
/* -errno with a pending error that names the word, and hints at the right ones. */
int samplefilter_parse(samplefilter *f, const char *text);
/* A field that samples of that sample_type do not have: pending error, naming the option that brings it. */
int samplefilter_check(const samplefilter *f, uint64_t sample_type, const char *event);
#endif
