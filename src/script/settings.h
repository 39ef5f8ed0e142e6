/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a script: `config = { max_map_keys = 100; }` before its probes, and the same as BPFTRACE_MAX_MAP_KEYS=100 in the
 * environment, which wins. */
#ifndef SCRIPT_SETTINGS_H
#define SCRIPT_SETTINGS_H
#include "script/script.h"

/* What the block (source->config) and the environment say goes to the script. -errno, pending error. */
int settings_read(struct run_script *s);
int settings_maps(struct run_script *s); /* source->kinds to the maps, once these are known. -errno, pending error */
#endif
