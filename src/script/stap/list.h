/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_STAP_LIST_H
#define SCRIPT_STAP_LIST_H
#include "base/out.h"
#include "script/script.h"
#include "script/stap/stap.h"

/* A line for each place; details: with $name:type for each variable. st and s are made for this and empty again. -errno, pending
 * error. */
int stap_list(struct stap *st, struct run_script *s, const char *pattern, bool details, struct out *out);
#endif
