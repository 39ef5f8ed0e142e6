/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A BPF program on an event's descriptors that lets only some samples pass (spec/samplefilter.h). */
#ifndef ATTACH_SAMPLEFILTER_H
#define ATTACH_SAMPLEFILTER_H
#include "attach/open.h"
#include "spec/samplefilter.h"

struct sample_gate;
/* On all descriptors of that event, for as long as they are open. monotonic: its samples' times are of CLOCK_MONOTONIC.
 * NULL: pending error. */
struct sample_gate *sample_gate_open(const samplefilter *f, const struct opened *o, int event, const char *name, bool monotonic);
struct samplefilter_state sample_gate_counts(const struct sample_gate *g);
void sample_gate_close(struct sample_gate *g);
#endif
