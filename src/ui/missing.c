// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/missing.h"
#include <string.h>
#include "base/error.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/debuginfod.h"

void symbols_say_missing(struct symbols *s, bool kernel_told)
{
	const struct dso *d;
	size_t cursor = 0;
	char now[41], then[41];
	while ((d = symbols_next(s, &cursor))) {
		if (!d->hit)
			continue;
		if (d->other.n) {
			build_id_hex(&d->other, now);
			build_id_hex(&d->build_id, then);
			warn("%s is another file now (build-id %s) than was recorded (%s): its frames have no names", d->path, now, then);
		}
		bool kernel = d->kernel && !strcmp(d->name, "[kernel.kallsyms]"); /* half of a profile in hex needs a word */
		if ((verbosity > 0 || (kernel && !kernel_told)) && d->why_no_symbols)
			warn("%s: [%s]", d->path, d->why_no_symbols);
	}
	const char *remedy, *why = debuginfod_unasked(&remedy);
	if (why) {
		warn("DEBUGINFOD_URLS is set, but no server was asked: %s", why);
		hint("%s", remedy);
	}
}
