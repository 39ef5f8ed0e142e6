// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/term/terminfo.h"
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

static const struct { const char *term, *description; } built_in[] = {
#include "terminfo.inc"
};

static bool usable(const char *term)
{
	int err;
	if (setupterm(term, 1, &err) != OK)
		return false;
	const char *cup = tigetstr("cup");
	bool can = cup && cup != (char *)-1;
	del_curterm(cur_term);
	return can;
}

bool terminfo_find(const char *term)
{
	if (usable(term))
		return true;
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
		if (!strcmp(built_in[i].term, term)) {
			setenv("TERMINFO", built_in[i].description, 1);
			return usable(term);
		}
	return false;
}
