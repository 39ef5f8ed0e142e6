/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_STAP_FRONT_H
#define SCRIPT_STAP_FRONT_H
#include "script/stap/stap.h"

/* Text to a bound script: s->probes, points and units are there, checked they are not. -errno, pending error. */
int stap_front(struct stap *st, struct run_script *s, struct script_source *source, const struct params *params);
/* Only its first half: blocks and their places. */
int stap_places(struct stap *st, struct run_script *s, struct script_source *source, const struct params *params);
#endif
