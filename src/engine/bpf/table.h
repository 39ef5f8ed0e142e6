/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that steers trace.bpf.c, one row per system call, from the decoder's plans. */
#ifndef ENGINE_BPF_TABLE_H
#define ENGINE_BPF_TABLE_H
#include "bpf/trace.h"
#include "engine/engine.h"
/* Fills 2 * CALLS rows: the native calls, then the 32-bit ones. */
void bpf_table_fill(struct call_plan *defs, const struct engine_options *o);
/* What all that are chosen do between them: DEF_* flags, a bit per enum copy_kind. */
void bpf_table_traits(const struct engine_options *o, uint32_t *flags, uint32_t *kinds);
/* The call's name if one single native call is wanted, and that a rare one; else NULL. */
const char *bpf_table_rare(const struct engine_options *o); /* never with silent ones */
#endif
