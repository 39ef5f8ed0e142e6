/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The markers (USDT) of a file. */
#ifndef PROBE_USDT_H
#define PROBE_USDT_H
#include "base/vec.h"
#include "probe/target.h"

struct usdt_marker {
	char *provider, *name, *args;
	uint64_t addr, semaphore; /* in the file's own space; semaphore 0: none */
};
typedef VEC(struct usdt_marker) usdt_markers;
int usdt_read(struct probe_target *t, usdt_markers *out); /* -ENOENT: it has none */
void usdt_release(usdt_markers *m);
#endif
