/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a script: `config = { max_map_keys = 100; }` before its probes, and the same as BPFTRACE_MAX_MAP_KEYS=100 in the
 * environment, which wins. */
#ifndef SCRIPT_CONFIG_H
#define SCRIPT_CONFIG_H
#include "script/script.h"

/* What the block (source->config) and the environment say goes to the script. -errno, pending error. */
int config_read(struct run_script *s);
#endif
