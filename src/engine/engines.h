/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engines there are, for engine.c alone: everyone else is given one, and asks it what it can. */
#ifndef ENGINE_ENGINES_H
#define ENGINE_ENGINES_H
#include "engine/engine.h"

extern const struct engine_ops engine_bpf, engine_perf, engine_ptrace;
extern const struct engine_ops engine_file; /* of o->input; never one of those that are picked */
#endif
