/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --where tests on numbers, for the engines that do them in user space. */
#ifndef ENGINE_WHERE_H
#define ENGINE_WHERE_H
#include "engine/engine.h"
/* left false: at entry, tests on the result do not count yet. */
bool where_holds(const struct engine_options *o, enum sys_abi abi, int nr, const uint64_t args[6], int64_t ret, bool left);
#endif
