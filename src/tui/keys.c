// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/keys.h"

static const struct { unsigned kinds; const char *keys, *what; } rows[] = {
#define KEY(kinds, keys, what) { kinds, keys, what },
#include "tui/keys.def"
#undef KEY
};

void tui_keys_text(struct str *out, enum tui_kind kind)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].kinds & kind)
			str_addf(out, "%-20s %s\n", rows[i].keys, rows[i].what);
}
