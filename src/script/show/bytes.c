// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/bytes.h"
#include <string.h>

void show_bytes(struct str *out, const struct script_type *t, const uint8_t *value, enum bytes_form form)
{
	uint64_t n;
	memcpy(&n, value, sizeof(n));
	if (n > t->size - sizeof(n))
		n = t->size - sizeof(n);
	for (uint64_t i = 0; i < n; i++) {
		uint8_t c = value[sizeof(n) + i];
		if (form == BYTES_PLAIN && c >= 32 && c <= 126)
			str_addc(out, (char)c);
		else
			str_addf(out, form == BYTES_SPACED ? "%s%02x" : "%.0s\\x%02x", i ? " " : "", c);
	}
}

static void text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	(void)nm;
	show_bytes(out, t, value, BYTES_PLAIN);
}

const struct shown shown_bytes = { "buffer", text };
