/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats, one file each. */
#ifndef UI_EXPORT_FORMATS_H
#define UI_EXPORT_FORMATS_H
#include "ui/export/export.h"

extern const struct export_format export_folded, export_pprof, export_perfetto, export_chrome, export_speedscope,
	export_firefox, export_otlp, export_ctf, export_json;
#endif
