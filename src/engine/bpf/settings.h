/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The constants of trace.bpf.c, from what is to be traced and from this machine. */
#ifndef ENGINE_BPF_SETTINGS_H
#define ENGINE_BPF_SETTINGS_H
#include "engine/bpf/load.h"
#include "engine/engine.h"
int bpf_settings_make(struct bpf_settings *s, const struct engine_options *o); /* -errno, pending error */
#endif
