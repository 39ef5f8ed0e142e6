// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "ui/export/formats.h"

static const struct export_format *const export_formats[] = {
	&export_folded, &export_pprof, &export_perfetto, &export_chrome, &export_speedscope,
	&export_firefox, &export_otlp, &export_ctf, &export_json,
};
enum { FORMATS = sizeof(export_formats) / sizeof(export_formats[0]) };

const struct export_format *export_format_at(size_t i)
{
	return i < FORMATS ? export_formats[i] : NULL;
}

const struct export_format *export_format_find(const char *name)
{
	struct str s = STR_INIT;
	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(export_formats[i]->name, name))
			return export_formats[i];
		str_addf(&s, "%s%s", i ? ", " : "", export_formats[i]->name);
	}
	error_set(EINVAL, "'%s' is not a format that sonde writes", name);
	error_hint("--to takes one of %s", s.buf);
	str_release(&s);
	return NULL;
}
