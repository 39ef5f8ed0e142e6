/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tracing adds to a call, measured: a child makes calls before the programs are attached, and again after. */
#ifndef ENGINE_BPF_COST_H
#define ENGINE_BPF_COST_H
#include <stdint.h>
struct bpf_cost { int pid; int go, from; uint64_t plain; };
int bpf_cost_begin(struct bpf_cost *c); /* -errno, no pending error; pid is then the child's */
uint64_t bpf_cost_end(struct bpf_cost *c); /* added ns per call; 0 unknown. The child is gone then. */
#endif
