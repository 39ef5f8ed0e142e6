/* SPDX-License-Identifier: GPL-2.0-or-later */
/* D's lines, which people know by heart: answered with the line to type here. */
#ifndef SCRIPT_PROVIDER_DTRACE_H
#define SCRIPT_PROVIDER_DTRACE_H
#include "script/script.h"
bool dtrace_is(const char *probe); /* is it one of D's probes: syscall::read:entry, tick-1s? */
int dtrace_first(struct run_script *s); /* refuses a script whose first probe is one: what follows may be no grammar of ours */
int dtrace_refuse(struct run_script *s, const struct attach *a); /* sets the error; returns it */
#endif
