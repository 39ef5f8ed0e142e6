/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an export's bytes go: as they are or packed by gzip, into a file, standard output or memory. */
#ifndef UI_EXPORT_SINK_H
#define UI_EXPORT_SINK_H
#include <stdbool.h>
#include "base/out.h"

struct export_sink {
	struct out *out; /* borrowed; NULL: into *memory */
	struct str *memory;
	struct export_gzip *gzip; /* NULL: as they are */
	uint64_t written; /* as they came, before packing */
};
/* One of out and memory. */
void sink_init(struct export_sink *s, struct out *out, struct str *memory, bool gzip);
/* Each returns 0, or -errno once the output has failed, which out_close() has the words for. */
int sink_str(struct export_sink *s, struct str *text); /* writes and clears it */
int sink_end(struct export_sink *s); /* the last bytes; frees what the sink owns */
#endif
