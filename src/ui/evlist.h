/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `sonde evlist`: the events of a recording, a line each. */
#ifndef UI_EVLIST_H
#define UI_EVLIST_H
#include <stdbool.h>
#include "base/out.h"
#include "perfdata/reader.h"

struct evlist_page { bool freq, attrs, groups, fields; };
void evlist_print(struct out *o, struct perfdata *p, const struct evlist_page *page);
#endif
