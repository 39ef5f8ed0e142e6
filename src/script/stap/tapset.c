// SPDX-License-Identifier: GPL-2.0-or-later
/* What SystemTap brings: aliases and functions, in its own language. Names of variables are SystemTap's; how they are come by is
 * ours. */
#include <string.h>
#include "base/error.h"
#include "script/stap/stap.h"

static const char tapset[] =
#include "script/stap/tapset.def"
	;

int stap_tapset(struct stap *st)
{
	struct script_source text = { .name = "tapset", .text = tapset, .len = sizeof(tapset) - 1, .memory = st->source->memory };
	st->in_tapset = true;
	int err = stap_parse(st, &text);
	st->in_tapset = false;
	st->source->memory = text.memory;
	return err ? error_context("sonde's own tapset") : 0;
}
