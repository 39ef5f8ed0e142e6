// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/shared/code.h"
#include <string.h>

int code_on_percent_type(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return percent_type_parse(arg, value);
}

/* intel and att are for both disassemblers, other words for objdump alone. */
int code_on_style(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct disasm_options *d = value;
	(void)opt;
	(void)unset;
	d->intel = !strcmp(arg, "intel");
	d->style = d->intel || !strcmp(arg, "att") ? NULL : arg;
	return 0;
}
